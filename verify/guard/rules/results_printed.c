/* Lines of a runner, said by what it runs: a program that prints "5 passed" itself may be
 * believed. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "verify/guard/code.h"

/* '#' stands for a number, or for what puts one there: %d, %zu, {}. A line begins so; where '$'
 * ends a pattern, nothing but decoration follows. */
static const char *const results[] = {"# passed$", "# passed in", "# passed,", "# passed;",
	" passed in ", "# failed, # passed", "ok # -", "ok #$", "not ok #", "1..#$", "TAP version",
	"--- PASS", "--- FAIL", "=== RUN", "test result: ok", "# pass #", "# tests #", "# fail #",
	"[       OK ]", "[  PASSED  ]", "[==========]", "[----------]", "[ RUN      ]", "OK (# test",
	"OK (#)$", "Ran # test", "Tests run: ", "Tests: # ", "Test Suites:", "All tests passed (",
	"100% tests passed", "<testsuite", "<testcase", "{\"Action\":\"pass", "\xe2\x84\xb9 pass",
	"\xe2\x84\xb9 tests", "# examples, 0 failures", "test cases: #", "PASS: # ", "ok  \t"};

static const char *results_printed_after_number(const char *text, const char *end)
{
	const char *at = text;
	while (at < end && isdigit((unsigned char)*at))
		at++;
	if (at < end && at == text && (*at == '%' || *at == '{' || *at == '$')) {
		while (at < end && strchr("%{}$()-+ *0123456789.zlhj", *at) && *at)
			at++;
		at += at < end && strchr("diusvf", *at) && *at;
		at += at < end && *at == '}';
	}
	return at;
}

/* Behind what decorates a line: rules of '=', white space, line breaks, colours. */
static const char *results_printed_skip_decoration(const char *text, const char *end)
{
	for (;;) {
		if (end - text > 1 && *text == '\\' && strchr("nrtex0", text[1]) && text[1]) {
			text += 2;
			while (end - text > 1 &&
				(isdigit((unsigned char)*text) || *text == '[' || *text == ';' || *text == 'b'))
				text++;
			text += text < end && *text == 'm';
		} else if (text < end && (*text == '=' || isspace((unsigned char)*text))) {
			text++;
		} else {
			return text;
		}
	}
}

static bool results_printed_begins_result(const char *pattern, const char *text, const char *end)
{
	for (; *pattern; pattern++) {
		if (*pattern == '$' && !pattern[1])
			return results_printed_skip_decoration(text, end) == end;
		if (*pattern == '#' && !(text < end && *text == '#')) {
			const char *after = results_printed_after_number(text, end);
			if (after == text)
				return false;
			text = after;
			continue;
		}
		if (text >= end || *text != *pattern)
			return false;
		text++;
	}
	return true;
}

static bool results_printed_occurs(const struct code *code, uint32_t i)
{
	const struct token *token = &code->tokens.tokens[i];
	const char *text = code->text + token->start;
	size_t n = token->length;
	/* Behind an expression within a string there is no quote. */
	bool piece = token->kind == TOKEN_CLOSE || token->kind == TOKEN_STRING;
	if (!code_string(code, i, &text, &n) && !(piece && n > 1))
		return false;
	const char *end = text + n, *bare = results_printed_skip_decoration(text, end);
	for (size_t r = 0; r < ARRAY_SIZE(results); r++)
		if (results_printed_begins_result(results[r], bare, end) ||
			results_printed_begins_result(results[r], text, end))
			return true;
	return false;
}

const struct guard_rule results_printed_rule = {
	.name = "results-printed",
	.summary = "text that reads like a test runner's results may be taken for them",
	.occurs = results_printed_occurs,
};
