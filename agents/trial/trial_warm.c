/*
 * A suite's tests, kept loaded on a worker: a program in its sandbox (warm/) tries one candidate
 * after the other, many in the time of one run of the suite.
 */
#include <stdlib.h>
#include <string.h>

#include "agents/trial/warm_talk.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "verify/suite/runners/command_line.h"

enum {
	RESTARTS_MOST = 20, /* of the program, before a worker falls back */
	LOAD_MS = 60000,
	LEAST_LOAD_MS = 8000,
	FIRST_PART = 4, /* of the time that is left for the search, to load tests */
	OTHERS_PART = 2,
	LEAST_GOAL_MS = 50,
	COVER_MS = 6000, /* of processor time, for all tests */
	COVER_WALL_MS = 2 * COVER_MS,
};

/* --- Its start and end --- */

/* What tests took at the base says how long they may take. Those of the goal that fail early take
 * longer once they pass: such a candidate is tried again. */
static void warm_set_limits(struct warm *warm, const struct baseline *baseline)
{
	int64_t slowest_ms = 0, all_ms = 0, goal_ms = 0;
	for (size_t i = 0; i < baseline->first->n; i++) {
		const struct test_result *result = baseline->first->results[i];
		if (result->status != TEST_PASSED)
			continue;
		all_ms += result->duration_ms;
		slowest_ms = result->duration_ms > slowest_ms ? result->duration_ms : slowest_ms;
	}
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const struct test_result *result = test_report_find(baseline->first, baseline->goal[i]);
		if (result && result->duration_ms > goal_ms)
			goal_ms = result->duration_ms;
	}
	warm->knows_times = slowest_ms || goal_ms;
	warm->other_ms = trial_limit_ms(slowest_ms);
	warm->goal_ms =
		trial_limit_ms(goal_ms) > LEAST_GOAL_MS ? trial_limit_ms(goal_ms) : LEAST_GOAL_MS;
	warm->others_ms = TRIAL_SLOWER * all_ms + TRIAL_LEAST_MS;
	if (warm->others_ms > TRIAL_SLOWER * baseline->first->duration_ms)
		warm->others_ms = TRIAL_SLOWER * baseline->first->duration_ms;
	if (warm->is_one_run && warm->goal_ms < baseline->first->duration_ms)
		warm->goal_ms = baseline->first->duration_ms;
}

/* Where nobody knows what each test takes, the goal's were seen to take this together. */
static void warm_note_time(struct warm *warm, int64_t took_ms)
{
	int64_t needed_ms = trial_limit_ms(took_ms);
	if (warm->is_one_run)
		warm->goal_ms = needed_ms < warm->goal_ms ? needed_ms : warm->goal_ms;
	else if (!warm->knows_times && needed_ms > warm->goal_ms)
		warm->goal_ms = needed_ms;
}

const struct warm_program *trial_program(const char *name)
{
	for (size_t i = 0; i < warm_programs_n; i++)
		if (strcmp(warm_programs[i].name, name) == 0)
			return &warm_programs[i];
	return NULL;
}

int trial_put_program(const struct checkout *checkout, const struct warm_program *program,
	struct arena *arena, const char **ret_path, const char **ret_at, struct rondo_error *err)
{
	const char *name =
		arena_printf(arena, "%s.%s", executor_cache_name("warm", arena), program->suffix);
	*ret_path = arena_printf(arena, "%s/%s", checkout->executor->cache_dir, name);
	*ret_at = executor_shared_at(checkout->executor, name, arena);
	return file_create(*ret_path, program->text, program->n, 0755, err);
}

/* Begin to load the tests. There is no coprocess where this suite cannot be kept loaded. A program
 * that does not listen is noticed later, in warm_await. */
