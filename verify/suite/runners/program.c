/* The suite of one program that is its own test: its command, and its assertions as the tests. */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "verify/suite/format.h"
#include "verify/suite/location.h"
#include "verify/suite/runners/command_line.h"

/* Text on one line, blanks as one, at most 160 bytes; numbered if the map has it already. */
static const char *program_assertion_id(struct map *seen, const char *text, struct arena *arena)
{
	char line[161];
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	for (const char *at = text; *at; at++) {
		bool blank = isspace((unsigned char)*at);
		if (!blank)
			strbuf_addc(&sb, *at);
		else if (sb.length && sb.text[sb.length - 1] != ' ')
			strbuf_addc(&sb, ' ');
	}
	text_copy(line, sizeof line, sb.text);
	size_t *n = map_get(seen, line);
	if (!n) {
		n = arena_alloc(arena, sizeof *n);
		map_put(seen, arena, arena_strdup(arena, line), n);
	}
	return ++*n > 1 ? arena_printf(arena, "%s (%zu)", line, *n) : arena_strdup(arena, line);
}

static void program_take_parts(struct suite *suite, const char *text, struct arena *arena)
{
	struct program_part *parts;
	size_t n = program_parts(suite->program, text, arena, &parts), at = 0, found = 0;
	struct assertion *assertions = arena_alloc(arena, n * sizeof *assertions);
	struct map seen = {0};
	int line = 1;
	for (size_t i = 0; i < n; i++) {
		if (text_starts_with(text + parts[i].start, "unittest.main(")) {
			suite->runs_unittest = command_line_is_plain(suite->command);
			found = 0;
			break;
		}
		if (parts[i].kind == PART_TEST)
			continue;
		struct assertion *assertion = &assertions[found++];
		for (; at < parts[i].start; at++)
			line += text[at] == '\n';
		assertion->first_line = line;
		for (; at < parts[i].end; at++)
			line += text[at] == '\n';
		assertion->last_line = line;
		assertion->text =
			arena_strndup(arena, text + parts[i].start, parts[i].end - parts[i].start);
		assertion->id = program_assertion_id(&seen, assertion->text, arena);
	}
	suite->assertions = assertions;
	suite->n_assertions = found;
}

/* The line that runs TypeScript. esbuild's output is a file, since node maps no places of a script
 * that it reads from standard input, and so that a failing esbuild fails the line. */
static const char *program_typescript_command(
	const char *runner, const char *file, struct arena *arena)
{
	if (strcmp(runner, "esbuild") != 0)
		return arena_printf(arena, "%s %s", runner, file);
	return arena_printf(arena,
		"out=$(mktemp -d) && trap 'rm -rf \"$out\"' EXIT && "
		"esbuild %s --bundle --platform=node --format=cjs --sourcemap=inline "
		"--log-level=warning --outfile=\"$out/program.js\" && "
		"node --enable-source-maps \"$out/program.js\"",
		file);
}

int suite_from_program(const char *dir, const char *path, const char *runner, struct arena *arena,
	struct suite *ret_suite, struct rondo_error *err)
{
	const char *suffix = file_suffix(path);
	bool python = strcmp(suffix, "py") == 0;
	bool script = text_ends_with(suffix, "js") && strlen(suffix) < 4;
	bool typescript = text_ends_with(suffix, "ts") && strlen(suffix) < 4;
	if (!python && !script && !typescript) {
		error_set(
			err, RONDO_ERROR_USAGE, "'%s' is no program in Python, JavaScript or TypeScript", path);
		return error_help(err, "name a command that fails: --test 'CMD'");
	}
	if (typescript && !runner) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"nothing here runs TypeScript, so '%s' cannot be run", path);
		return error_help(err, "install esbuild, node 22.18 or later, tsx or ts-node");
	}
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (file_read(arena_printf(arena, "%s/%s", dir, path), STRBUF_TEXT, &text, err) < 0)
		return -1;
	if (utf8_valid_length(text.text, text.length) < text.length)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is not UTF-8", path);
	const char *module;
	if (program_only_defines_tests(path, text.text, &module, arena)) {
		error_set(
			err, RONDO_ERROR_USAGE, "'%s' has tests that do not run when it is started", path);
		const char *line =
			arena_printf(arena, "python3 -m %s %s", module, command_quote(file_name(path), arena));
		return error_help(err, "in its directory: rondo fix --test %s", command_quote(line, arena));
	}
	const char *plain = *path == '-' ? arena_printf(arena, "./%s", path) : path;
	const char *file = command_quote(plain, arena);
	struct suite suite = {
		.type = &program_suite,
		.command = typescript ? program_typescript_command(runner, file, arena)
							  : arena_printf(arena, "%s %s", python ? "python3" : "node", file),
		.origin = arena_printf(arena, "from %s, which is its own test", path),
		.program = arena_strdup(arena, path),
		.is_alone = true,
	};
	const char **own = arena_alloc(arena, 2 * sizeof *own);
	own[0] = suite.program;
	suite.own_tests = own;
	program_take_parts(&suite, text.text, arena);
	*ret_suite = suite;
	return 0;
}

