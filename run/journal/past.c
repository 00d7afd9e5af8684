#include "run/journal/past.h"

#include <string.h>

#include "base/memory.h"
#include "chat/event.h"
#include "run/journal/journal.h"

static int fault(const struct past *past, int line, struct rondo_error *err)
{
	error_prefix(err, "%s/journal.jsonl:%d", past->dir, line);
	return error_help(err, "the journal was changed or damaged; rondo does not guess: begin anew");
}

/* What stands before the chat. */
static int take_record(struct past *past, const struct json *record, const char *type, struct rondo_error *err)
{
	struct json **to = strcmp(type, "run.start") == 0  ? &past->start
			   : strcmp(type, "base") == 0     ? &past->base
			   : strcmp(type, "baseline") == 0 ? &past->baseline
							   : NULL;
	int64_t version = json_int(record, "v", 0);
	if (version > JOURNAL_VERSION) {
		error_set(err, RONDO_ERROR_USAGE, "a record of version %d, and this rondo reads up to %d", (int)version,
			JOURNAL_VERSION);
		return error_help(err, "use the rondo that wrote it");
	}
	if (version < JOURNAL_VERSION) {
		error_set(err, RONDO_ERROR_USAGE, "a record of version %d, which says too little to go on", (int)version);
		return error_help(err, "rondo show reads it; begin anew");
	}
	if (to && !*to)
		*to = json_copy(json_get(record, "data"));
	return 0;
}

static bool begins_chat(const char *type)
{
	return strcmp(type, "message") == 0 || strcmp(type, "turn.start") == 0;
}

/* As far as the chat; a wrong line is told with its number. */
static int read_beginning(struct past *past, struct rondo_error *err)
{
	const char *at = past->text.text, *next;
	for (int line = 1; at; at = next, line++) {
		AUTO_JSON *record = journal_record(at, &next, err);
		const char *type = json_string(record, "type", "");
		if (!record && next)
			return fault(past, line, err);
		if (record && take_record(past, record, type, err) < 0)
			return error_prefix(err, "%s/journal.jsonl:%d", past->dir, line);
		if (begins_chat(type)) {
			past->chat = at;
			past->chat_line = line;
			return 0;
		}
	}
	return 0;
}

/* The last record says whether the run has ended, and how far its numbers go. */
static int read_end(struct past *past, struct rondo_error *err)
{
	const char *text = past->text.text, *end = strrchr(text, '\n'), *next;
	const char *last = end;
	while (last && last > text && last[-1] != '\n')
		last--;
	past->length = end ? (size_t)(end + 1 - text) : 0;
	AUTO_JSON *record = last ? journal_record(last, &next, err) : NULL;
	if (last && !record)
		return error_prefix(err, "%s/journal.jsonl, the last record", past->dir);
	past->seq = json_int(record, "seq", 0);
	past->elapsed_ms = json_int(record, "ms", 0);
	const char *outcome = json_string(record, "text", "");
	if (strcmp(json_string(record, "type", ""), "run.end") == 0 && strcmp(outcome, "error") != 0)
		past->outcome = arena_strdup(&past->arena, outcome);
	return 0;
}

int past_parse(struct past *past, struct rondo_error *err)
{
	if (read_beginning(past, err) < 0 || read_end(past, err) < 0)
		return -1;
	if (past->start)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "%s/journal.jsonl does not say how the run began", past->dir);
	return error_help(err, "begin anew");
}

int past_read(struct past *past, const char *dir, struct rondo_error *err)
{
	*past = (struct past){.dir = dir, .text = STRBUF_INIT(LARGEST_JOURNAL)};
	return journal_text(dir, &past->text, err) < 0 ? -1 : past_parse(past, err);
}

void past_release(struct past *past)
{
	json_free(past->start);
	json_free(past->base);
	json_free(past->baseline);
	strbuf_release(&past->text);
	arena_release(&past->arena);
}

/* --- The base --- */

static int take_hash(const struct json *base, const char *key, struct object *object, struct rondo_error *err)
{
	const char *hex = json_string(base, key, "");
	if (strlen(hex) != OBJECT_SIZE - 1)
		return error_set(err, RONDO_ERROR_USAGE, "the journal does not name the base's %s", key);
	memcpy(object->hex, hex, OBJECT_SIZE);
	return 0;
}

int past_base(const struct past *past, struct arena *arena, struct base *ret_base, struct rondo_error *err)
{
	const struct json *from = past->base;
	struct base base = {.is_snapshot = json_bool(from, "snapshot", false),
		.branch = arena_strdup(arena, json_string(from, "branch", NULL)),
		.n_modified = (size_t)json_int(from, "modified", 0), .n_untracked = (size_t)json_int(from, "untracked", 0),
		.n_deleted = (size_t)json_int(from, "deleted", 0)};
	if (take_hash(from, "base", &base.commit, err) < 0 || take_hash(from, "tree", &base.tree, err) < 0 ||
		take_hash(from, "head", &base.head, err) < 0)
		return -1;
	for (const struct json *item = json_first(json_get(from, "borrowed")); item; item = json_next(item))
		ARENA_PUSH(arena, base.borrowed, base.n_borrowed, arena_strdup(arena, json_text(item, "")));
	*ret_base = base;
	return 0;
}

/* --- What was said --- */

static int take_reply(struct past *past, struct cast *cast, const struct json *record, struct rondo_error *err)
{
	const struct json *data = json_get(record, "data");
	struct recorded_replies *replies = &past->replies;
	struct recorded_reply reply = {.model = arena_strdup(&past->arena, json_string(record, "source", "")),
		.request = arena_strdup(&past->arena, json_string(data, "request", ""))};
	if (model_reply_from_json(data, json_string(record, "text", ""), &past->arena, &reply.reply, err) < 0)
		return -1;
	ARENA_PUSH(&past->arena, replies->items, replies->n, reply);
	return cast_recall(cast, reply.model, &reply.reply, err);
}

/* A turn that is over needs its replies no more. */
static void forget_replies(struct past *past)
{
	past->replies = (struct recorded_replies){0};
}

static int take_said(struct past *past, struct cast *cast, const struct json *record, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_event event;
	const char *tree = json_string(record, "tree", NULL), *type = json_string(record, "type", "");
	if (tree && strlen(tree) == OBJECT_SIZE - 1)
		memcpy(past->tree, tree, OBJECT_SIZE);
	if (strcmp(type, event_type_name(RONDO_EVENT_MODEL_REPLY)) == 0)
		return take_reply(past, cast, record, err);
	if (json_get(record, "team") || strcmp(type, event_type_name(RONDO_EVENT_MODEL_REQUEST)) == 0)
		return 0;
	if (event_from_json(record, &arena, &event, err) < 0)
		return -1;
	if (event.type == RONDO_EVENT_MESSAGE)
		past->n_messages++;
	if ((event.type == RONDO_EVENT_MESSAGE && !team_is_within(&event)) || event.type == RONDO_EVENT_TURN_END)
		forget_replies(past);
	if (event.type == RONDO_EVENT_TURN_END)
		past->n_turns = event.turn;
	return team_recall(cast->team, &event, err);
}

int past_recall(struct past *past, struct cast *cast, struct tally *tally, struct states *states, struct rondo_error *err)
{
	int line = past->chat_line;
	for (const char *at = past->chat; at; line++) {
		AUTO_JSON *record = journal_record(at, &at, err);
		if ((!record && at) || (record && take_said(past, cast, record, err) < 0))
			return fault(past, line, err);
		if (!record)
			continue;
		tally_record(tally, record);
		states_record(states, record);
	}
	return 0;
}
