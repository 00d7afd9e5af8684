/* go test: "example.org/shapes::TestArea". Each test is a function of its package, and fails where
 * it says so. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/counter/brace_text.h"

enum { EXPECTED_MOST = 3, INSIDE_MOST = 2 };

#define FAILS " Error Errorf Fatal Fatalf Fail FailNow "

/* Of testify's assert and require. */
static const char *const turned[][2] = {{"Equal", "NotEqual"}, {"NotEqual", "Equal"},
	{"True", "False"}, {"False", "True"}, {"Nil", "NotNil"}, {"NotNil", "Nil"},
	{"NoError", "Error"}, {"Error", "NoError"}, {"Contains", "NotContains"},
	{"NotContains", "Contains"}, {"Empty", "NotEmpty"}, {"NotEmpty", "Empty"}, {"Zero", "NotZero"},
	{"NotZero", "Zero"}, {"Equalf", "NotEqualf"}};

struct copying {
	struct counter_plan *plan;
	const struct counter_file *file;
	struct brace_function function;
	uint32_t t; /* the name of its argument */
	struct counter_change expected[EXPECTED_MOST], inside[INSIDE_MOST];
	size_t n_expected, n_inside;
};

/* The package's last folders are those of the file. */
static bool go_may_hold(const char *id, const char *path)
{
	const char *end = strstr(id, "::"), *slash = strrchr(path, '/');
	size_t n_dir = slash ? (size_t)(slash - path) : 0, n = end ? (size_t)(end - id) : 0;
	return end && text_ends_with(path, "_test.go") &&
		(!n_dir ||
			(n > n_dir && id[n - n_dir - 1] == '/' && memcmp(id + n - n_dir, path, n_dir) == 0));
}

static bool go_find(const struct counter_file *file, const char *name, size_t n,
	struct brace_function *ret_function, uint32_t *ret_t)
{
	const struct token *tokens = file->tokens.tokens;
	for (uint32_t i = 0; i + 3 < file->tokens.n; i++) {
		struct brace_function function = {.name = i + 1, .start_byte = tokens[i].start};
		if (!counter_is(file, i, "func") || tokens[i].around != NO_TOKEN ||
			tokens[i + 1].length != n || memcmp(file->text + tokens[i + 1].start, name, n) != 0 ||
			!brace_body_after(file, i + 2, &function.body))
			continue;
		function.end_byte = tokens[function.body.end].start + 1;
		*ret_function = function;
		*ret_t = i + 3;
		return tokens[i + 3].kind == TOKEN_NAME;
	}
	return false;
}

/* Whether t.Error and its like stand at a token. */
static bool go_fails(const struct copying *x, uint32_t i)
{
	const struct token *t = &x->file->tokens.tokens[x->t];
	const struct token *token = &x->file->tokens.tokens[i];
	return token->length == t->length &&
		memcmp(x->file->text + token->start, x->file->text + t->start, t->length) == 0 &&
		counter_is(x->file, i + 1, ".") && counter_in(x->file, i + 2, FAILS);
}

static void go_add_expected(struct copying *x, const struct counter_change *change)
{
	if (x->n_expected < EXPECTED_MOST)
		x->expected[x->n_expected++] = *change;
}

/* if init; A != B { t.Error(...) }: B is another one, or the condition is turned. */
static void go_look_at_if(struct copying *x, uint32_t i)
{
	const struct counter_file *file = x->file;
	const struct token *tokens = file->tokens.tokens;
	uint32_t open = i + 1;
	bool fails = false;
	while (open < x->function.body.end &&
		!(counter_is(file, open, "{") && tokens[open].around == tokens[i].around))
		open++;
	uint32_t close = open < x->function.body.end ? tokens[open].match : NO_TOKEN;
	if (close == NO_TOKEN || counter_is(file, close + 1, "else"))
		return;
	for (uint32_t j = open + 1; j < close; j++)
		fails = fails || (tokens[j].around == open && go_fails(x, j));
	struct span head = {i + 1, open}, cond = head;
	for (uint32_t at; (at = span_seek(file, cond, " ; ")) < cond.end;)
		cond.first = at + 1;
	if (!fails || cond.first >= cond.end)
		return;
	uint32_t unequal = span_seek(file, cond, " != ");
	struct span other = {unequal + 1, cond.end};
	struct counter_change change;
	if (unequal >= cond.end || span_seek(file, cond, " && || == ") < cond.end ||
		!brace_other_literal(x->plan, file, other, &change))
		change = span_wrapped(file, cond, "!(", ")");
	go_add_expected(x, &change);
}

/* assert.Equal(t, A, B). */
static void go_look_at_call(struct copying *x, uint32_t i)
{
	struct span arguments[4];
	struct counter_change change;
	size_t n = counter_is(x->file, i + 3, "(")
		? span_arguments(x->file, i + 3, arguments, ARRAY_SIZE(arguments))
		: 0;
	bool is_equal = counter_in(x->file, i + 2, " Equal Equalf ");
	for (size_t j = 0; j < n && j < 3 && is_equal; j++)
		if (brace_other_literal(x->plan, x->file, arguments[j], &change)) {
			go_add_expected(x, &change);
			return;
		}
	for (size_t j = 0; n && j < ARRAY_SIZE(turned); j++)
		if (counter_is(x->file, i + 2, turned[j][0])) {
			change = span_replaced(x->file, (struct span){i + 2, i + 3}, turned[j][1]);
			go_add_expected(x, &change);
			return;
		}
}

