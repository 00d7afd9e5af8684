#include "run/journal/history.h"

#include <string.h>

#include "chat/event.h"
#include "run/journal/journal.h"
#include "run/report/field.h"

static int history_fault(const struct history *history, int line, struct rondo_error *err)
{
	error_prefix(err, "%s/journal.jsonl:%d", history->dir, line);
	if (*err->help)
		return -1;
	return error_help(
		err, "the journal was changed or damaged; rondo does not guess: start a new run");
}

static int history_check_version(const struct json *record, struct rondo_error *err)
{
	int version = (int)json_int(record, "v", 0);
	if (version > JOURNAL_VERSION) {
		error_set(err, RONDO_ERROR_USAGE, "a record of version %d, and this rondo reads up to %d",
			version, JOURNAL_VERSION);
		return error_help(err, "use the rondo that wrote it");
	}
	if (version < JOURNAL_VERSION) {
		error_set(err, RONDO_ERROR_USAGE,
			"a record of version %d, which says too little to continue", version);
		return error_help(err, "rondo show reads it; start a new run");
	}
	return 0;
}

/* One that is judged again counts as it was judged last. */
static void history_take_attempt(struct history *history, const struct json *data)
{
	struct run_attempt attempt = {0};
	size_t i = 0;
	fields_read(data, attempt_fields, &history->arena, &attempt);
	while (i < history->n_attempts && history->attempts[i].number != attempt.number)
		i++;
	if (i < history->n_attempts)
		history->attempts[i] = attempt;
	else
		ARENA_PUSH(&history->arena, history->attempts, history->n_attempts, attempt);
}

/* A record that stands before the chat: a stage that was reached. */
static int history_take_record(
	struct history *history, const struct json *record, const char *type, struct rondo_error *err)
{
	const struct json *data = json_get(record, "data");
	if (history_check_version(record, err) < 0)
		return -1;
	if (strcmp(type, "run.start") == 0 && !history->start) {
		history->start = json_copy(data);
	} else if (strcmp(type, "base") == 0 && !history->has_site) {
		fields_read(data, site_fields, &history->arena, &history->site);
		history->has_site = true;
	} else if (strcmp(type, "attempt") == 0) {
		history_take_attempt(history, data);
	} else if (strcmp(type, "baseline") == 0 && !history->has_baseline) {
		fields_read(data, baseline_fields, &history->arena, &history->baseline);
		history->has_baseline = true;
	}
	return 0;
}

/* As far as the chat; a wrong line is told with its number. */
static int history_read_beginning(struct history *history, struct rondo_error *err)
{
	const char *at = history->text.text, *next;
	for (int line = 1; at; at = next, line++) {
		AUTO_JSON *record = journal_record(at, &next, err);
		const char *type = json_string(record, "type", "");
		if (!record && next)
			return history_fault(history, line, err);
		if (record && history_take_record(history, record, type, err) < 0)
			return error_prefix(err, "%s/journal.jsonl:%d", history->dir, line);
		if (strcmp(type, "message") == 0 || strcmp(type, "turn.start") == 0) {
			history->chat = at;
			history->chat_line = line;
			return 0;
		}
	}
	return 0;
}

/* The last record says whether the run has ended, and how far its numbers go. */
static int history_read_end(struct history *history, struct rondo_error *err)
{
	const char *text = history->text.text, *end = strrchr(text, '\n'), *next;
	const char *last = end;
	while (last && last > text && last[-1] != '\n')
		last--;
	history->length = end ? (size_t)(end + 1 - text) : 0;
	AUTO_JSON *record = last ? journal_record(last, &next, err) : NULL;
	if (last && !record)
		return error_prefix(err, "%s/journal.jsonl, the last record", history->dir);
	history->seq = json_int(record, "seq", 0);
	history->elapsed_ms = json_int(record, "ms", 0);
	const char *outcome = json_string(record, "text", "");
	if (strcmp(json_string(record, "type", ""), "run.end") == 0 && strcmp(outcome, "error") != 0)
		history->outcome = arena_strdup(&history->arena, outcome);
	return 0;
}

