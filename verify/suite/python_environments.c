/*
 * The environments of a Python project on this machine: each tool that makes some has a row. They
 * are known by what lies on the disk; no tool is run. Programs are shown an environment and the
 * interpreter that it names, so none is taken on the word of files that git tracks: they are the
 * repository's, and not what the user has installed.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"
#include "verify/suite/python_place.h"

struct environment {
	const char *prefix, *why;
};

struct environments {
	struct arena *arena;
	const char *root, *home;
	const char *const *tracked; /* paths, relative to the root */
	size_t n_tracked;
	const char *why; /* of the row whose environments are looked for */
	struct environment *items;
	size_t n;
};

/* Whether it is the repository's own: some of it is tracked, or a link that leads to it. */
static bool environments_is_tracked(const struct environments *found, const char *prefix)
{
	size_t n = strlen(found->root);
	if (!file_is_below(prefix, found->root) || !prefix[n])
		return false;
	const char *path = prefix + n + 1;
	for (size_t i = 0; i < found->n_tracked; i++)
		if (file_is_below(found->tracked[i], path) || file_is_below(path, found->tracked[i]))
			return true;
	return false;
}

static void environments_add(struct environments *found, const char *prefix)
{
	for (size_t i = 0; i < found->n; i++)
		if (strcmp(found->items[i].prefix, prefix) == 0)
			return;
	if (environments_is_tracked(found, prefix))
		return;
	if (*prefix == '/' && (file_exists(arena_printf(found->arena, "%s/bin/python3", prefix)) ||
		file_exists(arena_printf(found->arena, "%s/bin/python", prefix))))
		ARENA_PUSH(found->arena, found->items, found->n,
			((struct environment){arena_strdup(found->arena, prefix), found->why}));
}

/* The directories that hold `file`, by a glob of absolute paths that ends with it. */
static void environments_glob(struct environments *found, const char *pattern, const char *file)
{
	glob_t paths;
	const char *all = arena_printf(found->arena, "%s/%s", pattern, file);
	if (glob(all, 0, NULL, &paths) == 0)
		for (size_t i = 0; i < paths.gl_pathc; i++)
			environments_add(found,
				arena_strndup(found->arena, paths.gl_pathv[i],
					strlen(paths.gl_pathv[i]) - strlen(file) - 1));
	globfree(&paths);
}

static void environments_in_root(struct environments *found, const char *names, const char *file)
{
	environments_glob(found, arena_printf(found->arena, "%s/%s", found->root, names), file);
}

static void environments_add_active(struct environments *found)
{
	const char *venv = getenv("VIRTUAL_ENV"), *uv = getenv("UV_PROJECT_ENVIRONMENT");
	const char *conda = getenv("CONDA_PREFIX"), *name = getenv("CONDA_DEFAULT_ENV");
	if (venv)
		environments_add(found, venv);
	if (uv)
		environments_add(found, *uv == '/' ? uv
			: arena_printf(found->arena, "%s/%s", found->root, uv));
	if (conda && !(name && strcmp(name, "base") == 0))
		environments_add(found, conda);
}

