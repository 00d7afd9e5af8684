/*
 * Counter-tests: copies of tests that the fix repairs, and of a few that passed at the base, which
 * expect something wrong or fail by themselves (verify/counter/). One that passes with the fix
 * shows that its results say nothing. What passes is run at the base, too: copies say nothing that
 * pass there as well; and a failure that is put where the program calls the test back must have
 * reached the test's result there, since some programs lose such failures rightly.
 */
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "verify/counter/counter.h"
#include "verify/gate/judging.h"

#define WORD_DIGITS 10
#define COPIES_MS_MOST 20000 /* that the copied tests may take, going by their originals */
#define WHOLE_MS_MOST 20000  /* a suite that cannot run some of its tests alone */
#define ROUNDS_MS_MOST 10000 /* all runs of copies in the places of their originals */

enum { GOALS_MOST = 12, OTHERS_MOST = 3, PATHS_TRIED_MOST = 20 };

/* A test that copies are wanted of. */
struct original {
	const char *id;
	bool is_goal;        /* it failed at the base */
	const char *why_not; /* static; NULL: it is copied */
};

struct countering {
	const struct gate *gate;
	struct verdict *verdict;
	struct counter_plan plan;
	struct original *originals;
	size_t n_originals, n_goals;
	int64_t ms;              /* of all copies */
	bool can_choose;         /* some tests can be run alone */
	bool *has_failed;        /* with the fix; for each copy */
	size_t n_seen, n_passed; /* copies in reports, and those of them that passed */
};

/* A copy that passed with the fix. */
struct passing {
	const struct counter_copy *copy;
	const char *id; /* of its result */
};

/* --- Which tests --- */

static const struct test_result *counter_result(const struct countering *x, const char *id)
{
	const struct test_result *result = test_report_find(&x->verdict->report, id);
	return result && result->status == TEST_PASSED ? result : NULL;
}

/* Whether a test is another row of one that is there already. */
static bool counter_is_known(const struct countering *x, const char *id)
{
	size_t n = strcspn(id, "[");
	for (size_t i = 0; i < x->n_originals; i++)
		if (strncmp(x->originals[i].id, id, n) == 0 && strcspn(x->originals[i].id, "[") == n)
			return true;
	return false;
}

static void counter_want(struct countering *x, const char *id, bool is_goal)
{
	if (!counter_result(x, id) || counter_is_known(x, id))
		return;
	ARENA_PUSH(x->gate->arena, x->originals, x->n_originals,
		(struct original){.id = id, .is_goal = is_goal});
	x->n_goals += is_goal;
}

/* Of the tests that passed at the base those whose hashes, with the tree's, are the lowest: the
 * same for the same fix. */
static void counter_want_others(struct countering *x)
{
	const struct baseline *baseline = x->gate->baseline;
	const char *chosen[OTHERS_MOST] = {NULL};
	char lowest[OTHERS_MOST][HASH_SIZE];
	for (size_t i = 0; i < baseline->n_green; i++) {
		char hash[HASH_SIZE];
		const char *id = baseline->green[i];
		const char *text = arena_printf(x->gate->arena, "%s %s", x->verdict->tree.hex, id);
		hash_bytes(text, strlen(text), hash);
		for (size_t j = 0; j < OTHERS_MOST; j++) {
			if (chosen[j] && strcmp(hash, lowest[j]) >= 0)
				continue;
			memmove(chosen + j + 1, chosen + j, (OTHERS_MOST - 1 - j) * sizeof *chosen);
			memmove(lowest + j + 1, lowest + j, (OTHERS_MOST - 1 - j) * sizeof *lowest);
			chosen[j] = id;
			memcpy(lowest[j], hash, sizeof hash);
			break;
		}
	}
	for (size_t j = 0; j < OTHERS_MOST && chosen[j]; j++)
		counter_want(x, chosen[j], false);
}

/* --- Their copies --- */

