/* Parts of a file of code that are no code. */
#include "base/lexer/lexer.h"

/* Move past the next "<?php" or "<?=". */
static void skip_to_code(struct lexer *x)
{
	while (x->at < x->n && !looking_at(x, "<?php") && !looking_at(x, "<?="))
		step(x);
	step_to(x, x->at + (peek(x, 2) == '=' ? 3 : 5));
}

static bool begins_line_with(const struct lexer *x, const char *word)
{
	return looking_at(x, word) && !is_name_byte(peek(x, (uint32_t)strlen(word)));
}

static void skip_line(struct lexer *x)
{
	while (x->at < x->n && peek(x, 0) != '\n')
		step(x);
	step(x);
}

/* "=head1" to "=cut", and all after "__END__". */
static bool skip_documentation(struct lexer *x)
{
	bool begins_line = x->at == 0 || x->text[x->at - 1] == '\n';
	if (!begins_line || !has(x, LANGUAGE_QUOTE_WORDS))
		return false;
	if (begins_line_with(x, "__END__") || begins_line_with(x, "__DATA__"))
		step_to(x, x->n);
	else if (peek(x, 0) != '=' || !isalpha((unsigned char)peek(x, 1)))
		return false;
	while (x->at < x->n && !begins_line_with(x, "=cut"))
		skip_line(x);
	skip_line(x);
	return true;
}

bool skip_prose(struct lexer *x)
{
	if (skip_documentation(x))
		return true;
	if (!has(x, LANGUAGE_TEMPLATE) || (x->in_code && !looking_at(x, "?>")))
		return false;
	if (x->in_code) {
		uint32_t start = x->at;
		step_to(x, x->at + 2);
		lexer_emit(x, TOKEN_OPERATOR, start, x->line);
	}
	skip_to_code(x);
	x->in_code = true;
	return true;
}
