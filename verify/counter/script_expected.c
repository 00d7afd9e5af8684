/* What calls in JavaScript and TypeScript expect, turned into something else: node's assert, chai,
 * jest's expect and its like. */
#include <string.h>

#include "base/memory.h"
#include "verify/counter/script_text.h"

#define LITERALS " true false null undefined "

struct expecting {
	const struct counter_plan *plan;
	const struct counter_file *file;
	struct span chain;
	uint32_t open; /* of the last call */
	struct counter_change **changes;
	size_t *n;
};

enum action {
	ACTION_OTHER, /* the expected value becomes another one */
	ACTION_TURN,  /* the method becomes `to` */
	ACTION_NOT,   /* what must hold must not */
	ACTION_ABOVE, /* the method becomes `to`, and its bound one that nothing reaches */
	ACTION_BELOW,
};

struct assertion_row {
	const char *name;
	enum action action;
	const char *to;
};

/* Of assert, t: two values, or one. */
static const struct assertion_row asserts[] = {
	{"strictEqual", ACTION_OTHER, NULL},
	{"equal", ACTION_OTHER, NULL},
	{"deepEqual", ACTION_OTHER, NULL},
	{"deepStrictEqual", ACTION_OTHER, NULL},
	{"is", ACTION_OTHER, NULL},
	{"notStrictEqual", ACTION_TURN, "strictEqual"},
	{"notEqual", ACTION_TURN, "equal"},
	{"notDeepEqual", ACTION_TURN, "deepEqual"},
	{"notDeepStrictEqual", ACTION_TURN, "deepStrictEqual"},
	{"throws", ACTION_TURN, "doesNotThrow"},
	{"doesNotThrow", ACTION_TURN, "throws"},
	{"match", ACTION_TURN, "doesNotMatch"},
	{"doesNotMatch", ACTION_TURN, "match"},
	{"rejects", ACTION_TURN, "doesNotReject"},
	{"ok", ACTION_NOT, NULL},
	{"assert", ACTION_NOT, NULL},
	{"isTrue", ACTION_TURN, "isFalse"},
	{"isFalse", ACTION_TURN, "isTrue"},
	{"true", ACTION_TURN, "false"},
	{"false", ACTION_TURN, "true"},
	{"truthy", ACTION_TURN, "falsy"},
	{"falsy", ACTION_TURN, "truthy"},
};

/* Of expect(...) and .should: one value. All others are turned. */
static const struct assertion_row matchers[] = {
	{"toBe", ACTION_OTHER, NULL},
	{"toEqual", ACTION_OTHER, NULL},
	{"toStrictEqual", ACTION_OTHER, NULL},
	{"toMatchObject", ACTION_OTHER, NULL},
	{"toContain", ACTION_OTHER, NULL},
	{"toContainEqual", ACTION_OTHER, NULL},
	{"toHaveLength", ACTION_OTHER, NULL},
	{"toBeCloseTo", ACTION_OTHER, NULL},
	{"toHaveBeenCalledWith", ACTION_OTHER, NULL},
	{"toHaveBeenCalledTimes", ACTION_OTHER, NULL},
	{"equal", ACTION_OTHER, NULL},
	{"equals", ACTION_OTHER, NULL},
	{"eql", ACTION_OTHER, NULL},
	{"eq", ACTION_OTHER, NULL},
	{"include", ACTION_OTHER, NULL},
	{"contain", ACTION_OTHER, NULL},
	{"lengthOf", ACTION_OTHER, NULL},
	{"toBeGreaterThan", ACTION_ABOVE, "toBeGreaterThan"},
	{"toBeGreaterThanOrEqual", ACTION_ABOVE, "toBeGreaterThan"},
	{"above", ACTION_ABOVE, "above"},
	{"toBeLessThan", ACTION_BELOW, "toBeLessThan"},
	{"toBeLessThanOrEqual", ACTION_BELOW, "toBeLessThan"},
	{"below", ACTION_BELOW, "below"},
};

static void expected_add(struct expecting *x, struct counter_change change)
{
	ARENA_PUSH(x->plan->arena, *x->changes, *x->n, change);
}

static void expected_another(struct expecting *x, struct span span)
{
	expected_add(x,
		span_wrapped(
			x->file, span, arena_printf(x->plan->arena, "another_%s(", x->plan->word), ")"));
}