int history_parse(struct history *history, struct rondo_error *err)
{
	if (history_read_beginning(history, err) < 0 || history_read_end(history, err) < 0)
		return -1;
	if (history->start)
		return 0;
	error_set(
		err, RONDO_ERROR_USAGE, "%s/journal.jsonl does not say how the run began", history->dir);
	return error_help(err, "start a new run");
}

int history_read(struct history *history, const char *dir, struct rondo_error *err)
{
	*history = (struct history){.dir = dir, .text = STRBUF_INIT(LARGEST_JOURNAL)};
	return journal_text(dir, &history->text, err) < 0 ? -1 : history_parse(history, err);
}

void history_release(struct history *history)
{
	json_free(history->start);
	strbuf_release(&history->text);
	arena_release(&history->arena);
}

/* --- The base --- */

static int history_object(
	const char *hex, const char *what, struct object *object, struct rondo_error *err)
{
	if (!hex || strlen(hex) != OBJECT_SIZE - 1)
		return error_set(err, RONDO_ERROR_USAGE, "the journal does not name the base's %s", what);
	memcpy(object->hex, hex, OBJECT_SIZE);
	return 0;
}

int history_base(const struct history *history, struct arena *arena, struct base *ret_base,
	struct rondo_error *err)
{
	const struct site_facts *site = &history->site;
	struct base base = {.is_snapshot = site->is_snapshot,
		.branch = arena_strdup(arena, site->branch),
		.n_modified = site->n_modified,
		.n_untracked = site->n_untracked,
		.n_deleted = site->n_deleted};
	if (history_object(site->base, "commit", &base.commit, err) < 0 ||
		history_object(site->tree, "tree", &base.tree, err) < 0 ||
		history_object(site->head, "head", &base.head, err) < 0)
		return -1;
	for (size_t i = 0; i < site->borrowed.n; i++)
		ARENA_PUSH(
			arena, base.borrowed, base.n_borrowed, arena_strdup(arena, site->borrowed.items[i]));
	*ret_base = base;
	return 0;
}

/* --- What was said --- */

static int history_take_reply(struct history *history, struct components *components,
	const struct json *record, struct rondo_event *event, struct rondo_error *err)
{
	const struct json *data = json_get(record, "data");
	struct recorded_replies *replies = &history->replies;
	struct recorded_reply reply = {
		.model = arena_strdup(&history->arena, json_string(record, "source", "")),
		.request = arena_strdup(&history->arena, json_string(data, "request", ""))};
	if (model_reply_from_json(
			data, json_string(record, "text", ""), &history->arena, &reply.reply, err) < 0)
		return -1;
	ARENA_PUSH(&history->arena, replies->items, replies->n, reply);
	event->value = &replies->items[replies->n - 1].reply;
	return components_recall(components, reply.model, data, &reply.reply, err);
}

static int history_take_said(struct history *history, struct components *components,
	struct tally *tally, struct states *states, const struct json *record, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_event event;
	const char *tree = json_string(record, "tree", NULL);
	if (tree && strlen(tree) == OBJECT_SIZE - 1)
		memcpy(history->tree, tree, OBJECT_SIZE);
	if (event_from_json(record, &arena, &event, err) < 0)
		return error_help(
			err, "another version of rondo wrote it: rondo show reads it; start a new run");
	if (event.type == RONDO_EVENT_MODEL_REPLY &&
		history_take_reply(history, components, record, &event, err) < 0)
		return -1;
	tally_event(tally, &event);
	states_event(states, &event);
	if (event.team || team_is_cut(&event))
		return 0;
	history->n_messages += event.type == RONDO_EVENT_MESSAGE;
	/* a turn that is over needs its replies no more */
	if (team_is_answer(&event) || event.type == RONDO_EVENT_TURN_END)
		history->replies = (struct recorded_replies){0};
	if (event.type == RONDO_EVENT_TURN_END)
		history->n_turns = event.turn;
	return team_recall(components->team, &event, err);
}

int history_recall(struct history *history, struct components *components, struct tally *tally,
	struct states *states, struct rondo_error *err)
{
	int line = history->chat_line;
	for (const char *at = history->chat; at; line++) {
		AUTO_JSON *record = journal_record(at, &at, err);
		if ((!record && at) ||
			(record && history_take_said(history, components, tally, states, record, err) < 0))
			return history_fault(history, line, err);
	}
	return 0;
}
