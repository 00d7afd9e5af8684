import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What `java` was told to run. */
final class Program {
	private final List<File> path = new ArrayList<>();
	private String main; // null: it is Surefire
	private String[] arguments;
	private boolean asserts;

	static Program read(String[] words) throws Resident.Refused {
		Program program = new Program();
		String path = System.getenv("CLASSPATH");
		int i = 0;
		for (; i < words.length && words[i].startsWith("-"); i++) {
			String word = words[i];
			if (word.equals("-jar"))
				return program.readJar(words, i + 1);
			if (takesPath(word) && i + 1 < words.length)
				path = words[++i];
			else if (word.startsWith("--class-path="))
				path = word.substring(word.indexOf('=') + 1);
			else
				program.readOption(word);
		}
		return program.readClass(words, i, path == null ? "." : path);
	}

	/** Words that end in those of Surefire. */
	static Program readSurefire(String[] words) throws Resident.Refused {
		Program program = new Program();
		int n = words.length - 2;
		for (int i = 0; i < n; i++)
			if (!words[i].startsWith("-javaagent:")) // it counts what ran
				program.readOption(words[i]);
		try {
			program.path.addAll(Surefire.path(words[n]));
		} catch (IOException gone) {
			throw new Resident.Refused();
		}
		program.arguments = Arrays.copyOfRange(words, n, n + 2);
		program.asserts = true;
		return program;
	}

	private static boolean takesPath(String word) {
		return word.equals("-cp") || word.equals("-classpath") || word.equals("--class-path");
	}

	/** Options that say how fast it runs, or what it may use. */
	private static boolean isOfMachine(String word) {
		return word.startsWith("-Xm") || word.startsWith("-XX:") || word.startsWith("-Xshare:")
			|| word.equals("-server") || word.equals("-client") || word.equals("-Xint");
	}

	private void readOption(String word) throws Resident.Refused {
		int sign = word.indexOf('=');
		if (word.equals("-ea") || word.equals("-enableassertions"))
			asserts = true;
		else if (word.startsWith("-D") && sign > 2)
			System.setProperty(word.substring(2, sign), word.substring(sign + 1));
		else if (!isOfMachine(word))
			throw new Resident.Refused();
	}

	private Program readJar(String[] words, int i) throws Resident.Refused {
		if (i == words.length)
			throw new Resident.Refused();
		try (JarFile jar = new JarFile(words[i])) {
			Manifest manifest = jar.getManifest();
			main = manifest == null ? null : manifest.getMainAttributes().getValue("Main-Class");
		} catch (IOException none) {
			throw new Resident.Refused();
		}
		path.add(new File(words[i]));
		arguments = Arrays.copyOfRange(words, i + 1, words.length);
		System.setProperty("java.class.path", words[i]);
		return this;
	}

	private Program readClass(String[] words, int i, String from) throws Resident.Refused {
		if (i == words.length || words[i].endsWith(".java"))
			throw new Resident.Refused();
		main = words[i].replace('/', '.');
		arguments = Arrays.copyOfRange(words, i + 1, words.length);
		System.setProperty("java.class.path", from);
		for (String entry : from.split(File.pathSeparator, -1))
			if (entry.equals("*") || entry.endsWith("/*"))
				addJars(new File(entry.equals("*") ? "." : entry.substring(0, entry.length() - 1)));
			else
				path.add(new File(entry.isEmpty() ? "." : entry));
		return this;
	}

	private void addJars(File folder) {
		File[] jars = folder.listFiles((dir, name) -> name.toLowerCase().endsWith(".jar"));
		if (jars != null)
			path.addAll(Arrays.asList(jars));
	}

	void run(Wire wire) throws Resident.Refused, IOException {
		try (Classes classes = Classes.of(path)) {
			classes.setDefaultAssertionStatus(asserts);
			Method method = classes.find(main, Surefire.class);
			CompletableFuture<Integer> code = new CompletableFuture<>();
			Resident.Exit.code = code;
			Group group = new Group();
			Runnable run = () -> code.complete(group.main(method, arguments));
			Thread thread = new Thread(group, run, "main");
			thread.setContextClassLoader(classes);
			thread.start();
			int value = code.join();
			wire.end(value, group.isOver());
		}
	}
}
