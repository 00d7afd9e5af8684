#include "agents/search.h"

#include <string.h>

enum {
	PATIENCE = 10,
	FIRST_ROUND = 16,
	LONGEST_ROUND = 1024,
};

static int read_report(struct search *search, struct test_report *report, struct rondo_error *err)
{
	AUTO_JSON *json = json_parse(search->report->data, strlen(search->report->data), err);
	if (!json || test_report_from_json(json, &search->arena, report, err) < 0)
		return -1;
	search->base_fixed = json_count(json_get(json, "fixed"));
	return 0;
}

static int open_search(struct search *search, const struct agent_kit *kit, struct rondo_error *err)
{
	struct arena *arena = &search->arena;
	struct repair_file *files;
	size_t n;
	struct test_report *report = arena_alloc(arena, sizeof *report);
	if (read_report(search, report, err) < 0 || sources_load(kit, arena, &files, &n, err) < 0)
		return -1;
	search->repair = repair_new(arena, files, n, report);
	repair_seed(search->repair, search->seed);
	return 0;
}

int search_inputs(struct search *search, struct candidates *candidates, struct rondo_error *err)
{
	struct test_report report;
	if (read_report(search, &report, err) < 0)
		return -1;
	repair_inputs(search->repair, &report, &candidates->inputs, &candidates->input_ids, &candidates->n_input_ids);
	return 0;
}

int search_begin(struct search *search, const struct agent_kit *kit, const struct rondo_message *report, uint64_t seed,
	struct rondo_error *err)
{
	struct search next = {
		.report = report, .seed = seed, .n_tried = search->n_tried, .n_before = search->n_before + search->taken};
	search_release(search);
	*search = next;
	if (open_search(search, kit, err) < 0)
		return -1;
	search->best_fixed = search->base_fixed;
	return 0;
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
}

static void post_patient(struct search *search)
{
	for (size_t i = 0; i < search->n_patient; i++) {
		struct candidate candidate = search->waiting[i];
		candidate.patience = PATIENCE;
		post(search, &candidate);
	}
}

static void await(struct search *search, const struct candidate *candidate)
{
	for (size_t i = 0; i < search->n_waiting; i++)
		if (search->waiting[i].id == candidate->id)
			search->waiting[i] = *candidate;
}

/* How many will have been taken when the round ends that the search is in. */
static size_t round_end(size_t taken, size_t *ret_size)
{
	size_t size = FIRST_ROUND, end = size;
	while (end <= taken) {
		size = size < LONGEST_ROUND ? size * 2 : size;
		end += size;
	}
	*ret_size = size;
	return end;
}

static void tell_coverage(struct search *search)
{
	const char *data = search->covered->data;
	struct candidate_results results;
	struct rondo_error ignored;
	AUTO_JSON *json = json_parse(data, strlen(data), &ignored);
	candidate_results_from_json(json, &search->arena, &results);
	repair_cover(search->repair, &results.coverage);
	search->is_covered = true;
}

/* What counts from here on. */
static void tell(struct search *search)
{
	if (search->covered && !search->is_covered && search->covered_behind <= search->taken)
		tell_coverage(search);
	for (; search->n_told < search->n_leads && search->leads[search->n_told].behind <= search->taken; search->n_told++)
		repair_progress(search->repair, search->leads[search->n_told].id, search->leads[search->n_told].fixed);
}

/* The end of the round that the last candidate is of. */
static size_t behind_round(const struct search *search)
{
	size_t size;
	return search->taken ? round_end(search->taken - 1, &size) : 0;
}

void search_lead(struct search *search, const struct candidate_result *result)
{
	if (!result->wins && result->fixed > search->base_fixed && search->n_leads < LEADS_MOST)
		search->leads[search->n_leads++] = (struct lead){result->id, result->fixed, behind_round(search)};
}

void search_cover(struct search *search, const struct rondo_message *results)
{
	search->covered = results;
	search->covered_behind = behind_round(search);
}

/* Where the round can come to no end, all counts from here on. */
static void hurry(struct search *search)
{
	if (!search->is_covered)
		search->covered_behind = search->taken;
	for (size_t i = search->n_told; i < search->n_leads; i++)
		search->leads[i].behind = search->taken;
}

int search_need(struct search *search, const struct agent_kit *kit, struct rondo_error *err)
{
	size_t taken = search->taken, first_posted = taken - search->n_posted;
	struct candidate candidate;
	if (search->repair)
		return 0;
	if (open_search(search, kit, err) < 0)
		return -1;
	search->taken = search->n_told = 0;
	search->is_covered = false;
	for (tell(search); search->taken < taken && take(search, &candidate); tell(search)) {
		if (search->taken > first_posted)
			post(search, &candidate);
		await(search, &candidate);
		if (candidate.id == search->best_id)
			search->best = candidate.edit;
	}
	post_patient(search);
	return 0;
}

void search_drop(struct search *search)
{
	arena_release(&search->arena);
	search->repair = NULL;
	search->posted = (struct candidates){0};
	search->best = (struct edit){0};
}

/* Those that wait get a quarter of the time while there are new ones. */
static void post_waiting(struct search *search, size_t most)
{
	size_t share = 1 + most / (search->exhausted ? PATIENCE : PATIENCE * 4);
	search->n_patient = share < search->n_waiting ? share : search->n_waiting;
	post_patient(search);
}

