#include "executors/jupyter/jupyter.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "executors/tree_file.h"

#define MOST_FILES 64
#define MOST_FILE_BYTES ((uint64_t)64 << 20)
#define MOST_NUMBERS 10000

void jupyter_cell_release(struct jupyter_cell *cell)
{
	strbuf_release(&cell->late);
}

/* --- What is sent --- */

/* The text after "!pip install" and the like at the start of a line, or NULL. */
static const char *cell_behind_pip(const char *line)
{
	line += strspn(line, " \t");
	if (*line != '!' && *line != '%')
		return NULL;
	line += 1 + strspn(line + 1, " \t");
	static const char *const words[] = {"pip install", "pip3 install", "python -m pip install",
		"python3 -m pip install"};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_starts_with(line, words[i]) && isspace((unsigned char)line[strlen(words[i])]))
			return line + strlen(words[i]);
	return NULL;
}

const char *jupyter_cell_source(const char *code, struct arena *arena)
{
	AUTO_STRBUF source = STRBUF_INIT(STRBUF_RECORD);
	bool is_changed = false;
	for (const char *line = code; *line;) {
		size_t n = strcspn(line, "\n");
		const char *behind = cell_behind_pip(line), *end = line + n;
		bool is_loud = behind && behind <= end && !memmem(behind, (size_t)(end - behind), " -q",
			3) && !memmem(behind, (size_t)(end - behind), " --quiet", 8);
		strbuf_add(&source, line, is_loud ? (size_t)(behind - line) : n);
		if (is_loud) {
			strbuf_adds(&source, " -qqq");
			strbuf_add(&source, behind, (size_t)(end - behind));
		}
		is_changed = is_changed || is_loud;
		line = end;
		if (*line)
			strbuf_addc(&source, *line++);
	}
	return is_changed ? arena_strdup(arena, source.text) : code;
}

/* --- What it says --- */

static void cell_wipe(struct jupyter_cell *cell)
{
	cell->clears = false;
	if (cell->output->cut)
		return;
	strbuf_truncate(cell->output, cell->start);
	cell->last = JUPYTER_NOTHING;
}

static void cell_put(struct jupyter_cell *cell, const char *text)
{
	strbuf_adds(cell->output, text);
	if (cell->listener.hear)
		cell->listener.hear(cell->listener.owner, text, strlen(text));
}

/* Begin an output. An empty line separates shown items from printed text, and blocks from each
 * other, as in AutoGen. */
static void cell_begin(struct jupyter_cell *cell, enum jupyter_last kind)
{
	if (cell->clears)
		cell_wipe(cell);
	if (!cell->last)
		cell->start = cell->output->length;
	bool goes_on = cell->last == JUPYTER_TEXT && kind == JUPYTER_TEXT;
	if (!goes_on && cell->output->length)
		cell_put(cell, "\n");
	cell->last = kind;
}

static void cell_add_text(struct jupyter_cell *cell, const char *text, enum jupyter_last kind)
{
	if (!*text)
		return;
	cell_begin(cell, kind);
	cell->bytes += strlen(text);
	cell_put(cell, text);
}

/* Programs that a cell starts with "!" run in a terminal, whose lines end in CR LF. */
static void cell_add_stream(struct jupyter_cell *cell, const char *text)
{
	AUTO_STRBUF lines = STRBUF_INIT(strlen(text));
	if (!strchr(text, '\r')) {
		cell_add_text(cell, text, JUPYTER_TEXT);
		return;
	}
	for (const char *end; (end = strstr(text, "\r\n")); text = end + 1)
		strbuf_add(&lines, text, (size_t)(end - text));
	strbuf_adds(&lines, text);
	cell_add_text(cell, lines.text, JUPYTER_TEXT);
}

void jupyter_cell_print(struct jupyter_cell *cell, const char *bytes, size_t n)
{
	AUTO_STRBUF text = STRBUF_INIT(4 * n + 1);
	utf8_scrub(&text, bytes, n);
	cell_add_text(cell, text.text, JUPYTER_TEXT);
}

