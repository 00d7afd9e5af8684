/* The tests before and after: from the JUnit files that a run keeps, else from what was said. */
#include <fcntl.h>

#include "base/memory.h"
#include "run/report/html/html.h"
#include "verify/suite/formats/junit.h"

enum { MOST_ROWS = 3000 };

/* --- Where they are --- */

/* Before and after agree in a test's names; the file of a failing one is where it failed. */
static void case_take(struct suite_reading *reading, const struct junit_case *test)
{
	struct test_result result = junit_result(reading, test);
	result.id = *test->classname
		? arena_printf(reading->arena, "%s::%s", test->classname, test->name)
		: arena_strdup(reading->arena, test->name);
	test_report_add(reading->report, reading->arena, &result);
}

static bool tests_of_file(
	const struct html_run *run, const char *stage, struct test_report *ret_report)
{
	const char *path = arena_printf(run->arena, "%s/junit-%s.xml", run->dir, stage);
	AUTO_CLOSE fd = open(path, O_RDONLY | O_CLOEXEC);
	struct test_report report = {.complete = true};
	struct suite_reading reading = {.format = &junit_format,
		.dir = "",
		.report = &report,
		.arena = run->arena,
		.state = arena_alloc(run->arena, junit_format.state_size)};
	if (fd < 0 || junit_read(&reading, fd, path, case_take) || !report.n)
		return false;
	*ret_report = report;
	return true;
}

/* The results in a message of the record; false: it has none. */
static bool tests_of_record(
	const struct html_run *run, const struct json *record, struct test_report *ret_report)
{
	struct rondo_error ignored;
	const struct json *data = json_get(json_get(record, "message"), "data");
	return json_get(data, "results") &&
		test_report_from_json(data, run->arena, ret_report, &ignored) == 0;
}

/* The task has the results of the base, and a tester's messages those that came later. */
static void tests_of_talk(struct html_tests *tests, const struct html_run *run)
{
	for (size_t i = 0; i < run->n_records; i++) {
		const struct json *record = run->records[i];
		bool is_first = !tests->has_before;
		if (tests_of_record(run, record, is_first ? &tests->before : &tests->after))
			*(is_first ? &tests->has_before : &tests->has_after) = true;
	}
}

void html_tests_read(struct html_tests *tests, const struct html_run *run)
{
	*tests = (struct html_tests){.is_judged = true};
	tests->has_before = tests_of_file(run, "before", &tests->before);
	tests->has_after = tests_of_file(run, "after", &tests->after);
	if (tests->has_after)
		return;
	struct html_tests said = {.is_judged = false};
	tests_of_talk(&said, run);
	if (said.has_before)
		*tests = said;
}

/* --- Groups --- */

enum tests_group { FIXED, BROKEN, GONE, RED, FRESH, GREEN, SKIPPED, GROUPS };

static const struct {
	const char *id, *title;
	bool is_folded;
} groups[GROUPS] = {
	[FIXED] = {"fixed", "failed before, pass now", false},
	[BROKEN] = {"broken", "passed before, fail now", false},
	[GONE] = {"gone", "are not run any more", false},
	[RED] = {"red", "fail", false},
	[FRESH] = {"new", "are new", false},
	[GREEN] = {"green", "pass, as before", true},
	[SKIPPED] = {"skipped", "are skipped", true},
};

/* What became of a test; either may be NULL, and `after` of all where nothing is known of it. */
static enum tests_group group_of(
	const struct test_result *before, const struct test_result *after, bool has_after)
{
	bool was_red = before && test_status_is_red(before->status);
	const struct test_result *now = has_after ? after : before;
	if (!now)
		return GONE;
	if (now->status == TEST_SKIPPED)
		return SKIPPED;
	if (test_status_is_red(now->status))
		return was_red || !before ? RED : BROKEN;
	if (!before)
		return FRESH;
	return was_red ? FIXED : GREEN;
}

struct tests_view {
	struct strbuf *sb;
	const struct html_tests *tests;
	size_t n[GROUPS], n_rows;
};

static void view_each(struct tests_view *view,
	void (*each)(struct tests_view *view, enum tests_group group, enum tests_group wanted,
		const struct test_result *before, const struct test_result *after),
	enum tests_group wanted)
{
	const struct html_tests *tests = view->tests;
	for (size_t i = 0; tests->has_before && i < tests->before.n; i++) {
		const struct test_result *before = tests->before.results[i];
		const struct test_result *after =
			tests->has_after ? test_report_find(&tests->after, before->id) : NULL;
		each(view, group_of(before, after, tests->has_after), wanted, before, after);
	}
	for (size_t i = 0; tests->has_after && i < tests->after.n; i++) {
		const struct test_result *after = tests->after.results[i];
		if (!tests->has_before || !test_report_find(&tests->before, after->id))
			each(view, group_of(NULL, after, true), wanted, NULL, after);
	}
}

