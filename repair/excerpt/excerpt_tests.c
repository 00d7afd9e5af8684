/* The failing tests, and what they use of what may not be changed. */
#include "base/file.h"
#include "repair/excerpt/excerpt.h"

enum {
	TESTS_MOST = 30,
	GUESSED_MOST = 3, /* of tests of which nobody says that they fail */
	HELPERS_MOST = 8,
};

static void excerpt_add_test(struct excerpting *e, const struct region *region)
{
	const struct source *source = region->source;
	uint32_t line = source->tokens[region->span.first].line;
	uint32_t definition = definition_around(source, line);
	bool is_function = definition != NO_TOKEN &&
		e->repair->definitions.items[definition].kind == DEFINITION_FUNCTION;
	if (is_function)
		excerpt_add_definition(e, EXCERPT_TEST, definition, line);
	else
		excerpt_add(e, EXCERPT_TEST, source, lines_of(source, region->span), line);
}

/* Whether a helper stands in the file of a failing test, or where pytest looks for it. */
static bool excerpt_is_beside_test(const struct excerpting *e, const struct source *source)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->items[i].kind == EXCERPT_TEST && e->items[i].file == source->file)
			return true;
	return strcmp(file_name(source->file->path), "conftest.py") == 0;
}

/* What failing tests use of what may not be changed: fixtures, tables, helpers. */
static void excerpt_add_helpers(struct excerpting *e)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct choice *helpers = NULL;
	size_t n = 0;
	for (uint32_t i = 0; i < e->repair->definitions.n; i++) {
		const struct definition *own = &e->repair->definitions.items[i];
		uint32_t line = own->source->tokens[own->first].line;
		if (own->source->file->editable || !e->l.failing[i] || own->constructor ||
			definition_around(own->source, line) != i || !excerpt_is_beside_test(e, own->source))
			continue;
		ARENA_PUSH(&scratch, helpers, n,
			(struct choice){own->source, i, line, -(double)e->l.nearness[i], true});
	}
	excerpt_sort(helpers, n);
	excerpt_add_choices(e, EXCERPT_TEST, helpers, n < HELPERS_MOST ? n : HELPERS_MOST);
}

static bool excerpt_is_traced(const struct repair *repair)
{
	for (size_t s = 0; s < repair->n; s++)
		for (size_t line = 1; line <= repair->sources[s].n_lines; line++)
			if (repair->sources[s].traced[line])
				return true;
	return false;
}

/* Where no test is said to fail, few of them, and none if a place is known. */
void excerpt_add_tests(struct excerpting *e)
{
	const struct regions *regions = &e->l.regions;
	size_t guessed = excerpt_is_traced(e->repair) ? 0 : GUESSED_MOST;
	size_t most = regions->n_known ? TESTS_MOST : guessed;
	for (size_t i = 0; i < regions->n && e->n < most; i++)
		if (regions->items[i].failing && regions->items[i].span.first < regions->items[i].source->n)
			excerpt_add_test(e, &regions->items[i]);
	excerpt_add_imports(e, EXCERPT_TEST, EXCERPT_TEST);
	excerpt_add_helpers(e);
}
