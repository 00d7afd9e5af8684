/* JUnit XML in report files of any runner: the test cases of all files, in the order of the files'
 * names. */
#include "verify/suite/formats/junit.h"

#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "verify/suite/ids.h"

enum { MESSAGE = 512 };

/* --- Names --- */

/* What follows a file's dotted name, "tests.test_a" of tests/test_a.py, if the class name begins
 * with it; else NULL. */
static const char *junit_after_module(const char *classname, const char *file)
{
	const char *suffix = strrchr(file, '.');
	size_t n = suffix ? (size_t)(suffix - file) : strlen(file);
	for (size_t i = 0; i < n; i++)
		if (classname[i] != file[i] && !(classname[i] == '.' && file[i] == '/'))
			return NULL;
	if (classname[n] == '.')
		return classname + n + 1;
	return classname[n] ? NULL : classname + n;
}

/* What comes between file and name: the class, if it says more than these. */
static const char *junit_group_of(const struct junit_case *test, const char *file)
{
	const char *inner = *file ? junit_after_module(test->classname, file) : NULL;
	if (inner)
		return inner;
	if (!*test->classname || strcmp(test->classname, "test") == 0)
		return test->suites;
	bool says_nothing =
		strcmp(test->classname, test->name) == 0 || strcmp(test->classname, file) == 0;
	return says_nothing ? "" : test->classname;
}

/* Whether the case is the file itself, which could not be loaded: pytest names it by its module. */
static bool junit_is_file(const struct junit_case *test, const char *file)
{
	const char *inner = *file && !*test->classname ? junit_after_module(test->name, file) : NULL;
	return inner && !*inner;
}

/* Several of Maven's modules may have a class of that name: "core/". "" at the root. */
static const char *junit_module_of(
	const struct junit_case *test, const char *dir, struct arena *arena)
{
	size_t n = strlen(test->basedir);
	const char *module = location_relative(dir, test->basedir, &n);
	return n && *module != '/' ? arena_printf(arena, "%.*s/", (int)n, module) : "";
}

static const char *junit_id_of(const struct junit_case *test, const char *dir, struct arena *arena)
{
	size_t n = strlen(test->file);
	const char *file = location_relative(dir, test->file, &n);
	if (junit_is_file(test, file))
		return arena_strdup(arena, file);
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	const char *const parts[] = {file, junit_group_of(test, file), test->name};
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		strbuf_addf(&id, "%s%s", id.length && *parts[i] ? "::" : "", parts[i]);
	return id.length ? arena_printf(arena, "%s%s", junit_module_of(test, dir, arena), id.text)
					 : "(no name)";
}

/* --- Status and reason --- */

static enum test_status junit_status_of(const struct junit_case *test)
{
	if (strcmp(test->outcome, "error") == 0)
		return TEST_ERROR;
	if (strcmp(test->outcome, "failure") == 0)
		return TEST_FAILED;
	if (strcmp(test->outcome, "skipped") == 0)
		return strcmp(test->type, "pytest.xfail") == 0 ? TEST_XFAILED : TEST_SKIPPED;
	if (strcmp(test->status, "fail") == 0)
		return TEST_FAILED;
	bool left_out = strcmp(test->status, "notrun") == 0 || strcmp(test->status, "disabled") == 0;
	return left_out ? TEST_SKIPPED : TEST_PASSED;
}

/* The first line that is not blank, of the message or else of what the outcome says. */
static const char *junit_message_of(const struct junit_case *test, struct arena *arena)
{
	const char *const texts[] = {test->message, test->text, test->type};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const char *text = texts[i] + strspn(texts[i], " \t\r\n");
		/* PHPUnit begins with the test's name. */
		const char *end = strchr(text, '\n');
		size_t n = strlen(test->classname);
		if (end && n && strncmp(text, test->classname, n) == 0 && text_starts_with(text + n, "::"))
			text = end + 1 + strspn(end + 1, " \t\r\n");
		if (!*text)
			continue;
		char line[MESSAGE];
		utf8_format(line, sizeof line, "%.*s", (int)strcspn(text, "\r\n"), text);
		return arena_strdup(arena, line);
	}
	return NULL;
}

