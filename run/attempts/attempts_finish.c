/* What several attempts come to: one of them is the run's result. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/attempts/attempts.h"

/* --- Which one --- */

static void attempts_take_rows(struct attempts *all)
{
	for (size_t i = 0; i < all->n; i++)
		all->rows[i] = all->items[i].row;
}

static bool attempts_want_all(const struct attempts *all)
{
	return strcmp(all->select, "all") == 0;
}

static bool attempts_want_agreed(const struct attempts *all)
{
	return strcmp(all->select, "agreed") == 0;
}

/* One that has to be judged once more: it ended before the run was continued, and of what it came
 * to only its row is left. `chosen` n: of those that are wanted whatever is chosen. */
static struct attempt *attempts_find_faded(const struct attempts *all, size_t chosen)
{
	bool wants_each = attempts_want_all(all) || attempts_want_agreed(all);
	for (size_t i = 0; i < all->n; i++) {
		struct attempt *attempt = &all->items[i];
		bool is_wanted = i == chosen || (wants_each && attempt_is_verified(&attempt->row));
		if (is_wanted && attempt->state == ATTEMPT_HAD_ENDED)
			return attempt;
	}
	return NULL;
}

static int attempts_choose_row(struct attempts *all, size_t *ret_chosen, struct rondo_error *err)
{
	if (attempts_want_agreed(all) && attempts_compare(all, err) < 0)
		return -1;
	attempts_take_rows(all);
	*ret_chosen = attempts_choose(all->rows, all->n, all->select);
	return 0;
}

static int attempts_choose_live(
	struct attempts *all, struct attempt **ret_chosen, struct rondo_error *err)
{
	for (;;) {
		size_t chosen = all->n;
		struct attempt *faded = attempts_find_faded(all, chosen);
		if (!faded && attempts_choose_row(all, &chosen, err) < 0)
			return -1;
		if (!faded)
			faded = attempts_find_faded(all, chosen);
		if (!faded) {
			*ret_chosen = chosen < all->n ? &all->items[chosen] : NULL;
			return 0;
		}
		attempt_run(faded);
		if (all->status < 0) {
			*err = all->err;
			return -1;
		}
	}
}

/* --- Where there is none --- */

static struct run_change *attempt_change(const struct attempt *attempt)
{
	struct verdict_stage *verdict = attempt->run.verdict;
	return verdict && verdict->is_changed ? &verdict->change : attempt->run.unjudged;
}

/* The change that got furthest is kept where its attempt has it. */
static int attempts_keep_best(struct attempts *all, struct rondo_error *err)
{
	const struct attempt *best = NULL;
	for (size_t i = 0; i < all->n; i++)
		if (attempt_change(&all->items[i]) &&
			(!best || all->items[i].row.n_fixed > best->row.n_fixed))
			best = &all->items[i];
	if (!best)
		return -1;
	all->run->unjudged = attempt_change(best);
	const char *help = arena_printf(all->run->env.arena, "%s%s", err->help, *err->help ? "; " : "");
	if (strstr(err->help, "is kept in"))
		return -1;
	return error_help(
		err, "%sthe best change so far is kept in %s", help, all->run->unjudged->path);
}

/* The first attempt that failed, of those with this code (NONE: with any). */
static const struct attempt *attempts_find_failed(
	const struct attempts *all, enum rondo_error_code code)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct attempt *attempt = &all->items[i];
		if (attempt->state == ATTEMPT_ENDED && attempt->status < 0 &&
			(code == RONDO_ERROR_NONE || attempt->err.code == code))
			return attempt;
	}
	return NULL;
}

static int attempts_fail(
	struct attempts *all, const struct attempt *failed, struct rondo_error *err)
{
	*err = failed->err;
	error_prefix(err, "attempt %d", failed->number);
	return attempts_keep_best(all, err);
}

/* Those that failed did so before this run was continued, or there was no time for any. */
static int attempts_say_nothing(const struct attempts *all, struct rondo_error *err)
{
	const struct run_attempt *row = &all->items[0].row;
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"no attempt came to a result; the first: %s%s%s", row->outcome, row->reason ? ": " : "",
		row->reason ? row->reason : "");
}

/* --- Its result --- */

/* What the gate's run of it said goes where the user wants it. */
static int attempts_copy_junit(
	struct attempts *all, const struct attempt *chosen, struct rondo_error *err)
{
	struct run *run = all->run;
	const char *to = run->order.scenario->output.junit, *name = "junit-after.xml";
	const char *from = arena_printf(run->env.arena, "%s/%s", chosen->run.env.paths.dir, name);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (!file_exists(from))
		return 0;
	if (file_read(from, STRBUF_RECORD, &text, err) < 0 ||
		env_keep(&run->env, name, text.text, err) < 0)
		return -1;
	if (!to)
		return 0;
	if (file_make_dir(to, 0777, err) < 0)
		return -1;
	return file_write(
		arena_printf(run->env.arena, "%s/%s", to, name), text.text, text.length, 0644, err);
}

/* Its stages become the run's, and so do its files and notices. */
static int attempts_take(struct attempts *all, struct attempt *chosen, struct rondo_error *err)
{
	struct run *run = all->run;
	const struct option_strings *notices = &chosen->report.notices;
	run->talk = chosen->run.talk;
	run->verdict = chosen->run.verdict;
	run->asserts = chosen->run.asserts;
	chosen->row.is_chosen = true;
	for (size_t i = 0; i < notices->n; i++)
		ARENA_PUSH(run->env.arena, run->env.notices->items, run->env.notices->n, notices->items[i]);
	if (verdict_keep_change(run->verdict, &run->env, run->site, err) < 0)
		return -1;
	return attempts_copy_junit(all, chosen, err);
}