void jupyter_cell_say(struct jupyter_cell *cell, const char *format, ...)
{
	AUTO_FREE char *text = NULL;
	va_list args;
	va_start(args, format);
	int n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		abort();
	struct strbuf *output = cell->output;
	if (cell->last && output->length && output->text[output->length - 1] != '\n')
		strbuf_addc(output, '\n');
	else if (!cell->last)
		cell_begin(cell, JUPYTER_TEXT);
	strbuf_addf(output, "%s\n", text);
	cell->last = JUPYTER_TEXT;
}

/* Append text without the colours of tracebacks: ESC [ parameters letter. */
static void cell_add_plain(struct strbuf *sb, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\x1b");
		strbuf_add(sb, text, n);
		text += n;
		if (!*text)
			return;
		text++;
		if (*text != '[')
			continue;
		text += 1 + strspn(text + 1, "0123456789;:<=>?");
		text += strspn(text, " !\"#$%&'()*+,-./");
		text += *text != '\0';
	}
}

/* --- What it shows --- */

static void cell_name_file(const struct jupyter_files *kept, const char *suffix, char *name,
	size_t size)
{
	bool is_top = strcmp(kept->dir, ".") == 0;
	snprintf(name, size, "%s%soutput-%" PRId64 ".%s", is_top ? "" : kept->dir, is_top ? "" : "/",
		kept->shown, suffix);
}

/* Write a file under the next free number. Its name lies in the arena; NULL with err set. */
static const char *cell_keep(struct jupyter_cell *cell, const struct jupyter_media *media,
	const struct strbuf *bytes, struct rondo_error *err)
{
	struct jupyter_files *kept = cell->kept;
	char name[4096];
	int result = 1;
	if (cell->n_files >= MOST_FILES || cell->file_bytes + bytes->length > MOST_FILE_BYTES) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a block keeps at most %d files and 64 MiB",
			MOST_FILES);
		return NULL;
	}
	for (size_t i = 0; i < MOST_NUMBERS && result == 1; i++) {
		kept->shown++;
		cell_name_file(kept, media->suffix, name, sizeof name);
		result = tree_file_create(kept->executor, kept->executor->tree, name, bytes->text,
			bytes->length, err);
	}
	if (result == 1)
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "'%s' and those before it are there already",
			name);
	if (result != 0)
		return NULL;
	cell->n_files++;
	cell->file_bytes += bytes->length;
	return arena_strdup(cell->arena, name);
}

static void cell_save(struct jupyter_cell *cell, const struct jupyter_media *media,
	const struct json *value)
{
	AUTO_STRBUF bytes = STRBUF_INIT(JUPYTER_MEDIA_LIMIT), line = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error err;
	const char *name = NULL;
	if (!cell->kept)
		return;
	if (jupyter_media_decode(media, value, &bytes, &err) == 0)
		name = cell_keep(cell, media, &bytes, &err);
	if (name) {
		ARENA_PUSH(cell->arena, cell->result->files, cell->result->n_files, name);
		strbuf_addf(&line, "%s data saved to %s", media->noun, name);
	} else {
		strbuf_addf(&line, "%s data was not saved: %s", media->noun, err.message);
	}
	cell_add_text(cell, line.text, JUPYTER_ITEM);
}

static void cell_show(struct jupyter_cell *cell, const struct json *data)
{
	if (!json_is_object(data))
		return;
	cell_add_text(cell, json_string(data, "text/plain", ""), JUPYTER_ITEM);
	for (const struct json *item = json_first(data); item; item = json_next(item)) {
		const struct jupyter_media *media = jupyter_media_find(json_key(item));
		if (media)
			cell_save(cell, media, item);
	}
}

