/*
 * What keeps a file from being read at all: a colon, bracket, quote, comma or semicolon too few or
 * too many, a wrong indent, a word of another language. Only at lines that the runner complained
 * about, and the line above, where the mistake often is.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "repair/mutations/syntax.h"
#include "repair/search.h"

enum {
	BLOCKS_MOST =
		1000, /* of a file, and lines of each, that are looked through for a missing end */
	LINES_MOST = 1000,
};

#define SPACE " \t\r\n"
#define BLOCK_WORDS " if elif else for while try except finally with def class async "

static void syntax_put(struct site *site, double cost, size_t offset, const char *text)
{
	const char *first = text + strspn(text, SPACE);
	size_t n = strlen(first);
	while (n && strchr(SPACE, first[n - 1]))
		n--;
	proposal_insert(site, proposef(site, cost, "insert '%.*s'", (int)n, first), offset, text);
}

static void syntax_cut(struct site *site, double cost, uint32_t i)
{
	const char *what = arena_printf(site->arena, "without '%s'", site_text(site, i, i));
	proposal_splice(site, propose(site, cost, what), site->source->tokens[i].start,
		site->source->tokens[i].length, "");
}

/* "then" and "do" at the end of a line, where words open blocks. */
static void syntax_open_block(struct site *site, struct span line, double extra)
{
	const struct source *source = site->source;
	bool asks = token_in(source, line.first, " if elseif "),
		 loops = token_in(source, line.first, " for while ");
	const char *word = asks ? "then" : "do";
	for (uint32_t i = line.first; i <= line.last; i++)
		if (token_is(source, i, word))
			return;
	if (asks || loops)
		syntax_put(site, 1 + extra, token_end(source, line.last), asks ? " then" : " do");
}

/* Marks at the end of a line: ':', ';', ','. */
static void syntax_end_line(struct site *site, struct span line, double extra)
{
	const struct source *source = site->source;
	size_t end = token_end(source, line.last);
	if (is_python(site->source) && token_in(source, line.first, BLOCK_WORDS) &&
		!token_is(source, line.last, ":"))
		syntax_put(site, 1 + extra, end, ":");
	if (has_trait(site->source, LANGUAGE_ENDED))
		syntax_open_block(site, line, extra);
	bool statement =
		!has_trait(site->source, LANGUAGE_NEWLINES) && !token_in(source, line.last, " ; { } , : ");
	if (statement)
		syntax_put(site, 1.1 + extra, end, ";");
	if (token_ends_operand(source, line.last))
		syntax_put(site, 1.9 + extra, end, ",");
}

/* Where a closing bracket belongs on its line: before what ends the statement. */
static size_t syntax_before_marks(const struct source *source, struct span line)
{
	uint32_t i = line.last;
	while (i > line.first && token_in(source, i, " : ; { , "))
		i--;
	return token_end(source, i);
}

static const char *syntax_partner(const struct source *source, uint32_t i)
{
	return token_is(source, i, "(") ? ")"
		: token_is(source, i, "[")  ? "]"
		: token_is(source, i, "{")  ? "}"
									: NULL;
}

/* A block that nothing ends: where the indent goes back to that of its head, and no brace or
 * "end" is there. */
static void syntax_close_block(struct site *site, uint32_t open)
{
	const struct source *source = site->source;
	const char *indent = line_indent(source, site->arena, open);
	const char *brace = arena_printf(site->arena, "%s%s%s", indent,
		has_trait(site->source, LANGUAGE_ENDED) ? "end" : "}", source->line_end);
	uint32_t head = source->tokens[open].line;
	for (uint32_t line = head + 1; line <= source->n_lines; line++) {
		if (line == head + LINES_MOST)
			return;
		uint32_t first = source->line_first[line];
		if (first == source->line_first[line + 1])
			continue;
		if (strlen(line_indent(source, site->arena, first)) > strlen(indent))
			continue;
		if (!token_in(source, first, " } end else elseif until "))
			syntax_put(site, 1.3, line_start(source, first), brace);
		return;
	}
	bool ended = source->file->n && source->file->text[source->file->n - 1] == '\n';
	syntax_put(site, 1.4, source->file->n,
		arena_printf(site->arena, "%s%s", ended ? "" : source->line_end, brace));
}

