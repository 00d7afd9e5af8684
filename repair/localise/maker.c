/* Where a line that failed got its values from: lines before it that assign its names, and, where
 * the runner complains of a value's type, what the functions that it calls give back. */
#include "repair/localise/trace.h"
#include "repair/search.h"

enum {
	LINES_MOST = 6,  /* before one that failed */
	CALLED_MOST = 2, /* definitions that a name can mean */
};

static bool maker_assigns_for(const struct source *source, uint32_t line, uint32_t traced)
{
	for (uint32_t i = source->line_first[line]; i < source->line_first[line + 1]; i++)
		for (uint32_t k = source->line_first[traced];
			 source->tokens[i].role == ROLE_TARGET && k < source->line_first[traced + 1]; k++)
			if (source->tokens[k].word == source->tokens[i].word)
				return true;
	return false;
}

/* A line that failed may have got wrong values from the lines before it that assign its names. */
static void makers_trace_assignments(const struct repair *repair)
{
	for (size_t s = 0; s < repair->n; s++) {
		const struct source *source = &repair->sources[s];
		for (uint32_t line = 1; source->file->editable && line <= source->n_lines; line++) {
			uint32_t first = source->line_first[line],
					 least = line > LINES_MOST ? line - LINES_MOST : 1;
			if (!source->traced[line] || first == source->line_first[line + 1] ||
				source->owner[first] == NO_TOKEN)
				continue;
			for (uint32_t before = line; before-- > least;) {
				uint32_t at = source->line_first[before];
				if (at < first && source->owner[at] == source->owner[first] &&
					maker_assigns_for(source, before, line))
					source->traced[before] = true;
			}
		}
	}
}

struct returns {
	struct arena *arena;
	bool **marks;
	size_t n;
};

/* What a function gives back, but not what those within it do. */
static void returns_add(struct returns *returns, const struct definition *definition, uint32_t own)
{
	const struct source *source = definition->source;
	if (definition->kind != DEFINITION_FUNCTION)
		return;
	for (uint32_t i = definition->first; i <= definition->last; i++)
		if (source->tokens[i].first && source->owner[i] == own && token_is(source, i, "return"))
			ARENA_PUSH(returns->arena, returns->marks, returns->n,
				&source->traced[source->tokens[i].line]);
}

static void returns_find(
	struct returns *returns, const struct repair *repair, const struct source *source)
{
	for (uint32_t i = 0; i < source->n; i++) {
		const struct token *token = &source->tokens[i];
		bool calls = source->traced[token->line] && is_name(source, i) &&
			(token->role == ROLE_CALLEE || token->role == ROLE_METHOD);
		const struct term *term = calls ? term_of(token->word) : NULL;
		if (term && term->n_definitions <= CALLED_MOST)
			for (size_t d = 0; d < term->n_definitions; d++)
				returns_add(returns, &repair->definitions.items[term->definitions[d]],
					term->definitions[d]);
	}
}

/* All are found before one is marked: what these call in turn is too far away. */
static void makers_trace_returns(const struct repair *repair)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct returns returns = {.arena = &arena};
	for (size_t s = 0; s < repair->n; s++)
		if (repair->sources[s].file->editable)
			returns_find(&returns, repair, &repair->sources[s]);
	for (size_t i = 0; i < returns.n; i++)
		*returns.marks[i] = true;
}

void repair_trace_makers(const struct repair *repair)
{
	makers_trace_assignments(repair);
	if (repair->is_mistyped)
		makers_trace_returns(repair);
}
