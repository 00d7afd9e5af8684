#include "verify/suite/runners/runner_call.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/lines.h"

/* Programs whose arguments are tests to run. */
static const char *const runners[] = {
	"mocha", "ts-mocha", "jest", "vitest", "ava", "tap", "tape", "uvu", "jasmine"};

/* "mocha" of "node_modules/mocha/bin/_mocha.js". */
const char *runner_of(const char *word)
{
	static const char *const suffixes[] = {"", ".js", ".cjs", ".mjs", NULL};
	const char *name = file_name(word) + (*file_name(word) == '_');
	size_t n = strcspn(name, ".");
	for (size_t i = 0; i < ARRAY_SIZE(runners) && line_matches_any(name + n, suffixes); i++)
		if (strlen(runners[i]) == n && memcmp(runners[i], name, n) == 0)
			return runners[i];
	return NULL;
}

/* The runner whose name is that of its package: "node_modules/uvu/bin.js". */
static const char *runner_of_package(const char *path)
{
	const char *package = strstr(path, "node_modules/");
	package = package ? package + strlen("node_modules/") : "";
	const char *name = runner_of(path);
	size_t n = strcspn(package, "/");
	for (size_t i = 0; !name && i < ARRAY_SIZE(runners); i++)
		if (strlen(runners[i]) == n && memcmp(runners[i], package, n) == 0)
			return runners[i];
	return *package ? name : NULL;
}

bool runner_is_one_of(const char *word, const char *const *names)
{
	return line_matches_any(file_name(word), names);
}

/* A package manager that starts a runner, up to that; 0: it does not. */
static size_t runner_length_of_manager(const char *const *words, size_t n)
{
	static const char *const managers[] = {"npm", "yarn", "pnpm", "bun", NULL};
	static const char *const verbs[] = {"exec", "run", "x", NULL};
	size_t at = runner_is_one_of(words[0], managers);
	while (at && at < n && (words[at][0] == '-' || line_matches_any(words[at], verbs)))
		at++;
	return at < n && runner_of(words[at]) ? at : 0;
}

/* Programs that only report which lines are run; their options may have values. */
static bool runner_is_coverage(const char *const *words, size_t n)
{
	static const char *const programs[] = {"nyc", "c8", "istanbul", NULL};
	static const char *const reports[] = {
		"report", "check-coverage", "instrument", "merge", "help", NULL};
	return runner_is_one_of(words[0], programs) && n > 1 && !line_matches_any(words[1], reports);
}

static bool runner_starts_program(const char *word)
{
	static const char *const programs[] = {
		"node", "npm", "npx", "yarn", "pnpm", "tsx", "ts-node", "cross-env", "env", NULL};
	return runner_of(word) || runner_is_one_of(word, programs);
}

/* Options by which npx and its like start something in other packages. */
static const char *const elsewhere[] = {"-p", "-c", "--package*", "--call*", "-w*", "-r", NULL};

/* The words of a wrapper that leave the tests as they are; 0: none. */
static size_t runner_wrapper_length(const char *const *words, size_t n)
{
	static const char *const starters[] = {"npx", "bunx", "exec", NULL};
	static const char *const managers[] = {"npm", "yarn", "pnpm", NULL};
	size_t length = 0;
	if (runner_is_coverage(words, n)) {
		for (length = 1; length < n && !runner_starts_program(words[length]);)
			length++;
		return length < n ? length : 0;
	}
	if (runner_is_one_of(words[0], starters))
		length = 1;
	else if (n > 1 && runner_is_one_of(words[0], managers) && strcmp(words[1], "exec") == 0)
		length = 2;
	for (; length && length < n && words[length][0] == '-'; length++)
		if (line_matches_any(words[length], elsewhere))
			return 0;
	return length;
}

void runner_unwrap(
	const struct simple_command *command, struct arena *arena, struct runner_call *call)
{
	size_t n = command->n + command->before, at = 0, length;
	const char *const *words = (const char *const *)command->words - command->before;
	const char *const *raws = (const char *const *)command->raws - command->before;
	AUTO_STRBUF before = STRBUF_INIT(STRBUF_TEXT);
	*call = (struct runner_call){.is_plain = true};
	while (at < n) {
		bool sets = at + 1 < n && command_is_assignment(words[at + 1]);
		if (command_is(words[at], "cross-env") || (sets && command_is(words[at], "env"))) {
			at++;
		} else if (command_is_assignment(words[at])) {
			strbuf_addf(&before, "%s ", raws[at++]);
		} else if ((length = runner_wrapper_length(words + at, n - at))) {
			at += length;
		} else if ((length = command_launcher_length(words + at, n - at))) {
			for (; length; length--)
				strbuf_addf(&before, "%s ", raws[at++]);
			call->is_plain = false;
		} else {
			break;
		}
	}
	call->before = arena_strdup(arena, before.text);
	call->words = words + at;
	call->raws = raws + at;
	call->n = n - at;
}

/* Whether an option of node's is followed by its value. */
static bool runner_has_value(const char *word)
{
	static const char *const options[] = {"-r", "--require", "--import", "--loader",
		"--experimental-loader", "-C", "--conditions", NULL};
	return line_matches_any(word, options);
}

/* Node's own runner, or one that node is given as a file. */
static void runner_look_at_node(struct runner_call *call)
{
	size_t at = 1;
	for (; at < call->n && call->words[at][0] == '-';
		 at += runner_has_value(call->words[at]) ? 2 : 1)
		if (strcmp(call->words[at], "--test") == 0)
			call->name = "node";
	call->options = call->name ? 1 : at + 1;
	if (call->name || at >= call->n)
		return;
	call->name = runner_of_package(call->words[at]);
	call->is_plain = call->is_plain && at == 1;
}

bool runner_call_of(
	const struct simple_command *command, struct arena *arena, struct runner_call *ret_call)
{
	struct runner_call call;
	runner_unwrap(command, arena, &call);
	size_t at = call.n ? runner_length_of_manager(call.words, call.n) : 0;
	call.words += at;
	call.raws += at;
	call.n -= at;
	if (!call.n)
		return false;
	if (command_is(call.words[0], "node")) {
		runner_look_at_node(&call);
	} else if (call.n > 1 && command_is(call.words[0], "tsx")) {
		call.name = strcmp(call.words[1], "--test") == 0 ? "tsx" : NULL;
		call.options = 1;
	} else if (call.n > 1 && command_is(call.words[0], "bun")) {
		call.name = strcmp(call.words[1], "test") == 0 ? "bun" : NULL;
		call.options = 2;
	} else {
		call.name = runner_of(call.words[0]);
		call.options = 1;
	}
	if (call.name)
		*ret_call = call;
	return call.name;
}

bool runner_wrapper_loads(const struct simple_command *command, bool nyc_loads)
{
	static const char *const options[] = {"-i", "--require*", NULL};
	size_t n = command->n, at = 0;
	while (at < n && !runner_is_coverage(command->words + at, n - at))
		at++;
	for (; at < n && !runner_starts_program(command->words[at]); at++)
		if (line_matches_any(command->words[at], options) ||
			(nyc_loads && command_is(command->words[at], "nyc")))
			return true;
	return false;
}
