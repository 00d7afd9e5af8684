/*
 * Tests in C and C++ that only a build file calls so: it makes a program of them and runs that
 * without arguments. A source that holds main() of such a program is a test, whatever its name, if
 * the project has other sources, or headers with functions. A program that is run with arguments
 * is the product.
 */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "verify/guard/build_file.h"
#include "verify/guard/guard.h"

#define LARGEST ((size_t)1 << 20) /* bytes of a file that is read */

static const char *const suffixes[] = {".c", ".cc", ".cpp", ".cxx"};
static const char *const headers[] = {".h", ".hh", ".hpp", ".hxx"};

struct built {
	struct arena *arena;
	const char *dir; /* the project's root */
	const char *const *paths;
	size_t n_paths;
	const char **tests;
	size_t n_tests;
};

static bool built_ends_with(const char *path, const char *const *ends, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_ends_with(path, ends[i]))
			return true;
	return false;
}

static bool built_is_source(const char *path)
{
	return built_ends_with(path, suffixes, ARRAY_SIZE(suffixes));
}

static bool built_is_test(const struct built *built, const char *path)
{
	for (size_t i = 0; i < built->n_tests; i++)
		if (strcmp(built->tests[i], path) == 0)
			return true;
	return false;
}

static bool built_read(const struct built *built, const char *path, struct strbuf *ret_text)
{
	struct rondo_error ignored;
	const char *place = arena_printf(built->arena, "%s/%s", built->dir, path);
	return file_read(place, LARGEST, ret_text, &ignored) == 0;
}

bool source_holds_main(const char *text)
{
	for (const char *at = text; (at = strstr(at, "main")); at += 4) {
		bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
		if (begins && at[4 + strspn(at + 4, " \t")] == '(')
			return true;
	}
	return false;
}

static bool built_has_main(const struct built *built, const char *path)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST);
	return built_read(built, path, &text) && source_holds_main(text.text);
}

/* A source as a build file in that folder names it. */
static void built_take(struct built *built, const char *folder, const char *source)
{
	const char *path = *folder ? arena_printf(built->arena, "%s/%s", folder, source) : source;
	if (built_is_source(path) && text_in_sorted(built->paths, built->n_paths, path) &&
		!built_is_test(built, path) && built_has_main(built, path))
		ARENA_PUSH(built->arena, built->tests, built->n_tests, path);
}

static void built_take_programs(
	struct built *built, const char *folder, const struct built_programs *programs)
{
	for (size_t i = 0; i < programs->n; i++) {
		const struct built_program *program = &programs->items[i];
		for (size_t k = 0; program->is_run && k < program->n; k++)
			built_take(built, folder, program->sources[k]);
		for (size_t k = 0; program->is_run && !program->n && k < ARRAY_SIZE(suffixes); k++)
			built_take(
				built, folder, arena_printf(built->arena, "%s%s", program->name, suffixes[k]));
	}
}

static void built_read_file(struct built *built, const char *path)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST);
	struct built_programs programs = {.arena = built->arena};
	size_t folder = (size_t)(file_name(path) - path);
	if (!build_file_is(path) || !built_read(built, path, &text))
		return;
	build_file_read(path, text.text, &programs);
	built_take_programs(
		built, arena_strndup(built->arena, path, folder ? folder - 1 : 0), &programs);
}

/* Whether a header holds a library: it defines functions, and does not only declare them. */
static bool built_is_library(const struct built *built, const char *path)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST);
	if (!built_ends_with(path, headers, ARRAY_SIZE(headers)) || !built_read(built, path, &text))
		return false;
	for (const char *at = text.text; (at = strchr(at, ')')); at++)
		if (at[1 + strspn(at + 1, " \t\r\n")] == '{')
			return true;
	return false;
}

/* Whether something is left that these can test. */
static bool built_has_product(const struct built *built)
{
	for (size_t i = 0; i < built->n_paths; i++)
		if (built_is_library(built, built->paths[i]) ||
			(built_is_source(built->paths[i]) && !built_is_test(built, built->paths[i]) &&
				!built_has_main(built, built->paths[i])))
			return true;
	return false;
}

const char *const *built_tests_find(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	struct built built = {.arena = arena, .dir = dir, .paths = paths, .n_paths = n};
	for (size_t i = 0; i < n; i++)
		built_read_file(&built, paths[i]);
	if (!built.n_tests || !built_has_product(&built))
		return NULL;
	ARENA_PUSH(arena, built.tests, built.n_tests, NULL);
	return built.tests;
}
