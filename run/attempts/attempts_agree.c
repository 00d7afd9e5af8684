/*
 * Which verified fixes do the same. All of them pass the suite, so they are asked how they behave
 * in copies of the failing tests with other values, as repair asks candidates. Where no test can
 * be copied, or a fix says nothing there, only equal trees are alike.
 */
#include <string.h>

#include "agents/sources.h"
#include "agents/trial/trial.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "run/attempts/attempts.h"

/* --- A fix as an edit of the base --- */

static bool agree_is_text(const char *bytes, size_t n)
{
	return !memchr(bytes, '\0', n) && utf8_valid_length(bytes, n) == n;
}

/* One splice of whole lines, between those that both texts begin and end with. False: it is no
 * text. */
static bool agree_make_edit(
	const struct file_change *change, struct arena *arena, struct file_edit *edit)
{
	size_t begin = 0, end = 0;
	*edit = (struct file_edit){.path = change->path};
	if ((change->old && !agree_is_text(change->old, change->n_old)) ||
		(change->text && !agree_is_text(change->text, change->n_text)))
		return false;
	edit->remove = !change->text;
	if (!change->old || !change->text) {
		edit->content = change->text;
		return true;
	}
	size_t least = change->n_old < change->n_text ? change->n_old : change->n_text;
	while (begin < least && change->old[begin] == change->text[begin])
		begin++;
	while (end < least - begin &&
		change->old[change->n_old - end - 1] == change->text[change->n_text - end - 1])
		end++;
	while (begin && change->old[begin - 1] != '\n')
		begin--;
	while (end && change->old[change->n_old - end - 1] != '\n')
		end--;
	char *hash = arena_alloc(arena, HASH_SIZE);
	hash_bytes(change->old, change->n_old, hash);
	edit->base_hash = hash;
	edit->n = 1;
	edit->splices = arena_alloc(arena, sizeof *edit->splices);
	edit->splices[0] = (struct splice){.offset = begin,
		.length = change->n_old - begin - end,
		.text = arena_strndup(arena, change->text + begin, change->n_text - begin - end)};
	return true;
}

/* The candidate of an attempt, by its number. False where its change is no text. */
static int agree_make_candidate(const struct attempt *attempt, struct arena *arena,
	struct candidate *candidate, bool *ret_is_text, struct rondo_error *err)
{
	const struct site *site = attempt->all->run->site;
	struct file_change *changes;
	struct edit *edit = &candidate->edit;
	size_t n;
	*candidate = (struct candidate){.id = attempt->number, .kind = "attempt"};
	if (repository_changes(site->repository, &site->base.tree, &attempt->run.verdict->tree, arena,
			&changes, &n, err) < 0)
		return -1;
	edit->description = arena_printf(arena, "attempt %d", attempt->number);
	*ret_is_text = n;
	for (size_t i = 0; i < n && *ret_is_text; i++) {
		struct file_edit file;
		*ret_is_text = agree_make_edit(&changes[i], arena, &file);
		ARENA_PUSH(arena, edit->files, edit->n, file);
	}
	return 0;
}

static int agree_make_candidates(struct attempts *all, struct arena *arena,
	struct candidates *candidates, struct rondo_error *err)
{
	*candidates = (struct candidates){.wants_all = true};
	for (size_t i = 0; i < all->n; i++) {
		struct candidate candidate;
		bool is_text;
		if (!attempt_is_verified(&all->items[i].row))
			continue;
		if (agree_make_candidate(&all->items[i], arena, &candidate, &is_text, err) < 0)
			return -1;
		if (is_text)
			ARENA_PUSH(arena, candidates->items, candidates->n, candidate);
	}
	return 0;
}

/* --- How they behave --- */

/* The run's main checkout, which the first attempt had, holds the base again. No tests can be
 * copied: the results stay empty. */
static int agree_ask(struct attempts *all, struct arena *arena, struct candidate_results *results,
	struct rondo_error *err)
{
	struct run *run = all->run;
	struct candidates asked;
	struct repair_file *files;
	size_t n;
	*results = (struct candidate_results){0};
	if (worktree_checkout(run->site->main.worktree, &run->site->base.tree, err) < 0 ||
		agree_make_candidates(all, arena, &asked, err) < 0 ||
		sources_load(&run->services, arena, &files, &n, err) < 0)
		return -1;
	const struct test_report *report = &run->baseline->reports[0];
	struct repair *repair = repair_new(arena, files, n, report);
	if (asked.n < 2 || !repair_inputs(repair, report, &asked))
		return 0;
	int64_t deadline_ms = clock_now_ms() + (int64_t)asked.n * run->services.suite_timeout_ms;
	return trials_run(
		run->trials, &asked, "attempts", deadline_ms, arena, results, &run->env.ctx, err);
}

static const char *agree_behaviour(
	const struct candidate_results *results, const struct attempt *attempt)
{
	for (size_t i = 0; i < results->n; i++)
		if (results->progress[i].id == attempt->number)
			return results->progress[i].behaviour;
	return NULL;
}

static bool agree_are_alike(const struct candidate_results *results, const struct attempt *left,
	const struct attempt *right)
{
	const char *one = agree_behaviour(results, left), *other = agree_behaviour(results, right);
	return strcmp(left->row.tree, right->row.tree) == 0 ||
		(one && other && strcmp(one, other) == 0);
}

/* Without an answer only the trees count, which is said. */
int attempts_compare(struct attempts *all, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct candidate_results results = {0};
	struct rondo_error why = {0};
	if (agree_ask(all, &arena, &results, &why) < 0) {
		results.n = 0;
		if (cancel_reason(all->run->outer->cancel))
			return cancel_error(all->run->outer->cancel, err);
		if (env_notice(
				&all->run->env, err, "how the fixes behave is not compared: %s", why.message) < 0)
			return -1;
	}
	for (size_t i = 0; i < all->n; i++) {
		struct attempt *attempt = &all->items[i];
		attempt->row.n_alike = 0;
		for (size_t j = 0; j < all->n && attempt_is_verified(&attempt->row); j++)
			attempt->row.n_alike += attempt_is_verified(&all->items[j].row) &&
				agree_are_alike(&results, attempt, &all->items[j]);
	}
	return 0;
}
