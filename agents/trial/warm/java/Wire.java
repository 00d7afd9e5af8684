import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;

/** A connection. */
final class Wire {
	static final int OUT = 1, ERR = 2, END = 3, LAST = 4, REFUSED = 5;
	private static final int LARGEST = 1 << 24;
	private final SocketChannel channel;
	private volatile boolean ended;

	Wire(SocketChannel channel) {
		this.channel = channel;
	}

	private ByteBuffer read(int n) throws IOException {
		ByteBuffer buffer = ByteBuffer.allocate(n);
		while (buffer.hasRemaining())
			if (channel.read(buffer) < 0)
				return null;
		return buffer.flip();
	}

	/** A request; null: there comes none. */
	String[] receive() throws IOException {
		ByteBuffer length = read(4);
		int n = length == null ? 0 : length.getInt();
		ByteBuffer text = n <= 0 || n > LARGEST ? null : read(n);
		if (text == null)
			return null;
		return new String(text.array(), 0, n - 1, Charset.defaultCharset()).split("\0", -1);
	}

	/** What runs can only be stopped together with this program. */
	void endWithOther() {
		Thread thread = new Thread(() -> {
			try {
				channel.read(ByteBuffer.allocate(1));
			} catch (IOException gone) {
				// it is closed here, or there
			}
			if (!ended)
				Runtime.getRuntime().halt(1);
		});
		thread.setDaemon(true);
		thread.start();
	}

	private synchronized void write(ByteBuffer buffer) throws IOException {
		while (buffer.hasRemaining())
			channel.write(buffer);
	}

	void send(int kind, int value) throws IOException {
		ended = true;
		write(ByteBuffer.allocate(5).put((byte) kind).putInt(value).flip());
	}

	/** How it ended. If not all ended that it started, this program does. */
	void end(int code, boolean isOver) throws IOException {
		System.out.flush();
		System.err.flush();
		send(isOver ? END : LAST, code);
		if (!isOver)
			Runtime.getRuntime().halt(0);
	}

	PrintStream stream(int kind) {
		String name = System.getProperty("stdout.encoding");
		Charset charset = name == null ? Charset.defaultCharset() : Charset.forName(name);
		return new PrintStream(new OutputStream() {
			@Override
			public void write(int b) throws IOException {
				write(new byte[] {(byte) b}, 0, 1);
			}

			@Override
			public void write(byte[] bytes, int from, int n) throws IOException {
				ByteBuffer frame = ByteBuffer.allocate(5 + n).put((byte) kind).putInt(n);
				Wire.this.write(frame.put(bytes, from, n).flip());
			}
		}, true, charset);
	}
}
