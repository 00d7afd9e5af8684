/* A verified fix leaves the run: as a branch, a patch, files, in the checkout; each as asked for. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

/* "cart/pricing.py:41  swap ..." as a subject and body with the evidence as trailers. */
static const char *commit_message(const struct run *run)
{
	const struct run_result *result = run->result;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&text, "Fix %s", result->what ? result->what : "the failing tests");
	strbuf_truncate(&text, strcspn(text.text, "\n"));
	strbuf_addf(&text, "\n\nFound and verified by rondo: `%s` at the base and in a fresh checkout of the fix.\n\n",
		result->command);
	strbuf_addf(&text, "Rondo-Run: %s\n", result->id);
	strbuf_addf(&text, "Rondo-Tests: %zu passed, %zu failed (was %zu, %zu)\n", result->n_passed_after,
		result->n_tests - result->n_passed_before - result->n_fixed, result->n_passed_before,
		result->n_tests - result->n_passed_before);
	for (size_t i = 0; i < result->n_goal; i++)
		strbuf_addf(&text, "Rondo-Fixed: %s\n", result->goal[i].id);
	if (result->models)
		strbuf_addf(&text, "Rondo-Model: %s; %s\n", result->models, result->spent);
	else
		strbuf_adds(&text, "Rondo-Model: none (repair)\n");
	return arena_strdup(run->arena, text.text);
}

static int keep_file(struct run *run, const struct object *tree, const char *dir, const char *name,
	struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	const char *path = arena_printf(run->arena, "%s/%s", dir, name);
	const char *above = arena_strndup(run->arena, path, (size_t)(strrchr(path, '/') - path));
	if (repository_file(run->repository, tree, name, &text, err) < 0 || file_make_dir(above, 0700, err) < 0)
		return -1;
	return file_write(path, text.text, text.length, 0600, err);
}

int publish_files(struct run *run, const struct object *tree, struct rondo_error *err)
{
	struct diff diff;
	const char *own = arena_printf(run->arena, "%s/files", run->paths.dir);
	const char *dir = run->scenario->output.files ? run->scenario->output.files : own;
	if (file_remove_tree(own, err) < 0) /* of a run that was killed here */
		return -1;
	if (repository_diff(run->repository, &run->base.tree, tree, run->arena, &diff, err) < 0)
		return -1;
	for (size_t i = 0; i < diff.n; i++)
		if (diff.changes[i].status != CHANGE_DELETED && keep_file(run, tree, dir, diff.changes[i].path, err) < 0)
			return -1;
	run->result->files = diff.n ? dir : NULL;
	return 0;
}

/* A run that broke off behind its branch finds it there: the commit says of which run it is. */
bool publish_was_done(const struct run *run, struct object *ret_commit)
{
	return run->past && repository_branch_says(run->repository, run->result->branch,
				    arena_printf(run->arena, "Rondo-Run: %s\n", run->paths.id), ret_commit);
}

static int make_branch(struct run *run, const struct object *tree, struct object *commit, struct rondo_error *err)
{
	if (publish_was_done(run, commit))
		return 0;
	if (run->past && !run->scenario->output.branch)
		repository_unlock_branch(run->repository, run->result->branch);
	return repository_publish(
		run->repository, &run->base, tree, run->result->branch, commit_message(run), commit, err);
}

int publish_run(struct run *run, const struct object *tree, struct rondo_error *err)
{
	struct run_result *result = run->result;
	const struct scenario_output *output = &run->scenario->output;
	struct object commit;
	if (result->has_repository) {
		if (make_branch(run, tree, &commit, err) < 0)
			return -1;
		result->commit = arena_strdup(run->arena, commit.hex);
		result->n_commits = 1 + (size_t)run->base.is_snapshot;
	} else if (publish_files(run, tree, err) < 0) {
		return -1;
	}
	if (output->patch && file_write(output->patch, result->patch, result->patch_length, 0644, err) < 0)
		return -1;
	result->patch_copy = output->patch;
	if (!output->apply)
		return 0;
	if (repository_apply(run->repository, &run->base, tree, err) < 0)
		return -1;
	result->applied_to = result->root;
	return 0;
}
