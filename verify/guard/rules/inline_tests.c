/*
 * Rust's unit tests are in the files of the program, so no whole file can be protected for them. A
 * test, which is a #[cfg(test)] item or a #[test] function, must be the same in the fix as at the
 * base but for white space and comments. New tests may come, and all may move to another file. The
 * same holds for blocks of code in documentation, which are tests, too, and for Python's examples
 * where the suite runs them by doctest.
 */
#include <string.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "verify/guard/code.h"

enum { LONGEST_ATTRIBUTE = 64 };

/* Whether an attribute that begins at a token ("#" "[") makes a test: [test], [tokio::test],
 * [cfg(test)], [cfg(all(test, x))]. Its end is given. */
static bool inline_tests_is_test_attribute(const struct code *code, uint32_t i, uint32_t *ret_end)
{
	if (!code_is(code, i, "#") || !code_is(code, i + 1, "["))
		return false;
	uint32_t close = code->tokens.tokens[i + 1].match;
	if (close == NO_TOKEN || close - i > LONGEST_ATTRIBUTE)
		return false;
	*ret_end = close + 1;
	bool is_cfg = code_is(code, i + 2, "cfg"), negated = false;
	for (uint32_t at = i + 2; at < close; at++) {
		negated = negated || code_is(code, at, "not");
		if (code_is(code, at, "test") && (is_cfg ? !negated : at + 1 == close))
			return true;
	}
	return false;
}

/* The first of the attributes before a token. */
static uint32_t inline_tests_first_attribute(const struct code *code, uint32_t i)
{
	while (i > 1 && code_is(code, i - 1, "]")) {
		uint32_t open = code->tokens.tokens[i - 1].match;
		if (open == NO_TOKEN || open == 0 || !code_is(code, open - 1, "#"))
			break;
		i = open - 1;
	}
	return i;
}

/* The end of the item after an attribute: of its braces, or of its semicolon. */
static uint32_t inline_tests_end_of_item(const struct code *code, uint32_t i)
{
	const struct token_list *list = &code->tokens;
	while (i < list->n) {
		uint32_t match = list->tokens[i].match;
		if (code_is(code, i, "{"))
			return match == NO_TOKEN ? (uint32_t)list->n : match + 1;
		if (code_is(code, i, ";"))
			return i + 1;
		i = match != NO_TOKEN && match > i ? match + 1 : i + 1;
	}
	return i;
}

/* The tokens as they are spelt, a space between two. */
static const char *inline_tests_spelling(
	const struct code *code, uint32_t first, uint32_t end, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (uint32_t i = first; i < end; i++) {
		strbuf_add(&sb, code->text + code->tokens.tokens[i].start, code->tokens.tokens[i].length);
		strbuf_addc(&sb, ' ');
	}
	return arena_strndup(arena, sb.text, sb.length);
}

/* A module's items count each alone: so one may be added. */
static bool inline_tests_is_module(const struct code *code, uint32_t first, uint32_t end)
{
	return end > first + 2 && (code_is(code, first, "mod") || code_is(code, first + 1, "mod")) &&
		code_is(code, end - 1, "}");
}

struct tests {
	struct inspection *inspection;
	const struct guard_rule *rule;
	struct map after; /* tests of the fix, as a set */
	struct arena *arena;
	struct text_range *ranges; /* where tests stand, with the heads of their modules */
	size_t n_ranges;
	bool takes_heads;
};

typedef void take_test(struct tests *tests, const struct code *code, uint32_t first, uint32_t end);

static void inline_tests_each_item(
	struct tests *tests, const struct code *code, uint32_t first, uint32_t end, take_test *take)
{
	while (first < end) {
		uint32_t next = inline_tests_end_of_item(code, first);
		next = next > end ? end : next;
		take(tests, code, first, next);
		first = next > first ? next : first + 1;
	}
}

static void inline_tests_each_test(struct tests *tests, const struct code *code, take_test *take)
{
	uint32_t behind = 0;
	for (uint32_t i = 0; i < code->tokens.n; i++) {
		if (!inline_tests_is_test_attribute(code, i, &behind))
			continue;
		uint32_t end = inline_tests_end_of_item(code, behind), open = behind;
		while (open < end && !code_is(code, open, "{"))
			open++;
		bool is_module = inline_tests_is_module(code, behind, end);
		if (!is_module || tests->takes_heads)
			take(tests, code, inline_tests_first_attribute(code, i), is_module ? open + 1 : end);
		if (is_module)
			inline_tests_each_item(tests, code, open + 1, end - 1, take);
		i = end - 1;
	}
}

static void inline_tests_put(
	struct tests *tests, const struct code *code, uint32_t first, uint32_t end)
{
	struct arena *arena = tests->inspection->arena;
	map_put(&tests->after, arena, inline_tests_spelling(code, first, end, arena), tests);
}

static void inline_tests_look_up(
	struct tests *tests, const struct code *code, uint32_t first, uint32_t end)
{
	if (!map_get(&tests->after, inline_tests_spelling(code, first, end, tests->inspection->arena)))
		guard_find_code(tests->inspection, tests->rule, code, first);
}

