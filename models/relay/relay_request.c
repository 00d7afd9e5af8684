#include "models/relay/relay_request.h"

#include <string.h>
#include <strings.h>

enum {
	MOST_EXTENSION = 256, /* of one chunk */
	MOST_TRAILERS = 8 << 10,
	MOST_DIGITS = 15,
};

static ssize_t relay_request_fault(struct relay_fault *fault, int status, const char *why)
{
	*fault = (struct relay_fault){status, why};
	return -1;
}

/* --- Characters --- */

/* Of methods and names of headers, as RFC 9110 has them. */
static bool relay_request_is_token(const char *text, size_t n)
{
	static const char others[] = "!#$%&'*+-.^_`|~";
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!is_letter && (!c || !strchr(others, c)))
			return false;
	}
	return n > 0;
}

/* Whether a value has no character that ends a line, or steers anything. */
static bool relay_request_is_value(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (((unsigned char)text[i] < ' ' && text[i] != '\t') || text[i] == 127)
			return false;
	return true;
}

static bool relay_request_is_target(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] <= ' ' || text[i] >= 127)
			return false;
	return n > 0;
}

/* A number of nothing but digits. False: it is none, or too long. */
static bool relay_request_number(const char *text, size_t *ret_number)
{
	size_t n = strspn(text, "0123456789"), number = 0;
	if (!n || text[n] || n > MOST_DIGITS)
		return false;
	for (size_t i = 0; i < n; i++)
		number = number * 10 + (size_t)(text[i] - '0');
	*ret_number = number;
	return true;
}

/* --- The head --- */

/* Where the head ends, behind its empty line; 0: not yet; -1. A line that ends without CR is what
 * servers behind each other read differently. */
static ssize_t relay_request_end(const char *bytes, size_t n, struct relay_fault *fault)
{
	size_t most = n < RELAY_MOST_HEAD ? n : RELAY_MOST_HEAD;
	const char *end = memmem(bytes, most, "\r\n\r\n", 4);
	size_t head = end ? (size_t)(end - bytes) + 4 : most;
	for (const char *at = bytes; (at = memchr(at, '\n', head - (size_t)(at - bytes))); at++)
		if (at == bytes || at[-1] != '\r')
			return relay_request_fault(fault, 400, "a line of the head does not end with CR LF");
	if (memchr(bytes, '\0', head))
		return relay_request_fault(fault, 400, "the head holds a NUL");
	if (!end && n >= RELAY_MOST_HEAD)
		return relay_request_fault(fault, 431, "the head is longer than 64 KiB");
	return end ? (ssize_t)head : 0;
}

/* "METHOD TARGET HTTP/1.1" */
static ssize_t relay_request_line(const char *line, size_t n, struct arena *arena,
	struct relay_request *request, struct relay_fault *fault)
{
	const char *space = memchr(line, ' ', n), *end = line + n;
	const char *second = space ? memchr(space + 1, ' ', (size_t)(end - space - 1)) : NULL;
	if (!second || !relay_request_is_token(line, (size_t)(space - line)))
		return relay_request_fault(fault, 400, "the first line is no request");
	size_t target = (size_t)(second - space - 1), version = (size_t)(end - second - 1);
	if (target > RELAY_MOST_TARGET)
		return relay_request_fault(fault, 414, "the target is longer than 8 KiB");
	if (!relay_request_is_target(space + 1, target))
		return relay_request_fault(fault, 400, "the target holds what no URL may");
	if (version != strlen("HTTP/1.1") || memcmp(second + 1, "HTTP/1.", 7) != 0 ||
		(second[8] != '0' && second[8] != '1'))
		return relay_request_fault(fault, 505, "only HTTP/1.1 and HTTP/1.0 are spoken");
	request->method = arena_strndup(arena, line, (size_t)(space - line));
	request->target = arena_strndup(arena, space + 1, target);
	request->minor = second[8] - '0';
	return 0;
}

/* "Name: value". A line that begins with a space would continue the one before. */
static ssize_t relay_request_field(const char *line, size_t n, struct arena *arena,
	struct relay_request *request, struct relay_fault *fault)
{
	const char *colon = memchr(line, ':', n), *end = line + n;
	if (!colon || !relay_request_is_token(line, (size_t)(colon - line)))
		return relay_request_fault(fault, 400, "a header has no valid name");
	const char *value = colon + 1;
	while (value < end && (*value == ' ' || *value == '\t'))
		value++;
	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (!relay_request_is_value(value, (size_t)(end - value)))
		return relay_request_fault(fault, 400, "a header holds a control character");
	if (request->n == RELAY_MOST_HEADERS)
		return relay_request_fault(fault, 431, "there are more than 100 headers");
	struct relay_header header = {arena_strndup(arena, line, (size_t)(colon - line)),
		arena_strndup(arena, value, (size_t)(end - value))};
	ARENA_PUSH(arena, request->headers, request->n, header);
	return 0;
}

