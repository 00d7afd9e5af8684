/* What a statement of Python expects, turned into something else. Only statements that a passing
 * test has carried out, so that each of these must fail. */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/counter/python_text.h"

#define LITERALS " True False None "
#define MATCHERS " ANY approx "

struct expecting {
	const struct counter_plan *plan;
	const struct counter_file *file;
	struct counter_change **changes;
	size_t *n;
};

static const struct token *expected_token(const struct expecting *x, uint32_t i)
{
	return &x->file->tokens.tokens[i];
}

static void expected_add(struct expecting *x, struct counter_change change)
{
	ARENA_PUSH(x->plan->arena, *x->changes, *x->n, change);
}

/* Put a text before and another one after a stretch, or in its place. */
static void expected_wrap(
	struct expecting *x, struct span span, const char *before, const char *after)
{
	expected_add(x, span_wrapped(x->file, span, before, after));
}

static void expected_replace(struct expecting *x, struct span span, const char *text)
{
	expected_add(x, span_replaced(x->file, span, text));
}

/* Another value of the same type. */
static void expected_another(struct expecting *x, struct span span)
{
	expected_wrap(x, span, arena_printf(x->plan->arena, "another_%s(", x->plan->word), ")");
}

static const char *expected_type(const struct expecting *x, const char *base)
{
	return arena_printf(x->plan->arena, "type(\"Another_%s\", (%s,), {})", x->plan->word, base);
}

static const char *expected_string(const struct expecting *x)
{
	return arena_printf(x->plan->arena, "\"another %s\"", x->plan->said);
}

static bool expected_is_plain_argument(const struct expecting *x, struct span span)
{
	return !counter_in(x->file, span.first, " * ** ") &&
		!(span.first + 1 < span.end && counter_is(x->file, span.first + 1, "="));
}

/* Something that is made to be equal to many values: a matcher, or an object of a class of the
 * test's. */
static bool expected_is_matcher(const struct expecting *x, struct span span)
{
	uint32_t column_zero = 0, at;
	const struct token *token = expected_token(x, span.first);
	for (uint32_t i = span.first; i < span.end; i++)
		if (counter_in(x->file, i, MATCHERS))
			return true;
	return memmem(x->file->text, x->file->n, "dirty_equals", strlen("dirty_equals")) ||
		python_find(x->file, column_zero, (uint32_t)x->file->tokens.n, "class",
			x->file->text + token->start, token->length, &at);
}

/* abs(A - B) < C: B is expected; C is a tolerance, which is no large number. */
static bool expected_tolerance(struct expecting *x, struct span left, struct span right)
{
	struct span inner = {left.first + 2, left.end - 1};
	if (!counter_is(x->file, left.first, "abs") || !counter_is(x->file, left.first + 1, "(") ||
		expected_token(x, left.first + 1)->match != left.end - 1 || inner.first >= inner.end ||
		(expected_token(x, right.first)->kind == TOKEN_NUMBER &&
			expected_token(x, right.first)->length > 5))
		return false;
	uint32_t minus = span_seek(x->file, inner, " - ");
	struct span rest = {minus + 1, inner.end};
	if (minus >= inner.end || minus == inner.first || rest.first >= rest.end ||
		span_seek(x->file, rest, " - + , ") < rest.end)
		return false;
	expected_another(x, span_expected(x->file, (struct span){inner.first, minus}, rest, LITERALS));
	return true;
}

/* A comparison, at a token, of what is before with what is after it. */
static bool expected_comparison(
	struct expecting *x, struct span left, struct span right, uint32_t at)
{
	struct span tail = {at, right.end};
	if (counter_is(x->file, at, "==")) {
		struct span side = span_expected(x->file, left, right, LITERALS);
		if (expected_is_matcher(x, side.first == left.first ? right : left))
			return false;
		expected_another(x, side);
		return true;
	}
	if (counter_in(x->file, at, " < <= ")) {
		if (!expected_tolerance(x, left, right))
			expected_replace(x, tail, "< float(\"-inf\")");
		return true;
	}
	if (counter_in(x->file, at, " > >= ")) {
		expected_replace(x, tail, "> float(\"inf\")");
		return true;
	}
	if (counter_is(x->file, at, "in") && span_is_string(x->file, left)) {
		expected_replace(x, left, expected_string(x));
		return true;
	}
	return false;
}

