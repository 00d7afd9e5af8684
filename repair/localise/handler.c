/* Handlers that an exception has passed by: it was thrown in their block, and ended a test. */
#include "repair/localise/trace.h"
#include "repair/search.h"

/* The "try" before a handler of a language with indentation; NO_TOKEN: there is none. */
static uint32_t handler_find_above(const struct source *source, uint32_t handler)
{
	uint32_t column = token_column(source, handler);
	for (uint32_t i = handler; i-- > 0;) {
		bool ends = source->tokens[i].first && token_column(source, i) <= column &&
			source->line_first[source->tokens[i].line] == i;
		if (ends && !token_is(source, i, "except"))
			return token_is(source, i, "try") ? i : NO_TOKEN;
	}
	return NO_TOKEN;
}

/* The same before "} catch", where further ones may stand between. */
static uint32_t handler_find_before(const struct source *source, uint32_t handler)
{
	for (uint32_t at = handler; at > 1 && token_is(source, at - 1, "}");) {
		uint32_t head = source->tokens[at - 1].match;
		if (head == NO_TOKEN || head == 0)
			return NO_TOKEN;
		if (token_is(source, head - 1, ")"))
			head = source->tokens[head - 1].match;
		if (head == NO_TOKEN || head == 0)
			return NO_TOKEN;
		at = head - 1;
		if (token_is(source, at, "try"))
			return at;
		if (!token_is(source, at, "catch"))
			return NO_TOKEN;
	}
	return NO_TOKEN;
}

static bool handler_is_passed(const struct source *source, uint32_t handler)
{
	uint32_t first = has_trait(source, LANGUAGE_INDENTED) ? handler_find_above(source, handler)
														  : handler_find_before(source, handler);
	for (uint32_t line = first == NO_TOKEN ? UINT32_MAX : source->tokens[first].line;
		 line < source->tokens[handler].line; line++)
		if (source->traced[line])
			return true;
	return false;
}

void repair_trace_handlers(struct repair *repair)
{
	for (size_t s = 0; repair->n_thrown && s < repair->n; s++) {
		const struct source *source = &repair->sources[s];
		for (uint32_t i = 0; source->file->editable && i < source->n; i++)
			if (token_in(source, i, " except catch ") && handler_is_passed(source, i))
				source->traced[source->tokens[i].line] = true;
	}
}
