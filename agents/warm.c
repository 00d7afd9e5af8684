#include "agents/warm.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "warm/warm.h"

enum {
	GRACE_MS = 10000, /* what the runner itself may need beyond that, as to start anew behind one that it had to kill */
	LOAD_MS = 60000,
	COVER_MS = 2000, /* of processor time, for all tests */
	COVER_WALL_MS = 2 * COVER_MS,
};

struct warm {
	struct arena arena;
	struct coprocess *coprocess;
	const char *program; /* on the host */
	int64_t asked;
	int64_t goal_ms, others_ms; /* limits: the goal's tests, and what all others may take on top */
	bool is_one_run;            /* all tests are one run of a program: nobody knows what each takes */
	struct strbuf line;
};

/* --- What is said --- */

static char *first_words(const struct agent_kit *kit, const struct warm_plan *plan)
{
	AUTO_JSON *json = json_object();
	json_add_string(json, "kind", plan->kind);
	json_add_strings(json, "arguments", plan->arguments, plan->n_arguments);
	json_add_strings(json, "goal", kit->baseline->goal, kit->baseline->n_goal);
	json_add_strings(json, "others", kit->baseline->green, kit->baseline->n_green);
	return json_print(json);
}

static char *question(const struct warm *warm, const struct edit *edit, int patience)
{
	AUTO_JSON *json = edit_to_json(edit);
	json_add_int(json, "id", warm->asked);
	json_add_int(json, "cpu_ms", warm->goal_ms * patience);
	json_add_int(json, "wall_ms", warm->goal_ms * patience * WARM_WALL);
	json_add_int(json, "others_ms", warm->others_ms * patience);
	return json_print(json);
}

/* --- What is heard: anything may be printed by then, so all but answers is passed over --- */

static bool warm_parse(void *owner, const struct strbuf *line)
{
	struct json **ret_json = owner;
	struct rondo_error ignored;
	*ret_json = *line->text == '{' ? json_parse(line->text, line->length, &ignored) : NULL;
	return *ret_json;
}

/* The next JSON object; NULL in *ret_json: there comes none. */
static int hear(struct warm *warm, int64_t timeout_ms, struct json **ret_json, struct rondo_error *err)
{
	enum coprocess_heard heard;
	*ret_json = NULL;
	return coprocess_hear_answer(
		warm->coprocess, timeout_ms, warm_parse, ret_json, &warm->line, &heard, err);
}

/* Ask, and hear the answer; NULL in *ret_json: the runner is gone, or no use any more. */
static int ask(struct warm *warm, const char *text, int64_t timeout_ms, struct json **ret_json, struct rondo_error *err)
{
	bool taken;
	*ret_json = NULL;
	if (coprocess_say(warm->coprocess, text, timeout_ms, &taken, err) < 0)
		return -1;
	return taken ? hear(warm, timeout_ms, ret_json, err) : 0;
}

static enum warm_end end_of(const struct json *answer)
{
	static const struct {
		const char *word;
		enum warm_end end;
	} ends[] = {{"failed", WARM_FAILED}, {"syntax", WARM_FAILED}, {"died", WARM_FAILED}, {"broken", WARM_BROKEN},
		{"passed", WARM_PASSED}, {"timeout", WARM_TIMEOUT}, {"cold", WARM_COLD}};
	const char *word = json_string(answer, "end", "");
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (strcmp(ends[i].word, word) == 0)
			return ends[i].end;
	return WARM_COLD;
}

int warm_try(struct warm *warm, const struct edit *edit, int patience, struct warm_result *ret_result, struct rondo_error *err)
{
	struct json *heard;
	warm->asked++;
	AUTO_FREE char *text = question(warm, edit, patience);
	int64_t limit_ms = (warm->goal_ms + warm->others_ms) * patience * WARM_WALL + GRACE_MS;
	if (ask(warm, text, limit_ms, &heard, err) < 0)
		return -1;
	AUTO_JSON *answer = heard;
	*ret_result = (struct warm_result){.end = WARM_GONE};
	if (json_int(answer, "id", 0) != warm->asked)
		return 0;
	ret_result->end = end_of(answer);
	ret_result->fixed = (size_t)json_int(answer, "fixed", 0);
	return 0;
}

int warm_cover(struct warm *warm, struct arena *arena, struct coverage *ret_coverage, bool *ret_answered, struct rondo_error *err)
{
	struct json *heard;
	AUTO_JSON *json = json_object();
	json_add_bool(json, "cover", true);
	json_add_int(json, "cpu_ms", COVER_MS);
	json_add_int(json, "wall_ms", COVER_WALL_MS);
	AUTO_FREE char *text = json_print(json);
	if (ask(warm, text, COVER_WALL_MS + GRACE_MS, &heard, err) < 0)
		return -1;
	AUTO_JSON *answer = heard;
	*ret_answered = answer;
	coverage_from_json(answer, arena, ret_coverage);
	return 0;
}

/* --- Its start --- */

