#include "termination/termination.h"

#include <string.h>

#include "base/memory.h"

REGISTRY_DEFINE(struct termination_type, termination_types, TERMINATION_TYPES(&TERMINATION_SYMBOL));
OPTION_TYPES(termination_types)

static const char *const stop_kinds[] = {[RONDO_STOP_SUCCESS] = "success",
	[RONDO_STOP_LIMIT] = "limit",
	[RONDO_STOP_STALL] = "stall",
	[RONDO_STOP_STOPPED] = "stopped",
	NULL};

const char *stop_kind_word(enum rondo_stop_kind kind)
{
	return stop_kinds[kind];
}

enum rondo_stop_kind stop_kind_load(const struct json *from)
{
	int64_t kind = json_int(from, "stop_kind", json_int(from, "verdict", RONDO_STOP_SUCCESS));
	return kind < 0 || kind > RONDO_STOP_STOPPED ? RONDO_STOP_STOPPED : (enum rondo_stop_kind)kind;
}

static const struct option common_options[] = {
	OPTION("stop_kind", ENUM, offsetof(struct termination_common, stop_kind),
		"what it means that this condition stops the chat, in place of its own",
		.values = stop_kinds, .aliases = (const char *const[]){"verdict", NULL}),
	OPTION_END,
};

/* In AutoGen; is_termination_msg and max_consecutive_auto_reply are AG2's. */
static const struct option_peer peers[] = {{"TextMentionTermination", "text_mention"},
	{"MaxMessageTermination", "max_messages"}, {"StopMessageTermination", "stop_message"},
	{"TokenUsageTermination", "token_usage"}, {"HandoffTermination", "handoff"},
	{"TimeoutTermination", "timeout"}, {"ExternalTermination", "external"},
	{"SourceMatchTermination", "source_match"}, {"TextMessageTermination", "text_message"},
	{"is_termination_msg", "text_mention"}, {"keyword", "text_mention"},
	{"max_turns", "max_messages"}, {NULL, NULL}};

const struct option_family termination_family = {.noun = "termination",
	.peers = peers,
	.type_key = "type",
	.type = termination_types_at,
	.common = common_options,
	.common_size = sizeof(struct termination_common)};

static void termination_set_stop_kind(struct termination *termination, const char *word)
{
	for (size_t i = 0; stop_kinds[i]; i++)
		if (strcmp(stop_kinds[i], word) == 0)
			termination->stop_kind = (enum rondo_stop_kind)i;
	termination->stop_kind_is_set = true;
}

int termination_check_options(const struct option_spec *spec, struct rondo_error *err)
{
	const struct termination_type *type = spec->type.self;
	return type && type->check_options ? type->check_options(spec->state, err) : 0;
}

struct termination *termination_new(struct arena *arena, const struct termination_type *type,
	const void *options, const struct termination_common *common,
	const struct termination_services *services)
{
	static const struct termination_services nothing;
	struct termination *termination = arena_alloc(arena, sizeof *termination);
	*termination = (struct termination){.type = type,
		.services = services ? services : &nothing,
		.arena = arena,
		.stop_kind = type->stop_kind,
		.state = arena_alloc(arena, type->state_size)};
	if (common && common->stop_kind)
		termination_set_stop_kind(termination, common->stop_kind);
	if (options)
		memcpy(termination->state, options, type->state_size);
	else if (type->options)
		option_defaults(type->options, termination->state, arena);
	return termination;
}

void termination_start(struct termination *termination)
{
	if (termination->type->start)
		termination->type->start(termination);
}

/* The content of an answer that is not on the thread. */
static const char empty_answer[] = "";

static bool termination_is_empty(struct message_span delta)
{
	return delta.n == 1 && delta.messages[0]->content == empty_answer;
}

/* The first message that makes it fire; what follows that is not heard. */
static int termination_listen(
	struct termination *termination, struct message_span delta, struct termination_reason *reason)
{
	for (size_t i = 0; i < delta.n; i++)
		if (termination->type->hears(termination, delta.messages[i], reason)) {
			reason->message = termination_is_empty(delta) ? NULL : delta.messages[i];
			return 1;
		}
	return 0;
}

int termination_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	if (termination->fired) {
		*reason = termination->reason;
		return 1;
	}
	if (termination_is_empty(delta) && !termination->type->hears_empty)
		return 0;
	struct termination_reason why = {
		.stop_kind = termination->stop_kind, .condition = termination->type->name};
	int status = termination->type->hears
		? termination_listen(termination, delta, &why)
		: termination->type->check(termination, delta, &why, ctx, err);
	if (status < 0)
		return error_prefix(err, "condition %s", termination->type->name);
	if (status == 0)
		return 0;
	if (termination->stop_kind_is_set)
		why.stop_kind = termination->stop_kind;
	termination->fired = true;
	*reason = termination->reason = why;
	return 1;
}

int termination_hear_empty(struct termination *termination, const char *source,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	const struct rondo_message empty = {
		.type = RONDO_MESSAGE_TEXT, .source = source, .content = empty_answer};
	const struct rondo_message *const messages[] = {&empty};
	return termination_check(termination, (struct message_span){messages, 1}, reason, ctx, err);
}

int64_t termination_deadline(const struct termination *termination)
{
	return termination->type->deadline && !termination->fired
		? termination->type->deadline(termination)
		: 0;
}

static int64_t *termination_count_at(
	const struct termination *termination, const struct termination_count *count)
{
	return (int64_t *)((char *)termination->state + count->offset);
}

void termination_reset(struct termination *termination)
{
	const struct termination_count *count = termination->type->counts;
	termination->fired = false;
	for (; count && count->name; count++)
		*termination_count_at(termination, count) = 0;
	if (termination->type->reset)
		termination->type->reset(termination);
}

struct json *termination_save(const struct termination *termination)
{
	const struct termination_count *count = termination->type->counts;
	struct json *json = json_object();
	for (; count && count->name; count++)
		if (*termination_count_at(termination, count))
			json_add_int(json, count->name, *termination_count_at(termination, count));
	if (termination->fired)
		json_add_bool(json, "fired", true);
	if (termination->type->save)
		termination->type->save(termination, json);
	if (json_count(json))
		return json;
	json_free(json);
	return NULL;
}

void termination_load(struct termination *termination, const struct json *from)
{
	const struct termination_count *count = termination->type->counts;
	for (; count && count->name; count++)
		*termination_count_at(termination, count) = json_int(from, count->name, 0);
	termination->fired = json_bool(from, "fired", false);
	termination->reason = (struct termination_reason){
		.stop_kind = termination->stop_kind, .condition = termination->type->name};
	if (termination->type->load)
		termination->type->load(termination, from);
}

bool termination_is_task(const struct rondo_message *message)
{
	return strcmp(message->source, "user") == 0;
}
