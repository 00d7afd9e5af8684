/* `mvn test`, offline, and all of its modules. Surefire and Failsafe write into each module's
 * target/. */
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"

#define CLASS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

static bool maven_runs(const char *const *words, size_t n)
{
	if (!command_is(words[0], "mvn") && !command_is(words[0], "mvnw"))
		return false;
	for (size_t i = 1; i < n; i++)
		if (strcmp(words[i], "test") == 0 || strcmp(words[i], "verify") == 0)
			return true;
	return false;
}

static const char *maven_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	static const char *const choices[] = {
		"-ff", "-fn", "-fae", "--fail-fast", "--fail-never", "--fail-at-end"};
	(void)report;
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++)
		if (command_line_has(suite->command, choices[i]))
			return suite->command;
	const char *line = command_line_with(suite->command, "mvn", NULL, "-fae", arena);
	return command_line_with(line, "mvnw", NULL, "-fae", arena);
}

/* By classes, with inner ones: names of methods and of their parameters are no good filters, and a
 * class costs little. */
static const char *maven_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	struct map seen = {0};
	AUTO_STRBUF classes = STRBUF_INIT(STRBUF_TEXT);
	if (!command_line_is_plain(suite->command) || !command_line_any(suite->command, maven_runs))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *end = strstr(ids[i], "::");
		if (!end)
			return NULL;
		char *name = arena_strndup(arena, ids[i], strcspn(ids[i], "$:"));
		if (map_get(&seen, name) || !name[0] || name[strspn(name, CLASS)])
			continue;
		map_put(&seen, arena, name, name);
		strbuf_addf(&classes, "%s%s*", classes.length ? "," : "", name);
	}
	if (!classes.length || classes.length > LONGEST_COMMAND)
		return NULL;
	return arena_printf(arena,
		"%s '-Dtest=%s' -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false",
		maven_structured(suite, NULL, arena), classes.text);
}

/* The lines that a class of each framework needs. */
static const struct framework {
	const char *sign, *imports, *modifier;
} frameworks[] = {
	{"org.junit.jupiter",
		"import static org.junit.jupiter.api.Assertions.assertEquals;\n\n"
		"import org.junit.jupiter.api.Test;\n",
		""},
	{"org.testng",
		"import static org.testng.Assert.assertEquals;\n\nimport org.testng.annotations.Test;\n",
		"public "},
	{"org.junit.", "import static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n",
		"public "},
};

static const struct framework *maven_framework_of(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(frameworks); i++)
		if (strstr(text, frameworks[i].sign))
			return &frameworks[i];
	return NULL;
}

/* A class in the same package, of the framework that its neighbour imports. */
static bool maven_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite;
	const struct framework *framework = maven_framework_of(text);
	if (!framework || !text_ends_with(beside, ".java"))
		return false;
	const char *package = text_line_after(text, "package ");
	int n = package ? (int)strcspn(package, ";\n") : 0;
	int folder = (int)(file_name(beside) - beside);
	const char *passing = sentinel->passing, *modifier = framework->modifier;
	sentinel->path = arena_printf(arena, "%.*sT%sTest.java", folder, beside, passing);
	sentinel->text = arena_printf(arena,
		"%s%.*s%s%s\npublic class T%sTest {\n"
		"\t@Test\n\t%svoid t%s() {\n\t\tassertEquals(2, \"ab\".length());\n\t}\n\n"
		"\t@Test\n\t%svoid t%s() {\n\t\tassertEquals(3, \"ab\".length());\n\t}\n}\n",
		n ? "package " : "", n, n ? package : "", n ? ";\n\n" : "", framework->imports, passing,
		modifier, passing, modifier, sentinel->failing);
	return true;
}

const struct suite_type maven_suite = {
	.name = "maven",
	.summary = "mvn test, mvn verify",
	.formats = (const struct format *const[]){&maven_format, &exit_format, NULL},
	.command = "mvn -q -o test",
	.markers = (const char *const[]){"pom.xml", NULL},
	.may_build = true,
	.runs = maven_runs,
	.structured = maven_structured,
	.report = "**/target/*-reports/TEST-*.xml",
	.targeted = maven_targeted,
	.sentinel = maven_sentinel,
	.tools = (const char *const[]){"mvn", "java", "javac", "sh", NULL},
	.builds = (const char *const[]){"target", NULL},
	.tests = (const char *const[]){"src/test/", "src/it/", "src/integration-test/", NULL},
	.configuration = (const char *const[]){"pom.xml", ".mvn/", "mvnw", "mvnw.cmd", NULL},
};
