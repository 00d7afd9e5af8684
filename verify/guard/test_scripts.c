/*
 * Scripts that only a build file calls tests: `sh scripts/check.sh` in the recipe of make's `test`,
 * `node scripts/check.js` in package.json, the command of add_test(), a word of Automake's TESTS.
 * What the name calls a test is one, however it is run. Another script is one if it is run without
 * arguments, nobody but it looks at what it prints, it can fail by a decision of its own, and there
 * is other code that it can test; else it may be the product, which must stay open to a fix.
 */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/lexer/source.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/guard/build_file.h"
#include "verify/guard/guard.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/runner_call.h"
#include "verify/suite/suite.h"

enum { NAMES_MOST = 256 };

static const char *const suffixes[] = {
	"sh", "bash", "py", "js", "mjs", "cjs", "ts", "mts", "rb", "pl", "php", "lua"};
static const char *const interpreters[] = {"sh", "bash", "dash", "zsh", "python*", "pypy*", "node",
	"deno", "bun", "tsx", "ts-node", "ruby", "perl", "php", "lua*", "${*}", NULL};
static const char *const makes[] = {"make", "gmake", "${MAKE}", NULL};
static const char *const managers[] = {
	"npm", "yarn", "pnpm", "bun", "run-s", "run-p", "npm-run-all", "npm-run-all2", NULL};

struct scripts {
	struct arena *arena;
	const char *dir;
	const char *const *paths;
	size_t n_paths;
	const char **names; /* of the targets or scripts of this build file that run tests */
	size_t n_names;
	const char *folder;     /* of this build file, "" or "ci/" */
	const struct json *all; /* the scripts of this package.json */
	const char **found;
	size_t n;
};

static void scripts_want(struct scripts *scripts, const char *name)
{
	if (scripts->n_names < NAMES_MOST && !text_in(scripts->names, scripts->n_names, name))
		ARENA_PUSH(scripts->arena, scripts->names, scripts->n_names, name);
}

/* --- Which scripts are tests --- */

static bool scripts_is_called_test(const char *path)
{
	static const char words[] = " test tests testing check checks smoke runtests selftest ";
	for (const char *at = file_name(path); *at;) {
		size_t n = 0;
		while (isalnum((unsigned char)at[n]))
			n++;
		if (n && words_hold(words, at, n))
			return true;
		at += n ? n : 1;
	}
	return false;
}

/* Whether it can fail because of what it finds, and is not by its name where a program begins. */
static bool scripts_decides(const char *path, const char *text)
{
	static const char *const signs[] = {"assert", "unittest", "doctest", "exit(1", "exit 1",
		"exit $", "SystemExit", "process.exit", "exitCode", "throw new", "diff ", "cmp ", "grep -q",
		"[ ", "not ok", "abort"};
	static const char programs[] = " main app index cli server program __main__ ";
	const char *name = file_name(path);
	if (words_hold(programs, name, strcspn(name, ".")))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (strstr(text, signs[i]))
			return true;
	return false;
}

static bool scripts_has_other_code(const struct scripts *scripts, const char *path)
{
	for (size_t i = 0; i < scripts->n_paths; i++) {
		const char *other = scripts->paths[i];
		if (strcmp(other, path) != 0 && language_of(other) && !scripts_is_called_test(other) &&
			!text_in(scripts->found, scripts->n, other))
			return true;
	}
	return false;
}

/* Whether `path`, which a command runs, tests something. `is_alone`: without arguments, and what it
 * prints is not looked at. */
static bool scripts_tests(const struct scripts *scripts, const char *path, bool is_alone)
{
	const char *text = listing_read(scripts->dir, path, scripts->arena);
	bool is_script = text &&
		(text_in(suffixes, ARRAY_SIZE(suffixes), file_suffix(path)) ||
			text_starts_with(text, "#!"));
	if (!is_script || !scripts_has_other_code(scripts, path))
		return false;
	return scripts_is_called_test(path) ||
		(is_alone && scripts_decides(path, text) &&
			!program_tests_itself(
				scripts->dir, scripts->paths, scripts->n_paths, path, scripts->arena));
}

/* --- Commands --- */

/* The tree's file that a word means, seen from the build file's folder, or below a folder that a
 * variable names; NULL: none. */
