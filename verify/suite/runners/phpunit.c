/* PHPUnit, the project's own where Composer has installed it, asked for a JUnit file. */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"

static const char *phpunit_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char *const names[] = {
		"phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml", NULL};
	const char *name = listing_first(paths, n, names);
	const char *text = name ? listing_read(dir, name, arena) : NULL;
	if (!text)
		return NULL;
	const char *bootstrap =
		strstr(text, "bootstrap=") ? "" : " --bootstrap vendor/autoload.php";
	suite->shown = arena_printf(arena, "phpunit%s", bootstrap);
	suite->command = arena_printf(arena, "PATH=\"$PWD/vendor/bin:$PATH\" %s", suite->shown);
	return name;
}

static bool phpunit_runs(const char *const *words, size_t n)
{
	return command_is(words[0], "phpunit") ||
		(n > 1 && command_is(words[0], "php") && command_is(words[1], "phpunit"));
}

static const char *phpunit_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	return report && !command_line_has(suite->command, "--log-junit")
		? command_line_with(suite->command, "phpunit", NULL,
			  arena_printf(arena, "--log-junit %s", command_quote(report, arena)), arena)
		: suite->command;
}

/* By class and name, as one regular expression. */
static const char *phpunit_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_TEXT);
	if (command_line_has(suite->command, "--filter"))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *name = strstr(ids[i], ".php::");
		if (!name)
			return NULL;
		strbuf_adds(&names, i ? "|" : "");
		name += strlen(".php::");
		strbuf_add_escaped(&names, name, strlen(name), "^$.[]()*+?|\\/{}#-");
	}
	const char *filter = command_quote(arena_printf(arena, "/^(%s)$/", names.text), arena);
	return strlen(filter) < LONGEST_COMMAND
		? command_line_with(
			  suite->command, "phpunit", NULL, arena_printf(arena, "--filter %s", filter), arena)
		: NULL;
}

static bool phpunit_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite;
	const char *slash = strrchr(beside, '/'), *namespace = text_line_after(text, "namespace ");
	if (!slash || !text_ends_with(beside, "Test.php"))
		return false;
	sentinel->path = arena_printf(
		arena, "%.*s/T%sTest.php", (int)(slash - beside), beside, sentinel->passing);
	sentinel->text = arena_printf(arena,
		"<?php\n%s%.*s%suse PHPUnit\\Framework\\TestCase;\n\n"
		"final class T%sTest extends TestCase\n{\n"
		"    public function test%s(): void\n    {\n        $this->assertSame(2, strlen('ab'));\n"
		"    }\n\n    public function test%s(): void\n    {\n"
		"        $this->assertSame(3, strlen('ab'));\n    }\n}\n",
		namespace ? "namespace " : "", namespace ? (int)strcspn(namespace, ";\r\n") : 0,
		namespace ? namespace : "", namespace ? ";\n\n" : "", sentinel->passing, sentinel->passing,
		sentinel->failing);
	return true;
}

const struct suite_type phpunit_suite = {
	.name = "phpunit",
	.summary = "phpunit",
	.formats = (const struct format *const[]){&junit_format, &exit_format, NULL},
	.detect = phpunit_detect,
	.runs = phpunit_runs,
	.structured = phpunit_structured,
	.targeted = phpunit_targeted,
	.sentinel = phpunit_sentinel,
	.tools = (const char *const[]){"phpunit", "php", NULL},
	.tests = (const char *const[]){"tests/", "test/", "Tests/", "*Test.php", NULL},
	.configuration = (const char *const[]){"phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml",
		"composer.json", "composer.lock", NULL},
};
