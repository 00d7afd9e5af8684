#include "verify/suite/runners/script.h"

#include <fnmatch.h>
#include <string.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/lines.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/script_call.h"

/* --- Scripts --- */

enum script_kind {
	SCRIPT_TESTS, /* a runner of tests */
	SCRIPT_CHECK, /* changes nothing that a test sees: a linter, a report of coverage */
	SCRIPT_OTHER, /* a build, or anything else */
};

/* A simple command in its place among those of the scripts. */
struct script_piece {
	enum script_kind kind;
	const char *text; /* for sh */
};

enum { SCRIPT_DEEPEST = 8, SCRIPT_MOST = 64 };

struct scripts {
	const struct json *scripts;
	struct arena *arena;
	struct script_piece *pieces;
	size_t n;
	bool is_unclear; /* tests are run in a way that is not understood */
	bool has_hooks;  /* "pretest" is run before "test" */
	bool nyc_loads;  /* nyc's configuration has modules loaded */
};

static void scripts_add(struct scripts *scripts, enum script_kind kind, const char *text)
{
	struct script_piece piece = {kind, text};
	scripts->is_unclear = scripts->is_unclear || scripts->n == SCRIPT_MOST;
	if (!scripts->is_unclear)
		ARENA_PUSH(scripts->arena, scripts->pieces, scripts->n, piece);
}

static bool script_is_check(const struct runner_call *call)
{
	static const char *const programs[] = {"eslint", "standard", "semistandard", "ts-standard",
		"xo", "neostandard", "tslint", "jshint", "jscs", "prettier", "biome", "oxlint", "dprint",
		"stylelint", "markdownlint*", "remark", "alex", "cspell", "textlint", "commitlint", "knip",
		"depcheck", "madge", "publint", "attw", "size-limit", "bundlesize", "bundlewatch", "tsd",
		"dtslint", "eclint", "ec", "evalmd", "ls-lint", "lint-staged", "coveralls", "codecov",
		"type-coverage", "installed-check", "lockfile-lint", "dependency-check", "snyk", "date",
		"echo", "true", NULL};
	const char *second = call->n > 1 ? call->words[1] : "";
	bool compiles = command_is(call->words[0], "tsc") || command_is(call->words[0], "vue-tsc");
	for (size_t i = 1; compiles && i < call->n; i++)
		if (strcmp(call->words[i], "--noEmit") == 0)
			return true;
	return runner_is_one_of(call->words[0], programs) ||
		((command_is(call->words[0], "nyc") || command_is(call->words[0], "c8")) &&
			(strcmp(second, "report") == 0 || strcmp(second, "check-coverage") == 0));
}

