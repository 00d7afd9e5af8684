import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What Maven's Surefire told a virtual machine to do, done again: the same classes of tests, with a
 * report for all of them together. Its words are two files, of Surefire's and of the system's
 * properties.
 */
public final class Surefire {
	/** What would choose among the tests, or run them otherwise. */
	private static final List<String> UNKNOWN = List.of("groups", "excludegroups", "excludedgroups",
		"configurationparameters", "includejunit5engines", "excludejunit5engines", "parallel",
		"listener", "dependenciestoscan", "objectfactory", "suitexmlfiles");
	private final Properties told = new Properties();
	private final String name; // which no other one has

	private Surefire(String file) throws IOException {
		name = new File(file).getName();
		try (InputStream stream = Files.newInputStream(Path.of(file))) {
			told.load(stream);
		}
	}

	/** The texts of a numbered property. */
	private List<String> all(String name) {
		List<String> texts = new ArrayList<>();
		for (String text; (text = told.getProperty(name + "." + texts.size())) != null;)
			texts.add(text);
		return texts;
	}

	/** What it loads classes from: the project's, and those of who runs the tests. */
	static List<File> path(String file) throws IOException {
		Surefire surefire = new Surefire(file);
		List<File> path = new ArrayList<>();
		for (String name : List.of("classPathUrl", "surefireClassPathUrl"))
			for (String entry : surefire.all(name))
				path.add(new File(entry));
		return path;
	}

	private boolean isOld() {
		for (String entry : all("surefireClassPathUrl"))
			if (new File(entry).getName().matches("surefire-.*-2\\.[0-9.]+jar"))
				return true;
		return false;
	}

	private boolean isKnown() {
		for (String name : told.stringPropertyNames())
			if (UNKNOWN.contains(name.toLowerCase()) && !told.getProperty(name).isEmpty())
				return false;
		return !told.getProperty("requestedTest", "").contains("#") && !all("tc").isEmpty()
			&& !told.getProperty("preferTestsFromInStream", "").equals("true");
	}

	private static void define(String file) throws IOException {
		Properties system = new Properties();
		try (InputStream stream = Files.newInputStream(Path.of(file))) {
			system.load(stream);
		}
		for (String name : system.stringPropertyNames())
			System.setProperty(name, system.getProperty(name));
	}

	private void run() throws ReflectiveOperationException, IOException {
		ClassLoader loader = Thread.currentThread().getContextClassLoader();
		Path folder = Path.of(told.getProperty("reportsDirectory"));
		Report report = new Report(folder.resolve("TEST-" + name + ".xml"), isOld());
		if (told.getProperty("providerConfiguration", "").contains("junitplatform"))
			new Platform(loader, report).run(all("tc"));
		else
			new JUnit4(loader, report).run(all("tc"));
		report.write();
	}

	/** It exits with 0 where all tests ran, whether they passed or not. */
	public static void main(String[] words) throws ReflectiveOperationException, IOException {
		Surefire surefire = new Surefire(words[0]);
		Thread thread = Thread.currentThread();
		if (!(thread.getContextClassLoader() instanceof Classes)) { // in a machine of its own
			Classes classes = Classes.of(path(words[0]));
			classes.setDefaultAssertionStatus(true);
			thread.setContextClassLoader(classes);
		}
		define(words[1]);
		if (!surefire.isKnown())
			throw new UnsupportedOperationException();
		surefire.run();
	}
}
