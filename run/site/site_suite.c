/*
 * Which suite is run where nobody named one: that of the directory that the user named or is in, or
 * of the nearest one above. Where the root has none: those of the projects that were worked on
 * last.
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "run/site/site.h"

enum {
	PROJECTS_MOST = 8, /* more are a matter for the user */
	PROJECTS_NAMED = 4,
};

/* How many commits are looked at, one number after the other, until a project has been touched. */
static const size_t history[] = {1, 10, 100};

const char *site_named_dir(const struct site *site)
{
	const char *root = site->facts.root;
	bool is_below = file_is_dir(site->path) && file_is_below(site->path, root);
	const char *rest = is_below ? site->path + strlen(root) : "";
	rest += *rest == '/';
	for (size_t i = 0; i < site->paths.n; i++)
		if (*rest && file_is_below(site->paths.items[i], rest))
			return rest;
	return "";
}

/* "app, lib"; of many only the first. */
static const char *projects_list(const struct suite *suites, size_t n, struct arena *arena)
{
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	size_t shown = n < PROJECTS_NAMED ? n : PROJECTS_NAMED;
	for (size_t i = 0; i < shown; i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "", suites[i].dir);
	if (shown < n)
		strbuf_addf(&list, " and %zu more", n - shown);
	return arena_strdup(arena, list.text);
}

/* The paths that uncommitted work and the last commits changed, as far back as the history goes. */
static int projects_find_touched(const struct site *site, size_t n_commits, struct arena *arena,
	const char ***ret_paths, size_t *ret_n, struct rondo_error *err)
{
	const struct base *base = &site->base;
	struct object commit = base->commit, tree = base->tree;
	bool found = true;
	for (size_t back = n_commits + base->is_snapshot; back && found; back--)
		if (repository_parent(site->repository, &commit, &commit, &tree, &found, err) < 0)
			return -1;
	return repository_changed_paths(
		site->repository, &tree, &base->tree, arena, ret_paths, ret_n, err);
}

/* Where nothing was touched, as in a repository of one commit, all projects count. */
static int projects_find(struct site *site, const struct run_env *env, const char *dir,
	struct suite **ret_suites, size_t *ret_n, const char **ret_why, struct rondo_error *err)
{
	const char **touched, **all = site->paths.items;
	size_t n_touched;
	for (size_t i = 0; i < ARRAY_SIZE(history); i++) {
		if (projects_find_touched(site, history[i], env->arena, &touched, &n_touched, err) < 0)
			return -1;
		*ret_n = suite_detect_projects(
			dir, all, site->paths.n, touched, n_touched, PROJECTS_MOST, env->arena, ret_suites);
		bool is_dirty = site->base.is_snapshot;
		*ret_why = i   ? arena_printf(env->arena, ", which the last %zu commits touch", history[i])
			: is_dirty ? ", which uncommitted work and the last commit touch"
					   : ", which the last commit touches";
		if (*ret_n)
			return 0;
	}
	*ret_n = suite_detect_projects(
		dir, all, site->paths.n, all, site->paths.n, PROJECTS_MOST, env->arena, ret_suites);
	*ret_why = "";
	return 0;
}

static int projects_refuse(const struct suite *suites, size_t n, const char *why,
	struct arena *arena, struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"no test command found at the root, and %zu directories have one%s: %s", n, why,
		projects_list(suites, n, arena));
	return error_help(err, "name one: rondo fix %s", suites[0].dir);
}

int site_detect_suite(
	struct site *site, const struct run_env *env, const char *dir, struct rondo_error *err)
{
	struct suite *suites;
	struct rondo_error none;
	size_t n;
	const char *why;
	if (suite_detect(dir, site->paths.items, site->paths.n, site_named_dir(site), env->arena,
			&site->suite, &none) == 0)
		return 0;
	if (projects_find(site, env, dir, &suites, &n, &why, err) < 0)
		return -1;
	if (n > PROJECTS_MOST)
		return projects_refuse(suites, n, why, env->arena, err);
	if (!n) {
		*err = none;
		return -1;
	}
	const char *origin = arena_printf(env->arena, "from %s%s",
		n == 1 ? suites->origin + strlen("from ") : projects_list(suites, n, env->arena), why);
	if (n > 1)
		suite_join(suites, n, origin, env->arena, &site->suite);
	else
		site->suite = *suites;
	site->suite.origin = origin;
	return 0;
}