/* Which block lacks its end the indents say, not the brackets: an inner one's takes the outer's. */
static void syntax_close_blocks(struct site *site)
{
	const struct source *source = site->source;
	size_t n = 0;
	for (uint32_t i = 0; i < source->n && n < BLOCKS_MOST; i++)
		if (token_is(source, i, "{") && ++n && i + 1 < source->n &&
			source->tokens[i + 1].line > source->tokens[i].line)
			syntax_close_block(site, i);
}

/* Brackets of the whole file that have no partner. */
static void syntax_match_brackets(struct site *site)
{
	enum { MOST = 4 };
	const struct source *source = site->source;
	size_t n = 0;
	for (uint32_t i = 0; i < source->n && n < MOST; i++) {
		const struct token *token = &source->tokens[i];
		if (token->match != NO_TOKEN || (token->kind != TOKEN_OPEN && token->kind != TOKEN_CLOSE))
			continue;
		n++;
		const char *text = syntax_partner(source, i);
		if (text && *text != '}')
			syntax_put(
				site, 1.2, syntax_before_marks(source, line_span(source, token->line)), text);
		if (text && *text == '}')
			syntax_close_blocks(site);
		syntax_cut(site, 1.5, i);
	}
}

/* The same where words open and close blocks. */
static void syntax_match_words(struct site *site)
{
	enum { MOST = 4 };
	const struct source *source = site->source;
	size_t n = 0;
	bool lacks = false;
	for (uint32_t i = 0; i < source->n && n < MOST; i++) {
		const struct token *token = &source->tokens[i];
		if (token->match != NO_TOKEN || token->kind != TOKEN_KEYWORD)
			continue;
		bool opens = token_in(source, i, " function if do "), closes = token_is(source, i, "end");
		n += opens || closes;
		lacks |= opens;
		if (closes)
			syntax_cut(site, 1.5, i);
	}
	n = 0;
	for (uint32_t i = 0; lacks && i < source->n && n < BLOCKS_MOST; i++)
		if (source->tokens[i].kind == TOKEN_KEYWORD && token_in(source, i, " function if do ") &&
			++n && i + 1 < source->n)
			syntax_close_block(site, i);
}

static void syntax_add_brackets(struct site *site, struct span line, double extra)
{
	static const char *const closing[] = {")", "]", "}"};
	for (size_t i = 0; i < ARRAY_SIZE(closing); i++)
		syntax_put(site, 1.6 + extra + 0.2 * (double)i, syntax_before_marks(site->source, line),
			closing[i]);
}

/* A string that nothing ends. */
static void syntax_end_quotes(struct site *site, struct span line, double extra)
{
	const struct source *source = site->source;
	const char *text = source->file->text;
	size_t start = source->tokens[line.first].start, stop = line_stop(source, line.first);
	for (const char *quote = "\"'`"; *quote; quote++) {
		size_t n = 0, last = stop;
		for (size_t at = start; at < stop; at++)
			if (text[at] == *quote && !(at > start && text[at - 1] == '\\')) {
				n++;
				last = at;
			}
		if (n % 2 == 0)
			continue;
		const char *mark = arena_strndup(site->arena, quote, 1);
		size_t at = stop;
		for (int steps = 0; steps < 4 && at > last; steps++) {
			syntax_put(site, 1.3 + extra + 0.2 * steps, at, mark);
			if (!strchr(")]};:,", text[at - 1]))
				break;
			at--;
		}
		proposal_splice(site, propose(site, 1.9 + extra, "without the quote"), last, 1, "");
	}
}

