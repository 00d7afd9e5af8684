/* Finding a tree's suite: in one directory, or in the nearest one above that has some. */
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/suite.h"

/* A directory of the tree as if it were a tree. */
struct place {
	const char *from; /* relative to the tree's root; "": that */
	const char *root, *dir;
	const char *const *paths;
	size_t n;
};

static struct place place_at(const struct place *tree, const char *from, struct arena *arena)
{
	struct place place = *tree;
	place.from = from;
	if (!*from)
		return place;
	place.dir = arena_printf(arena, "%s/%s", tree->dir, from);
	place.paths = listing_below(tree->paths, tree->n, from, arena, &place.n);
	return place;
}

/* The directory above; "" above "a". */
static const char *place_above(const char *from, struct arena *arena)
{
	const char *slash = strrchr(from, '/');
	return arena_strndup(arena, from, slash ? (size_t)(slash - from) : 0);
}

/* Whether a place is tested by the runner of that type. */
static bool detect_type(const struct place *place, struct arena *arena, struct suite *suite)
{
	const struct suite_type *type = suite->type;
	suite->command = type->command;
	if (type->detect)
		suite->origin = type->detect(place->dir, place->paths, place->n, arena, suite);
	else if (type->markers)
		suite->origin = listing_first(place->paths, place->n, type->markers);
	return suite->origin;
}

/* A suite that was found in a directory of the place is run there, or where the whole is of which
 * it is a part. */
static void detect_settle(const struct place *place, struct arena *arena, struct suite *suite)
{
	const struct suite_type *type = suite->type;
	const char *whole =
		type->whole && *place->from ? type->whole(place->root, place->from, arena, suite) : NULL;
	const char *from = whole ? whole : place->from;
	const char *slash = *from && suite->dir ? "/" : "";
	const char *dir = arena_printf(arena, "%s%s%s", from, slash, suite->dir ? suite->dir : "");
	const char *shown = suite_shown(suite);
	suite->dir = *dir ? dir : NULL;
	suite->origin = arena_printf(arena, "%s%s%s", from, *from ? "/" : "", suite->origin);
	if (suite->dir)
		shown = arena_printf(arena, "cd %s && %s", command_quote(dir, arena), shown);
	suite->shown = shown;
}

/* The first type that matches, and the others. */
static bool detect_at(const struct place *place, struct arena *arena, struct suite *ret_suite)
{
	struct suite first = {0};
	for (size_t i = 0; i < suite_types_n; i++) {
		struct suite found = {.type = suite_types[i]};
		if (!detect_type(place, arena, &found))
			continue;
		detect_settle(place, arena, &found);
		if (!first.type)
			first = found;
		else
			ARENA_PUSH(arena, first.also, first.n_also,
				arena_printf(arena, "%s (%s)", found.origin, suite_shown(&found)));
	}
	if (!first.type)
		return false;
	first.origin = arena_printf(arena, "from %s", first.origin);
	*ret_suite = first;
	return true;
}

/* Files that begin a project. */
static const char *const manifests[] = {"package.json", "pyproject.toml", "setup.py", "setup.cfg",
	"tox.ini", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml", "build.gradle",
	"build.gradle.kts", "Gemfile", "Rakefile", "composer.json", "phpunit.xml", "phpunit.xml.dist",
	"Makefile.PL", "Build.PL", "cpanfile", "CMakeLists.txt", "meson.build", "configure.ac",
	"configure.in", "GNUmakefile", "makefile", "Makefile"};

/* What shows that a tree is tested by a program that no type runs, and its usual command. */
static const struct stranger {
	const char *marker, *command;
} strangers[] = {
	{"MODULE.bazel", "bazel test //..."},
	{"WORKSPACE.bazel", "bazel test //..."},
	{"WORKSPACE", "bazel test //..."},
	{"BUILD.bazel", "bazel test //..."},
	{"mix.exs", "mix test"},
	{"build.sbt", "sbt test"},
	{"project.clj", "lein test"},
	{"Package.swift", "swift test"},
	{"dune-project", "dune test"},
	{"stack.yaml", "stack test"},
	{"cabal.project", "cabal test"},
	{"pubspec.yaml", "dart test"},
	{"deno.json", "deno test"},
	{"build.zig", "zig build test"},
	{"SConstruct", "scons test"},
	{"justfile", "just test"},
	{"Taskfile.yml", "task test"},
};

