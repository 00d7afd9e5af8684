/*
 * Statements and their lines. Only those of functions' bodies: what stands at the
 * top of a file or in a class is mostly a declaration.
 */
#include <string.h>

#include "repair/source/source.h"

enum { STATEMENT_MOST = 4000 }; /* tokens of a statement that is moved or removed whole */

#define BLOCK_WORDS \
	" if elif else for while try except finally with do switch loop match repeat elseif elsif" \
	" unless until foreach "
#define BRACE_WORDS " else try do finally loop unsafe => ) "

#define CHANGES \
	" append push add insert extend remove clear sort unshift set update print log write put" \
	" delete printf println "

bool line_is_live(const struct source *source, uint32_t line)
{
	for (uint32_t i = source->line_first[line]; i < source->line_first[line + 1]; i++)
		if (source->tokens[i].role != ROLE_DEAD)
			return true;
	return false;
}

size_t line_start(const struct source *source, uint32_t i)
{
	size_t at = source->tokens[i].start;
	while (at && source->file->text[at - 1] != '\n')
		at--;
	return at;
}

size_t line_stop(const struct source *source, uint32_t i)
{
	const char *text = source->file->text;
	size_t at = token_end(source, i);
	while (at < source->file->n && text[at] != '\n')
		at++;
	return at && at < source->file->n && text[at - 1] == '\r' ? at - 1 : at;
}

static size_t statement_indent_length(const struct source *source, size_t start)
{
	size_t n = 0;
	while (start + n < source->file->n &&
		(source->file->text[start + n] == ' ' || source->file->text[start + n] == '\t'))
		n++;
	return n;
}

const char *line_indent(const struct source *source, struct arena *arena, uint32_t i)
{
	size_t start = line_start(source, i);
	return arena_strndup(arena, source->file->text + start, statement_indent_length(source, start));
}

void source_find_layout(struct source *source, struct arena *arena)
{
	const char *text = source->file->text;
	const char *newline = memchr(text, '\n', source->file->n);
	source->line_end = newline && newline > text && newline[-1] == '\r' ? "\r\n" : "\n";
	source->indent = "    ";
	size_t least = 0;
	for (uint32_t line = 1; line <= source->n_lines; line++) {
		uint32_t first = source->line_first[line];
		if (first >= source->line_first[line + 1] ||
			token_in(source, source->tokens[first].around, " ( [ "))
			continue;
		size_t start = line_start(source, first), n = statement_indent_length(source, start);
		if (n && text[start] == '\t') {
			source->indent = "\t";
			return;
		}
		if (n > 1 && n <= 8 && (!least || n < least))
			least = n;
	}
	if (least)
		source->indent = arena_strndup(arena, "        ", least);
}

bool is_subscript(const struct source *source, uint32_t open)
{
	if (!has_trait(source, LANGUAGE_BRACED_KEYS) || !open || !token_is(source, open, "{"))
		return false;
	const struct token *before = &source->tokens[open - 1];
	bool close = before->start + before->length == source->tokens[open].start;
	bool variable = before->kind == TOKEN_NAME && strchr("$@%", source->file->text[before->start]);
	return is_access(source, open - 1) ||
		(close && (variable || token_in(source, open - 1, " ] } ")));
}

bool is_block(const struct source *source, uint32_t open)
{
	if (!open || !token_is(source, open, "{") || source->tokens[open].match == NO_TOKEN ||
		is_subscript(source, open))
		return false;
	if (token_in(source, open - 1, BRACE_WORDS))
		return true;
	const struct token *before = &source->tokens[open - 1];
	bool ends_type = token_in(source, open - 1, " > >> "); /* "-> Vec<T> {" */
	if ((before->kind == TOKEN_OPERATOR && !ends_type) || before->kind == TOKEN_OPEN ||
		before->kind == TOKEN_KEYWORD)
		return false;
	uint32_t close = source->tokens[open].match;
	return source->tokens[open].line != source->tokens[close].line &&
		!token_is(source, close - 1, ",") && !token_is(source, open + 2, ":");
}

bool changes_its_object(const struct source *source, uint32_t close)
{
	uint32_t open = source->tokens[close].match;
	return open != NO_TOKEN && open > 0 && token_in(source, open - 1, CHANGES);
}

uint32_t token_column(const struct source *source, uint32_t i)
{
	return source->tokens[i].start - (uint32_t)line_start(source, i);
}

