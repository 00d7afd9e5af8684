import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The constants of a class file. */
final class ClassFile {
	private static final int TEXT = 1, LONG = 5, DOUBLE = 6, CLASS = 7, STRING = 8, METHOD = 10;
	private static final int HANDLE = 15, TYPE = 16, MODULE = 19, PACKAGE = 20;
	private final ByteBuffer bytes;
	private final int[] at;
	private final int end;

	private ClassFile(byte[] all) {
		bytes = ByteBuffer.wrap(all);
		at = new int[Short.toUnsignedInt(bytes.getShort(8))];
		int next = 10;
		for (int i = 1; i < at.length; i++) {
			at[i] = next;
			int tag = all[next];
			next += 1 + size(tag, next + 1);
			if (tag == LONG || tag == DOUBLE)
				i++;
		}
		end = next;
	}

	private int size(int tag, int from) {
		switch (tag) {
		case TEXT:
			return 2 + Short.toUnsignedInt(bytes.getShort(from));
		case LONG:
		case DOUBLE:
			return 8;
		case CLASS:
		case STRING:
		case TYPE:
		case MODULE:
		case PACKAGE:
			return 2;
		case HANDLE:
			return 3;
		default:
			return 4;
		}
	}

	/** Whether a constant is of this kind. */
	private boolean is(int i, int tag) {
		return i > 0 && i < at.length && at[i] > 0 && bytes.get(at[i]) == tag;
	}

	/** The n-th constant that a constant names. */
	private int named(int i, int n) {
		return Short.toUnsignedInt(bytes.getShort(at[i] + 1 + 2 * n));
	}

	private boolean says(int i, String text) {
		byte[] expected = text.getBytes(StandardCharsets.UTF_8);
		int from = at[i] + 3, n = expected.length;
		return is(i, TEXT) && named(i, 0) == n
			&& Arrays.equals(bytes.array(), from, from + n, expected, 0, n);
	}

	private boolean isExit(int i) {
		if (!is(i, METHOD) || !says(named(named(i, 0), 0), "java/lang/System"))
			return false;
		int called = named(i, 1);
		return says(named(called, 0), "exit") && says(named(called, 1), "(I)V");
	}

	/** A class that calls another class's `exit` in place of System's. */
	static byte[] withoutExit(byte[] all, String other) {
		ClassFile file = new ClassFile(all);
		boolean calls = false;
		for (int i = 1; i < file.at.length; i++)
			if (file.isExit(i)) {
				file.bytes.putShort(file.at[i] + 1, (short) (file.at.length + 1));
				calls = true;
			}
		if (!calls)
			return all;
		byte[] name = other.getBytes(StandardCharsets.UTF_8);
		ByteBuffer changed = ByteBuffer.allocate(all.length + 6 + name.length);
		changed.put(all, 0, file.end);
		changed.putShort(8, (short) (file.at.length + 2));
		changed.put((byte) TEXT).putShort((short) name.length).put(name);
		changed.put((byte) CLASS).putShort((short) file.at.length);
		return changed.put(all, file.end, all.length - file.end).array();
	}
}
