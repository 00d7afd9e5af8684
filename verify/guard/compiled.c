/*
 * Sources that the test command itself compiles: `cc calc.c check.c && ./a.out`, `javac Calc.java
 * Main.java && java Main`. That it names them does not make them tests: what is compiled with
 * another one's main(), and does not test anything itself, is what is tested.
 */
#include <string.h>

#include "base/file.h"
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
	const char **products;
	size_t n_products;
	bool has_main;
};

static bool compiled_is_compiler(const char *word)
{
	static const char *const compilers[] = {
		"cc", "c++", "gcc", "g++", "clang", "clang++", "c99", "javac"};
	for (size_t i = 0; i < ARRAY_SIZE(compilers); i++)
		if (command_is(word, compilers[i]))
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

static void compiled_take(struct compiled *compiled, const char *word)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST);
	struct rondo_error ignored;
	const char *path = text_starts_with(word, "./") ? word + 2 : word;
	if (!compiled_is_source(path) || !text_in_sorted(compiled->paths, compiled->n_paths, path) ||
		file_read(arena_printf(compiled->arena, "%s/%s", compiled->dir, path), LARGEST, &text,
			&ignored) < 0)
		return;
	if (source_holds_main(text.text))
		compiled->has_main = true;
	else if (!compiled_tests(text.text))
		ARENA_PUSH(compiled->arena, compiled->products, compiled->n_products,
			arena_strdup(compiled->arena, path));
}

const char *const *compiled_products_find(
	const char *dir, const char *command, const char *const *paths, size_t n, struct arena *arena)
{
	struct compiled compiled = {.arena = arena, .dir = dir, .paths = paths, .n_paths = n};
	size_t n_commands;
	struct simple_command *commands = command_line_split(command, arena, &n_commands);
	for (size_t i = 0; i < n_commands; i++)
		for (size_t k = 1; k < commands[i].n && compiled_is_compiler(commands[i].words[0]); k++)
			compiled_take(&compiled, commands[i].words[k]);
	if (!compiled.has_main || !compiled.n_products)
		return NULL;
	ARENA_PUSH(arena, compiled.products, compiled.n_products, NULL);
	return compiled.products;
}
