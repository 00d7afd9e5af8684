/*
 * Counter-tests: copies of tests that the fix repairs, and of a few that passed at the base, which
 * expect something wrong or fail by themselves (verify/counter/). One that passes with the fix
 * shows that its results say nothing. What passes is run at the base, too: copies say nothing that
 * pass there as well; and a failure that is put where the program calls the test back must have
 * reached the test's result there, since some programs lose such failures rightly. Copies that are
 * the same but for their names must pass (counter_same.c).
 */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "verify/gate/countering.h"

#define WORD_DIGITS 10
#define COPIES_MS_MOST 20000 /* that the copied tests may take */

enum { GOALS_MOST = 12, OTHERS_MOST = 3, PATHS_TRIED_MOST = 20, COPIES_MOST = 12 };

/* --- Which tests --- */

const struct test_result *counter_result(const struct countering *x, const char *id)
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

/* Of the tests that passed at the base, and may stand in a file (NULL: anywhere), those whose
 * hashes, with the tree's, are the lowest: the same for the same fix. */
static size_t counter_choose(
	const struct countering *x, const struct counter_file *file, const char *chosen[OTHERS_MOST])
{
	const struct baseline *baseline = x->gate->baseline;
	char lowest[OTHERS_MOST][HASH_SIZE];
	size_t n = 0;
	for (size_t i = 0; i < baseline->n_green; i++) {
		char hash[HASH_SIZE];
		const char *id = baseline->green[i];
		if (file && !file->type->may_hold(id, file->path))
			continue;
		const char *text = arena_printf(x->gate->arena, "%s %s", x->verdict->tree.hex, id);
		hash_bytes(text, strlen(text), hash);
		for (size_t j = 0; j < OTHERS_MOST; j++) {
			if (j < n && strcmp(hash, lowest[j]) >= 0)
				continue;
			n += n < OTHERS_MOST;
			memmove(chosen + j + 1, chosen + j, (n - 1 - j) * sizeof *chosen);
			memmove(lowest + j + 1, lowest + j, (n - 1 - j) * sizeof *lowest);
			chosen[j] = id;
			memcpy(lowest[j], hash, sizeof hash);
			break;
		}
	}
	return n;
}

static void counter_want_others(struct countering *x)
{
	const char *chosen[OTHERS_MOST];
	size_t n = counter_choose(x, NULL, chosen);
	for (size_t i = 0; i < n; i++)
		counter_want(x, chosen[i], false);
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

/* How many copies of a test there is time for. */
static size_t counter_most(const struct countering *x, const struct test_result *result)
{
	int64_t each_ms = result ? result->duration_ms : 0, left_ms = COPIES_MS_MOST - x->ms;
	if (left_ms <= 0)
		return 0;
	return each_ms && left_ms / each_ms < COPIES_MOST ? (size_t)(left_ms / each_ms) : COPIES_MOST;
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
	const struct test_result *result = counter_result(x, original->id);
	struct counter_test test = {.id = original->id,
		.most = counter_most(x, result),
		.only_same = original->only_same,
		.only_end = is_changed, /* the base has another text to compare with */
		.is_suite = suite_is_id(x->gate->suite, original->id),
		.failed_line = counter_failed_line(x, original->id, path),
		.number = number};
	size_t before = x->plan.n;
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
	original->why_not = "tests of this runner cannot be copied";
	if (!counter_most(x, counter_result(x, original->id))) {
		original->why_not = "there is no time for it";
		return;
	}
	for (size_t i = 0; i < counter_types_n; i++) {
		const struct counter_type *type = counter_types[i];
		if (!counter_type_reads(type, gate->baseline->first->format))
			continue;
		original->why_not = "its file is not known";
		for (size_t j = 0; j < gate->n_base_paths && tried < PATHS_TRIED_MOST; j++)
			if (type->may_hold(original->id, gate->base_paths[j]) && ++tried &&
				counter_copy_from(x, number, type, gate->base_paths[j]))
				return;
	}
}

/* Beside tests of the goal, copies of others in their files that are the same: they show whether
 * names count there. */
static void counter_copy_beside(struct countering *x)
{
	for (size_t i = 0; i < x->plan.n_files; i++) {
		const struct counter_file *file = x->plan.files[i];
		const char *chosen[OTHERS_MOST];
		size_t n = file->is_changed ? 0 : counter_choose(x, file, chosen);
		for (size_t j = 0; j < n; j++) {
			size_t number = x->n_originals;
			counter_want(x, chosen[j], false);
			if (x->n_originals == number)
				continue;
			x->originals[number].only_same = true;
			counter_copy_from(x, number, file->type, file->path);
		}
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
	counter_copy_beside(x);
}

/* --- What is told --- */

static void counter_note_missing(const struct countering *x)
{
	const char *why = NULL, *id = NULL;
	size_t n = 0;
	for (size_t i = 0; i < x->n_originals; i++) {
		if (!x->originals[i].why_not || x->originals[i].only_same)
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
		n_copied += !x->originals[i].why_not && !x->originals[i].only_same;
	if (n_failed)
		strbuf_addf(&text,
			"counter-tests: %zu cop%s of %zu test%s that expect%s something wrong failed, as %s "
			"must",
			n_failed, n_failed == 1 ? "y" : "ies", n_copied, text_plural(n_copied),
			n_failed == 1 ? "s" : "", n_failed == 1 ? "it" : "they");
	else if (!n_passing)
		strbuf_adds(&text, "counter-tests: the copies could not be run");
	if (n_passing)
		strbuf_addf(&text, "%s%zu passed, from which nothing follows",
			n_failed ? "; " : "counter-tests: ", n_passing);
	if (x->n_same)
		strbuf_addf(&text, "; %zu cop%s in which only names are others passed, as %s must",
			x->n_same, x->n_same == 1 ? "y" : "ies", x->n_same == 1 ? "it" : "they");
	gate_note(x->gate, x->verdict, text.text);
	x->verdict->n_counter_tests = n_failed;
}

int counter_run(const struct gate *gate, struct verdict *verdict, const char **ret_reason,
	struct rondo_error *err)
{
	struct countering x = {.gate = gate, .verdict = verdict};
	char word[WORD_DIGITS + 1], said[WORD_DIGITS + 1];
	if (!gate->settings->counter_tests)
		return 0;
	if (gate->suite->type == &program_suite) {
		gate_note(gate, verdict, "no counter-tests: the program holds its own tests");
		return 0;
	}
	hash_random(word, WORD_DIGITS);
	hash_random(said, WORD_DIGITS);
	word[0] = 'x';
	said[0] = 'y';
	counter_plan_init(&x.plan, word, said, gate->arena);
	counter_copy_all(&x);
	bool can_run = counter_can_run(&x);
	if (x.plan.n && !can_run) {
		gate_note(gate, verdict,
			"no counter-tests: the suite takes long, and cannot run some of its tests alone");
		return 0;
	}
	if ((x.plan.n && counter_judge_copies(&x, ret_reason, err) < 0) ||
		(!*ret_reason && same_judge(&x, ret_reason, err) < 0))
		return -1;
	verdict->is_by_counter_test = *ret_reason;
	if (*ret_reason)
		return 0;
	if (x.plan.n)
		counter_note(&x, x.n_seen - x.n_passed, x.n_passed);
	counter_note_missing(&x);
	return 0;
}
