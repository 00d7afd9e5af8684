/* The registry of suite types: the suite of a command, and the lines that are run for a suite. */
#include "verify/suite/suite.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/runners/command_line.h"

#define TESTS "{{tests}}"

REGISTRY_DEFINE(struct suite_type, suite_types, SUITE_TYPES(&SUITE_SYMBOL));

const char *suite_shown(const struct suite *suite)
{
	return suite->shown ? suite->shown : suite->command;
}

/* What follows "cd DIR && ", and the directory, if it is one of the tree in plain words; else the
 * whole command. */
static const char *suite_enter(const char *command, struct arena *arena, const char **ret_dir)
{
	static const char start[] = "cd ", end[] = " && ";
	const char *and = text_starts_with(command, start) ? strstr(command, end) : NULL;
	*ret_dir = NULL;
	if (!and)
		return command;
	size_t n, length = (size_t)(and-command);
	const struct simple_command *words =
		command_line_split(arena_strndup(arena, command, length), arena, &n);
	const char *dir = n == 1 && words->n == 2 ? words->words[1] : "";
	dir += text_starts_with(dir, "./") ? 2 : 0;
	length = strlen(dir);
	if (!length || strchr("/-~", *dir) || strstr(dir, "..") || dir[strcspn(dir, "$`*?[")])
		return command;
	*ret_dir = arena_strndup(arena, dir, length - (dir[length - 1] == '/'));
	return and+strlen(end);
}

void suite_from_command(
	const char *command, const char *origin, struct arena *arena, struct suite *suite)
{
	const char *dir;
	const struct suite_type *type = &command_suite;
	const char *line = suite_enter(command, arena, &dir);
	for (size_t i = 0; i < suite_types_n && type == &command_suite; i++)
		if (suite_types[i]->runs && command_line_any(line, suite_types[i]->runs))
			type = suite_types[i];
	*suite = (struct suite){.type = type,
		.command = arena_strdup(arena, line),
		.dir = dir,
		.shown = arena_strdup(arena, command),
		.origin = arena_strdup(arena, origin)};
}

void suite_resolve(struct suite *suite, const char *dir, struct arena *arena)
{
	for (size_t i = 0; i < suite->n_parts; i++)
		suite_resolve(&suite->parts[i], dir, arena);
	if (suite->type->resolve)
		suite->type->resolve(
			suite, suite->dir ? arena_printf(arena, "%s/%s", dir, suite->dir) : dir, arena);
}

const char *suite_line_in_dir(const struct suite *suite, const char *line, struct arena *arena)
{
	return suite->dir
		? arena_printf(arena, "cd %s || exit; %s", command_quote(suite->dir, arena), line)
		: line;
}

/* The directory where a runner builds may be a private one of the sandbox, which nobody else sees,
 * and hold the reports of the user's last run. Copies have numbers for names, since two paths may
 * come to one name, or to one that is too long. A report that is lost voids all. */
const char *suite_line_with_reports(
	const struct suite *suite, const char *line, const char *report, struct arena *arena)
{
	const char *glob = suite->type->report;
	if (!report || !glob || suite->report)
		return line;
	const char *pattern = command_quote(arena_printf(arena, "*%s", glob + strlen("**")), arena);
	const char *found = arena_printf(arena,
		"find . \\( -name .git -o -name node_modules \\) -prune -o -type f -path %s -print",
		pattern);
	const char *dir = command_quote(report, arena);
	return arena_printf(arena,
		"%s | while IFS= read -r file; do rm -f \"$file\"; done; (%s\n); status=$?; mkdir -p %s; "
		"%s | LC_ALL=C sort | { n=100000; while IFS= read -r file; do n=$((n + 1)); "
		"cp \"$file\" %s/$n.xml || { echo \"a report is lost: $file\" >&2; rm -rf %s; exit 1; }; "
		"done; } || status=125; (exit $status)",
		found, line, dir, found, dir, dir);
}

const char *suite_command(const struct suite *suite, const char *report, struct arena *arena)
{
	struct suite run = *suite;
	if (suite->runs)
		run.command = suite->runs;
	const char *line =
		run.type->structured ? run.type->structured(&run, report, arena) : run.command;
	line = suite_line_with_reports(&run, line, report, arena);
	return suite_line_in_dir(&run, line, arena);
}

/* The user's command with the ids in place of {{tests}}, or else at the end. It is one for the
 * tree's root. */
static const char *suite_fill_in(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char *command = suite->targeted;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&line, suite->dir ? "cd \"$OLDPWD\" || exit; " : "");
	const char *place = strstr(command, TESTS);
	strbuf_add(&line, command, place ? (size_t)(place - command) : strlen(command));
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&line, "%s%s", i || !place ? " " : "", command_quote(ids[i], arena));
	strbuf_adds(&line, place ? place + strlen(TESTS) : "");
	return command_bounded(&line, arena);
}

bool suite_is_id(const struct suite *suite, const char *id)
{
	return strcmp(id, suite_shown(suite)) == 0;
}

const char *suite_runner_id(const struct suite *suite, const char *id)
{
	size_t n = suite->dir ? strlen(suite->dir) : 0;
	return n && text_starts_with(id, suite->dir) && id[n] == '/' ? id + n + 1 : id;
}

/* What a runner knows tests by; NULL: one of them is not known. */
static const char **suite_selectors(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char **selectors = arena_alloc(arena, (n + 1) * sizeof *selectors);
	for (size_t i = 0; i < n; i++) {
		const char *selector = changing_selector(suite->changing, ids[i], arena);
		if (suite_is_id(suite, ids[i]) || !selector)
			return NULL;
		selectors[i] = suite_runner_id(suite, selector);
	}
	return selectors;
}

const char *suite_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char **selectors = suite_selectors(suite, ids, n, arena);
	if (!selectors)
		return NULL;
	if (suite->targeted)
		return suite_fill_in(suite, selectors, n, arena);
	return suite->type->targeted ? suite->type->targeted(suite, selectors, n, arena) : NULL;
}

const char *suite_without(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char **selectors = suite_selectors(suite, ids, n, arena);
	return selectors && suite->type->without ? suite->type->without(suite, selectors, n, arena)
											 : NULL;
}

const char *suite_cover(
	const struct suite *suite, const struct cover_tests *tests, struct arena *arena)
{
	if (!suite->type->cover || suite->targeted)
		return NULL;
	struct cover_tests own = *tests;
	own.goal = suite_selectors(suite, tests->goal, tests->n_goal, arena);
	own.others = suite_selectors(suite, tests->others, tests->n_others, arena);
	if (!own.goal || !own.others)
		own.n_goal = own.n_others = 0;
	const char *line = suite->type->cover(suite, &own, arena);
	return line ? suite_line_in_dir(suite, line, arena) : NULL;
}

const char *suite_rerun(const struct suite *suite, const char *line, struct arena *arena)
{
	return suite->type->rerun ? suite->type->rerun(line, arena) : line;
}

const char *suite_noted(
	const struct suite *suite, const char *line, const char *note, struct arena *arena)
{
	return suite->type->noted ? suite->type->noted(line, note, arena) : NULL;
}

bool suite_is_one_test(const struct suite *suite, const struct test_report *report)
{
	return report->n == 1 && suite_is_id(suite, report->results[0]->id);
}

bool suite_names_tests(const struct suite *suite, const struct test_report *report)
{
	return report->complete && !suite_is_one_test(suite, report);
}