/* Text for a pager is shown; ask_exit announces that the kernel will exit. */
static void cell_take_payload(struct jupyter_cell *cell, const struct json *payload)
{
	for (const struct json *item = json_is_array(payload) ? json_first(payload) : NULL; item;
		item = json_next(item)) {
		const char *source = json_string(item, "source", "");
		if (strcmp(source, "page") == 0)
			cell_show(cell, json_get(item, "data"));
		cell->exits = cell->exits || strcmp(source, "ask_exit") == 0;
	}
}

/* --- How it ends --- */

/* The exit code of sys.exit(), 1 for other errors. */
static int cell_exit_code_of(const struct json *content)
{
	const char *name = json_string(content, "ename", ""),
		*value = json_string(content, "evalue", "");
	char *end;
	if (strcmp(name, "SystemExit") != 0)
		return 1;
	if (!*value || strcmp(value, "None") == 0)
		return 0;
	long code = strtol(value, &end, 10);
	return *end || code < 0 || code > 255 ? 1 : (int)code;
}

static void cell_fail(struct jupyter_cell *cell, const struct json *content)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const struct json *traceback = json_get(content, "traceback");
	if (cell->has_error)
		return;
	cell->has_error = true;
	cell->exit_code = cell_exit_code_of(content);
	for (const struct json *line = json_is_array(traceback) ? json_first(traceback) : NULL; line;
		line = json_next(line)) {
		strbuf_adds(&text, text.length ? "\n" : "");
		cell_add_plain(&text, json_text(line, ""));
	}
	if (!text.length)
		strbuf_addf(&text, "%s: %s", json_string(content, "ename", "error"),
			json_string(content, "evalue", ""));
	if (cell->exit_code)
		cell_add_text(cell, text.text, JUPYTER_ITEM);
}

static void cell_take_reply(struct jupyter_cell *cell, const struct json *content)
{
	const char *status = json_string(content, "status", "error");
	if (cell->replied)
		return;
	cell->aborted = strcmp(status, "aborted") == 0 || strcmp(status, "abort") == 0;
	cell->replied = true;
	cell_take_payload(cell, json_get(content, "payload"));
	if (strcmp(status, "ok") != 0 && !cell->aborted && !cell->has_error)
		cell_fail(cell, content);
}

static void cell_clear(struct jupyter_cell *cell, const struct json *content)
{
	cell->clears = cell->last != JUPYTER_NOTHING;
	if (cell->clears && !json_bool(content, "wait", false))
		cell_wipe(cell);
}

/* Threads of an earlier block print with its id. */
static void cell_hear_late(struct jupyter_cell *cell, const struct jupyter_message *message)
{
	if (strcmp(message->type, "stream") == 0)
		strbuf_adds(&cell->late, json_string(message->content, "text", ""));
}

void jupyter_cell_hear(struct jupyter_cell *cell, const struct jupyter_message *message)
{
	const char *type = message->type;
	const struct json *content = message->content;
	if (strcmp(message->parent, cell->id) != 0)
		cell_hear_late(cell, message);
	else if (strcmp(type, "stream") == 0)
		cell_add_stream(cell, json_string(content, "text", ""));
	else if (strcmp(type, "execute_result") == 0 || text_ends_with(type, "display_data"))
		cell_show(cell, json_get(content, "data"));
	else if (strcmp(type, "error") == 0)
		cell_fail(cell, content);
	else if (strcmp(type, "clear_output") == 0)
		cell_clear(cell, content);
	else if (strcmp(type, "status") == 0)
		cell->idle = cell->idle || strcmp(json_string(content, "execution_state", ""), "idle") == 0;
	else if (text_ends_with(type, "_reply"))
		cell_take_reply(cell, content);
}

void jupyter_cell_end(struct jupyter_cell *cell)
{
	if (!cell->late.length)
		return;
	strbuf_mark_cut(&cell->late);
	cell_add_text(cell, "Late output of earlier blocks:\n", JUPYTER_ITEM);
	strbuf_adds(cell->output, cell->late.text);
}
