#include "verify/counter/script_text.h"

#include <string.h>

static const struct token *script_token(const struct counter_file *file, uint32_t i)
{
	return &file->tokens.tokens[i];
}

/* --- Functions --- */

static size_t script_count_parameters(const struct counter_file *file, uint32_t open)
{
	struct span spans[4];
	return span_arguments(file, open, spans, 4);
}

/* The block that ends a span. */
static bool script_take_block(
	const struct counter_file *file, struct span span, struct script_function *function)
{
	uint32_t close = span.end - 1, open = script_token(file, close)->match;
	if (!counter_is(file, close, "}") || open == NO_TOKEN || open < span.first)
		return false;
	function->is_block = true;
	function->body = (struct span){open + 1, close};
	return true;
}

static bool script_take_arrow(const struct counter_file *file, struct span span, uint32_t first,
	struct script_function *function)
{
	uint32_t arrow = span_seek(file, (struct span){first, span.end}, " => ");
	if (arrow >= span.end || arrow + 1 >= span.end)
		return false;
	function->n_parameters =
		counter_is(file, first, "(") ? script_count_parameters(file, first) : 1;
	if (counter_is(file, arrow + 1, "{") && script_token(file, arrow + 1)->match == span.end - 1)
		return script_take_block(file, span, function);
	function->body = (struct span){arrow + 1, span.end};
	return !counter_is(file, arrow + 1, "{");
}

bool script_function_of(
	const struct counter_file *file, struct span span, struct script_function *ret_function)
{
	struct script_function function = {.whole = span};
	function.is_async = counter_is(file, span.first, "async");
	uint32_t first = span.first + function.is_async;
	bool is_named = counter_is(file, first, "function");
	if (is_named) {
		while (first < span.end && !counter_is(file, first, "("))
			if (counter_is(file, first++, "*"))
				return false;
		if (first >= span.end)
			return false;
		function.n_parameters = script_count_parameters(file, first);
	}
	if (is_named ? !script_take_block(file, span, &function)
				 : !script_take_arrow(file, span, first, &function))
		return false;
	*ret_function = function;
	return true;
}

/* --- Statements --- */

/* Whether a brace begins the body of a function: after an arrow, or after parameters. */
static bool script_is_body(const struct counter_file *file, uint32_t brace)
{
	if (!brace || !counter_is(file, brace, "{"))
		return false;
	if (counter_is(file, brace - 1, "=>"))
		return true;
	uint32_t open =
		counter_is(file, brace - 1, ")") ? script_token(file, brace - 1)->match : NO_TOKEN;
	return open != NO_TOKEN && open &&
		!counter_in(file, open - 1, " if for while switch catch with await ");
}

/* Whether a token stands in no function within the block. */
static bool script_is_own(
	const struct counter_file *file, const struct script_function *function, uint32_t i)
{
	for (uint32_t around = script_token(file, i)->around; around != NO_TOKEN;
		 around = script_token(file, around)->around) {
		if (around + 1 == function->body.first)
			return true;
		if (script_is_body(file, around))
			return false;
	}
	return false;
}

static bool script_returns(
	const struct counter_file *file, const struct script_function *function, uint32_t end)
{
	for (uint32_t i = function->body.first; i < end; i++)
		if (counter_in(file, i, " return yield ") && script_is_own(file, function, i))
			return true;
	return false;
}

bool script_may_return(const struct counter_file *file, const struct script_function *function)
{
	return script_returns(file, function, function->body.end);
}

/* Whether a statement may begin after the token before: that ends a statement or a block, or at
 * least an operand on another line, which is no condition. */
static bool script_begins(const struct counter_file *file, uint32_t i)
{
	if (counter_in(file, i - 1, " ; { } "))
		return !counter_is(file, i - 1, "}") ||
			script_token(file, i - 1)->line < script_token(file, i)->line;
	if (script_token(file, i - 1)->line == script_token(file, i)->line ||
		!token_may_end_operand(file->language, file->text, script_token(file, i - 1)))
		return false;
	uint32_t open = counter_is(file, i - 1, ")") ? script_token(file, i - 1)->match : NO_TOKEN;
	return open == NO_TOKEN || !open || !counter_in(file, open - 1, " if for while with await ");
}

bool script_is_reached(
	const struct counter_file *file, const struct script_function *function, uint32_t i)
{
	return script_token(file, i)->around + 1 == function->body.first && script_begins(file, i) &&
		!script_returns(file, function, i);
}

uint32_t script_chain_end(const struct counter_file *file, uint32_t i)
{
	uint32_t at = i + 1, n = (uint32_t)file->tokens.n, end = i;
	while (at < n) {
		if (counter_is(file, at, "(") && script_token(file, at)->match != NO_TOKEN)
			end = at = script_token(file, at)->match + 1;
		else if (counter_in(file, at, " . ?. ") && at + 1 < n)
			at += 2;
		else
			break;
	}
	return end > i && at == end ? end : i;
}
