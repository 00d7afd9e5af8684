/* cargo test: "tests/shapes.rs::area", "src/lib.rs::tests::area". */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/counter/brace_text.h"

enum { EXPECTED_MOST = 3 };

struct copying {
	struct counter_plan *plan;
	const struct counter_file *file;
	struct brace_function function;
	struct counter_change expected[EXPECTED_MOST];
	size_t n_expected;
};

static bool cargo_may_hold(const char *id, const char *path)
{
	return text_ends_with(path, ".rs") && text_starts_with(id, path) &&
		text_starts_with(id + strlen(path), "::");
}

/* The attribute that ends with the bracket before a token; NO_TOKEN: there is none. */
static uint32_t cargo_attribute_before(const struct counter_file *file, uint32_t i)
{
	if (i < 2 || !counter_is(file, i - 1, "]"))
		return NO_TOKEN;
	uint32_t open = file->tokens.tokens[i - 1].match;
	return open != NO_TOKEN && open && counter_is(file, open - 1, "#") ? open - 1 : NO_TOKEN;
}

/* Whether attributes make a plain test of what begins at a token; where they begin. */
static bool cargo_is_test(const struct counter_file *file, uint32_t first, uint32_t *ret_start)
{
	bool is_test = false;
	for (uint32_t at; (at = cargo_attribute_before(file, first)) != NO_TOKEN; first = at) {
		uint32_t close = file->tokens.tokens[at + 1].match;
		for (uint32_t i = at + 2; i < close; i++)
			is_test = is_test || counter_is(file, i, "test");
		if (!counter_in(file, at + 2, " test tokio async_std allow cfg "))
			return false;
	}
	*ret_start = first;
	return is_test;
}

static bool cargo_find(
	const struct counter_file *file, const char *name, struct brace_function *ret_function)
{
	const struct token *tokens = file->tokens.tokens;
	size_t count = 0;
	for (uint32_t i = 0; i + 3 < file->tokens.n; i++) {
		struct brace_function function = {.name = i + 1};
		uint32_t start;
		if (!counter_is(file, i, "fn") || !counter_is(file, i + 1, name))
			continue;
		count++;
		if (!cargo_is_test(file, i - (i && counter_is(file, i - 1, "async")), &start) ||
			!brace_body_after(file, i + 2, &function.body))
			return false;
		function.start_byte = tokens[start].start;
		function.end_byte = tokens[function.body.end].start + 1;
		*ret_function = function;
	}
	return count == 1;
}

static void cargo_add_expected(struct copying *x, const struct counter_change *change)
{
	if (x->n_expected < EXPECTED_MOST)
		x->expected[x->n_expected++] = *change;
}

/* assert_eq!(A, B), assert!(A). */
static void cargo_look_at(struct copying *x, uint32_t i)
{
	struct span arguments[4];
	struct counter_change change;
	size_t n = counter_is(x->file, i + 1, "!") && counter_is(x->file, i + 2, "(")
		? span_arguments(x->file, i + 2, arguments, ARRAY_SIZE(arguments))
		: 0;
	bool is_equal = counter_is(x->file, i, "assert_eq");
	for (size_t j = 0; j < n && j < 2 && is_equal; j++)
		if (brace_other_literal(x->plan, x->file, arguments[j], &change)) {
			cargo_add_expected(x, &change);
			return;
		}
	if (n > 1 && (is_equal || counter_is(x->file, i, "assert_ne")))
		change =
			span_replaced(x->file, (struct span){i, i + 1}, is_equal ? "assert_ne" : "assert_eq");
	else if (n && counter_is(x->file, i, "assert"))
		change = span_wrapped(x->file, arguments[0], "!(", ")");
	else
		return;
	cargo_add_expected(x, &change);
}

/* What a function gives back stands at its end. */
static bool cargo_gives(const struct copying *x)
{
	for (uint32_t i = x->function.name; i < x->function.body.first; i++)
		if (counter_is(x->file, i, "->"))
			return true;
	return brace_returns(x->file, x->function.body, NULL);
}

/* Copies that must fail. */
static void cargo_add_wrong(struct copying *x, size_t number, const struct counter_test *test)
{
	struct counter_plan *plan = x->plan;
	const struct counter_file *file = x->file;
	struct span body = x->function.body;
	for (uint32_t i = body.first; i < body.end; i++)
		if (brace_begins(file, body, i) && !brace_returns(file, (struct span){body.first, i}, NULL))
			cargo_look_at(x, i);
	for (size_t i = 0; i < x->n_expected && !test->only_end; i++)
		brace_add(plan, number, &x->function, test, test->id, &x->expected[i]);
	if (!cargo_gives(x)) {
		bool is_ended = body.first == body.end || counter_in(file, body.end - 1, " ; } ");
		struct counter_change end = brace_end(plan, file, &x->function,
			arena_printf(
				plan->arena, "%spanic!(\"counter-test %s\");", is_ended ? "" : ";\n", plan->said));
		brace_add(plan, number, &x->function, test, test->id, &end);
	}
}

/* The thread of a test has its name, and so does its function. */
static void cargo_add_same(const struct copying *x, size_t number, const struct counter_test *test)
{
	struct counter_plan *plan = x->plan;
	const struct token *name = &x->file->tokens.tokens[x->function.name];
	size_t start = x->function.start_byte, end = x->function.end_byte;
	size_t name_end = name->start + name->length;
	const char *mark = counter_mark(plan), *text = x->file->text;
	if (span_names_itself(x->file, x->function.body, text + name->start, name->length))
		return;
	counter_put_same(plan, number, test, mark, arena_printf(plan->arena, "%s_%s", test->id, mark),
		name->start, end,
		arena_printf(plan->arena, "\n\n%.*s_%s%.*s", (int)(name_end - start), text + start, mark,
			(int)(end - name_end), text + name_end));
}

static const char *cargo_copy(
	struct counter_plan *plan, size_t number, const struct counter_test *test, bool *ret_has_test)
{
	const struct counter_file *file = plan->files[number];
	struct copying x = {.plan = plan, .file = file};
	const char *name = strrchr(test->id, ':') + 1;
	*ret_has_test = true;
	if (!cargo_find(file, name, &x.function))
		return "it does not stand in its file as a plain test";
	if (!test->only_same)
		cargo_add_wrong(&x, number, test);
	cargo_add_same(&x, number, test);
	return NULL;
}

const struct counter_type cargo_counter = {
	.name = "cargo",
	.formats = " cargo nextest ",
	.languages = " rust ",
	.may_hold = cargo_may_hold,
	.copy = cargo_copy,
};
