/*
 * `mvn test`: Surefire and Failsafe write a file for each class, in every module; lines name the
 * goals that failed before there were tests. The program under test could write the files, too, so
 * the printed numbers must not be worse than theirs. Without files, a class is a test.
 */
#include <string.h>

#include "base/memory.h"
#include "verify/suite/formats/junit.h"
#include "verify/suite/ids.h"

struct maven {
	struct map ids;
	bool has_file;
	size_t n_red;       /* by the files */
	size_t printed_red; /* by the printed totals, one a module */
	bool has_failed;    /* it says so, and may go on with the next module */
	const char *damage;
	char error[512]; /* the first of the compiler */
	struct location location;
	const char **classes, **unbuilt; /* "-com.acme.CalcTest" if it failed; names of modules */
	size_t n_classes, n_unbuilt;
};

static const char *maven_without_level(const char *line)
{
	static const char *const levels[] = {"[INFO] ", "[ERROR] ", "[WARNING] "};
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (text_starts_with(line, levels[i]))
			return line + strlen(levels[i]);
	return line;
}

/* "Tests run: 11, Failures: 1, Errors: 1, Skipped: 1": a total, or a class's if "-- in
 * com.acme.CalcTest" follows. */
static void maven_read_numbers(struct suite_reading *reading, const char *text)
{
	struct maven *maven = reading->state;
	size_t numbers[4]; /* run, failures, errors, skipped */
	const char *rest =
		line_match(text, "Tests run: #, Failures: #, Errors: #, Skipped: #*", numbers);
	if (!rest)
		return;
	const char *class = line_match(rest, "*- in *", NULL);
	size_t red = numbers[1] + numbers[2];
	if (!*rest)
		maven->printed_red += red;
	else if (class)
		ARENA_PUSH(reading->arena, maven->classes, maven->n_classes,
			arena_printf(reading->arena, "%c%s", red ? '-' : '+', class));
}

/* "Failed to execute goal ... on project calc: Compilation failure". */
static void maven_read_goal(struct suite_reading *reading, const char *text)
{
	struct maven *maven = reading->state;
	const char *project = line_match(text, "Failed to execute goal* on project *", NULL);
	if (!project || strstr(text, "There are test failures") ||
		strstr(text, "There was an error in the forked"))
		return;
	size_t n = strcspn(project, ": ");
	ARENA_PUSH(reading->arena, maven->unbuilt, maven->n_unbuilt,
		arena_strndup(reading->arena, project, n));
	if (!*maven->error)
		text_copy(maven->error, sizeof maven->error, project + n + strspn(project + n, ": "));
}

/* "/tree/src/main/java/com/acme/Calc.java:[5,12] ';' expected". */
static void maven_read_error(struct suite_reading *reading, const char *text)
{
	struct maven *maven = reading->state;
	const char *place = strstr(text, ":["), *end = place ? strchr(place, ']') : NULL;
	if (!end || *maven->location.file ||
		!location_set(&maven->location, reading->dir, text, (size_t)(place - text),
			strtol(place + 2, NULL, 10)))
		return;
	text_copy(maven->error, sizeof maven->error, end + 1 + strspn(end + 1, " "));
}

static void maven_read_line(struct suite_reading *reading, const char *line)
{
	struct maven *maven = reading->state;
	const char *text = maven_without_level(line);
	if (text == line)
		return;
	maven_read_numbers(reading, text);
	if (text_starts_with(line, "[ERROR] ")) {
		maven->has_failed |= text_starts_with(text, "There are test failures");
		maven_read_error(reading, text);
		maven_read_goal(reading, text);
	}
}

static void maven_take_case(struct suite_reading *reading, const struct junit_case *test)
{
	struct maven *maven = reading->state;
	maven->n_red += junit_add(reading, test, &maven->ids);
}

static void maven_read_report(struct suite_reading *reading, int fd)
{
	struct maven *maven = reading->state;
	const char *damage = junit_read(reading, fd, "a Surefire report", maven_take_case);
	maven->has_file = true;
	maven->damage = maven->damage ? maven->damage : damage;
}

static const char *maven_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct maven *maven = reading->state;
	for (size_t i = 0; i < maven->n_classes && !maven->has_file; i++)
		reading_add(reading, id_numbered(&maven->ids, maven->classes[i] + 1, reading->arena),
			maven->classes[i][0] == '-' ? TEST_FAILED : TEST_PASSED, NULL, NULL, 0);
	for (size_t i = 0; i < maven->n_unbuilt; i++)
		reading_add(reading, maven->unbuilt[i], TEST_ERROR, maven->error, &maven->location, 0);
	if ((maven->has_failed || maven->printed_red) && reading->report->exit_code == 0)
		reading->report->exit_code = 1;
	if (maven->has_file && maven->printed_red > maven->n_red)
		return arena_printf(reading->arena,
			"the runner's two reports disagree: Maven prints %zu failures, its files have %zu",
			maven->printed_red, maven->n_red);
	if (maven->has_failed && !test_report_red(reading->report))
		return "the runner's two reports disagree: Maven says that tests failed, its files have "
			   "none";
	if (!maven->damage && result->exit_code != 0 && !test_report_red(reading->report))
		return "Maven failed without a failing test";
	return maven->damage;
}

const struct format maven_format = {
	.name = "maven",
	.summary = "Maven: Surefire's and Failsafe's files, or what is printed",
	.state_size = sizeof(struct maven),
	/* Surefire before 2.19 is known by what it prints, also under -q: its files have no sign. Where
	 * failures are ignored, the exit code says nothing of the last. */
	.signs = (const char *const[]){"[INFO] Scanning for projects...*",
		"[ERROR] Failed to execute goal*", " T E S T S", "[ERROR] There are test failures*",
		NULL},
	.report_signs = (const char *const[]){"*surefire-test-report*", NULL},
	.read_line = maven_read_line,
	.read_report = maven_read_report,
	.finish = maven_finish,
};
