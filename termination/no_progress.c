/*
 * Nothing comes of it any more: report after report no fewer tests fail, or an agent says the same
 * again and again. Only what is proposed counts as said, in text or as an edit; that two different
 * edits get the same answer is no repetition.
 */
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "chat/message.h"
#include "termination/termination.h"

#define SAID_SIZE 17 /* enough of a hash to distinguish texts */

struct speaker {
	const char *name;
	char said[SAID_SIZE]; /* the last time */
	int64_t times;        /* in a row */
};

struct no_progress {
	int64_t most_reports, most_repeats;
	int64_t least;   /* failing tests, in the best report */
	int64_t reports; /* in a row that were no better */
	bool has_report;
	struct speaker *speakers;
	size_t n;
};

#define AT(member) offsetof(struct no_progress, member)

static const struct option options[] = {
	OPTION("turns", INT, AT(most_reports),
		"test reports in a row with no fewer failing tests than the best before them", .least = 1,
		.most = 1000000, .fallback = "10", .main = true),
	OPTION("repeats", INT, AT(most_repeats),
		"the same text or edit of the same agent so often in a row", .least = 2, .most = 1000000,
		.fallback = "3"),
	OPTION_END,
};

static struct speaker *no_progress_find_speaker(struct termination *termination, const char *name)
{
	struct no_progress *state = termination->state;
	for (size_t i = 0; i < state->n; i++)
		if (strcmp(state->speakers[i].name, name) == 0)
			return &state->speakers[i];
	ARENA_PUSH(termination->arena, state->speakers, state->n,
		(struct speaker){.name = arena_strdup(termination->arena, name)});
	return &state->speakers[state->n - 1];
}

/* What fails at the base is what the first report has to do better than. */
static bool no_progress_is_stuck(struct no_progress *state, const struct rondo_message *message)
{
	const struct json *report = message_data(message);
	int64_t failing = (int64_t)json_count(json_get(report, "failing"));
	int64_t before =
		state->has_report ? state->least : failing + (int64_t)json_count(json_get(report, "fixed"));
	state->has_report = true;
	state->reports = failing < before ? 0 : state->reports + 1;
	state->least = failing < before ? failing : before;
	return state->reports >= state->most_reports;
}

static bool no_progress_repeats_itself(struct termination *termination,
	const struct rondo_message *message, struct speaker **ret_speaker)
{
	const struct no_progress *state = termination->state;
	struct speaker *speaker = *ret_speaker = no_progress_find_speaker(termination, message->source);
	char hash[HASH_SIZE];
	/* An edit is its data; what is written above it may be the same for two. */
	const char *said =
		message->type == RONDO_MESSAGE_EDIT && message->data ? message->data : message->content;
	hash_bytes(said, strlen(said), hash);
	hash[SAID_SIZE - 1] = '\0';
	speaker->times = strcmp(speaker->said, hash) == 0 ? speaker->times + 1 : 1;
	memcpy(speaker->said, hash, SAID_SIZE);
	return speaker->times >= state->most_repeats;
}

static bool no_progress_hears(struct termination *termination, const struct rondo_message *message,
	struct termination_reason *reason)
{
	struct no_progress *state = termination->state;
	char *text = reason->text;
	size_t size = sizeof reason->text;
	struct speaker *speaker;
	if (message->type == RONDO_MESSAGE_TEST_REPORT && no_progress_is_stuck(state, message)) {
		utf8_format(text, size,
			"no progress: %" PRId64 " test reports in a row with no fewer than %" PRId64 " failing",
			state->reports, state->least);
		return true;
	}
	bool proposes = message->type == RONDO_MESSAGE_TEXT || message->type == RONDO_MESSAGE_EDIT;
	if (!proposes || termination_is_task(message) ||
		!no_progress_repeats_itself(termination, message, &speaker))
		return false;
	utf8_format(text, size, "no progress: '%s' said the same %" PRId64 " times in a row",
		speaker->name, speaker->times);
	return true;
}

/* Names stay: it is the same agents that speak next. */
static void no_progress_reset(struct termination *termination)
{
	struct no_progress *state = termination->state;
	state->has_report = false;
	state->reports = state->least = 0;
	for (size_t i = 0; i < state->n; i++)
		state->speakers[i] = (struct speaker){.name = state->speakers[i].name};
}

static void no_progress_save(const struct termination *termination, struct json *to)
{
	const struct no_progress *state = termination->state;
	struct json *speakers = NULL;
	if (state->has_report) {
		json_add_int(to, "least", state->least);
		json_add_int(to, "reports", state->reports);
	}
	for (size_t i = 0; i < state->n; i++) {
		if (!state->speakers[i].times)
			continue;
		if (!speakers)
			speakers = json_add_object(to, "said");
		struct json *speaker = json_add_object(speakers, state->speakers[i].name);
		json_add_string(speaker, "hash", state->speakers[i].said);
		json_add_int(speaker, "times", state->speakers[i].times);
	}
}

static void no_progress_load(struct termination *termination, const struct json *from)
{
	struct no_progress *state = termination->state;
	no_progress_reset(termination);
	state->has_report = json_get(from, "reports");
	state->least = json_int(from, "least", 0);
	state->reports = json_int(from, "reports", 0);
	const struct json *said = json_get(from, "said");
	for (const struct json *item = json_is_object(said) ? json_first(said) : NULL; item;
		 item = json_next(item)) {
		struct speaker *speaker = no_progress_find_speaker(termination, json_key(item));
		utf8_format(speaker->said, sizeof speaker->said, "%s", json_string(item, "hash", ""));
		speaker->times = json_int(item, "times", 0);
	}
}

const struct termination_type no_progress_termination = {
	.name = "no_progress",
	.summary = "no fewer tests fail for many reports, or an agent repeats itself",
	.stop_kind = RONDO_STOP_STALL,
	.state_size = sizeof(struct no_progress),
	.options = options,
	.hears = no_progress_hears,
	.reset = no_progress_reset,
	.save = no_progress_save,
	.load = no_progress_load,
};
