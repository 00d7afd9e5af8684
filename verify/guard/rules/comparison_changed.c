/*
 * A method that says what is equal, comes first, or is true, in a class of which the tests that are
 * to pass say nothing. These tests compare by it whatever they ask for, so that a change there can
 * make them hold; whoever mends a comparison has a test that names the class.
 */
#include <string.h>

#include "base/strbuf.h"
#include "verify/guard/code.h"

#define NAMES \
	" __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ equals hashCode compareTo eq " \
	"ne " \
	"cmp partial_cmp Equal Less operator "
#define OPERATORS " == != < > <= >= <=> bool "
#define CLASSES " class struct impl trait interface enum record "

enum { HEAD_MOST = 40, TOKENS_MOST = 4000 };

struct comparison_method {
	const char *class, *name; /* in the arena */
	const char *text;  /* its tokens, spaces between them; in the arena */
	uint32_t token;
};

struct comparison_methods {
	struct comparison_method *items;
	size_t n;
};

/* --- Finding them --- */

/* The bracket of the parameters of a definition whose name the token is, or NO_TOKEN. */
static uint32_t comparison_parameters(const struct code *code, uint32_t i)
{
	bool is_operator = code_is(code, i, "operator");
	uint32_t open = i + 1 + is_operator;
	if (code->tokens.tokens[i].kind > TOKEN_KEYWORD || !i || code_is(code, i - 1, ".") ||
		(is_operator && !code_in(code, i + 1, OPERATORS)) ||
		((code->language->traits & LANGUAGE_INDENTED) && !code_is(code, i - 1, "def")))
		return NO_TOKEN;
	return code_is(code, open, "(") ? open : NO_TOKEN;
}

/* By indentation: what begins to the left of a method's line is its class. */
static uint32_t comparison_class_by_column(const struct code *code, uint32_t i)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t column = code_column(code, code->tokens.line_first[tokens[i].line]);
	while (i-- > 0 && column) {
		bool begins = !i || tokens[i].line != tokens[i - 1].line;
		if (!begins || tokens[i].around != NO_TOKEN || code_column(code, i) >= column)
			continue;
		return code_is(code, i, "class") ? i + 1 : NO_TOKEN;
	}
	return NO_TOKEN;
}

/* By braces: `class Money {`, `impl Ord for Money {`; the token of the class's name. */
static uint32_t comparison_class_by_brace(const struct code *code, uint32_t brace)
{
	uint32_t at = brace, last = NO_TOKEN;
	while (at > 0 && brace - at < HEAD_MOST && !code_in(code, at - 1, " ; { } ")) {
		at--;
		if (code_is(code, at, "for"))
			return at + 1;
		if (!code_in(code, at, CLASSES))
			continue;
		last = at + 1;
		if (code_is(code, last, "<") && code_is(code, at, "impl"))
			while (last < brace && !code_is(code, last++, ">"))
				;
	}
	return last;
}

/* The token that names the class of a method, or NO_TOKEN. */
static uint32_t comparison_class(const struct code *code, uint32_t i)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t around = tokens[i].around;
	if (code->language->traits & LANGUAGE_INDENTED)
		return comparison_class_by_column(code, i);
	if (code_is(code, i - 1, ")") && tokens[i - 1].match && tokens[i - 1].match != NO_TOKEN &&
		code_is(code, tokens[i - 1].match - 1, "func"))
		return i - 2; /* Go's receiver */
	return around != NO_TOKEN && code_is(code, around, "{")
		? comparison_class_by_brace(code, around)
		: NO_TOKEN;
}

static const char *comparison_text(
	const struct code *code, uint32_t first, uint32_t end, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (uint32_t i = first; i < end && i - first < TOKENS_MOST; i++) {
		strbuf_add(&text, code->text + code->tokens.tokens[i].start, code->tokens.tokens[i].length);
		strbuf_addc(&text, ' ');
	}
	return arena_strdup(arena, text.text);
}

