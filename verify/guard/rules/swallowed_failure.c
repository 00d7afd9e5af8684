/*
 * A function that was handed in is called where its failure is lost: every error is caught, also
 * that of an assertion, and nothing comes of it. A test that hands in its assertions then passes,
 * whatever they say. Handlers that raise again, and those that catch certain errors, are not meant.
 */
#include "verify/guard/code.h"

enum { BLOCK_MOST = 2000, HANDLER_HEAD_MOST = 40 };

#define AGAIN " raise throw panic rethrow resume_unwind exit abort die fail "
#define LOOPS " for foreach each "

/* A stretch of tokens; `end` is after the last. */
struct stretch {
	uint32_t first, end;
};

/* --- What is called --- */

/* Whether the word of a token stands in a bracket, as a parameter does. */
static bool swallowed_names(const struct code *code, uint32_t open, const struct word *word)
{
	const struct token *tokens = code->tokens.tokens;
	for (uint32_t i = open + 1; i < tokens[open].match; i++)
		if (tokens[i].kind == TOKEN_NAME && tokens[i].word == word)
			return true;
	return false;
}

/* Whether a name is a parameter of a function around it, or the variable of a loop. */
static bool swallowed_is_given(const struct code *code, uint32_t at)
{
	const struct token *tokens = code->tokens.tokens;
	const struct word *word = tokens[at].word;
	uint32_t first, end;
	for (uint32_t i = at; i-- > 0 && at - i < BLOCK_MOST;) {
		if (code_in(code, i, LOOPS) && code_is(code, i + 1, "(") && tokens[i + 1].match < at &&
			swallowed_names(code, i + 1, word))
			return true;
		if (code_in(code, i, LOOPS))
			for (uint32_t k = i + 1; k < at && !code_in(code, k, " in of : { "); k++)
				if (tokens[k].word == word)
					return true;
		if (code_is(code, i, "(") && tokens[i].match < at && swallowed_names(code, i, word) &&
			code_body(code, i, &first, &end) && first <= at && at < end)
			return true;
	}
	return false;
}

/* Whether a function of that name is defined in the file. */
static bool swallowed_is_defined(const struct code *code, const struct word *word)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t first, end;
	for (uint32_t i = 0; i + 1 < code->tokens.n; i++)
		if (tokens[i].word == word && code_is(code, i + 1, "(") &&
			!(i && code_is(code, i - 1, ".")) && code_body(code, i + 1, &first, &end))
			return true;
	return false;
}

/* Whether the bracket at a token calls what was handed in: a parameter, the variable of a loop, an
 * element, or a field that is no method. */
static bool swallowed_calls_given(const struct code *code, uint32_t open)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t at = open - 1;
	if (!open || !code_is(code, open, "("))
		return false;
	if (code_is(code, at, "]"))
		return true;
	if (at >= 2 && code_in(code, at, " call apply __call__ run accept invoke ") &&
		code_in(code, at - 1, " . -> "))
		at -= 2;
	if (tokens[at].kind != TOKEN_NAME)
		return false;
	if (at >= 2 && code_in(code, at - 1, " . -> "))
		return code_in(code, at - 2, " self this $this ") &&
			!swallowed_is_defined(code, tokens[at].word);
	return swallowed_is_given(code, at);
}

static bool swallowed_calls_any(const struct code *code, struct stretch stretch)
{
	for (uint32_t i = stretch.first; i < stretch.end && i < code->tokens.n; i++)
		if (swallowed_calls_given(code, i))
			return true;
	return false;
}

static bool swallowed_has(const struct code *code, struct stretch stretch, const char *words)
{
	for (uint32_t i = stretch.first; i < stretch.end && i < code->tokens.n; i++)
		if (code_in(code, i, words))
			return true;
	return false;
}

/* --- Who catches it --- */

