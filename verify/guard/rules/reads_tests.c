/*
 * A program that names one of its test files can read there what is expected of it. It does so by a
 * string (in a shell by a word) that ends in a test's name, by an import, or by embedding the file.
 */
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "verify/guard/code.h"

enum { NAME_MOST = 200, FINDINGS_MOST = 8 };

#define BEHIND_IMPORT " import from require import_module __import__ include_str include_bytes "

struct names {
	struct map others;  /* what files are called that are no tests */
	struct map tests;   /* "folder/name", "folder/" and a star, and names that only tests have */
	struct map modules; /* such names without their suffix, by which a language imports them */
	struct map had;     /* what the base names already */
	struct arena *arena;
};

static char present[] = "present";

/* A name that says what it is: others could stand for anything. */
static bool reads_tests_is_telling(const char *name)
{
	return strcasestr(name, "test") || strcasestr(name, "spec");
}

static void reads_tests_put_test(struct names *names, const char *path)
{
	const char *name = file_name(path), *folder = name;
	if (name - path > 1)
		for (folder = name - 1; folder > path && folder[-1] != '/';)
			folder--;
	int n = (int)(name - folder);
	if (n) {
		map_put(&names->tests, names->arena, folder, present);
		map_put(
			&names->tests, names->arena, arena_printf(names->arena, "%.*s*", n, folder), present);
	}
	if (!reads_tests_is_telling(name) || map_get(&names->others, name))
		return;
	size_t stem = strlen(name) - strlen(file_suffix(name));
	map_put(&names->tests, names->arena, name, present);
	if (stem > 1 && stem < strlen(name))
		map_put(
			&names->modules, names->arena, arena_strndup(names->arena, name, stem - 1), present);
}

static void reads_tests_read_names(struct names *names, const struct inspection *inspection)
{
	struct map paths = {0};
	for (size_t i = 0; i < inspection->n_test_paths; i++)
		map_put(&paths, names->arena, inspection->test_paths[i], present);
	for (size_t i = 0; i < inspection->n_base_paths; i++)
		if (!map_get(&paths, inspection->base_paths[i]))
			map_put(&names->others, names->arena, file_name(inspection->base_paths[i]), present);
	for (size_t i = 0; i < inspection->n_test_paths; i++)
		reads_tests_put_test(names, inspection->test_paths[i]);
}

/* The test that a path ends in, or NULL. Of a glob, its folder decides. */
static const char *reads_tests_test_of_path(const struct names *names, const char *text, size_t n)
{
	char path[NAME_MOST + 1];
	if (n < 3 || n > NAME_MOST || memchr(text, ' ', n) || memchr(text, '\n', n))
		return NULL;
	memcpy(path, text, n);
	path[n] = '\0';
	char *name = strrchr(path, '/'), *folder = path;
	if (!name)
		return map_get(&names->tests, path) ? arena_strdup(names->arena, path) : NULL;
	for (char *at = path; at < name; at++)
		if (*at == '/')
			folder = at + 1;
	if (map_get(&names->tests, name + 1) || map_get(&names->tests, folder))
		return arena_strdup(names->arena, folder);
	if (strchr(name, '*'))
		memcpy(name + 1, "*", 2);
	return map_get(&names->tests, folder) ? arena_strdup(names->arena, folder) : NULL;
}

/* join("tests", "run.sh"), Path("tests") / "run.sh" */
static const char *reads_tests_test_of_parts(
	const struct names *names, const struct code *code, uint32_t i)
{
	const char *text, *folder;
	size_t n, n_folder;
	if (i < 2 || !code_in(code, i - 1, " , / ) ") || !code_string(code, i, &text, &n))
		return NULL;
	uint32_t before = i - 2 - (i > 2 && code_is(code, i - 1, "/") && code_is(code, i - 2, ")"));
	if (!code_string(code, before, &folder, &n_folder) || n + n_folder >= NAME_MOST)
		return NULL;
	const char *path = arena_printf(names->arena, "%.*s/%.*s", (int)n_folder, folder, (int)n, text);
	return reads_tests_test_of_path(names, path, strlen(path));
}

/* import tests.test_shapes, require("./test/shapes.test") */
static const char *reads_tests_test_of_import(
	const struct names *names, const struct code *code, uint32_t i)
{
	const struct token *token = &code->tokens.tokens[i];
	const char *text = code->text + token->start;
	size_t n = token->length;
	bool indented = code->language->traits & LANGUAGE_INDENTED;
	bool quoted = code_string(code, i, &text, &n);
	if (n > NAME_MOST || (!quoted && (token->kind != TOKEN_NAME || !indented)))
		return NULL;
	const char *end = text + n, *name = end;
	while (name > text && name[-1] != '/' && !(indented && name[-1] == '.'))
		name--;
	char module[NAME_MOST + 1] = "";
	memcpy(module, name, (size_t)(end - name));
	bool imports = map_get(&names->modules, module) && code_around_in(code, i, BEHIND_IMPORT);
	return imports ? arena_strdup(names->arena, module) : NULL;
}

static const char *reads_tests_test_at(
	const struct names *names, const struct code *code, uint32_t i)
{
	const char *text, *test = NULL;
	size_t n;
	if (code_path(code, i, &text, &n))
		test = reads_tests_test_of_path(names, text, n);
	if (!test)
		test = reads_tests_test_of_parts(names, code, i);
	return test ? test : reads_tests_test_of_import(names, code, i);
}

/* In Go a comment embeds a file. */
static void reads_tests_inspect_embedded(struct inspection *inspection,
	const struct guard_rule *rule, const struct names *names, const struct code *code)
{
	static const char directive[] = "//go:embed ";
	if (!code->language)
		return;
	const char *end = code->text + code->n_text, *at = code->text;
	while ((at = memmem(at, (size_t)(end - at), directive, strlen(directive)))) {
		const char *text = at += strlen(directive);
		while (at < end && *at != '\n')
			at++;
		if (reads_tests_test_of_path(names, text, (size_t)(at - text)))
			guard_find(inspection, rule, code->file, 0,
				arena_printf(names->arena, "%s%.*s", directive, (int)(at - text), text));
	}
}

static void reads_tests_read_had(struct names *names, const struct inspection *inspection)
{
	for (size_t i = 0; i < inspection->n; i++)
		for (uint32_t t = 0; t < inspection->before[i].tokens.n; t++) {
			const char *test = reads_tests_test_at(names, &inspection->before[i], t);
			if (test)
				map_put(&names->had, names->arena, test, present);
		}
}

static void reads_tests_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	struct names names = {.arena = inspection->arena};
	size_t found = 0;
	if (!inspection->n_test_paths)
		return;
	reads_tests_read_names(&names, inspection);
	reads_tests_read_had(&names, inspection);
	for (size_t i = 0; i < inspection->n; i++) {
		const struct code *code = &inspection->after[i];
		if (code->for_tests)
			continue;
		reads_tests_inspect_embedded(inspection, rule, &names, code);
		for (uint32_t t = 0; t < code->tokens.n && found < FINDINGS_MOST; t++) {
			const char *test = reads_tests_test_at(&names, code, t);
			if (!test || map_get(&names.had, test))
				continue;
			guard_find_code(inspection, rule, code, t);
			map_put(&names.had, names.arena, test, present);
			found++;
		}
	}
}

const struct guard_rule reads_tests_rule = {
	.name = "reads-tests",
	.summary = "a program that names one of its test files can read there what is expected of it",
	.inspect = reads_tests_inspect,
};