struct span span_without_semicolon(const struct source *source, struct span span)
{
	return span_of(
		span.first, span.last - (token_is(source, span.last, ";") && span.last > span.first));
}

static uint32_t statement_last_by_indentation(const struct source *source, uint32_t first)
{
	uint32_t indent = token_column(source, first), i = first + 1;
	for (; i < source->n && i < first + STATEMENT_MOST; i++)
		if (source->tokens[i].first && source->tokens[i].line != source->tokens[i - 1].line &&
			token_column(source, i) <= indent)
			break;
	return i - 1;
}

/* Up to the next statement beside it, or the end of the block around it. */
static uint32_t statement_last_by_brackets(
	const struct source *source, uint32_t first, bool *ret_simple)
{
	uint32_t around = source->tokens[first].around,
			 i = has_trait(source, LANGUAGE_ENDED) ? first : first + 1;
	uint32_t end = around == NO_TOKEN ? NO_TOKEN : source->tokens[around].match;
	end = end == NO_TOKEN ? (uint32_t)source->n : end;
	bool simple = true;
	for (uint32_t steps = 0; i < end && steps < STATEMENT_MOST; i++, steps++) {
		const struct token *token = &source->tokens[i];
		if (token->first && i > first && token->around == around && !is_only_body(source, i))
			break;
		bool word = has_trait(source, LANGUAGE_ENDED) && token->kind == TOKEN_KEYWORD;
		if ((token->kind != TOKEN_OPEN && !word) || token->match == NO_TOKEN || token->match < i)
			continue;
		simple &= !word && !is_block(source, i);
		i = token->match;
	}
	*ret_simple = simple;
	return i - 1;
}

static bool statement_is_alone(const struct source *source, struct span span)
{
	return source->line_first[source->tokens[span.first].line] == span.first &&
		source->line_first[source->tokens[span.last].line + 1] == span.last + 1 &&
		statement_indent_length(source, line_start(source, span.first)) ==
		token_column(source, span.first);
}

/* What closes or continues a block that words make is no statement. */
static bool statement_closes_block(const struct source *source, uint32_t i)
{
	return token_is(source, i, "end") ||
		(has_trait(source, LANGUAGE_ENDED) && token_in(source, i, " else elseif until "));
}

bool span_is_dead(const struct source *source, struct span span)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (source->tokens[i].role == ROLE_DEAD)
			return true;
	return false;
}

bool statement_at(const struct source *source, uint32_t i, struct statement *ret_statement)
{
	if (i >= source->n || !source->tokens[i].first || source->owner[i] == NO_TOKEN ||
		has_trait(source, LANGUAGE_SIGILS))
		return false;
	const struct definition *owner = &source->definitions->items[source->owner[i]];
	uint32_t around = source->tokens[i].around;
	if (owner->kind != DEFINITION_FUNCTION || owner->first == i ||
		statement_closes_block(source, i) ||
		token_in(source, i, source->language->function_words) ||
		(around != NO_TOKEN && !is_block(source, around) && !has_trait(source, LANGUAGE_ENDED)))
		return false;
	bool block_word = source->tokens[i].kind == TOKEN_KEYWORD && token_in(source, i, BLOCK_WORDS),
		 simple = true;
	struct statement statement = {.span = {i, i}};
	if (is_python(source) && block_word)
		statement.span.last = statement_last_by_indentation(source, i);
	else
		statement.span.last = statement_last_by_brackets(source, i, &simple);
	statement.simple = simple && !block_word;
	statement.alone = statement_is_alone(source, statement.span);
	statement.is_body = is_only_body(source, i);
	if (span_is_dead(source, statement.span))
		return false;
	*ret_statement = statement;
	return true;
}

uint32_t statement_assigns(const struct source *source, const struct statement *statement)
{
	uint32_t first = statement->span.first, at = first;
	bool declares =
		token_in(source, first, " let const var local ") || source->tokens[first].role == ROLE_TYPE;
	while (at < statement->span.last && !token_is(source, at, "=") &&
		source->tokens[at].line == source->tokens[first].line)
		at++;
	bool assigns = token_is(source, at, "=") && at > first &&
		source->tokens[at].around == source->tokens[first].around;
	return assigns && statement->simple && !declares ? at : NO_TOKEN;
}
