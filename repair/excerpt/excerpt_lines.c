/* From definitions to the lines that a reader wants: whole lines, with what belongs above them. */
#include "repair/excerpt/excerpt.h"

#include "base/memory.h"

enum {
	LONG_FUNCTION = 150, /* lines; one that is longer is shown in the parts that it is made of */
	LONG_CLASS = 60,
	ABOVE_MOST = 20,   /* lines of a comment */
	HEADER_MOST = 64,  /* tokens of a class before its block */
	IMPORTS_MOST = 40, /* lines */
	DECORATORS_MOST = 20,
	LITERAL_MOST = 64 << 10, /* bytes of one that is read for its lines: it is asked for often */
};

/* A token may go over several lines. */
static uint32_t line_of_end(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	size_t n = token->length < LITERAL_MOST ? token->length : LITERAL_MOST;
	return token->line + (uint32_t)text_count_lines(source->file->text + token->start, n);
}

struct lines lines_of(const struct source *source, struct span span)
{
	uint32_t end = span.last < source->n ? span.last : (uint32_t)source->n - 1;
	uint32_t first = source->tokens[span.first].line, last = line_of_end(source, end);
	return (struct lines){first, last > first ? last : first};
}

/* The token that the statement before `first` begins with, or NO_TOKEN. */
static uint32_t excerpt_statement_before(const struct source *source, uint32_t first)
{
	for (uint32_t i = first; i-- > 0;) {
		const struct token *token = &source->tokens[i];
		if (token->kind == TOKEN_CLOSE && token->match != NO_TOKEN && token->match < i)
			i = token->match;
		else if (token->kind == TOKEN_OPEN)
			return NO_TOKEN;
		if (source->tokens[i].first)
			return i;
	}
	return NO_TOKEN;
}

static uint32_t excerpt_decorated_first(const struct source *source, uint32_t first)
{
	for (int n = 0; n < DECORATORS_MOST; n++) {
		uint32_t before = excerpt_statement_before(source, first);
		if (before == NO_TOKEN || !token_is(source, before, "@"))
			break;
		first = before;
	}
	return first;
}

/* Whether a line without code, from its indentation on, is a comment or a part of one. */
static bool excerpt_is_comment(const struct source *source, const char *line)
{
	static const char *const openings[] = {"//", "/*", "* ", "*/", "--", "*\n"};
	if (*line == '#' && !has_trait(source, LANGUAGE_PREPROCESSED))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(openings); i++)
		if (text_starts_with(line, openings[i]))
			return true;
	return false;
}

/* The first line of the comment and attributes right above a token's line, or that line. */
static uint32_t excerpt_with_comment(const struct source *source, uint32_t i)
{
	const char *text = source->file->text, *at = text + line_start(source, i);
	uint32_t line = source->tokens[i].line;
	for (uint32_t n = 0; line > 1 && at > text && n < ABOVE_MOST; n++, line--) {
		const char *newline = memrchr(text, '\n', (size_t)(at - 1 - text));
		at = newline ? newline + 1 : text;
		bool is_empty = source->line_first[line - 1] == source->line_first[line];
		const char *own = at + strspn(at, " \t");
		if (!(is_empty && excerpt_is_comment(source, own)) && !text_starts_with(own, "#[") &&
			*own != '@')
			break;
	}
	return line;
}

static struct lines excerpt_all_lines(const struct source *source, const struct definition *own)
{
	struct lines lines = lines_of(source, span_of(own->first, own->last));
	lines.first = excerpt_with_comment(source, excerpt_decorated_first(source, own->first));
	return lines;
}

/* The first function in a class. */
static const struct definition *excerpt_first_within(
	const struct source *source, uint32_t definition)
{
	const struct definitions *all = source->definitions;
	for (uint32_t i = definition + 1; i < all->n && all->items[i].source == source &&
		 all->items[i].first <= all->items[definition].last;
		 i++)
		if (all->items[i].parent == definition && all->items[i].kind == DEFINITION_FUNCTION)
			return &all->items[i];
	return NULL;
}

