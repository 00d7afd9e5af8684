/*
 * What two runs that are equal have in common: what was said and what came of it, without times,
 * ids and searches. Of a run that was gone on with, what counts: not the turns that broke off.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

struct normal {
	struct strbuf *sb;
	const char *id;        /* the run's, which stands in branch names and paths */
	char speaker[128];     /* whose turn it is */
	struct strbuf *turn;   /* what was said in a turn that may yet come to nothing */
	bool has_attempts;     /* several */
	int64_t attempt;       /* of several, whose records come */
	struct strbuf *ending; /* verdict and end, which a run that is resumed has again */
};

/* The length of "1.5 s", "12 ms", "2 min 10 s" at `text`; 0: there is none. */
static size_t duration_at(const char *text)
{
	static const char *const units[] = {" ms", " min", " s", " h"};
	size_t n = strspn(text, "0123456789.");
	for (size_t i = 0; n && i < ARRAY_SIZE(units); i++) {
		size_t size = strlen(units[i]);
		if (strncmp(text + n, units[i], size) == 0 && !isalnum((unsigned char)text[n + size]))
			return n + size;
	}
	return 0;
}

static void add_normal(const struct normal *normal, struct strbuf *sb, const char *text)
{
	size_t id = strlen(normal->id);
	for (size_t n; *text; text += n) {
		bool begins_number = isdigit((unsigned char)*text);
		if (strncmp(text, normal->id, id) == 0) {
			strbuf_adds(sb, "RUN");
			n = id;
		} else if (begins_number && (n = duration_at(text))) {
			strbuf_adds(sb, "TIME");
		} else {
			n = begins_number ? strspn(text, "0123456789") : 1;
			strbuf_add(sb, text, n);
		}
	}
	strbuf_addc(sb, '\n');
}

static void flush(struct strbuf *from, struct strbuf *to)
{
	strbuf_add(to, from->text, from->length);
	strbuf_truncate(from, 0);
}

/* What was printed of failures differs, as all that programs print. */
static const char *content_of(const struct json *message, struct arena *arena)
{
	const char *content = json_string(message, "content", "");
	const char *end = strcmp(json_string(message, "type", ""), "test_report") == 0
		? strstr(content, "\n\n")
		: NULL;
	return end ? arena_strndup(arena, content, (size_t)(end - content)) : content;
}

/* The speaker's own message ends what a turn can come to; that of a team within is said on the
 * way. */
static void add_message(
	struct normal *normal, const struct json *record, const struct json *message)
{
	const char *team = json_string(record, "team", NULL),
			   *source = json_string(message, "source", "?");
	if (strcmp(json_string(record, "text", ""), TEAM_CUT) == 0)
		return;
	bool again = team ? !json_int(record, "turn", 0)
					  : strcmp(json_string(record, "text", ""), TEAM_WITHIN) == 0;
	AUTO_ARENA arena = ARENA_INIT;
	if (!again) {
		strbuf_addf(normal->turn, "---------- %s%s%s ----------\n", team ? team : "",
			team ? "/" : "", source);
		add_normal(normal, normal->turn, content_of(message, &arena));
	}
	if (!team && (!json_int(record, "turn", 0) || strcmp(source, normal->speaker) == 0))
		flush(normal->turn, normal->sb);
}

static void add_line(
	const struct normal *normal, struct strbuf *sb, const char *type, const struct json *record)
{
	strbuf_addf(sb, "%s: ", type);
	add_normal(normal, sb, json_string(record, "text", ""));
}

/* Each of several attempts begins anew. */
static void add_attempt(struct normal *normal, const struct json *record)
{
	int64_t attempt = json_int(record, "attempt", 1);
	if (attempt == normal->attempt)
		return;
	flush(normal->turn, normal->sb);
	flush(normal->ending, normal->sb);
	normal->attempt = attempt;
	if (normal->has_attempts && attempt)
		strbuf_addf(normal->sb, "========== attempt %d ==========\n", (int)attempt);
}

static int add_record(void *owner, const struct json *record)
{
	struct normal *normal = owner;
	const struct json *message = json_get(record, "message");
	const char *type = json_string(record, "type", "");
	bool within = json_get(record, "team");
	add_attempt(normal, record);
	if (message) {
		add_message(normal, record, message);
	} else if (strcmp(type, "turn.start") == 0 && !within) {
		snprintf(normal->speaker, sizeof normal->speaker, "%s", json_string(record, "source", ""));
	} else if (strcmp(type, "turn.end") == 0 && !within) {
		flush(normal->turn, normal->sb);
	} else if (strcmp(type, "resume") == 0) {
		strbuf_truncate(normal->turn, 0);
		strbuf_truncate(normal->ending, 0);
	} else if (strcmp(type, "verdict") == 0 || strcmp(type, "run.end") == 0 ||
		strcmp(type, "attempt") == 0) {
		add_line(normal, normal->ending, type, record);
	} else if (strcmp(type, "baseline") == 0 || (strcmp(type, "stop") == 0 && !within)) {
		add_line(normal, normal->sb, type, record);
	}
	return 0;
}

int run_show_normal(const char *dir, struct strbuf *sb, struct rondo_error *err)
{
	AUTO_STRBUF turn = STRBUF_INIT(STRBUF_RECORD), ending = STRBUF_INIT(STRBUF_RECORD);
	struct normal normal = {.sb = sb, .id = file_name(dir), .turn = &turn, .ending = &ending};
	normal.has_attempts = run_has_attempts(dir);
	normal.attempt = normal.has_attempts ? 0 : 1;
	int status = run_records(dir, add_record, &normal, err);
	flush(&turn, sb);
	flush(&ending, sb);
	return status;
}
