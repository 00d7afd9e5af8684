/*
 * What a test gives to the program under test. A call into the program is a name that an editable
 * file defines, with arguments. A variable in the arguments, or one whose method is called,
 * pairings to what it was assigned; a parameter pairings to its column in pytest's tables. What is
 * only compared with a result is left out.
 */
#include <string.h>

#include "repair/inputs/reach.h"

enum { NAMESAKES_MOST = 100 }; /* definitions of a name that are looked at */

struct reach {
	const struct repair *repair;
	const struct source *source;
	struct span test;
	bool *marked;      /* by token from the test's first */
	uint32_t *columns; /* the same */
	bool has_grown;
};

static void reach_mark(struct reach *reach, struct span span, uint32_t column)
{
	for (uint32_t i = span.first; i <= span.last && i <= reach->test.last; i++) {
		size_t at = i - reach->test.first;
		reach->has_grown |= !reach->marked[at];
		reach->columns[at] = reach->marked[at] ? reach->columns[at] : column;
		reach->marked[at] = true;
	}
}

/* Whether the program defines a name, and whether only as a class. */
static bool reach_is_program(const struct reach *reach, uint32_t i, bool *ret_class)
{
	const struct token *token = &reach->source->tokens[i];
	const struct term *term =
		token->kind == TOKEN_NAME && token->role != ROLE_DECLARED ? term_of(token->word) : NULL;
	bool found = false;
	*ret_class = true;
	for (size_t d = 0; term && d < term->n_definitions && d < NAMESAKES_MOST; d++) {
		const struct definition *definition =
			&reach->repair->definitions.items[term->definitions[d]];
		bool is_program = definition->source->file->editable;
		found |= is_program;
		*ret_class &= !is_program || definition->kind == DEFINITION_CLASS;
	}
	return found;
}

/* The first token of the operand that a call's name is the last part of: "cart" of
 * "cart.items[0].total". */
static uint32_t reach_operand(const struct source *source, uint32_t name)
{
	uint32_t i = name;
	while (i >= 2 && is_access(source, i - 1)) {
		i -= 2;
		while (source->tokens[i].kind == TOKEN_CLOSE && source->tokens[i].match != NO_TOKEN &&
			source->tokens[i].match) {
			i = source->tokens[i].match;
			i -= token_ends_operand(source, i - 1);
		}
	}
	return i;
}

/* A new object is an input where something is asked of it; else it may be what is expected. */
static void reach_call(struct reach *reach, uint32_t open)
{
	const struct source *source = reach->source;
	uint32_t close = source->tokens[open].match, name = open - 1;
	bool is_class;
	if (close == NO_TOKEN || !open || open <= reach->test.first ||
		!reach_is_program(reach, name, &is_class))
		return;
	uint32_t first = reach_operand(source, name);
	if (close > open + 1 && (!is_class || is_access(source, close + 1)))
		reach_mark(reach, span_of(open + 1, close - 1), 0);
	if (first < name && first >= reach->test.first)
		reach_mark(reach, span_of(first, name - 1), 0);
}

static bool reach_has(const struct reach *reach, const struct word *word)
{
	for (uint32_t i = reach->test.first; word && i <= reach->test.last; i++) {
		const struct token *token = &reach->source->tokens[i];
		if (token->word == word && token->kind == TOKEN_NAME && token->role == ROLE_VALUE &&
			reach->marked[i - reach->test.first])
			return true;
	}
	return false;
}

/* One parameter's cells in a table: "[(1, 2), (3, 4)]", or its items where there is only that
 * parameter. */
static void reach_column(struct reach *reach, uint32_t table, size_t place, size_t n)
{
	const struct source *source = reach->source;
	uint32_t column = table * SPAN_MOST + (uint32_t)place + 1, close = source->tokens[table].match;
	for (uint32_t i = table + 1; i < close; i++) {
		struct span cells[SPAN_MOST];
		bool opens = source->tokens[i].kind == TOKEN_OPEN && source->tokens[i].match != NO_TOKEN;
		if (n == 1)
			reach_mark(reach, span_of(i, i), column);
		else if (opens && bracket_items(source, i, cells) >= n)
			reach_mark(reach, cells[place], column);
		i = opens && n > 1 ? source->tokens[i].match : i;
	}
}