struct lines definition_lines(const struct source *source, uint32_t definition)
{
	const struct definition *own = &source->definitions->items[definition];
	struct lines lines = excerpt_all_lines(source, own);
	bool is_long = own->kind == DEFINITION_CLASS && lines.last - lines.first >= LONG_CLASS;
	const struct definition *within = is_long ? excerpt_first_within(source, definition) : NULL;
	uint32_t end = within ? excerpt_all_lines(source, within).first : 0;
	if (end > lines.first)
		lines.last = end - 1;
	return lines;
}

/* "impl NAME {" and its like, which are no definitions. */
static struct lines excerpt_type_lines(const struct source *source, uint32_t i)
{
	uint32_t brace = source->tokens[i].around, first = brace;
	if (brace == NO_TOKEN || !token_is(source, brace, "{"))
		return (struct lines){0, 0};
	while (first && !source->tokens[first].first && brace - first < HEADER_MOST)
		first--;
	for (uint32_t at = first; at < brace; at++)
		if (token_in(source, at, " impl trait class struct interface object "))
			return lines_of(source, span_of(first, brace));
	return (struct lines){0, 0};
}

struct lines definition_class_lines(const struct source *source, uint32_t definition)
{
	const struct definition *items = source->definitions->items;
	uint32_t at = items[definition].parent;
	while (at != NO_TOKEN && items[at].kind != DEFINITION_CLASS)
		at = items[at].parent;
	if (at == NO_TOKEN)
		return excerpt_type_lines(source, items[definition].first);
	uint32_t i = items[at].first, end = i + HEADER_MOST, own = items[definition].first;
	while (i + 1 < own && i < end && !token_is(source, i, "{") &&
		!(token_is(source, i, ":") && source->tokens[i + 1].first))
		i++;
	return lines_of(source, span_of(items[at].first, i));
}

uint32_t definition_around(const struct source *source, uint32_t line)
{
	uint32_t first = source->line_first[line];
	uint32_t owner = first < source->n ? source->owner[first] : NO_TOKEN, found = NO_TOKEN;
	const struct definition *items = source->definitions->items;
	for (uint32_t at = owner; at != NO_TOKEN; at = items[at].parent) {
		struct lines lines = lines_of(source, span_of(items[at].first, items[at].last));
		bool fits = found == NO_TOKEN || lines.last - lines.first < LONG_FUNCTION;
		if (items[at].kind == DEFINITION_FUNCTION && fits)
			found = at;
	}
	return found == NO_TOKEN ? owner : found;
}

static bool excerpt_imports(const struct source *source, uint32_t line)
{
	uint32_t first = source->line_first[line], end = source->line_first[line + 1];
	if (first == end || source->tokens[first].around != NO_TOKEN)
		return false;
	if (token_in(source, first, source->language->import_words))
		return true;
	bool is_script = language_is_script(source->language);
	for (uint32_t i = first; i < end; i++)
		if ((is_script && token_is(source, i, "require")) || token_is(source, i, "include"))
			return true;
	return false;
}

struct lines import_lines(const struct source *source)
{
	struct lines lines = {0, 0};
	const struct definition *items = source->definitions->items;
	uint32_t end = (uint32_t)source->n_lines;
	size_t first = source->first_definition;
	for (size_t i = first; i < first + source->n_definitions; i++)
		if (items[i].kind != DEFINITION_VALUE && source->tokens[items[i].first].line <= end)
			end = source->tokens[items[i].first].line - 1;
	for (uint32_t line = 1; line <= end; line++) {
		if (!excerpt_imports(source, line))
			continue;
		uint32_t last = source->line_first[line + 1] - 1;
		while (last + 1 < source->n && source->tokens[last + 1].around != NO_TOKEN)
			last++;
		last += last + 1 < source->n && source->tokens[last + 1].kind == TOKEN_CLOSE;
		lines.first = lines.first ? lines.first : line;
		lines.last = lines_of(source, span_of(last, last)).last;
	}
	if (lines.first && lines.last - lines.first >= IMPORTS_MOST)
		lines.last = lines.first + IMPORTS_MOST - 1;
	return lines;
}
