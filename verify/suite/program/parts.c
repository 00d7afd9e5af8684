/*
 * The parts of a program that test it, found in its tokens, and so not in strings and comments.
 *
 *  - Assertions: Python's `assert`; in JavaScript and TypeScript calls of `console.assert`,
 * `assert` and `assert.x`.
 *  - Examples of doctest.
 *  - Tests: functions and classes of tests; in JavaScript calls of `test`, `it` and `describe`;
 * calls that run such a function or one of Python's test modules; and the question whether this
 * file is the program that was started.
 */
#include "verify/suite/program/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/strbuf.h"

#define TEST_MODULES " doctest unittest pytest testmod "
#define SCRIPT_RUNNERS " test it describe suite specify "
#define CHECKS " raises fail expect throws " TEST_MODULES

static bool part_is_name(const struct program_text *program, uint32_t i)
{
	return i < program->list.n && program->list.tokens[i].kind == TOKEN_NAME;
}

static bool part_is_test_name(const struct program_text *program, uint32_t i)
{
	const struct token *token = &program->list.tokens[i];
	return part_is_name(program, i) &&
		program_names_test(program->text + token->start, token->length);
}

/* The bracket that closes the one at `i`; the last token where none does. */
static uint32_t part_closing(const struct program_text *program, uint32_t i)
{
	uint32_t match = program->list.tokens[i].match;
	return match == NO_TOKEN ? (uint32_t)program->list.n - 1 : match;
}

struct program_part *program_add(
	struct program_text *program, enum program_part_kind kind, uint32_t first, uint32_t last)
{
	const struct token *tokens = program->list.tokens;
	struct program_part part = {.kind = kind,
		.start = tokens[first].start,
		.end = tokens[last].start + tokens[last].length};
	part.frozen_start = part.start;
	part.frozen_end = part.end;
	part.context = program_context(program, first, &part.block);
	ARENA_PUSH(program->arena, program->parts, program->n_parts, part);
	return &program->parts[program->n_parts - 1];
}

/* --- Assertions --- */

/* Python's statement ends with its logical line, or at a semicolon. */
static uint32_t part_python_assertion(const struct program_text *program, uint32_t i)
{
	uint32_t last = i, end = program_line_end(program, i);
	while (last + 1 < end &&
		!(program_is(program, last + 1, ";") &&
			program->list.tokens[last + 1].around == program->list.tokens[i].around))
		last++;
	return last;
}

/* The opening bracket of a call whose names, "assert.strict.equal", begin at `i`; NO_TOKEN: it is
 * no call. */
static uint32_t part_call_bracket(const struct program_text *program, uint32_t i)
{
	while (program_is(program, i + 1, ".") && part_is_name(program, i + 2))
		i += 2;
	return program_is(program, i + 1, "(") ? i + 1 : NO_TOKEN;
}

/* Whether the names of a call begin at `i`, and it is no definition. */
static bool part_begins_call(const struct program_text *program, uint32_t i)
{
	if (!part_is_name(program, i) ||
		(i && program_in(program, i - 1, " . ?. function def class new ")))
		return false;
	uint32_t open = part_call_bracket(program, i);
	return open != NO_TOKEN && !program_is(program, part_closing(program, open) + 1, "{");
}

/* The last token of an assertion that begins at `i`; NO_TOKEN: none does. */
static uint32_t part_assertion_end(const struct program_text *program, uint32_t i)
{
	if (program->language == PROGRAM_PYTHON)
		return program_is(program, i, "assert") && !(i && program_is(program, i - 1, "."))
			? part_python_assertion(program, i)
			: NO_TOKEN;
	bool console = program_is(program, i, "console") && program_is(program, i + 1, ".") &&
		program_is(program, i + 2, "assert");
	if ((!console && !program_is(program, i, "assert")) || !part_begins_call(program, i))
		return NO_TOKEN;
	uint32_t last = part_closing(program, part_call_bracket(program, i));
	return last + program_is(program, last + 1, ";");
}

/* --- Tests --- */

/* Whether something is checked, in tokens first ... end. */
static bool part_has_check(const struct program_text *program, uint32_t first, uint32_t end)
{
	for (; first < end; first++) {
		const struct token *token = &program->list.tokens[first];
		bool word = token->kind == TOKEN_NAME || token->kind == TOKEN_KEYWORD;
		if (word &&
			(program_in(program, first, CHECKS) ||
				(token->length >= 6 && memcmp(program->text + token->start, "assert", 6) == 0)))
			return true;
	}
	return false;
}

/* Whether a class is one of tests: by its name, or by what it inherits from. */
static bool part_is_test_class(const struct program_text *program, uint32_t name)
{
	bool found = part_is_test_name(program, name);
	for (uint32_t i = name; i < program->list.n && !program_is(program, i, ":"); i++)
		found = found ||
			(part_is_name(program, i) &&
				text_ends_with(program->list.tokens[i].word->text, "TestCase"));
	return found;
}