/* The text of a file with the fix; whether the fix changes it. */
static const char *counter_read(
	const struct countering *x, const char *path, size_t *ret_n, bool *ret_is_changed)
{
	const struct gate *gate = x->gate;
	AUTO_STRBUF old = STRBUF_INIT(STRBUF_TEXT), fixed = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error ignored;
	if (repository_file(gate->repository, &gate->base->tree, path, &old, &ignored) < 0 ||
		repository_file(gate->repository, &x->verdict->tree, path, &fixed, &ignored) < 0 ||
		fixed.cut)
		return NULL;
	*ret_is_changed = old.length != fixed.length || memcmp(old.text, fixed.text, old.length) != 0;
	*ret_n = fixed.length;
	return arena_strndup(gate->arena, fixed.text, fixed.length);
}

static int counter_failed_line(const struct countering *x, const char *id, const char *path)
{
	const struct test_result *result = test_report_find(x->gate->baseline->first, id);
	return result && result->file && strcmp(result->file, path) == 0 ? result->line : 0;
}

/* Copy a test out of a file that may hold it. False: look on. */
static bool counter_copy_from(
	struct countering *x, size_t number, const struct counter_type *type, const char *path)
{
	size_t n;
	bool has_test, is_changed = false;
	struct original *original = &x->originals[number];
	const char *text = counter_read(x, path, &n, &is_changed);
	if (!text || (is_changed && !original->is_goal)) {
		original->why_not = text ? "the fix changes its file" : "the fix removes its file";
		return false;
	}
	struct counter_test test = {.id = original->id,
		.only_end = is_changed, /* the base has another text to compare with */
		.is_suite = suite_is_id(x->gate->suite, original->id),
		.failed_line = counter_failed_line(x, original->id, path),
		.number = number};
	size_t before = x->plan.n;
	const struct test_result *result = counter_result(x, original->id);
	original->why_not = counter_add(&x->plan, type, path, text, n, &test, &has_test);
	if (!original->why_not && x->plan.n == before)
		original->why_not = "nothing in it could be changed";
	x->ms += (int64_t)(x->plan.n - before) * (result ? result->duration_ms : 0);
	return has_test;
}

static void counter_copy_one(struct countering *x, size_t number)
{
	const struct gate *gate = x->gate;
	struct original *original = &x->originals[number];
	size_t tried = 0;
	original->why_not = "its file is not known";
	if (x->ms > COPIES_MS_MOST) {
		original->why_not = "there is no time for more";
		return;
	}
	for (size_t i = 0; i < counter_types_n; i++) {
		const struct counter_type *type = counter_types[i];
		if (!counter_type_reads(type, gate->baseline->first->format))
			continue;
		for (size_t j = 0; j < gate->n_base_paths && tried < PATHS_TRIED_MOST; j++)
			if (type->may_hold(original->id, gate->base_paths[j]) && ++tried &&
				counter_copy_from(x, number, type, gate->base_paths[j]))
				return;
	}
}

static void counter_copy_all(struct countering *x)
{
	const struct baseline *baseline = x->gate->baseline;
	for (size_t i = 0; i < baseline->n_goal && x->n_goals < GOALS_MOST; i++)
		counter_want(x, baseline->goal[i], true);
	for (size_t i = 0; i < baseline->n_red && x->n_goals < GOALS_MOST; i++)
		counter_want(x, baseline->red[i], true);
	counter_want_others(x);
	for (size_t i = 0; i < x->n_originals; i++)
		counter_copy_one(x, i);
}

/* --- Runs --- */

/* The test files with their copies of a round; at the base those that the fix leaves as they
 * are. */
static struct edit counter_edit(const struct countering *x, size_t round, bool is_base)
{
	struct edit edit = {.description = "counter-tests"};
	for (size_t i = 0; i < x->plan.n_files; i++) {
		const struct counter_file *file = x->plan.files[i];
		const char *content =
			is_base && file->is_changed ? NULL : counter_text(&x->plan, file, round);
		if (content)
			ARENA_PUSH(x->gate->arena, edit.files, edit.n,
				(struct file_edit){.path = file->path, .content = content});
	}
	return edit;
}

