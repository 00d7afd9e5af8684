/*
 * Where the tests of a Python project run. The tests must judge the checkout: where its sources lie
 * in src/ and no editable installation leads there, src/ is put on the path, as pytest's
 * `pythonpath` would, before any copy that is installed.
 */
#include "verify/suite/python_place.h"

#include <dirent.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"

static bool place_is_python(const struct suite *suite)
{
	return strcmp(suite->type->name, "pytest") == 0 || strcmp(suite->type->name, "unittest") == 0;
}

const char *python_shown(const char *path, const char *root)
{
	size_t n = strlen(root);
	return file_is_below(path, root) && path[n] == '/' ? path + n + 1 : path;
}

/* "src" where modules lie in it and it is no package itself, else ".". */
static const char *place_source_dir(const char *const *paths, size_t n)
{
	bool has_modules = false;
	if (text_in_sorted(paths, n, "src/__init__.py"))
		return ".";
	for (size_t i = 0; i < n; i++)
		has_modules = has_modules ||
			(text_starts_with(paths[i], "src/") && text_ends_with(paths[i], ".py"));
	return has_modules ? "src" : ".";
}

/* The directories into which an environment's packages are installed hold files that name the
 * directories of editable installations. */
static bool place_is_editable(const char *prefix, const char *source, struct arena *arena)
{
	const char *module = python_module_in(prefix, "*", arena);
	const char *dir = module ? arena_strndup(arena, module, (size_t)(file_name(module) - module))
		: NULL;
	AUTO_DIR *open = dir ? opendir(dir) : NULL;
	for (const char *name; open && (name = file_next_name(open));) {
		bool names_paths = text_ends_with(name, ".pth") || text_starts_with(name, "__editable__");
		const char *text = names_paths ? listing_read(dir, name, arena) : NULL;
		const char *at = text ? strstr(text, source) : NULL;
		if (at && strchr("/'\"\r\n", at[strlen(source)]))
			return true;
	}
	return false;
}

/* The copy that is installed of one of the packages in the tree's source directory, or NULL. */
static const char *place_installed_copy(const char *prefix, const char *dir,
	const char *const *paths, size_t n, struct arena *arena)
{
	size_t skip = strcmp(dir, ".") == 0 ? 0 : strlen(dir) + 1;
	for (size_t i = 0; i < n; i++) {
		const char *name = paths[i] + skip;
		size_t length = strcspn(name, "/");
		if ((skip && !text_starts_with(paths[i], "src/")) ||
			strcmp(name + length, "/__init__.py") != 0 || text_starts_with(name, "test"))
			continue;
		const char *found =
			python_module_in(prefix, arena_printf(arena, "%.*s", (int)length, name), arena);
		if (found && file_exists(arena_printf(arena, "%s/__init__.py", found)))
			return found;
	}
	return NULL;
}

/* Whether a package holds what a compiler made: the sources alone cannot be imported. */
static bool place_is_compiled(const char *package, struct arena *arena)
{
	const char **files = NULL;
	size_t n = 0;
	struct rondo_error ignored;
	return file_find(package, "*.so", arena, &files, &n, &ignored) == 0 && n;
}

static bool place_is_configured(const char *root, struct arena *arena)
{
	static const char *const files[] = {"pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *text = listing_read(root, files[i], arena);
		if (text && text_has_line(text, "pythonpath"))
			return true;
	}
	return false;
}

