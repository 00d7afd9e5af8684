/* Perl's variables: a sign and a name, a sign before another variable, or a sign before a brace. */
#include "base/lexer/lexer.h"

/* Punctuation that is a variable after '$'; brackets are not taken for one. */
#define PUNCTUATION "$&`'+!@/\\,.|\"-?<>0"

static bool begins_rest(const struct lexer *x, uint32_t ahead)
{
	return is_name_byte(peek(x, ahead)) || is_one_of(peek(x, ahead), "${") ||
		(peek(x, ahead) == ':' && peek(x, ahead + 1) == ':');
}

/* A sign of '%' or '&' also divides and cuts bits: after an operand it belongs to a variable
 * only if that follows without a space. */
static bool lexer_is_sign(const struct lexer *x)
{
	char c = peek(x, 0);
	if (c == '$' || c == '@')
		return true;
	if ((c != '%' && c != '&') ||
		!(begins_rest(x, 1) || (c == '%' && is_one_of(peek(x, 1), "+-!"))))
		return false;
	return lexer_expects_operand(x);
}

/* How many bytes the name has that begins here, its sign included; 0: there is none. */
static uint32_t name_length(const struct lexer *x)
{
	uint32_t n = 1 + (peek(x, 0) == '$' && peek(x, 1) == '#');
	while (n > 1 && peek(x, n) == '$')
		n++;
	if (peek(x, n) == ':' && peek(x, n + 1) == ':' && is_name_byte(peek(x, n + 2)))
		n += 2;
	uint32_t start = n;
	while (is_name_byte(peek(x, n)))
		n++;
	if (n > start)
		return n;
	if (peek(x, 0) == '$' && peek(x, 1) == '^' && isupper((unsigned char)peek(x, 2)))
		return 3;
	bool special = (peek(x, 0) == '$' && is_one_of(peek(x, 1), PUNCTUATION)) ||
		(peek(x, 0) == '%' && is_one_of(peek(x, 1), "+-!"));
	return special ? 2 : 0;
}

bool lex_variable(struct lexer *x)
{
	if (!has(x, LANGUAGE_QUOTE_WORDS) || !lexer_is_sign(x))
		return false;
	uint32_t start = x->at, braced = 1 + (peek(x, 0) == '$' && peek(x, 1) == '#');
	if (peek(x, braced) == '{') {
		step_to(x, x->at + braced + 1);
		lexer_emit(x, TOKEN_OPEN, start, x->line);
		lexer_push(x, &(struct open_bracket){.closing = '}'});
		return true;
	}
	bool of_another = braced == 1 && peek(x, 1) == '$' && begins_rest(x, 2);
	uint32_t n = of_another ? 0 : name_length(x);
	if (!n)
		return false;
	step_to(x, x->at + n);
	lexer_emit(x, TOKEN_NAME, start, x->line)->word = words_intern(x->words, x->text + start, n);
	return true;
}
