#include "verify/counter/brace_text.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

static const struct token *brace_token(const struct counter_file *file, uint32_t i)
{
	return &file->tokens.tokens[i];
}

bool brace_body_after(const struct counter_file *file, uint32_t open, struct span *ret_body)
{
	uint32_t close = counter_is(file, open, "(") ? brace_token(file, open)->match : NO_TOKEN;
	if (close == NO_TOKEN)
		return false;
	for (uint32_t i = close + 1; i < file->tokens.n; i++) {
		if (counter_is(file, i, ";"))
			return false;
		if (!counter_is(file, i, "{"))
			continue;
		uint32_t end = brace_token(file, i)->match;
		*ret_body = (struct span){i + 1, end};
		return end != NO_TOKEN;
	}
	return false;
}

bool brace_returns(const struct counter_file *file, struct span body, const char *function_word)
{
	for (uint32_t i = body.first; i < body.end; i++) {
		struct span inner;
		bool is_inner = function_word && counter_is(file, i, function_word) &&
			brace_body_after(file, i + 1, &inner);
		if (is_inner)
			i = inner.end;
		else if (counter_in(file, i, " return goto "))
			return true;
	}
	return false;
}

bool brace_begins(const struct counter_file *file, struct span body, uint32_t i)
{
	if (brace_token(file, i)->around + 1 != body.first)
		return false;
	if (i == body.first || counter_in(file, i - 1, " ; } "))
		return true;
	return brace_token(file, i - 1)->line < brace_token(file, i)->line &&
		language_in(file->language, " go ") &&
		token_may_end_operand(file->language, file->text, brace_token(file, i - 1));
}

bool brace_other_literal(const struct counter_plan *plan, const struct counter_file *file,
	struct span span, struct counter_change *ret_change)
{
	const struct token *token = brace_token(file, span.first);
	const char *text = file->text + token->start;
	bool is_number = token->kind == TOKEN_NUMBER, is_string = span_is_string(file, span);
	if (span.first + 1 != span.end || (!is_number && !(is_string && *text == '"')))
		return false;
	bool is_hex = is_number && text_n_starts_with(text, token->length, "0x");
	bool is_float = is_number && memchr(text, '.', token->length);
	if (is_number && !is_hex &&
		(memchr(text, 'e', token->length) || memchr(text, 'f', token->length)))
		return false;
	*ret_change = is_string
		? (struct counter_change){.n = 1,
			  .splices = {{.offset = token->start + token->length - 1,
				  .text = arena_printf(plan->arena, " another %s", plan->said)}}}
		: span_wrapped(file, span, "(", is_float ? " + 1.0)" : " ^ 1)");
	ret_change->kind = COUNTER_EXPECTED;
	ret_change->at = token->start;
	return true;
}

void brace_add(struct counter_plan *plan, size_t number, const struct brace_function *function,
	const struct counter_test *test, const char *run, const struct counter_change *change)
{
	const struct counter_file *file = plan->files[number];
	const struct token *name = brace_token(file, function->name);
	struct counter_copy copy = {.test = test->number, .file = number, .mark = counter_mark(plan)};
	copy.run = arena_printf(plan->arena, "%s_%s", run, copy.mark);
	const char *text = counter_changed(plan, file, function->start_byte, function->end_byte,
		name->start + name->length, change, &copy);
	counter_put(plan, &copy, function->end_byte, arena_printf(plan->arena, "\n\n%s", text));
}

struct counter_change brace_end(const struct counter_plan *plan, const struct counter_file *file,
	const struct brace_function *function, const char *statement)
{
	return (struct counter_change){.kind = COUNTER_END,
		.n = 1,
		.at = brace_token(file, function->body.end)->start,
		.splices = {{.offset = brace_token(file, function->body.end)->start,
			.text = arena_printf(plan->arena, "\n%s\n", statement)}}};
}