static const char *scripts_path_of(const struct scripts *scripts, const char *cd, const char *word)
{
	bool is_placed = text_starts_with(word, "${") && strstr(word, "}/");
	const char *below = is_placed ? strstr(word, "}/") + 2 : word;
	while (text_starts_with(below, "./"))
		below += 2;
	const char *const places[] = {
		arena_printf(scripts->arena, "%s%s%s", scripts->folder, cd, below),
		arena_printf(scripts->arena, "%s%s", is_placed ? "" : scripts->folder, below)};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (text_in_sorted(scripts->paths, scripts->n_paths, places[i]))
			return arena_strdup(scripts->arena, places[i]);
	return NULL;
}

/* "-m ci.check" as a path. */
static const char *scripts_module_path(const struct scripts *scripts, const char *module)
{
	char *path = arena_printf(scripts->arena, "%s.py", module);
	for (char *at = path; at < path + strlen(path) - strlen(".py"); at++)
		*at = *at == '.' ? '/' : *at;
	return path;
}

static void scripts_take_call(
	struct scripts *scripts, const struct runner_call *call, const char *cd, bool is_alone)
{
	size_t at = runner_is_one_of(call->words[0], interpreters);
	const char *path = NULL;
	for (; at < call->n && !path; at++) {
		const char *word = call->words[at], *before = at ? call->words[at - 1] : "";
		bool is_module = strcmp(before, "-m") == 0;
		path = scripts_path_of(scripts, cd, is_module ? scripts_module_path(scripts, word) : word);
		if (*word != '-' && *before != '-') /* else it may be an option's value */
			break;
	}
	if (path && !text_in(scripts->found, scripts->n, path) &&
		scripts_tests(scripts, path, is_alone && at + 1 >= call->n))
		ARENA_PUSH(scripts->arena, scripts->found, scripts->n, path);
}

/* Words of sh before a command, such as "if". */
static void scripts_drop_keywords(struct simple_command *command)
{
	static const char keywords[] = " if then else elif do while until ! { time ";
	while (command->n && words_hold(keywords, command->words[0], strlen(command->words[0]))) {
		command->words++;
		command->raws++;
		command->n--;
		command->before = 0;
	}
}

/* A line for sh that a build file has. What it asks make or a package manager for counts, too. */
static void scripts_take_line(struct scripts *scripts, const char *line)
{
	size_t n;
	const char *cd = "";
	struct runner_call call;
	bool is_alone = !command_line_pipes(line) && !line[strcspn(line, "<>`")];
	struct simple_command *commands = command_line_split(line, scripts->arena, &n);
	for (size_t i = 0; i < n; i++) {
		scripts_drop_keywords(&commands[i]);
		if (!commands[i].n)
			continue;
		const char *const *words = commands[i].words;
		bool asks = runner_is_one_of(words[0], scripts->all ? managers : makes);
		for (size_t k = 1; asks && k < commands[i].n; k++)
			scripts_want(scripts, words[k]);
		if (strcmp(words[0], "cd") == 0 && commands[i].n == 2)
			cd = arena_printf(scripts->arena, "%s/", words[1]);
		runner_unwrap(&commands[i], scripts->arena, &call);
		if (call.n)
			scripts_take_call(scripts, &call, cd, is_alone);
	}
}

/* --- Build files --- */

/* A recipe's line as sh reads it, but with ${NAME} for each variable of make's. */
static const char *scripts_recipe_line(struct scripts *scripts, const char *line, const char *end)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	char close = '\0';
	for (line += strspn(line, "\t @+-"); line < end; line++) {
		bool is_variable = *line == '$' && line[1] == '(';
		if (is_variable || (*line == '$' && line[1] == '{')) {
			strbuf_adds(&text, "${");
			close = is_variable ? ')' : '}';
			line++;
		} else if (*line == '\\' && line[1] == '\n') {
			line++;
		} else if (*line == '$' && line[1] == '$') {
			strbuf_addc(&text, *++line);
		} else {
			strbuf_addc(&text, close && *line == close ? '}' : *line);
			close = *line == close ? '\0' : close;
		}
	}
	return arena_strdup(scripts->arena, text.text);
}

/* The colon of a rule of make's; NULL: the line is none. */
static const char *scripts_colon(const char *line, const char *end)
{
	const char *colon = line + strcspn(line, ":\n#=");
	bool is_rule = *line != '\t' && colon < end && *colon == ':' && colon[1] != '=' &&
		!text_starts_with(colon, "::=");
	return is_rule ? colon : NULL;
}

