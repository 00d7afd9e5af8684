/* Gradle's test task, by the wrapper where the tree has one. Its test workers write JUnit files.
 * Nothing is fetched, and no daemon stays. */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"

#define CONTINUE "--continue"

static bool gradle_has_modules(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	static const char *const names[] = {"settings.gradle", "settings.gradle.kts", NULL};
	const char *name = listing_first(paths, n, names);
	const char *text = name ? listing_read(dir, name, arena) : NULL;
	return text && text_has_line(text, "include");
}

static const char *gradle_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char *const names[] = {
		"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", NULL};
	const char *name = listing_first(paths, n, names);
	const char *program = text_in_sorted(paths, n, "gradlew") ? "sh ./gradlew" : "gradle";
	const char *modules = gradle_has_modules(dir, paths, n, arena) ? CONTINUE " " : "";
	suite->command = arena_printf(arena, "%s --offline --no-daemon %stest", program, modules);
	return name;
}

static bool gradle_runs(const char *const *words, size_t n)
{
	size_t at = n > 1 && command_is(words[0], "sh") ? 1 : 0;
	if (!command_is(words[at], "gradle") && !command_is(words[at], "gradlew"))
		return false;
	for (size_t i = at + 1; i < n; i++)
		if (strcmp(words[i], "test") == 0 || strcmp(words[i], "check") == 0 ||
			text_ends_with(words[i], ":test"))
			return true;
	return false;
}

/* By class and method. A module that has none of them would fail. */
static const char *gradle_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	if (!command_line_is_plain(suite->command) || command_line_has(suite->command, CONTINUE) ||
		!text_ends_with(suite->command, " test"))
		return NULL;
	strbuf_adds(&line, suite->command);
	for (size_t i = 0; i < n; i++) {
		const char *name = strstr(ids[i], "::");
		/* Of parameters, the method alone is known. */
		if (!name || strpbrk(name, "[( *"))
			return NULL;
		const char *test =
			arena_printf(arena, "%.*s.%s", (int)(name - ids[i]), ids[i], name + strlen("::"));
		strbuf_addf(&line, " --tests %s", command_quote(test, arena));
	}
	return command_bounded(&line, arena);
}

const struct suite_type gradle_suite = {
	.name = "gradle",
	.summary = "gradle test, or that of its wrapper",
	.formats = (const struct format *const[]){&junit_format, &exit_format, NULL},
	.detect = gradle_detect,
	.runs = gradle_runs,
	.report = "**/build/test-results/*/TEST-*.xml",
	.targeted = gradle_targeted,
	.may_build = true,
	.tools = (const char *const[]){"gradle", "java", "javac", "sh", NULL},
	.builds = (const char *const[]){"build", ".gradle", NULL},
	.tests = (const char *const[]){"src/test/", "src/integrationTest/", NULL},
	.configuration = (const char *const[]){"build.gradle*", "settings.gradle*", "gradle.properties",
		"gradle/", "gradlew", "gradlew.bat", NULL},
};
