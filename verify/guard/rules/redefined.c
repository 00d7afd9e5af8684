/* What tests take from the program, and then measure it by: a tolerance, a limit, a function that a
 * macro replaces. */
#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "verify/guard/code.h"

enum { NAME_MOST = 100, FINDINGS_MOST = 8 };

/* A name that stands for a literal; its text. */
struct constant {
	const char *text;
	uint32_t n;
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
				map_put(names, arena, name, present);
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
	constant->text = code->text + tokens[value].start;
	constant->n = tokens[end].start + tokens[end].length - tokens[value].start;
	return alone && tokens[value].line == tokens[i].line;
}

/* Of the names that tests use: what they stand for at the base, and which are called there. */
static void redefined_take_old(struct map *constants, struct map *macros,
	const struct inspection *inspection, const struct map *names)
{
	for (size_t i = 0; i < inspection->n; i++) {
		const struct code *code = &inspection->before[i];
		for (uint32_t t = 0; t < code->tokens.n; t++) {
			struct constant constant;
			const struct word *word = code->tokens.tokens[t].word;
			if (!word || !map_get(names, word->text))
				continue;
			if (redefined_constant_at(code, t, &constant))
				map_put(constants, inspection->arena, word->text,
					arena_memdup(inspection->arena, &constant, sizeof constant));
			if (redefined_is_define(code, t))
				map_put(macros, inspection->arena, word->text, present);
		}
	}
}

static void redefined_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	struct map names = {0}, constants = {0}, macros = {0}, found = {0};
	for (size_t i = 0; i < inspection->n_test_texts; i++)
		redefined_take_names(&names, inspection->arena, inspection->test_texts[i]);
	redefined_take_old(&constants, &macros, inspection, &names);
	for (size_t i = 0; i < inspection->n; i++) {
		const struct code *code = &inspection->after[i];
		for (uint32_t t = 0; !code->for_tests && t < code->tokens.n; t++) {
			struct constant constant;
			const struct word *word = code->tokens.tokens[t].word;
			if (!word || !map_get(&names, word->text) || map_get(&found, word->text) ||
				found.n >= FINDINGS_MOST)
				continue;
			const struct constant *old = map_get(&constants, word->text);
			bool differs = old && redefined_constant_at(code, t, &constant) &&
				(old->n != constant.n || memcmp(old->text, constant.text, old->n) != 0);
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
