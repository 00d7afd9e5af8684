/* Perl's literals whose opening is a word, q(...), m{...}, s/.../.../, and those that hold what
 * is read: <$file>. */
#include "base/lexer/lexer.h"

#define WORDS " q qq qw qr qx m s tr y "
#define OF_TWO " s tr y "
#define WITH_FLAGS " m qr s tr y "

/* Where a search for the end has to stop. */
static uint32_t limit_of(const struct lexer *x)
{
	const char *newline = x->on_one_line ? memchr(x->text + x->at, '\n', x->n - x->at) : NULL;
	return newline ? (uint32_t)(newline - x->text) : x->n;
}

/* After the delimiter that closes the one before `at`; 0: none does. */
static uint32_t part_end(const struct lexer *x, uint32_t at, uint32_t limit, char opening)
{
	const char *pair = strchr("()[]{}<>", opening);
	char closing = pair ? pair[1] : opening;
	for (uint32_t depth = 0; at < limit; at++) {
		if (x->text[at] == '\\')
			at++;
		else if (x->text[at] == closing && depth-- == 0)
			return at + 1;
		else if (pair && x->text[at] == opening)
			depth++;
	}
	return 0;
}

static uint32_t skip_space(const struct lexer *x, uint32_t at, uint32_t limit)
{
	while (at < limit && isspace((unsigned char)x->text[at]))
		at++;
	return at;
}

/* Whether a delimiter can stand here, after a word and perhaps a space. */
static bool lexer_is_delimiter(const struct lexer *x, uint32_t at)
{
	bool apart = at > x->at;
	char c = at < x->n ? x->text[at] : '\0';
	if (apart)
		return is_one_of(c, "([{</|!\"'");
	return c && ispunct((unsigned char)c) && !is_one_of(c, "_=,;)]}>:-.?&*+");
}

static uint32_t quoted_end(
	const struct lexer *x, const char *word, size_t n, uint32_t at, uint32_t limit)
{
	char opening = x->text[at];
	uint32_t end = part_end(x, at + 1, limit, opening);
	if (!end || !words_hold(OF_TWO, word, n))
		return end;
	if (!is_one_of(opening, "([{<"))
		return part_end(x, end, limit, opening);
	at = skip_space(x, end, limit);
	return at < limit ? part_end(x, at + 1, limit, x->text[at]) : 0;
}

bool lex_quoted(struct lexer *x, uint32_t start)
{
	const char *word = x->text + start;
	size_t n = x->at - start;
	bool asks_file = n == 1 && start && x->text[start - 1] == '-'; /* "-s $path" */
	if (!has(x, LANGUAGE_QUOTE_WORDS) || asks_file || !words_hold(WORDS, word, n))
		return false;
	uint32_t limit = limit_of(x), at = skip_space(x, x->at, limit), line = x->line;
	uint32_t end = lexer_is_delimiter(x, at) ? quoted_end(x, word, n, at, limit) : x->n + 1;
	if (!end)
		x->on_one_line = true;
	if (!end || end > x->n)
		return false;
	step_to(x, end);
	while (words_hold(WITH_FLAGS, word, n) && isalpha((unsigned char)peek(x, 0)))
		step(x);
	lexer_emit(x, TOKEN_STRING, start, line);
	return true;
}

bool lex_reading(struct lexer *x)
{
	uint32_t n = 1;
	if (!has(x, LANGUAGE_QUOTE_WORDS) || peek(x, 0) != '<' || !lexer_expects_operand(x))
		return false;
	while (is_name_byte(peek(x, n)) || is_one_of(peek(x, n), "$:"))
		n++;
	if (peek(x, n) != '>')
		return false;
	uint32_t start = x->at;
	step_to(x, x->at + n + 1);
	lexer_emit(x, TOKEN_STRING, start, x->line);
	return true;
}
