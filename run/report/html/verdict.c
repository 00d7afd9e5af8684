/* The head of a run's page: the verdict, and in four parts what was wrong, what changed, why that
 * may be believed, and what it cost. */
#include "run/report/html/html.h"

enum { MOST_TOLD = 8 };

static bool is_verified(const struct html_run *run)
{
	return text_starts_with(json_string(run->report, "outcome", ""), "verified");
}

static void part_begin(struct strbuf *sb, const char *title)
{
	strbuf_addf(sb, "<div class=\"part\">\n<h2>%s</h2>\n", title);
}

static void list_add(struct strbuf *sb, const char *class, const struct json *texts)
{
	if (!json_first(texts))
		return;
	strbuf_addf(sb, "<ul class=\"%s\">\n", class);
	for (const struct json *text = json_first(texts); text; text = json_next(text))
		html_element(sb, "li", NULL, json_text(text, NULL));
	strbuf_adds(sb, "</ul>\n");
}

/* A list under a heading of its own; nothing where it is empty. */
static void titled_add(struct strbuf *sb, const char *title, const struct json *texts)
{
	if (!json_first(texts))
		return;
	strbuf_addf(sb, "<h3>%s</h3>\n", title);
	list_add(sb, "plain", texts);
}

/* --- The verdict in a sentence --- */

static void counts_add(struct strbuf *sb, const struct json *tests)
{
	int64_t total = json_int(tests, "total_after", json_int(tests, "total", 0));
	strbuf_adds(sb, "<p class=\"counts\"><span class=\"big\">");
	html_number(sb, json_int(tests, "passed_before", 0));
	strbuf_addf(sb, " of %d</span> tests passed before", (int)json_int(tests, "total", 0));
	if (json_get(tests, "passed_after")) {
		strbuf_adds(sb, " <span class=\"arrow\">\u2192</span> <span class=\"big\">");
		html_number(sb, json_int(tests, "passed_after", 0));
		strbuf_addf(sb, " of %d</span> pass after", (int)total);
	}
	strbuf_adds(sb, "</p>\n");
}

static const char *lead_of(const struct html_run *run)
{
	const char *outcome = json_string(run->report, "outcome", "");
	bool is_proposal = json_get(run->report, "proposal");
	if (strcmp(outcome, "verified") == 0)
		return is_proposal
			? "The change was tried in fresh checkouts: it fixes tests and loses none."
			: "The failing tests pass with the change below, and each test that passed before "
			  "still does. rondo saw this in fresh checkouts; it took nobody's word for it.";
	if (strcmp(outcome, "verified_in_part") == 0)
		return "Some of the failing tests pass with the change below, and each test that passed "
			   "before still does. Others fail as before.";
	if (strcmp(outcome, "nothing_fails") == 0)
		return "All tests passed, so there was nothing to do.";
	return run->report ? NULL
					   : "The run ended without a report: it was killed, or is still running.";
}

static void headline_add(struct strbuf *sb, const struct html_run *run)
{
	const char *class, *word = json_string(run->report, "outcome", "broke off");
	const char *text = html_outcome(word, &class);
	const struct json *tests = json_get(run->report, "tests");
	strbuf_addf(sb, "<div class=\"headline %s\">\n<h1>", class);
	html_add(sb, json_string(run->report, "name", "run"));
	strbuf_addf(sb, " <span class=\"badge %s\">", class);
	html_add(sb, text);
	strbuf_adds(sb, "</span></h1>\n");
	html_element(sb, "p", "lead", lead_of(run));
	html_element(sb, "p", "lead", json_string(run->report, "reason", NULL));
	html_element(sb, "p", "help", json_string(run->report, "help", NULL));
	if (json_int(tests, "total", 0))
		counts_add(sb, tests);
	strbuf_adds(sb, "</div>\n");
}

/* --- What was wrong --- */

static void test_add(struct strbuf *sb, const char *id, const char *message, const char *place)
{
	strbuf_adds(sb, "<li>");
	html_element(sb, "code", NULL, id);
	html_element(sb, "p", "message", message);
	if (place) {
		strbuf_adds(sb, "<p class=\"place\">at ");
		html_element(sb, "code", NULL, place);
		strbuf_adds(sb, "</p>");
	}
	strbuf_adds(sb, "</li>\n");
}