static void view_count(struct tests_view *view, enum tests_group group, enum tests_group wanted,
	const struct test_result *before, const struct test_result *after)
{
	(void)wanted, (void)before, (void)after;
	view->n[group]++;
}

static void status_add(struct strbuf *sb, const struct test_result *result)
{
	const char *name = result ? test_status_name(result->status) : "none";
	const char *class = !result              ? "none"
		: test_status_is_red(result->status) ? "bad"
		: result->status == TEST_PASSED      ? "good"
											 : "idle";
	strbuf_addf(sb, "<td class=\"status %s\">%s</td>", class, result ? name : "\u2013");
}

static void message_add(
	struct strbuf *sb, const struct test_result *before, const struct test_result *after)
{
	const struct test_result *said = after && after->message ? after : before;
	strbuf_adds(sb, "<td class=\"said\">");
	if (said && said->message)
		html_add(sb, said->message);
	if (said && said->file) {
		AUTO_STRBUF place = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&place, "%s:%d", said->file, said->line);
		strbuf_addc(sb, ' ');
		html_element(sb, "code", NULL, place.text);
	}
	strbuf_adds(sb, "</td>");
}

static void view_row(struct tests_view *view, enum tests_group group, enum tests_group wanted,
	const struct test_result *before, const struct test_result *after)
{
	struct strbuf *sb = view->sb;
	if (group != wanted || view->n_rows >= MOST_ROWS)
		return;
	view->n_rows++;
	strbuf_adds(sb, "<tr><td class=\"id\">");
	html_add(sb, before ? before->id : after->id);
	strbuf_adds(sb, "</td>");
	status_add(sb, before);
	if (view->tests->has_after)
		status_add(sb, after);
	message_add(sb, before, after);
	strbuf_adds(sb, "</tr>\n");
}

static void group_add(struct tests_view *view, enum tests_group group)
{
	struct strbuf *sb = view->sb;
	if (!view->n[group])
		return;
	strbuf_addf(sb, "<details class=\"group %s\"%s><summary>", groups[group].id,
		groups[group].is_folded ? "" : " open=\"open\"");
	html_count(sb, view->n[group], "test");
	strbuf_addf(sb, ": %s</summary>\n", groups[group].title);
	strbuf_adds(sb,
		"<table class=\"tests sortable\"><thead><tr><th scope=\"col\">test</th>"
		"<th scope=\"col\">before</th>");
	strbuf_adds(sb, view->tests->has_after ? "<th scope=\"col\">after</th>" : "");
	strbuf_adds(sb, "<th scope=\"col\">what it said</th></tr></thead><tbody>\n");
	view_each(view, view_row, group);
	strbuf_adds(sb, "</tbody></table></details>\n");
}

void html_add_tests(struct strbuf *sb, const struct html_run *run)
{
	struct html_tests tests;
	html_tests_read(&tests, run);
	struct tests_view view = {.sb = sb, .tests = &tests};
	if (!tests.has_before && !tests.has_after)
		return;
	view_each(&view, view_count, GROUPS);
	html_section(sb, "tests", "Tests before and after");
	strbuf_adds(sb, "<p>Command: ");
	html_element(sb, "code", NULL,
		json_string(json_get(run->report, "tests"), "command", "the tests of the repository"));
	if (tests.has_after)
		strbuf_adds(sb,
			tests.is_judged ? ". <em>After</em> is the run of the final check, in a fresh checkout."
							: ". <em>After</em> is what the tester saw last.");
	strbuf_adds(sb,
		"</p>\n<p class=\"js filter\" hidden=\"hidden\"><label>Show tests with "
		"<input type=\"search\" id=\"filter\" autocomplete=\"off\"/></label> "
		"<output id=\"filtered\"></output></p>\n");
	for (size_t group = 0; group < GROUPS; group++)
		group_add(&view, (enum tests_group)group);
	if (view.n_rows == MOST_ROWS)
		strbuf_adds(sb, "<p class=\"note\">More are left out: the JUnit files have them.</p>\n");
	strbuf_adds(sb, "</section>\n");
}