/* The ids of a round's copies, or of those that passed. */
static const char **counter_ids(const struct countering *x, size_t round,
	const struct passing *passing, size_t n_passing, size_t *ret_n)
{
	const char **ids = NULL;
	size_t n = passing ? n_passing : x->plan.n;
	*ret_n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct counter_copy *copy = passing ? passing[i].copy : &x->plan.copies[i];
		if (copy->round == round && !text_in(ids, *ret_n, copy->run))
			ARENA_PUSH(x->gate->arena, ids, *ret_n, copy->run);
	}
	return ids;
}

static int counter_run_in(const struct countering *x, size_t round, bool is_base,
	struct checkout *place, const struct judge_options *options, struct test_report *ret_report,
	struct rondo_error *err)
{
	const struct gate *gate = x->gate;
	struct edit edit = counter_edit(x, round, is_base);
	if (worktree_apply(place->worktree, &edit, err) < 0)
		return -1;
	return judge(place, gate->suite, options, gate->arena, ret_report, gate->ctx, err);
}

/* Run a round's copies in a fresh checkout of a tree; of these only those that passed, where there
 * are some. */
static int counter_run_on(const struct countering *x, const struct object *tree, const char *name,
	size_t round, const struct passing *passing, size_t n_passing, struct test_report *ret_report,
	struct rondo_error *err)
{
	struct checkout place;
	const struct gate *gate = x->gate;
	struct judge_options options = {.timeout_ms = gate->settings->suite_timeout_ms,
		.log = arena_printf(gate->arena, "%s/%s.log", gate->settings->log_dir, name)};
	options.ids = counter_ids(x, round, passing, n_passing, &options.n_ids);
	if (!x->can_choose)
		options.ids = NULL;
	*ret_report = (struct test_report){.results = NULL};
	context_progress(gate->ctx, "gate", "running copies of tests that must fail");
	if (gate->enter(gate->owner, tree, name, GATE_BUILT, &place, err) < 0)
		return -1;
	int status = counter_run_in(x, round, passing, &place, &options, ret_report, err);
	gate->leave(&place);
	return status;
}

/* Whether the tests can be run alone, or the suite is short. */
static bool counter_can_run(struct countering *x)
{
	const struct baseline *baseline = x->gate->baseline;
	struct baseline some = *baseline;
	some.goal = baseline->n_goal ? baseline->goal
		: baseline->n_red        ? baseline->red
								 : baseline->green;
	some.n_goal = 1;
	x->can_choose = judge_goal_options(x->gate->suite, &some, x->gate->arena).ids;
	return x->can_choose || baseline->first->duration_ms < WHOLE_MS_MOST;
}

/* --- What they say --- */

/* The original's id of a result that is a copy's own, or one of the rows of its table; NULL: it is
 * none. */
static const char *counter_original_id(
	const struct countering *x, const struct counter_copy *copy, const char *id)
{
	size_t n = strlen(copy->run);
	if (!text_starts_with(id, copy->run) || (id[n] && id[n] != '['))
		return NULL;
	if (!copy->mark)
		return id;
	return arena_printf(x->gate->arena, "%.*s%s", (int)(n - strlen(copy->mark) - 1), id, id + n);
}

/* See what came of a copy: it failed, or passed where its original passes. */
static bool counter_look_at(struct countering *x, size_t number, const struct test_report *report,
	struct passing **passing, size_t *n)
{
	const struct counter_copy *copy = &x->plan.copies[number];
	bool is_seen = false;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		const char *original = counter_original_id(x, copy, result->id);
		is_seen = is_seen || original;
		if (!original || !counter_result(x, original))
			continue;
		x->has_failed[number] = x->has_failed[number] || test_status_is_red(result->status);
		if (result->status == TEST_PASSED && copy->kind != COUNTER_CALLED)
			ARENA_PUSH(
				x->gate->arena, *passing, *n, (struct passing){.copy = copy, .id = result->id});
	}
	return is_seen && copy->kind != COUNTER_CALLED;
}

