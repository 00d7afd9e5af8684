/*
 * Programs that hold tests of their own. Each assertion is as it was; those that ran at the
 * base run and pass, and the program reaches its end: it prints marks on the way, which nobody
 * could know before.
 */
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "verify/gate/judging.h"

#define LARGEST_LOG ((size_t)256 << 20)
#define MARK_BYTES "x.0123456789endpr"

/* Runners of tests name each test that they ran; what prints by itself names none. */
static bool program_prints_marks(const struct gate *gate)
{
	return gate->suite->type == &program_suite || gate->suite->type == &command_suite;
}

/* Each program has its own. */
static const char *program_token_of(const struct gate *gate, const struct seal *seal, size_t number)
{
	return arena_printf(gate->arena, "%sx%zu", seal->token, number);
}

/* A program as it was and as it is; ret_fixed: NULL where it is gone. */
static int program_read_texts(const struct gate *gate, const struct object *tree, const char *path,
	const char **ret_old, const char **ret_fixed, struct rondo_error *err)
{
	AUTO_STRBUF old = STRBUF_INIT(STRBUF_TEXT), fixed = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error absent;
	if (repository_file(gate->repository, &gate->base->tree, path, &old, err) < 0)
		return -1;
	bool found = repository_file(gate->repository, tree, path, &fixed, &absent) == 0;
	*ret_old = arena_strndup(gate->arena, old.text, old.length);
	*ret_fixed = found ? arena_strndup(gate->arena, fixed.text, fixed.length) : NULL;
	return 0;
}

static int program_seal_one(const struct gate *gate, const struct object *tree, size_t number,
	struct checkout *place, struct seal *seal, struct judging *judging, struct rondo_error *err)
{
	const char *path = gate->suite->own_tests[number], *old, *fixed, *missing = path;
	if (program_read_texts(gate, tree, path, &old, &fixed, err) < 0)
		return -1;
	if (!fixed || !program_keeps_parts(path, old, fixed, gate->arena, &missing)) {
		judging->protected_path = path;
		judging->refusal = arena_printf(gate->arena,
			"a test in %s was changed (rule " PROTECTED_ASSERTION "): %s", path, missing);
		return 0;
	}
	bool marks = !gate->surveys || gate->surveys[number].has_run;
	const char *sealed = !program_prints_marks(gate)
		? NULL
		: program_seal_text(
			  path, old, fixed, program_token_of(gate, seal, number), marks, gate->arena);
	if (!sealed)
		return 0;
	seal->is_set = true;
	struct file_edit file = {.path = path, .content = sealed};
	return worktree_apply(place->worktree, &(struct edit){.files = &file, .n = 1}, err);
}

int program_seal(const struct gate *gate, const struct object *tree, struct checkout *place,
	struct seal *seal, struct judging *judging, struct rondo_error *err)
{
	const char *const *own = gate->suite->own_tests;
	hash_random(seal->token, sizeof seal->token - 1);
	for (size_t i = 0; own && own[i] && !judging->refusal; i++)
		if (program_seal_one(gate, tree, i, place, seal, judging, err) < 0)
			return -1;
	return 0;
}

int program_read_marks(const struct gate *gate, const struct seal *seal, struct judging *judging,
	struct rondo_error *err)
{
	AUTO_STRBUF output = STRBUF_INIT(LARGEST_LOG), marks = STRBUF_INIT(STRBUF_TEXT);
	size_t n = strlen(seal->token);
	judging->seal = *seal;
	if (!seal->is_set || !judging->report.log)
		return 0;
	if (file_read(judging->report.log, LARGEST_LOG, &output, err) < 0)
		return -1;
	for (const char *at = strstr(output.text, seal->token); at; at = strstr(at + n, seal->token))
		strbuf_addf(&marks, "%.*s\n", (int)(n + strspn(at + n, MARK_BYTES)), at);
	judging->marks = arena_strndup(gate->arena, marks.text, marks.length);
	return 0;
}

/* --- What the marks say --- */

static bool program_was_printed(
	const struct gate *gate, const struct judging *judging, size_t number, const char *mark)
{
	return strstr(judging->marks,
		arena_printf(gate->arena, "%s%s\n", program_token_of(gate, &judging->seal, number), mark));
}

