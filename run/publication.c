#include "run/publication.h"

#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "run/journal/history.h"
#include "run/report/report.h"

/* --- Files --- */

int publication_keep_files(struct publication *publication, const struct run_env *env,
	const struct site *site, const struct object *tree, struct rondo_error *err)
{
	size_t n;
	const struct order *order = env->order;
	const char *own = arena_printf(env->arena, "%s/files", env->paths.dir), *clash = NULL;
	const char *dir = order->scenario->output.files;
	if (!dir)
		dir = order->work_dir;
	if (file_remove_tree(own, err) < 0) /* of a run that was killed here */
		return -1;
	if (dir && !order->force &&
		repository_export_clash(
			site->repository, &site->base.tree, tree, dir, env->arena, &clash, err) < 0)
		return -1;
	const char *to = dir && !clash ? dir : own;
	const char *modes = site->main.worktree ? worktree_dir(site->main.worktree) : NULL;
	if (repository_export(site->repository, &site->base.tree, tree, modes, to, &n, err) < 0)
		return -1;
	publication->files = n ? to : NULL;
	if (!clash)
		return 0;
	error_set(
		err, RONDO_ERROR_USAGE, "'%s/%s' is another file, and is not overwritten", dir, clash);
	return error_help(err, "what the run wrote is in '%s'; --force overwrites", own);
}

/* --- The suite's results --- */

int publication_junit(const struct run_env *env, const char *name, const char *stage,
	const struct test_report *report, struct rondo_error *err)
{
	const char *dir = env->order->scenario->output.junit;
	const char *file = arena_printf(env->arena, "junit-%s.xml", stage);
	struct junit_facts facts = {.name = name, .stage = stage};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (clock_made_ms(&facts.date_ms, err) < 0)
		return -1;
	junit_write(report, &facts, &text);
	if (env_keep(env, file, text.text, err) < 0)
		return -1;
	if (!dir)
		return 0;
	const char *copy = env_redact(env, text.text);
	if (file_make_dir(dir, 0777, err) < 0)
		return -1;
	return file_write(arena_printf(env->arena, "%s/%s", dir, file), copy, strlen(copy), 0644, err);
}

/* --- The branch --- */

/* The line of a commit's message that says of which run it is. */
static const char *publication_line(const struct run_env *env)
{
	return arena_printf(env->arena, "Rondo-Run: %s\n", env->paths.id);
}

/* A run that broke off after its branch was made finds it. */
bool publication_was_made(const struct run_env *env, struct repository *repository,
	const char *branch, struct object *ret_commit)
{
	return env->order->history &&
		repository_branch_says(repository, branch, publication_line(env), ret_commit);
}

int publication_add_branch(const struct run_env *env, const struct site *site,
	const struct object *tree, const struct run_report *report, struct object *commit,
	struct rondo_error *err)
{
	const struct scenario_output *output = &env->order->scenario->output;
	struct commit_options options = {.subject = output->subject, .co_authors = &output->co_authors};
	if (publication_was_made(env, site->repository, site->branch, commit))
		return repository_sync(site->repository, err);
	if (env->order->history)
		repository_unlock_branch(
			site->repository, site->branch, output->branch ? publication_line(env) : NULL);
	const char *message = env_redact(env, commit_message(report, &options, env->arena));
	return repository_publish(
		site->repository, &site->base, tree, site->branch, message, commit, err);
}

/* --- What else was asked for --- */

int publication_write_pull_request(struct publication *publication, const struct run_env *env,
	const struct run_report *report, struct rondo_error *err)
{
	const struct scenario_output *output = &env->order->scenario->output;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (!output->pull_request)
		return 0;
	pull_request_write(
		report, output->subject ? output->subject : commit_subject(report, env->arena), &text);
	const char *request = env_redact(env, text.text);
	if (file_write(output->pull_request, request, strlen(request), 0644, err) < 0)
		return -1;
	publication->pull_request = output->pull_request;
	return 0;
}

int publication_copy_patch(struct publication *publication, const struct run_env *env,
	const struct run_change *change, struct rondo_error *err)
{
	const char *to = env->order->scenario->output.patch;
	if (to && file_write(to, change->patch, change->patch_length, 0644, err) < 0)
		return -1;
	publication->patch_copy = to;
	return 0;
}

static int publication_write_copies(struct publication *publication, const struct run_env *env,
	const struct run_report *report, struct rondo_error *err)
{
	return publication_copy_patch(publication, env, report->change, err) < 0
		? -1
		: publication_write_pull_request(publication, env, report, err);
}

/* Who asks for a green suite does not want files changed that leave it red. */
static bool publication_is_applied(const struct scenario_output *output, enum run_outcome outcome)
{
	return output->apply && (outcome != RUN_VERIFIED_IN_PART || output->partial);
}

/* An error names the way out by the names that it has here. */
static int publication_apply(struct publication *publication, const struct site *site,
	const struct object *tree, const struct run_change *change, struct rondo_error *err)
{
	if (repository_apply(site->repository, &site->base, tree, err) == 0) {
		publication->applied_to = site->facts.root;
		return 0;
	}
	if (publication->commit)
		return error_help(err, "the fix is verified: git merge %s, or git apply --3way %s",
			publication->branch, change->path);
	return error_help(
		err, "the fix is verified: %s, or patch -p1 <%s", publication->files, change->path);
}

int publication_make(struct publication *publication, const struct run_env *env,
	const struct site *site, const struct object *tree, const struct run_report *report,
	struct rondo_error *err)
{
	struct object commit;
	if (site->facts.has_repository) {
		if (publication_add_branch(env, site, tree, report, &commit, err) < 0)
			return -1;
		publication->branch = site->branch;
		publication->commit = arena_strdup(env->arena, commit.hex);
		publication->n_commits = 1 + (size_t)site->base.is_snapshot;
	} else if (publication_keep_files(publication, env, site, tree, err) < 0) {
		return -1;
	}
	if (publication_write_copies(publication, env, report, err) < 0)
		return -1;
	return publication_is_applied(&env->order->scenario->output, report->outcome)
		? publication_apply(publication, site, tree, report->change, err)
		: 0;
}