static void inline_tests_add_range(
	struct tests *tests, const struct code *code, uint32_t first, uint32_t end)
{
	const struct token *start = &code->tokens.tokens[first], *last = &code->tokens.tokens[end - 1];
	if (end > first)
		ARENA_PUSH(tests->arena, tests->ranges, tests->n_ranges,
			(struct text_range){start->start, last->start + last->length});
}

/* --- Documentation --- */

/* The text of a line of documentation after "///" or "//!"; NULL: it is none. */
static const char *inline_tests_documentation(const char *line)
{
	line += strspn(line, " \t");
	return text_starts_with(line, "///") || text_starts_with(line, "//!")
		? line + 3 + (line[3] == ' ')
		: NULL;
}

/* The lines of a text's blocks of code in documentation, one after the other. */
static void inline_tests_add_blocks(struct strbuf *sb, const char *text)
{
	bool in_block = false;
	AUTO_ARENA scratch = ARENA_INIT;
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		const char *line = inline_tests_documentation(arena_strndup(&scratch, text, n));
		if (line && text_starts_with(line, "```"))
			in_block = !in_block;
		if (line && (in_block || text_starts_with(line, "```")))
			strbuf_addf(sb, "%s\n", line);
	}
}

/* Whether all lines of one are in the other, in their order. */
static bool inline_tests_keeps_lines(const char *old, const char *fixed)
{
	while (*old) {
		size_t n = strcspn(old, "\n"), m = strcspn(fixed, "\n");
		if (!*fixed)
			return false;
		if (n == m && memcmp(old, fixed, n) == 0)
			old += n + (old[n] == '\n');
		fixed += m + (fixed[m] == '\n');
	}
	return true;
}

/* The lines of a text's examples for doctest, with what they must print. */
static void inline_tests_add_examples(struct strbuf *sb, const char *text)
{
	bool in_example = false;
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		size_t end = n;
		while (end && strchr(" \t\r", text[end - 1]))
			end--;
		const char *line = text + strspn(text, " \t\"'"), *quotes = NULL;
		for (const char *at = line; at + 2 < text + end && !quotes; at++)
			if (memcmp(at, "\"\"\"", 3) == 0 || memcmp(at, "'''", 3) == 0)
				quotes = at;
		in_example = line < text + end && (in_example || text_starts_with(line, ">>>"));
		if (in_example && line < (quotes ? quotes : text + end))
			strbuf_addf(sb, "%.*s\n", (int)((quotes ? quotes : text + end) - line), line);
		in_example &= !quotes;
	}
}

/* `add` gives the lines that a text must keep. */
static void inline_tests_inspect_documentation(struct inspection *inspection,
	const struct guard_rule *rule, const struct changed_file *file,
	void (*add)(struct strbuf *sb, const char *text))
{
	AUTO_STRBUF before = STRBUF_INIT(STRBUF_TEXT), after = STRBUF_INIT(STRBUF_TEXT);
	if (!file->old || !file->text)
		return;
	add(&before, file->old);
	add(&after, file->text);
	if (!inline_tests_keeps_lines(before.text, after.text))
		guard_find(inspection, rule, file, 0,
			"an example in its documentation, which is a test, is gone or changed");
}

static bool inline_tests_is_rust(const struct code *code)
{
	return code->language && strcmp(code->language->name, "rust") == 0;
}

size_t guard_inline_tests(const char *path, const char *text, size_t n, struct arena *arena,
	struct text_range **ret_ranges)
{
	struct code code = {.text = text, .n_text = n, .language = language_of(path)};
	struct tests tests = {.arena = arena, .takes_heads = true};
	struct words words = {.arena = arena};
	if (inline_tests_is_rust(&code) && n < UINT32_MAX / 2) {
		tokens_read(code.language, text, n, &words, arena, &code.tokens);
		inline_tests_each_test(&tests, &code, inline_tests_add_range);
	}
	*ret_ranges = tests.ranges;
	return tests.n_ranges;
}

static void inline_tests_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	struct tests tests = {.inspection = inspection, .rule = rule};
	for (size_t i = 0; i < inspection->n; i++)
		if (inline_tests_is_rust(&inspection->after[i]))
			inline_tests_each_test(&tests, &inspection->after[i], inline_tests_put);
	for (size_t i = 0; i < inspection->n; i++) {
		const struct changed_file *file = &inspection->files[i];
		if (file->runs_examples)
			inline_tests_inspect_documentation(inspection, rule, file, inline_tests_add_examples);
		if (!inline_tests_is_rust(&inspection->before[i]))
			continue;
		inline_tests_each_test(&tests, &inspection->before[i], inline_tests_look_up);
		inline_tests_inspect_documentation(inspection, rule, file, inline_tests_add_blocks);
	}
}

const struct guard_rule inline_tests_rule = {
	.name = "inline-tests",
	.summary = "a test that stands in a file of the program is gone or changed",
	.inspect = inline_tests_inspect,
};