/* Whether one of the words before the colon is the target; then what it needs is wanted as well. */
static bool scripts_is_rule_of(
	struct scripts *scripts, const char *line, const char *end, const char *target)
{
	const char *colon = scripts_colon(line, end);
	size_t n, n_needs;
	if (!colon)
		return false;
	const char *left = arena_strndup(scripts->arena, line, (size_t)(colon - line));
	const char *right = arena_strndup(scripts->arena, colon + 1 + (colon[1] == ':'),
		(size_t)(end - colon - 1 - (colon[1] == ':')));
	struct simple_command *targets = command_line_split(left, scripts->arena, &n);
	struct simple_command *needs = command_line_split(right, scripts->arena, &n_needs);
	bool found = false;
	for (size_t i = 0; i < n; i++)
		found |= text_in(targets[i].words, targets[i].n, target);
	for (size_t i = 0; found && i < n_needs; i++)
		for (size_t k = 0; k < needs[i].n; k++)
			scripts_want(scripts, needs[i].words[k]);
	return found;
}

static void scripts_read_makefile(struct scripts *scripts, const char *text)
{
	for (size_t i = 0; i < scripts->n_names; i++) {
		bool is_rule = false;
		for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
			end = build_file_line_end(line);
			if (*line == '\t' && is_rule)
				scripts_take_line(scripts, scripts_recipe_line(scripts, line, end));
			else if (*line != '\t' && *line != '#' && line != end)
				is_rule = scripts_is_rule_of(scripts, line, end, scripts->names[i]);
		}
	}
}

static void scripts_read_package(struct scripts *scripts, const char *text)
{
	struct rondo_error ignored;
	AUTO_JSON *package = json_parse(text, strlen(text), &ignored);
	scripts->all = json_get(package, "scripts");
	for (size_t i = 0; scripts->all && i < scripts->n_names; i++) {
		static const char *const hooks[] = {"pre", "", "post"};
		for (size_t k = 0; k < ARRAY_SIZE(hooks); k++) {
			const char *name = arena_printf(scripts->arena, "%s%s", hooks[k], scripts->names[i]);
			const char *line = json_string(scripts->all, name, NULL);
			if (line)
				scripts_take_line(scripts, arena_strdup(scripts->arena, line));
		}
	}
	scripts->all = NULL;
}

/* Commands of other build files are tests by what they are given to. */
static void scripts_read_commands(struct scripts *scripts, const char *path, const char *text)
{
	struct built_programs programs = {.arena = scripts->arena};
	build_file_read(path, text, &programs);
	for (size_t i = 0; i < programs.n_commands; i++)
		scripts_take_line(scripts, programs.commands[i]);
}

/* What the test command asks make or a package manager for. */
static void scripts_want_of_command(
	struct scripts *scripts, const char *command, const char *const *programs)
{
	static const char *const usual[] = {"test", "check", "tests", "check-local"};
	size_t n;
	scripts->n_names = 0;
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		scripts_want(scripts, usual[i]);
	struct simple_command *commands = command_line_split(command, scripts->arena, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 1; k < commands[i].n && runner_is_one_of(commands[i].words[0], programs);
			 k++)
			scripts_want(scripts, commands[i].words[k]);
}

static void scripts_read_file(struct scripts *scripts, const char *path, const char *command)
{
	static const char *const makefiles[] = {"Makefile", "makefile", "GNUmakefile", "Makefile.am"};
	const char *name = file_name(path);
	bool is_package = strcmp(name, "package.json") == 0;
	const char *text =
		is_package || build_file_is(path) ? listing_read(scripts->dir, path, scripts->arena) : NULL;
	if (!text)
		return;
	scripts->folder = arena_strndup(scripts->arena, path, (size_t)(name - path));
	scripts_want_of_command(scripts, command, is_package ? managers : makes);
	if (is_package)
		scripts_read_package(scripts, text);
	else if (text_in(makefiles, ARRAY_SIZE(makefiles), name))
		scripts_read_makefile(scripts, text);
	if (!is_package)
		scripts_read_commands(scripts, path, text);
}

const char *const *test_scripts_find(
	const char *dir, const char *command, const char *const *paths, size_t n, struct arena *arena)
{
	struct scripts scripts = {.arena = arena, .dir = dir, .paths = paths, .n_paths = n};
	for (size_t i = 0; i < n; i++)
		scripts_read_file(&scripts, paths[i], command);
	if (!scripts.n)
		return NULL;
	ARENA_PUSH(arena, scripts.found, scripts.n, NULL);
	return scripts.found;
}