const char *relay_request_header(const struct relay_request *request, const char *name)
{
	for (size_t i = 0; i < request->n; i++)
		if (strcasecmp(request->headers[i].name, name) == 0)
			return request->headers[i].value;
	return NULL;
}

static size_t relay_request_count(const struct relay_request *request, const char *name)
{
	size_t n = 0;
	for (size_t i = 0; i < request->n; i++)
		n += strcasecmp(request->headers[i].name, name) == 0;
	return n;
}

/* Whether a list such as "keep-alive, close" has the word. */
static bool relay_request_lists(const char *list, const char *word)
{
	while (list && *list) {
		list += strspn(list, ", \t");
		size_t n = strcspn(list, ", \t");
		if (n == strlen(word) && strncasecmp(list, word, n) == 0)
			return true;
		list += n;
	}
	return false;
}

/* How long the body is. Of two answers to that, one reader takes the one and the next the other. */
static ssize_t relay_request_frame(struct relay_request *request, struct relay_fault *fault)
{
	const char *coding = relay_request_header(request, "Transfer-Encoding");
	const char *length = relay_request_header(request, "Content-Length");
	if (coding && length)
		return relay_request_fault(
			fault, 400, "Transfer-Encoding and Content-Length stand side by side");
	if (relay_request_count(request, "Content-Length") > 1 ||
		relay_request_count(request, "Transfer-Encoding") > 1)
		return relay_request_fault(fault, 400, "the length of the body is said twice");
	if (coding && (strcasecmp(coding, "chunked") != 0 || request->minor == 0))
		return relay_request_fault(fault, 400, "the only Transfer-Encoding is chunked");
	if (length && !relay_request_number(length, &request->length))
		return relay_request_fault(fault, 400, "Content-Length is no number");
	if (request->length > RELAY_MOST_BODY)
		return relay_request_fault(fault, 413, "the body is larger than 64 MiB");
	request->is_chunked = coding;
	return 0;
}

static ssize_t relay_request_conclude(struct relay_request *request, struct relay_fault *fault)
{
	const char *connection = relay_request_header(request, "Connection");
	const char *expect = relay_request_header(request, "Expect");
	size_t hosts = relay_request_count(request, "Host");
	if (hosts > 1 || (!hosts && request->minor == 1))
		return relay_request_fault(fault, 400, "there must be one Host");
	if (expect && strcasecmp(expect, "100-continue") != 0)
		return relay_request_fault(fault, 417, "nothing but 100-continue can be expected");
	request->expects = expect && request->minor == 1;
	request->closes = request->minor == 0 ? !relay_request_lists(connection, "keep-alive")
										  : relay_request_lists(connection, "close");
	return relay_request_frame(request, fault);
}

ssize_t relay_request_read(const char *bytes, size_t n, struct arena *arena,
	struct relay_request *ret_request, struct relay_fault *ret_fault)
{
	struct relay_request request = {0};
	size_t empty = 0;
	while (empty < 4 && n - empty >= 2 && memcmp(bytes + empty, "\r\n", 2) == 0)
		empty += 2; /* which some clients send after a body */
	ssize_t head = relay_request_end(bytes + empty, n - empty, ret_fault);
	if (head <= 0)
		return head;
	const char *line = bytes + empty, *last = line + head - 2;
	for (const char *end; line < last; line = end + 2) {
		end = memmem(line, (size_t)(last - line), "\r\n", 2);
		ssize_t status = request.method
			? relay_request_field(line, (size_t)(end - line), arena, &request, ret_fault)
			: relay_request_line(line, (size_t)(end - line), arena, &request, ret_fault);
		if (status < 0)
			return -1;
	}
	if (relay_request_conclude(&request, ret_fault) < 0)
		return -1;
	*ret_request = request;
	return (ssize_t)empty + head;
}

/* --- The body --- */

struct relay_body relay_body_of(const struct relay_request *request)
{
	return (struct relay_body){.state = request->is_chunked ? RELAY_BODY_SIZE
			: request->length                               ? RELAY_BODY_DATA
															: RELAY_BODY_OVER,
		.is_chunked = request->is_chunked,
		.left = request->length,
		.all = request->length};
}

