/*
 * `mvn test`: what Surefire and Failsafe write, a file for each class, in every module; what is
 * printed tells of the goals that failed before there were tests. The numbers that are printed must
 * not be worse than the files: those a program under test could write too. Without files, a class
 * is a test.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "verify/suite/formats/junit.h"
#include "verify/suite/ids.h"

struct maven {
	struct map ids;
	size_t n_files, n_red; /* by the files */
	size_t printed_red;    /* by the totals that are printed, one a module */
	const char *damage;
	char error[512]; /* the first of the compiler */
	struct location location;
	const char **classes, **unbuilt; /* "PASS com.acme.CalcTest"; names of modules */
	size_t n_classes, n_unbuilt;
	bool ended; /* "BUILD SUCCESS", "BUILD FAILURE" */
};

static const char *without_level(const char *line)
{
	static const char *const levels[] = {"[INFO] ", "[ERROR] ", "[WARNING] "};
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (text_starts_with(line, levels[i]))
			return line + strlen(levels[i]);
	return line;
}

/* "Tests run: 11, Failures: 1, Errors: 1, Skipped: 1": a total, or, with "-- in com.acme.CalcTest"
 * behind it, of a class. */
static void read_numbers(struct suite_reading *reading, const char *text)
{
	struct maven *maven = reading->state;
	size_t run, failures, errors;
	int n = 0;
	if (sscanf(text, "Tests run: %zu, Failures: %zu, Errors: %zu, Skipped: %*u%n", &run, &failures,
			&errors, &n) != 3 ||
		!n)
		return;
	if (!text[n]) {
		maven->printed_red += failures + errors;
		return;
	}
	const char *class = strstr(text + n, "- in ");
	if (class)
		ARENA_PUSH(reading->arena, maven->classes, maven->n_classes,
			arena_printf(
				reading->arena, "%c%s", failures + errors ? '-' : '+', class + strlen("- in ")));
}

/* "Failed to execute goal ... on project calc: Compilation failure"; that tests failed is no news.
 * */
static void read_goal(struct suite_reading *reading, const char *text)
{
	struct maven *maven = reading->state;
	const char *project =
		text_starts_with(text, "Failed to execute goal") ? strstr(text, " on project ") : NULL;
	if (!project || strstr(text, "There are test failures") ||
		strstr(text, "There was an error in the forked"))
		return;
	project += strlen(" on project ");
	size_t n = strcspn(project, ": ");
	ARENA_PUSH(reading->arena, maven->unbuilt, maven->n_unbuilt,
		arena_strndup(reading->arena, project, n));
	if (!*maven->error)
		utf8_format(
			maven->error, sizeof maven->error, "%s", project + n + strspn(project + n, ": "));
}

/* "/tree/src/main/java/com/acme/Calc.java:[5,12] ';' expected". */
static void read_error(struct suite_reading *reading, const char *text)
{
	struct maven *maven = reading->state;
	const char *place = strstr(text, ":["), *end = place ? strchr(place, ']') : NULL;
	if (!end || *maven->location.file ||
		!location_set(&maven->location, reading->dir, text, (size_t)(place - text),
			strtol(place + 2, NULL, 10)))
		return;
	utf8_format(maven->error, sizeof maven->error, "%s", end + 1 + strspn(end + 1, " "));
}

static void maven_read_line(struct suite_reading *reading, const char *line)
{
	struct maven *maven = reading->state;
	const char *text = without_level(line);
	if (text == line)
		return;
	read_numbers(reading, text);
	if (text_starts_with(line, "[ERROR] ")) {
		read_error(reading, text);
		read_goal(reading, text);
	}
	maven->ended = maven->ended || text_starts_with(text, "BUILD SUCCESS") ||
				   text_starts_with(text, "BUILD FAILURE");
}

static void take_case(void *owner, const struct junit_case *test)
{
	struct suite_reading *reading = owner;
	struct maven *maven = reading->state;
	struct test_result result = junit_result(test, reading->dir, reading->arena);
	maven->n_red += test_status_is_red(result.status);
	result.id = id_numbered(&maven->ids, result.id, reading->arena);
	test_report_add(reading->report, reading->arena, &result);
}

static void maven_read_report(struct suite_reading *reading, int fd)
{
	struct maven *maven = reading->state;
	const char *problem = junit_read(fd, take_case, reading, reading->arena);
	maven->n_files++;
	if (problem && !maven->damage)
		maven->damage = arena_printf(reading->arena, "a Surefire report is damaged: %s", problem);
}

static bool maven_shows(const char *line)
{
	return text_starts_with(line, "[INFO] Scanning for projects...") ||
		   text_starts_with(line, "[ERROR] Failed to execute goal");
}

static bool maven_shows_report(const char *bytes, size_t n)
{
	return memmem(bytes, n, "surefire-test-report", strlen("surefire-test-report")) != NULL;
}

static void add_classes(struct suite_reading *reading)
{
	struct maven *maven = reading->state;
	for (size_t i = 0; i < maven->n_classes; i++)
		test_report_add(reading->report, reading->arena,
			&(struct test_result){
				.id = id_numbered(&maven->ids, maven->classes[i] + 1, reading->arena),
				.status = maven->classes[i][0] == '-' ? TEST_FAILED : TEST_PASSED});
}

static void maven_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct maven *maven = reading->state;
	if (!maven->n_files)
		add_classes(reading);
	else if (maven->printed_red > maven->n_red)
		maven->damage = arena_printf(reading->arena,
			"the runner's two reports disagree: Maven prints %zu failures, its files tell of %zu",
			maven->printed_red, maven->n_red);
	bool has_place = *maven->location.file;
	for (size_t i = 0; i < maven->n_unbuilt; i++)
		test_report_add(reading->report, reading->arena,
			&(struct test_result){.id = maven->unbuilt[i],
				.status = TEST_ERROR,
				.message = maven->error,
				.file = has_place ? maven->location.file : NULL,
				.line = has_place ? maven->location.line : 0});
	if (!maven->damage && result->exit_code != 0 && !test_report_red(reading->report))
		maven->damage = "Maven failed without a failing test";
	reading->report->problem = maven->damage;
	reading->report->complete = !maven->damage;
}

const struct format maven_format = {
	.name = "maven",
	.summary = "Maven: Surefire's and Failsafe's files, or what is printed",
	.state_size = sizeof(struct maven),
	.shows = maven_shows,
	.shows_report = maven_shows_report,
	.read_line = maven_read_line,
	.read_report = maven_read_report,
	.finish = maven_finish,
};
