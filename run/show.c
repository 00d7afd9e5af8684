/* A run, later: its journal told again, or made comparable with another run's. */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/event.h"
#include "run/journal.h"
#include "run/run.h"

static int read_journal(const char *dir, int (*each)(void *owner, const struct json *record), void *owner,
	struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/attempts/1/journal.jsonl", dir);
	return journal_read(path.text, each, owner, err);
}

static int tell(void *owner, const struct json *record)
{
	const struct context_emit *to = owner;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_event event;
	struct rondo_error err;
	if (event_from_json(record, &arena, &event, &err) == 0)
		to->call(to->owner, &event);
	return 0; /* what a later version recorded is passed over */
}

int run_replay(const char *dir, const struct context_emit *to, struct rondo_error *err)
{
	struct context_emit copy = *to;
	return read_journal(dir, tell, &copy, err);
}

static int add_record(void *owner, const struct json *record)
{
	AUTO_FREE char *text = json_print(record);
	strbuf_adds(owner, text);
	strbuf_addc(owner, '\n');
	return 0;
}

int run_show_json(const char *dir, struct strbuf *sb, struct rondo_error *err)
{
	AUTO_JSON *report = run_report(dir);
	if (read_journal(dir, add_record, sb, err) < 0)
		return -1;
	if (report)
		add_record(sb, report);
	return 0;
}

/* --- What two runs that are equal have in common (DESIGN.md 7) --- */

struct normal {
	struct strbuf *sb;
	const char *id; /* the run's, which stands in branch names and paths */
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

static void add_normal(const struct normal *normal, const char *text)
{
	size_t id = strlen(normal->id);
	for (size_t n; *text; text += n) {
		bool begins_number = isdigit((unsigned char)*text);
		if (strncmp(text, normal->id, id) == 0) {
			strbuf_adds(normal->sb, "RUN");
			n = id;
		} else if (begins_number && (n = duration_at(text))) {
			strbuf_adds(normal->sb, "TIME");
		} else {
			n = begins_number ? strspn(text, "0123456789") : 1;
			strbuf_add(normal->sb, text, n);
		}
	}
	strbuf_addc(normal->sb, '\n');
}

/* A search tries more in the same time on a faster machine: only what came of it counts. */
static bool is_search(const char *type)
{
	return strcmp(type, "candidates") == 0 || strcmp(type, "candidate_results") == 0;
}

static int add_normal_record(void *owner, const struct json *record)
{
	const struct normal *normal = owner;
	const struct json *message = json_get(record, "message");
	const char *type = json_string(record, "type", "");
	if (message && !is_search(json_string(message, "type", ""))) {
		strbuf_addf(normal->sb, "---------- %s ----------\n", json_string(message, "source", "?"));
		add_normal(normal, json_string(message, "content", ""));
	} else if (strcmp(type, "baseline") == 0 || strcmp(type, "verdict") == 0 || strcmp(type, "run.end") == 0) {
		strbuf_addf(normal->sb, "%s: ", type);
		add_normal(normal, json_string(record, "text", ""));
	}
	return 0;
}

int run_show_normal(const char *dir, struct strbuf *sb, struct rondo_error *err)
{
	struct normal normal = {sb, file_name(dir)};
	return read_journal(dir, add_normal_record, &normal, err);
}