static int relay_body_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0'
		: c >= 'a' && c <= 'f'  ? c - 'a' + 10
		: c >= 'A' && c <= 'F'  ? c - 'A' + 10
								: -1;
}

/* The line before a chunk, one character of it. */
static bool relay_body_size(struct relay_body *body, char c)
{
	int digit = relay_body_digit(c);
	bool is_first = body->state == RELAY_BODY_SIZE;
	if (is_first)
		body->left = body->overhead = 0;
	if (digit >= 0) {
		body->left = body->left * 16 + (size_t)digit;
		body->state = RELAY_BODY_SIZE_MORE;
		return ++body->overhead <= MOST_DIGITS;
	}
	body->state = c == '\r' ? RELAY_BODY_SIZE_LF : RELAY_BODY_EXTENSION;
	return !is_first && (c == '\r' || c == ';' || c == ' ' || c == '\t');
}

static bool relay_body_extension(struct relay_body *body, char c)
{
	if (c == '\r')
		body->state = RELAY_BODY_SIZE_LF;
	return c == '\r' || (relay_request_is_value(&c, 1) && ++body->overhead <= MOST_EXTENSION);
}

/* What follows the last chunk is read and means nothing. */
static bool relay_body_trailer(struct relay_body *body, char c)
{
	if (c == '\r')
		body->state =
			body->state == RELAY_BODY_TRAILER ? RELAY_BODY_LAST_LF : RELAY_BODY_TRAILER_LF;
	else
		body->state = RELAY_BODY_TRAILER_MORE;
	return c == '\r' || (relay_request_is_value(&c, 1) && ++body->overhead <= MOST_TRAILERS);
}

/* The end of the line before a chunk. */
static void relay_body_begin(struct relay_body *body)
{
	body->state = body->left ? RELAY_BODY_DATA : RELAY_BODY_TRAILER;
	body->overhead = 0;
}

/* A character that belongs to no data. False: it should not be there. */
static bool relay_body_step(struct relay_body *body, char c)
{
	switch (body->state) {
	case RELAY_BODY_SIZE:
	case RELAY_BODY_SIZE_MORE:
		return relay_body_size(body, c);
	case RELAY_BODY_EXTENSION:
		return relay_body_extension(body, c);
	case RELAY_BODY_SIZE_LF:
		relay_body_begin(body);
		return c == '\n';
	case RELAY_BODY_DATA_CR:
		body->state = RELAY_BODY_DATA_LF;
		return c == '\r';
	case RELAY_BODY_DATA_LF:
		body->state = RELAY_BODY_SIZE;
		return c == '\n';
	case RELAY_BODY_TRAILER:
	case RELAY_BODY_TRAILER_MORE:
		return relay_body_trailer(body, c);
	case RELAY_BODY_TRAILER_LF:
		body->state = RELAY_BODY_TRAILER;
		return c == '\n';
	case RELAY_BODY_LAST_LF:
		body->state = RELAY_BODY_OVER;
		return c == '\n';
	case RELAY_BODY_OVER:
	case RELAY_BODY_DATA:
		break;
	}
	return false;
}

/* Of n bytes those that are data. */
static size_t relay_body_data(
	struct relay_body *body, const char *bytes, size_t n, struct strbuf *to)
{
	size_t taken = n < body->left ? n : body->left;
	strbuf_add(to, bytes, taken);
	body->left -= taken;
	if (!body->left)
		body->state = body->is_chunked ? RELAY_BODY_DATA_CR : RELAY_BODY_OVER;
	return taken;
}

ssize_t relay_body_take(struct relay_body *body, const char *bytes, size_t n, struct strbuf *to,
	struct relay_fault *ret_fault)
{
	size_t at = 0;
	while (at < n && body->state != RELAY_BODY_OVER) {
		if (body->state == RELAY_BODY_DATA) {
			at += relay_body_data(body, bytes + at, n - at, to);
			continue;
		}
		bool is_size = body->state == RELAY_BODY_SIZE_LF;
		if (!relay_body_step(body, bytes[at++]))
			return relay_request_fault(ret_fault, 400, "the body's chunks are damaged");
		body->all += is_size ? body->left : 0;
		if (body->left > RELAY_MOST_BODY || body->all > RELAY_MOST_BODY)
			return relay_request_fault(ret_fault, 413, "the body is larger than 64 MiB");
	}
	return (ssize_t)at;
}