static const struct stranger *detect_stranger(const struct place *place)
{
	for (size_t i = 0; i < ARRAY_SIZE(strangers); i++)
		if (text_in_sorted(place->paths, place->n, strangers[i].marker))
			return &strangers[i];
	return NULL;
}

/* The files at a place that begin a project. */
static void detect_list_manifests(const struct place *place, struct strbuf *list)
{
	for (size_t i = 0; i < ARRAY_SIZE(manifests); i++)
		if (text_in_sorted(place->paths, place->n, manifests[i]))
			strbuf_addf(list, "%s%s", list->length ? ", " : "", manifests[i]);
}

static int detect_none(const struct place *place, struct rondo_error *err)
{
	const struct stranger *stranger = detect_stranger(place);
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE), seen = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < suite_types_n; i++)
		if (suite_types[i]->detect || suite_types[i]->markers)
			strbuf_addf(&names, "%s%s", names.length ? ", " : "", suite_types[i]->name);
	if (!stranger)
		detect_list_manifests(place, &seen);
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "no test command found: looked for %s%s%s%s",
		names.text, stranger || seen.length ? "; there is " : "",
		stranger ? stranger->marker : seen.text,
		stranger          ? ", whose tests rondo runs only by --test"
			: seen.length ? ", which shows no tests that rondo knows"
						  : "");
	return error_help(err, "name it: --test '%s'", stranger ? stranger->command : "CMD");
}

int suite_detect(const char *dir, const char *const *paths, size_t n, const char *from,
	struct arena *arena, struct suite *ret_suite, struct rondo_error *err)
{
	const struct place tree = {.from = "", .root = dir, .dir = dir, .paths = paths, .n = n};
	for (const char *at = from;; at = place_above(at, arena)) {
		struct place place = place_at(&tree, at, arena);
		if (detect_at(&place, arena, ret_suite))
			return 0;
		if (!*at)
			return detect_none(&place, err);
	}
}

/* --- Projects below the root --- */

static bool project_begins(const struct place *tree, const char *from, struct arena *arena)
{
	for (size_t i = 0; i < ARRAY_SIZE(manifests); i++)
		if (text_in_sorted(tree->paths, tree->n, arena_printf(arena, "%s/%s", from, manifests[i])))
			return true;
	return false;
}

/* The nearest suite of a project at or above a directory, below the root. `seen`: directories that
 * need not be looked at any more. */
static bool project_find(const struct place *tree, const char *from, struct map *seen,
	struct arena *arena, struct suite *ret_suite)
{
	for (; *from && !map_get(seen, from); from = place_above(from, arena)) {
		map_put(seen, arena, from, seen);
		if (!project_begins(tree, from, arena))
			continue;
		struct place place = place_at(tree, from, arena);
		if (detect_at(&place, arena, ret_suite))
			return true;
	}
	return false;
}

size_t suite_detect_projects(const char *dir, const char *const *paths, size_t n,
	const char *const *touched, size_t n_touched, size_t most, struct arena *arena,
	struct suite **ret_suites)
{
	const struct place tree = {.from = "", .root = dir, .dir = dir, .paths = paths, .n = n};
	struct map seen = {0};
	struct suite suite;
	size_t found = 0;
	*ret_suites = arena_alloc(arena, most * sizeof suite);
	for (size_t i = 0; i < n_touched; i++)
		if (project_find(&tree, place_above(touched[i], arena), &seen, arena, &suite) &&
			found++ < most)
			(*ret_suites)[found - 1] = suite;
	return found;
}
