#include "verify/gate/scope.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/gate/judging.h"

/* Such tests are judged last. */
static bool scope_is_new_test(const struct gate *gate, const char *path)
{
	return !gate_has(gate, path) && protection_allows_new(gate->protection, path);
}

/* The rule that protects a path from this change. */
static const char *scope_rule(const struct judgement *judgement, const char *path)
{
	return text_in(judgement->named, judgement->n_named, path)
		? NULL
		: protection_rule(judgement->gate->protection, path);
}

/* Find build files that only name what comes with the change. A source that can be run is none. */
static int scope_find_named(
	struct judgement *judgement, const struct object *fixed, struct rondo_error *err)
{
	const struct gate *gate = judgement->gate;
	struct file_change *changes;
	const char **added = NULL;
	size_t n, n_added = 0;
	if (repository_changes(
			gate->repository, &gate->base->tree, fixed, gate->arena, &changes, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!changes[i].old && changes[i].text && S_ISREG(changes[i].mode) &&
			!(changes[i].mode & 0111) && !protection_rule(gate->protection, changes[i].path))
			ARENA_PUSH(gate->arena, added, n_added, changes[i].path);
	for (size_t i = 0; n_added && i < n; i++)
		if (changes[i].old && changes[i].text && changes[i].mode == changes[i].old_mode &&
			build_file_only_names(changes[i].path, changes[i].old, changes[i].text, added, n_added))
			ARENA_PUSH(gate->arena, judgement->named, judgement->n_named, changes[i].path);
	return 0;
}

static bool scope_keep_protected(void *owner, const char *path)
{
	struct judgement *judgement = owner;
	const struct gate *gate = judgement->gate;
	struct verdict *verdict = judgement->verdict;
	const char *rule = scope_rule(judgement, path);
	if (rule && !scope_is_new_test(gate, path)) {
		ARENA_PUSH(
			gate->arena, judgement->kept, judgement->n_kept, arena_strdup(gate->arena, path));
		ARENA_PUSH(gate->arena, verdict->left_out, verdict->n_left_out,
			arena_printf(gate->arena, "%s (rule %s)", path, rule));
	}
	return rule;
}

int scope_take(struct judgement *judgement, const struct object *fixed, struct rondo_error *err)
{
	const struct gate *gate = judgement->gate;
	if (scope_find_named(judgement, fixed, err) < 0)
		return -1;
	return repository_merge_tree(gate->repository, &gate->base->tree, fixed, scope_keep_protected,
		judgement, &judgement->verdict->tree, err);
}

int gate_take(const struct gate *gate, const struct object *fixed, struct verdict *verdict,
	struct rondo_error *err)
{
	struct verdict taken = {.kind = VERDICT_NOT_FIXED};
	struct gate own = *gate;
	if (scope_take(&(struct judgement){.gate = &own, .verdict = &taken}, fixed, err) < 0)
		return -1;
	*verdict = taken;
	return 0;
}

/* Whether a test of the goal may stand in a file: its id or its report names it. */
static bool scope_holds_goal(const struct baseline *baseline, const char *path)
{
	const char *name = file_name(path);
	size_t n = strcspn(name, ".");
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const char *id = baseline->goal[i];
		const struct test_result *result = test_report_find(baseline->first, id);
		if ((n && memmem(id, strlen(id), name, n)) ||
			(result && result->file && strcmp(result->file, path) == 0))
			return true;
	}
	return false;
}

void inspection_add_tests(struct inspection *inspection, struct repository *repository,
	const struct object *base, const struct protection *protection, const struct baseline *baseline)
{
	enum { TEXTS_MOST = 100 };
	struct arena *arena = inspection->arena;
	const char **paths = NULL, **texts = NULL, **goals = NULL;
	struct rondo_error ignored;
	for (size_t i = 0; i < inspection->n_base_paths; i++) {
		const char *path = inspection->base_paths[i];
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		if (!protection_is_test(protection, path))
			continue;
		ARENA_PUSH(arena, paths, inspection->n_test_paths, path);
		bool is_wanted = inspection->n_test_texts < TEXTS_MOST,
			 is_goal = scope_holds_goal(baseline, path);
		if ((!is_wanted && !is_goal) ||
			repository_file(repository, base, path, &text, &ignored) < 0)
			continue;
		const char *copy = arena_strndup(arena, text.text, text.length);
		if (is_wanted)
			ARENA_PUSH(arena, texts, inspection->n_test_texts, copy);
		if (is_goal)
			ARENA_PUSH(arena, goals, inspection->n_goal_texts, copy);
	}
	inspection->goal_texts = goals;
	inspection->test_paths = paths;
	inspection->test_texts = texts;
}

/* Whether the suite had results of a module's doctests: "shop/cart.py::shop.cart.total" by pytest,
 * "shop.cart.total" by a DocTestSuite. */
static bool scope_runs_examples(const struct gate *gate, const char *path)
{
	const struct test_report *report = gate->baseline->first;
	if (!text_ends_with(path, ".py") || protection_is_test(gate->protection, path))
		return false;
	char *module = arena_strndup(gate->arena, path, strlen(path) - strlen(".py"));
	for (char *at = module; *at; at++)
		*at = *at == '/' ? '.' : *at;
	for (size_t i = 0; i < report->n; i++) {
		const char *id = report->results[i]->id;
		if (text_starts_with(id, path) && text_starts_with(id + strlen(path), "::"))
			return true;
		for (const char *name = module; name; name = strchr(name, '.')) {
			name += *name == '.';
			if (text_starts_with(id, name) && id[strlen(name)] == '.')
				return true;
		}
	}
	return false;
}

int scope_inspect(struct judgement *judgement, const struct object *fixed, struct rondo_error *err)
{
	const struct gate *gate = judgement->gate;
	struct file_change *changes;
	struct changed_file *files = NULL;
	size_t n_changes, n = 0;
	if (repository_changes(
			gate->repository, &gate->base->tree, fixed, gate->arena, &changes, &n_changes, err) < 0)
		return -1;
	for (size_t i = 0; i < n_changes; i++) {
		const struct file_change *change = &changes[i];
		bool is_test = scope_is_new_test(gate, change->path);
		if (is_test)
			ARENA_PUSH(gate->arena, judgement->new_tests, judgement->n_new_tests, *change);
		if (is_test || !scope_rule(judgement, change->path))
			ARENA_PUSH(gate->arena, files, n,
				(struct changed_file){.path = change->path,
					.old = change->old,
					.text = change->text,
					.n_old = change->n_old,
					.n_text = change->n_text,
					.old_mode = change->old_mode,
					.mode = change->mode,
					.is_test = is_test,
					.runs_examples = scope_runs_examples(gate, change->path)});
	}
	struct inspection inspection = {.files = files,
		.n = n,
		.base_paths = gate->base_paths,
		.n_base_paths = gate->n_base_paths,
		.arena = gate->arena};
	inspection_add_tests(
		&inspection, gate->repository, &gate->base->tree, gate->protection, gate->baseline);
	guard_inspect(&inspection);
	judgement->verdict->findings = inspection.findings;
	judgement->verdict->n_findings = inspection.n_findings;
	return 0;
}
