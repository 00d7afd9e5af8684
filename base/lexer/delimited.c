/* Literals whose delimiters their writer chooses: here-documents, long brackets. An unclosed one
 * goes to the end. */
#include "base/lexer/lexer.h"

void note_heredoc(struct lexer *x)
{
	uint32_t at = x->at + 2;
	while (at < x->n && is_one_of(x->text[at], "-~'\""))
		at++;
	size_t n = 0;
	while (at + n < x->n && is_name_byte(x->text[at + n]) && n + 1 < sizeof x->heredoc)
		n++;
	bool word = n && (isupper((unsigned char)x->text[at]) || x->text[at] == '_');
	memcpy(x->heredoc, x->text + at, word ? n : 0);
	x->heredoc[word ? n : 0] = '\0';
}

void skip_heredoc(struct lexer *x)
{
	size_t n = strlen(x->heredoc);
	bool ended = false;
	while (!ended && x->at < x->n) {
		while (is_one_of(peek(x, 0), " \t"))
			step(x);
		ended = looking_at(x, x->heredoc) && !is_name_byte(peek(x, (uint32_t)n));
		while (x->at < x->n && peek(x, 0) != '\n')
			step(x);
		if (!ended && x->at < x->n)
			step(x);
	}
	x->heredoc[0] = '\0';
}

uint32_t long_bracket_end(const struct lexer *x, uint32_t ahead)
{
	uint32_t marks = 0, at = x->at + ahead + 1;
	if (peek(x, ahead) != '[')
		return 0;
	while (peek(x, ahead + 1 + marks) == '=')
		marks++;
	if (peek(x, ahead + 1 + marks) != '[')
		return 0;
	for (at += marks + 1; at < x->n; at++) {
		uint32_t same = 0;
		while (x->text[at] == ']' && at + same + 1 < x->n && same < marks &&
			x->text[at + same + 1] == '=')
			same++;
		if (x->text[at] == ']' && same == marks && at + marks + 1 < x->n &&
			x->text[at + marks + 1] == ']')
			return at + marks + 2;
		at += same;
	}
	return x->n;
}

bool lex_long_bracket(struct lexer *x)
{
	uint32_t end = has(x, LANGUAGE_LONG_BRACKETS) ? long_bracket_end(x, 0) : 0, start = x->at,
			 line = x->line;
	if (!end)
		return false;
	step_to(x, end);
	lexer_emit(x, TOKEN_STRING, start, line);
	return true;
}

/* Whether a line's first word, from here on, is the one of n bytes at `word`. */
static bool begins_line_with(
	const struct lexer *x, uint32_t at, uint32_t word, uint32_t n, uint32_t *ret_end)
{
	while (at < x->n && is_one_of(x->text[at], " \t"))
		at++;
	*ret_end = at + n;
	return x->n - at >= n && memcmp(x->text + at, x->text + word, n) == 0 &&
		(at + n == x->n || !is_name_byte(x->text[at + n]));
}

/* "<<WORD", "<<~'WORD'": the line continues after it. */
static bool lex_heredoc_ahead(struct lexer *x)
{
	uint32_t start = x->at, word = x->at + 2 + (peek(x, 2) == '~'), n = 0;
	bool quoted = word < x->n && is_one_of(x->text[word], "\"'");
	const char *end = quoted ? memchr(x->text + word + 1, x->text[word], x->n - word - 1) : NULL;
	if (!lexer_expects_operand(x) || (quoted && !end))
		return false;
	word += quoted;
	while (quoted ? x->text + word + n < end : word + n < x->n && is_name_byte(x->text[word + n]))
		n++;
	if (!n || n >= sizeof x->heredoc || isdigit((unsigned char)x->text[word]) ||
		memchr(x->text + word, '\n', n))
		return false;
	memcpy(x->heredoc, x->text + word, n);
	x->heredoc[n] = '\0';
	step_to(x, word + n + quoted);
	lexer_emit(x, TOKEN_STRING, start, x->line);
	return true;
}

bool lex_heredoc(struct lexer *x)
{
	if (has(x, LANGUAGE_QUOTE_WORDS) && looking_at(x, "<<"))
		return lex_heredoc_ahead(x);
	if (!has(x, LANGUAGE_HEREDOC_LITERALS) || !looking_at(x, "<<<"))
		return false;
	uint32_t word = x->at + 3, n = 0, start = x->at, line = x->line, end = x->n;
	while (word < x->n && is_one_of(x->text[word], " \t\"'"))
		word++;
	while (word + n < x->n && is_name_byte(x->text[word + n]))
		n++;
	if (!n)
		return false;
	for (uint32_t at = word + n; at < x->n; at++)
		if (x->text[at] == '\n' && begins_line_with(x, at + 1, word, n, &end))
			break;
		else
			end = x->n;
	step_to(x, end);
	lexer_emit(x, TOKEN_STRING, start, line);
	return true;
}
