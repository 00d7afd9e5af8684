#include "verify/suite/runners/cmake.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/json/json.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"

#define BLANKS " \t\r\n"

/* The first argument of the next call of a command, whose name counts in any case; NULL: no more.
 * What is commented out is no call. */
static const char *cmake_find_call(const char *text, const char *command)
{
	size_t n = strlen(command);
	for (const char *at = text; (at = strcasestr(at, command)); at += n) {
		const char *line = at, *open = at + n + strspn(at + n, BLANKS);
		while (line > text && line[-1] != '\n')
			line--;
		bool is_word = line + strspn(line, " \t") == at;
		if (is_word && *open == '(')
			return open + 1 + strspn(open + 1, BLANKS);
	}
	return NULL;
}

static bool cmake_may_be_included(const char *path)
{
	return text_ends_with(path, ".cmake") &&
		(!strchr(path, '/') || strncasecmp(path, "cmake/", 6) == 0);
}

const char *cmake_read(const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	static const char path[] = "CMakeLists.txt";
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_TEXT);
	const char *text = text_in_sorted(paths, n, path) ? listing_read(dir, path, arena) : NULL;
	if (!text || !cmake_find_call(text, "project"))
		return NULL;
	strbuf_adds(&all, text);
	for (size_t i = 0; i < n; i++) {
		text = cmake_may_be_included(paths[i]) ? listing_read(dir, paths[i], arena) : NULL;
		if (text)
			strbuf_addf(&all, "\n%s", text);
	}
	return arena_strdup(arena, all.text);
}

bool cmake_has_tests(const char *text)
{
	for (const char *at = text; (at = cmake_find_call(at, "include"));)
		if (strncasecmp(at, "CTest", 5) == 0 && strchr(BLANKS ")", at[5]))
			return true;
	return cmake_find_call(text, "enable_testing") || cmake_find_call(text, "add_test");
}

const char *cmake_test_target(const char *text)
{
	static const char *const targets[] = {"check", "test"};
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++)
		for (const char *at = text; (at = cmake_find_call(at, "add_custom_target"));) {
			size_t n = strlen(targets[i]);
			if (strncmp(at, targets[i], n) == 0 && strchr(BLANKS ")", at[n]))
				return targets[i];
		}
	return NULL;
}

/* --- Options --- */

/* "FMT_TEST", "BUILD_TESTS", "MYLIB_ENABLE_TESTING", and not "TEST_WITH_VALGRIND" or
 * "WITHOUT_TESTS". */
static bool cmake_is_for_tests(const char *name)
{
	static const char *const endings[] = {"TEST", "TESTS", "TESTING"};
	static const char *const others[] = {"WITHOUT", "NO_", "DISABLE", "SKIP", "INSTALL", "BENCH",
		"PERF", "FUZZ", "STRESS", "COVERAGE", "NETWORK", "ONLINE", "CUDA", "MPI", "GUI"};
	bool ends = false;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		ends = ends || text_ends_with(name, endings[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ends = ends && !strstr(name, others[i]);
	return ends;
}

/* Whether option(NAME "what it is for" OFF) is off; one whose value is a variable is not. */
static bool cmake_is_off(const char *after_name)
{
	const char *at = after_name + strspn(after_name, BLANKS);
	if (*at == '"') {
		do
			at++;
		while (*at && (*at != '"' || at[-1] == '\\'));
		at += *at == '"';
	}
	at += strspn(at, BLANKS);
	return *at == ')' || strncasecmp(at, "OFF", 3) == 0 || strncasecmp(at, "FALSE", 5) == 0 ||
		strncasecmp(at, "NO)", 3) == 0;
}

const char *cmake_test_options(const char *text, struct arena *arena)
{
	AUTO_STRBUF options = STRBUF_INIT(STRBUF_LINE);
	static const char *const commands[] = {"option", "cmake_dependent_option"};
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		for (const char *at = text; (at = cmake_find_call(at, commands[i]));) {
			size_t n = 0;
			while (isalnum((unsigned char)at[n]) || at[n] == '_')
				n++;
			const char *name = arena_strndup(arena, at, n);
			if (n && cmake_is_for_tests(name) && cmake_is_off(at + n))
				strbuf_addf(&options, "-D%s=ON ", name);
		}
	return arena_strdup(arena, options.text);
}

/* --- Presets --- */

static const struct json *cmake_find_preset(const struct json *presets, const char *name)
{
	for (const struct json *one = json_first(presets); one; one = json_next(one))
		if (strcmp(json_string(one, "name", ""), name) == 0)
			return one;
	return NULL;
}

/* "${hostSystemName} equals Windows" is for others; a condition of another kind may hold. */
static bool cmake_condition_holds(const struct json *condition)
{
	const char *type = json_string(condition, "type", "");
	const char *right = json_string(condition, "rhs", "");
	bool is_about_system = strstr(json_string(condition, "lhs", ""), "hostSystemName");
	if (is_about_system && strcmp(type, "equals") == 0)
		return strcmp(right, "Linux") == 0;
	return !is_about_system || strcmp(type, "notEquals") != 0 || strcmp(right, "Linux") != 0;
}

static bool cmake_fits_itself(const struct json *preset)
{
	const char *generator = json_string(preset, "generator", "");
	const struct json *variables = json_get(preset, "cacheVariables");
	return !strstr(generator, "Visual Studio") && strcmp(generator, "Xcode") != 0 &&
		!json_get(preset, "toolchainFile") && !json_get(variables, "CMAKE_TOOLCHAIN_FILE") &&
		cmake_condition_holds(json_get(preset, "condition"));
}

/* Whether a preset and those that it inherits from can be used here. */
static bool cmake_preset_fits(const struct json *presets, const char *name, int depth)
{
	const struct json *preset = depth < 16 ? cmake_find_preset(presets, name) : NULL;
	if (!preset || !cmake_fits_itself(preset))
		return false;
	const struct json *from = json_get(preset, "inherits");
	const char *only = json_text(from, NULL);
	if (only)
		return cmake_preset_fits(presets, only, depth + 1);
	for (const struct json *one = json_first(from); one; one = json_next(one))
		if (!cmake_preset_fits(presets, json_text(one, ""), depth + 1))
			return false;
	return true;
}

const char *cmake_test_preset(const char *text, struct arena *arena)
{
	struct rondo_error ignored;
	AUTO_JSON *file = json_parse(text, strlen(text), &ignored);
	const struct json *presets = json_get(file, "configurePresets"),
					  *one = json_first(json_get(file, "testPresets"));
	for (; one; one = json_next(one)) {
		const char *name = json_string(one, "configurePreset", "");
		if (!json_bool(one, "hidden", false) && cmake_preset_fits(presets, name, 0))
			return arena_strdup(arena, name);
	}
	return NULL;
}