/* The copies of a round that pass. */
static void counter_find_passing(struct countering *x, size_t round,
	const struct test_report *report, struct passing **ret_passing, size_t *ret_n)
{
	*ret_passing = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < x->plan.n; i++) {
		size_t before = *ret_n;
		if (x->plan.copies[i].round != round)
			continue;
		x->n_seen += counter_look_at(x, i, report, ret_passing, ret_n);
		x->n_passed += *ret_n > before;
	}
}

/* Whether a line of a run's log names a copy and says that it failed on purpose. */
static bool counter_is_logged(
	const struct countering *x, const struct counter_copy *copy, const char *log)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error ignored;
	size_t n;
	if (!log || !copy->mark || file_read(log, STRBUF_TEXT, &text, &ignored) < 0)
		return false;
	const char *at = text.text;
	for (const char *line; (line = text_next_line(&at, text.text + text.length, &n));)
		if (memmem(line, n, copy->mark, strlen(copy->mark)) &&
			memmem(line, n, x->plan.said, strlen(x->plan.said)))
			return true;
	return false;
}

/* Whether a failure on purpose is what a result says. Its details also have what the program
 * printed, of failures that were lost. */
static bool counter_says(const struct countering *x, const struct counter_copy *copy,
	const struct test_result *result, const char *log)
{
	return (result->message && strstr(result->message, x->plan.said)) ||
		(x->plan.files[copy->file]->type->goes_on && counter_is_logged(x, copy, log));
}

/* Whether the function that a copy changes was called with the fix: then its failure was lost. A
 * test that asserts nothing else must have called it. */
static bool counter_was_called(const struct countering *x, const struct counter_copy *copy)
{
	bool is_known = !copy->group;
	for (size_t i = 0; i < x->plan.n; i++) {
		const struct counter_copy *other = &x->plan.copies[i];
		bool is_its = other->kind == COUNTER_CALLED && other->test == copy->test &&
			other->group == copy->group;
		is_known = is_known || (is_its && x->has_failed[i]);
	}
	return is_known || copy->is_all;
}

/* Whether a copy that passes with the fix has to fail, going by the base. */
static bool counter_is_evidence(
	const struct countering *x, const struct passing *passing, const struct test_report *base)
{
	const struct counter_copy *copy = passing->copy;
	const struct test_result *result = test_report_find(base, passing->id);
	if (copy->kind == COUNTER_FIRST || copy->kind == COUNTER_LAST)
		return result && test_status_is_red(result->status) &&
			counter_says(x, copy, result, base->log) && counter_was_called(x, copy);
	if (x->originals[copy->test].is_goal)
		return !result || result->status != TEST_PASSED;
	return result && test_status_is_red(result->status);
}

static const char *counter_reason(const struct countering *x, const struct passing *passing)
{
	static const char *const whats[] = {[COUNTER_EXPECTED] = "that expects something else",
		[COUNTER_END] = "that fails after its last statement",
		[COUNTER_FIRST] = "that fails where the program calls it back",
		[COUNTER_LAST] = "that fails where the program calls it back"};
	const struct counter_copy *copy = passing->copy;
	return arena_printf(x->gate->arena,
		"the results cannot be trusted: a copy of %s %s passes: %s:%d: %s (rule counter-test)",
		x->originals[copy->test].id, whats[copy->kind], x->plan.files[copy->file]->path, copy->line,
		copy->shown);
}

/* Look at those that passed; the base is run where it has a say. */
static int counter_judge_passing(const struct countering *x, size_t round,
	const struct passing *passing, size_t n, const char **ret_reason, struct rondo_error *err)
{
	struct test_report base;
	for (size_t i = 0; i < n && !*ret_reason; i++)
		if (passing[i].copy->kind == COUNTER_END && x->originals[passing[i].copy->test].is_goal)
			*ret_reason = counter_reason(x, &passing[i]);
	if (!n || *ret_reason)
		return 0;
	if (counter_run_on(x, &x->gate->base->tree, "counter-base", round, passing, n, &base, err) < 0)
		return -1;
	for (size_t i = 0; i < n && !*ret_reason; i++)
		if (counter_is_evidence(x, &passing[i], &base))
			*ret_reason = counter_reason(x, &passing[i]);
	return 0;
}

/* --- What is told --- */

