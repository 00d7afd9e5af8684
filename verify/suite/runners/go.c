/*
 * `go test`, asked for JSON. No module is fetched, and no result comes from the cache of an earlier
 * run, which would make a flaky test look steady. Full paths are asked for (since Go 1.21), because
 * a bare file name says no directory.
 */
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"

/* The directories that go.work uses, "./a/... ./b/...": "use ./a", or one in each line of a block.
 */
static const char *go_workspace(const char *text, struct arena *arena)
{
	AUTO_STRBUF packages = STRBUF_INIT(STRBUF_LINE);
	bool in_block = false;
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += strspn(line, " \t\r\n");
		bool begins = text_starts_with(line, "use ") || text_starts_with(line, "use(");
		line += begins ? strlen("use") : 0;
		line += strspn(line, " \t");
		size_t n = strcspn(line, " \t\r\n");
		if (begins && *line == '(')
			in_block = true;
		else if (in_block && *line == ')')
			in_block = false;
		else if ((begins || in_block) && n && !text_starts_with(line, "//")) {
			const char *dir = arena_strndup(arena, line, n - (line[n - 1] == '/'));
			strbuf_addf(&packages, " %s/...", command_quote(dir, arena));
		}
	}
	return arena_strdup(arena, packages.text);
}

static const char *go_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char path[] = "go.work";
	const char *text = text_in_sorted(paths, n, path) ? listing_read(dir, path, arena) : NULL;
	const char *packages = text ? go_workspace(text, arena) : "";
	suite->command = *packages ? arena_printf(arena, "go test%s", packages) : "go test ./...";
	return *packages ? path : text_in_sorted(paths, n, "go.mod") ? "go.mod" : NULL;
}

static bool go_runs(const char *const *words, size_t n)
{
	return n > 1 && command_is(words[0], "go") && strcmp(words[1], "test") == 0;
}

/* Not if the command prints JSON by itself, or another program reads its output. */
static const char *go_structured(const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	if (command_line_has(suite->command, "-json") || command_line_pipes(suite->command))
		return suite->command;
	return command_line_with(suite->command, "go", "test",
		"-json -count=1 $(go help testflag 2>&1 | grep -q -e -fullpath && echo -fullpath)", arena);
}

/* Whether a word of the command names packages. */
static bool go_names_packages(const char *word)
{
	return strcmp(word, ".") == 0 || text_starts_with(word, "./") || strstr(word, "...");
}

/* Append n bytes of text if they are new: packages and top-level tests are repeated. */
static void go_add_new(struct strbuf *sb, struct map *seen, struct arena *arena,
	const char *between, const char *text, size_t n)
{
	char *item = arena_strndup(arena, text, n);
	if (map_get(seen, item))
		return;
	map_put(seen, arena, item, item);
	strbuf_addf(sb, "%s%s", sb->length ? between : "", item);
}

/* The command up to its packages, which come last; NULL: it chooses tests by itself. */
static const char *go_without_packages(const struct suite *suite, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	struct simple_command command = command_line_single(suite->command, arena);
	if (!command.n || !go_runs(command.words, command.n) ||
		command_line_has(suite->command, "-run") || command_line_has(suite->command, "-args"))
		return NULL;
	for (size_t i = 0; i < command.n; i++)
		if (i < 2 || !go_names_packages(command.words[i]))
			strbuf_addf(&line, "%s%s", i ? " " : "", command.words[i]);
	return arena_strdup(arena, line.text);
}

/* Tests by their top names, without subtests; their packages replace those of the command. An id
 * that is a package wants all of its tests. */
static const char *go_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_TEXT), packages = STRBUF_INIT(STRBUF_TEXT),
				line = STRBUF_INIT(STRBUF_TEXT);
	struct map seen_names = {0}, seen_packages = {0};
	bool whole = false;
	const char *start = go_without_packages(suite, arena);
	if (!start)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *name = strstr(ids[i], "::");
		whole = whole || !name;
		go_add_new(&packages, &seen_packages, arena, " ", ids[i],
			name ? (size_t)(name - ids[i]) : strlen(ids[i]));
		if (name)
			go_add_new(&names, &seen_names, arena, "|", name + 2, strcspn(name + 2, "/"));
	}
	strbuf_adds(&line, start);
	if (!whole)
		strbuf_addf(&line, " -run '^(%s)$'", names.text);
	if (strlen(start) < strlen(suite->command))
		strbuf_addf(&line, " %s", packages.text);
	struct suite targeted = *suite;
	targeted.command = line.text;
	return line.length < LONGEST_COMMAND && command_line_is_plain(packages.text)
		? arena_strdup(arena, go_structured(&targeted, NULL, arena))
		: NULL;
}

/* By their top names, in every package (since Go 1.20). */
static const char *go_without(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_TEXT);
	struct map seen = {0};
	if (command_line_has(suite->command, "-skip"))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *name = strstr(ids[i], "::");
		if (!name)
			return NULL;
		go_add_new(&names, &seen, arena, "|", name + 2, strcspn(name + 2, "/"));
	}
	return command_line_with(
		suite->command, "go", "test", arena_printf(arena, "-skip '^(%s)$'", names.text), arena);
}

/* Not where another program is to start them, or where the command has its own word for compilers.
 * What vet finds is nothing that a test says. To copy functions into their callers (without -l) is
 * half of the work of a compiler that has each body many times. */
