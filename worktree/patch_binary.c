#include "worktree/patch_binary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/strbuf.h"

enum {
	LARGEST_PIECE = 256 << 20, /* bytes of a file */
	DIGITS = 5,                /* of base 85, for four bytes */
	BYTES = 4,
	LINE_MOST = 52, /* bytes in a line */
};

/* One "literal N" or "delta N": lines of a letter for how many bytes, and these in base 85. */
struct piece {
	z_stream stream;
	size_t n; /* bytes, as it says */
	int status;
};

static int digit_value(char c)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
								 "!#$%&()*+-;<=>?@^_`{|}~";
	const char *at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

static bool group_decode(const char *digits, unsigned char bytes[BYTES])
{
	uint64_t value = 0;
	for (int i = 0; i < DIGITS; i++) {
		int digit = digit_value(digits[i]);
		if (digit < 0)
			return false;
		value = value * 85 + (uint64_t)digit;
	}
	for (int i = BYTES; i-- > 0; value >>= 8)
		bytes[i] = (unsigned char)value;
	return value == 0;
}

/* The bytes of a line; 0: it has none that can be read. */
static size_t line_decode(const char *line, size_t length, unsigned char bytes[LINE_MOST])
{
	char c = *line;
	size_t n = c >= 'A' && c <= 'Z' ? (size_t)(c - 'A') + 1
		: c >= 'a' && c <= 'z'      ? (size_t)(c - 'a') + 27
									: 0;
	size_t groups = (n + BYTES - 1) / BYTES;
	if (length != 1 + groups * DIGITS)
		return 0;
	for (size_t i = 0; i < groups; i++)
		if (!group_decode(line + 1 + i * DIGITS, bytes + i * BYTES))
			return 0;
	return n;
}

/* False where its bytes are no such stream, or one of more than it says. */
static bool piece_take(struct piece *piece, unsigned char *bytes, size_t n)
{
	unsigned char thrown[16 << 10];
	piece->stream.next_in = bytes;
	piece->stream.avail_in = (uInt)n;
	while (piece->stream.avail_in && piece->status == Z_OK) {
		piece->stream.next_out = thrown;
		piece->stream.avail_out = sizeof thrown;
		piece->status = inflate(&piece->stream, Z_NO_FLUSH);
		if (piece->stream.total_out > piece->n)
			return false;
	}
	return !piece->stream.avail_in;
}

/* The lines up to the empty one. */
static bool piece_read(struct piece *piece, const char **at, const char *end)
{
	const char *line;
	unsigned char bytes[LINE_MOST];
	for (size_t n, taken; (line = text_next_line(at, end, &n)) && n;) {
		taken = line_decode(line, n, bytes);
		if (!taken || !piece_take(piece, bytes, taken))
			return false;
	}
	return piece->status == Z_STREAM_END && piece->stream.total_out == piece->n;
}

static bool piece_check(size_t n, const char **at, const char *end)
{
	struct piece piece = {.n = n, .status = Z_OK};
	if (inflateInit(&piece.stream) != Z_OK)
		abort();
	bool is_right = piece_read(&piece, at, end);
	inflateEnd(&piece.stream);
	return is_right;
}

/* How many bytes the piece says to have that begins with a line. False: none does. */
static bool piece_begins(const char *line, size_t n, size_t *ret_n)
{
	static const char *const words[] = {"literal ", "delta "};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!text_n_starts_with(line, n, words[i]))
			continue;
		*ret_n = (size_t)strtoul(line + strlen(words[i]), NULL, 10);
		return true;
	}
	return false;
}

int patch_check_binary(const char *text, size_t n, struct rondo_error *err)
{
	const char *at = text, *end = text + n, *line;
	bool in_binary = false;
	for (size_t length, piece_n; (line = text_next_line(&at, end, &length));) {
		bool begins = in_binary && piece_begins(line, length, &piece_n);
		in_binary = begins || text_n_starts_with(line, length, "GIT binary patch");
		if (!begins)
			continue;
		size_t number = text_count_lines(text, (size_t)(line - text)) + 1;
		if (piece_n > LARGEST_PIECE)
			return error_set(err, RONDO_ERROR_USAGE,
				"the patch has a binary file of more than %d MB", LARGEST_PIECE >> 20);
		if (!piece_check(piece_n, &at, end))
			return error_set(err, RONDO_ERROR_USAGE,
				"the binary file at line %zu of the patch cannot be read", number);
	}
	return 0;
}
