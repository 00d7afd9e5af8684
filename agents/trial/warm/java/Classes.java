import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Classes of files, in which System.exit is Resident.Exit.exit. */
final class Classes extends URLClassLoader {
	private static final String EXIT = Resident.Exit.class.getName();
	private static final long STARTED_MS = System.currentTimeMillis();
	private static String keptKey = "";
	private static ClassLoader kept = ClassLoader.getPlatformClassLoader();

	private Classes(List<File> path, ClassLoader parent) throws MalformedURLException {
		super(urls(path), parent);
	}

	private static URL[] urls(List<File> path) throws MalformedURLException {
		URL[] urls = new URL[path.size()];
		for (int i = 0; i < urls.length; i++)
			urls[i] = path.get(i).toURI().toURL();
		return urls;
	}

	/** What jars have that are older than this program stays loaded: nobody builds these. */
	static Classes of(List<File> path) throws MalformedURLException {
		List<File> old = new ArrayList<>(), others = new ArrayList<>();
		StringBuilder key = new StringBuilder();
		for (File file : path) {
			boolean isOld = file.isFile() && file.lastModified() < STARTED_MS;
			(isOld ? old : others).add(file);
			if (isOld)
				key.append(file).append('\0').append(file.lastModified()).append('\0');
		}
		if (!key.toString().equals(keptKey)) {
			kept = new Classes(old, ClassLoader.getPlatformClassLoader());
			keptKey = key.toString();
		}
		return new Classes(others, kept);
	}

	/** The program of a class, or without a name of another one. */
	Method find(String name, Class<?> other) throws Resident.Refused {
		try {
			Class<?> type = name == null ? other : Class.forName(name, false, this);
			Method method = type.getMethod("main", String[].class);
			method.setAccessible(true);
			return method;
		} catch (ReflectiveOperationException | LinkageError | RuntimeException none) {
			throw new Resident.Refused();
		}
	}

	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		if (name.equals(EXIT))
			return Resident.Exit.class;
		URL url = findResource(name.replace('.', '/') + ".class");
		if (url == null)
			throw new ClassNotFoundException(name);
		try (InputStream stream = url.openStream()) {
			byte[] bytes = ClassFile.withoutExit(stream.readAllBytes(), EXIT);
			return defineClass(name, bytes, 0, bytes.length);
		} catch (IOException wrong) {
			throw new ClassNotFoundException(name, wrong);
		}
	}
}