int program_survey(struct gate *gate, struct rondo_error *err)
{
	struct judging base;
	struct judging_order order = {.name = "program-base"};
	const char *const *own = gate->suite->own_tests;
	size_t n = 0;
	if (!own || !program_prints_marks(gate))
		return 0;
	if (judging_run(gate, &gate->base->tree, &order, &base, err) < 0)
		return -1;
	while (own[n])
		n++;
	struct program_survey *surveys = arena_alloc(gate->arena, n * sizeof *surveys);
	for (size_t i = 0; i < n && base.marks; i++) {
		const char *old, *same, *token = program_token_of(gate, &base.seal, i);
		if (program_read_texts(gate, &gate->base->tree, own[i], &old, &same, err) < 0)
			return -1;
		surveys[i].n =
			program_duties(own[i], old, base.marks, token, gate->arena, &surveys[i].duties);
		surveys[i].has_run = strstr(base.marks, token);
	}
	gate->surveys = surveys;
	return 0;
}

/* Whether what ran at the base has run and passed, and the program has reached its end. */
static const char *program_check_one(
	const struct gate *gate, const struct judging *judging, size_t number)
{
	const struct program_survey *survey = &gate->surveys[number];
	const char *path = gate->suite->own_tests[number];
	for (size_t i = 0; survey->has_run && i < survey->n; i++)
		if (!program_was_printed(gate, judging, number, survey->duties[i].mark))
			return arena_printf(gate->arena,
				"a test in %s does not run any more, or its failure is caught "
				"(rule program-test): %s",
				path, survey->duties[i].text);
	if ((survey->has_run || gate->suite->type == &program_suite) &&
		!program_was_printed(gate, judging, number, ".end"))
		return arena_printf(gate->arena, "%s does not reach its end (rule program-end)", path);
	return NULL;
}

const char *program_check_marks(const struct gate *gate, const struct judging *judging)
{
	const char *refusal = NULL;
	for (size_t i = 0; gate->surveys && judging->marks && gate->suite->own_tests[i] && !refusal;
		 i++)
		refusal = program_check_one(gate, judging, i);
	return refusal;
}

/* --- A test of the gate's own that must fail --- */

/* Which part of the program failed at the base, and was not merely out of reach. The number of its
 * parts where none did. */
static size_t program_failed_part(const struct gate *gate, const char *old)
{
	const struct suite *suite = gate->suite;
	const struct baseline *baseline = gate->baseline;
	struct program_part *parts;
	size_t n = program_parts(suite->program, old, gate->arena, &parts), at = 0;
	for (size_t i = 0; i < n; i++) {
		if (parts[i].kind == PART_TEST)
			continue;
		const char *id = at < suite->n_assertions ? suite->assertions[at++].id : "";
		const struct test_result *result = test_report_find(baseline->first, id);
		bool is_goal = false;
		for (size_t g = 0; g < baseline->n_goal; g++)
			is_goal = is_goal || strcmp(baseline->goal[g], id) == 0;
		if (is_goal && result && result->message &&
			!text_starts_with(result->message, PROGRAM_NOT_REACHED))
			return i;
	}
	return n;
}

int program_put_counter(const struct gate *gate, const struct object *tree, struct checkout *place,
	bool *ret_put, struct rondo_error *err)
{
	char word[17];
	const char *path = gate->suite->program, *old, *fixed;
	*ret_put = false;
	if (program_read_texts(gate, tree, path, &old, &fixed, err) < 0)
		return -1;
	hash_random(word, sizeof word - 1);
	const char *text = !fixed
		? NULL
		: program_counter_text(path, old, fixed, program_failed_part(gate, old), word, gate->arena);
	if (!text)
		return 0;
	*ret_put = true;
	struct file_edit file = {.path = path, .content = text};
	return worktree_apply(place->worktree, &(struct edit){.files = &file, .n = 1}, err);
}

int program_counter(const struct gate *gate, struct verdict *verdict, const char **ret_reason,
	struct rondo_error *err)
{
	struct judging judging;
	struct judging_order order = {.name = "program-counter", .counter = true};
	*ret_reason = NULL;
	if (!gate->suite->own_tests || gate->suite->type != &program_suite)
		return 0;
	if (judging_run(gate, &verdict->tree, &order, &judging, err) < 0)
		return -1;
	if (!judging.has_counter)
		return 0;
	if (judging.comparison.ok)
		*ret_reason = arena_printf(gate->arena,
			"the results cannot be trusted: a test that must fail, put into %s, was not reported "
			"(rule sentinel)",
			gate->suite->program);
	else
		gate_note(gate, verdict, "a test of the gate's own, put after the one that failed, failed");
	return 0;
}