/* assert A == B, assert isinstance(A, B), assert A. */
static void expected_assert(struct expecting *x, struct span statement)
{
	struct span all = {statement.first + 1, statement.end}, arguments[3];
	all.end = span_seek(x->file, all, " , ");
	if (all.first >= all.end || counter_in(x->file, all.first, " False 0 "))
		return;
	uint32_t at = span_seek(x->file, all, " == != < <= > >= in is not ");
	struct span left = {all.first, at}, right = {at + 1, all.end};
	bool is_joined = span_seek(x->file, all, " and or if lambda not is := != ") < all.end;
	bool is_one = at < all.end && left.first < left.end && right.first < right.end &&
		span_seek(x->file, right, " == != < <= > >= in ") == all.end;
	if (!is_joined && is_one && expected_comparison(x, left, right, at))
		return;
	bool is_call = counter_is(x->file, all.first, "isinstance") && all.first + 1 < all.end &&
		expected_token(x, all.first + 1)->match == all.end - 1;
	if (is_call && span_arguments(x->file, all.first + 1, arguments, 3) == 2)
		expected_replace(x, arguments[1], expected_type(x, "object"));
	else
		expected_wrap(x, all, "not (", ")");
}

/* --- Calls that assert --- */

enum action {
	ACTION_OTHER,  /* of two values the one that is expected */
	ACTION_TURN,   /* the method, `to` instead */
	ACTION_BOUND,  /* the method, and its second argument becomes a bound that nothing reaches */
	ACTION_TYPE,   /* the second argument becomes another type */
	ACTION_ERROR,  /* the first argument becomes another error */
	ACTION_STRING, /* the first argument, a string, becomes another one; else turned */
	ACTION_CALL,   /* one more argument is expected of a call */
};

static const struct assertion_row {
	const char *name;
	enum action action;
	const char *to, *bound;
} rows[] = {
	{"assertEqual", ACTION_OTHER, NULL, NULL},
	{"assertEquals", ACTION_OTHER, NULL, NULL},
	{"assertListEqual", ACTION_OTHER, NULL, NULL},
	{"assertTupleEqual", ACTION_OTHER, NULL, NULL},
	{"assertDictEqual", ACTION_OTHER, NULL, NULL},
	{"assertSetEqual", ACTION_OTHER, NULL, NULL},
	{"assertSequenceEqual", ACTION_OTHER, NULL, NULL},
	{"assertMultiLineEqual", ACTION_OTHER, NULL, NULL},
	{"assertCountEqual", ACTION_OTHER, NULL, NULL},
	{"assertAlmostEqual", ACTION_OTHER, NULL, NULL},
	{"assert_equal", ACTION_OTHER, NULL, NULL},
	{"assert_array_equal", ACTION_OTHER, NULL, NULL},
	{"assert_allclose", ACTION_OTHER, NULL, NULL},
	{"assert_frame_equal", ACTION_OTHER, NULL, NULL},
	{"assert_series_equal", ACTION_OTHER, NULL, NULL},
	{"assertTrue", ACTION_TURN, "assertFalse", NULL},
	{"assertFalse", ACTION_TURN, "assertTrue", NULL},
	{"assertIsNone", ACTION_TURN, "assertIsNotNone", NULL},
	{"assertIsNotNone", ACTION_TURN, "assertIsNone", NULL},
	{"assertIs", ACTION_TURN, "assertIsNot", NULL},
	{"assertIsNot", ACTION_TURN, "assertIs", NULL},
	{"assertNotEqual", ACTION_TURN, "assertEqual", NULL},
	{"assertNotIn", ACTION_TURN, "assertIn", NULL},
	{"assertNotIsInstance", ACTION_TURN, "assertIsInstance", NULL},
	{"assertRegex", ACTION_TURN, "assertNotRegex", NULL},
	{"assertNotRegex", ACTION_TURN, "assertRegex", NULL},
	{"assertIn", ACTION_STRING, "assertNotIn", NULL},
	{"assertIsInstance", ACTION_TYPE, NULL, NULL},
	{"assertGreater", ACTION_BOUND, "assertGreater", "float(\"inf\")"},
	{"assertGreaterEqual", ACTION_BOUND, "assertGreater", "float(\"inf\")"},
	{"assertLess", ACTION_BOUND, "assertLess", "float(\"-inf\")"},
	{"assertLessEqual", ACTION_BOUND, "assertLess", "float(\"-inf\")"},
	{"assertRaises", ACTION_ERROR, "Exception", NULL},
	{"assertRaisesRegex", ACTION_ERROR, "Exception", NULL},
	{"raises", ACTION_ERROR, "Exception", NULL},
	{"assertWarns", ACTION_ERROR, "Warning", NULL},
	{"warns", ACTION_ERROR, "Warning", NULL},
	{"assert_called_with", ACTION_CALL, NULL, NULL},
	{"assert_called_once_with", ACTION_CALL, NULL, NULL},
};

static const struct assertion_row *expected_row(const struct expecting *x, uint32_t name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (counter_is(x->file, name, rows[i].name))
			return &rows[i];
	return NULL;
}

static void expected_turn(struct expecting *x, uint32_t name, const char *to)
{
	expected_replace(x, (struct span){name, name + 1}, to);
}

