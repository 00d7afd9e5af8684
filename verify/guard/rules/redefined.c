/* What tests take from the program, and then measure it by: a tolerance, a limit, a function that a
 * macro replaces. */
#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "verify/guard/code.h"

enum { NAME_MOST = 100, FINDINGS_MOST = 8 };

/* A literal that a name stands for; its text. */
struct constant {
	const char *text;
	uint32_t n;
	size_t before, after; /* how often, at the base and in the fix */
};

/* All literals that a name stands for: two functions may use it each in its own way. */
struct constants {
	struct constant *items;
	size_t n;
};

static char present[] = "present";

static void redefined_take_names(struct map *names, struct arena *arena, const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	while (*text) {
		size_t n = strspn(text, letters);
		if (n && n < NAME_MOST && !isdigit((unsigned char)*text)) {
			const char *name = arena_strndup(arena, text, n);
			if (!map_get(names, name))
				map_put(names, arena, name, arena_alloc(arena, sizeof(struct constants)));
		}
		text += n ? n : 1;
	}
}

static bool redefined_is_define(const struct code *code, uint32_t i)
{
	return i > 1 && code_is(code, i - 1, "define") && code_is(code, i - 2, "#");
}

/* NAME = 5, NAME: int = 5, NAME = -5, #define NAME 5, and nothing after it. */
static bool redefined_constant_at(const struct code *code, uint32_t i, struct constant *constant)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t value = i + 1 + !redefined_is_define(code, i), end;
	if (tokens[i].kind != TOKEN_NAME)
		return false;
	if (code_is(code, i + 1, ":") && code_is(code, i + 3, "="))
		value = i + 4;
	else if (!redefined_is_define(code, i) && !code_in(code, i + 1, " = := "))
		return false;
	end = value + code_is(code, value, "-");
	if (end >= code->tokens.n ||
		(tokens[end].kind != TOKEN_NUMBER && tokens[end].kind != TOKEN_STRING))
		return false;
	bool alone = end + 1 >= code->tokens.n || tokens[end + 1].line != tokens[end].line ||
		code_in(code, end + 1, " ; , } ) ");
	*constant = (struct constant){.text = code->text + tokens[value].start,
		.n = tokens[end].start + tokens[end].length - tokens[value].start};
	return alone && tokens[value].line == tokens[i].line;
}

static uint32_t redefined_column(const struct code *code, uint32_t i)
{
	uint32_t start = code->tokens.tokens[i].start, at = start;
	while (at && code->text[at - 1] != '\n')
		at--;
	return start - at;
}

/* In Python: whether a function's own variable is meant, which no test can take. */
static bool redefined_is_local(const struct code *code, uint32_t i)
{
	const struct token *tokens = code->tokens.tokens;
	const struct word *name = tokens[i].word;
	uint32_t column = redefined_column(code, i);
	bool global = false;
	if (!(code->language->traits & LANGUAGE_INDENTED))
		return false;
	for (uint32_t at = 0; at < code->tokens.n && !global; at++)
		global = tokens[at].word == name && at && code_in(code, at - 1, " global , ");
	while (i-- > 0 && column && !global) {
		bool begins = !i || tokens[i].line != tokens[i - 1].line;
		if (!begins || tokens[i].around != NO_TOKEN || redefined_column(code, i) >= column)
			continue;
		if (code_in(code, i, " def async "))
			return true;
		column = redefined_column(code, i);
	}
	return false;
}

static struct constant *redefined_constant_of(
	struct constants *constants, struct arena *arena, const struct constant *like)
{
	for (size_t i = 0; i < constants->n; i++)
		if (constants->items[i].n == like->n &&
			memcmp(constants->items[i].text, like->text, like->n) == 0)
			return &constants->items[i];
	ARENA_PUSH(arena, constants->items, constants->n, *like);
	return &constants->items[constants->n - 1];
}

/* Count what the names that tests use stand for; and which of them are called at the base. */
static void redefined_count(
	struct map *names, struct map *macros, const struct inspection *inspection, bool is_after)
{
	const struct code *codes = is_after ? inspection->after : inspection->before;
	for (size_t i = 0; i < inspection->n; i++) {
		for (uint32_t t = 0; t < codes[i].tokens.n; t++) {
			const struct word *word = codes[i].tokens.tokens[t].word;
			struct constants *constants = word ? map_get(names, word->text) : NULL;
			struct constant here = {.n = 0};
			if (!constants)
				continue;
			if (!is_after && redefined_is_define(&codes[i], t))
				map_put(macros, inspection->arena, word->text, present);
			if (!redefined_constant_at(&codes[i], t, &here))
				continue;
			struct constant *counted = redefined_constant_of(constants, inspection->arena, &here);
			(*(is_after ? &counted->after : &counted->before))++;
		}
	}
}

/* Whether the base knows constants of the name, and the fix gives it this one more: a new one, or
 * one in the place of another. */
static bool redefined_is_more(const struct constants *constants, const struct constant *constant)
{
	bool known = false, lost = false;
	for (size_t i = 0; i < constants->n; i++) {
		known |= constants->items[i].before > 0;
		lost |= constants->items[i].before > constants->items[i].after;
	}
	return known && constant->after > constant->before && (lost || !constant->before);
}

/* Whether the base has the token's line: another line gave the name its literal. */
static bool redefined_is_old(const struct code *code, uint32_t i)
{
	const struct changed_file *file = code->file;
	size_t number = code->tokens.tokens[i].line - 1, n;
	const char *line = text_line(code->text, code->n_text, number),
			   *end = text_line(code->text, code->n_text, number + 1);
	const char *at = file->old, *stop = at + file->n_old;
	for (const char *old; at && (old = text_next_line(&at, stop, &n));)
		if (at - old == end - line && memcmp(old, line, (size_t)(at - old)) == 0)
			return true;
	return false;
}

static void redefined_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	struct map names = {0}, macros = {0}, found = {0};
	for (size_t i = 0; i < inspection->n_test_texts; i++)
		redefined_take_names(&names, inspection->arena, inspection->test_texts[i]);
	redefined_count(&names, &macros, inspection, false);
	redefined_count(&names, &macros, inspection, true);
	for (size_t i = 0; i < inspection->n; i++) {
		const struct code *code = &inspection->after[i];
		for (uint32_t t = 0; !code->for_tests && t < code->tokens.n; t++) {
			struct constant here = {.n = 0};
			const struct word *word = code->tokens.tokens[t].word;
			struct constants *constants = word ? map_get(&names, word->text) : NULL;
			if (!constants || map_get(&found, word->text) || found.n >= FINDINGS_MOST)
				continue;
			bool differs = redefined_constant_at(code, t, &here) &&
				redefined_is_more(
					constants, redefined_constant_of(constants, inspection->arena, &here)) &&
				!redefined_is_local(code, t) && !redefined_is_old(code, t);
			if (!differs && (!redefined_is_define(code, t) || map_get(&macros, word->text)))
				continue;
			guard_find_code(inspection, rule, code, t);
			map_put(&found, inspection->arena, word->text, present);
		}
	}
}

const struct guard_rule redefined_rule = {
	.name = "redefined",
	.summary = "a constant that tests take from the program is another one, or a macro gives a "
			   "name of theirs its meaning",
	.marks = true,
	.inspect = redefined_inspect,
};
