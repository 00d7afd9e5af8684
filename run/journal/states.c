#include "run/journal/states.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chat/event.h"
#include "chat/message.h"

#define STATES_MOST 32 /* with the best scores, of which the changes are compared */

static bool take_tree(const char *hex, struct object *ret_tree)
{
	if (strlen(hex) != OBJECT_SIZE - 1 || strspn(hex, "0123456789abcdef") != OBJECT_SIZE - 1)
		return false;
	memcpy(ret_tree->hex, hex, OBJECT_SIZE);
	return true;
}

/* Of a tree that is judged again, the last word counts. */
static void forget(struct states *states, const struct object *tree)
{
	size_t n = 0;
	for (size_t i = 0; i < states->n; i++)
		if (strcmp(states->items[i].tree.hex, tree->hex) != 0)
			states->items[n++] = states->items[i];
	states->n = n;
}

static void take_report(struct states *states, const struct json *report)
{
	const struct json *from = json_get(report, "state");
	int64_t fixed = json_int(from, "fixed", -1), regressions = json_int(from, "regressions", -1);
	struct judged_state state = {.fixed = (size_t)fixed,
		.groups = (size_t)json_int(from, "groups", 0),
		.regressions = (size_t)regressions,
		.ok = json_bool(report, "ok", false)};
	if (fixed < 0 || regressions < 0 || !take_tree(json_string(from, "tree", ""), &state.tree))
		return;
	forget(states, &state.tree);
	state.number = ++states->n_reports;
	ARENA_PUSH(states->arena, states->items, states->n, state);
}

void states_event(struct states *states, const struct rondo_event *event)
{
	const struct rondo_message *message = event->message;
	if (message && message->type == RONDO_MESSAGE_TEST_REPORT)
		take_report(states, message_data(message));
}

/* --- The best --- */

static int compare_numbers(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/* While nothing is known of their changes, these are all alike. */
static int compare_states(const void *left, const void *right)
{
	const struct judged_state *a = left, *b = right;
	int order = compare_numbers(b->groups, a->groups);
	if (!order && !a->groups)
		order = compare_numbers(b->fixed, a->fixed);
	order = order ? order : compare_numbers(a->regressions, b->regressions);
	order = order ? order : compare_numbers(a->size, b->size);
	order = order ? order : compare_numbers(b->alike, a->alike);
	return order ? order : compare_numbers(b->number, a->number);
}

/* A line of a patch that says what is changed, not where. */
static bool is_change(const char *line, size_t n)
{
	static const char *const places[] = {" ", "@@ ", "index ", "\\"};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (text_n_starts_with(line, n, places[i]))
			return false;
	return true;
}

static void add_without_space(struct strbuf *sb, const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr(" \t\r\n\f\v", line[i]) || !line[i])
			strbuf_addc(sb, line[i]);
}

/* Measure what a state changes. False where that cannot be read. */
static bool measure(
	struct judged_state *state, struct repository *repository, const struct object *base)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF changes = STRBUF_INIT(STRBUF_RECORD);
	struct rondo_error err;
	struct diff diff;
	if (repository_diff(repository, base, &state->tree, &arena, &diff, &err) < 0)
		return false;
	size_t n;
	const char *at = diff.patch, *end = at + diff.patch_length;
	for (const char *line; (line = text_next_line(&at, end, &n));)
		if (is_change(line, n))
			add_without_space(&changes, line, n);
	hash_bytes(changes.text, changes.length, state->hash);
	state->size = changes.length + changes.cut;
	return true;
}

static void count_alike(struct judged_state *states, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			states[i].alike += strcmp(states[i].hash, states[j].hash) == 0;
}

struct judged_state *states_best(const struct states *states, struct repository *repository,
	const struct object *base, struct arena *arena, size_t *ret_n)
{
	size_t n = 0;
	struct judged_state *best = arena_alloc(arena, (states->n + 1) * sizeof *best);
	for (size_t i = 0; i < states->n; i++)
		best[i] = states->items[i];
	qsort(best, states->n, sizeof *best, compare_states);
	for (size_t i = 0; i < states->n && n < STATES_MOST; i++)
		if (strcmp(best[i].tree.hex, base->hex) != 0 && measure(&best[i], repository, base))
			best[n++] = best[i];
	count_alike(best, n);
	qsort(best, n, sizeof *best, compare_states);
	*ret_n = n;
	return best;
}