static void expected_bound(
	struct expecting *x, uint32_t name, const struct assertion_row *row, struct span argument)
{
	size_t start = span_start(x->file, argument);
	const struct token *token = expected_token(x, name);
	expected_add(x,
		(struct counter_change){.kind = COUNTER_EXPECTED,
			.n = 2,
			.at = token->start,
			.splices = {{.offset = token->start, .length = token->length, .text = row->to},
				{.offset = start,
					.length = span_end(x->file, argument) - start,
					.text = row->bound}}});
}

/* A tolerance that has a name of its own may be any. */
static bool expected_is_bounded(const struct expecting *x, const struct span *arguments, size_t n)
{
	for (size_t i = 2; i < n; i++)
		if (counter_in(x->file, arguments[i].first, " delta rtol atol "))
			return false;
	return true;
}

static void expected_call(struct expecting *x, uint32_t name, const struct assertion_row *row)
{
	struct span arguments[6];
	size_t n = span_arguments(x->file, name + 1, arguments, ARRAY_SIZE(arguments));
	bool is_plain = n && expected_is_plain_argument(x, arguments[0]);
	bool are_two = is_plain && n > 1 && expected_is_plain_argument(x, arguments[1]);
	if (row->action == ACTION_ERROR && is_plain)
		expected_replace(x, arguments[0], expected_type(x, row->to));
	else if (are_two && row->action == ACTION_STRING && span_is_string(x->file, arguments[0]))
		expected_replace(x, arguments[0], expected_string(x));
	else if ((n && row->action == ACTION_TURN) || (are_two && row->action == ACTION_STRING))
		expected_turn(x, name, row->to);
	else if (row->action == ACTION_CALL && is_plain)
		expected_add(x,
			(struct counter_change){.kind = COUNTER_EXPECTED,
				.n = 1,
				.at = span_start(x->file, arguments[0]),
				.splices = {{.offset = span_start(x->file, arguments[0]),
					.text = arena_printf(x->plan->arena, "%s, ", expected_string(x))}}});
	else if (row->action == ACTION_TYPE && are_two)
		expected_replace(x, arguments[1], expected_type(x, "object"));
	else if (row->action == ACTION_BOUND && are_two)
		expected_bound(x, name, row, arguments[1]);
	else if (row->action == ACTION_OTHER && are_two && expected_is_bounded(x, arguments, n)) {
		struct span side = span_expected(x->file, arguments[0], arguments[1], LITERALS);
		if (!expected_is_matcher(x, arguments[side.first == arguments[0].first]))
			expected_another(x, side);
	}
}

/* The name of the call that a statement is, whose bracket is its end; NO_TOKEN: it is none. */
static uint32_t expected_called(const struct expecting *x, struct span statement)
{
	uint32_t open = expected_token(x, statement.end - 1)->match;
	if (expected_token(x, statement.end - 1)->kind != TOKEN_CLOSE || open == NO_TOKEN ||
		open <= statement.first || expected_token(x, open - 1)->kind != TOKEN_NAME)
		return NO_TOKEN;
	for (uint32_t i = statement.first; i + 1 < open; i++)
		if (!counter_is(x->file, i, ".") && expected_token(x, i)->kind != TOKEN_NAME &&
			!counter_is(x->file, i, "self"))
			return NO_TOKEN;
	return open - 1;
}

/* The errors that the head of a block waits for. */
static void expected_errors(struct expecting *x, struct span head)
{
	for (uint32_t i = head.first; i + 1 < head.end; i++) {
		const struct assertion_row *row =
			counter_is(x->file, i + 1, "(") ? expected_row(x, i) : NULL;
		if (row && row->action == ACTION_ERROR)
			expected_call(x, i, row);
	}
}

void python_expectations(const struct counter_plan *plan, const struct counter_file *file,
	uint32_t first, uint32_t end, struct counter_change **changes, size_t *n)
{
	struct expecting x = {.plan = plan, .file = file, .changes = changes, .n = n};
	struct span statement = {first, python_line_end(file, first)};
	if (span_seek(file, statement, " ; ") < statement.end)
		return;
	if (counter_is(file, first, "with")) {
		expected_errors(&x, statement);
		return;
	}
	if (statement.end != end)
		return;
	if (counter_is(file, first, "assert")) {
		expected_assert(&x, statement);
		return;
	}
	uint32_t name = expected_called(&x, statement);
	const struct assertion_row *row = name == NO_TOKEN ? NULL : expected_row(&x, name);
	if (row)
		expected_call(&x, name, row);
}

bool python_asserts(const struct counter_file *file, uint32_t first, uint32_t end)
{
	struct expecting x = {.file = file};
	if (counter_is(file, first, "assert"))
		return first + 1 < end && !counter_in(file, first + 1, " False 0 ");
	uint32_t name = expected_called(&x, (struct span){first, end});
	return name != NO_TOKEN && expected_row(&x, name);
}
