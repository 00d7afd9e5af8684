#include "agents/search.h"

#include <string.h>

static int open_search(struct search *search, const struct agent_kit *kit, size_t *ret_fixed, struct rondo_error *err)
{
	struct arena *arena = &search->arena;
	struct repair_file *files;
	size_t n;
	struct test_report *report = arena_alloc(arena, sizeof *report);
	AUTO_JSON *json = json_parse(search->report->data, strlen(search->report->data), err);
	if (!json || test_report_from_json(json, arena, report, err) < 0 ||
		sources_load(kit, arena, &files, &n, err) < 0)
		return -1;
	search->repair = repair_new(arena, files, n, report);
	*ret_fixed = json_count(json_get(json, "fixed"));
	return 0;
}

int search_begin(struct search *search, const struct agent_kit *kit, const struct rondo_message *report,
	struct rondo_error *err)
{
	search_release(search);
	search->report = report;
	return open_search(search, kit, &search->best_fixed, err);
}

static bool take(struct search *search, struct candidate *candidate)
{
	bool taken = repair_next(search->repair, candidate);
	search->taken += taken;
	return taken;
}

static void post(struct search *search, const struct candidate *candidate)
{
	ARENA_PUSH(&search->arena, search->posted.items, search->posted.n, *candidate);
	search->n_posted = search->posted.n;
}

int search_need(struct search *search, const struct agent_kit *kit, struct rondo_error *err)
{
	size_t fixed, taken = search->taken, first_posted = taken - search->n_posted;
	struct candidate candidate;
	if (search->repair)
		return 0;
	if (open_search(search, kit, &fixed, err) < 0)
		return -1;
	for (search->taken = 0; search->taken < taken && take(search, &candidate);) {
		if (search->taken > first_posted)
			post(search, &candidate);
		if (candidate.id == search->best_id)
			search->best = candidate.edit;
	}
	return 0;
}

void search_drop(struct search *search)
{
	arena_release(&search->arena);
	search->repair = NULL;
	search->posted = (struct candidates){0};
	search->best = (struct edit){0};
}

void search_post(struct search *search, size_t most)
{
	struct candidate candidate;
	search->posted = (struct candidates){0};
	search->n_posted = 0;
	while (search->posted.n < most && take(search, &candidate))
		post(search, &candidate);
	search->exhausted = search->posted.n < most;
}

const struct edit *search_edit(const struct search *search, int64_t id)
{
	for (size_t i = 0; i < search->posted.n; i++)
		if (search->posted.items[i].id == id)
			return &search->posted.items[i].edit;
	return NULL;
}

struct json *search_save(const struct search *search)
{
	if (!search->report)
		return NULL;
	struct json *to = json_object();
	json_add_int(to, "report", search->report->id);
	json_add_int(to, "taken", (int64_t)search->taken);
	json_add_int(to, "posted", (int64_t)search->n_posted);
	json_add_int(to, "best", search->best_id);
	json_add_int(to, "best_fixed", (int64_t)search->best_fixed);
	json_add_int(to, "tried", (int64_t)search->n_tried);
	json_add_bool(to, "exhausted", search->exhausted);
	return to;
}

int search_load(struct search *search, const struct json *from, const struct message_thread *thread, struct rondo_error *err)
{
	size_t id = (size_t)json_int(from, "report", 0);
	if (from && (!id || id > thread->n || !thread->messages[id - 1]->data))
		return error_set(err, RONDO_ERROR_USAGE, "it searches from a report that is not on the thread");
	search_release(search);
	if (!from)
		return 0;
	*search = (struct search){.report = thread->messages[id - 1],
		.taken = (size_t)json_int(from, "taken", 0), .n_posted = (size_t)json_int(from, "posted", 0),
		.best_id = json_int(from, "best", 0), .best_fixed = (size_t)json_int(from, "best_fixed", 0),
		.n_tried = (size_t)json_int(from, "tried", 0), .exhausted = json_bool(from, "exhausted", false)};
	return 0;
}

void search_release(struct search *search)
{
	arena_release(&search->arena);
	*search = (struct search){0};
}