static void environments_add_venv(struct environments *found)
{
	static const char *const names[] = {".venv", "venv", "env", ".env", "*", ".*"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		environments_in_root(found, names[i], "pyvenv.cfg");
}

/* The name in environment.yml is that of a directory in ~/.conda/environments.txt. */
static void environments_add_conda(struct environments *found)
{
	environments_in_root(found, "*", "conda-meta");
	environments_in_root(found, ".*", "conda-meta");
	const char *file = listing_read(found->root, "environment.yml", found->arena);
	const char *name = file ? text_line_after(file, "name:") : NULL;
	const char *all = found->home
		? listing_read(found->home, ".conda/environments.txt", found->arena) : NULL;
	name = name ? name + strspn(name, " \"'") : NULL;
	size_t length = name ? strcspn(name, " \"'\r\n") : 0;
	for (; all && *all && length; all += strcspn(all, "\n"), all += *all == '\n') {
		const char *prefix = arena_strndup(found->arena, all, strcspn(all, "\r\n"));
		if (strlen(file_name(prefix)) == length && memcmp(file_name(prefix), name, length) == 0)
			environments_add(found, prefix);
	}
}

static const char *environment_glob_one(const char *pattern, struct arena *arena)
{
	glob_t paths;
	const char *found = NULL;
	if (glob(pattern, 0, NULL, &paths) == 0 && paths.gl_pathc)
		found = arena_strdup(arena, paths.gl_pathv[0]);
	globfree(&paths);
	return found;
}

/* An environment, or what an interpreter was installed in, and not any directory with a bin/. */
static bool environment_is_one(const char *prefix, struct arena *arena)
{
	return file_exists(arena_printf(arena, "%s/pyvenv.cfg", prefix)) ||
		file_is_dir(arena_printf(arena, "%s/conda-meta", prefix)) ||
		environment_glob_one(arena_printf(arena, "%s/lib/python3*/os.py", prefix), arena);
}

static void environments_add_pdm(struct environments *found)
{
	static const char name[] = ".pdm-python";
	struct rondo_error ignored;
	const char *line = text_in_sorted(found->tracked, found->n_tracked, name)
		? NULL
		: listing_read(found->root, name, found->arena);
	const char *path = line ? arena_strndup(found->arena, line, strcspn(line, "\r\n")) : "";
	const char *bin = strstr(path, "/bin/");
	const char *prefix = bin
		? file_real_path(
			  found->arena, arena_strndup(found->arena, path, (size_t)(bin - path)), &ignored)
		: NULL;
	if (prefix && environment_is_one(prefix, found->arena))
		environments_add(found, prefix);
}

/* The first eight characters of the checkout's path's SHA-256 in URL-safe Base64. */
static const char *environments_hash(const struct environments *found)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	char hex[HASH_SIZE], part[13] = "", text[9] = "";
	hash_bytes(found->root, strlen(found->root), hex);
	memcpy(part, hex, 12);
	unsigned long long bits = strtoull(part, NULL, 16);
	for (int i = 7; i >= 0; i--, bits >>= 6)
		text[i] = digits[bits & 63];
	return arena_strdup(found->arena, text);
}

static void environments_add_poetry(struct environments *found)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *own = getenv("POETRY_VIRTUALENVS_PATH");
	const char *dir = own ? own
		: cache && *cache ? arena_printf(found->arena, "%s/pypoetry/virtualenvs", cache)
		: arena_printf(found->arena, "%s/.cache/pypoetry/virtualenvs", found->home);
	environments_glob(found, arena_printf(found->arena, "%s/*-%s-py3*", dir,
		environments_hash(found)), "pyvenv.cfg");
}

static const char *environments_data_dir(const struct environments *found)
{
	const char *data = getenv("XDG_DATA_HOME");
	return data && *data ? data : arena_printf(found->arena, "%s/.local/share", found->home);
}

static void environments_add_hatch(struct environments *found)
{
	environments_glob(found, arena_printf(found->arena, "%s/hatch/env/virtual/*/%s/*",
		environments_data_dir(found), environments_hash(found)), "pyvenv.cfg");
}

/* pipenv writes the project's path into the environment. */
static void environments_add_pipenv(struct environments *found)
{
	const char *own = getenv("WORKON_HOME");
	struct environments all = {.arena = found->arena, .root = found->root};
	environments_glob(&all, arena_printf(found->arena, "%s/*",
		own ? own : arena_printf(found->arena, "%s/virtualenvs", environments_data_dir(found))),
		".project");
	for (size_t i = 0; i < all.n; i++) {
		const char *of = listing_read(all.items[i].prefix, ".project", found->arena);
		size_t n = strlen(found->root);
		if (of && text_starts_with(of, found->root) && !of[n + strspn(of + n, " \r\n")])
			environments_add(found, all.items[i].prefix);
	}
}

static void environments_add_tox(struct environments *found)
{
	environments_in_root(found, ".tox/*", "pyvenv.cfg");
}

static void environments_add_nox(struct environments *found)
{
	environments_in_root(found, ".nox/*", "pyvenv.cfg");
}