static void counter_note_missing(const struct countering *x)
{
	const char *why = NULL, *id = NULL;
	size_t n = 0;
	for (size_t i = 0; i < x->n_originals; i++) {
		if (!x->originals[i].why_not)
			continue;
		why = why ? why : x->originals[i].why_not;
		id = id ? id : x->originals[i].id;
		n++;
	}
	if (n == 1)
		gate_note(x->gate, x->verdict,
			arena_printf(x->gate->arena, "no counter-test of %s: %s", id, why));
	else if (n)
		gate_note(x->gate, x->verdict,
			arena_printf(
				x->gate->arena, "no counter-tests of %zu tests, such as %s: %s", n, id, why));
}

static void counter_note(const struct countering *x, size_t n_failed, size_t n_passing)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	size_t n_copied = 0;
	for (size_t i = 0; i < x->n_originals; i++)
		n_copied += !x->originals[i].why_not;
	if (n_failed)
		strbuf_addf(&text, "counter-tests: %zu cop%s of %zu test%s that must fail failed", n_failed,
			n_failed == 1 ? "y" : "ies", n_copied, text_plural(n_copied));
	else if (!n_passing)
		strbuf_adds(&text, "counter-tests: the copies could not be run");
	if (n_passing)
		strbuf_addf(&text, "%s%zu passed, from which nothing follows: at the base %s",
			n_failed ? "; " : "counter-tests: ", n_passing,
			n_passing == 1 ? "it fails for another reason, or passes, too"
						   : "they fail for other reasons, or pass, too");
	gate_note(x->gate, x->verdict, text.text);
	x->verdict->n_counter_tests = n_failed;
}

static int counter_judge_round(
	struct countering *x, size_t round, const char **ret_reason, struct rondo_error *err)
{
	struct test_report report;
	struct passing *passing;
	size_t n;
	if (counter_run_on(x, &x->verdict->tree, "counter", round, NULL, 0, &report, err) < 0)
		return -1;
	counter_find_passing(x, round, &report, &passing, &n);
	return counter_judge_passing(x, round, passing, n, ret_reason, err);
}

/* All that stand beside their originals in one run; then, as far as there is time, those that take
 * their places. */
static int counter_judge_copies(
	struct countering *x, const char **ret_reason, struct rondo_error *err)
{
	int64_t ms = 0;
	size_t n_beside;
	counter_ids(x, 0, NULL, 0, &n_beside);
	x->has_failed = arena_alloc(x->gate->arena, x->plan.n * sizeof *x->has_failed);
	if (n_beside && counter_judge_round(x, 0, ret_reason, err) < 0)
		return -1;
	for (size_t round = 1; round <= x->plan.n_rounds && !*ret_reason; round++) {
		ms += x->gate->baseline->first->duration_ms;
		if (round > 1 && ms > ROUNDS_MS_MOST)
			break;
		if (counter_judge_round(x, round, ret_reason, err) < 0)
			return -1;
	}
	if (!*ret_reason)
		counter_note(x, x->n_seen - x->n_passed, x->n_passed);
	return 0;
}

int counter_run(const struct gate *gate, struct verdict *verdict, const char **ret_reason,
	struct rondo_error *err)
{
	struct countering x = {.gate = gate, .verdict = verdict};
	char word[WORD_DIGITS + 1], said[WORD_DIGITS + 1];
	if (!gate->settings->counter_tests || gate->suite->type == &program_suite)
		return 0;
	hash_random(word, WORD_DIGITS);
	hash_random(said, WORD_DIGITS);
	word[0] = 'x';
	said[0] = 'y';
	counter_plan_init(&x.plan, word, said, gate->arena);
	counter_copy_all(&x);
	if (x.plan.n && !counter_can_run(&x)) {
		gate_note(gate, verdict,
			"no counter-tests: the suite takes long, and cannot run some of its tests alone");
		return 0;
	}
	if (x.plan.n && counter_judge_copies(&x, ret_reason, err) < 0)
		return -1;
	if (*ret_reason)
		return 0;
	counter_note_missing(&x);
	return alone_check(gate, verdict, ret_reason, err);
}