static const char *attempts_branch(const struct attempts *all, const struct attempt *attempt)
{
	const struct run *run = all->run;
	const char *branch = run->order.scenario->output.branch;
	return branch ? arena_printf(run->env.arena, "%s-%d", branch, attempt->number)
				  : arena_printf(run->env.arena, "rondo/%s-%d", run->env.paths.id, attempt->number);
}

/* They are refused before anything is paid, unless they are this run's own. */
int attempts_check_branches(const struct attempts *all, struct rondo_error *err)
{
	const struct run *run = all->run;
	struct repository *repository = run->site->repository;
	struct object made;
	if (!attempts_want_all(all) || !run->site->facts.has_repository)
		return 0;
	for (size_t i = 0; i < all->n; i++) {
		const char *branch = attempts_branch(all, &all->items[i]);
		if (!publication_was_made(&run->env, repository, branch, &made) &&
			repository_check_branch(repository, branch, err) < 0)
			return -1;
	}
	return 0;
}

/* A branch for each, also of those that are not the result. */
static int attempts_publish_others(
	struct attempts *all, const struct attempt *chosen, struct rondo_error *err)
{
	const struct run *run = all->run;
	for (size_t i = 0; i < all->n; i++) {
		struct attempt *attempt = &all->items[i];
		struct site named = *run->site;
		struct object commit;
		if (!run->site->facts.has_repository || !attempt_is_verified(&attempt->row))
			continue;
		named.branch = attempt->row.branch = attempts_branch(all, attempt);
		if (attempt != chosen &&
			publication_add_branch(
				&run->env, &named, &attempt->run.verdict->tree, &attempt->report, &commit, err) < 0)
			return -1;
	}
	return 0;
}

static int attempts_publish(struct attempts *all, struct attempt *chosen, struct rondo_error *err)
{
	struct run *run = all->run;
	if (attempts_want_all(all)) {
		if (attempts_publish_others(all, chosen, err) < 0)
			return -1;
		if (run->site->facts.has_repository)
			run->site->branch = chosen->row.branch;
	}
	return run_publish(run, err);
}

int attempts_run(struct attempts *all, struct rondo_error *err)
{
	struct attempt *chosen;
	if (attempts_work_all(all, err) < 0)
		return -1;
	if (!all->winner && cancel_reason(all->run->outer->cancel)) {
		cancel_error(all->run->outer->cancel, err);
		return attempts_keep_best(all, err);
	}
	if (attempts_choose_live(all, &chosen, err) < 0)
		return -1;
	bool is_verified = chosen && attempt_is_verified(&chosen->row);
	const struct attempt *failed =
		attempts_find_failed(all, chosen ? RONDO_ERROR_TRANSIENT : RONDO_ERROR_NONE);
	if (!is_verified && failed)
		return attempts_fail(all, failed, err);
	if (!chosen)
		return attempts_say_nothing(all, err);
	if (attempts_take(all, chosen, err) < 0)
		return -1;
	return is_verified ? attempts_publish(all, chosen, err) : 0;
}

/* --- Told --- */

void attempts_add_up(const struct tally *tally, int64_t *ret_tokens, double *ret_cost)
{
	int64_t tokens = 0;
	double cost = 0;
	for (size_t i = 0; i < tally->n_models; i++) {
		const struct run_spending *model = &tally->models[i];
		tokens += model->usage.prompt_tokens + model->usage.completion_tokens;
		cost = cost < 0 || model->cost_usd < 0 ? -1 : cost + model->cost_usd;
	}
	*ret_tokens = tokens;
	*ret_cost = cost;
}

static const char *attempts_name_models(const struct tally *tally, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < tally->n_models; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", tally->models[i].name);
	return names.length ? arena_strdup(arena, names.text) : NULL;
}

/* The budget knows what all of them spent together. */
static void attempts_compose_spent(struct attempts *all, struct run_spent *spent)
{
	struct arena *arena = all->run->env.arena;
	struct budget *budget = &all->budget;
	struct tally sum = {.arena = arena};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < all->n; i++) {
		struct run *run = &all->items[i].run;
		if (run->components.n_models)
			tally_price(&run->recorder.tally, run->components.models, run->components.n_models);
		tally_add_all(&sum, &run->recorder.tally);
	}
	*spent = (struct run_spent){.by_agent = sum.agents,
		.n_by_agent = sum.n_agents,
		.by_model = sum.models,
		.n_by_model = sum.n_models,
		.models = attempts_name_models(&sum, arena)};
	if (!budget->calls)
		return;
	budget_describe(budget, &text);
	spent->text = arena_strdup(arena, text.text);
	spent->calls = budget->calls;
	spent->usage = budget->usage;
	spent->cost_usd = budget->calls_of_unknown_cost ? -1 : budget->usd;
}

void attempts_compose(struct attempts *all, struct run_report *report)
{
	attempts_take_rows(all);
	attempts_compose_spent(all, &report->spent);
	report->attempts = all->rows;
	report->n_attempts = all->n;
	report->select = all->select;
}
