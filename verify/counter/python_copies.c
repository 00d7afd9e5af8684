/* The copies of one test of Python's. */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/counter/python_text.h"

enum { EXPECTED_MOST = 3, INSIDE_MOST = 6 };

/* Blocks that keep an error to themselves, or wait for one. */
#define KEEPING_BLOCKS \
	" raises assertRaises assertRaisesRegex suppress warns assertWarns assertWarnsRegex " \
	"assertLogs deprecated_call subTest subtests ignore_warnings "

struct copying {
	struct counter_plan *plan;
	const struct counter_file *file;
	const struct python_function *function;
	struct counter_change *expected, *inside;
	size_t n_expected, n_inside, n_groups;
};

/* --- Functions that are handed over, and blocks --- */

static bool copies_has_assertion(const struct counter_file *file, uint32_t first, uint32_t end)
{
	uint32_t column = python_column(file, first);
	for (uint32_t i = first; i < end; i = python_statement_end(file, i))
		if (python_column(file, i) == column &&
			python_asserts(file, i, python_statement_end(file, i)))
			return true;
	return false;
}

static void copies_add_inside(
	struct copying *x, enum counter_kind kind, const struct counter_change *change)
{
	struct counter_change added = *change;
	added.kind = kind;
	ARENA_PUSH(x->plan->arena, x->inside, x->n_inside, added);
}

static const char *copies_indented(const struct copying *x, uint32_t like, const char *text)
{
	const struct counter_file *file = x->file;
	size_t start = python_line_start(file, like);
	return arena_printf(x->plan->arena, "%.*s%s\n", (int)(file->tokens.tokens[like].start - start),
		file->text + start, text);
}

static bool copies_may_return(const struct copying *x)
{
	return python_has_own(x->file, x->function->first, x->function->end, " return ");
}

/* A statement after the last of the test. */
static struct splice copies_after(const struct copying *x, const char *statement)
{
	const struct python_function *function = x->function;
	bool is_ended = x->file->text[function->end_byte - 1] == '\n';
	return (struct splice){.offset = function->end_byte,
		.text = arena_printf(x->plan->arena, "%s%s", is_ended ? "" : "\n",
			copies_indented(x, function->first, statement))};
}

/* Its first call fails before it does anything, or after; or the test fails if it was called. That
 * is put at `before`, after a prefix; around what ends at `after`, or else on a line above it. */
static void copies_add_called_back(struct copying *x, struct counter_change *change, size_t before,
	size_t after, const char *prefix)
{
	static const struct {
		enum counter_kind kind;
		const char *name;
	} ways[] = {
		{COUNTER_FIRST, "fails_first"}, {COUNTER_LAST, "fails_last"}, {COUNTER_CALLED, "called"}};
	struct arena *arena = x->plan->arena;
	const char *key = arena_printf(arena, "%zu at %zu", x->function->start_byte, before);
	change->group = ++x->n_groups;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		struct counter_change way = *change;
		bool is_called = ways[i].kind == COUNTER_CALLED;
		const char *name = arena_printf(arena, "%s_%s", ways[i].name, x->plan->word);
		way.splices[way.n++] = (struct splice){.offset = before,
			.text = arena_printf(arena, "%s%s%s", prefix,
				is_called ? arena_printf(arena, "%s(\"%s\")", name, key) : name,
				after ? "(" : "\n")};
		if (after)
			way.splices[way.n++] = (struct splice){.offset = after, .text = ")"};
		if (is_called)
			way.splices[way.n++] = copies_after(
				x, arena_printf(arena, "assert \"%s\" not in called_%s.keys", key, x->plan->word));
		if (!is_called || !copies_may_return(x))
			copies_add_inside(x, ways[i].kind, &way);
	}
}

/* A function within the test that asserts something. One that raises errors by itself means them
 * to be lost. */
static void copies_find_function(struct copying *x, uint32_t at)
{
	struct python_function inner;
	if (!python_function_at(x->file, at, &inner) ||
		python_has_own(x->file, inner.first, inner.end, " raise yield fail skip skipTest ") ||
		!copies_has_assertion(x->file, inner.first, inner.end))
		return;
	size_t start = python_line_start(x->file, at), n = x->file->tokens.tokens[at].start - start;
	struct counter_change change = {.at = x->file->tokens.tokens[at].start};
	copies_add_called_back(x, &change, inner.def_byte, 0,
		arena_printf(x->plan->arena, "%.*s@", (int)n, x->file->text + start));
}

