/* Several suites as one: they are run one after the other, and their results are one report. */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

/* The part in whose directory a path of the tree lies. */
static const struct suite *several_part_of(const struct suite *suite, const char *path)
{
	const struct suite *found = NULL;
	for (size_t i = 0; i < suite->n_parts; i++) {
		const struct suite *part = &suite->parts[i];
		size_t n = strlen(part->dir);
		bool is_below = text_starts_with(path, part->dir) && path[n] == '/';
		if (is_below && (!found || n > strlen(found->dir)))
			found = part;
	}
	return found;
}

static bool several_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	const struct suite *part = several_part_of(suite, beside);
	return part && part->type->sentinel &&
		part->type->sentinel(part, beside, text, arena, sentinel);
}

const char **suite_part_ids(const struct suite *suite, const struct suite *part,
	const char *const *ids, size_t n, struct arena *arena, size_t *ret_n)
{
	const char **own = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		if (several_part_of(suite, ids[i]) == part || suite_is_id(part, ids[i]))
			ARENA_PUSH(arena, own, *ret_n, ids[i]);
	return own;
}

/* Lists that end with NULL, as one. */
static const char *const *several_merge(const struct suite *parts, size_t n,
	const char *const *(*list)(const struct suite_type *type), struct arena *arena)
{
	const char **all = NULL;
	size_t found = 0;
	for (size_t i = 0; i < n; i++)
		for (const char *const *item = list(parts[i].type); item && *item; item++)
			ARENA_PUSH(arena, all, found, *item);
	ARENA_PUSH(arena, all, found, NULL);
	return all;
}

static const char *const *several_tools(const struct suite_type *type)
{
	return type->tools;
}

static const char *const *several_tests(const struct suite_type *type)
{
	return type->tests;
}

static const char *const *several_configuration(const struct suite_type *type)
{
	return type->configuration;
}

void suite_join(const struct suite *parts, size_t n, const char *origin, struct arena *arena,
	struct suite *ret_suite)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE), shown = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(&names, "%s%s", i ? "+" : "", parts[i].type->name);
		strbuf_addf(&shown, "%s(%s)", i ? " && " : "", suite_shown(&parts[i]));
	}
	struct suite_type *type = arena_alloc(arena, sizeof *type);
	*type = (struct suite_type){.name = arena_strdup(arena, names.text),
		.summary = "several suites",
		.sentinel = several_sentinel,
		.tools = several_merge(parts, n, several_tools, arena),
		.tests = several_merge(parts, n, several_tests, arena),
		.configuration = several_merge(parts, n, several_configuration, arena)};
	*ret_suite = (struct suite){.type = type,
		.command = arena_strndup(arena, shown.text, shown.length),
		.origin = origin,
		.parts = arena_memdup(arena, parts, n * sizeof *parts),
		.n_parts = n};
}