static int warm_load(struct warm *warm, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct warm_plan plan;
	const struct suite *suite = warm->services->suite;
	const char *at;
	bool taken;
	if (!suite->type->warm || !suite->type->warm(suite, &arena, &plan) ||
		!trial_program(plan.runner))
		return 0;
	AUTO_FREE char *words = warm_first_words(warm->services, &plan);
	if (trial_put_program(
			warm->checkout, trial_program(plan.runner), &warm->arena, &warm->program, &at, err) < 0)
		return -1;
	struct command command = {.env = suite->type->env,
		.line = suite_line_in_dir(suite,
			arena_printf(&arena, "exec 2>/dev/null; %s %s", plan.start, command_quote(at, &arena)),
			&arena)};
	if (executor_open(warm->checkout->executor, &command, &warm->coprocess, ctx, err) < 0)
		return -1;
	return warm->coprocess ? coprocess_say(warm->coprocess, words, LOAD_MS, &taken, err) : 0;
}

/* Whether a goal test does not end at the base. */
static bool warm_goal_hangs(const struct warm *warm)
{
	const struct suite *suite = warm->services->suite;
	const struct baseline *baseline = warm->services->baseline;
	for (size_t i = 0; i < baseline->n_goal; i++)
		for (size_t k = 0; k < suite->n_hung; k++)
			if (strcmp(baseline->goal[i], suite->hung[k]) == 0)
				return true;
	return false;
}

/* Wait until the tests are loaded. *ret_why says, in the arena, why it is of no use; NULL: it
 * works. The base must fail as it did: a program that lets it pass says nothing of this suite. */
static int warm_await(struct warm *warm, int64_t limit_ms, struct arena *arena,
	const char **ret_why, struct rondo_error *err)
{
	struct json *heard, *base;
	*ret_why = NULL;
	if (warm_hear(warm, limit_ms, &heard, err) < 0)
		return -1;
	AUTO_JSON *loaded = heard;
	if (!json_bool(loaded, "ready", false)) {
		*ret_why =
			arena_strdup(arena, json_string(loaded, "why", "its tests were not loaded in time"));
		return 0;
	}
	int64_t begun_ms = clock_now_ms();
	if (warm_ask_for(warm, &(struct edit){.description = "nothing"}, 10, &base, err) < 0)
		return -1;
	AUTO_JSON *answer = base;
	enum trial_end end = warm_end_of(answer);
	if (end != TRIAL_TIMEOUT)
		warm_note_time(warm, clock_now_ms() - begun_ms);
	bool is_as_known = end == TRIAL_FAILED || (end == TRIAL_TIMEOUT && warm_goal_hangs(warm));
	strbuf_reset(&warm->base_at);
	warm_add_failure(answer, &warm->base_at);
	if (!answer || !is_as_known || json_int(answer, "fixed", 0))
		*ret_why = "its tests came out otherwise than in the suite";
	return 0;
}

/* End the program; the state stays. */
static void warm_stop(struct warm *warm)
{
	struct rondo_error ignored;
	coprocess_end(warm->coprocess);
	if (warm->program)
		file_remove_tree(warm->program, &ignored);
	warm->coprocess = NULL;
	warm->program = NULL;
	arena_release(&warm->arena);
}

static void warm_end(void *state)
{
	struct warm *warm = state;
	warm_stop(warm);
	strbuf_release(&warm->line);
	strbuf_release(&warm->base_at);
	free(warm);
}

static int warm_start(struct trial_worker *worker, void **ret_state, const struct context *ctx,
	struct rondo_error *err)
{
	*ret_state = NULL;
	if (worker->services->judges_whole)
		return 0;
	struct warm *warm = memory_alloc(sizeof *warm);
	*warm = (struct warm){.services = worker->services,
		.checkout = worker->checkout,
		.is_one_run = worker->services->suite->type == &program_suite,
		.line = STRBUF_INIT(STRBUF_TEXT),
		.base_at = STRBUF_INIT(STRBUF_TEXT)};
	warm_set_limits(warm, worker->services->baseline);
	int status = warm_load(warm, ctx, err);
	if (status == 0 && warm->coprocess)
		*ret_state = warm;
	else
		warm_end(warm);
	return status;
}

/* A search must not end before anything is tried. The first worker gives up sooner than others: one
 * that tries slowly is better than none. */
