import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Calls of classes that are not known here. */
final class Call {
	private Call() {
	}

	/** A method without parameters. */
	static Object of(Object object, String name) throws ReflectiveOperationException {
		Method method = object.getClass().getMethod(name);
		method.setAccessible(true);
		return method.invoke(object);
	}

	/** The first method of that name in a type, with these arguments. */
	static Object with(Class<?> type, Object object, String name, Object... arguments)
		throws ReflectiveOperationException {
		for (Method method : type.getMethods())
			if (method.getName().equals(name) && fits(method, arguments))
				return method.invoke(object, arguments);
		throw new NoSuchMethodException(type.getName() + "." + name);
	}

	private static boolean fits(Method method, Object[] arguments) {
		Class<?>[] types = method.getParameterTypes();
		boolean fits = types.length == arguments.length;
		for (int i = 0; fits && i < types.length; i++)
			fits = types[i].isInstance(arguments[i]);
		return fits;
	}
}
