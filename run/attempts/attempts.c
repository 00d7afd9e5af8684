/* Several attempts: made, run side by side, chosen from. */
#include "run/attempts/attempts.h"

#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"

/* --- Made --- */

static void attempt_release_arena(void *owner)
{
	struct attempt *attempt = owner;
	arena_release(&attempt->arena);
}

/* As of a run, but for what run_begin does on disk. */
static void attempt_init_run(struct attempt *attempt)
{
	struct run *run = &attempt->run, *whole = attempt->all->run;
	struct arena *arena = &attempt->arena;
	*run = (struct run){.order = whole->order,
		.outer = &attempt->outer,
		.report = &attempt->report,
		.number = attempt->number,
		.started_at_ms = clock_now_ms(),
		.cancel = {.fd = -1, .timer = -1},
		.recorder = {.journal = {.fd = -1, .lock = -1, .attempt = attempt->number},
			.secrets = whole->order.secrets,
			.emit = {attempts_emit, attempt},
			.tally = {.arena = arena},
			.states = {.arena = arena}}};
	run->order.scenario = &attempt->scenario;
	run->order.history = attempt->has_history ? &attempt->history : NULL;
	run->order.n_attempts = 1;
	run->recorder.history = run->order.history;
	run->recorder.is_rebuilding = attempt->has_history;
	run_paths_within(arena, &whole->env.paths, attempt->number, &run->env.paths);
	run->recorder.packs = run->env.paths.packs;
	run->env.order = &run->order;
	run->env.arena = arena;
	run->env.notices = &attempt->report.notices;
	run->env.ctx = (struct context){.record = {recorder_record, &run->recorder},
		.emit = {recorder_emit, &run->recorder},
		.ask = attempt->outer.ask,
		.cancel = &attempt->stop};
}

/* One that was cut off before its first record is begun anew. */
static int attempt_find_history(struct attempt *attempt, struct rondo_error *err)
{
	const struct run *whole = attempt->all->run;
	const char *dir = run_attempt_dir(whole->env.paths.dir, attempt->number, &attempt->arena);
	const char *journal = arena_printf(&attempt->arena, "%s/journal.jsonl", dir);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (!whole->order.history || !file_exists(journal))
		return 0;
	if (file_read(journal, STRBUF_LINE, &text, err) < 0)
		return -1;
	if (!strchr(text.text, '\n') && !text.cut) {
		file_remove_tree(journal, err);
		return 0;
	}
	attempt->has_history = true;
	return history_read(&attempt->history, dir, err);
}

static int attempt_make_scenario(
	struct attempt *attempt, const struct json *origin, struct rondo_error *err)
{
	const char *dir = attempt->all->run->env.paths.dir;
	if (order_recall_scenario(&attempt->scenario, origin, dir, &attempt->arena, err) < 0)
		return -1;
	attempt->all->waits_for_repair |= attempt_vary(attempt);
	return 0;
}

static int attempt_make_team(struct attempt *attempt, struct rondo_error *err)
{
	struct run *run = &attempt->run;
	struct components *components = &run->components;
	struct history *history = run->order.history;
	components_begin(components, &attempt->scenario, run->order.secrets);
	components_share(
		components, &attempt->all->budget, attempt->temperature < 0 ? NULL : &attempt->temperature);
	components->conditions_kit.stop_requested = run->order.stop_requested;
	if (components_fill(components, &run->services, history ? &history->replies : NULL, err) < 0)
		return -1;
	attempt->row.temperature = attempt_temperature(attempt, &attempt->arena);
	return history && history->chat
		? history_recall(history, components, &run->recorder.tally, &run->recorder.states, err)
		: 0;
}

static int attempt_init(struct attempt *attempt, const struct json *origin, struct rondo_error *err)
{
	const struct context *outer = attempt->all->run->outer;
	if (cancel_init(&attempt->stop, outer->cancel, 0, err) < 0)
		return -1;
	attempt->outer = (struct context){.emit = {attempts_emit, attempt}, .cancel = &attempt->stop};
	if (outer->ask.call)
		attempt->outer.ask = (struct context_ask){attempts_ask, attempt};
	if (attempt_find_history(attempt, err) < 0)
		return -1;
	attempt_init_run(attempt);
	return attempt_make_scenario(attempt, origin, err) < 0 ? -1 : attempt_make_team(attempt, err);
}

/* The history goes before the report. */
static void attempt_keep_texts(struct run_attempt *row, struct arena *arena)
{
	const char **texts[] = {
		&row->outcome, &row->reason, &row->branch, &row->tree, &row->temperature};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		*texts[i] = arena_strdup(arena, *texts[i]);
}

/* Those that had ended keep what came of them. */
static void attempts_recall_rows(struct attempts *all, const struct history *history)
{
	for (size_t i = 0; history && i < history->n_attempts; i++) {
		const struct run_attempt *row = &history->attempts[i];
		if (row->number < 1 || row->number > all->n)
			continue;
		struct attempt *attempt = &all->items[row->number - 1];
		attempt->row = *row;
		attempt_keep_texts(&attempt->row, &attempt->arena);
		attempt->state = ATTEMPT_HAD_ENDED;
		if (row->number == 1)
			all->waits_for_repair = false;
		if (strcmp(all->select, "first") == 0 && row->outcome &&
			strcmp(row->outcome, run_outcome_word(RUN_VERIFIED)) == 0)
			all->winner = attempt;
	}
	if (all->winner) /* then no other one begins, whose search could be waited for */
		all->waits_for_repair = false;
}