/* By indentation: as the lines around it, or one deeper. */
static void syntax_indent(struct site *site, struct span line)
{
	const struct source *source = site->source;
	size_t start = line_start(source, line.first);
	const char *own = line_indent(source, site->arena, line.first);
	const char *above = line.first ? line_indent(source, site->arena, line.first - 1) : "";
	const char *below =
		line.last + 1 < source->n ? line_indent(source, site->arena, line.last + 1) : "";
	bool opens = line.first && token_is(source, line.first - 1, ":");
	size_t unit = strlen(source->indent), n = strlen(above);
	const struct {
		const char *text;
		double cost;
	} others[] = {{arena_printf(site->arena, "%s%s", above, source->indent), opens ? 0.9 : 1.7},
		{above, 1.1}, {below, 1.3},
		{arena_strndup(site->arena, above, n > unit ? n - unit : 0), 1.5}, {source->indent, 1.9}};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strcmp(others[i].text, own) != 0)
			proposal_splice(site, propose(site, others[i].cost, "indent the line otherwise"), start,
				strlen(own), others[i].text);
}

/* Two operands side by side lack what joins them; what is there may be too much. */
static void syntax_mend_tokens(struct site *site, struct span line, double extra)
{
	const struct source *source = site->source;
	static const char *const joins[] = {",", " =", " +", ".", " in", ":"};
	bool asks = token_in(source, line.first, " if elif elseif elsif while unless until } ");
	for (uint32_t i = line.first; i <= line.last; i++) {
		bool operand = i < line.last && token_ends_operand(source, i) &&
			source->tokens[i + 1].kind != TOKEN_OPERATOR &&
			source->tokens[i + 1].kind != TOKEN_CLOSE &&
			!token_in(source, i + 1, " ( [ { if for else and or in is not then do end ");
		for (size_t k = 0; operand && k < ARRAY_SIZE(joins); k++)
			syntax_put(site, 1.5 + extra + 0.2 * (double)k, token_end(source, i), joins[k]);
		if (asks && token_is(source, i, "="))
			put_instead(site, 1 + extra, i, i, "==");
		bool twice = i < line.last && source->tokens[i].length == source->tokens[i + 1].length &&
			memcmp(source->file->text + source->tokens[i].start,
				source->file->text + source->tokens[i + 1].start, source->tokens[i].length) == 0;
		syntax_cut(site, (twice ? 1.4 : 2.4) + extra, i);
	}
}

/* "print x" is how it was said once. */
static void syntax_call_print(struct site *site, struct span line, double extra)
{
	if (!token_is(site->source, line.first, "print") || line.last == line.first ||
		token_is(site->source, line.first + 1, "("))
		return;
	const char *said = site_text(site, line.first + 1, line.last);
	put_instead(
		site, 0.9 + extra, line.first, line.last, arena_printf(site->arena, "print(%s)", said));
}

static void syntax_mend_line(struct site *site, struct span line, double extra)
{
	syntax_end_line(site, line, extra);
	syntax_end_quotes(site, line, extra);
	spell_keywords(site, line, extra);
	if (is_python(site->source))
		syntax_call_print(site, line, extra);
	translate_words(site, line, extra);
	syntax_add_brackets(site, line, extra);
	syntax_mend_tokens(site, line, extra);
}

/* Go does not build a file that imports what it does not use. */
static void syntax_drop_import(struct site *site, uint32_t line)
{
	const struct source *source = site->source;
	uint32_t first = source->line_first[line];
	uint32_t path = first + token_is(source, first, "import");
	if (source->language != &language_go || path >= source->n ||
		source->tokens[path].kind != TOKEN_STRING)
		return;
	size_t start = line_start(source, first), stop = line_stop(source, first);
	bool ends = stop < source->file->n;
	proposal_splice(site, propose(site, 0.9, "without the import"), start, stop - start + ends, "");
}

static void syntax_propose(struct site *site)
{
	const struct source *source = site->source;
	uint32_t line = source->tokens[site->at].line, first = source->line_first[line];
	if (!source->broken || !source->broken[line])
		return;
	syntax_drop_import(site, line);
	syntax_match_brackets(site);
	if (has_trait(site->source, LANGUAGE_ENDED))
		syntax_match_words(site);
	syntax_mend_line(site, line_span(source, line), 0);
	if (is_python(site->source))
		syntax_indent(site, line_span(source, line));
	if (first)
		syntax_mend_line(site, line_span(source, source->tokens[first - 1].line), 0.15);
}

MUTATION(syntax, .least = 0.9, .rank = CANDIDATE_OPERATOR, .printed = true, .once = true,
	.by_line = true);
