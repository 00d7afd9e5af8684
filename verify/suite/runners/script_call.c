#include "verify/suite/runners/script_call.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/lines.h"

/* Options of package managers by which they run a script elsewhere, or in more places. */
static const char *const elsewhere[] = {"-w*", "--workspace*", "-r", "--recursive", "--filter*",
	"-F*", "--prefix*", "-C", "--dir*", "--cwd*", "--node-options*", NULL};

/* The name's place among the words; 0: none, or one that is not the package's own. */
static size_t script_find_name(const char *const *words, size_t n, bool *ret_run)
{
	static const char *const verbs[] = {"run", "run-script", NULL};
	*ret_run = false;
	for (size_t i = 1; i < n; i++) {
		if (line_matches_any(words[i], elsewhere) || strcmp(words[i], "--") == 0)
			return 0;
		if (line_matches_any(words[i], verbs) && !*ret_run)
			*ret_run = true;
		else if (words[i][0] != '-')
			return i;
	}
	return 0;
}

bool script_call_of(
	const struct runner_call *command, struct arena *arena, struct script_call *ret_call)
{
	static const char *const managers[] = {"npm", "yarn", "pnpm", "bun", NULL};
	/* Of those that need no "run": what they do themselves. */
	static const char *const own[] = {"install", "i", "add", "workspace", "workspaces", "dlx",
		"create", "exec", "node", "config", "dedupe", "rebuild", "link", "version", NULL};
	bool run;
	size_t n = command->n, at;
	if (!n || !runner_is_one_of(command->words[0], managers) ||
		!(at = script_find_name(command->words, n, &run)))
		return false;
	const char *name = command->words[at];
	bool is_bun = command_is(command->words[0], "bun");
	bool is_npm = command_is(command->words[0], "npm");
	if (!command_is(command->words[0], "yarn") && strcmp(name, "t") == 0)
		name = "test";
	if (!run && (is_bun || line_matches_any(name, own) || (is_npm && strcmp(name, "test") != 0)))
		return false;
	AUTO_STRBUF rest = STRBUF_INIT(STRBUF_TEXT);
	bool passes = !is_npm; /* npm keeps options that stand before "--" */
	for (size_t i = at + 1; i < n; i++) {
		bool ends = strcmp(command->words[i], "--") == 0;
		if (!ends && (passes || command->words[i][0] != '-'))
			strbuf_addf(&rest, " %s", command->raws[i]);
		passes = passes || ends;
	}
	*ret_call = (struct script_call){name, at, arena_strdup(arena, rest.text), !is_npm};
	return true;
}

bool script_is_called(const char *const *words, size_t n)
{
	static const char *const names[] = {"*test*", "*spec*", "*unit*", "cov", "coverage", NULL};
	AUTO_ARENA arena = ARENA_INIT;
	struct script_call call;
	struct runner_call command = {.words = words, .raws = words, .n = n};
	return script_call_of(&command, &arena, &call) && line_matches_any(call.name, names) &&
		!runner_of(call.name);
}
