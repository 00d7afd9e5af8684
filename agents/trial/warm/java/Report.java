import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of results, as Surefire writes one for each class. */
final class Report {
	/** It is one of Surefire 2, which has other names for some tests. */
	final boolean isOld;
	private final Path file;
	private final StringBuilder cases = new StringBuilder();

	Report(Path file, boolean isOld) {
		this.file = file;
		this.isOld = isOld;
	}

	private static String quote(String text) {
		StringBuilder quoted = new StringBuilder();
		for (char c : (text == null ? "" : text).toCharArray())
			if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\n')
				quoted.append("&#").append((int) c).append(';');
			else
				quoted.append(c < ' ' && c != '\t' || c >= '\ufffe' ? '?' : c);
		return quoted.toString();
	}

	/** Without a name it is the class itself. */
	private void add(String type, String test, String outcome) {
		String name = test != null ? test : isOld ? type : "";
		cases.append("<testcase classname=\"").append(quote(type)).append("\" name=\"");
		cases.append(quote(name)).append("\">").append(outcome).append("</testcase>\n");
	}

	void addPassed(String type, String name) {
		add(type, name, "");
	}

	void addSkipped(String type, String name) {
		add(type, name, "<skipped/>");
	}

	void addFailed(String type, String name, Throwable thrown) {
		StringWriter trace = new StringWriter();
		thrown.printStackTrace(new PrintWriter(trace, true));
		String outcome = thrown instanceof AssertionError ? "failure" : "error";
		add(type, name, "<" + outcome + " type=\"" + quote(thrown.getClass().getName())
			+ "\" message=\"" + quote(thrown.getMessage()) + "\">" + quote(trace.toString())
			+ "</" + outcome + ">");
	}

	void write() throws IOException {
		String base = quote(System.getProperty("basedir"));
		Files.createDirectories(file.getParent());
		Files.writeString(file,
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			+ "<testsuite xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
			+ "xsi:noNamespaceSchemaLocation=\"surefire-test-report.xsd\">\n"
			+ "<properties><property name=\"basedir\" value=\"" + base + "\"/></properties>\n"
			+ cases + "</testsuite>\n");
	}
}
