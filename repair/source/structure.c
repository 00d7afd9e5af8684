/*
 * From tokens to definitions: where each begins, and which one each token belongs to. Blocks are
 * found by indentation, by braces or by the words that close them, functions by their keyword, by
 * an arrow or by their shape.
 */
#include <ctype.h>
#include <string.h>

#include "repair/source/source.h"

enum {
	HEADER_MOST = 64, /* tokens between a definition's name and its block */
	ARROW_MOST = 400, /* tokens of a function that is one expression */
};

/* The last token of a block whose header begins at `header`, by indentation. */
static uint32_t structure_indented_last(const struct source *source, uint32_t header)
{
	uint32_t first = source->line_first[source->tokens[header].line];
	uint32_t indent = token_column(source, first);
	for (uint32_t i = header + 1; i < source->n; i++)
		if (source->tokens[i].first && source->tokens[i].line != source->tokens[i - 1].line &&
			token_column(source, i) <= indent)
			return i - 1;
	return (uint32_t)source->n - 1;
}

/* The last token of the block that follows `from`: the partner of its first brace that is not a
 * type's, as in "func f() interface{} {". NO_TOKEN where a semicolon, a closing bracket or, in
 * Go, a new statement comes before: "type Mapper func(string) string" has no block. */
static uint32_t structure_braced_last(const struct source *source, uint32_t from)
{
	for (uint32_t i = from, steps = 0; i < source->n && steps < HEADER_MOST; i++, steps++) {
		const struct token *token = &source->tokens[i];
		bool is_type = i > from && token_in(source, i - 1, " interface struct ");
		if (token_is(source, i, "{") && !is_type)
			return token->match;
		if (token_is(source, i, ";") || token->kind == TOKEN_CLOSE ||
			(is_go(source) && token->first))
			return NO_TOKEN;
		if (token->kind == TOKEN_OPEN && token->match == NO_TOKEN)
			return NO_TOKEN;
		if (token->kind == TOKEN_OPEN)
			i = token->match;
	}
	return NO_TOKEN;
}

static uint32_t structure_block_last(const struct source *source, uint32_t header, uint32_t from)
{
	if (has_trait(source, LANGUAGE_ENDED))
		return source->tokens[header].match;
	if (!has_trait(source, LANGUAGE_INDENTED))
		return structure_braced_last(source, from);
	/* At most one a line: otherwise some texts would make this slow. */
	uint32_t first = source->line_first[source->tokens[header].line];
	return header <= first + 1 ? structure_indented_last(source, header) : NO_TOKEN;
}

/* The name that a nameless function at `i` is given: "NAME = ", "NAME: ". */
static uint32_t structure_name_before(const struct source *source, uint32_t i)
{
	if (i && token_in(source, i - 1, " async "))
		i--;
	bool given = i >= 2 && (token_is(source, i - 1, "=") || token_is(source, i - 1, ":"));
	return given && is_name(source, i - 2) ? i - 2 : NO_TOKEN;
}

/* The parameters' bracket within a few tokens from `i`. */
static uint32_t structure_parameters_open(const struct source *source, uint32_t i)
{
	for (uint32_t end = i + 16; i < end && i < source->n && !source->tokens[i].first; i++)
		if (token_is(source, i, "("))
			return source->tokens[i].match == NO_TOKEN ? NO_TOKEN : i;
	return NO_TOKEN;
}

/* The name in "(r R) NAME("; the bracket itself in "(s string) string", which has none. */
static uint32_t structure_after_receiver(const struct source *source, uint32_t open)
{
	uint32_t close = token_is(source, open, "(") ? source->tokens[open].match : NO_TOKEN;
	return close != NO_TOKEN && token_in(source, close + 2, " ( [ ") ? close + 1 : open;
}

/* "function NAME(", "def NAME", "func (r R) NAME(". */
static bool structure_find_by_keyword(
	const struct source *source, uint32_t i, struct definition *found)
{
	if (source->tokens[i].kind != TOKEN_KEYWORD ||
		!token_in(source, i, source->language->function_words))
		return false;
	uint32_t name = structure_after_receiver(source, i + 1);
	while (name < source->n && (token_in(source, name, " * self . & ")))
		name++;
	bool named = is_name(source, name) && !source->tokens[name].first;
	/* "function M.name(": what it is a part of is not its name. */
	while (named && is_access(source, name + 1) && is_name(source, name + 2))
		name += 2;
	if (!named)
		name = structure_name_before(source, i);
	if (name == NO_TOKEN)
		return false;
	uint32_t open = structure_parameters_open(source, named ? name + 1 : i + 1);
	uint32_t after = open == NO_TOKEN ? i + 1 : source->tokens[open].match + 1;
	*found = (struct definition){.name = source->tokens[name].word,
		.first = i,
		.open = open,
		.last = structure_block_last(source, i, after),
		.kind = DEFINITION_FUNCTION};
	return found->last != NO_TOKEN;
}

