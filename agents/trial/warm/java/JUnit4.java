import java.lang.annotation.Annotation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** JUnit 4 and 3, by what they have in common in all their releases. */
final class JUnit4 {
	private final ClassLoader loader;
	private final Report report;
	private final Map<Object, Throwable> failures = new HashMap<>();

	JUnit4(ClassLoader loader, Report report) {
		this.loader = loader;
		this.report = report;
	}

	void run(List<String> names) throws ReflectiveOperationException {
		Class<?> request = loader.loadClass("org.junit.runner.Request");
		Object core = loader.loadClass("org.junit.runner.JUnitCore").getConstructor().newInstance();
		for (String name : names) {
			Object one = Call.with(request, null, "aClass", loader.loadClass(name));
			Object runner = Call.of(one, "getRunner");
			Object result = Call.with(core.getClass(), core, "run", one);
			for (Object failure : (List<?>) Call.of(result, "getFailures"))
				failures.put(Call.of(failure, "getDescription"),
					(Throwable) Call.of(failure, "getException"));
			add(Call.of(runner, "getDescription"));
		}
	}

	private void add(Object description) throws ReflectiveOperationException {
		Throwable thrown = failures.get(description);
		String type = (String) Call.of(description, "getClassName");
		String name = (String) Call.of(description, "getMethodName");
		if (thrown != null) {
			report.addFailed(type, name, thrown);
			return; // of a class none of its tests ran
		}
		if (isIgnored(description))
			report.addSkipped(type, name);
		else if ((boolean) Call.of(description, "isTest"))
			report.addPassed(type, name);
		for (Object child : (List<?>) Call.of(description, "getChildren"))
			add(child);
	}

	private static boolean isIgnored(Object description) throws ReflectiveOperationException {
		for (Object annotation : (Iterable<?>) Call.of(description, "getAnnotations"))
			if (((Annotation) annotation).annotationType().getName().equals("org.junit.Ignore"))
				return true;
		return false;
	}
}
