/* The state of a lexer, and what its files share. Private to source/. */
#pragma once
#include <ctype.h>
#include <string.h>

#include "base/lexer/source.h"

#define PREFIXES "rRbBfFuU" /* letters that may stand before a quote */

struct open_bracket {
	uint32_t token;
	char closing; /* the character that closes it; of a string: its quote */
	bool triple, string, interpolation;
};

struct lexer {
	struct token_list *list;
	struct words *words;
	struct arena *arena;
	const struct language *language;
	const char *text;
	uint32_t at, n, line;
	uint32_t keyword_bit;
	struct open_bracket *opens;
	size_t n_opens, most_opens, n_tokens, tokens_capacity;
	bool continues;
	bool in_code;     /* after "<?php" */
	bool on_one_line; /* a string that goes over lines had no end: from here on none does */
	char heredoc[64]; /* the word that ends the text which begins on the next line */
};

static inline bool has(const struct lexer *x, unsigned trait)
{
	return x->language->traits & trait;
}

static inline char peek(const struct lexer *x, uint32_t ahead)
{
	return x->at + ahead < x->n ? x->text[x->at + ahead] : '\0';
}

static inline bool looking_at(const struct lexer *x, const char *text)
{
	size_t n = strlen(text);
	return n && x->n - x->at >= n && memcmp(x->text + x->at, text, n) == 0;
}

static inline bool is_one_of(char c, const char *set)
{
	return c && set && strchr(set, c);
}

static inline bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Move over one byte and count its line. */
static inline void step(struct lexer *x)
{
	if (x->at < x->n)
		x->line += x->text[x->at++] == '\n';
}

static inline void step_to(struct lexer *x, uint32_t end)
{
	while (x->at < end && x->at < x->n)
		step(x);
}

/* A new token from `start` to where the lexer is. */
struct token *lexer_emit(struct lexer *x, enum token_kind kind, uint32_t start, uint32_t line);

/* The newest token opens a bracket; the newest token closes the one on top. */
void lexer_push(struct lexer *x, const struct open_bracket *bracket);
void lexer_pop(struct lexer *x);

/* A string from its prefix at `start` on; the lexer is at the quote. */
void lex_string(struct lexer *x, uint32_t start);

/* What follows an expression within a string. */
void resume_string(struct lexer *x);

/* After an expression in a string of Python: "{value:>8}", "{value!r}". False: there is none. */
bool lex_format_spec(struct lexer *x);

/* Rust's r#"..."#: the lexer is at the first mark. False, and it stays, where there is none. */
bool lex_hashed_string(struct lexer *x, uint32_t start);

/* A pattern between slashes, on one line. False, and it stays, where there is none. */
bool lex_regex(struct lexer *x);

/* Lua's [[...]] and [==[...]==]: the end of what begins `ahead` bytes from here; 0: nothing
 * does. */
uint32_t long_bracket_end(const struct lexer *x, uint32_t ahead);

/* One of these as a string. False, and it stays, where there is none. */
bool lex_long_bracket(struct lexer *x);

/* PHP's "<<<WORD" up to the word that ends it, as a string; Perl's "<<WORD", whose text comes on
 * the next lines. False, and it stays, where there is none. */
bool lex_heredoc(struct lexer *x);

/* Perl's "$name", "@{", "$#list"; q(...) and its like, where the lexer is past the word;
 * <$file>. False, and it stays, where there is none. */
bool lex_variable(struct lexer *x);
bool lex_quoted(struct lexer *x, uint32_t start);
bool lex_reading(struct lexer *x);

/* A name, a keyword or a string with a prefix; a number. The lexer is where one begins. */
bool begins_name(const struct lexer *x);
void lex_name(struct lexer *x);
void lex_number(struct lexer *x);

/* Whether an operand ends with the newest token. */
bool previous_ends_operand(const struct lexer *x);

/* Whether what comes is an operand: it stands after none, or is close to what follows and not
 * to a function's name or a brace before it. */
bool lexer_expects_operand(const struct lexer *x);

/* Skip what is no code: text before "<?php" and after "?>", which is a token;
 * Perl's documentation and what is after its end. False: here is code. */
bool skip_prose(struct lexer *x);

/* "<<WORD": remember the word; then, from the next line's start, go over the line that it ends
 * with. */
void note_heredoc(struct lexer *x);
void skip_heredoc(struct lexer *x);