static void post_more(struct search *search, size_t most)
{
	struct candidate candidate;
	size_t size, end = round_end(search->taken, &size);
	bool begins = search->taken + size == end;
	if (search->exhausted)
		hurry(search);
	tell(search);
	while (search->posted.n < most && search->taken < end && take(search, &candidate))
		post(search, &candidate);
	search->n_posted = search->posted.n;
	search->exhausted = search->posted.n < most && search->taken < end;
	search->posted.wants_coverage = !search->covered;
	if (most && (begins || search->exhausted))
		post_waiting(search, search->exhausted ? most : size);
}

void search_post(struct search *search, size_t most)
{
	search->posted = (struct candidates){0};
	post_more(search, most);
}

void search_post_behind(struct search *search, int64_t id, size_t most)
{
	struct candidates last = search->posted;
	size_t i = 0;
	while (i < search->n_posted && last.items[i].id != id)
		i++;
	search->posted = (struct candidates){0};
	for (i++; i < search->n_posted; i++)
		post(search, &last.items[i]);
	post_more(search, most);
}

void search_wait(struct search *search, const struct candidate_results *results)
{
	search->n_waiting -= search->n_patient;
	memmove(search->waiting, search->waiting + search->n_patient, search->n_waiting * sizeof *search->waiting);
	search->n_patient = 0;
	for (size_t i = 0; i < results->n; i++)
		for (size_t j = 0; results->progress[i].slow && j < search->n_posted && search->n_waiting < WAITING_MOST; j++)
			if (search->posted.items[j].id == results->progress[i].id)
				search->waiting[search->n_waiting++] = search->posted.items[j];
}

const struct candidate *search_candidate(const struct search *search, int64_t id)
{
	for (size_t i = 0; i < search->posted.n; i++)
		if (search->posted.items[i].id == id)
			return &search->posted.items[i];
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
	json_add_int(to, "patient", (int64_t)search->n_patient);
	struct json *waiting = search->n_waiting ? json_add_array(to, "waiting") : NULL;
	for (size_t i = 0; i < search->n_waiting; i++)
		json_add_int(json_add_object(waiting, NULL), "id", search->waiting[i].id);
	struct json *leads = search->n_leads ? json_add_array(to, "leads") : NULL;
	for (size_t i = 0; i < search->n_leads; i++) {
		struct json *lead = json_add_object(leads, NULL);
		json_add_int(lead, "id", search->leads[i].id);
		json_add_int(lead, "fixed", (int64_t)search->leads[i].fixed);
		json_add_int(lead, "behind", (int64_t)search->leads[i].behind);
	}
	if (search->covered) {
		json_add_int(to, "covered", search->covered->id);
		json_add_int(to, "covered_behind", (int64_t)search->covered_behind);
	}
	json_add_int(to, "best", search->best_id);
	json_add_int(to, "best_fixed", (int64_t)search->best_fixed);
	json_add_int(to, "tried", (int64_t)search->n_tried);
	json_add_int(to, "before", (int64_t)search->n_before);
	json_add_int(to, "seed", (int64_t)search->seed);
	json_add_bool(to, "exhausted", search->exhausted);
	return to;
}

static void load_waiting(struct search *search, const struct json *from)
{
	const struct json *item = json_first(json_get(from, "waiting"));
	for (; item && search->n_waiting < WAITING_MOST; item = json_next(item))
		search->waiting[search->n_waiting++] = (struct candidate){.id = json_int(item, "id", 0)};
	search->n_patient = (size_t)json_int(from, "patient", 0);
	if (search->n_patient > search->n_waiting)
		search->n_patient = search->n_waiting;
}

static void load_leads(struct search *search, const struct json *from)
{
	const struct json *item = json_first(json_get(from, "leads"));
	for (; item && search->n_leads < LEADS_MOST; item = json_next(item))
		search->leads[search->n_leads++] = (struct lead){
			json_int(item, "id", 0), (size_t)json_int(item, "fixed", 0), (size_t)json_int(item, "behind", 0)};
}

static const struct rondo_message *message_with_data(const struct message_thread *thread, int64_t id)
{
	const struct rondo_message *message = id > 0 && (size_t)id <= thread->n ? thread->messages[id - 1] : NULL;
	return message && message->data ? message : NULL;
}

int search_load(struct search *search, const struct json *from, const struct message_thread *thread, struct rondo_error *err)
{
	const struct rondo_message *report = message_with_data(thread, json_int(from, "report", 0));
	const struct rondo_message *covered = message_with_data(thread, json_int(from, "covered", 0));
	if (from && (!report || (json_get(from, "covered") && !covered)))
		return error_set(err, RONDO_ERROR_USAGE, "it searches from a report that is not on the thread");
	search_release(search);
	if (!from)
		return 0;
	*search = (struct search){.report = report, .covered = covered,
		.covered_behind = (size_t)json_int(from, "covered_behind", 0),
		.taken = (size_t)json_int(from, "taken", 0), .n_posted = (size_t)json_int(from, "posted", 0),
		.best_id = json_int(from, "best", 0), .best_fixed = (size_t)json_int(from, "best_fixed", 0),
		.n_tried = (size_t)json_int(from, "tried", 0), .n_before = (size_t)json_int(from, "before", 0),
		.seed = (uint64_t)json_int(from, "seed", 0), .exhausted = json_bool(from, "exhausted", false)};
	load_waiting(search, from);
	load_leads(search, from);
	return 0;
}

void search_release(struct search *search)
{
	arena_release(&search->arena);
	*search = (struct search){0};
}
