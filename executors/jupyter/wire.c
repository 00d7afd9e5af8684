#include "executors/jupyter/jupyter.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"

#define DELIMITER "<IDS|MSG>"
#define PROTOCOL "5.3"

/* The parts after the delimiter, which follows routing ids. */
enum { SIGNATURE, HEADER, PARENT, METADATA, CONTENT, PARTS };

static bool wire_is_delimiter(const struct jupyter_frame *frame)
{
	return frame->n == strlen(DELIMITER) && memcmp(frame->bytes, DELIMITER, frame->n) == 0;
}

/* Sign the four parts. */
static void wire_sign(const struct jupyter_frame parts[PARTS], const char *key, char hex[HASH_SIZE])
{
	struct hash_part signed_parts[PARTS - HEADER];
	for (size_t i = HEADER; i < PARTS; i++)
		signed_parts[i - HEADER] = (struct hash_part){parts[i].bytes, parts[i].n};
	hash_sign(key, signed_parts, ARRAY_SIZE(signed_parts), hex);
}

static bool wire_is_signed(const struct jupyter_frame parts[PARTS], const char *key)
{
	char hex[HASH_SIZE];
	if (parts[SIGNATURE].n != HASH_SIZE - 1)
		return false;
	wire_sign(parts, key, hex);
	return hash_is_same(hex, parts[SIGNATURE].bytes);
}

/* Text with NUL is not allowed here: "\u0000" becomes "\\0", the JSON of these two characters. */
static void wire_replace_nul(struct strbuf *to, const char *text, size_t n)
{
	static const char nul[] = "\\u0000";
	for (size_t i = 0; i < n;) {
		size_t plain = 0, taken;
		while (i + plain < n && text[i + plain] != '\\')
			plain++;
		strbuf_add(to, text + i, plain);
		i += plain;
		if (i == n)
			break;
		bool is_nul = n - i >= strlen(nul) && memcmp(text + i, nul, strlen(nul)) == 0;
		taken = is_nul ? strlen(nul) : n - i > 1 ? 2 : 1;
		strbuf_add(to, is_nul ? "\\\\0" : text + i, is_nul ? 3 : taken);
		i += taken;
	}
}

/* NULL with err set if a part is no JSON object. */
static struct json *wire_parse(const struct jupyter_frame *frame, const char *what,
	struct rondo_error *err)
{
	AUTO_STRBUF clean = STRBUF_INIT(3 * frame->n + 1), plain = STRBUF_INIT(frame->n + 1);
	struct jupyter_frame text = {frame->n ? frame->bytes : "", frame->n};
	if (utf8_valid_length(text.bytes, text.n) != text.n) {
		utf8_scrub(&clean, text.bytes, text.n);
		text = (struct jupyter_frame){clean.text, clean.length};
	}
	if (memmem(text.bytes, text.n, "\\u0000", 6)) {
		wire_replace_nul(&plain, text.bytes, text.n);
		text = (struct jupyter_frame){plain.text, plain.length};
	}
	struct json *json = json_parse(text.bytes, text.n, err);
	if (!json)
		error_prefix(err, "%s of a message", what);
	if (json_is_object(json))
		return json;
	if (json)
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s of a message is no object", what);
	json_free(json);
	return NULL;
}

int jupyter_read(const struct jupyter_frame *frames, size_t n, const char *key,
	struct jupyter_message *ret_message, struct rondo_error *err)
{
	size_t at = 0;
	AUTO_JUPYTER_MESSAGE message = {0};
	while (at < n && !wire_is_delimiter(&frames[at]))
		at++;
	if (at == n || n - at - 1 < PARTS)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a message of %zu frames is incomplete", n);
	const struct jupyter_frame *parts = frames + at + 1;
	if (!wire_is_signed(parts, key))
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a message is wrongly signed");
	if (!(message.header = wire_parse(&parts[HEADER], "the header", err)) ||
		!(message.parent_header = wire_parse(&parts[PARENT], "the parent's header", err)) ||
		!(message.body = wire_parse(&parts[CONTENT], "the content", err)))
		return -1;
	message.type = json_string(message.header, "msg_type", NULL);
	message.parent = json_string(message.parent_header, "msg_id", "");
	message.content = message.body;
	if (!message.type)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a message has no type");
	*ret_message = message;
	message = (struct jupyter_message){0};
	return 0;
}

void jupyter_message_release(struct jupyter_message *message)
{
	json_free(message->header);
	json_free(message->parent_header);
	json_free(message->body);
	*message = (struct jupyter_message){0};
}

static struct jupyter_frame wire_frame_of(const char *text)
{
	return (struct jupyter_frame){text, strlen(text)};
}

static struct jupyter_frame wire_print(const struct json *json, struct arena *arena)
{
	AUTO_FREE char *text = json_print(json);
	return wire_frame_of(arena_strdup(arena, text));
}

void jupyter_request_make(struct jupyter_request *request, const char *type,
	const struct json *content, const char *session, const char *key, struct arena *arena)
{
	char id[33], date[CLOCK_DATE_SIZE], hex[HASH_SIZE];
	AUTO_JSON *header = json_object();
	hash_random(id, sizeof id - 1);
	clock_format_date(clock_date_ms(), date);
	json_add_string(header, "msg_id", id);
	json_add_string(header, "session", session);
	json_add_string(header, "username", "rondo");
	json_add_string(header, "date", date);
	json_add_string(header, "msg_type", type);
	json_add_string(header, "version", PROTOCOL);
	struct jupyter_frame *parts = request->frames + 1;
	request->id = arena_strdup(arena, id);
	request->frames[0] = wire_frame_of(DELIMITER);
	parts[HEADER] = wire_print(header, arena);
	parts[PARENT] = parts[METADATA] = wire_frame_of("{}");
	parts[CONTENT] = wire_print(content, arena);
	wire_sign(parts, key, hex);
	parts[SIGNATURE] = wire_frame_of(arena_strdup(arena, hex));
}