static void comparison_collect(
	const struct code *code, struct arena *arena, struct comparison_methods *methods)
{
	uint32_t first, end;
	for (uint32_t i = 1; i < code->tokens.n; i++) {
		uint32_t open = code_in(code, i, NAMES) ? comparison_parameters(code, i) : NO_TOKEN;
		if (open == NO_TOKEN || !code_body(code, open, &first, &end))
			continue;
		uint32_t class = comparison_class(code, i);
		if (class == NO_TOKEN || code->tokens.tokens[class].kind != TOKEN_NAME)
			continue;
		ARENA_PUSH(arena, methods->items, methods->n,
			(struct comparison_method){.token = i,
				.class = arena_strdup(arena, code->tokens.tokens[class].word->text),
				.name = comparison_text(code, i, open, arena),
				.text = comparison_text(code, i, end, arena)});
	}
}

/* --- Who says something of them --- */

static bool comparison_is_named(const struct inspection *inspection, const char *word)
{
	for (size_t i = 0; i < inspection->n_goal_texts; i++)
		if (text_has_word(inspection->goal_texts[i], word))
			return true;
	return false;
}

/* A hash is asked for by its name, and makes nothing equal. */
static bool comparison_is_hash_asked(const struct inspection *inspection, const char *name)
{
	return (text_starts_with(name, "__hash__") && comparison_is_named(inspection, "hash")) ||
		(text_starts_with(name, "hashCode") && comparison_is_named(inspection, "hashCode"));
}

/* Whether the tests name a class that is made of it: class Circle(Shape), class Circle extends
 * Shape. */
static bool comparison_is_inherited(
	const struct inspection *inspection, const struct code *code, const char *class)
{
	for (uint32_t i = 0; i + 1 < code->tokens.n; i++) {
		if (!code_in(code, i, CLASSES) || code->tokens.tokens[i + 1].kind != TOKEN_NAME ||
			!comparison_is_named(inspection, code->tokens.tokens[i + 1].word->text))
			continue;
		for (uint32_t k = i + 2; k < code->tokens.n && k - i < HEAD_MOST; k++) {
			if (code_is(code, k, class))
				return true;
			if (code_in(code, k, " { ; ") ||
				code->tokens.tokens[k].line != code->tokens.tokens[i].line)
				break;
		}
	}
	return false;
}

/* Whether the base has the method, and no other one has its text, as one that has moved. */
static bool comparison_is_changed(
	const struct comparison_methods *before, const struct comparison_method *method)
{
	bool was_there = false;
	for (size_t i = 0; i < before->n; i++) {
		const struct comparison_method *old = &before->items[i];
		if (strcmp(old->text, method->text) == 0)
			return false;
		was_there |= strcmp(old->class, method->class) == 0 && strcmp(old->name, method->name) == 0;
	}
	return was_there;
}

static void comparison_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	struct comparison_methods before = {.n = 0};
	for (size_t i = 0; inspection->n_goal_texts && i < inspection->n; i++)
		if (inspection->before[i].language)
			comparison_collect(&inspection->before[i], inspection->arena, &before);
	for (size_t i = 0; inspection->n_goal_texts && i < inspection->n; i++) {
		const struct code *code = &inspection->after[i];
		struct comparison_methods after = {.n = 0};
		if (!code->language || code->for_tests)
			continue;
		comparison_collect(code, inspection->arena, &after);
		for (size_t k = 0; k < after.n; k++) {
			const struct comparison_method *method = &after.items[k];
			if (comparison_is_changed(&before, method) &&
				!comparison_is_named(inspection, method->class) &&
				!comparison_is_hash_asked(inspection, method->name) &&
				!comparison_is_inherited(inspection, code, method->class))
				guard_find_code(inspection, rule, code, method->token);
		}
	}
}

const struct guard_rule comparison_changed_rule = {
	.name = "comparison-changed",
	.summary = "what is equal, comes first or is true is another in a class that no test of the "
			   "goal names",
	.inspect = comparison_inspect,
};