/* The block of a context manager, which might lose what fails in it. */
static void copies_find_block(struct copying *x, uint32_t at)
{
	uint32_t first, end, head_end = python_line_end(x->file, at);
	for (uint32_t i = at; i < head_end; i++)
		if (counter_in(x->file, i, KEEPING_BLOCKS))
			return;
	if (!python_body(x->file, at, &first, &end) || !copies_has_assertion(x->file, first, end))
		return;
	copies_add_inside(x, COUNTER_FIRST,
		&(struct counter_change){.n = 1,
			.at = x->file->tokens.tokens[first].start,
			.splices = {{.offset = python_line_start(x->file, first),
				.text = copies_indented(x, first,
					arena_printf(x->plan->arena, "raise AssertionError(\"counter-test %s\")",
						x->plan->said))}}});
}

/* Where the lambda at a token ends. NO_TOKEN: what it does may depend on something. */
static uint32_t copies_lambda_end(const struct counter_file *file, uint32_t at)
{
	const struct token *tokens = file->tokens.tokens;
	uint32_t i = at + 1, n = (uint32_t)file->tokens.n;
	bool is_body = false;
	for (; i < n; i++) {
		if (tokens[i].around != tokens[at].around ||
			(tokens[i].kind == TOKEN_CLOSE && tokens[i].match < at))
			break;
		if (counter_in(file, i, " if or and lambda "))
			return NO_TOKEN;
		if (is_body && counter_is(file, i, ","))
			break;
		is_body = is_body || counter_is(file, i, ":");
		if (tokens[i].kind == TOKEN_OPEN && tokens[i].match != NO_TOKEN)
			i = tokens[i].match;
	}
	return is_body ? i : NO_TOKEN;
}

/* A function without a name, in a call, that asserts by a method. */
static void copies_find_lambda(struct copying *x, uint32_t at)
{
	const struct token *tokens = x->file->tokens.tokens;
	uint32_t end = copies_lambda_end(x->file, at);
	bool asserts = false;
	if (tokens[at].around == NO_TOKEN || end == NO_TOKEN)
		return;
	for (uint32_t i = at; i < end; i++)
		asserts = asserts ||
			text_n_starts_with(x->file->text + tokens[i].start, tokens[i].length, "assert");
	if (!asserts)
		return;
	copies_add_called_back(x, &(struct counter_change){.at = tokens[at].start}, tokens[at].start,
		tokens[end - 1].start + tokens[end - 1].length, "");
}

/* --- All of a test --- */

static void copies_find_in(struct copying *x, uint32_t i, uint32_t end)
{
	uint32_t def;
	if (counter_is(x->file, i, "@"))
		return;
	if (python_is_def(x->file, i, &def)) {
		copies_find_function(x, i);
		return;
	}
	python_expectations(x->plan, x->file, i, end, &x->expected, &x->n_expected);
	if (counter_is(x->file, i, "with"))
		copies_find_block(x, i);
	for (uint32_t j = i; j < end && j < python_line_end(x->file, i); j++)
		if (counter_is(x->file, j, "lambda"))
			copies_find_lambda(x, j);
}

/* Whether a test's name says that something does not happen: then a function that it hands over may
 * rightly not be called. */
static bool copies_is_negative(const struct copying *x)
{
	static const char words[] =
		" not no never none without ignore ignores ignored ignoring skip skips skipped hidden "
		"only except exclude excludes excluded filter filters filtered unless doesnt dont isnt "
		"cannot disabled silent silently swallow swallows suppress suppresses ";
	const struct token *name = &x->file->tokens.tokens[x->function->name];
	const char *text = x->file->text + name->start;
	for (size_t at = 0, n; at < name->length; at += n + 1) {
		n = 0;
		while (at + n < name->length && text[at + n] != '_')
			n++;
		if (words_hold(words, text + at, n))
			return true;
	}
	return false;
}

/* Statements that each passing test comes to. */
static void copies_find(struct copying *x)
{
	const struct counter_file *file = x->file;
	const struct python_function *function = x->function;
	for (uint32_t i = function->first, end; i < function->end; i = end) {
		end = python_statement_end(file, i);
		if (python_has_own(file, function->first, i, " return "))
			return;
		copies_find_in(x, i, end);
	}
}

