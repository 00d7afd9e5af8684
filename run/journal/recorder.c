#include "run/journal/recorder.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "chat/event.h"
#include "team/team.h"

/* --- Without keys --- */

/* The event without keys; itself where there are none, else a copy in the arena. */
static const struct rondo_event *recorder_redact(
	const struct secrets *secrets, const struct rondo_event *event, struct arena *arena)
{
	if (!secrets || !secrets->n)
		return event;
	struct rondo_event *copy = arena_memdup(arena, event, sizeof *event);
	copy->text = secrets_redacted(secrets, event->text, arena);
	copy->data = secrets_redacted(secrets, event->data, arena);
	if (!event->message)
		return copy;
	struct rondo_message *message = arena_memdup(arena, event->message, sizeof *message);
	message->content = secrets_redacted(secrets, message->content, arena);
	message->data = secrets_redacted(secrets, message->data, arena);
	copy->message = message;
	return copy;
}

/* --- What the main checkout holds --- */

void recorder_watch(struct recorder *recorder, const struct site *site)
{
	recorder->site = site;
	recorder->kept = site->base.tree;
}

/* Keep it where it changed; ret_tree: its name then, else NULL. */
static int recorder_keep(struct recorder *recorder, const char **ret_tree, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct object tree;
	struct option_strings refused;
	const struct site *site = recorder->site;
	*ret_tree = NULL;
	if (!recorder->is_touched || !site)
		return 0;
	if (site_tree(site, &arena, &tree, &refused, err) < 0)
		return -1;
	recorder->is_touched = false;
	if (strcmp(tree.hex, recorder->kept.hex) == 0)
		return 0;
	if (strcmp(tree.hex, site->base.tree.hex) != 0 &&
		repository_keep(site->repository, &tree, &site->base.tree, NULL, recorder->packs, err) < 0)
		return -1;
	recorder->kept = tree;
	*ret_tree = recorder->kept.hex;
	return 0;
}

int recorder_restore(struct recorder *recorder, const struct site *site, struct rondo_error *err)
{
	const char *tree = recorder->history->tree;
	if (!*tree)
		return 0;
	memcpy(recorder->kept.hex, tree, OBJECT_SIZE);
	return worktree_checkout(site->main.worktree, &recorder->kept, err);
}

/* --- Recording --- */

/* What was executed is recorded by now: by a message, or by the end of a turn within a team. */
static bool recorder_ends_work(const struct rondo_event *event)
{
	return !event->team && (team_is_answer(event) || event->type == RONDO_EVENT_TURN_END);
}

/* Whether it tells of what may have changed the main checkout: by an executor, or by an agent that
 * edits the tree itself. */
static bool recorder_touches(const struct rondo_message *message)
{
	return message->type == RONDO_MESSAGE_CODE_EXECUTION || message->type == RONDO_MESSAGE_EDIT;
}

/* Whether the journal that is continued has the event already. */
static bool recorder_has(const struct recorder *recorder, const struct rondo_event *event)
{
	const struct history *history = recorder->history;
	if (!history)
		return false;
	return recorder->is_rebuilding || (event->type == RONDO_EVENT_BASE && history->has_site) ||
		(event->type == RONDO_EVENT_BASELINE && history->has_baseline);
}

int recorder_record(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	struct recorder *recorder = owner;
	AUTO_ARENA arena = ARENA_INIT;
	const char *tree = NULL;
	if (recorder_has(recorder, event))
		return 0;
	tally_event(&recorder->tally, event);
	if (event->message && recorder_touches(event->message))
		recorder->is_touched = true;
	if (recorder_ends_work(event) && recorder_keep(recorder, &tree, err) < 0)
		return -1;
	return journal_append(
		&recorder->journal, recorder_redact(recorder->secrets, event, &arena), tree, err);
}

static void recorder_log(const struct rondo_event *event)
{
	const char *text = event->message ? event->message->content : event->text ? event->text : "";
	const char *source = event->message ? event->message->source
		: event->source                 ? event->source
										: "";
	log_line(event->type == RONDO_EVENT_PROGRESS ? LOG_DEBUG : LOG_INFO, "run", "%s %s%s%.*s",
		event_type_name(event->type), source, *source ? ": " : "", (int)strcspn(text, "\n"), text);
}

void recorder_emit(void *owner, const struct rondo_event *event)
{
	struct recorder *recorder = owner;
	AUTO_ARENA arena = ARENA_INIT;
	const struct rondo_event *clean = recorder_redact(recorder->secrets, event, &arena);
	states_event(&recorder->states, event);
	recorder_log(clean);
	if (recorder->emit.call)
		recorder->emit.call(recorder->emit.owner, clean);
}

int recorder_continue(
	struct recorder *recorder, const struct run_paths *paths, struct rondo_error *err)
{
	char text[128];
	const struct history *history = recorder->history;
	struct rondo_event event = {.type = RONDO_EVENT_RESUME, .text = text};
	if (journal_continue(&recorder->journal, paths->attempt, paths->id, history->length, err) < 0)
		return -1;
	recorder->is_rebuilding = false;
	if (recorder->journal.attempt || !history->n_attempts)
		snprintf(text, sizeof text, "%s after %d turn%s, %d message%s", paths->id, history->n_turns,
			history->n_turns == 1 ? "" : "s", history->n_messages,
			history->n_messages == 1 ? "" : "s");
	else
		snprintf(text, sizeof text, "%s after %zu attempt%s", paths->id, history->n_attempts,
			history->n_attempts == 1 ? "" : "s");
	if (recorder_record(recorder, &event, err) < 0)
		return -1;
	recorder_emit(recorder, &event);
	return 0;
}
