#include "models/tape.h"

#include <fcntl.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

int tape_append(const char *path, const struct model_reply *reply, struct rondo_error *err)
{
	AUTO_JSON *line = model_reply_to_json(reply);
	json_add_string(line, "text", reply->text);
	AUTO_FREE char *text = json_print(line);
	size_t n = strlen(text);
	text[n] = '\n'; /* in the NUL's place: one write a line */
	AUTO_CLOSE fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || file_write_all(fd, text, n + 1) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", path);
	return 0;
}

static int tape_read_reply(const char *text, size_t n, struct arena *arena,
	struct model_reply *reply, struct rondo_error *err)
{
	AUTO_JSON *line = json_parse(text, n, err);
	const char *said = json_string(line, "text", NULL);
	if (line && !said)
		return error_set(err, RONDO_ERROR_USAGE, "a reply needs \"text\"");
	return line ? model_reply_from_json(line, said, arena, reply, err) : -1;
}

int tape_read(const char *path, struct arena *arena, struct model_reply **ret_replies,
	size_t *ret_n, struct rondo_error *err)
{
	struct model_reply *replies = NULL, reply;
	size_t n = 0;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (file_read(path, STRBUF_RECORD, &text, err) < 0)
		return -1;
	int number = 1;
	for (const char *at = text.text; *at; number++) {
		size_t size = strcspn(at, "\n");
		if (size && tape_read_reply(at, size, arena, &reply, err) < 0)
			return error_prefix(err, "%s:%d", path, number);
		if (size)
			ARENA_PUSH(arena, replies, n, reply);
		at += size + (at[size] == '\n');
	}
	*ret_replies = replies;
	*ret_n = n;
	return 0;
}
