#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { MOST_BYTES = 4 }; /* of a character */

/* How many bytes a character beyond ASCII has by its first; 0: none begins so. */
static size_t size_of(unsigned char c)
{
	return c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xc2 && c < 0xe0 ? 2 : 0;
}

/* The length of the character at `bytes`, or 0 where there is none. Sets its code point. */
static size_t decode(const unsigned char *bytes, size_t n, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = bytes[0];
	if (c < 0x80) {
		*code = c;
		return c != 0;
	}
	size_t size = size_of(c);
	if (!size || size > n)
		return 0;
	uint32_t value = c & (0xffU >> (size + 1));
	for (size_t i = 1; i < size; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (bytes[i] & 0x3fU);
	}
	if (value < least[size] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 0;
	*code = value;
	return size;
}

/* Eight bytes at a time, as far as they are surely ASCII and not NUL: most of what is read is. */
static size_t plain_length(const char *bytes, size_t n)
{
	const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
	size_t i = 0;
	for (uint64_t word; i + sizeof word <= n; i += sizeof word) {
		memcpy(&word, bytes + i, sizeof word);
		if ((word | (word - ones)) & highs)
			break;
	}
	return i;
}

size_t utf8_valid_length(const char *bytes, size_t n)
{
	uint32_t code;
	for (size_t i = plain_length(bytes, n); i < n; i += plain_length(bytes + i, n - i)) {
		size_t size = decode((const unsigned char *)bytes + i, n - i, &code);
		if (!size)
			return i;
		i += size;
	}
	return n;
}

size_t utf8_unfinished(const char *bytes, size_t n)
{
	for (size_t back = 1; back <= 3 && back <= n; back++) {
		unsigned char c = (unsigned char)bytes[n - back];
		if ((c & 0xc0) != 0x80)
			return size_of(c) > back ? back : 0;
	}
	return 0;
}

void utf8_vformat(char *field, size_t size, const char *format, va_list args)
{
	int n = vsnprintf(field, size, format, args);
	if (n >= (int)size) {
		size_t end = size - sizeof "...";
		memcpy(field + end - utf8_unfinished(field, end), "...", sizeof "...");
	}
	size_t length = strlen(field);
	if (utf8_valid_length(field, length) == length)
		return;
	AUTO_STRBUF text = STRBUF_INIT(4 * length);
	utf8_scrub(&text, field, length);
	utf8_format(field, size, "%s", text.text);
}

void utf8_format(char *field, size_t size, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	utf8_vformat(field, size, format, args);
	va_end(args);
}

void utf8_scrub(struct strbuf *sb, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t good = utf8_valid_length(bytes + i, n - i);
		strbuf_add(sb, bytes + i, good);
		i += good;
		if (i < n)
			strbuf_adds(sb, bytes[i++] ? "\xef\xbf\xbd" : "\\0");
	}
}

static bool steers(uint32_t code)
{
	return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) ||
		code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
		(code >= 0x2066 && code <= 0x2069) || code == 0xfffe || code == 0xffff;
}

void utf8_show(struct strbuf *sb, const char *text)
{
	size_t n = strlen(text), plain = 0;
	uint32_t code = 0;
	for (size_t i = 0; i < n;) {
		size_t size = decode((const unsigned char *)text + i, n - i, &code);
		if (size && !steers(code)) {
			i += size;
			continue;
		}
		strbuf_add(sb, text + plain, i - plain);
		if (!size)
			strbuf_adds(sb, "\xef\xbf\xbd");
		else if (code == 0x1b)
			strbuf_adds(sb, "\\e");
		else if (code == '\r')
			strbuf_adds(sb, "\\r");
		else if (code < 0x80)
			strbuf_addf(sb, "\\x%02x", (unsigned)code);
		else
			strbuf_addf(sb, "<U+%04X>", (unsigned)code);
		i += size ? size : 1;
		plain = i;
	}
	strbuf_add(sb, text + plain, n - plain);
}

void utf8_from_latin1(struct strbuf *sb, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];
		if (c >= 0x80)
			strbuf_addc(sb, (char)(0xc0 | c >> 6));
		strbuf_addc(sb, (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c));
	}
}

size_t utf8_to_latin1(struct strbuf *sb, const char *text, size_t n)
{
	uint32_t code;
	size_t i = 0;
	for (size_t size; i < n; i += size) {
		size = decode((const unsigned char *)text + i, n - i, &code);
		if (!size || code > 0xff)
			break;
		strbuf_addc(sb, (char)code);
	}
	return i;
}

size_t utf8_characters(const char *text, size_t n)
{
	size_t characters = 0;
	for (size_t i = 0; i < n; i++)
		characters += ((unsigned char)text[i] & 0xc0) != 0x80;
	return characters;
}

/* How many columns the character at a place takes; *ret_size: how many bytes. */
static size_t utf8_width(const char *text, size_t n, size_t *ret_size)
{
	uint32_t code = 0;
	size_t size = decode((const unsigned char *)text, n, &code);
	int width = size ? wcwidth((wchar_t)code) : 1;
	*ret_size = size ? size : 1;
	return width > 0 ? (size_t)width : size == 1 ? 0 : 1;
}

size_t utf8_columns(const char *text, size_t n)
{
	size_t columns = 0, size;
	for (size_t i = 0; i < n && text[i]; i += size)
		columns += utf8_width(text + i, n - i, &size);
	return columns;
}

static bool is_inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Only what fits is looked at: who folds a long text asks once for each of its lines. */
size_t utf8_fitting(const char *text, size_t columns)
{
	size_t n = 0, size;
	while (text[n]) {
		size_t width = utf8_width(text + n, strnlen(text + n, MOST_BYTES), &size);
		if (width > columns)
			break;
		columns -= width;
		n += size;
	}
	while (n && is_inside_character(text[n]))
		n--;
	return n;
}

const char *utf8_cut_middle(struct arena *arena, const char *text, size_t most)
{
	size_t n = strlen(text), head = most / 3;
	if (n <= most)
		return text;
	while (head && is_inside_character(text[head]))
		head--;
	const char *tail = text + n - (most - head - strlen("..."));
	while (is_inside_character(*tail))
		tail++;
	return arena_printf(arena, "%.*s...%s", (int)head, text, tail);
}