static void more_add(struct strbuf *sb, size_t n)
{
	if (n > MOST_TOLD)
		strbuf_addf(sb, "<p><a href=\"#tests\">and %zu more</a></p>\n", n - MOST_TOLD);
}

static size_t goal_add(struct strbuf *sb, const struct json *goal)
{
	size_t n = 0;
	for (const struct json *test = json_first(goal); test; test = json_next(test))
		if (n++ < MOST_TOLD)
			test_add(sb, json_string(test, "id", "?"), json_string(test, "message", NULL),
				json_string(test, "place", NULL));
	return n;
}

/* Of a run that has no goal: whatever failed before. */
static size_t red_add(struct strbuf *sb, const struct html_run *run)
{
	struct run_tests tests;
	struct rondo_error ignored;
	size_t n = 0;
	if (run_tests_read(run->dir, run->arena, &tests, &ignored) < 0)
		return 0;
	for (size_t i = 0; i < tests.before.n; i++) {
		const struct test_result *test = tests.before.results[i];
		if (test_status_is_red(test->status) && n++ < MOST_TOLD)
			test_add(sb, test->id, test->message, NULL);
	}
	return n;
}

static void wrong_add(struct strbuf *sb, const struct html_run *run)
{
	const struct json *tests = json_get(run->report, "tests"), *goal = json_get(tests, "goal");
	part_begin(sb, "What was wrong");
	strbuf_adds(sb, "<ul class=\"failing\">\n");
	size_t begin = sb->length;
	size_t n = json_first(goal) ? goal_add(sb, goal) : red_add(sb, run);
	if (sb->length == begin)
		strbuf_adds(sb, "<li>No test is known to have failed.</li>\n");
	strbuf_adds(sb, "</ul>\n");
	more_add(sb, n);
	titled_add(
		sb, "Flaky: they differ from run to run and count neither way", json_get(tests, "flaky"));
	strbuf_adds(sb, "</div>\n");
}

/* --- What changed --- */

static void changed_add(struct strbuf *sb, const struct html_run *run)
{
	const struct json *fix = json_get(run->report, "fix");
	const char *branch = json_string(fix, "branch", NULL);
	const char *stat = json_string(fix, "stat", NULL);
	part_begin(sb, "What changed");
	html_element(
		sb, "p", NULL, json_string(fix, "what", json_string(run->report, "proposal", NULL)));
	html_element(sb, "pre", "stat", stat);
	if (stat)
		strbuf_adds(sb, "<p><a href=\"#change\">Read the change</a></p>\n");
	else
		strbuf_adds(sb, "<p>Nothing was changed.</p>\n");
	if (branch) {
		AUTO_STRBUF command = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&command, "git merge %s", branch);
		strbuf_adds(sb, "<p>Take it: ");
		html_element(sb, "code", NULL, command.text);
		strbuf_adds(sb, "</p>\n");
	}
	titled_add(sb, "Left out: changes of tests and other protected files",
		json_get(json_get(run->report, "gate"), "left_out"));
	titled_add(sb, "Dropped: what the fix did not need",
		json_get(json_get(run->report, "gate"), "dropped"));
	strbuf_adds(sb, "</div>\n");
}

/* --- Why it may be believed --- */

static const char *confidence_of(const char *word)
{
	if (strcmp(word, "high") == 0)
		return "Confidence of the search: high.";
	if (strcmp(word, "medium") == 0)
		return "Confidence of the search: medium. Other edits passed too and may behave otherwise, "
			   "or edits of this kind are often wrong, or the tests let some edit of this place "
			   "pass.";
	if (strcmp(word, "low") == 0)
		return "Confidence of the search: low. The edit may only silence the tests.";
	return "The edit takes back what somebody changed.";
}

static void search_add(struct strbuf *sb, const struct html_run *run)
{
	const struct json *search = json_get(run->report, "search");
	const char *confidence = json_string(search, "confidence", NULL);
	int64_t mutants = json_int(search, "mutants", 0);
	if (!confidence)
		return;
	strbuf_addf(sb, "<p>%s", confidence_of(confidence));
	if (mutants)
		strbuf_addf(sb,
			" With one more small edit on top of the fix, the tests failed for %d of %d such "
			"edits: so closely do they look at this code.",
			(int)(mutants - json_int(search, "unnoticed", 0)), (int)mutants);
	strbuf_adds(sb, "</p>\n");
	titled_add(sb, "Other edits that pass", json_get(search, "others"));
}