/* What is tried before an `except`, and what is done then. */
static bool swallowed_by_indentation(
	const struct code *code, uint32_t i, struct stretch *tried, struct stretch *handler)
{
	uint32_t column = code_column(code, i), at = i, colon = i + 1;
	while (at > 0 && i - at < BLOCK_MOST &&
		!(code_is(code, at, "try") && code_column(code, at) == column))
		at--;
	while (colon < code->tokens.n && colon - i < HANDLER_HEAD_MOST && !code_is(code, colon, ":"))
		colon++;
	if (!code_is(code, at, "try") || !code_is(code, colon, ":"))
		return false;
	*tried = (struct stretch){at + 1, i};
	*handler = (struct stretch){colon + 1, code_end_of_block(code, i, colon + 1)};
	return true;
}

static bool swallowed_by_braces(
	const struct code *code, uint32_t i, struct stretch *tried, struct stretch *handler)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t open = i + 1;
	if (!i || !code_is(code, i - 1, "}") || tokens[i - 1].match == NO_TOKEN)
		return false;
	while (open < code->tokens.n && open - i < HANDLER_HEAD_MOST && !code_is(code, open, "{"))
		open++;
	if (!code_is(code, open, "{") || tokens[open].match == NO_TOKEN)
		return false;
	*tried = (struct stretch){tokens[i - 1].match + 1, i - 1};
	*handler = (struct stretch){open + 1, tokens[open].match};
	return true;
}

/* Whether its head names errors that failed assertions are, or none at all. */
static bool swallowed_catches_all(const struct code *code, uint32_t i, struct stretch handler)
{
	struct stretch head = {i + 1, handler.first - 1};
	if (code->language == &language_python)
		return head.first == head.end ||
			swallowed_has(code, head, " BaseException AssertionError ");
	if (language_is_script(code->language))
		return handler.first == handler.end;
	if (code->language == &language_cpp)
		return swallowed_has(code, head, " ... ");
	return swallowed_has(code, head, " Throwable AssertionError Error ");
}

/* The errors that Go's recover and Rust's catch_unwind take back; the result is dropped. */
static bool swallowed_panic(const struct code *code, uint32_t i)
{
	const struct token *tokens = code->tokens.tokens;
	if (!code_is(code, i + 1, "(") || tokens[i + 1].match == NO_TOKEN)
		return false;
	if (code->language == &language_rust)
		return swallowed_calls_any(code, (struct stretch){i + 2, tokens[i + 1].match});
	bool is_dropped = i > 0 && code_in(code, i - 1, " { ; = ") && code_is(code, i + 3, "}");
	uint32_t block = tokens[i].around; /* of the deferred function, then of the one around it */
	uint32_t outer = block == NO_TOKEN ? NO_TOKEN : tokens[block].around;
	return is_dropped && outer != NO_TOKEN && tokens[outer].match != NO_TOKEN &&
		swallowed_calls_any(code, (struct stretch){outer + 1, tokens[outer].match});
}

/* Ruby's, where a block is yielded to before it. */
static bool swallowed_block(const struct code *code, uint32_t i)
{
	if (!code_is(code, i + 1, "Exception"))
		return false;
	for (uint32_t at = i; at-- > 0 && !code_is(code, at, "def");)
		if (code_is(code, at, "yield") || (code_is(code, at, "call") && code_is(code, at - 1, ".")))
			return true;
	return false;
}

static bool swallowed_failure_occurs(const struct code *code, uint32_t i)
{
	struct stretch tried, handler;
	if (code->language == &language_go || code->language == &language_rust)
		return swallowed_panic(code, i);
	if (code->language == &language_ruby)
		return code_is(code, i, "rescue") && swallowed_block(code, i);
	bool is_there = code->language->traits & LANGUAGE_INDENTED
		? code_is(code, i, "except") && swallowed_by_indentation(code, i, &tried, &handler)
		: code_is(code, i, "catch") && swallowed_by_braces(code, i, &tried, &handler);
	return is_there && swallowed_catches_all(code, i, handler) &&
		!swallowed_has(code, handler, AGAIN) && swallowed_calls_any(code, tried);
}

const struct guard_rule swallowed_failure_rule = {
	.name = "swallowed-failure",
	.summary = "catches every error of a function that it was handed, also a failed assertion, and "
			   "drops it",
	.occurs = swallowed_failure_occurs,
	.occurs_at = " except catch rescue recover catch_unwind ",
};
