/* The tests before and after as tables, one for each kind of change. */
#include "base/memory.h"
#include "run/report/html/html.h"

enum { MOST_ROWS = 3000 };

static const struct {
	const char *id, *title;
	bool is_folded;
} changes[RUN_TEST_CHANGES] = {
	[RUN_TEST_FIXED] = {"fixed", "failed before, pass now", false},
	[RUN_TEST_BROKEN] = {"broken", "passed before, fail now", false},
	[RUN_TEST_GONE] = {"gone", "are not run any more", false},
	[RUN_TEST_RED] = {"red", "fail", false},
	[RUN_TEST_NEW] = {"new", "are new", false},
	[RUN_TEST_SKIPPED] = {"skipped", "are skipped", true},
	[RUN_TEST_GREEN] = {"green", "pass, as before", true},
};

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

static void row_add(struct strbuf *sb, const struct run_test_pair *test, bool has_after)
{
	strbuf_adds(sb, "<tr><td class=\"id\">");
	html_add(sb, test->before ? test->before->id : test->after->id);
	strbuf_adds(sb, "</td>");
	status_add(sb, test->before);
	if (has_after)
		status_add(sb, test->after);
	message_add(sb, test->before, test->after);
	strbuf_adds(sb, "</tr>\n");
}

/* The tests of a change, up to row MOST_ROWS of the page; `at` is the first. */
static void change_add(
	struct strbuf *sb, const struct run_tests *tests, enum run_test_change change, size_t at)
{
	size_t n = tests->counts[change];
	if (!n)
		return;
	strbuf_addf(sb, "<details class=\"group %s\"%s><summary>", changes[change].id,
		changes[change].is_folded ? "" : " open=\"open\"");
	html_count(sb, n, "test");
	strbuf_addf(sb, ": %s</summary>\n", changes[change].title);
	strbuf_adds(sb,
		"<table class=\"tests sortable\"><thead><tr><th scope=\"col\">test</th>"
		"<th scope=\"col\">before</th>");
	strbuf_adds(sb, tests->has_after ? "<th scope=\"col\">after</th>" : "");
	strbuf_adds(sb, "<th scope=\"col\">what it said</th></tr></thead><tbody>\n");
	for (size_t i = at; i < at + n && i < MOST_ROWS; i++)
		row_add(sb, &tests->tests[i], tests->has_after);
	strbuf_adds(sb, "</tbody></table></details>\n");
}

void html_add_tests(struct strbuf *sb, const struct html_run *run)
{
	struct run_tests tests;
	struct rondo_error ignored;
	if (run_tests_read(run->dir, run->arena, &tests, &ignored) < 0 ||
		(!tests.has_before && !tests.has_after))
		return;
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
	for (size_t change = 0, at = 0; change < RUN_TEST_CHANGES; at += tests.counts[change++])
		change_add(sb, &tests, (enum run_test_change)change, at);
	if (tests.n > MOST_ROWS)
		strbuf_adds(sb, "<p class=\"note\">More are left out: the JUnit files have them.</p>\n");
	strbuf_adds(sb, "</section>\n");
}