/* In the order in which they are asked. */
static const struct {
	const char *why; /* is taken, in words after its path */
	void (*add)(struct environments *found);
	bool in_home;
} finders[] = {
	{"active", environments_add_active, false},
	{"in the checkout", environments_add_venv, false},
	{"of conda", environments_add_conda, false},
	{"named in .pdm-python", environments_add_pdm, false},
	{"of poetry", environments_add_poetry, true},
	{"of hatch", environments_add_hatch, true},
	{"of pipenv", environments_add_pipenv, true},
	{"of tox", environments_add_tox, false},
	{"of nox", environments_add_nox, false},
};

/* --- What an environment has --- */

/* The prefix of the interpreter whose packages an environment sees, too, or NULL. */
static const char *environment_base(const char *prefix, struct arena *arena)
{
	const char *text = listing_read(prefix, "pyvenv.cfg", arena);
	const char *home = text ? text_line_after(text, "home = ") : NULL;
	if (!home || !strstr(text, "include-system-site-packages = true"))
		return NULL;
	const char *bin = arena_strndup(arena, home, strcspn(home, "\r\n"));
	bool is_one = *bin == '/' && text_ends_with(bin, "/bin");
	return is_one ? arena_strndup(arena, bin, strlen(bin) - strlen("/bin")) : NULL;
}

static const char *environment_module(const char *prefix, const char *name, struct arena *arena)
{
	static const char *const places[] = {"lib/python3*/site-packages", "lib/python3/dist-packages",
		"lib/python3*/dist-packages", "local/lib/python3*/dist-packages"};
	const char *found = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(places) && !found; i++) {
		const char *at = arena_printf(arena, "%s/%s/%s", prefix, places[i], name);
		found = environment_glob_one(at, arena);
		if (!found)
			found = environment_glob_one(arena_printf(arena, "%s.py", at), arena);
	}
	return found;
}

/* What an environment stands on is no environment: a repository's own may name itself. */
const char *python_module_in(const char *prefix, const char *name, struct arena *arena)
{
	const char *found = environment_module(prefix, name, arena);
	const char *base = found ? NULL : environment_base(prefix, arena);
	return base ? environment_module(base, name, arena) : found;
}

/* --- The choice --- */

/* An interpreter on PATH that has the runner. The first one on PATH, and one that only its version
 * manager knows, is the user's own choice: NULL. */
static const char *environment_on_path(const char *runner, struct arena *arena)
{
	bool is_first = true;
	for (const char *rest = getenv("PATH"); rest && *rest;) {
		const char *dir = arena_strndup(arena, rest, strcspn(rest, ":"));
		rest += strcspn(rest, ":");
		rest += *rest == ':';
		if (!text_ends_with(dir, "/bin") && !text_ends_with(dir, "/shims"))
			continue;
		if (!file_exists(arena_printf(arena, "%s/python3", dir)))
			continue;
		const char *prefix = arena_strndup(arena, dir, strlen(dir) - strlen("/bin"));
		if (text_ends_with(dir, "/shims"))
			return NULL;
		if (python_module_in(prefix, runner, arena))
			return is_first ? NULL : prefix;
		is_first = false;
	}
	return NULL;
}

const char *python_find_environment(const char *root, const char *const *tracked, size_t n_tracked,
	const char *runner, struct arena *arena, const char **ret_why)
{
	struct environments found = {.arena = arena,
		.root = root,
		.home = getenv("HOME"),
		.tracked = tracked,
		.n_tracked = n_tracked};
	for (size_t i = 0; i < ARRAY_SIZE(finders); i++) {
		found.why = finders[i].why;
		if (found.home || !finders[i].in_home)
			finders[i].add(&found);
	}
	for (size_t i = 0; i < found.n; i++)
		if (!runner || python_module_in(found.items[i].prefix, runner, arena)) {
			*ret_why = found.items[i].why;
			return found.items[i].prefix;
		}
	const char *other = runner ? environment_on_path(runner, arena) : NULL;
	*ret_why = other ? "on PATH" : found.n ? found.items[0].why : NULL;
	return other ? other : found.n ? found.items[0].prefix : NULL;
}
