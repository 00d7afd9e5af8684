/* The registry of suite types: finding the one that fits, and the commands that it makes. */
#include "verify/suite/suite.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"

#define TESTS "{{tests}}"

REGISTRY_DEFINE(struct suite_type, suite_types, SUITE_TYPES(&SUITE_SYMBOL));

/* Whether a tree is tested by the runner of that type. */
static bool suite_is_detected(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	const struct suite_type *type = suite->type;
	suite->command = type->command;
	if (type->detect)
		suite->origin = type->detect(dir, paths, n, arena, suite);
	else if (type->markers)
		suite->origin = listing_first(paths, n, type->markers);
	return suite->origin;
}

static int suite_none_found(struct rondo_error *err)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < suite_types_n; i++)
		if (suite_types[i]->detect || suite_types[i]->markers)
			strbuf_addf(&names, "%s%s", names.length ? ", " : "", suite_types[i]->name);
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "no test command found: looked for %s", names.text);
	return error_help(err, "name it: --test 'CMD'");
}

int suite_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *ret_suite, struct rondo_error *err)
{
	struct suite first = {0};
	for (size_t i = 0; i < suite_types_n; i++) {
		struct suite found = {.type = suite_types[i]};
		if (!suite_is_detected(dir, paths, n, arena, &found))
			continue;
		if (!first.type)
			first = found;
		else
			ARENA_PUSH(arena, first.also, first.n_also,
				arena_printf(arena, "%s (%s)", found.origin, found.command));
	}
	if (!first.type)
		return suite_none_found(err);
	first.origin = arena_printf(arena, "from %s", first.origin);
	*ret_suite = first;
	return 0;
}

void suite_from_command(
	const char *command, const char *origin, struct arena *arena, struct suite *suite)
{
	const struct suite_type *type = &command_suite;
	for (size_t i = 0; i < suite_types_n && type == &command_suite; i++)
		if (suite_types[i]->runs && command_line_any(command, suite_types[i]->runs))
			type = suite_types[i];
	*suite = (struct suite){.type = type,
		.command = arena_strdup(arena, command),
		.origin = arena_strdup(arena, origin)};
}

void suite_resolve(struct suite *suite, const char *dir, struct arena *arena)
{
	if (suite->type->resolve)
		suite->type->resolve(suite, dir, arena);
}

const char *suite_command(const struct suite *suite, const char *report, struct arena *arena)
{
	return suite->type->structured ? suite->type->structured(suite, report, arena) : suite->command;
}

/* The user's command with the ids in place of {{tests}}, or else at the end. */
static const char *suite_fill_in(
	const char *command, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	const char *place = strstr(command, TESTS);
	strbuf_add(&line, command, place ? (size_t)(place - command) : strlen(command));
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&line, "%s%s", i || !place ? " " : "", command_quote(ids[i], arena));
	strbuf_adds(&line, place ? place + strlen(TESTS) : "");
	return command_bounded(&line, arena);
}

bool suite_is_id(const struct suite *suite, const char *id)
{
	return strcmp(id, suite->command) == 0;
}

/* What a runner knows tests by; NULL: one of them is not known. */
static const char **suite_selectors(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char **selectors = arena_alloc(arena, (n + 1) * sizeof *selectors);
	for (size_t i = 0; i < n; i++) {
		if (suite_is_id(suite, ids[i]))
			return NULL;
		selectors[i] = changing_selector(suite->changing, ids[i], arena);
		if (!selectors[i])
			return NULL;
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
		return suite_fill_in(suite->targeted, selectors, n, arena);
	return suite->type->targeted ? suite->type->targeted(suite, selectors, n, arena) : NULL;
}

const char *suite_without(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char **selectors = suite_selectors(suite, ids, n, arena);
	return selectors && suite->type->without ? suite->type->without(suite, selectors, n, arena)
											 : NULL;
}

const char *suite_rerun(const struct suite *suite, const char *line, struct arena *arena)
{
	return suite->type->rerun ? suite->type->rerun(line, arena) : line;
}

const char *suite_report_glob(const struct suite *suite)
{
	return suite->report ? suite->report : suite->type->report;
}

bool suite_names_tests(const struct suite *suite, const struct test_report *report)
{
	bool is_whole = report->n == 1 && strcmp(report->results[0]->id, suite->command) == 0;
	return report->complete && !is_whole;
}