/* A function within the test that may fail: it fails at once. It need not be called, so that this
 * says something only where all that the test asks is in there. */
static void go_look_at_function(struct copying *x, uint32_t i)
{
	struct span body;
	bool fails = false;
	if (!counter_is(x->file, i + 1, "(") || !brace_body_after(x->file, i + 1, &body) ||
		x->n_inside == INSIDE_MOST)
		return;
	for (uint32_t j = body.first; j < body.end; j++)
		fails = fails || go_fails(x, j);
	size_t offset = x->file->tokens.tokens[body.first - 1].start + 1;
	const struct token *t = &x->file->tokens.tokens[x->t];
	if (fails)
		x->inside[x->n_inside++] = (struct counter_change){.kind = COUNTER_FIRST,
			.n = 1,
			.at = offset,
			.group = x->n_inside + 1,
			.splices = {{.offset = offset,
				.text = arena_printf(x->plan->arena, "\n%.*s.Error(\"counter-test %s\")\n",
					(int)t->length, x->file->text + t->start, x->plan->said)}}};
}

static void go_find_changes(struct copying *x)
{
	struct span body = x->function.body;
	for (uint32_t i = body.first; i < body.end; i++) {
		bool begins = brace_begins(x->file, body, i) &&
			!brace_returns(x->file, (struct span){body.first, i}, "func");
		if (begins && counter_is(x->file, i, "if"))
			go_look_at_if(x, i);
		else if (begins && counter_in(x->file, i, " assert require "))
			go_look_at_call(x, i);
		else if (counter_is(x->file, i, "func"))
			go_look_at_function(x, i);
	}
}

/* Whether copies of it are there already, for another one of its rows. */
static bool go_has_copies(const struct counter_plan *plan, const char *run)
{
	size_t n = strlen(run);
	for (size_t i = 0; i < plan->n; i++)
		if (text_starts_with(plan->copies[i].run, run) && plan->copies[i].run[n] == '_')
			return true;
	return false;
}

/* Copies that must fail. */
static void go_add_wrong(
	struct copying *x, size_t number, const struct counter_test *test, const char *run)
{
	struct counter_plan *plan = x->plan;
	const struct counter_file *file = x->file;
	go_find_changes(x);
	for (size_t i = 0; i < x->n_expected && !test->only_end; i++)
		brace_add(plan, number, &x->function, test, run, &x->expected[i]);
	if (!brace_returns(file, x->function.body, "func")) {
		const struct token *t = &file->tokens.tokens[x->t];
		struct counter_change end = brace_end(plan, file, &x->function,
			arena_printf(plan->arena, "%.*s.Error(\"counter-test %s\")", (int)t->length,
				file->text + t->start, plan->said));
		brace_add(plan, number, &x->function, test, run, &end);
	}
	for (size_t i = 0; i < x->n_inside && !test->only_end; i++) {
		x->inside[i].is_all = !x->n_expected;
		brace_add(plan, number, &x->function, test, run, &x->inside[i]);
	}
}

/* A copy in which nothing is changed: its statements stand in a function of another name, and in a
 * file of another name, as the program sees that. */
static void go_add_same(
	const struct copying *x, size_t number, const struct counter_test *test, const char *run)
{
	struct counter_plan *plan = x->plan;
	const struct counter_file *file = x->file;
	const struct token *name = &file->tokens.tokens[x->function.name];
	const struct token *t = &file->tokens.tokens[x->t];
	const char *mark = counter_mark(plan), *text = file->text, *before = "", *after = "";
	size_t name_end = name->start + name->length, end = x->function.end_byte;
	int n_head = (int)(file->tokens.tokens[x->function.body.first - 1].start - name_end);
	struct span body = {x->t, x->function.body.end};
	if (span_names_itself(file, body, text + name->start, name->length))
		return;
	if (!span_names_file(file)) {
		before = arena_printf(plan->arena, "//line steps_%s.go:1\n", plan->said);
		after = arena_printf(plan->arena, "\n\n//line %s:%zu", file_name(file->path),
			text_count_lines(text, end) + 2);
	}
	counter_put_same(plan, number, test, mark, arena_printf(plan->arena, "%s_%s", run, mark),
		x->function.start_byte, end,
		arena_printf(plan->arena,
			"\n\n%sfunc steps_%s%.*s\n\nfunc %.*s_%s%.*s{\n\tsteps_%s(%.*s)\n}%s", before, mark,
			(int)(end - name_end), text + name_end, (int)name->length, text + name->start, mark,
			n_head, text + name_end, mark, (int)t->length, text + t->start, after));
}

static const char *go_copy(
	struct counter_plan *plan, size_t number, const struct counter_test *test, bool *ret_has_test)
{
	const struct counter_file *file = plan->files[number];
	const char *name = strstr(test->id, "::") + 2;
	size_t n = strcspn(name, "/");
	struct copying x = {.plan = plan, .file = file};
	*ret_has_test = go_find(file, name, n, &x.function, &x.t);
	if (!*ret_has_test)
		return "it does not stand in its package as a function";
	const char *run = arena_strndup(plan->arena, test->id, (size_t)(name - test->id) + n);
	if (go_has_copies(plan, run))
		return "it is a part of another one";
	if (!test->only_same)
		go_add_wrong(&x, number, test, run);
	go_add_same(&x, number, test, run);
	return NULL;
}

const struct counter_type go_counter = {
	.name = "go",
	.formats = " go ",
	.languages = " go ",
	.goes_on = true,
	.may_hold = go_may_hold,
	.copy = go_copy,
};