/* "@pytest.mark.parametrize('a, b', [...])". */
static void reach_parameters(struct reach *reach, uint32_t i)
{
	const struct source *source = reach->source;
	struct span items[SPAN_MOST];
	if (!token_is(source, i, "parametrize") || !token_is(source, i + 1, "(") ||
		bracket_items(source, i + 1, items) < 2)
		return;
	uint32_t table = items[1].first;
	const char *names = source->file->text + source->tokens[items[0].first].start;
	const struct token *last = &source->tokens[items[0].last];
	const char *end = source->file->text + last->start + last->length, *marks = "([{\"', \n\t\r)]}";
	struct word *words[SPAN_MOST];
	size_t n_words = 0;
	if (source->tokens[table].kind != TOKEN_OPEN || source->tokens[table].match == NO_TOKEN)
		return;
	for (size_t n; names < end && n_words < SPAN_MOST; names += n ? n : 1) {
		n = strcspn(names, marks);
		n = n < (size_t)(end - names) ? n : (size_t)(end - names);
		if (n)
			words[n_words++] = words_find(&reach->repair->words, names, n);
	}
	for (size_t w = 0; w < n_words; w++)
		if (reach_has(reach, words[w]))
			reach_column(reach, table, w, n_words);
}

/* The last token of what is assigned after a sign: before the next statement, and within the
 * brackets around. */
static uint32_t reach_assigned_last(const struct reach *reach, uint32_t sign)
{
	const struct source *source = reach->source;
	uint32_t last = sign, around = source->tokens[sign].around;
	while (last < reach->test.last && !source->tokens[last + 1].first &&
		(around == NO_TOKEN || last + 1 < source->tokens[around].match))
		last++;
	return last;
}

/* One of n values: "2, 3" in "a, b = 2, 3". Of another number of values nothing is known. */
static void reach_item(struct reach *reach, uint32_t sign, size_t place, size_t n)
{
	const struct source *source = reach->source;
	uint32_t last = reach_assigned_last(reach, sign), first = sign + 1;
	struct span found = {0};
	size_t items = 0;
	for (uint32_t i = sign + 1; i <= last; i++) {
		bool ends = token_is(source, i + 1, ",") &&
			source->tokens[i + 1].around == source->tokens[sign].around;
		if (!ends && i < last)
			continue;
		if (items++ == place)
			found = span_of(first, i);
		first = i + 2;
	}
	if (items == n)
		reach_mark(reach, found, 0);
	else if (n == 1 && last > sign)
		reach_mark(reach, span_of(sign + 1, last), 0);
}

/* What a variable is given by an assignment or a loop. */
static void reach_assigned(struct reach *reach, uint32_t i)
{
	const struct source *source = reach->source;
	uint32_t first = i, sign = i + 1;
	if (source->tokens[i].role != ROLE_TARGET || !reach_has(reach, source->tokens[i].word))
		return;
	while (first >= 2 && token_is(source, first - 1, ",") &&
		source->tokens[first - 2].role == ROLE_TARGET)
		first -= 2;
	while (sign < reach->test.last && (token_is(source, sign, ",") || is_name(source, sign)))
		sign++;
	size_t place = (i - first) / 2, n = (sign - first + 1) / 2;
	bool is_table = n > 1 && n <= SPAN_MOST && token_is(source, sign + 1, "[") &&
		source->tokens[sign + 1].match != NO_TOKEN;
	if (token_in(source, sign, " in of ") && is_table)
		reach_column(reach, sign + 1, place, n);
	else if (token_in(source, sign, " = := ") || n == 1)
		reach_item(reach, sign, place, n);
}

size_t test_reach(const struct repair *repair, const struct source *source, struct span test,
	struct arena *arena, struct reaching **ret_reaching)
{
	size_t n_tokens = test.last - test.first + 1, n = 0;
	struct reach reach = {.repair = repair,
		.source = source,
		.test = test,
		.has_grown = true,
		.marked = arena_alloc(arena, n_tokens * sizeof *reach.marked),
		.columns = arena_alloc(arena, n_tokens * sizeof *reach.columns)};
	*ret_reaching = NULL;
	for (uint32_t i = test.first; i <= test.last; i++)
		if (token_is(source, i, "("))
			reach_call(&reach, i);
	while (reach.has_grown) {
		reach.has_grown = false;
		for (uint32_t i = test.first; i <= test.last; i++) {
			reach_assigned(&reach, i);
			reach_parameters(&reach, i);
		}
	}
	for (uint32_t i = test.first; i <= test.last; i++)
		if (reach.marked[i - test.first])
			ARENA_PUSH(
				arena, *ret_reaching, n, (struct reaching){i, reach.columns[i - test.first]});
	return n;
}