static int64_t warm_load_limit(const struct trial_worker *worker)
{
	int64_t deadline_ms = worker->trial->deadline_ms;
	int64_t left_ms = deadline_ms ? deadline_ms - clock_now_ms() : LOAD_MS;
	int64_t limit_ms = left_ms / (worker->shows_progress ? FIRST_PART : OTHERS_PART);
	if (!deadline_ms || limit_ms > LOAD_MS)
		return LOAD_MS;
	return limit_ms > LEAST_LOAD_MS ? limit_ms : LEAST_LOAD_MS;
}

static int warm_ready(struct trial_worker *worker, bool *ret_ready, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *why = "tests by themselves come out otherwise";
	if (!worker->services->judges_whole &&
		warm_await(worker->state, warm_load_limit(worker), &arena, &why, err) < 0)
		return -1;
	if (why)
		log_line(LOG_INFO, "trial", "candidates run by the suite's own command: %s", why);
	*ret_ready = !why;
	return 0;
}

/* --- Candidates --- */

/* After a candidate has killed the program. */
static int warm_restart(struct trial_worker *worker, bool *ret_useful, struct rondo_error *err)
{
	struct warm *warm = worker->state;
	*ret_useful = false;
	if (++warm->starts >= RESTARTS_MOST)
		return 0;
	if (warm_load(warm, worker->trial->ctx, err) < 0)
		return -1;
	return warm->coprocess ? warm_ready(worker, ret_useful, err) : 0;
}

static int warm_try(struct trial_worker *worker, size_t first, size_t *n,
	struct trial_result *results, bool *useful, struct rondo_error *err)
{
	struct json *heard;
	struct edit edit;
	AUTO_ARENA arena = ARENA_INIT;
	struct warm *warm = worker->state;
	const struct candidate *candidate = &worker->trial->candidates->items[first];
	*n = 1;
	trial_show(worker, first);
	if (!warm->coprocess && warm_restart(worker, useful, err) < 0)
		return -1;
	*results = (struct trial_result){.end = TRIAL_UNKNOWN};
	if (!*useful || !warm_enter(worker->services->suite->dir, &candidate->edit, &arena, &edit))
		return 0;
	if (warm_ask_for(warm, &edit, candidate->patience ? candidate->patience : 1, &heard, err) < 0)
		return -1;
	AUTO_JSON *answer = heard;
	*results = (struct trial_result){.end = TRIAL_FAILED};
	if (answer)
		*results = (struct trial_result){.end = warm_end_of(answer),
			.fixed = (size_t)json_int(answer, "fixed", 0),
			.moves = warm_fails_otherwise(warm, answer)};
	else
		warm_stop(warm);
	return 0;
}

static bool warm_is_fast(const struct trial_worker *worker)
{
	return worker->state;
}

static int warm_cover(struct trial_worker *worker, struct arena *arena,
	struct coverage *ret_coverage, bool *ret_answered, struct rondo_error *err)
{
	struct json *heard = NULL;
	struct warm *warm = worker->state;
	int64_t wall_ms = trial_cover_limit_ms(worker->trial, COVER_WALL_MS);
	AUTO_JSON *json = json_object();
	json_add_bool(json, "cover", true);
	json_add_int(json, "cpu_ms", COVER_MS);
	json_add_int(json, "wall_ms", wall_ms);
	AUTO_FREE char *text = json_print(json);
	if (warm->coprocess && warm_ask(warm, text, wall_ms + WARM_GRACE_MS, &heard, err) < 0)
		return -1;
	AUTO_JSON *answer = heard;
	*ret_answered = answer;
	coverage_from_json(answer, arena, ret_coverage);
	const char *dir = worker->services->suite->dir;
	for (size_t i = 0; dir && i < ret_coverage->n; i++)
		ret_coverage->lines[i].path =
			arena_printf(arena, "%s/%s", dir, ret_coverage->lines[i].path);
	return 0;
}

const struct trial_engine trial_warm_engine = {
	.name = "warm",
	.start = warm_start,
	.ready = warm_ready,
	.try = warm_try,
	.is_fast = warm_is_fast,
	.cover = warm_cover,
	.end = warm_end,
};