static const struct assertion_row *expected_row(
	const struct expecting *x, const struct assertion_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (counter_is(x->file, x->open - 1, rows[i].name))
			return &rows[i];
	return NULL;
}

static void expected_bound(
	struct expecting *x, struct span argument, const char *to, const char *bound)
{
	struct counter_change change = span_replaced(x->file, (struct span){x->open - 1, x->open}, to);
	change.splices[change.n++] = span_replaced(x->file, argument, bound).splices[0];
	expected_add(x, change);
}

static void expected_turn(struct expecting *x, const char *to)
{
	expected_add(x, span_replaced(x->file, (struct span){x->open - 1, x->open}, to));
}

/* assert.equal(A, B), assert(A). */
static void expected_assert(struct expecting *x, bool is_waited)
{
	struct span arguments[4];
	const struct assertion_row *row = expected_row(x, asserts, ARRAY_SIZE(asserts));
	size_t n = span_arguments(x->file, x->open, arguments, ARRAY_SIZE(arguments));
	if (!row || !n || (counter_is(x->file, x->open - 1, "rejects") && !is_waited))
		return;
	if (row->action == ACTION_OTHER && n > 1)
		expected_another(x, span_expected(x->file, arguments[0], arguments[1], LITERALS));
	else if (row->action == ACTION_TURN)
		expected_turn(x, row->to);
	else if (row->action == ACTION_NOT)
		expected_add(x, span_wrapped(x->file, arguments[0], "!(", ")"));
}

/* expect(A).toBe(B): `subject` closes what is looked at. */
static void expected_matcher(struct expecting *x, uint32_t subject, bool is_waited)
{
	struct span arguments[3], rest = {subject + 1, x->chain.end};
	const struct assertion_row *row = expected_row(x, matchers, ARRAY_SIZE(matchers));
	size_t n =
		x->open > subject ? span_arguments(x->file, x->open, arguments, ARRAY_SIZE(arguments)) : 0;
	for (uint32_t i = rest.first; i < rest.end; i++) {
		const struct token *token = &x->file->tokens.tokens[i];
		if (memmem(x->file->text + token->start, token->length, "Snapshot", 8) ||
			(counter_in(x->file, i, " resolves rejects eventually ") && !is_waited))
			return;
	}
	uint32_t not = span_seek(x->file, rest, " not ");
	if (not < rest.end && not > rest.first)
		expected_add(x, span_replaced(x->file, (struct span){not -1, not +1}, ""));
	else if (row && row->action == ACTION_OTHER && n)
		expected_another(x, arguments[0]);
	else if (row && row->action == ACTION_ABOVE && n)
		expected_bound(x, arguments[0], row->to, "Infinity");
	else if (row && row->action == ACTION_BELOW && n)
		expected_bound(x, arguments[0], row->to, "-Infinity");
	else if (rest.first < rest.end)
		expected_add(x, span_wrapped(x->file, (struct span){subject, subject + 1}, "", ".not"));
}

/* The token that ends what is looked at: expect(A), A.should; 0: the calls are none of these. */
static uint32_t expected_subject(const struct counter_file *file, struct span chain)
{
	if (counter_is(file, chain.first, "expect") && counter_is(file, chain.first + 1, "("))
		return file->tokens.tokens[chain.first + 1].match;
	uint32_t should = span_seek(file, chain, " should ");
	return should < chain.end ? should : 0;
}

static bool expected_is_assert(const struct counter_file *file, struct span chain)
{
	return counter_in(file, chain.first, " assert t ") &&
		!(counter_is(file, chain.first, "t") && !counter_is(file, chain.first + 1, "."));
}

void script_expectations(const struct counter_plan *plan, const struct counter_file *file,
	struct span chain, bool is_waited, struct counter_change **changes, size_t *n)
{
	struct expecting x = {.plan = plan,
		.file = file,
		.chain = chain,
		.open = file->tokens.tokens[chain.end - 1].match,
		.changes = changes,
		.n = n};
	uint32_t subject = expected_subject(file, chain);
	if (x.open == NO_TOKEN || x.open <= chain.first)
		return;
	if (subject)
		expected_matcher(&x, subject, is_waited);
	else if (expected_is_assert(file, chain))
		expected_assert(&x, is_waited);
}

bool script_asserts(const struct counter_file *file, struct span chain)
{
	return expected_subject(file, chain) || expected_is_assert(file, chain);
}
