/* A verified fix leaves the run: as a branch, a patch, files, in the checkout; each as asked for. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/fix.h"

/* "cart/pricing.py:41  swap ..." as a subject and body with the evidence as trailers. */
static const char *commit_message(const struct fix_run *run)
{
	const struct fix_result *result = run->result;
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
	strbuf_adds(&text, "Rondo-Model: none (repair)\n");
	return arena_strdup(run->arena, text.text);
}

/* The changed files of a program that lies in no repository, as they are now. */
static int keep_files(struct fix_run *run, const struct object *tree, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const char *path = arena_printf(run->arena, "%s/files/%s", run->paths.dir, run->suite.program);
	const char *dir = arena_strndup(run->arena, path, (size_t)(strrchr(path, '/') - path));
	if (repository_file(run->repository, tree, run->suite.program, &text, err) < 0 ||
		file_make_dir(dir, 0700, err) < 0)
		return -1;
	return file_write(path, text.text, text.length, 0600, err);
}

int publish_run(struct fix_run *run, const struct object *tree, struct rondo_error *err)
{
	struct fix_result *result = run->result;
	const struct fix_options *options = run->options;
	struct object commit;
	if (result->has_repository) {
		if (repository_publish(run->repository, &run->base, tree, result->branch,
			    commit_message(run), &commit, err) < 0)
			return -1;
		result->commit = arena_strdup(run->arena, commit.hex);
		result->n_commits = 1 + (size_t)run->base.is_snapshot;
	} else if (keep_files(run, tree, err) < 0) {
		return -1;
	}
	if (options->patch && file_write(options->patch, result->patch, result->patch_length, 0644, err) < 0)
		return -1;
	if (!options->apply)
		return 0;
	if (repository_apply(run->repository, &run->base, tree, err) < 0)
		return -1;
	result->applied_to = result->root;
	return 0;
}
