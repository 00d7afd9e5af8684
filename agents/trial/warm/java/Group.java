import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/** The threads of a program. */
final class Group extends ThreadGroup {
	private static final int PATIENCE_MS = 20;

	Group() {
		super("main");
	}

	@Override
	public void uncaughtException(Thread thread, Throwable throwable) {
		if (!(throwable instanceof Resident.Exit))
			super.uncaughtException(thread, throwable);
	}

	/** Gives its exit code when all has ended that must end before the machine does. */
	int main(Method method, String[] arguments) {
		int code = 0;
		try {
			method.invoke(null, (Object) arguments);
		} catch (InvocationTargetException thrown) {
			code = 1;
			say(thrown.getCause(), method.getDeclaringClass().getName());
		} catch (ReflectiveOperationException | RuntimeException wrong) {
			code = 1;
			say(wrong, "");
		}
		for (Thread other = other(); other != null; other = other())
			try {
				other.join();
			} catch (InterruptedException ended) {
				return code;
			}
		return code;
	}

	/** As a machine says it: without what called the program. */
	private void say(Throwable thrown, String main) {
		StackTraceElement[] trace = thrown.getStackTrace();
		int n = trace.length;
		while (n > 0 && !isMain(trace[n - 1], main))
			n--;
		if (n > 0)
			thrown.setStackTrace(Arrays.copyOf(trace, n));
		uncaughtException(Thread.currentThread(), thrown);
	}

	private static boolean isMain(StackTraceElement frame, String main) {
		return frame.getClassName().equals(main) && frame.getMethodName().equals("main");
	}

	private List<Thread> threads() {
		Thread[] threads = new Thread[activeCount() + 16];
		return Arrays.asList(threads).subList(0, enumerate(threads));
	}

	/** One that keeps the machine from its end; null: there is none. */
	private Thread other() {
		for (Thread thread : threads())
			if (!thread.isDaemon() && thread != Thread.currentThread())
				return thread;
		return null;
	}

	/** Whether nothing runs any more. */
	boolean isOver() {
		interrupt();
		long end = System.nanoTime() + PATIENCE_MS * 1000000L;
		for (Thread thread : threads())
			try {
				thread.join(Math.max(1, (end - System.nanoTime()) / 1000000));
			} catch (InterruptedException never) {
				return false;
			}
		return threads().isEmpty();
	}
}