static void copies_add(struct copying *x, const struct counter_change *change, size_t file,
	const struct counter_test *test, const char *run)
{
	struct counter_plan *plan = x->plan;
	const struct python_function *function = x->function;
	const struct token *name = &x->file->tokens.tokens[function->name];
	struct counter_copy copy = {.test = test->number, .file = file, .mark = counter_mark(plan)};
	copy.run = arena_printf(
		plan->arena, "%s%.*s_%s", run, (int)name->length, x->file->text + name->start, copy.mark);
	const char *text = counter_changed(plan, x->file, function->start_byte, function->end_byte,
		name->start + name->length, change, &copy);
	bool is_ended = x->file->text[function->end_byte - 1] == '\n';
	counter_put(plan, &copy, function->end_byte,
		arena_printf(plan->arena, "%s\n%s%s", is_ended ? "" : "\n", text,
			text_ends_with(text, "\n") ? "" : "\n"));
}

/* The one on the line that failed at the base comes first. */
static void copies_put_failed_first(struct copying *x, int line)
{
	for (size_t i = 1; i < x->n_expected; i++) {
		struct counter_change change = x->expected[i];
		if ((int)text_count_lines(x->file->text, change.at) + 1 != line)
			continue;
		memmove(x->expected + 1, x->expected, i * sizeof *x->expected);
		x->expected[0] = change;
		return;
	}
}

static struct counter_change copies_end(const struct copying *x)
{
	return (struct counter_change){.kind = COUNTER_END,
		.n = 1,
		.at = x->file->tokens.tokens[x->function->end - 1].start,
		.splices = {copies_after(x,
			arena_printf(
				x->plan->arena, "raise AssertionError(\"counter-test %s\")", x->plan->said))}};
}

/* Whether each decorator of a function or class begins like one of n texts; none is right, too. */
static bool copies_all_begin(
	const struct counter_file *file, uint32_t def, const char *const *known, size_t n)
{
	for (uint32_t i = def; i-- > 0;) {
		if (!python_begins(file, i))
			continue;
		if (!counter_is(file, i, "@") || python_column(file, i) != python_column(file, def))
			break;
		bool is_known = false;
		const char *text = file->text + file->tokens.tokens[i].start + 1;
		for (size_t j = 0; j < n; j++)
			is_known = is_known || text_starts_with(text, known[j]);
		if (!is_known)
			return false;
	}
	return true;
}

bool python_knows_decorators(const struct counter_file *file, uint32_t def)
{
	static const char *const known[] = {"pytest.mark.", "mark.", "patch", "mock.patch",
		"unittest.mock.patch", "unittest.skip", "skip", "given", "hypothesis.", "settings",
		"example", "staticmethod", "override_settings", "freeze_time", "responses.activate"};
	return copies_all_begin(file, def, known, ARRAY_SIZE(known));
}

bool python_has_marks(const struct counter_file *file, const struct python_function *function)
{
	static const char *const marks[] = {"pytest.mark.", "mark."};
	return function->start_byte < function->def_byte &&
		copies_all_begin(file, function->def, marks, ARRAY_SIZE(marks));
}

const char *python_add_copies(struct counter_plan *plan, size_t file,
	const struct python_function *function, const struct counter_test *test, const char *run)
{
	struct copying x = {.plan = plan, .file = plan->files[file], .function = function};
	if (!python_knows_decorators(x.file, function->def))
		return PYTHON_DECORATED;
	if (python_has_own(x.file, function->first, function->end, " yield "))
		return "it is a generator";
	if (test->only_same) {
		python_add_same(plan, file, function, test, run);
		return NULL;
	}
	if (!test->only_end)
		copies_find(&x);
	copies_put_failed_first(&x, test->failed_line);
	for (size_t i = 0; i < x.n_expected && i < EXPECTED_MOST; i++)
		copies_add(&x, &x.expected[i], file, test, run);
	if (!copies_may_return(&x)) {
		struct counter_change end = copies_end(&x);
		copies_add(&x, &end, file, test, run);
	}
	if (copies_is_negative(&x) || test->only_end)
		x.n_inside = 0;
	for (size_t i = 0; i < x.n_inside && i < INSIDE_MOST; i++)
		x.inside[i].is_all = !x.n_expected;
	for (size_t i = 0; i < x.n_inside && i < INSIDE_MOST; i++)
		copies_add(&x, &x.inside[i], file, test, run);
	python_add_same(plan, file, function, test, run);
	return NULL;
}