/* The last token of an expression or block after an arrow. */
static uint32_t structure_arrow_last(const struct source *source, uint32_t arrow)
{
	if (token_is(source, arrow + 1, "{"))
		return source->tokens[arrow + 1].match;
	uint32_t around = source->tokens[arrow].around;
	for (uint32_t i = arrow + 1; i < source->n && i < arrow + ARROW_MOST; i++) {
		const struct token *token = &source->tokens[i];
		bool ends = token->first || token_is(source, i, ",") || token_is(source, i, ";");
		if (token->around == around && (ends || token->kind == TOKEN_CLOSE))
			return i - 1;
		if (token->kind == TOKEN_OPEN && token->match != NO_TOKEN)
			i = token->match;
		else if (i == around)
			return NO_TOKEN;
	}
	return NO_TOKEN;
}

/* "NAME = (...) => ...", seen at its first token after the '='. */
static bool structure_find_by_arrow(
	const struct source *source, uint32_t i, struct definition *found)
{
	uint32_t name = structure_name_before(source, i);
	if (name == NO_TOKEN || !language_is_script(source->language))
		return false;
	bool bracket = token_is(source, i, "(") && source->tokens[i].match != NO_TOKEN;
	uint32_t arrow = bracket ? source->tokens[i].match + 1 : i + 1;
	/* Between parameters and arrow TypeScript may have a type. */
	for (uint32_t end = arrow + 12; bracket && arrow < end && token_is(source, i - 1, "=") &&
		 arrow < source->n && !token_is(source, arrow, "=>") && !source->tokens[arrow].first;)
		arrow++;
	if (!token_is(source, arrow, "=>"))
		return false;
	*found = (struct definition){.name = source->tokens[name].word,
		.first = name,
		.open = bracket ? i : NO_TOKEN,
		.last = structure_arrow_last(source, arrow),
		.kind = DEFINITION_FUNCTION};
	return found->last != NO_TOKEN && found->last > i;
}

/* After a parameter list, over what may stand before the body. */
static uint32_t structure_body_after(const struct source *source, uint32_t i)
{
	for (uint32_t end = i + 16; i < end && i < source->n; i++) {
		const struct token *token = &source->tokens[i];
		if (token_is(source, i, "{"))
			return i;
		bool type = token->kind == TOKEN_NAME || token->kind == TOKEN_KEYWORD ||
			token_in(source, i, " : . , < > >> [ ] | & * -> :: ");
		if (!type || token_in(source, i, " return if for while "))
			return NO_TOKEN;
	}
	return NO_TOKEN;
}

/* "API(type) NAME(...)", where a macro of C is given the type. */
static bool structure_is_typed_by_macro(const struct source *source, uint32_t i)
{
	uint32_t open = i && token_is(source, i - 1, ")") && has_trait(source, LANGUAGE_PREPROCESSED)
		? source->tokens[i - 1].match
		: NO_TOKEN;
	return open != NO_TOKEN && open && is_name(source, open - 1) &&
		source->tokens[open - 1].first && isupper((unsigned char)first_byte(source, open - 1));
}

/* The bracket behind a function's name; in C++ also behind "operator<", "operator[]". NO_TOKEN:
 * there is none. */
static uint32_t structure_parameters_after(const struct source *source, uint32_t i)
{
	uint32_t open = i + 1;
	if (language_in(source->language, " c++ ") && token_is(source, i, "operator")) {
		open += token_is(source, open, "(");
		while (open < i + 4 && !token_is(source, open, "("))
			open++;
	} else if (source->tokens[i].kind != TOKEN_NAME) {
		return NO_TOKEN;
	}
	return token_is(source, open, "(") && source->tokens[open].match != NO_TOKEN ? open : NO_TOKEN;
}

/* "type NAME(...) {": C, Java, methods of JavaScript, functions of a shell. */
static bool structure_find_by_shape(
	const struct source *source, uint32_t i, bool in_function, struct definition *found)
{
	uint32_t open =
		has_trait(source, LANGUAGE_SHAPED) ? structure_parameters_after(source, i) : NO_TOKEN;
	if (open == NO_TOKEN)
		return false;
	if (i && token_in(source, i - 1, source->language->function_words))
		return false;
	bool plain = i == 0 || source->tokens[i].first || token_is(source, i - 1, ",");
	if (in_function && plain && has_trait(source, LANGUAGE_PREPROCESSED))
		return false;
	bool typed = i &&
		(is_name(source, i - 1) || source->tokens[i - 1].kind == TOKEN_KEYWORD ||
			token_in(source, i - 1, " * & > >> ] :: ~ ") || structure_is_typed_by_macro(source, i));
	if ((!plain && !typed) || (i && token_in(source, i - 1, " new return else await ")))
		return false;
	uint32_t body = structure_body_after(source, source->tokens[open].match + 1);
	if (body == NO_TOKEN || source->tokens[body].match == NO_TOKEN)
		return false;
	uint32_t first = i;
	while (first && !source->tokens[first].first)
		first--;
	*found = (struct definition){.name = source->tokens[i].word,
		.first = first,
		.open = open,
		.last = source->tokens[body].match,
		.kind = DEFINITION_FUNCTION};
	return true;
}