static int place_find_path(const struct suite *suite, const char *root, const char *const *paths,
	size_t n, struct arena *arena, struct python_place *place, struct rondo_error *err)
{
	const char *dir = place_source_dir(paths, n), *prefix = place->prefix;
	bool is_flat = strcmp(dir, ".") == 0;
	const char *source = is_flat ? root : arena_printf(arena, "%s/%s", root, dir);
	const char *shown = prefix ? python_shown(prefix, root) : "the interpreter on PATH";
	/* `python -m` puts the root on the path by itself. */
	if ((is_flat && (!prefix || strstr(suite->command, "-m "))) ||
		(prefix && place_is_editable(prefix, source, arena)))
		return 0;
	const char *copy = prefix ? place_installed_copy(prefix, dir, paths, n, arena) : NULL;
	if (copy && place_is_compiled(copy, arena)) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"the tests would judge the copy of %s in %s, not the checkout", file_name(copy), shown);
		return error_help(err, "%s/bin/python -m pip install -e .", shown);
	}
	if (is_flat && !copy)
		return 0;
	place->path = dir;
	if (copy)
		place->told = arena_printf(arena, "%s is on Python's path, before the copy of %s in %s",
			is_flat ? "the checkout" : "src/", file_name(copy), shown);
	else if (!place_is_configured(root, arena))
		place->told = arena_printf(
			arena, "src/ is on Python's path: the project is not installed in %s", shown);
	return 0;
}

static const char *place_version(const char *prefix, struct arena *arena)
{
	const char *text = listing_read(prefix, "pyvenv.cfg", arena);
	const char *version = text ? text_line_after(text, "version = ") : NULL;
	return version ? arena_printf(arena, " (Python %.*s)", (int)strcspn(version, "\r\n"), version)
		: "";
}

/* Of a suite in a directory of the tree: there, or else in one above. */
static void place_find_environment(const struct suite *suite, const char *root,
	const char *const *paths, size_t n, struct arena *arena, struct python_place *place)
{
	const char *runner = strcmp(suite->type->name, "pytest") == 0 ? "pytest" : NULL, *why = NULL;
	const char *at = suite->dir ? arena_printf(arena, "%s/%s", root, suite->dir) : root;
	for (;; at = arena_strndup(arena, at, (size_t)(strrchr(at, '/') - at))) {
		bool is_root = strlen(at) <= strlen(root);
		size_t n_below = n;
		const char *const *below =
			is_root ? paths : listing_below(paths, n, at + strlen(root) + 1, arena, &n_below);
		place->prefix = python_find_environment(at, below, n_below, runner, arena, &why);
		if (place->prefix || is_root)
			break;
	}
	if (!place->prefix)
		return;
	bool has_runner = runner && python_module_in(place->prefix, runner, arena);
	place->why = arena_printf(arena, "by %s%s %s%s%s", python_shown(place->prefix, root),
		place_version(place->prefix, arena), why,
		has_runner ? ", which has " : runner ? ", which has no " : "", runner ? runner : "");
}

/* A suite's directory is a project of its own. */
static int place_find_path_in_dir(const struct suite *suite, const char *root,
	const char *const *paths, size_t n, struct arena *arena, struct python_place *place,
	struct rondo_error *err)
{
	if (!suite->dir)
		return place_find_path(suite, root, paths, n, arena, place, err);
	size_t n_below;
	const char *const *below = listing_below(paths, n, suite->dir, arena, &n_below);
	root = arena_printf(arena, "%s/%s", root, suite->dir);
	if (place_find_path(suite, root, below, n_below, arena, place, err) < 0)
		return -1;
	if (place->path)
		place->path = strcmp(place->path, ".") == 0
			? suite->dir
			: arena_printf(arena, "%s/%s", suite->dir, place->path);
	return 0;
}

int python_find_place(const struct suite *suite, const char *root, const char *const *paths,
	size_t n, struct arena *arena, struct python_place *ret_place, struct rondo_error *err)
{
	struct python_place place = {0};
	for (size_t i = 0; i < suite->n_parts; i++)
		if (place_is_python(&suite->parts[i]))
			return python_find_place(&suite->parts[i], root, paths, n, arena, ret_place, err);
	if (!place_is_python(suite)) {
		*ret_place = place;
		return 0;
	}
	/* A command with a path has chosen. */
	if (!strstr(suite->command, "/bin/"))
		place_find_environment(suite, root, paths, n, arena, &place);
	if (place_find_path_in_dir(suite, root, paths, n, arena, &place, err) < 0)
		return -1;
	*ret_place = place;
	return 0;
}
