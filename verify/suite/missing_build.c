/* What compilers and other tools of a build say is missing: a header, a library, a package. That a
 * build cannot be configured is a format of its own. */
#include <string.h>

#include "base/memory.h"
#include "verify/suite/missing.h"
#include "verify/suite/own_files.h"

#define INSTALL "install the package that has it: its name often ends in -dev"
#define INSTALL_PROGRAM "install the package that has it"
#define DECLARE "declare it in Cargo.toml, and have cargo fetch it"
#define CLASS_PATH "name its jar in the class path of the command: -cp, or --class-path"

enum { LONGEST_NAME = 256 };

/* A name stands between two texts; where `after` is "", before a space, a colon or the end. */
static const struct need {
	const char *before, *after, *what, *advice;
	/* NULL: it never is */
	bool (*is_own)(const char *name, const char *const *paths, size_t n);
} needs[] = {
	{": fatal error: ", ": No such file or directory", "the header", INSTALL, own_header},
	{": fatal error: '", "' file not found", "the header", INSTALL, own_header}, /* clang */
	{": cannot find -l", "", "the library", INSTALL, NULL},
	{"unable to find library -l", "", "the library", INSTALL, NULL}, /* lld */
	{"WARNING: '", "' is missing on your system", "the command", INSTALL_PROGRAM,
		NULL}, /* Automake */
	{"error: package ", " does not exist", "the Java package", CLASS_PATH, own_java_package},
	{"cannot find module or crate `", "`", "the Rust crate", DECLARE, own_crate},
	{"use of unresolved module or unlinked crate `", "`", "the Rust crate", DECLARE, own_crate},
	{"use of undeclared crate or module `", "`", "the Rust crate", DECLARE, own_crate},
	{"can't find crate for `", "`", "the Rust crate", DECLARE, own_crate},
};

/* The name that a line says is needed, in the arena; NULL: none, or it is too long for one. */
static const char *build_name(const struct need *need, const char *line, struct arena *arena)
{
	const char *at = strstr(line, need->before);
	if (!at)
		return NULL;
	at += strlen(need->before);
	const char *end = *need->after ? strstr(at, need->after) : at + strcspn(at, " :\n");
	bool is_name = end && end > at && end - at < LONGEST_NAME;
	return is_name ? arena_strndup(arena, at, (size_t)(end - at)) : NULL;
}

/* Whether a compiler says in the same paragraph what is meant instead: then the name is wrong. And
 * javac says of a variable that it does not know that there is no such package. */
static bool build_is_slip(const struct need *need, const char *rest)
{
	static const char *const meant[] = {
		"consider importing", "similar name", "to make use of source file", NULL};
	const char *end = strstr(rest, "\n\n");
	if (need->is_own == own_java_package)
		return !text_starts_with(rest, "\nimport ");
	return need->is_own == own_crate &&
		text_n_holds_any(rest, end ? (size_t)(end - rest) : strlen(rest), meant);
}

bool missing_in_build(const char *line, const char *rest, const char *const *paths, size_t n,
	struct arena *arena, struct lack *ret_lack)
{
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		const struct need *need = &needs[i];
		const char *name = build_name(need, line, arena);
		if (!name)
			continue;
		if (build_is_slip(need, rest) || (need->is_own && need->is_own(name, paths, n)))
			return false;
		*ret_lack =
			(struct lack){.what = arena_printf(arena, "%s '%s' is missing", need->what, name),
				.advice = need->advice};
		return true;
	}
	return false;
}