static const char *go_noted(const char *line, const char *note, struct arena *arena)
{
	if (command_line_has(line, "-exec") || command_line_has(line, "-gcflags") ||
		!command_line_any(line, go_runs))
		return NULL;
	return command_line_with(line, "go", "test",
		arena_printf(arena, "-exec '%s go' -vet=off -gcflags='-e -l'", note), arena);
}

/* --- Coverage --- */

enum { PACKAGES_MOST = 3, GOAL_MOST = 20, OTHERS_MOST = 40 };

/* A test's program is built once for its package, and started for each test. Go's own profile of a
 * run says "module/file.go:3.14,5.2 1 1". */
#define COVER_FUNCTIONS \
	"exec 3>&1 >/dev/null 2>&1; t=$(mktemp -d) || exit; trap 'rm -rf \"$t\"' EXIT\n" \
	"go list -m -f 's|^{{.Path}}/|{{.Dir}}/|' >\"$t/paths\"\n" \
	"printf '%%s\\n' 's/\\.[0-9]*,\\([0-9]*\\)\\.[0-9]* [0-9]* [1-9][0-9]*$/,\\1/p' " \
	">>\"$t/paths\"\n" \
	"package() {\n" \
	"	at=$(go list -f '{{.Dir}}' \"$1\") &&\n" \
	"		%s -c -vet=off -cover -covermode=set -coverpkg=./... -o \"$t/program\" \"$1\"\n" \
	"}\n" \
	"run() {\n" \
	"	(cd \"$at\" && rm -f \"$t/profile\" && timeout 5 \"$t/program\" \\\n" \
	"		-test.run \"^$2\\$\" -test.coverprofile \"$t/profile\")\n" \
	"	[ -s \"$t/profile\" ] && { echo \"$1\"; sed -n -f \"$t/paths\" \"$t/profile\"; } >&3\n" \
	"}\n"

/* Runs of a package's tests, each by its top name, once. */
static void go_add_runs(struct strbuf *line, struct map *seen, const char *kind,
	const char *package, const char *const *ids, size_t n, size_t most, struct arena *arena)
{
	size_t length = strlen(package), kept = 0;
	for (size_t i = 0; i < n && kept < most; i++) {
		const char *name = ids[i] + length + 2;
		if (!text_starts_with(ids[i], package) || !text_starts_with(ids[i] + length, "::"))
			continue;
		const char *top = arena_strndup(arena, name, strcspn(name, "/"));
		if (map_get(seen, top))
			continue;
		map_put(seen, arena, top, line);
		strbuf_addf(line, "run %s %s\n", kind, command_quote(top, arena));
		kept++;
	}
}

static const char *go_cover(
	const struct suite *suite, const struct cover_tests *tests, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	struct map seen = {0};
	size_t n_packages = 0;
	const char *start = go_without_packages(suite, arena);
	if (!start)
		return NULL;
	strbuf_addf(&line, COVER_FUNCTIONS, start);
	for (size_t i = 0; i < tests->n_goal && n_packages < PACKAGES_MOST; i++) {
		const char *end = strstr(tests->goal[i], "::");
		const char *package =
			end ? arena_strndup(arena, tests->goal[i], (size_t)(end - tests->goal[i])) : NULL;
		if (!package || map_get(&seen, package))
			continue;
		map_put(&seen, arena, package, &line);
		n_packages++;
		struct map runs = {0};
		strbuf_addf(&line, "package %s && {\n", command_quote(package, arena));
		go_add_runs(&line, &runs, "goal", package, tests->goal, tests->n_goal, GOAL_MOST, arena);
		go_add_runs(
			&line, &runs, "other", package, tests->others, tests->n_others, OTHERS_MOST, arena);
		strbuf_adds(&line, "}\n");
	}
	return n_packages ? command_bounded(&line, arena) : NULL;
}

/* A file of the same package. */
static bool go_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite;
	const char *package = text_line_after(text, "package ");
	size_t n = package ? strcspn(package, " \t\r\n;/") : 0;
	if (!n || !text_ends_with(beside, "_test.go"))
		return false;
	int folder = (int)(file_name(beside) - beside);
	sentinel->path = arena_printf(arena, "%.*s%s_test.go", folder, beside, sentinel->passing);
	sentinel->text = arena_printf(arena,
		"package %.*s\n\nimport \"testing\"\n\n"
		"func Test_%s(t *testing.T) {\n\tif got := len(t.Name()); got == 0 {\n"
		"\t\tt.Errorf(\"got %%d\", got)\n\t}\n}\n\n"
		"func Test_%s(t *testing.T) {\n\tif got := len(t.Name()); got != 0 {\n"
		"\t\tt.Errorf(\"got %%d\", got)\n\t}\n}\n",
		(int)n, package, sentinel->passing, sentinel->failing);
	return true;
}

const struct suite_type go_suite = {
	.name = "go",
	.summary = "go test",
	.formats = (const struct format *const[]){&go_format, &exit_format, NULL},
	.detect = go_detect,
	.may_build = true,
	.runs = go_runs,
	.env = (const char *const[]){"GOPROXY=off", "GOTOOLCHAIN=local", NULL},
	.structured = go_structured,
	.targeted = go_targeted,
	.without = go_without,
	.noted = go_noted,
	.cover = go_cover,
	.sentinel = go_sentinel,
	.tools = (const char *const[]){"go", "gofmt", "cc", "gcc", NULL},
	.tests = (const char *const[]){"*_test.go", "testdata/", NULL},
	.configuration = (const char *const[]){"go.mod", "go.sum", "go.work", "go.work.sum", NULL},
};
