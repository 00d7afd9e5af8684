/* A verified fix leaves the run: as a branch, a patch, files, in the checkout; each as asked for. */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/report/commit_message.h"
#include "run/report/junit.h"
#include "run/report/pull_request.h"
#include "run/stages.h"

/* Text that leaves the run, without keys. */
static const char *clean(const struct run *run, const char *text)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_RECORD);
	secrets_redact(run->secrets, &sb, text, strlen(text));
	return arena_strndup(run->arena, sb.text, sb.length);
}

static const char *message_of(const struct run *run)
{
	const struct scenario_output *output = &run->scenario->output;
	struct commit_wishes wishes = {.subject = output->subject, .co_authors = &output->co_authors};
	return clean(run, commit_message(run->result, &wishes, run->arena));
}

/* --- Files --- */

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

/* --- The suite's results --- */

static const char *junit_name(const struct run *run, const char *stage)
{
	return arena_printf(run->arena, "junit-%s.xml", stage);
}

int publish_junit(const struct run *run, const char *stage, const struct test_report *report, struct rondo_error *err)
{
	const char *dir = run->scenario->output.junit, *name = junit_name(run, stage);
	struct junit_facts facts = {.name = run->result->name, .stage = stage};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (clock_made_ms(&facts.date_ms, err) < 0)
		return -1;
	junit_write(report, &facts, &text);
	if (report_keep(run, name, text.text, err) < 0)
		return -1;
	if (!dir)
		return 0;
	const char *copy = clean(run, text.text);
	if (file_make_dir(dir, 0777, err) < 0 ||
		file_write(arena_printf(run->arena, "%s/%s", dir, name), copy, strlen(copy), 0644, err) < 0)
		return -1;
	run->result->junit = dir;
	return 0;
}

/* --- The branch --- */

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
		run->repository, &run->base, tree, run->result->branch, message_of(run), commit, err);
}

/* --- By wish --- */

/* What needs an existing directory above it: else hours may pass until that is said. */
static int check_file(const struct run *run, const char *path, struct rondo_error *err)
{
	if (!path)
		return 0;
	const char *slash = strrchr(path, '/');
	const char *dir = slash > path ? arena_strndup(run->arena, path, (size_t)(slash - path)) : "/";
	if (file_is_dir(path))
		return error_set(err, RONDO_ERROR_USAGE, "cannot write '%s': it is a directory", path);
	if (file_is_dir(dir) && access(dir, W_OK) == 0)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "cannot write '%s': %s", path,
		file_is_dir(dir) ? "its directory is read-only" : "there is no directory for it");
	return error_help(err, "mkdir -p '%s', or name another file", dir);
}

int publish_check(const struct run *run, struct rondo_error *err)
{
	const struct scenario_output *output = &run->scenario->output;
	int64_t date_ms;
	if (clock_made_ms(&date_ms, err) < 0 || check_file(run, output->patch, err) < 0)
		return -1;
	return check_file(run, output->pull_request, err);
}

static int write_pull_request(struct run *run, const char *path, struct rondo_error *err)
{
	const char *wished = run->scenario->output.subject;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	pull_request_write(run->result, wished ? wished : commit_subject(run->result, run->arena), &text);
	const char *request = clean(run, text.text);
	if (file_write(path, request, strlen(request), 0644, err) < 0)
		return -1;
	run->result->pull_request = path;
	return 0;
}

static int write_copies(struct run *run, struct rondo_error *err)
{
	struct run_result *result = run->result;
	const struct scenario_output *output = &run->scenario->output;
	if (output->patch && file_write(output->patch, result->patch, result->patch_length, 0644, err) < 0)
		return -1;
	result->patch_copy = output->patch;
	return output->pull_request ? write_pull_request(run, output->pull_request, err) : 0;
}

/* The way out of a refusal, by the names that it has here. */
static int apply(struct run *run, const struct object *tree, struct rondo_error *err)
{
	struct run_result *result = run->result;
	if (repository_apply(run->repository, &run->base, tree, err) == 0) {
		result->applied_to = result->root;
		return 0;
	}
	if (result->commit)
		return error_help(err, "the fix is verified: git merge %s, or git apply --3way %s", result->branch, result->patch_path);
	return error_help(err, "the fix is verified: %s, or patch -p1 <%s", result->files, result->patch_path);
}

int publish_run(struct run *run, const struct object *tree, struct rondo_error *err)
{
	struct run_result *result = run->result;
	struct object commit;
	if (result->has_repository) {
		if (make_branch(run, tree, &commit, err) < 0)
			return -1;
		result->commit = arena_strdup(run->arena, commit.hex);
		result->n_commits = 1 + (size_t)run->base.is_snapshot;
	} else if (publish_files(run, tree, err) < 0) {
		return -1;
	}
	if (write_copies(run, err) < 0)
		return -1;
	return run->scenario->output.apply ? apply(run, tree, err) : 0;
}
