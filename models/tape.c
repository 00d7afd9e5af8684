#include "models/tape.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/utf8.h"

#define QUOTED 60 /* bytes of a message where it differs */

/* --- Writing --- */

static bool tape_is_same(const struct model_message *a, const struct model_message *b)
{
	return a->role == b->role && strcmp(a->content, b->content) == 0;
}

/* How many messages from the first on two calls have in common. */
static size_t tape_common(const struct tape_call *call, const struct tape_call *before)
{
	size_t n = 0;
	while (before && n < before->n_asked && n < call->n_asked &&
		tape_is_same(&before->asked[n], &call->asked[n]))
		n++;
	return n;
}

static void tape_add_asked(struct json *line, const struct tape_call *call,
	const struct tape_call *before, const struct secrets *secrets, struct arena *arena)
{
	struct json *asked = json_add_object(line, "asked");
	size_t kept = tape_common(call, before);
	json_add_int(asked, "as_before", (int64_t)kept);
	struct json *more = json_add_array(asked, "then");
	for (size_t i = kept; i < call->n_asked; i++) {
		struct json *message = json_add_object(more, NULL);
		json_add_string(message, "role", model_roles[call->asked[i].role]);
		json_add_string(message, "text", secrets_redacted(secrets, call->asked[i].content, arena));
	}
}

int tape_append(const char *path, const struct tape_call *call, const struct tape_call *before,
	const struct secrets *secrets, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_JSON *line = model_reply_to_json(&call->reply);
	json_add_string(line, "text", secrets_redacted(secrets, call->reply.text, &arena));
	if (call->asked)
		tape_add_asked(line, call, before, secrets, &arena);
	AUTO_FREE char *text = json_print(line);
	size_t n = strlen(text);
	text[n] = '\n'; /* in the NUL's place: one write a line */
	AUTO_CLOSE fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	if (fd >= 0 && file_write_all(fd, text, n + 1) == 0)
		return 0;
	error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", path);
	if (end >= 0 && ftruncate(fd, end) < 0) /* a part of a line would spoil the rest */
		return error_prefix(err, "a part of a reply was kept");
	return -1;
}

/* --- Reading --- */

static int tape_read_asked(const struct json *asked, const struct tape_call *before,
	struct arena *arena, struct tape_call *call, struct rondo_error *err)
{
	struct model_message *messages = NULL;
	size_t n = 0, kept = (size_t)json_int(asked, "as_before", 0);
	if (!asked)
		return 0;
	if (kept > (before ? before->n_asked : 0))
		return error_set(err, RONDO_ERROR_USAGE,
			"\"as_before\" is %zu, and the call before was asked %zu messages", kept,
			before ? before->n_asked : 0);
	for (size_t i = 0; i < kept; i++)
		ARENA_PUSH(arena, messages, n, before->asked[i]);
	const struct json *item = json_first(json_get(asked, "then"));
	for (; item; item = json_next(item)) {
		const char *name = json_string(item, "role", "");
		size_t role = 0;
		while (role < ARRAY_SIZE(model_roles) && strcmp(model_roles[role], name) != 0)
			role++;
		if (role == ARRAY_SIZE(model_roles))
			return error_set(err, RONDO_ERROR_USAGE, "no message has the role '%s'", name);
		ARENA_PUSH(arena, messages, n,
			(struct model_message){.role = (enum model_role)role,
				.content = arena_strdup(arena, json_string(item, "text", ""))});
	}
	call->asked = messages;
	call->n_asked = n;
	return 0;
}

static int tape_read_call(const char *text, size_t n, const struct tape_call *before,
	struct arena *arena, struct tape_call *call, struct rondo_error *err)
{
	AUTO_JSON *line = json_parse(text, n, err);
	const char *said = json_string(line, "text", NULL);
	*call = (struct tape_call){0};
	if (line && !said)
		return error_set(err, RONDO_ERROR_USAGE, "a reply needs \"text\"");
	if (!line || model_reply_from_json(line, said, arena, &call->reply, err) < 0)
		return -1;
	return tape_read_asked(json_get(line, "asked"), before, arena, call, err);
}

int tape_read(const char *path, struct arena *arena, struct tape_call **ret_calls, size_t *ret_n,
	struct rondo_error *err)
{
	struct tape_call *calls = NULL, call;
	size_t n = 0;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (file_read(path, STRBUF_RECORD, &text, err) < 0)
		return -1;
	int number = 1;
	for (const char *at = text.text; *at; number++) {
		size_t size = strcspn(at, "\n");
		const struct tape_call *before = n ? &calls[n - 1] : NULL;
		if (size && tape_read_call(at, size, before, arena, &call, err) < 0)
			return error_prefix(err, "%s:%d", path, number);
		if (size)
			ARENA_PUSH(arena, calls, n, call);
		at += size + (at[size] == '\n');
	}
	*ret_calls = calls;
	*ret_n = n;
	return 0;
}

/* --- Comparing --- */

/* A few characters from a place on, on one line. */
static void tape_quote(const char *text, char quoted[QUOTED])
{
	AUTO_STRBUF shown = STRBUF_INIT((size_t)4 * QUOTED);
	utf8_show(&shown, text);
	for (char *newline = shown.text; (newline = strchr(newline, '\n'));)
		*newline = ' ';
	utf8_format(quoted, QUOTED, "%s", shown.text);
}

bool tape_differs(
	const struct tape_call *call, const struct model_request *request, char *text, size_t size)
{
	char recorded[QUOTED], asked[QUOTED];
	const struct tape_call now = {.asked = request->messages, .n_asked = request->n};
	size_t same = tape_common(call, &now);
	if (!call->asked || (same == request->n && same == call->n_asked))
		return false;
	const char *old = same < call->n_asked ? call->asked[same].content : "";
	const char *new = same < request->n ? request->messages[same].content : "";
	size_t at = 0;
	while (old[at] && old[at] == new[at])
		at++;
	while (at && ((unsigned char)old[at] & 0xc0) == 0x80)
		at--;
	tape_quote(old + at, recorded);
	tape_quote(new + at, asked);
	utf8_format(text, size, "message %zu differs at byte %zu: '%s' was recorded, '%s' is asked",
		same + 1, at, recorded, asked);
	return true;
}
