/* Values of the goal's tests, compared with or answered by name: the code may know the answer
 * instead of the way to it. */
#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "verify/guard/code.h"

#define COMPARISONS " == === != !== case in equals strcmp strncmp eq when "
#define USUAL_NUMBERS " 0 1 2 3 10 100 1000 0.0 1.0 0.5 "

enum { LITERAL_MOST = 60, FINDINGS_MOST = 8, TUPLE_MOST = 16, DATA_MOST = 1 << 20 };

static char present[] = "present";

/* The literals of texts, each once. */
struct literals {
	struct map map;
	/* how many of them are in the one and not in the other is counted */
	const struct map *said, *old;
	size_t n, n_said;
	struct arena *arena;
};

static void special_cased_take_literal(struct literals *literals, const char *text, size_t n)
{
	const char *literal = arena_strndup(literals->arena, text, n);
	if (words_hold(USUAL_NUMBERS, text, n) || map_get(&literals->map, literal))
		return;
	map_put(&literals->map, literals->arena, literal, present);
	literals->n++;
	literals->n_said +=
		literals->said && map_get(literals->said, literal) && !map_get(literals->old, literal);
}

/* Numbers, and what is in quotes on one line, in a text of any language. */
static void special_cased_take_literals(struct literals *literals, const char *text)
{
	for (const char *at = text; *at;) {
		size_t n = 0;
		if (isalpha((unsigned char)*at) || *at == '_') {
			at += strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
			continue;
		}
		if (isdigit((unsigned char)*at)) {
			n = strspn(at, "0123456789.xXabcdefABCDEF_");
			special_cased_take_literal(literals, at, n);
		} else if (*at == '"' || *at == '\'') {
			n = strcspn(at + 1, *at == '"' ? "\"\n" : "'\n");
			if (n > 1 && n < LITERAL_MOST && at[n + 1] == *at)
				special_cased_take_literal(literals, at + 1, n);
			n = at[n + 1] == *at ? n + 2 : 1;
		}
		at += n ? n : 1;
	}
}

/* The literal's text, or NULL: it is none, or a usual one. */
static const char *special_cased_literal_at(
	const struct code *code, uint32_t i, struct arena *arena)
{
	const struct token *token = &code->tokens.tokens[i];
	const char *text = code->text + token->start;
	size_t n = token->length;
	if (token->kind == TOKEN_STRING) {
		if (!code_string(code, i, &text, &n) || n < 2 || n >= LITERAL_MOST)
			return NULL;
	} else if (token->kind != TOKEN_NUMBER || words_hold(USUAL_NUMBERS, text, n)) {
		return NULL;
	}
	return arena_strndup(arena, text, n);
}

static bool special_cased_is_literal(const struct code *code, uint32_t i)
{
	return i < code->tokens.n &&
		(code->tokens.tokens[i].kind == TOKEN_NUMBER ||
			code->tokens.tokens[i].kind == TOKEN_STRING);
}

/* == 37, == (3, 37), (3, 37) == */
static bool special_cased_is_compared(const struct code *code, uint32_t i)
{
	uint32_t before = i, behind = i + 1;
	bool shell = code->language->traits & LANGUAGE_SIGILS;
	while (before && i - before < TUPLE_MOST &&
		(code_in(code, before - 1, " ( [ { , - ") || special_cased_is_literal(code, before - 1)))
		before--;
	while (behind - i < TUPLE_MOST &&
		(code_in(code, behind, " ) ] , ") || special_cased_is_literal(code, behind)))
		behind++;
	return (before && code_in(code, before - 1, shell ? " = == != case in " : COMPARISONS)) ||
		code_in(code, behind, " == === != !== ");
}

/* return 15, yield 15, echo 15, => 15; or in a table of literals: (3, 5): 15 */
static bool special_cased_is_answer(const struct code *code, uint32_t i)
{
	bool shell = code->language->traits & LANGUAGE_SIGILS;
	uint32_t before = i - (i > 0 && code_is(code, i - 1, "-"));
	if (before == 0)
		return false;
	if (code_in(code, before - 1, shell ? " echo printf " : " return yield => ? "))
		return true;
	bool is_value = before > 1 && code_is(code, before - 1, ":") &&
		(special_cased_is_literal(code, before - 2) || code_in(code, before - 2, " ) ] "));
	return is_value || (code_is(code, i + 1, ":") && special_cased_is_literal(code, i + 2));
}

static void special_cased_take_old(struct map *map, struct inspection *inspection)
{
	for (size_t i = 0; i < inspection->n; i++) {
		const struct code *code = &inspection->before[i];
		for (uint32_t t = 0; t < code->tokens.n; t++) {
			const char *literal = special_cased_literal_at(code, t, inspection->arena);
			if (literal)
				map_put(map, inspection->arena, literal, present);
		}
	}
}

/* Data that is no code: where every fourth of its values is one of the tests', and was not there,
 * answers may lie in it. */
static void special_cased_inspect_data(
	struct inspection *inspection, const struct guard_rule *rule, const struct map *said)
{
	for (size_t i = 0; i < inspection->n; i++) {
		const struct changed_file *file = &inspection->files[i];
		bool is_data = file->text && !file->is_test && !language_of(file->path) &&
			file->n_text < DATA_MOST && !memchr(file->text, '\0', file->n_text);
		if (!is_data)
			continue;
		struct literals old = {.arena = inspection->arena};
		struct literals values = {.arena = inspection->arena, .said = said, .old = &old.map};
		if (file->old)
			special_cased_take_literals(&old, file->old);
		special_cased_take_literals(&values, file->text);
		if (values.n_said > 1 && values.n_said * 4 >= values.n)
			guard_find(inspection, rule, file, 0, "values of the tests lie in it");
	}
}

static void special_cased_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	struct literals said = {.arena = inspection->arena};
	struct map old = {0};
	size_t found = 0;
	for (size_t i = 0; i < inspection->n_test_texts; i++)
		special_cased_take_literals(&said, inspection->test_texts[i]);
	if (!said.n)
		return;
	special_cased_take_old(&old, inspection);
	special_cased_inspect_data(inspection, rule, &said.map);
	for (size_t i = 0; i < inspection->n; i++) {
		const struct code *code = &inspection->after[i];
		for (uint32_t t = 0; !code->for_tests && t < code->tokens.n && found < FINDINGS_MOST; t++) {
			bool used = special_cased_is_literal(code, t) &&
				(special_cased_is_compared(code, t) || special_cased_is_answer(code, t));
			const char *literal =
				used ? special_cased_literal_at(code, t, inspection->arena) : NULL;
			if (!literal || !map_get(&said.map, literal) || map_get(&old, literal))
				continue;
			guard_find_code(inspection, rule, code, t);
			map_put(&old, inspection->arena, literal, present);
			found++;
		}
	}
}

const struct guard_rule special_cased_rule = {
	.name = "special-cased",
	.summary = "compares with, or answers, a value that the failing tests use: it may know the "
			   "answer instead of the way to it",
	.marks = true,
	.inspect = special_cased_inspect,
};
