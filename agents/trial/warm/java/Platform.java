import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

/** The JUnit Platform, with tests named as Surefire names them. */
final class Platform {
	private static final String SOURCES = "org.junit.platform.engine.support.descriptor.";
	private final ClassLoader loader;
	private final Report report;
	private Object plan;

	Platform(ClassLoader loader, Report report) {
		this.loader = loader;
		this.report = report;
	}

	private Class<?> load(String name) throws ClassNotFoundException {
		return loader.loadClass("org.junit.platform." + name);
	}

	void run(List<String> names) throws ReflectiveOperationException {
		Class<?> selectors = load("engine.discovery.DiscoverySelectors");
		Class<?> builder = load("launcher.core.LauncherDiscoveryRequestBuilder");
		Class<?> listener = load("launcher.TestExecutionListener");
		Object chosen = Array.newInstance(load("engine.DiscoverySelector"), names.size());
		for (int i = 0; i < names.size(); i++)
			Array.set(chosen, i, Call.with(selectors, null, "selectClass", names.get(i)));
		Object request = Call.with(builder, null, "request");
		request = Call.of(Call.with(builder, request, "selectors", chosen), "build");
		Object listeners = Array.newInstance(listener, 1);
		Class<?>[] types = {listener};
		Array.set(listeners, 0, Proxy.newProxyInstance(loader, types, this::hear));
		Object launcher = Call.with(load("launcher.core.LauncherFactory"), null, "create");
		Call.with(load("launcher.Launcher"), launcher, "execute", request, listeners);
	}

	/** A call of the listener. */
	private Object hear(Object proxy, Method method, Object[] words)
		throws ReflectiveOperationException {
		switch (method.getName()) {
		case "testPlanExecutionStarted":
			plan = words[0];
			return null;
		case "executionFinished":
			hearEnd(words[0], words[1]);
			return null;
		case "executionSkipped":
			hearSkipped(words[0]);
			return null;
		case "hashCode":
			return System.identityHashCode(proxy);
		case "equals":
			return proxy == words[0];
		default:
			return null;
		}
	}

	/** Of a class that is skipped, newer Surefires name the tests. */
	private void hearSkipped(Object test) throws ReflectiveOperationException {
		if (report.isOld || (boolean) Call.of(test, "isTest"))
			report.addSkipped(typeOf(test), nameOf(test));
		else
			for (Object one : (Iterable<?>) ofPlan("getDescendants", test))
				if ((boolean) Call.of(one, "isTest"))
					report.addSkipped(typeOf(one), nameOf(one));
	}

	private void hearEnd(Object test, Object result) throws ReflectiveOperationException {
		boolean isTest = (boolean) Call.of(test, "isTest");
		Optional<?> thrown = (Optional<?>) Call.of(result, "getThrowable");
		String status = Call.of(result, "getStatus").toString();
		if (status.equals("SUCCESSFUL") && isTest)
			report.addPassed(typeOf(test), nameOf(test));
		else if (status.equals("ABORTED"))
			report.addSkipped(typeOf(test), nameOf(test));
		else if (status.equals("FAILED"))
			report.addFailed(typeOf(test), nameOf(test), (Throwable) thrown.get());
	}

	/** What a test was made of, if it is of that kind. */
	private Object sourceOf(Object test, String kind) throws ReflectiveOperationException {
		Object source = ((Optional<?>) Call.of(test, "getSource")).orElse(null);
		return source != null && source.getClass().getName().equals(SOURCES + kind) ? source : null;
	}

	/** The class of the nearest container. */
	private String typeOf(Object test) throws ReflectiveOperationException {
		for (Object at = test; at != null; at = parentOf(at)) {
			Object source = sourceOf(at, "ClassSource");
			if (source != null)
				return (String) Call.of(source, "getClassName");
		}
		return "";
	}

	private Object parentOf(Object test) throws ReflectiveOperationException {
		return ((Optional<?>) ofPlan("getParent", test)).orElse(null);
	}

	private Object ofPlan(String name, Object test) throws ReflectiveOperationException {
		return Call.with(plan.getClass(), plan, name, test);
	}

	private String nameOf(Object test) throws ReflectiveOperationException {
		Object source = sourceOf(test, "MethodSource");
		if (source == null)
			return null;
		String all = (String) Call.of(test, "getLegacyReportingName");
		if (report.isOld)
			return all.replace('(', '{').replace(')', '}').replace("{}", "");
		String name = (String) Call.of(source, "getMethodName");
		String types = (String) Call.of(source, "getMethodParameterTypes");
		boolean hasTypes = types != null && !types.isBlank();
		return hasTypes ? all : name;
	}
}
