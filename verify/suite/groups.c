/*
 * Groups of the goal's tests: those that end in the same kind of error at the same line of the
 * product, or, where none of its lines is known, in the same kind of error in one test file. Such
 * tests probably fail for one cause.
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

enum { KIND_MOST = 60 };

/* The error's name without its module, "ValidationError"; "" for an assertion, and where the
 * message begins with no name of an error. */
static const char *group_kind(const char *message, struct arena *arena)
{
	static const char *const ends[] = {"Error", "Exception", "Warning", "Failure", "Exit",
		"Interrupt", "Invalid", "NotFound", "panic", "fatal error"};
	const char *start = message;
	size_t n = strcspn(message, ":\n(");
	if (text_starts_with(message, HUNG))
		return "no end";
	if (n > KIND_MOST)
		return "";
	for (const char *at = message; at < message + n; at++)
		if (strchr(".$ ", *at) && !text_starts_with(start, "fatal error"))
			start = at + 1;
	const char *kind = arena_strndup(arena, start, (size_t)(message + n - start));
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (text_ends_with(kind, ends[i]))
			return text_starts_with(kind, "Assert") ? "" : kind;
	return "";
}

/* The file that an id begins with, or "". */
static const char *group_file_of_id(const char *id, struct arena *arena)
{
	const char *colons = strstr(id, "::"), *arrow = strstr(id, " > ");
	const char *end = !colons || (arrow && arrow < colons) ? arrow : colons;
	return end ? arena_strndup(arena, id, (size_t)(end - id)) : "";
}

static const char *group_cause(
	const struct test_result *result, bool has_place, struct arena *arena)
{
	const char *kind = group_kind(result->message ? result->message : "", arena);
	if (has_place)
		return arena_printf(
			arena, "%s at %s:%d", *kind ? kind : "a failure", result->file, result->line);
	const char *file = result->file ? result->file : group_file_of_id(result->id, arena);
	return arena_printf(arena, "%s%s%s", *kind ? kind : "failures", *file ? " in " : "", file);
}

void baseline_group(struct baseline *baseline,
	bool (*is_product)(void *owner, const char *path, int line), void *owner, struct arena *arena)
{
	struct map places = {0}; /* by cause: the place in the list, from 1 */
	struct goal_group *groups = arena_alloc(arena, baseline->n_goal * sizeof *groups);
	size_t n = 0;
	struct map fresh = {0};
	for (size_t i = 0; i < baseline->n_fresh && baseline->n_fresh < baseline->n_goal; i++)
		map_put(&fresh, arena, baseline->fresh[i], baseline);
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const char *id = baseline->goal[i];
		const struct test_result *result = test_report_find(baseline->first, id);
		bool is_new = map_get(&fresh, id);
		bool has_place = result->file && is_product(owner, result->file, result->line);
		const char *cause = arena_printf(
			arena, "%s%s", group_cause(result, has_place, arena), is_new ? ", new" : "");
		size_t *place = map_get(&places, cause);
		if (!place) {
			groups[n++] =
				(struct goal_group){.cause = cause, .is_new = is_new, .has_place = has_place};
			place = arena_memdup(arena, &n, sizeof n);
			map_put(&places, arena, cause, place);
		}
		ARENA_PUSH(arena, groups[*place - 1].ids, groups[*place - 1].n, id);
	}
	baseline->groups = groups;
	baseline->n_groups = n;
}

void baseline_sort_goal(struct baseline *baseline)
{
	size_t n = 0;
	for (size_t i = 0; i < baseline->n_groups; i++)
		for (size_t k = 0; k < baseline->groups[i].n; k++)
			baseline->goal[n++] = baseline->groups[i].ids[k];
}

static void group_fill_set(struct map *set, struct arena *arena, const char *const *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		map_put(set, arena, ids[i], set);
}

void baseline_narrow(const struct baseline *baseline, const char *const *ids, size_t n,
	const char *const *fixed, size_t n_fixed, struct arena *arena, struct baseline *ret_baseline)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct map wanted = {0}, pass = {0};
	struct baseline narrow = *baseline;
	narrow.goal = narrow.red = narrow.held = NULL;
	narrow.n_goal = narrow.n_red = narrow.n_held = narrow.n_groups = 0;
	narrow.groups = NULL;
	group_fill_set(&wanted, &scratch, ids, n);
	group_fill_set(&pass, &scratch, fixed, n_fixed);
	for (size_t i = 0; i < baseline->n_red; i++)
		ARENA_PUSH(arena, narrow.red, narrow.n_red, baseline->red[i]);
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const char *id = baseline->goal[i];
		if (map_get(&pass, id))
			ARENA_PUSH(arena, narrow.held, narrow.n_held, id);
		else if (map_get(&wanted, id))
			ARENA_PUSH(arena, narrow.goal, narrow.n_goal, id);
		else
			ARENA_PUSH(arena, narrow.red, narrow.n_red, id);
	}
	*ret_baseline = narrow;
}

size_t baseline_fixed_groups(const struct baseline *baseline, const char *const *fixed,
	size_t n_fixed, struct arena *arena, const char ***ret_ids, size_t *ret_n)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct map pass = {0};
	const char **ids = NULL;
	size_t n = 0, n_groups = 0;
	group_fill_set(&pass, &scratch, fixed, n_fixed);
	for (size_t i = 0; i < baseline->n_groups; i++) {
		const struct goal_group *group = &baseline->groups[i];
		size_t n_pass = 0;
		for (size_t k = 0; k < group->n; k++)
			n_pass += map_get(&pass, group->ids[k]) != NULL;
		for (size_t k = 0; k < group->n && n_pass == group->n; k++)
			ARENA_PUSH(arena, ids, n, group->ids[k]);
		n_groups += n_pass == group->n;
	}
	*ret_ids = ids;
	*ret_n = n;
	return n_groups;
}
