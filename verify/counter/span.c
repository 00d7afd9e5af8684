#include "verify/counter/span.h"

#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"

enum { NAME_BEGINS = 12 };

bool counter_is(const struct counter_file *file, uint32_t i, const char *text)
{
	const struct token *token = &file->tokens.tokens[i];
	return i < file->tokens.n && token->length == strlen(text) &&
		memcmp(file->text + token->start, text, token->length) == 0;
}

bool counter_in(const struct counter_file *file, uint32_t i, const char *words)
{
	const struct token *token = &file->tokens.tokens[i];
	return i < file->tokens.n && words_hold(words, file->text + token->start, token->length);
}

size_t span_start(const struct counter_file *file, struct span span)
{
	return file->tokens.tokens[span.first].start;
}

size_t span_end(const struct counter_file *file, struct span span)
{
	const struct token *last = &file->tokens.tokens[span.end - 1];
	return last->start + last->length;
}

uint32_t span_seek(const struct counter_file *file, struct span span, const char *words)
{
	const struct token *tokens = file->tokens.tokens;
	for (uint32_t i = span.first; i < span.end; i++)
		if (tokens[i].around == tokens[span.first].around && tokens[i].kind != TOKEN_CLOSE &&
			tokens[i].kind != TOKEN_OPEN && counter_in(file, i, words))
			return i;
	return span.end;
}

size_t span_arguments(
	const struct counter_file *file, uint32_t open, struct span *spans, size_t most)
{
	uint32_t close = file->tokens.tokens[open].match;
	size_t n = 0;
	for (uint32_t i = open + 1; close != NO_TOKEN && i < close && n < most; n++) {
		spans[n] = (struct span){i, span_seek(file, (struct span){i, close}, " , ")};
		i = spans[n].end + 1;
	}
	for (size_t i = 0; i < n; i++)
		if (spans[i].first >= spans[i].end)
			return 0;
	return n;
}

bool span_is_literal(const struct counter_file *file, struct span span, const char *words)
{
	uint32_t first = span.first + counter_is(file, span.first, "-");
	enum token_kind kind = file->tokens.tokens[first].kind;
	return first + 1 == span.end &&
		(kind == TOKEN_NUMBER || kind == TOKEN_STRING || counter_in(file, first, words));
}

bool span_is_string(const struct counter_file *file, struct span span)
{
	return span.first + 1 == span.end && file->tokens.tokens[span.first].kind == TOKEN_STRING &&
		strchr("\"'", file->text[span_start(file, span)]);
}

bool span_names_itself(
	const struct counter_file *file, struct span span, const char *name, size_t n)
{
	static const char words[] =
		" __name__ __line__ _testMethodName currentframe getframeinfo _getframe extract_stack "
		"format_stack print_stack format_exc print_exc stacklevel lineno co_name co_filename "
		"tb_frame findCaller getsource getsourcefile funcName stack stackTrace captureStackTrace "
		"Caller Callers CallersFrames Stack argv Args prog snapshot toMatchSnapshot "
		"toMatchInlineSnapshot current_thread Backtrace data_regression file_regression "
		"num_regression ndarrays_regression dataframe_regression image_regression ";
	/* A long name may be parted on two lines. */
	n = n < NAME_BEGINS ? n : NAME_BEGINS;
	for (uint32_t i = span.first; i < span.end; i++) {
		const struct token *token = &file->tokens.tokens[i];
		const char *text = file->text + token->start;
		bool is_string = token->kind == TOKEN_STRING;
		if (counter_in(file, i, words) ||
			(is_string && name && memmem(text, token->length, name, n)))
			return true;
	}
	return false;
}

bool span_names_file(const struct counter_file *file)
{
	const char *base = file_name(file->path), *dot = strrchr(base, '.');
	size_t n = dot ? (size_t)(dot - base) : strlen(base);
	for (uint32_t i = 0; i < file->tokens.n; i++) {
		const struct token *token = &file->tokens.tokens[i];
		bool is_string = token->kind == TOKEN_STRING;
		if (counter_in(file, i, " __file__ __filename Caller ") ||
			(counter_is(file, i, "import") && counter_is(file, i + 1, ".")) ||
			(is_string && memmem(file->text + token->start, token->length, base, n)))
			return true;
	}
	return false;
}

struct span span_expected(
	const struct counter_file *file, struct span left, struct span right, const char *literals)
{
	return span_is_literal(file, left, literals) && !span_is_literal(file, right, literals) ? left
																							: right;
}

struct counter_change span_wrapped(
	const struct counter_file *file, struct span span, const char *before, const char *after)
{
	return (struct counter_change){.kind = COUNTER_EXPECTED,
		.n = 2,
		.at = span_start(file, span),
		.splices = {{.offset = span_start(file, span), .text = before},
			{.offset = span_end(file, span), .text = after}}};
}

struct counter_change span_replaced(
	const struct counter_file *file, struct span span, const char *text)
{
	return (struct counter_change){.kind = COUNTER_EXPECTED,
		.n = 1,
		.at = span_start(file, span),
		.splices = {{.offset = span_start(file, span),
			.length = span_end(file, span) - span_start(file, span),
			.text = text}}};
}
