/* Whether the tests in a program are run where the program is started, and not only defined. */
#include "verify/suite/program/parts.h"

/* Whether a logical line at the margin of a file in Python runs nothing of the file. */
static bool started_only_defines(const struct program_text *program, uint32_t i)
{
	uint32_t end = program_line_end(program, i);
	if (program->list.tokens[i].kind == TOKEN_STRING ||
		program_in(program, i, " def class async @ import from "))
		return true;
	if (program->list.tokens[i].kind != TOKEN_NAME || !program_in(program, i + 1, " = : "))
		return false;
	for (; i < end; i++)
		if (program_is(program, i, "("))
			return false;
	return true;
}

/* A function or class of tests, and not what runs one. */
static bool started_is_definition(
	const struct program_text *program, const struct program_part *part)
{
	uint32_t first = program_token_at(program, part->start);
	return part->kind == PART_TEST && program_in(program, first, " def class async @ ");
}

bool program_only_defines_tests(
	const char *path, const char *text, const char **ret_runner, struct arena *arena)
{
	struct program_text program;
	bool has_tests = false, has_examples = false;
	program_read(&program, path, text, arena);
	if (program.language != PROGRAM_PYTHON)
		return false;
	for (size_t i = 0; i < program.n_parts; i++) {
		has_tests |= started_is_definition(&program, &program.parts[i]);
		has_examples |= program.parts[i].kind == PART_EXAMPLE;
	}
	for (uint32_t i = 0; i < program.list.n; i++)
		if (program_begins_line(&program, i) && program_column(&program, i) == 0 &&
			!started_only_defines(&program, i))
			return false;
	*ret_runner = has_tests ? "pytest" : "doctest";
	return has_tests || has_examples;
}