/* The first token of Python's decorators above the definition at `i`. */
static uint32_t part_decorators_start(const struct program_text *program, uint32_t i)
{
	uint32_t first = i;
	while (i) {
		uint32_t line = i - 1;
		while (line && !program_begins_line(program, line))
			line--;
		if (!program_is(program, line, "@"))
			break;
		first = i = line;
	}
	return first;
}

/* A function or class of tests that begins at `i`; its name's token is noted, so that calls of it
 * are known. */
static bool part_find_definition(struct program_text *program, uint32_t i, struct map *names)
{
	bool python = program->language == PROGRAM_PYTHON;
	bool is_class = python && program_is(program, i, "class");
	uint32_t start = i, end;
	if (python &&
		(!program_begins_line(program, i) || !program_in(program, i, " def class async ")))
		return false;
	i += program_is(program, i, "async");
	if (!is_class && !program_is(program, i, python ? "def" : "function"))
		return false;
	if (!part_is_name(program, i + 1) ||
		!(is_class ? part_is_test_class(program, i + 1) : part_is_test_name(program, i + 1)))
		return false;
	uint32_t name = i + 1;
	if (python) {
		end = program_block_end(program, start);
		start = part_decorators_start(program, start);
	} else {
		uint32_t open = part_call_bracket(program, name);
		uint32_t brace = open == NO_TOKEN ? NO_TOKEN : part_closing(program, open) + 1;
		if (brace == NO_TOKEN || !program_is(program, brace, "{"))
			return false;
		end = part_closing(program, brace) + 1;
	}
	if (!part_has_check(program, name + 1, end))
		return false;
	program_add(program, PART_TEST, start, end - 1);
	if (!is_class)
		map_put(names, program->arena, program->list.tokens[name].word->text, program);
	return true;
}

/* "if __name__ == '__main__':", "if (require.main === module)". */
static bool part_find_question(struct program_text *program, uint32_t i)
{
	if (!program_is(program, i, "if"))
		return false;
	if (program_is(program, i + 1, "__name__") && program_is(program, i + 2, "==")) {
		program_add(program, PART_TEST, i, i + 3 < program->list.n ? i + 3 : i + 2);
		return true;
	}
	if (!program_is(program, i + 2, "require") || !program_is(program, i + 3, ".") ||
		!program_is(program, i + 4, "main"))
		return false;
	program_add(program, PART_TEST, i, part_closing(program, i + 1));
	return true;
}

/* "doctest.testmod()", "test_area()", `it("adds", ...)`. */
static bool part_find_run(struct program_text *program, uint32_t i, const struct map *names)
{
	if (!part_begins_call(program, i))
		return false;
	bool module = program->language == PROGRAM_PYTHON && program_in(program, i, TEST_MODULES);
	bool runner = program->language == PROGRAM_SCRIPT && program_in(program, i, SCRIPT_RUNNERS);
	if (!module && !runner && !map_get(names, program->list.tokens[i].word->text))
		return false;
	uint32_t open = part_call_bracket(program, i), close = part_closing(program, open);
	if (runner && !map_get(names, program->list.tokens[i].word->text) &&
		!part_has_check(program, open, close))
		return false;
	program_add(program, PART_TEST, i, close);
	return true;
}

/* Python's documentation is the first statement in a file or after a head. */
static bool part_is_documentation(const struct program_text *program, uint32_t i)
{
	return program->language == PROGRAM_PYTHON && program->list.tokens[i].kind == TOKEN_STRING &&
		program_begins_line(program, i) && (i == 0 || program_is(program, i - 1, ":"));
}

static int part_compare(const void *a, const void *b)
{
	const struct program_part *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

void program_read(
	struct program_text *program, const char *path, const char *text, struct arena *arena)
{
	struct map names = {0};
	*program = (struct program_text){.arena = arena,
		.language = program_language_of(path),
		.text = text,
		.n_text = strlen(text),
		.words = {.arena = arena}};
	if (program->language == PROGRAM_OTHER || program->n_text > UINT32_MAX / 2)
		return;
	tokens_read(language_of(path), text, program->n_text, &program->words, arena, &program->list);
	for (uint32_t i = 0; i < program->list.n; i++) {
		uint32_t last = part_assertion_end(program, i);
		if (last != NO_TOKEN) {
			program_add(program, PART_ASSERTION, i, last);
			i = last;
		} else if (part_is_documentation(program, i)) {
			program_add_examples(program, i);
		} else {
			(void)(part_find_definition(program, i, &names) || part_find_question(program, i));
		}
	}
	for (uint32_t i = 0; i < program->list.n; i++)
		part_find_run(program, i, &names);
	if (program->n_parts)
		qsort(program->parts, program->n_parts, sizeof *program->parts, part_compare);
}

size_t program_parts(
	const char *path, const char *text, struct arena *arena, struct program_part **ret_parts)
{
	struct program_text program;
	program_read(&program, path, text, arena);
	*ret_parts = program.parts;
	return program.n_parts;
}
