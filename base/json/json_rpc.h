/*
 * JSON-RPC 2.0 with one message a line, for both sides. Three parts that know nothing of each
 * other: bytes become lines, a line becomes a message, and messages become lines. How bytes come
 * and go is the owner's business; for two descriptors it is here.
 */
#pragma once
#include "base/cancel.h"
#include "base/json/json.h"
#include "base/strbuf.h"

/* --- Bytes to lines --- */

enum json_rpc_came {
	JSON_RPC_NOTHING, /* no whole line is there */
	JSON_RPC_LINE,
	JSON_RPC_TOO_LONG, /* said once of a line beyond the limit, which is passed over */
	JSON_RPC_ENDED,    /* only by json_rpc_hear: the other side has closed */
};

struct json_rpc_lines {
	struct strbuf text; /* what came and was not given yet */
	size_t at;          /* of it, what was given */
	size_t searched;    /* of it, where no newline is */
	size_t limit;       /* bytes of a line without its newline */
	bool skips;         /* the rest of a line that is too long comes */
};

#define JSON_RPC_LINES_INIT(bytes) \
	{ \
		.text = STRBUF_INIT(SIZE_MAX), .limit = (bytes) \
	}
#define JSON_RPC_LIMIT ((size_t)32 << 20) /* what the protocols' own libraries take */

/* Add bytes, cut anywhere. Take all lines before the next call: then no more is kept than the limit
 * and one call's bytes. */
void json_rpc_lines_feed(struct json_rpc_lines *lines, const char *bytes, size_t n);

/* The next line, without its end, \n or \r\n; it lives until the next call. Lines of white space
 * are passed over. */
enum json_rpc_came json_rpc_lines_next(
	struct json_rpc_lines *lines, const char **ret_line, size_t *ret_n);

void json_rpc_lines_release(struct json_rpc_lines *lines);

/* --- A line to a message --- */

enum json_rpc_kind {
	JSON_RPC_REQUEST,      /* id, method, params */
	JSON_RPC_NOTIFICATION, /* method, params */
	JSON_RPC_RESULT,       /* id, result */
	JSON_RPC_ERROR,        /* id (NULL where the other side could not tell), code, text, data */
	JSON_RPC_BATCH,        /* `batch` is an array of messages that were not looked at */
	JSON_RPC_INVALID,      /* code and text of the error to answer with, and id where it has one */
};

enum {
	JSON_RPC_PARSE_ERROR = -32700,
	JSON_RPC_INVALID_REQUEST = -32600,
	JSON_RPC_NO_METHOD = -32601,
	JSON_RPC_INVALID_PARAMS = -32602,
	JSON_RPC_INTERNAL_ERROR = -32603,
};

/* All of it lies in the arena it was read with. */
struct json_rpc_message {
	enum json_rpc_kind kind;
	const char *id; /* a number or string as JSON text, byte for byte as it was sent; NULL: none */
	const char *method;
	const struct json *params; /* an object or array; NULL: none */
	const struct json *result, *batch;
	int64_t code;
	const char *text;
	const struct json *data; /* of an error; NULL: none */
};

/* Read a line. What is no message is one of the kind JSON_RPC_INVALID; it may have an id although
 * it is no JSON, for one whose text has a NUL or invalid UTF-8 was sent by somebody who waits. */
void json_rpc_read(
	const char *line, size_t n, struct arena *arena, struct json_rpc_message *ret_message);

/* Whether two ids, as JSON texts, are the same: 1 and 1.0, "a" and "\u0061". NULL is no id. */
bool json_rpc_same_id(const char *a, const char *b);

/* The id that a member of the message's params has, such as requestId, as JSON text in the arena;
 * `line` is what the message was read from. NULL: it has none. */
const char *json_rpc_id_in_params(const char *line, size_t n, const char *key, struct arena *arena);

/* --- A message to a line --- */

/* Each gives a line without its newline, the caller's to free(), and takes over the trees, which
 * may be NULL where they may be left out. `id` is JSON text. */
char *json_rpc_request(const char *id, const char *method, struct json *params);
char *json_rpc_notification(const char *method, struct json *params);
char *json_rpc_result(const char *id, struct json *result);
/* `id` NULL: nobody knows which request it answers. */
char *json_rpc_error(const char *id, int64_t code, const char *text, struct json *data);

/* --- Descriptors --- */

/* The next line that comes from a descriptor; waits for it at most so long (below 0: as long as it
 * takes). JSON_RPC_NOTHING: time is over. -1 when cancelled. What comes after the last newline is
 * no line: JSON_RPC_ENDED. */
int json_rpc_hear(struct json_rpc_lines *lines, int fd, int64_t timeout_ms,
	const struct cancel *cancel, const char **ret_line, size_t *ret_n, enum json_rpc_came *ret_came,
	struct rondo_error *err);

/* Write a line and a newline. False in *ret_taken where the other side takes nothing for so long
 * (below 0: it may take its time), or has closed. -1 when cancelled. One thread at a time, and
 * SIGPIPE ignored. */
int json_rpc_say(int fd, const char *line, int64_t timeout_ms, const struct cancel *cancel,
	bool *ret_taken, struct rondo_error *err);
