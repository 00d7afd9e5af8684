/*
 * Literals: strings with their expressions, and patterns. Strings that hold expressions
 * become brackets: f"a{b}c" is the opening 'f"a', the opening '{', the name, the closing '}' and
 * the closing 'c"'. So one matching of brackets serves all, and what is in a string is edited like
 * other code.
 */
#include "base/lexer/lexer.h"

/* How long the opening of an expression here is, its bracket included; 0: none does.
 * "{{" is a brace. */
static uint32_t at_interpolation(const struct lexer *x)
{
	for (const char *opening = x->language->interpolation + 1; *opening;
		 opening += strcspn(opening, " ") + 1) {
		uint32_t n = (uint32_t)strcspn(opening, " ");
		bool doubled = n == 1 && peek(x, 1) == *opening;
		if (x->n - x->at >= n && memcmp(x->text + x->at, opening, n) == 0 && !doubled)
			return (uint32_t)strcspn(opening, "{(") + 1;
	}
	return 0;
}

/* Move past the closing quotes, or before an expression. Gives whether it is an expression. A
 * newline ends what cannot go over one. */
static bool scan_string(struct lexer *x, char quote, bool triple, bool escapes, bool interpolates)
{
	bool multiline = triple || is_one_of(quote, x->language->raw_quotes) || quote == '`' ||
		has(x, LANGUAGE_HEREDOCS) || (has(x, LANGUAGE_HEREDOC_LITERALS) && !x->on_one_line);
	char closing[] = {quote, triple ? quote : '\0', triple ? quote : '\0', '\0'};
	while (x->at < x->n) {
		if (looking_at(x, closing)) {
			step_to(x, x->at + (uint32_t)strlen(closing));
			return false;
		}
		if (peek(x, 0) == '\n' && !multiline)
			return false;
		if (interpolates && at_interpolation(x))
			return true;
		bool pair = (escapes && peek(x, 0) == '\\') || (interpolates && looking_at(x, "{{"));
		step(x);
		if (pair && x->at < x->n)
			step(x);
	}
	return false;
}

static void open_interpolation(struct lexer *x)
{
	uint32_t start = x->at;
	step_to(x, x->at + at_interpolation(x));
	lexer_emit(x, TOKEN_OPEN, start, x->line);
	lexer_push(x,
		&(struct open_bracket){
			.closing = x->text[x->at - 1] == '{' ? '}' : ')', .interpolation = true});
}

void resume_string(struct lexer *x)
{
	struct open_bracket string = x->opens[x->n_opens - 1];
	uint32_t start = x->at, line = x->line;
	bool more = scan_string(x, string.closing, string.triple, true, true);
	if (!more) {
		lexer_emit(x, TOKEN_CLOSE, start, line);
		lexer_pop(x);
		return;
	}
	if (x->at > start)
		lexer_emit(x, TOKEN_STRING, start, line);
	open_interpolation(x);
}

static void intern_string(struct lexer *x, struct token *token, size_t skip)
{
	size_t n = token->length;
	if (n > skip + 1 && n < 80)
		token->word = words_intern(x->words, x->text + token->start + skip, n - skip - 1);
}

/* The same from its beginning. One that has no end: it is its line that is wrong, and not all
 * the rest. */
static bool scan_from_quote(
	struct lexer *x, char quote, bool triple, bool escapes, bool interpolates)
{
	uint32_t at = x->at, line = x->line;
	bool more = scan_string(x, quote, triple, escapes, interpolates);
	if (x->at < x->n || x->text[x->n - 1] == quote || !has(x, LANGUAGE_HEREDOC_LITERALS) ||
		x->on_one_line)
		return more;
	x->at = at;
	x->line = line;
	x->on_one_line = true;
	return scan_string(x, quote, triple, escapes, interpolates);
}

void lex_string(struct lexer *x, uint32_t start)
{
	char quote = peek(x, 0);
	uint32_t line = x->line, prefix = x->at - start;
	bool raw = is_one_of(quote, x->language->raw_quotes), formatted = !has(x, LANGUAGE_PREFIXES);
	for (uint32_t i = start; i < x->at; i++) {
		raw |= is_one_of(x->text[i], "rR");
		formatted |= is_one_of(x->text[i], "fF");
	}
	bool triple = has(x, LANGUAGE_TRIPLE) && peek(x, 1) == quote && peek(x, 2) == quote;
	step_to(x, x->at + (triple ? 3 : 1));
	bool interpolates = formatted && is_one_of(quote, x->language->interpolating);
	/* Even in a raw string of Python a backslash keeps the quote after it from closing. */
	bool escapes = !raw || has(x, LANGUAGE_INDENTED);
	if (!scan_from_quote(x, quote, triple, escapes, interpolates)) {
		intern_string(x, lexer_emit(x, TOKEN_STRING, start, line), prefix + (triple ? 3 : 1));
		return;
	}
	lexer_emit(x, TOKEN_OPEN, start, line);
	lexer_push(x, &(struct open_bracket){.closing = quote, .triple = triple, .string = true});
	open_interpolation(x);
}

bool lex_hashed_string(struct lexer *x, uint32_t start)
{
	uint32_t marks = 0;
	while (peek(x, marks) == '#')
		marks++;
	if (!marks || peek(x, marks) != '"')
		return false;
	uint32_t line = x->line;
	step_to(x, x->at + marks + 1);
	for (; x->at < x->n; step(x)) {
		uint32_t after = 0;
		while (peek(x, 0) == '"' && after < marks && peek(x, after + 1) == '#')
			after++;
		if (peek(x, 0) == '"' && after == marks)
			break;
	}
	uint32_t left = x->n - x->at;
	step_to(x, x->at + (left < marks + 1 ? left : marks + 1));
	lexer_emit(x, TOKEN_STRING, start, line);
	return true;
}

bool lex_format_spec(struct lexer *x)
{
	if (!x->n_opens || !x->opens[x->n_opens - 1].interpolation || !has(x, LANGUAGE_PREFIXES))
		return false;
	bool conversion = peek(x, 0) == '!' && is_one_of(peek(x, 1), "rsa");
	if (peek(x, 0) != ':' && !conversion)
		return false;
	uint32_t start = x->at;
	int depth = 0;
	while (x->at < x->n && peek(x, 0) != '\n' && (depth || peek(x, 0) != '}')) {
		depth += peek(x, 0) == '{' ? 1 : peek(x, 0) == '}' ? -1 : 0;
		step(x);
	}
	lexer_emit(x, TOKEN_STRING, start, x->line);
	return true;
}

bool lex_regex(struct lexer *x)
{
	bool class = false;
	uint32_t end = x->at + 1;
	for (; end < x->n && x->text[end] != '\n'; end++) {
		if (x->text[end] == '\\')
			end++;
		else if (x->text[end] == '[')
			class = true;
		else if (x->text[end] == ']')
			class = false;
		else if (x->text[end] == '/' && !class)
			break;
	}
	if (end >= x->n || x->text[end] != '/')
		return false;
	uint32_t start = x->at;
	step_to(x, end + 1);
	while (isalpha((unsigned char)peek(x, 0)))
		step(x);
	lexer_emit(x, TOKEN_STRING, start, x->line);
	return true;
}
