/* node:test, mocha, jest and their like: "test/shapes.test.js > shapes > area", or only the
 * titles. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/counter/script_text.h"

enum { TITLES_MOST = 16, EXPECTED_MOST = 3, INSIDE_MOST = 6 };

#define TESTS " test it specify "
#define GROUPS " describe suite context "

/* Runners that give each test one argument, which is no callback to end it. */
static const char *const argument_signs[] = {"node:test", "\"ava\"", "'ava'"};

struct copying {
	struct counter_plan *plan;
	const struct counter_file *file;
	struct script_function function;
	struct counter_change *expected, *inside;
	size_t n_expected, n_inside, n_groups;
};

/* A test in its file. */
struct found {
	uint32_t name;  /* of the function that is called */
	uint32_t close; /* its bracket */
	struct span title;
	struct script_function function;
};

/* --- Where it stands --- */

/* Whether an id begins with a test file. */
static bool script_names_file(const char *id)
{
	const char *end = strstr(id, " > ");
	static const char *const suffixes[] = {".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx"};
	for (size_t i = 0; end && i < ARRAY_SIZE(suffixes); i++)
		if (text_n_ends_with(id, (size_t)(end - id), suffixes[i]))
			return true;
	return false;
}

static bool script_may_hold(const char *id, const char *path)
{
	size_t n = strlen(path);
	if (text_starts_with(id, path) && text_starts_with(id + n, " > "))
		return true;
	const struct language *language = language_of(path);
	return language && language_is_script(language) && !script_names_file(id) &&
		(strstr(path, "test") || strstr(path, "spec"));
}

/* The titles of an id, the innermost last. */
static size_t script_split_id(const char *id, const char *path, const char **titles, size_t *sizes)
{
	size_t n = 0, n_path = strlen(path);
	if (text_starts_with(id, path) && text_starts_with(id + n_path, " > "))
		id += n_path + strlen(" > ");
	for (const char *at = id; at && n < TITLES_MOST; n++) {
		const char *end = strstr(at, " > ");
		titles[n] = at;
		sizes[n] = end ? (size_t)(end - at) : strlen(at);
		at = end ? end + strlen(" > ") : NULL;
	}
	return n;
}

/* The title that is the first argument of a call. */
static bool script_title(const struct counter_file *file, uint32_t open, struct span *ret_title)
{
	const struct token *tokens = file->tokens.tokens;
	uint32_t at = open + 1;
	if (!counter_is(file, open, "(") || tokens[open].match == NO_TOKEN ||
		at >= tokens[open].match || tokens[at].kind != TOKEN_STRING || tokens[at].length < 3 ||
		!strchr("\"'`", file->text[tokens[at].start]) || !counter_is(file, at + 1, ","))
		return false;
	*ret_title = (struct span){at, at + 1};
	return true;
}

static bool script_is_title(
	const struct counter_file *file, struct span title, const char *text, size_t n)
{
	size_t start = span_start(file, title) + 1, end = span_end(file, title) - 1;
	return end - start == n && memcmp(file->text + start, text, n) == 0;
}

/* The open bracket of the nearest call that makes a group around a token; NO_TOKEN: none. */
static uint32_t script_group_around(const struct counter_file *file, uint32_t i)
{
	const struct token *tokens = file->tokens.tokens;
	uint32_t at = tokens[i].around;
	while (at != NO_TOKEN && !(at && counter_is(file, at, "(") && counter_in(file, at - 1, GROUPS)))
		at = tokens[at].around;
	return at;
}

static bool script_stands_in(const struct counter_file *file, uint32_t name,
	const char *const *titles, const size_t *sizes, size_t n)
{
	struct span title;
	uint32_t at = script_group_around(file, name);
	for (; n && at != NO_TOKEN; n--, at = script_group_around(file, at))
		if (!script_title(file, at, &title) ||
			!script_is_title(file, title, titles[n - 1], sizes[n - 1]))
			return false;
	return !n && at == NO_TOKEN;
}

/* The function that a test's call is given: its second argument or its third. */
static bool script_function_in(
	const struct counter_file *file, uint32_t open, struct script_function *ret_function)
{
	struct span arguments[4];
	size_t n = span_arguments(file, open, arguments, ARRAY_SIZE(arguments));
	for (size_t i = 1; i < n && i < 3; i++)
		if (script_function_of(file, arguments[i], ret_function))
			return true;
	return false;
}

static bool script_begins_line(const struct counter_file *file, uint32_t i)
{
	const struct token *token = &file->tokens.tokens[i];
	for (size_t at = token->start; at && file->text[at - 1] != '\n'; at--)
		if (file->text[at - 1] != ' ' && file->text[at - 1] != '\t')
			return false;
	return !i || counter_in(file, i - 1, " ; { } ) ") ||
		file->tokens.tokens[i - 1].kind == TOKEN_STRING ||
		file->tokens.tokens[i - 1].kind == TOKEN_NAME;
}