static bool structure_find_class(const struct source *source, uint32_t i, struct definition *found)
{
	bool word = source->tokens[i].kind == TOKEN_KEYWORD &&
		token_in(source, i, source->language->class_words);
	if (!word || i + 1 >= source->n || source->tokens[i + 1].kind != TOKEN_NAME)
		return false;
	*found = (struct definition){.name = source->tokens[i + 1].word,
		.first = i,
		.open = NO_TOKEN,
		.last = structure_block_last(source, i, i + 1),
		.kind = DEFINITION_CLASS};
	return found->last != NO_TOKEN;
}

/* A value at the top of a file: "LIMIT = 10", "const rates = {...};", "#define LIMIT 10". */
static bool structure_find_value(const struct source *source, uint32_t i, struct definition *found)
{
	/* A header is often within 'extern "C" {'. */
	bool is_macro = token_is(source, i + 1, "define");
	if (!source->tokens[i].first || (source->tokens[i].around != NO_TOKEN && !is_macro))
		return false;
	uint32_t name = is_macro ? i + 2 : NO_TOKEN, at = i;
	for (; name == NO_TOKEN && at < source->n && at < i + 12 &&
		 (at == i || !source->tokens[at].first) && !token_in(source, at, " ( { ");
		 at++)
		if (at > i && token_in(source, at, " = : [ := ") && is_name(source, at - 1))
			name = at - 1;
	if (name >= source->n || source->tokens[name].kind != TOKEN_NAME)
		return false;
	uint32_t last = i + 1;
	while (last + 1 < source->n &&
		!(source->tokens[last + 1].first &&
			(is_macro || source->tokens[last + 1].around == NO_TOKEN)))
		last++;
	*found = (struct definition){.name = source->tokens[name].word,
		.first = i,
		.open = NO_TOKEN,
		.last = last,
		.kind = DEFINITION_VALUE};
	return true;
}

static bool is_constructor(const struct definition *definition, const struct definition *parent)
{
	const struct word *name = definition->name;
	bool special =
		name->n > 4 && text_starts_with(name->text, "__") && text_ends_with(name->text, "__");
	return parent && parent->kind == DEFINITION_CLASS &&
		(special || name == parent->name || strcmp(name->text, "constructor") == 0 ||
			strcmp(name->text, "__construct") == 0 || strcmp(name->text, "initialize") == 0);
}

static void structure_find_definitions(
	struct source *source, struct arena *arena, struct definitions *definitions)
{
	source->owner = arena_alloc(arena, source->n * sizeof *source->owner);
	uint32_t inner = NO_TOKEN; /* the innermost definition that token i is in */
	for (uint32_t i = 0; i < source->n; i++) {
		while (inner != NO_TOKEN && definitions->items[inner].last < i)
			inner = definitions->items[inner].parent;
		const struct definition *parent = inner == NO_TOKEN ? NULL : &definitions->items[inner];
		bool in_function = parent && parent->kind == DEFINITION_FUNCTION;
		struct definition found;
		bool is_new = structure_find_by_keyword(source, i, &found) ||
			structure_find_by_arrow(source, i, &found) ||
			structure_find_by_shape(source, i, in_function, &found) ||
			structure_find_class(source, i, &found) ||
			(!parent && structure_find_value(source, i, &found));
		if (is_new && parent && parent->kind == DEFINITION_VALUE && parent->name == found.name) {
			/* "NAME = (a) => ..." is a function, not a value. */
			definitions->items[inner].kind = found.kind;
			definitions->items[inner].open = found.open;
			if (found.last > definitions->items[inner].last)
				definitions->items[inner].last = found.last;
			is_new = false;
		}
		bool fits =
			is_new && (!parent || (found.last <= parent->last && found.first >= parent->first));
		if (fits || (is_new && parent->kind == DEFINITION_VALUE)) {
			found.source = source;
			found.parent = inner;
			found.constructor = is_constructor(&found, parent);
			ARENA_PUSH(arena, definitions->items, definitions->n, found);
			inner = (uint32_t)definitions->n - 1;
			for (uint32_t back = found.first; back < i; back++)
				source->owner[back] = inner;
		}
		source->owner[i] = inner;
	}
}

void source_find_structure(
	struct source *source, struct arena *arena, struct definitions *definitions)
{
	source->definitions = definitions;
	source->first_definition = definitions->n;
	source_find_statements(source);
	structure_find_definitions(source, arena, definitions);
	source->n_definitions = definitions->n - source->first_definition;
	source_find_roles(source);
}

uint32_t outermost_function(const struct source *source, uint32_t i)
{
	uint32_t function = NO_TOKEN;
	for (uint32_t at = source->owner[i]; at != NO_TOKEN; at = source->definitions->items[at].parent)
		if (source->definitions->items[at].kind == DEFINITION_FUNCTION)
			function = at;
	return function;
}