/* For who never saw such evidence. */
static const char checks_explained[] =
	"<details><summary>What these checks are</summary><dl>\n"
	"<dt>A fresh checkout</dt><dd>The base and this change, nothing else: tests and their "
	"configuration are those of the base, so the change cannot have bent them.</dd>\n"
	"<dt>Control</dt><dd>One test that must pass and one that must fail are put beside the others: "
	"a test run that does not report both rightly is not believed.</dd>\n"
	"<dt>Counter-tests</dt><dd>Copies of the tests that expect something wrong. If one passes, the "
	"change makes tests pass whatever they ask. Copies in which only names are others must pass: "
	"else the change knows which test calls it.</dd>\n</dl></details>\n";

static void believed_add(struct strbuf *sb, const struct html_run *run)
{
	const struct json *gate = json_get(run->report, "gate");
	part_begin(sb, is_verified(run) ? "Why it may be believed" : "What was checked");
	list_add(sb, is_verified(run) ? "evidence" : "plain", json_get(gate, "evidence"));
	if (!json_first(json_get(gate, "evidence")))
		strbuf_adds(sb, "<p>No final check was made, so nothing is claimed.</p>\n");
	titled_add(sb, "Look at this", json_get(gate, "findings"));
	search_add(sb, run);
	if (json_first(json_get(gate, "evidence")))
		strbuf_adds(sb, checks_explained);
	if (is_verified(run))
		strbuf_adds(sb,
			"<p class=\"note\"><em>Verified</em> means that the tests pass. Whether the change is "
			"what its author would have meant, only a reader can judge.</p>\n");
	strbuf_adds(sb, "</div>\n");
}

/* --- What it cost --- */

static void figure_begin(struct strbuf *sb, const char *name)
{
	strbuf_addf(sb, "<div><dt>%s</dt><dd>", name);
}

static void figure_add(struct strbuf *sb, const char *name, int64_t n)
{
	figure_begin(sb, name);
	html_number(sb, n);
	strbuf_adds(sb, "</dd></div>\n");
}

static void cost_add(struct strbuf *sb, const struct html_run *run)
{
	const struct json *usage = json_get(run->report, "usage");
	part_begin(sb, "What it cost");
	strbuf_adds(sb, "<dl class=\"figures\">\n");
	figure_begin(sb, "time");
	html_time(sb, run->ms);
	strbuf_adds(sb, "</dd></div>\n");
	if (run->report) {
		figure_begin(sb, "money");
		html_money(sb, json_number(run->report, "cost_usd", -1));
		strbuf_adds(sb, "</dd></div>\n");
	}
	figure_add(sb, "tokens", json_int(usage, "total_tokens", 0));
	figure_add(sb, "model calls", json_int(usage, "calls", 0));
	if (json_get(run->report, "search"))
		figure_add(sb, "edits tried", json_int(json_get(run->report, "search"), "tried", 0));
	if (json_get(run->report, "turns"))
		figure_add(sb, "turns", json_int(run->report, "turns", 0));
	strbuf_adds(sb, "</dl>\n</div>\n");
}

/* --- A talk without tests --- */

/* What was asked of the team, and what came of it. */
static void task_add(struct strbuf *sb, const struct html_run *run)
{
	const char *task = NULL;
	for (size_t i = 0; i < run->n_records && !task; i++)
		task = json_string(json_get(run->records[i], "message"), "content", NULL);
	part_begin(sb, "What was asked");
	html_element(sb, "p", NULL, task ? task : "Nothing is known of it.");
	strbuf_adds(sb, "</div>\n");
	part_begin(sb, "What came of it");
	html_element(sb, "p", NULL, json_string(run->report, "summary", "Nothing is known of it."));
	strbuf_adds(sb, "<p class=\"note\">No tests judged it, so nothing is claimed.</p>\n</div>\n");
}

void html_add_verdict(struct strbuf *sb, const struct html_run *run)
{
	headline_add(sb, run);
	strbuf_adds(sb, "<div class=\"parts\">\n");
	if (!run->report || json_get(json_get(run->report, "tests"), "command")) {
		wrong_add(sb, run);
		changed_add(sb, run);
		believed_add(sb, run);
	} else {
		task_add(sb, run);
	}
	cost_add(sb, run);
	strbuf_adds(sb, "</div>\n");
	titled_add(sb, "Notices", json_get(run->report, "notices"));
}