static size_t script_find(const struct counter_file *file, const char *const *titles,
	const size_t *sizes, size_t n, struct found *ret_found)
{
	size_t count = 0;
	for (uint32_t i = 0; i + 1 < file->tokens.n; i++) {
		struct found found = {.name = i};
		if (!counter_in(file, i, TESTS) || !script_title(file, i + 1, &found.title) ||
			!script_is_title(file, found.title, titles[n - 1], sizes[n - 1]) ||
			!script_stands_in(file, i, titles, sizes, n - 1))
			continue;
		found.close = file->tokens.tokens[i + 1].match;
		count++;
		if (!script_begins_line(file, i) || !script_function_in(file, i + 1, &found.function))
			count = 2; /* it cannot be copied */
		*ret_found = found;
	}
	return count;
}

/* --- Changes --- */

static void script_add_inside(
	struct copying *x, enum counter_kind kind, const struct counter_change *change)
{
	struct counter_change added = *change;
	added.kind = kind;
	ARENA_PUSH(x->plan->arena, x->inside, x->n_inside, added);
}

/* A statement on a line of its own, before the brace that ends the test. */
static struct splice script_at_end(const struct copying *x, const char *statement)
{
	return (struct splice){.offset = x->file->tokens.tokens[x->function.body.end].start,
		.text = arena_printf(x->plan->arena, "\n%s\n", statement)};
}

/* A function that is handed over within the test, and asserts something. */
static void script_add_called_back(struct copying *x, struct span whole)
{
	static const struct {
		enum counter_kind kind;
		const char *name;
	} ways[] = {
		{COUNTER_FIRST, "fails_first"}, {COUNTER_LAST, "fails_last"}, {COUNTER_CALLED, "called"}};
	struct arena *arena = x->plan->arena;
	size_t group = ++x->n_groups;
	const char *key = arena_printf(arena, "%zu", span_start(x->file, whole));
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		bool is_called = ways[i].kind == COUNTER_CALLED;
		const char *name = arena_printf(arena, "%s_%s", ways[i].name, x->plan->word);
		struct counter_change change = span_wrapped(x->file, whole,
			is_called ? arena_printf(arena, "%s(\"%s\")(", name, key)
					  : arena_printf(arena, "%s(", name),
			")");
		change.group = group;
		if (is_called && (!x->function.is_block || script_may_return(x->file, &x->function)))
			continue;
		if (is_called)
			change.splices[change.n++] =
				script_at_end(x, arena_printf(arena, "not_called_%s(\"%s\");", x->plan->word, key));
		script_add_inside(x, ways[i].kind, &change);
	}
}

static bool script_body_asserts(
	const struct counter_file *file, const struct script_function *function)
{
	for (uint32_t i = function->body.first; i < function->body.end; i++) {
		uint32_t end = script_chain_end(file, i);
		bool is_first = i == function->body.first;
		if (end > i && (function->is_block ? script_is_reached(file, function, i) : is_first) &&
			script_asserts(file, (struct span){i, end}))
			return true;
	}
	return false;
}

/* One that throws by itself means its errors to be lost. */
static bool script_throws(const struct counter_file *file, struct span body)
{
	for (uint32_t i = body.first; i < body.end; i++)
		if (counter_in(file, i, " throw fail "))
			return true;
	return false;
}

/* Functions among the arguments of calls, but for those that wait for an error. */
static void script_find_functions(struct copying *x, struct span chain)
{
	struct span arguments[4];
	if (counter_in(x->file, chain.first, " assert expect t describe it test "))
		return;
	for (uint32_t i = chain.first; i < chain.end; i++) {
		size_t n = counter_is(x->file, i, "(")
			? span_arguments(x->file, i, arguments, ARRAY_SIZE(arguments))
			: 0;
		if (n)
			i = x->file->tokens.tokens[i].match - 1;
		for (size_t j = 0; j < n; j++) {
			struct script_function inner;
			if (script_function_of(x->file, arguments[j], &inner) &&
				!script_throws(x->file, inner.body) && script_body_asserts(x->file, &inner))
				script_add_called_back(x, arguments[j]);
		}
	}
}

static void script_look_at(struct copying *x, uint32_t i, bool is_waited)
{
	uint32_t end = script_chain_end(x->file, i);
	if (end == i)
		return;
	struct span chain = {i, end};
	script_expectations(x->plan, x->file, chain, is_waited, &x->expected, &x->n_expected);
	script_find_functions(x, chain);
}