void suite_take_program(struct suite *suite, const char *dir, struct arena *arena)
{
	size_t n, at = 0;
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const char *path = suite->own_tests[0], *module;
	const struct simple_command *command = command_line_split(suite->command, arena, &n);
	if (suite->type != &command_suite || suite->own_tests[1] || n != 1 || suite->dir ||
		file_read(arena_printf(arena, "%s/%s", dir, path), STRBUF_TEXT, &text, &ignored) < 0 ||
		utf8_valid_length(text.text, text.length) < text.length)
		return;
	module = command_python_module(command->words, command->n, &at);
	if (!(module && strcmp(module, "doctest") == 0) &&
		program_only_defines_tests(path, text.text, &module, arena))
		return;
	suite->type = &program_suite;
	suite->program = path;
	program_take_parts(suite, text.text, arena);
}

static const char *program_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	return suite->runs_unittest ? arena_printf(arena, "%s -v", suite->command) : suite->command;
}

/* Whether a word is the program's path. */
static bool program_is_program(const struct suite *suite, const char *word)
{
	return strcmp(text_starts_with(word, "./") ? word + 2 : word, suite->program) == 0;
}

/* "python3 FILE", "python3 -m doctest FILE", "node FILE", and nothing more. TypeScript by node
 * itself, where it can, or by esbuild, which makes one file of all that is imported. */
static bool program_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	size_t n, at = 0;
	const struct simple_command *command = command_line_split(suite->command, arena, &n);
	bool plain = n == 1 && command_line_is_plain(suite->command) &&
		text_starts_with(suite->command, command->words[0]);
	const char *module = plain ? command_python_module(command->words, command->n, &at) : NULL;
	bool examples = module && strcmp(module, "doctest") == 0 && at == 2 && command->n == 4 &&
		program_is_program(suite, command->words[3]);
	bool alone = plain && command->n == 2 && program_is_program(suite, command->words[1]);
	bool python = alone && text_starts_with(command->words[0], "python");
	bool bundle = strstr(suite->command, "esbuild ") && text_ends_with(suite->program, "ts");
	if (!examples && !python && !bundle && !(alone && command_is(command->words[0], "node")))
		return false;
	bool script = !examples && !python;
	*ret_plan = (struct warm_plan){.runner = script ? "node" : "python",
		.kind = bundle ? "bundle"
			: examples ? "doctest"
					   : "program",
		.start = script ? "node" : command->words[0]};
	ARENA_PUSH(arena, ret_plan->arguments, ret_plan->n_arguments, suite->program);
	return true;
}

const struct suite_type program_suite = {
	.name = "program",
	.summary = "one program whose own assertions fail",
	.formats = (const struct format *const[]){&unittest_format, &node_format, &tap_format,
		&program_format, NULL},
	.structured = program_structured,
	.warm = program_warm,
	.tools = (const char *const[]){"python3", "node", "esbuild", "tsx", "ts-node", NULL},
};