/* A script whose name says that it only checks. */
static bool script_is_check_name(const char *name)
{
	static const char *const names[] = {"lint", "lint[:-]*", "*:lint", "eslint", "prettier*",
		"format*", "typecheck*", "type-check*", "check-types", "check:type*", "types:check",
		"check:lint", "check:format", "size", "audit"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (fnmatch(names[i], name, 0) == 0)
			return true;
	return false;
}

/* A program of the package's own that tests: `node test/all.js`, `react-scripts test`. */
static bool script_is_own_test(const struct runner_call *call)
{
	static const char *const interpreters[] = {
		"node", "tsx", "ts-node", "babel-node", "esno", "bun", "deno", NULL};
	static const char *const bundles[] = {"react-scripts", "tsdx", "kcd-scripts", "craco",
		"rescripts", "react-app-rewired", "vue-cli-service", "playwright", "aegir", "dts", NULL};
	static const char *const places[] = {"test", "tests", "spec", "*/test", "*/tests", "test.*",
		"tests.*", "test/*", "tests/*", "spec/*", "*/test/*", "*/tests/*", "*.test.*", "*.spec.*",
		"*/test.*", "test:*", "test-*", "*-test.*", NULL};
	bool can =
		runner_is_one_of(call->words[0], interpreters) || runner_is_one_of(call->words[0], bundles);
	for (size_t i = 1; can && i < call->n; i++)
		if (line_matches_any(call->words[i], places))
			return true;
	return false;
}

static void scripts_expand(
	struct scripts *scripts, const char *line, const char *before, const char *rest, int depth);

/* A script with those that its package manager runs around it. */
static void scripts_run(
	struct scripts *scripts, const char *name, const char *before, const char *rest, int depth)
{
	if (script_is_check_name(name)) {
		scripts_add(scripts, SCRIPT_CHECK, "");
		return;
	}
	for (int i = 0; i < 3; i++) {
		const char *prefix = i == 0 ? "pre" : i == 2 ? "post" : "";
		const char *text =
			json_string(scripts->scripts, arena_printf(scripts->arena, "%s%s", prefix, name), NULL);
		if (text && (i == 1 || scripts->has_hooks))
			scripts_expand(scripts, text, before, i == 1 ? rest : "", depth + 1);
	}
}

static bool scripts_has(const struct scripts *scripts, const char *name)
{
	return json_string(scripts->scripts, name, NULL);
}

/* A name in whose place fnmatch() knows that '*' stands for no colon. */
static const char *script_with_slashes(char *name)
{
	for (char *at = name; *at; at++)
		*at = *at == ':' ? '/' : *at;
	return name;
}

/* The scripts that a word of npm-run-all names, such as "test:*". */
static void scripts_run_named(
	struct scripts *scripts, const char *word, const char *before, int depth)
{
	size_t n = strcspn(word, " ");
	const char *pattern = script_with_slashes(arena_strndup(scripts->arena, word, n));
	const char *rest = word + n + (text_starts_with(word + n, " -- ") ? strlen(" --") : 0);
	bool deep = strstr(pattern, "**");
	for (const struct json *script = json_first(scripts->scripts); script;
		 script = json_next(script)) {
		const char *name = script_with_slashes(arena_strdup(scripts->arena, json_key(script)));
		if (fnmatch(pattern, name, deep ? 0 : FNM_PATHNAME) == 0)
			scripts_run(scripts, json_key(script), before, rest, depth);
	}
}

static bool scripts_run_all(
	struct scripts *scripts, const struct runner_call *call, const char *before, int depth)
{
	static const char *const programs[] = {"npm-run-all", "npm-run-all2", "run-s", "run-p", NULL};
	if (!runner_is_one_of(call->words[0], programs))
		return false;
	for (size_t i = 1; i < call->n; i++)
		if (call->words[i][0] != '-')
			scripts_run_named(scripts, call->words[i], before, depth);
	return true;
}

/* For sh: what stands before the call, its own words, and what it is given on top. */
static const char *scripts_text(const struct scripts *scripts, const struct runner_call *call,
	const char *before, const char *rest)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&text, "%s%s", before, call->before);
	for (size_t i = 0; i < call->n; i++)
		strbuf_addf(&text, "%s%s", i ? " " : "", call->raws[i]);
	strbuf_adds(&text, rest);
	return arena_strdup(scripts->arena, text.text);
}

/* false: the command asks for no script. */
static bool scripts_add_script(struct scripts *scripts, const struct runner_call *call,
	const char *before, const char *rest, int depth)
{
	struct script_call script;
	if (!script_call_of(call, scripts->arena, &script))
		return false;
	if (scripts_has(scripts, script.name) || !script.is_program) {
		scripts_run(scripts, script.name, before,
			arena_printf(scripts->arena, "%s%s", script.rest, rest), depth);
		return true;
	}
	struct runner_call program = {.before = "",
		.words = call->words + script.at,
		.raws = call->raws + script.at,
		.n = call->n - script.at};
	scripts_expand(scripts, scripts_text(scripts, &program, "", ""), before, rest, depth + 1);
	return true;
}

static void scripts_add_command(struct scripts *scripts, const struct simple_command *command,
	const char *before, const char *rest, int depth)
{
	struct runner_call call, ignored;
	runner_unwrap(command, scripts->arena, &call);
	scripts->is_unclear |= runner_wrapper_loads(command, scripts->nyc_loads);
	if (!call.n)
		return;
	const char *all = arena_printf(scripts->arena, "%s%s", before, call.before);
	if (scripts_add_script(scripts, &call, all, rest, depth) ||
		scripts_run_all(scripts, &call, all, depth))
		return;
	const char *text = scripts_text(scripts, &call, before, rest);
	bool tests = runner_call_of(command, scripts->arena, &ignored) || script_is_own_test(&call);
	scripts->is_unclear |= command_is(call.words[0], "cd"); /* to another package.json */
	scripts_add(scripts,
		tests                        ? SCRIPT_TESTS
			: script_is_check(&call) ? SCRIPT_CHECK
									 : SCRIPT_OTHER,
		text);
}

/* What is not understood stays as it is, unless tests seem to be run there. */
static void scripts_add_unknown(
	struct scripts *scripts, const char *text, const char *before, const char *rest)
{
	size_t n;
	struct runner_call call;
	const struct simple_command *commands = command_line_split(text, scripts->arena, &n);
	for (size_t i = 0; i < n; i++)
		if (runner_call_of(&commands[i], scripts->arena, &call) ||
			script_is_called(commands[i].words, commands[i].n))
			scripts->is_unclear = true;
	scripts->is_unclear |= *before || *rest;
	scripts_add(scripts, SCRIPT_OTHER, text);
}

