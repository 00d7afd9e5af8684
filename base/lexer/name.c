/* Names, words that are operators, and numbers. */
#include "base/lexer/lexer.h"

bool begins_name(const struct lexer *x)
{
	char c = peek(x, 0);
	if (c == '$' && has(x, LANGUAGE_QUOTE_WORDS))
		return false;
	if (c == '$')
		return !has(x, LANGUAGE_SIGILS) || is_name_byte(peek(x, 1)) ||
			is_one_of(peek(x, 1), "@#?*");
	if (c == '@' && has(x, LANGUAGE_OWN_NAMES))
		return is_name_byte(peek(x, 1)) || peek(x, 1) == '@';
	return is_name_byte(c) && !isdigit((unsigned char)c);
}

/* After a point or an arrow a keyword is a name, "map.delete", "$x->list", and as a key, "{ s => 1
 * }", "$h{y}", "sub x". */
static bool lexer_is_member(const struct lexer *x)
{
	const struct token *last = x->n_tokens ? &x->list->tokens[x->n_tokens - 1] : NULL;
	if (!has(x, LANGUAGE_VARIABLES | LANGUAGE_REGEX) || !last)
		return false;
	if (last->op && last->op->family == FAMILY_ACCESS)
		return true;
	if (!has(x, LANGUAGE_VARIABLES))
		return false;
	uint32_t after = 0;
	while (is_one_of(peek(x, after), " \t"))
		after++;
	bool key = (peek(x, after) == '=' && peek(x, after + 1) == '>') ||
		(peek(x, after) == '}' && x->text[last->start] == '{');
	bool defined = last->kind == TOKEN_KEYWORD &&
		words_hold(x->language->function_words, x->text + last->start, last->length);
	return has(x, LANGUAGE_QUOTE_WORDS) && (key || defined);
}

/* "x" repeats after an operand, and is a name elsewhere. */
static bool lexer_is_no_operator(const struct lexer *x, const struct word *word)
{
	return has(x, LANGUAGE_QUOTE_WORDS) && word->n == 1 && word->operator_in & x->keyword_bit &&
		!previous_ends_operand(x);
}

void lex_name(struct lexer *x)
{
	uint32_t start = x->at;
	step(x);
	if (has(x, LANGUAGE_OWN_NAMES) && x->text[start] == '@' && peek(x, 0) == '@')
		step(x);
	while (x->at < x->n &&
		(is_name_byte(peek(x, 0)) ||
			(peek(x, 0) == '$' && !has(x, LANGUAGE_SIGILS | LANGUAGE_QUOTE_WORDS))))
		step(x);
	if (has(x, LANGUAGE_SIGILS) && x->text[start] == '$' && x->at == start + 1)
		step(x); /* $@ and its like */
	uint32_t n = x->at - start;
	if (has(x, LANGUAGE_PREFIXES) && n <= 2 && is_one_of(x->text[start], PREFIXES) &&
		is_one_of(x->text[x->at - 1], PREFIXES)) {
		if (is_one_of(peek(x, 0), x->language->quotes)) {
			lex_string(x, start);
			return;
		}
		if (has(x, LANGUAGE_CHARACTERS) && lex_hashed_string(x, start))
			return;
	}
	struct word *word = words_intern(x->words, x->text + start, n);
	bool plain = lexer_is_member(x) || lexer_is_no_operator(x, word);
	if (!plain && lex_quoted(x, start))
		return;
	bool keyword = !plain && word->keyword_in & x->keyword_bit;
	struct token *token = lexer_emit(x, keyword ? TOKEN_KEYWORD : TOKEN_NAME, start, x->line);
	token->word = word;
	if (keyword && word->operator_in & x->keyword_bit) {
		token->op = language_operator(x->language, word->text);
		token->kind = TOKEN_OPERATOR;
	}
}

void lex_number(struct lexer *x)
{
	uint32_t start = x->at;
	bool hex = peek(x, 0) == '0' && is_one_of(peek(x, 1), "xX");
	while (x->at < x->n) {
		char c = peek(x, 0), before = x->at > start ? x->text[x->at - 1] : '\0';
		bool sign = !hex && is_one_of(c, "+-") && is_one_of(before, "eE") &&
			isdigit((unsigned char)peek(x, 1));
		bool point = c == '.' && peek(x, 1) != '.' &&
			(!is_name_byte(peek(x, 1)) || isdigit((unsigned char)peek(x, 1)));
		if (!is_name_byte(c) && !sign && !point)
			break;
		step(x);
	}
	struct token *token = lexer_emit(x, TOKEN_NUMBER, start, x->line);
	token->word = words_intern(x->words, x->text + start, x->at - start);
}
