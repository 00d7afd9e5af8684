/* What makes failures quiet: errors caught and dropped, tests skipped, assertions and functions
 * gone, answers made constant. */
#include <string.h>

#include "base/map.h"
#include "verify/guard/code.h"

#define DEFINES " def function func fn fun sub "

enum { LONG_BODY = 12 };

static const struct reach reaches[] = {
	REACH(PYTHON, "except : pass"),
	REACH(PYTHON, "except Exception : pass"),
	REACH(PYTHON, "except BaseException"),
	REACH(PYTHON, "suppress ( Exception"),
	REACH(PYTHON, "mark . skip|skipif|xfail"),
	REACH(PYTHON, "pytest . skip|importorskip"),
	REACH(PYTHON, "unittest . skip*"),
	REACH(PYTHON, "skipTest"),
	REACH(SCRIPT, "catch ( @ ) { }"),
	REACH(SCRIPT, "catch { }"),
	{SCRIPT, "$ . skip|todo (", 0, " it test describe t "},
	REACH(NATIVE, "catch ( ... ) { }"),
	{GO, "t|b . $ (", 0, " Skip Skipf SkipNow "},
	REACH(RUST, "# [ ignore"),
	REACH(JAVA, "catch ( @ @ ) { }"),
	{JAVA, "@ $", 0, " Disabled Ignore "},
	REACH(PERL, "no warnings|strict"),
	REACH(PHP, "catch ( @ @ ) { }"),
	REACH(PHP, "error_reporting ( 0"),
	REACH(PHP, "markTestSkipped"),
	REACH(SHELL, "2 > / dev / null"),
	REACH_END,
};

/* A function's body. */
struct body {
	const char *name;
	const struct code *code;
	uint32_t n;
	bool is_constant;
	bool is_there; /* in the fix */
};

/* Those of the base: of one name, the first. */
struct bodies {
	struct map by_name;
	struct body **items;
	size_t n;
};

static bool silenced_is_constant(const struct code *code, uint32_t first, uint32_t end)
{
	first += code_is(code, first, "return");
	end -= end > first && code_is(code, end - 1, ";");
	first += end - first == 2 && code_is(code, first, "-");
	return end - first == 1 &&
		(code->tokens.tokens[first].kind == TOKEN_NUMBER ||
			code->tokens.tokens[first].kind == TOKEN_STRING ||
			code_in(code, first, " True False None true false null nil NULL "));
}

/* The function whose name the token is; false: it is none. */
static bool silenced_function_at(const struct code *code, uint32_t i, struct body *body)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t first, end;
	if (i == 0 || tokens[i].kind != TOKEN_NAME || !code_is(code, i + 1, "(") ||
		!code_in(code, i - 1, DEFINES) || !code_body(code, i + 1, &first, &end))
		return false;
	*body = (struct body){.name = tokens[i].word->text, .code = code};
	body->n = end > first ? end - first : 0;
	body->is_constant = end > first && silenced_is_constant(code, first, end);
	return true;
}

static void silenced_take_bodies(struct inspection *inspection, struct bodies *bodies)
{
	for (size_t i = 0; i < inspection->n; i++)
		for (uint32_t t = 0; t < inspection->before[i].tokens.n; t++) {
			struct body body, *own;
			if (!silenced_function_at(&inspection->before[i], t, &body) ||
				map_get(&bodies->by_name, body.name))
				continue;
			own = arena_memdup(inspection->arena, &body, sizeof body);
			map_put(&bodies->by_name, inspection->arena, body.name, own);
			ARENA_PUSH(inspection->arena, bodies->items, bodies->n, own);
		}
}

static void silenced_compare_bodies(
	struct inspection *inspection, const struct guard_rule *rule, const struct bodies *bodies)
{
	for (size_t i = 0; i < inspection->n; i++)
		for (uint32_t t = 0; t < inspection->after[i].tokens.n; t++) {
			struct body body;
			bool is_one = silenced_function_at(&inspection->after[i], t, &body);
			struct body *old = is_one ? map_get(&bodies->by_name, body.name) : NULL;
			if (old && !old->is_there && body.is_constant && !old->is_constant &&
				old->n >= LONG_BODY)
				guard_find_code(inspection, rule, body.code, t);
			if (old)
				old->is_there = true;
		}
	for (size_t i = 0; i < bodies->n; i++)
		if (!bodies->items[i]->is_there)
			guard_find(inspection, rule, bodies->items[i]->code->file, 0,
				arena_printf(inspection->arena, "the function %s is gone", bodies->items[i]->name));
}

static int64_t silenced_count_assertions(const struct code *code, size_t n)
{
	int64_t count = 0;
	for (size_t i = 0; i < n; i++)
		for (uint32_t t = 0; t < code[i].tokens.n; t++)
			count += code_is(&code[i], t, "assert");
	return count;
}

static void silenced_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	struct bodies bodies = {.n = 0};
	silenced_take_bodies(inspection, &bodies);
	silenced_compare_bodies(inspection, rule, &bodies);
	int64_t fewer = silenced_count_assertions(inspection->before, inspection->n) -
		silenced_count_assertions(inspection->after, inspection->n);
	if (fewer > 0)
		guard_find(inspection, rule, &inspection->files[0], 0,
			arena_printf(inspection->arena, "%lld assertion%s fewer", (long long)fewer,
				fewer == 1 ? "" : "s"));
}

const struct guard_rule silenced_rule = {
	.name = "silenced",
	.summary = "drops an error, skips a test, removes an assertion or a function, or makes an "
			   "answer constant",
	.marks = true,
	.reaches = reaches,
	.inspect = silenced_inspect,
};
