/*
 * Sources that the test command itself compiles: `cc calc.c check.c && ./a.out`, `javac *.java &&
 * java Main`. That it names them does not make them tests: what is compiled with another one's
 * main(), and does not test anything itself, is what is tested, and the program with main() is what
 * tests it.
 */
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/guard/build_file.h"
#include "verify/guard/guard.h"
#include "verify/suite/runners/command_line.h"

#define LARGEST ((size_t)1 << 20) /* bytes of a file that is read */

struct compiled {
	struct arena *arena;
	const char *dir;
	const char *const *paths;
	size_t n_paths;
	const char **products, **programs;
	size_t n_products, n_programs;
};

/* Whether a program is a compiler, or finds sources for one. */
static bool compiled_takes_sources(const char *word)
{
	static const char *const programs[] = {
		"cc", "c++", "gcc", "g++", "clang", "clang++", "c99", "javac", "find"};
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (command_is(word, programs[i]))
			return true;
	return false;
}

static bool compiled_is_source(const char *word)
{
	static const char *const ends[] = {".c", ".cc", ".cpp", ".cxx", ".java"};
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (text_ends_with(word, ends[i]))
			return true;
	return false;
}

/* Whether a source seems to be a file of tests, by what frameworks have. */
static bool compiled_tests(const char *text)
{
	static const char *const signs[] = {"assert_", "assertEquals", "assertTrue", "EXPECT_",
		"ASSERT_", "REQUIRE(", "CHECK(", "TEST(", "TEST_", "@Test", "not ok"};
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (strstr(text, signs[i]))
			return true;
	return false;
}

static void compiled_take(struct compiled *compiled, const char *path)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST);
	struct rondo_error ignored;
	if (file_read(arena_printf(compiled->arena, "%s/%s", compiled->dir, path), LARGEST, &text,
			&ignored) < 0)
		return;
	if (source_holds_main(text.text))
		ARENA_PUSH(compiled->arena, compiled->programs, compiled->n_programs, path);
	else if (!compiled_tests(text.text))
		ARENA_PUSH(compiled->arena, compiled->products, compiled->n_products, path);
}

/* A word that a compiler is given: a path, or a pattern of sh or find. */
static void compiled_take_word(struct compiled *compiled, const char *word)
{
	const char *pattern = text_starts_with(word, "./") ? word + 2 : word;
	if (!compiled_is_source(pattern))
		return;
	bool is_path = text_in_sorted(compiled->paths, compiled->n_paths, pattern);
	for (size_t i = 0; i < compiled->n_paths; i++)
		if (is_path ? strcmp(pattern, compiled->paths[i]) == 0
					: glob_matches(pattern, compiled->paths[i]))
			compiled_take(compiled, compiled->paths[i]);
}

void compiled_sources_find(const char *dir, const char *command, const char *const *paths, size_t n,
	struct arena *arena, struct compiled_sources *ret)
{
	struct compiled compiled = {.arena = arena, .dir = dir, .paths = paths, .n_paths = n};
	size_t n_commands;
	struct simple_command *commands = command_line_split(command, arena, &n_commands);
	for (size_t i = 0; i < n_commands; i++)
		for (size_t k = 1; k < commands[i].n && compiled_takes_sources(commands[i].words[0]); k++)
			compiled_take_word(&compiled, commands[i].words[k]);
	*ret = (struct compiled_sources){0};
	if (!compiled.n_programs || !compiled.n_products)
		return;
	ARENA_PUSH(arena, compiled.products, compiled.n_products, NULL);
	ARENA_PUSH(arena, compiled.programs, compiled.n_programs, NULL);
	*ret = (struct compiled_sources){compiled.products, compiled.programs};
}
