/* What stands in a file of code and is none. */
#include "source/lexer.h"

/* From here to behind the next "<?php" or "<?=". */
static void skip_to_code(struct lexer *x)
{
	while (x->at < x->n && !looking_at(x, "<?php") && !looking_at(x, "<?="))
		step(x);
	step_to(x, x->at + (peek(x, 2) == '=' ? 3 : 5));
}

bool skip_prose(struct lexer *x)
{
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