/* The simple commands of a line; the last is given `rest`. */
static void scripts_expand(
	struct scripts *scripts, const char *line, const char *before, const char *rest, int depth)
{
	struct simple_command command;
	scripts->is_unclear = scripts->is_unclear || depth > SCRIPT_DEEPEST;
	for (const char *text;
		 !scripts->is_unclear && (text = script_next(&line, scripts->arena, &command));) {
		const char *last = line[strspn(line, "&;\n ")] ? "" : rest;
		if (command.n)
			scripts_add_command(scripts, &command, before, last, depth);
		else
			scripts_add_unknown(scripts, text, before, last);
	}
}

/* --- The line --- */

/* NULL: nothing is known to be a test. */
static const char *scripts_tests(const struct scripts *scripts)
{
	size_t end = scripts->n;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	while (end && scripts->pieces[end - 1].kind != SCRIPT_TESTS)
		end--;
	for (size_t i = 0; i < end; i++)
		if (scripts->pieces[i].kind != SCRIPT_CHECK)
			strbuf_addf(&line, "%s%s", line.length ? " && " : "", scripts->pieces[i].text);
	return line.length ? arena_strdup(scripts->arena, line.text) : NULL;
}

static struct json *script_read_json(const char *dir, const char *name, struct arena *arena)
{
	struct rondo_error ignored;
	const char *text = listing_read(dir, name, arena);
	return text ? json_parse(text, strlen(text), &ignored) : NULL;
}

/* Whether nyc's configuration, in package.json or in a file of its own, has modules loaded. */
static bool script_nyc_loads(const char *dir, const struct json *package, struct arena *arena)
{
	static const char *const files[] = {
		".nycrc", ".nycrc.json", ".nycrc.yml", ".nycrc.yaml", "nyc.config.js", "nyc.config.cjs"};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *text = listing_read(dir, files[i], arena);
		if (text && (strstr(text, "require") || strstr(text, "extends")))
			return true;
	}
	const struct json *nyc = json_get(package, "nyc");
	return json_get(nyc, "require") || json_get(nyc, "extends");
}

/* Newer versions of yarn run no hooks; with Plug'n'Play they alone find programs. */
static bool script_is_new_yarn(const char *dir, const struct json *package, struct arena *arena)
{
	const char *manager = json_string(package, "packageManager", "");
	return (text_starts_with(manager, "yarn@") && !text_starts_with(manager, "yarn@1.")) ||
		file_exists(arena_printf(arena, "%s/.yarnrc.yml", dir));
}

bool script_has_pnp(const char *dir, struct arena *arena)
{
	const char *yarn = listing_read(dir, ".yarnrc.yml", arena);
	return file_exists(arena_printf(arena, "%s/.pnp.cjs", dir)) ||
		(yarn && !text_has_line(yarn, "nodeLinker:"));
}

/* The pieces of a line; unclear where it cannot be told. */
static struct scripts scripts_of(const char *line, const char *dir, struct arena *arena)
{
	AUTO_JSON *package = script_read_json(dir, "package.json", arena);
	struct scripts scripts = {.scripts = json_get(package, "scripts"),
		.arena = arena,
		.is_unclear = script_has_pnp(dir, arena),
		.has_hooks = !script_is_new_yarn(dir, package, arena),
		.nyc_loads = script_nyc_loads(dir, package, arena)};
	scripts_expand(&scripts, line, "", "", 0);
	scripts.scripts = NULL;
	return scripts;
}

const char *script_tests_of(const char *line, const char *dir, struct arena *arena)
{
	struct scripts scripts = scripts_of(line, dir, arena);
	const char *tests = scripts.is_unclear ? NULL : scripts_tests(&scripts);
	return tests && strcmp(tests, line) != 0 ? tests : NULL;
}

bool script_prepares(const char *line, const char *dir, struct arena *arena)
{
	static const char *const removing[] = {
		"rimraf *", "rm *", "del *", "del-cli *", "shx rm *", "mkdir *", "mkdirp *", NULL};
	struct scripts scripts = scripts_of(line, dir, arena);
	const struct script_piece *piece = scripts.pieces;
	size_t n = scripts.n;
	while (n && (piece->kind == SCRIPT_CHECK || line_matches_any(piece->text, removing)))
		n--, piece++;
	return scripts.is_unclear || !n || piece->kind == SCRIPT_OTHER;
}