/* The folder of Maven and Gradle for tests in the language of a file: "src/test/java/". */
static const char *junit_test_folder(const char *file, size_t n)
{
	static const struct {
		const char *suffix, *folder;
	} languages[] = {{".java", "src/test/java/"}, {".kt", "src/test/kotlin/"},
		{".groovy", "src/test/groovy/"}, {".scala", "src/test/scala/"}};
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
		size_t length = strlen(languages[i].suffix);
		if (n > length && memcmp(file + n - length, languages[i].suffix, length) == 0)
			return languages[i].folder;
	}
	return NULL;
}

/* "    at com.acme.CalcTest.adds(CalcTest.java:12)" of the test's own class. The folders of other
 * classes are unknown. */
static bool junit_find_in_java(
	struct location *location, const struct junit_case *test, const char *dir, const char *line)
{
	size_t n = strcspn(test->classname, "$");
	const char *at = line + strspn(line, " \t");
	if (!n || !text_starts_with(at, "at ") || strncmp(at + 3, test->classname, n) != 0 ||
		(at[3 + n] != '.' && at[3 + n] != '$'))
		return false;
	const char *file = at + 3 + n + strcspn(at + 3 + n, "(");
	const char *colon = *file ? strchr(++file, ':') : NULL;
	const char *folder = colon ? junit_test_folder(file, (size_t)(colon - file)) : NULL;
	if (!folder)
		return false;
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s%s%s", test->basedir, *test->basedir ? "/" : "", folder);
	size_t package = n;
	while (package && test->classname[package - 1] != '.')
		package--;
	for (size_t i = 0; i < package; i++)
		strbuf_addc(&path, test->classname[i] == '.' ? '/' : test->classname[i]);
	strbuf_add(&path, file, (size_t)(colon - file));
	return location_set(location, dir, path.text, path.length, strtol(colon + 1, NULL, 10));
}

/* The first place in the tree that the outcome's text names. Of Java's frames, those in the test's
 * class count. */
static bool junit_find_place(
	struct location *location, const struct junit_case *test, const char *dir, struct arena *arena)
{
	for (const char *at = test->text; *at;) {
		size_t n = strcspn(at, "\n");
		const char *line = arena_strndup(arena, at, n), *plain = line + strspn(line, " \t");
		bool is_frame = text_starts_with(plain, "at ") &&
			(strstr(plain, ".java:") || strstr(plain, ".kt:") || strstr(plain, "(Native Method)"));
		if (is_frame ? junit_find_in_java(location, test, dir, line)
					 : location_find(location, dir, line))
			return true;
		at += n + (at[n] == '\n');
	}
	return false;
}

struct test_result junit_result(const struct suite_reading *reading, const struct junit_case *test)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct arena *arena = reading->arena;
	struct test_result result = {.id = junit_id_of(test, reading->dir, arena),
		.status = junit_status_of(test),
		.duration_ms = test->duration_ms};
	if (result.status == TEST_PASSED)
		return result;
	struct location location = {0};
	result.message = junit_message_of(test, arena);
	if (test_status_is_red(result.status) &&
		junit_find_place(&location, test, reading->dir, &scratch)) {
		result.file = arena_strdup(arena, location.file);
		result.line = location.line;
	}
	return result;
}

bool junit_add(struct suite_reading *reading, const struct junit_case *test, struct map *ids)
{
	struct test_result result = junit_result(reading, test);
	result.id = id_numbered(ids, result.id, reading->arena);
	test_report_add(reading->report, reading->arena, &result);
	return test_status_is_red(result.status);
}

/* --- The format --- */

struct junit {
	struct map ids;
	bool has_file;
	const char *problem;
};

static void junit_take_case(struct suite_reading *reading, const struct junit_case *test)
{
	struct junit *junit = reading->state;
	junit_add(reading, test, &junit->ids);
}

static void junit_read_report(struct suite_reading *reading, int fd)
{
	struct junit *junit = reading->state;
	const char *problem = junit_read(reading, fd, "a JUnit report", junit_take_case);
	junit->has_file = true;
	junit->problem = junit->problem ? junit->problem : problem;
}

static const char *junit_finish(struct suite_reading *reading, const struct process_result *result)
{
	(void)result;
	const struct junit *junit = reading->state;
	return junit->has_file ? junit->problem : "the runner wrote no JUnit report";
}

const struct format junit_format = {
	.name = "junit",
	.summary = "JUnit XML in report files",
	.state_size = sizeof(struct junit),
	.report_signs = (const char *const[]){"*<testsuite*", NULL},
	.read_report = junit_read_report,
	.finish = junit_finish,
};
