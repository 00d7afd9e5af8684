/*
 * A Java virtual machine that stays, and does what `java` and `javac` would do: each time with
 * classes that nobody has used, and with the properties of a new machine. jvm.c starts it, and asks
 * in the name of those programs. Its argument is the path of the socket that it makes.
 *
 * A request is the length of what follows, in four bytes, then texts, each with a NUL: the name of
 * the program, or "surefire", of the variable that chooses a candidate, its value, and the words of
 * the program. The variable is a property here. An answer is frames: a kind, a number in four
 * bytes, and so many bytes, where it is output. Where the other side goes away before it has the
 * answer, all ends.
 */
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.StandardProtocolFamily;
import java.net.URLConnection;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.spi.ToolProvider;

public final class Resident {
	private static final ToolProvider JAVAC = ToolProvider.findFirst("javac").orElseThrow();

	private Resident() {
	}

	public static void main(String[] args) throws IOException {
		ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
		server.bind(UnixDomainSocketAddress.of(args[0]));
		URLConnection.setDefaultUseCaches("jar", false); // files change
		System.out.write('r'); // it is ready
		System.out.flush();
		for (;;)
			try (SocketChannel client = server.accept()) {
				serve(new Wire(client));
			} catch (IOException gone) {
				Runtime.getRuntime().halt(1);
			}
	}

	private static void serve(Wire wire) throws IOException {
		String[] request = wire.receive();
		if (request == null)
			return;
		wire.endWithOther();
		Properties properties = System.getProperties();
		Locale locale = Locale.getDefault();
		TimeZone zone = TimeZone.getDefault();
		PrintStream out = wire.stream(Wire.OUT), err = wire.stream(Wire.ERR);
		System.setProperties((Properties) properties.clone());
		System.setProperty(request[1], request[2]);
		System.setIn(InputStream.nullInputStream());
		System.setOut(out);
		System.setErr(err);
		String[] words = Arrays.copyOfRange(request, 3, request.length);
		try {
			if (request[0].equals("javac"))
				wire.end(compile(words, err), true);
			else if (request[0].equals("java"))
				Program.read(words).run(wire);
			else
				Program.readSurefire(words).run(wire);
		} catch (Refused refused) {
			wire.send(Wire.REFUSED, 0);
		}
		System.setProperties(properties);
		Locale.setDefault(locale);
		TimeZone.setDefault(zone);
	}

	private static int compile(String[] words, PrintStream err) throws Refused {
		for (String word : words)
			if (word.startsWith("-J"))
				throw new Refused();
		PrintWriter writer = new PrintWriter(err, true);
		return JAVAC.run(writer, writer, words);
	}

	/** The program itself must do it. */
	static final class Refused extends Exception {
		private static final long serialVersionUID = 1;
	}

	/** What ends a thread that has called System.exit. */
	public static final class Exit extends Error {
		private static final long serialVersionUID = 1;
		static volatile CompletableFuture<Integer> code;

		private Exit() {
			super(null, null, false, false);
		}

		public static void exit(int value) {
			if (code == null)
				System.exit(value);
			code.complete(value);
			throw new Exit();
		}
	}
}
