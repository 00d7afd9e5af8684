/* What a file defines, a line each, for who looks for something in a repository. */
#include "repair/excerpt/excerpt.h"
#include "repair/search.h"

enum {
	WRAPPER_LEAST = 100, /* lines of a function that other functions are in for good */
	HEADER_MOST = 32,    /* tokens of a type before its block */
	VISIBILITY_MOST = 4, /* tokens before it: "pub(crate)" */
};

/* The last token before the block of a definition, or of its first line. */
static uint32_t heading_last(const struct source *source, const struct definition *own)
{
	uint32_t i = own->first, close = own->open == NO_TOKEN ? i : source->tokens[own->open].match;
	bool is_python = has_trait(source, LANGUAGE_INDENTED);
	if (close != NO_TOKEN && close > i)
		i = close;
	while (i < own->last && !source->tokens[i + 1].first && !token_is(source, i + 1, "{") &&
		!token_is(source, i + 1, "=>") && !(is_python && token_is(source, i + 1, ":")))
		i = token_is(source, i + 1, "(") && source->tokens[i + 1].match != NO_TOKEN
			? source->tokens[i + 1].match
			: i + 1;
	return i < own->last ? i : own->last;
}

/* On one line: runs of white space are a space. */
static const char *heading_text(
	const struct source *source, uint32_t i, uint32_t last, struct arena *arena)
{
	uint32_t first = source->line_first[source->tokens[i].line];
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	const char *at = source->file->text + source->tokens[first].start;
	const char *end = source->file->text + token_end(source, last);
	for (; at < end; at++) {
		bool is_space = strchr(" \t\r\n", *at);
		if (!is_space || (text.length && text.text[text.length - 1] != ' '))
			strbuf_addc(&text, is_space ? ' ' : *at);
	}
	return arena_strdup(arena, text.text);
}

/* The brace after "struct NAME", "type NAME interface", "impl NAME": types that are no definitions
 * to repair, since nothing of them runs. NO_TOKEN: there is none. */
static uint32_t heading_type_brace(const struct source *source, uint32_t i)
{
	uint32_t owner = source->owner[i], first = source->line_first[source->tokens[i].line];
	bool is_type = token_in(source, i, " type struct enum trait impl interface union ") &&
		(is_name(source, i + 1) || token_is(source, i + 1, "<")) && i <= first + VISIBILITY_MOST;
	if (!is_type || (owner != NO_TOKEN && source->definitions->items[owner].first == i))
		return NO_TOKEN;
	for (uint32_t at = i + 1; at < source->n && at < i + HEADER_MOST; at++) {
		if (token_is(source, at, "{"))
			return source->tokens[at].match == NO_TOKEN ? NO_TOKEN : at;
		if (token_in(source, at, " ; = ( ) } "))
			return NO_TOKEN;
	}
	return NO_TOKEN;
}

/* How many headings are around a definition. False: it is within a function, and a detail. */
static bool heading_depth(
	const struct source *source, const struct definition *own, uint32_t *ret_depth)
{
	const struct definition *items = source->definitions->items;
	*ret_depth = 0;
	for (uint32_t at = own->parent; at != NO_TOKEN; at = items[at].parent) {
		struct lines lines = definition_lines(source, at);
		if (items[at].kind == DEFINITION_FUNCTION && lines.last - lines.first < WRAPPER_LEAST)
			return false;
		*ret_depth += items[at].kind != DEFINITION_VALUE;
	}
	return true;
}

struct headings {
	const struct source *source;
	struct arena *arena;
	struct heading *items;
	size_t n;
	uint32_t type_last; /* of the type around */
};

static void headings_add_type(struct headings *headings, uint32_t i)
{
	const struct source *source = headings->source;
	uint32_t brace = heading_type_brace(source, i);
	if (brace == NO_TOKEN || (headings->type_last && i < headings->type_last))
		return;
	ARENA_PUSH(headings->arena, headings->items, headings->n,
		(struct heading){heading_text(source, i, brace - 1, headings->arena), 0});
	headings->type_last = source->tokens[brace].match;
}

static void headings_add_definition(struct headings *headings, const struct definition *own)
{
	const struct source *source = headings->source;
	uint32_t depth;
	if (own->kind == DEFINITION_VALUE || !heading_depth(source, own, &depth))
		return;
	depth += own->first < headings->type_last;
	ARENA_PUSH(headings->arena, headings->items, headings->n,
		(struct heading){
			heading_text(source, own->first, heading_last(source, own), headings->arena), depth});
}

size_t repair_headings(
	struct arena *arena, const struct repair_file *file, struct heading **ret_headings)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const struct repair *repair = repair_read(&scratch, file, 1);
	struct headings headings = {.source = repair->sources, .arena = arena};
	size_t next = 0;
	bool has_types = repair->n && !has_trait(headings.source, LANGUAGE_INDENTED | LANGUAGE_ENDED);
	for (uint32_t i = 0; repair->n && i < headings.source->n; i++) {
		if (has_types)
			headings_add_type(&headings, i);
		for (; next < repair->definitions.n && repair->definitions.items[next].first <= i; next++)
			headings_add_definition(&headings, &repair->definitions.items[next]);
	}
	*ret_headings = headings.items;
	return headings.n;
}