/* Tests that pass at the base say how long a test may take. */
static void set_limits(struct warm *warm, const struct baseline *baseline)
{
	int64_t slowest_ms = 0, all_ms = 0;
	for (size_t i = 0; i < baseline->first->n; i++) {
		const struct test_result *result = baseline->first->results[i];
		if (result->status != TEST_PASSED)
			continue;
		all_ms += result->duration_ms;
		slowest_ms = result->duration_ms > slowest_ms ? result->duration_ms : slowest_ms;
	}
	warm->goal_ms = WARM_SLOWER * slowest_ms > WARM_LEAST_MS ? WARM_SLOWER * slowest_ms : WARM_LEAST_MS;
	warm->others_ms = WARM_SLOWER * all_ms + WARM_LEAST_MS;
	if (warm->others_ms > WARM_SLOWER * baseline->first->duration_ms)
		warm->others_ms = WARM_SLOWER * baseline->first->duration_ms;
	if (warm->is_one_run && warm->goal_ms < baseline->first->duration_ms)
		warm->goal_ms = baseline->first->duration_ms;
}

/* A program is as slow as it was seen to be. */
static void lower_limits(struct warm *warm, int64_t took_ms)
{
	int64_t needed_ms = WARM_SLOWER * took_ms > WARM_LEAST_MS ? WARM_SLOWER * took_ms : WARM_LEAST_MS;
	if (warm->is_one_run && needed_ms < warm->goal_ms)
		warm->goal_ms = needed_ms;
}

const struct warm_program *warm_program(const char *name)
{
	for (size_t i = 0; i < warm_programs_n; i++)
		if (strcmp(warm_programs[i].name, name) == 0)
			return &warm_programs[i];
	return NULL;
}

int warm_put(const struct workplace *bench, const struct warm_program *program, struct arena *arena, const char **ret_path,
	const char **ret_at, struct rondo_error *err)
{
	const char *name = arena_printf(arena, "%s.%s", executor_cache_name("warm", arena), program->suffix);
	*ret_path = arena_printf(arena, "%s/%s", bench->executor->cache_dir, name);
	*ret_at = executor_cache_at(bench->executor, name, arena);
	return file_create(*ret_path, program->text, program->n, 0755, err);
}

/* The base fails as it did: what would pass at once knows nothing of this suite. */
int warm_load(struct warm *warm, struct arena *arena, const char **ret_why, struct rondo_error *err)
{
	struct json *heard;
	struct warm_result base;
	*ret_why = NULL;
	if (hear(warm, LOAD_MS, &heard, err) < 0)
		return -1;
	AUTO_JSON *answer = heard;
	if (!json_bool(answer, "ready", false)) {
		*ret_why = arena_strdup(arena, json_string(answer, "why", "it ended while tests were loaded"));
		return 0;
	}
	int64_t begun_ms = clock_now_ms();
	if (warm_try(warm, &(struct edit){.description = "nothing"}, 10, &base, err) < 0)
		return -1;
	lower_limits(warm, clock_now_ms() - begun_ms);
	if (base.end != WARM_FAILED || base.fixed)
		*ret_why = "its tests came out otherwise than in the suite";
	return 0;
}

/* One that does not listen shows when it is heard. */
static int start(struct warm *warm, const struct agent_kit *kit, const struct workplace *bench, const struct warm_plan *plan,
	struct arena *arena, const struct context *ctx, struct rondo_error *err)
{
	bool taken;
	const char *at;
	AUTO_FREE char *words = first_words(kit, plan);
	if (warm_put(bench, warm_program(plan->runner), &warm->arena, &warm->program, &at, err) < 0)
		return -1;
	struct command command = {.env = kit->suite->type->env,
		.line = arena_printf(arena, "exec 2>/dev/null; %s %s", plan->start, at)};
	if (executor_open(bench->executor, &command, &warm->coprocess, ctx, err) < 0)
		return -1;
	return warm->coprocess ? coprocess_say(warm->coprocess, words, LOAD_MS, &taken, err) : 0;
}

int warm_start(const struct agent_kit *kit, const struct workplace *bench, struct warm **ret_warm, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct suite *suite = kit->suite;
	struct warm_plan plan;
	*ret_warm = NULL;
	if (!suite->type->warm || !suite->type->warm(suite, &arena, &plan) || !warm_program(plan.runner))
		return 0;
	struct warm *warm = memory_alloc(sizeof *warm);
	*warm = (struct warm){.line = STRBUF_INIT(STRBUF_TEXT),
		.is_one_run = suite->type == &program_suite};
	set_limits(warm, kit->baseline);
	int status = start(warm, kit, bench, &plan, &arena, ctx, err);
	if (status == 0 && warm->coprocess)
		*ret_warm = warm;
	else
		warm_free(warm);
	return status;
}

void warm_free(struct warm *warm)
{
	struct rondo_error ignored;
	if (!warm)
		return;
	coprocess_end(warm->coprocess);
	file_remove_tree(warm->program, &ignored);
	strbuf_release(&warm->line);
	arena_release(&warm->arena);
	free(warm);
}