static void script_find_changes(struct copying *x)
{
	struct span body = x->function.body;
	if (!x->function.is_block) {
		bool is_waited = counter_is(x->file, body.first, "await");
		script_look_at(x, body.first + is_waited, true);
		return;
	}
	for (uint32_t i = body.first; i < body.end; i++) {
		bool is_waited = counter_is(x->file, i, "await");
		if (script_is_reached(x->file, &x->function, i))
			script_look_at(x, i + is_waited, is_waited);
	}
}

/* It fails after all that it does. False: that cannot be known. */
static bool script_end_change(const struct copying *x, struct counter_change *ret_change)
{
	struct span body = x->function.body;
	if (!x->function.is_block) {
		*ret_change = span_wrapped(
			x->file, body, arena_printf(x->plan->arena, "fails_after_%s(", x->plan->word), ")");
		if (counter_is(x->file, body.first, "await"))
			return false;
	} else if (script_may_return(x->file, &x->function)) {
		return false;
	} else {
		struct splice splice = script_at_end(x,
			arena_printf(x->plan->arena, "throw new Error(\"counter-test %s\");", x->plan->said));
		*ret_change = (struct counter_change){.n = 1, .at = splice.offset, .splices = {splice}};
	}
	ret_change->kind = COUNTER_END;
	return true;
}

/* --- Copies --- */

static void script_add(struct copying *x, const struct counter_change *change, size_t file,
	const struct counter_test *test, const struct found *found)
{
	struct counter_plan *plan = x->plan;
	uint32_t end = found->close + 1;
	struct counter_copy copy = {.test = test->number, .file = file, .mark = counter_mark(plan)};
	copy.run = arena_printf(plan->arena, "%s_%s", test->id, copy.mark);
	const struct token *close = &x->file->tokens.tokens[found->close];
	size_t start = x->file->tokens.tokens[found->name].start, n = start;
	while (n && x->file->text[n - 1] != '\n')
		n--;
	const char *text = counter_changed(plan, x->file, start, close->start + close->length,
		span_end(x->file, found->title) - 1, change, &copy);
	size_t offset = close->start + close->length + counter_is(x->file, end, ";");
	counter_put(plan, &copy, offset,
		arena_printf(plan->arena, "\n%.*s%s;", (int)(start - n), x->file->text + n, text));
}

static bool script_takes_argument(const struct counter_file *file)
{
	for (size_t i = 0; i < ARRAY_SIZE(argument_signs); i++)
		if (memmem(file->text, file->n, argument_signs[i], strlen(argument_signs[i])))
			return true;
	return false;
}

/* Copies that must fail. */
static void script_add_wrong(
	struct copying *x, size_t number, const struct counter_test *test, const struct found *found)
{
	struct counter_change end;
	if (!test->only_end)
		script_find_changes(x);
	for (size_t i = 0; i < x->n_expected && i < EXPECTED_MOST; i++)
		script_add(x, &x->expected[i], number, test, found);
	if (script_end_change(x, &end))
		script_add(x, &end, number, test, found);
	for (size_t i = 0; i < x->n_inside && i < INSIDE_MOST; i++) {
		x->inside[i].is_all = !x->n_expected;
		script_add(x, &x->inside[i], number, test, found);
	}
}

static const char *script_copy(
	struct counter_plan *plan, size_t number, const struct counter_test *test, bool *ret_has_test)
{
	const struct counter_file *file = plan->files[number];
	const char *titles[TITLES_MOST];
	size_t sizes[TITLES_MOST], n = script_split_id(test->id, file->path, titles, sizes);
	struct found found = {.name = NO_TOKEN};
	size_t count = n ? script_find(file, titles, sizes, n, &found) : 0;
	*ret_has_test = count;
	if (count != 1)
		return count ? "it is not a plain call with a title and a function"
					 : "its title does not stand in its file";
	struct copying x = {.plan = plan, .file = file, .function = found.function};
	if (found.function.n_parameters > (script_takes_argument(file) ? 1 : 0))
		return "it says by a callback when it ends";
	if (!test->only_same)
		script_add_wrong(&x, number, test, &found);
	if (span_names_itself(file, found.function.whole, NULL, 0))
		return NULL;
	struct counter_change same = span_wrapped(file, found.function.whole,
		arena_printf(plan->arena, "elsewhere_%s(", plan->word),
		span_names_file(file) ? ", false)" : ", true)");
	same.kind = COUNTER_SAME;
	script_add(&x, &same, number, test, &found);
	return NULL;
}

const struct counter_type script_counter = {
	.name = "script",
	.formats = " tap node mocha jest vitest bun uvu ",
	.languages = " javascript typescript ",
	.may_hold = script_may_hold,
	.copy = script_copy,
	.helpers = script_helpers,
};
