/* Whether tests need a build that their own script does not start: they load files that the tree
 * does not have and a script of package.json makes, such as dist/ of src/. */
#include <string.h>

#include "base/glob.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/lines.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/script.h"
#include "verify/suite/suite_javascript.h"

/* A package's files. */
struct package {
	const struct json *json;
	const char *dir;
	const char *const *paths; /* sorted */
	size_t n;
	struct arena *arena;
};

/* --- What is not in the tree --- */

/* "lib/a.js" of "./lib//a.js" and "test/../lib/a.js"; "": the package itself. NULL: outside. */
static const char *build_path(const char *path, struct arena *arena)
{
	const char *parts[64];
	size_t n = 0, length;
	AUTO_STRBUF joined = STRBUF_INIT(STRBUF_LINE);
	for (; *path; path += length + (path[length] == '/')) {
		length = strcspn(path, "/");
		if (length == 0 || (length == 1 && *path == '.'))
			continue;
		bool is_up = length == 2 && memcmp(path, "..", 2) == 0;
		if (n == (is_up ? 0 : ARRAY_SIZE(parts)))
			return NULL;
		if (is_up)
			n--;
		else
			parts[n++] = arena_strndup(arena, path, length);
	}
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&joined, "%s%s", i ? "/" : "", parts[i]);
	return arena_strdup(arena, joined.text);
}

/* A directory of which the tree has nothing; what is installed is not made. */
static bool build_is_made_dir(const struct package *package, const char *path)
{
	size_t n = strcspn(path, "/");
	if (!path[n] || line_matches_any(path, (const char *const[]){"node_modules/*", NULL}))
		return false;
	for (size_t i = 0; i < package->n; i++)
		if (strncmp(package->paths[i], path, n + 1) == 0)
			return false;
	return true;
}

/* The first path of package.json's "exports", however deep. */
static const char *build_first_export(const struct json *exports)
{
	const char *text = json_text(exports, NULL);
	for (const struct json *at = text ? NULL : json_first(exports); at && !text; at = json_next(at))
		text = build_first_export(at);
	return text && *text == '.' ? text : NULL;
}

/* Whether the package is entered by a file that is not in the tree. */
static bool build_makes_entry(const struct package *package)
{
	const char *exported = build_first_export(json_get(package->json, "exports"));
	const char *main = json_string(package->json, "main", exported);
	const char *path = main ? build_path(main, package->arena) : NULL;
	static const char *const ends[] = {"", ".js", ".json", "/index.js"};
	for (size_t i = 0; path && i < ARRAY_SIZE(ends); i++)
		if (text_in_sorted(
				package->paths, package->n, arena_printf(package->arena, "%s%s", path, ends[i])))
			return false;
	return path && *path;
}

/* --- What tests load --- */

static bool build_is_of_package(const char *name, const char *own)
{
	size_t n = strlen(own);
	return n && text_starts_with(name, own) && (!name[n] || name[n] == '/');
}

/* What a file loads by a name. */
static bool build_is_made(const struct package *package, const char *file, const char *name)
{
	if (build_is_of_package(name, json_string(package->json, "name", "")))
		return build_makes_entry(package);
	const char *slash = strrchr(file, '/');
	const char *path = *name == '.' ? build_path(arena_printf(package->arena, "%.*s/%s",
													 slash ? (int)(slash - file) : 0, file, name),
										  package->arena)
									: NULL;
	return path && (*path ? build_is_made_dir(package, path) : build_makes_entry(package));
}

static bool build_file_loads_made(const struct package *package, const char *file)
{
	static const char *const starts[] = {"from ", "require(", "import(", "import "};
	const char *text = listing_read(package->dir, file, package->arena);
	for (size_t i = 0; text && i < ARRAY_SIZE(starts); i++)
		for (const char *at = text; (at = strstr(at, starts[i]));) {
			at += strlen(starts[i]);
			size_t n = *at && strchr("'\"", *at) ? strcspn(at + 1, "'\"\n") : 0;
			if (n && build_is_made(package, file, arena_strndup(package->arena, at + 1, n)))
				return true;
		}
	return false;
}

static bool build_is_test(const char *path)
{
	static const char *const globs[] = {
		"test/", "tests/", "__tests__/", "spec/", "*.test.*", "*.spec.*", "test.?s", "test.?js"};
	for (size_t i = 0; i < ARRAY_SIZE(globs); i++)
		if (glob_matches(globs[i], path))
			return is_script_path(path, strlen(path)) && !strstr(path, "node_modules/");
	return false;
}

/* Whether what runs the tests is given a directory that is not in the tree. */
static bool build_runs_made(const struct package *package, const char *line)
{
	const char *const *files;
	const char *tests = script_tests_of(line, package->dir, package->arena);
	size_t n = script_files_of(tests ? tests : line, package->arena, &files);
	for (size_t i = 0; i < n; i++) {
		const char *path = build_path(files[i], package->arena);
		if (path && *files[i] != '/' &&
			build_is_made_dir(package, arena_printf(package->arena, "%s/", path)))
			return true;
	}
	return false;
}

const char *script_build_before(const char *line, const struct json *json, const char *dir,
	const char *const *paths, size_t n, struct arena *arena)
{
	static const char *const names[] = {"build", "compile"};
	const char *name = NULL;
	const struct package package = {json, dir, paths, n, arena};
	for (size_t i = 0; !name && i < ARRAY_SIZE(names); i++)
		if (json_string(json_get(json, "scripts"), names[i], NULL))
			name = names[i];
	if (!name || script_prepares(line, dir, arena))
		return NULL;
	if (build_runs_made(&package, line))
		return name;
	for (size_t i = 0; i < n; i++)
		if (build_is_test(paths[i]) && build_file_loads_made(&package, paths[i]))
			return name;
	return NULL;
}
