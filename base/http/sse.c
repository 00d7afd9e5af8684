#include "base/http/sse.h"

#include <string.h>

#define BOM "\xef\xbb\xbf"

static bool is_field(const struct sse *sse, const char *name)
{
	return sse->field_length == strlen(name) && memcmp(sse->field, name, sse->field_length) == 0;
}

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

static size_t line_length(const char *bytes, size_t n)
{
	const char *newline = memchr(bytes, '\n', n);
	size_t length = newline ? (size_t)(newline - bytes) : n;
	const char *carriage = memchr(bytes, '\r', length);
	return carriage ? (size_t)(carriage - bytes) : length;
}

static int too_large(const struct sse *sse, struct rondo_error *err)
{
	return error_set(
		err, RONDO_ERROR_TRANSIENT, "an event of the stream is larger than %zu bytes", sse->limit);
}

/* The field's name is complete: where its value belongs. */
static int begin_value(struct sse *sse, struct rondo_error *err)
{
	sse->state = SSE_IGNORED;
	if (is_field(sse, "event"))
		strbuf_reset(&sse->name);
	else if (!is_field(sse, "data"))
		return 0;
	else if (sse->has_data && sse->data.length == sse->limit)
		return too_large(sse, err);
	else if (sse->has_data)
		strbuf_addc(&sse->data, '\n');
	sse->has_data |= is_field(sse, "data");
	sse->state = SSE_SPACE;
	return 0;
}

static int add_value(struct sse *sse, const char *bytes, size_t n, struct rondo_error *err)
{
	if (is_field(sse, "event"))
		strbuf_add(&sse->name, bytes, n);
	else if (n > sse->limit - sse->data.length)
		return too_large(sse, err);
	else
		strbuf_add(&sse->data, bytes, n);
	return 0;
}

static int give_event(struct sse *sse)
{
	int result = 0;
	if (sse->has_data)
		result = sse->take(sse->owner, sse->name.text, sse->data.text, sse->data.length);
	strbuf_reset(&sse->name);
	strbuf_reset(&sse->data);
	sse->has_data = false;
	return result;
}

/* A line without a colon is a field without a value; an empty line ends the event. */
static int end_line(struct sse *sse, struct rondo_error *err)
{
	int result = 0;
	if (sse->state == SSE_FIELD)
		result = sse->field_length ? begin_value(sse, err) : give_event(sse);
	sse->state = SSE_FIELD;
	sse->field_length = 0;
	return result;
}

/* One byte of a field's name, its colon, or the one space that may follow. */
static int take_byte(struct sse *sse, char c, struct rondo_error *err)
{
	if (sse->state == SSE_SPACE) {
		sse->state = SSE_VALUE;
		return c == ' ' ? 0 : add_value(sse, &c, 1, err);
	}
	if (c == ':')
		return begin_value(sse, err);
	if (sse->field_length < sizeof sse->field)
		sse->field[sse->field_length++] = c;
	return 0;
}

/* How many bytes of a BOM come first; what looked like one and is none belongs to a field's
 * name. */
static size_t skip_bom(struct sse *sse, const char *bytes, size_t n)
{
	size_t i = 0;
	while (sse->bom < 3 && i < n && bytes[i] == BOM[sse->bom]) {
		sse->bom++;
		i++;
	}
	if (sse->bom == 3 || i == n)
		return i;
	memcpy(sse->field, BOM, sse->bom);
	sse->field_length = sse->bom;
	sse->bom = 3;
	return i;
}

int sse_feed(struct sse *sse, const char *bytes, size_t n, struct rondo_error *err)
{
	int result = 0;
	size_t i = sse->bom < 3 ? skip_bom(sse, bytes, n) : 0;
	while (i < n && result == 0) {
		bool second_half = sse->after_cr && bytes[i] == '\n';
		sse->after_cr = bytes[i] == '\r';
		if (second_half) {
			i++;
		} else if (ends_line(bytes[i])) {
			result = end_line(sse, err);
			i++;
		} else if (sse->state == SSE_VALUE || sse->state == SSE_IGNORED) {
			size_t start = i;
			i += line_length(bytes + i, n - i);
			if (sse->state == SSE_VALUE)
				result = add_value(sse, bytes + start, i - start, err);
		} else {
			result = take_byte(sse, bytes[i++], err);
		}
	}
	return result;
}

int sse_finish(struct sse *sse, struct rondo_error *err)
{
	int result = sse->state == SSE_FIELD && !sse->field_length ? 0 : end_line(sse, err);
	return result ? result : give_event(sse);
}

void sse_release(struct sse *sse)
{
	strbuf_release(&sse->name);
	strbuf_release(&sse->data);
}
