/* A test command that names what is not there. */
#include <string.h>

#include "base/memory.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/suite.h"

enum { LONGEST_NAME = 4096 };

/* How programs say that what the test command names is not there. A fix cannot bring it: what the
 * command names is protected. */
static const struct absence {
	const char *before, *after; /* the name stands between; after NULL: there is none;
	                            * a line's end is also the text's */
	const char *program;        /* a word of the command; NULL: any */
	const char *what;           /* the words before the name */
} absences[] = {
	{"make: *** No rule to make target '", "'.  Stop.", "make", "make has no rule for"},
	{"make: *** No targets specified and no makefile", NULL, "make", "there is no makefile"},
	{": can't open file '", "': [Errno 2]", NULL, "there is no file"},
	{": cannot open ", ": No such file", NULL, "there is no file"}, /* sh, lua */
	{"bash: ", ": No such file", "bash", "there is no file"},
	{": 1: cd: can't cd to ", "\n", "cd", "there is no directory"},
	{"Missing script: \"", "\"", NULL, "package.json has no script"},
	{"Could not read package.json: ", NULL, "npm", "there is no package.json"},
	{"Cannot find module '", "'", "node", "there is no file"},
	{"Could not find '", "'", "node", "there is no file"},
	{"No test files found: \"", "\"", NULL, "there is no file"},    /* mocha */
	{"Pattern: ", " - 0 matches", NULL, "no test file's name has"}, /* jest */
	{"\nfilter:  ", "\n", NULL, "no test file's name has"},         /* vitest */
	{"stat ", ": directory not found", "go", "there is no directory"},
	{"stat ", ": no such file or directory", "go", "there is no file"},
	{"pattern ", ": lstat ", "go", "there is no package"},
	{"package ", " is not in std", "go", "there is no package"},
	{"could not find `Cargo.toml`", NULL, "cargo", "there is no Cargo.toml"},
	{"no test target named `", "`", "cargo", "there is no test target"},
	{"package ID specification `", "` did not match", "cargo", "there is no package"},
	{"there is no POM in this directory", NULL, "mvn", "there is no pom.xml"},
	{"ruby: No such file or directory -- ", " (LoadError)", "ruby", "there is no file"},
	{"cannot load such file -- ", "\n", "rspec", "there is no file"},
	{"No Rakefile found", NULL, "rake", "there is no Rakefile"},
	{"Can't open perl script \"", "\"", "perl", "there is no file"},
	{"Cannot detect source of '", "'", "prove", "there is no file"},
	{"Test file \"", "\" does not exist", "bats", "there is no file"},
	{"Cannot open file \"", "\"", "phpunit", "there is no file"},
	{"Could not open input file: ", "\n", "php", "there is no file"},
	{"Failed to change working directory to \"", "\"", "ctest", "there is no directory"},
	{"No such build data file as '", NULL, "meson", "'meson setup' has not been called"},
};

/* Whether a word of the command is this name, or the end of this path. */
static bool absence_is_named(const char *command, const char *name, struct arena *arena)
{
	size_t n;
	name += text_starts_with(name, "./") ? 2 : 0;
	const struct simple_command *commands = command_line_split(command, arena, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < commands[i].n; j++) {
			const char *word = commands[i].words[j];
			word += text_starts_with(word, "./") ? 2 : 0;
			if (*word && strcmp(word, name) == 0)
				return true;
			if (*word && *name == '/' && text_ends_with(name, arena_printf(arena, "/%s", word)))
				return true;
		}
	return false;
}

bool suite_lacks_named(
	const char *command, const char *output, struct arena *arena, struct lack *ret_lack)
{
	const char *what = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(absences) && !what; i++) {
		const struct absence *absence = &absences[i];
		const char *at = strstr(output, absence->before);
		if (!at || (absence->program && !command_line_has(command, absence->program)))
			continue;
		at += strlen(absence->before);
		const char *after = absence->after;
		const char *end = !after ? NULL : *after == '\n' ? strchrnul(at, '\n') : strstr(at, after);
		bool is_name = end && end - at < LONGEST_NAME;
		const char *name = is_name ? arena_strndup(arena, at, (size_t)(end - at)) : NULL;
		if (!absence->after)
			what = absence->what;
		else if (name && absence_is_named(command, name, arena))
			what = arena_printf(arena, "%s '%s'", absence->what, name);
	}
	*ret_lack =
		(struct lack){.what = what, .advice = "name a command that runs the tests: --test 'CMD'"};
	return what;
}