/* Where programs see the machine as it is, suites would meet each other's ports and files. */
static size_t attempts_count_threads(const struct run *run)
{
	const struct scenario_attempts *wanted = &run->order.scenario->attempts;
	size_t n = (size_t)(wanted->parallel ? wanted->parallel : wanted->n);
	if (executor_sight(&run->order.executor) == EXECUTOR_SEES_HOST)
		return 1;
	return n < run->order.n_attempts ? n : run->order.n_attempts;
}

static void attempts_init(struct attempts *all, struct run *run)
{
	const struct scenario *scenario = run->order.scenario;
	struct arena *arena = run->env.arena;
	*all = (struct attempts){.run = run,
		.n = run->order.n_attempts,
		.parallel = attempts_count_threads(run),
		.select = scenario->attempts.select,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.asking = PTHREAD_MUTEX_INITIALIZER};
	budget_init(&all->budget, scenario->limits.tokens, scenario->limits.cost_usd);
	all->items = arena_alloc(arena, all->n * sizeof *all->items);
	all->rows = arena_alloc(arena, all->n * sizeof *all->rows);
	for (size_t i = 0; i < all->n; i++) {
		struct attempt *attempt = &all->items[i];
		attempt->all = all;
		attempt->number = (int)i + 1;
		attempt->row = (struct run_attempt){.number = i + 1, .outcome = "not started"};
		attempt->stop.fd = attempt->run.cancel.fd = -1;
		attempt->run.recorder.journal = (struct journal){.fd = -1, .lock = -1};
		arena_defer(arena, attempt_release_arena, attempt);
	}
}

/* Two writers would spoil what a model's replies are recorded in. */
static int attempts_check_models(const struct attempts *all, struct rondo_error *err)
{
	const struct components *components = &all->items[0].run.components;
	for (size_t i = 0; i < components->n_models; i++)
		if (components->models[i]->type == &record_model) {
			error_set(err, RONDO_ERROR_USAGE,
				"model '%s' records into one file, and attempts are %zu",
				components->models[i]->name, all->n);
			return error_help(err, "record with one attempt: -s attempts.n=1");
		}
	return 0;
}

int attempts_make(struct run *run, struct rondo_error *err)
{
	struct attempts *all = run->attempts = arena_alloc(run->env.arena, sizeof *all);
	attempts_init(all, run);
	if (attempts_check_branches(all, err) < 0)
		return -1;
	AUTO_JSON *origin = order_origin(&run->order);
	for (size_t i = 0; i < all->n; i++)
		if (attempt_init(&all->items[i], origin, err) < 0)
			return -1;
	if (attempts_check_models(all, err) < 0)
		return -1;
	attempts_recall_rows(all, run->order.history);
	const struct scenario_attempts *wanted = &run->order.scenario->attempts;
	if (all->parallel == 1 && wanted->parallel != 1 &&
		env_notice(&run->env, err, "attempts take turns: executor %s does not keep them apart",
			run->order.executor.type->name) < 0)
		return -1;
	struct components *first = &all->items[0].run.components;
	return talk_check_humans(&run->env, first, err) < 0 ? -1 : run_tell_team(&run->env, first, err);
}

void attempts_release(struct attempts *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->n; i++) {
		struct attempt *attempt = &all->items[i];
		attempt_leave(attempt);
		repository_close(attempt->repository);
		history_release(&attempt->history);
		if (attempt->stop.fd >= 0)
			cancel_release(&attempt->stop);
	}
	budget_release(&all->budget);
	pthread_mutex_destroy(&all->lock);
	pthread_mutex_destroy(&all->asking);
	pthread_cond_destroy(&all->changed);
}

/* --- Run --- */

/* The next that waits; NULL: there is none, or none is needed any more. */
static struct attempt *attempts_next(struct attempts *all)
{
	struct attempt *next = NULL;
	pthread_mutex_lock(&all->lock);
	bool is_over = all->winner || all->status < 0 || cancel_reason(&all->run->cancel);
	while (!is_over && !next && all->next < all->n) {
		struct attempt *attempt = &all->items[all->next++];
		if (attempt->state == ATTEMPT_WAITS)
			next = attempt;
	}
	if (next)
		next->state = ATTEMPT_RUNS;
	pthread_mutex_unlock(&all->lock);
	return next;
}

static void *attempts_work(void *owner)
{
	struct attempts *all = *(struct attempts **)owner;
	for (struct attempt *attempt; (attempt = attempts_next(all));)
		attempt_run(attempt);
	return NULL;
}

/* All but the first have a repository of their own, opened while nobody uses the run's. */
static int attempts_open_repositories(struct attempts *all, struct rondo_error *err)
{
	for (size_t i = 1; i < all->n; i++)
		if (repository_open_beside(
				all->run->site->repository, (unsigned)i, &all->items[i].repository, err) < 0)
			return -1;
	return 0;
}

int attempts_work_all(struct attempts *all, struct rondo_error *err)
{
	struct attempts *owners[ATTEMPTS_MOST];
	for (size_t i = 0; i < all->parallel; i++)
		owners[i] = all;
	all->run->has_begun = true;
	if (attempts_open_repositories(all, err) < 0)
		return -1;
	thread_each(attempts_work, owners, all->parallel, sizeof *owners);
	if (all->status < 0)
		*err = all->err;
	return all->status;
}
