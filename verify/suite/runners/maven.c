/* `mvn test`, offline, and all of its modules: a module whose tests fail does not keep those from
 * running that need it. Surefire and Failsafe write into each module's target/. */
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

/* The project file of a directory below `root`, "" the root itself; NULL: there is none. */
static const char *maven_read_pom(const char *root, const char *from, struct arena *arena)
{
	return listing_read(root, arena_printf(arena, "%s%spom.xml", from, *from ? "/" : ""), arena);
}

/* Whether a project file lists a directory, relative to its own, as a module. */
static bool maven_lists(const char *text, const char *module)
{
	static const char start[] = "<module>";
	size_t n = strlen(module);
	for (const char *at = text; (at = strstr(at, start));) {
		at += strlen(start);
		at += strspn(at, " \t\r\n");
		at += text_starts_with(at, "./") ? 2 : 0;
		if (strncmp(at, module, n) == 0 && strchr(" \t\r\n/<", at[n]))
			return true;
	}
	return false;
}

/* The nearest directory above whose project has that module; NULL: none does. */
static const char *maven_parent_of(const char *root, const char *module, struct arena *arena)
{
	for (size_t n = strlen(module); n;) {
		while (n && module[--n] != '/')
			;
		const char *dir = arena_strndup(arena, module, n);
		const char *text = maven_read_pom(root, dir, arena);
		if (text && maven_lists(text, module + n + (n > 0)))
			return dir;
	}
	return NULL;
}

/* The outermost project that has the module: what the module needs of its neighbours is built only
 * together with it. */
static const char *maven_whole(
	const char *root, const char *from, struct arena *arena, struct suite *suite)
{
	const char *top = NULL;
	for (const char *at = from; (at = maven_parent_of(root, at, arena));)
		top = at;
	if (top)
		suite->command = arena_printf(arena, "%s -pl %s -am", maven_suite.command,
			command_quote(from + strlen(top) + (*top != '\0'), arena));
	return top;
}

static bool maven_has_any(const char *line, const char *const *options)
{
	for (; *options; options++)
		if (command_line_has(line, *options))
			return true;
	return false;
}

static const char *maven_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	static const char *const choices[] = {"-ff", "-fn", "-fae", "--fail-fast", "--fail-never",
		"--fail-at-end", "-Dmaven.test.failure.ignore", NULL};
	static const char options[] = "-fae -Dmaven.test.failure.ignore";
	(void)report;
	if (maven_has_any(suite->command, choices))
		return suite->command;
	const char *line = command_line_with(suite->command, "mvn", NULL, options, arena);
	return command_line_with(line, "mvnw", NULL, options, arena);
}

static void maven_add_new(
	struct strbuf *list, struct map *seen, struct arena *arena, const char *item, const char *end)
{
	if (map_get(seen, item))
		return;
	map_put(seen, arena, item, seen);
	strbuf_addf(list, "%s%s%s", list->length ? "," : "", item, end);
}

/* By classes, with inner ones: names of methods and of their parameters are no good filters, and a
 * class costs little. Their modules are chosen, too, with those that these need. */
static const char *maven_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	static const char *const choices[] = {"-pl", "--projects", NULL};
	struct map seen = {0}, seen_modules = {0};
	bool is_whole = maven_has_any(suite->command, choices);
	AUTO_STRBUF classes = STRBUF_INIT(STRBUF_TEXT), modules = STRBUF_INIT(STRBUF_TEXT);
	if (!command_line_is_plain(suite->command) || !command_line_any(suite->command, maven_runs))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *end = strstr(ids[i], "::");
		if (!end)
			return NULL;
		const char *slash = memrchr(ids[i], '/', (size_t)(end - ids[i]));
		const char *class = slash ? slash + 1 : ids[i];
		char *name = arena_strndup(arena, class, strcspn(class, "$:"));
		if (!name[0] || name[strspn(name, CLASS)])
			continue;
		maven_add_new(&classes, &seen, arena, name, "*");
		is_whole = is_whole || !slash;
		if (slash)
			maven_add_new(&modules, &seen_modules, arena,
				arena_strndup(arena, ids[i], (size_t)(slash - ids[i])), "");
	}
	if (!classes.length || classes.length + modules.length > LONGEST_COMMAND)
		return NULL;
	return arena_printf(arena,
		"%s%s%s '-Dtest=%s' -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false",
		maven_structured(suite, NULL, arena), is_whole ? "" : " -am -pl ",
		is_whole ? "" : command_quote(modules.text, arena), classes.text);
}

static const char *maven_with(const char *line, const char *option, struct arena *arena)
{
	line = command_line_with(line, "mvn", NULL, option, arena);
	return command_line_with(line, "mvnw", NULL, option, arena);
}

/* Its virtual machines for tests, and its compiler, are started by what stands beside `note`; not
 * the compiler where Maven packs what that makes. */
static const char *maven_noted(const char *line, const char *note, struct arena *arena)
{
	static const char *const machines[] = {"-Djvm", "-DforkCount", "-DforkMode", NULL};
	static const char *const compilers[] = {"-Dmaven.compiler.fork", "-Dmaven.compiler.executable",
		"-Dmaven.compiler.compilerId", "verify", NULL};
	const char *folder = arena_printf(arena, "$(command -v %s).jdk/bin", note);
	if (maven_has_any(line, machines) || !command_line_any(line, maven_runs))
		return NULL;
	if (!maven_has_any(line, compilers))
		line = maven_with(line,
			arena_printf(arena,
				"-Dmaven.compiler.fork=true \"-Dmaven.compiler.executable=%s/javac\"", folder),
			arena);
	return maven_with(line, arena_printf(arena, "\"-Djvm=%s/java\"", folder), arena);
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
	.whole = maven_whole,
	.structured = maven_structured,
	.report = "**/target/*-reports/TEST-*.xml",
	.targeted = maven_targeted,
	.noted = maven_noted,
	.sentinel = maven_sentinel,
	.tools = (const char *const[]){"mvn", "java", "javac", "sh", NULL},
	.builds = (const char *const[]){"target", NULL},
	.tests = (const char *const[]){"src/test/", "src/it/", "src/integration-test/", NULL},
	.configuration = (const char *const[]){"pom.xml", ".mvn/", "mvnw", "mvnw.cmd", NULL},
};
