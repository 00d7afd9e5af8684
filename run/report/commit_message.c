/*
 * The body of a fix's commit says what was observed: which tests failed and how, what was changed,
 * how that was judged. What tests and models said is foreign text: it stands indented, so that none
 * of its lines can be taken for a trailer, a comment or the beginning of a patch.
 */
#include "chat/budget.h"
#include "run/report/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

enum {
	WIDEST = 72,     /* columns of a line of the body */
	MOST_TESTS = 10, /* told with their message */
	MOST_FIXED = 20, /* trailers of one name */
	LONGEST_ID = 1000,
};

/* --- What the user may say --- */

static bool is_one_line(const char *text)
{
	for (const char *at = text; *at; at++)
		if (iscntrl((unsigned char)*at))
			return false;
	return *text != '\0' && !isspace((unsigned char)*text);
}

int commit_check_subject(const char *subject, struct rondo_error *err)
{
	if (is_one_line(subject) && *subject != '#')
		return 0;
	error_set(err, RONDO_ERROR_USAGE,
		"the subject of a commit is one line of text that does not begin with '#' or a space");
	return error_help(err, "such as --subject 'cart: apply discounts once'");
}

int commit_check_author(const char *author, struct rondo_error *err)
{
	const char *open = strchr(author, '<'), *close = open ? strchr(open, '>') : NULL;
	const char *sign = open ? strchr(open, '@') : NULL;
	bool ok = is_one_line(author) && close && !close[1] && sign && sign > open + 1 &&
		sign + 1 < close && !memchr(open, ' ', (size_t)(close - open)) && open > author + 1 &&
		open[-1] == ' ' && !strchr(open + 1, '<');
	if (ok)
		return 0;
	error_set(
		err, RONDO_ERROR_USAGE, "a co-author is a name and a mail address, found '%s'", author);
	return error_help(err, "such as --co-author 'Ann Other <ann@example.org>'");
}

/* --- Lines --- */

/* Fold a paragraph of ours by words. */
static void add_folded(struct strbuf *sb, const char *text)
{
	size_t column = 0;
	for (const char *at = text; *at;) {
		size_t n = strcspn(at, " "), width = utf8_columns(at, n);
		bool fits = column + 1 + width <= WIDEST;
		if (column)
			strbuf_addc(sb, fits ? ' ' : '\n');
		strbuf_add(sb, at, n);
		column = column && fits ? column + 1 + width : width;
		at += n;
		at += strspn(at, " ");
	}
	strbuf_addc(sb, '\n');
}

/* Foreign text on one line: white space becomes a space, what steers a terminal is made visible,
 * the middle of what is long goes. */
static void add_plain(struct strbuf *sb, const char *text)
{
	AUTO_STRBUF line = STRBUF_INIT(LONGEST_ID), valid = STRBUF_INIT(STRBUF_LINE);
	for (const char *at = text; *at; at++)
		if (!isspace((unsigned char)*at))
			strbuf_addc(&line, *at);
		else if (line.length && !isspace((unsigned char)at[-1]))
			strbuf_addc(&line, ' ');
	strbuf_rtrim(&line);
	strbuf_mark_cut(&line);
	for (char *at = line.text; *at; at++)
		if (*at == '\n')
			*at = ' ';
	utf8_scrub(&valid, line.text, line.length);
	utf8_show(sb, valid.text);
}

static void add_indented(struct strbuf *sb, const char *indent, const char *text)
{
	strbuf_adds(sb, indent);
	add_plain(sb, text);
	strbuf_addc(sb, '\n');
}

/* --- The body --- */

/* At most MOST_TESTS are shown. */
static void commit_add_more(struct strbuf *sb, size_t n)
{
	if (n > MOST_TESTS)
		strbuf_addf(sb, "    and %zu more\n", n - MOST_TESTS);
}

static void add_failures(struct strbuf *sb, const struct run_report *report)
{
	const struct baseline_facts *baseline = report->baseline;
	size_t n = report_count_fixed(report), shown = 0;
	strbuf_addf(sb, "%zu test%s failed:\n\n", n, text_plural(n));
	for (size_t i = 0; i < baseline->n_goal && shown < MOST_TESTS; i++) {
		if (!report_is_fixed(report, &baseline->goal[i]))
			continue;
		add_indented(sb, "    ", baseline->goal[i].id);
		if (baseline->goal[i].message && *baseline->goal[i].message)
			add_indented(sb, "        ", baseline->goal[i].message);
		shown++;
	}
	commit_add_more(sb, n);
}

/* repair says the line and the change. Of a model's change, the files are listed. */
static void add_change(struct strbuf *sb, const struct run_report *report)
{
	strbuf_adds(sb, "\nWhat was changed:\n\n");
	const struct talk_facts *talk = report->talk;
	for (size_t i = 0; i < talk->edits.n && !talk->said; i++)
		add_indented(sb, "    ", talk->edits.items[i]);
	if (talk->edits.n && !talk->said)
		return;
	for (const char *at = report->change->stat; *at; at += strcspn(at, "\n"), at += *at == '\n')
		strbuf_addf(sb, "    %.*s\n", (int)strcspn(at, "\n"), at);
}

static void add_verification(
	struct strbuf *sb, const struct run_report *report, struct arena *arena)
{
	AUTO_STRBUF command = STRBUF_INIT(STRBUF_LINE);
	add_plain(&command, report->site->command);
	const char *text = arena_printf(arena,
		"Found and verified by rondo: it ran `%s` at the base and in fresh checkouts of this "
		"commit, "
		"with tests and their configuration as in the base: %zu of %zu passed (was %zu).",
		command.text, report->verdict->n_passed, report->verdict->n_tests,
		report->baseline->n_passed);
	strbuf_addc(sb, '\n');
	add_folded(sb, text);
}

static void add_list(struct strbuf *sb, const char *title, const struct option_strings *items)
{
	if (!items->n)
		return;
	strbuf_addf(sb, "\n%s:\n\n", title);
	for (size_t i = 0; i < items->n && i < MOST_TESTS; i++)
		add_indented(sb, "    ", items->items[i]);
	commit_add_more(sb, items->n);
}

/* --- Trailers --- */

static void add_trailer(struct strbuf *sb, const char *name, const char *value)
{
	strbuf_addf(sb, "%s: ", name);
	add_plain(sb, value);
	strbuf_addc(sb, '\n');
}

static void add_model(struct strbuf *sb, const struct run_report *report, struct arena *arena)
{
	const struct run_spent *spent = &report->spent;
	char money[MONEY_SIZE];
	if (!spent->models) {
		add_trailer(sb, "Rondo-Model", report->coder ? "none (repair)" : "none");
		add_trailer(sb, "Rondo-Cost", "0");
		return;
	}
	int64_t tokens = spent->usage.prompt_tokens + spent->usage.completion_tokens;
	const char *cost = spent->cost_usd < 0
		? "unknown"
		: arena_printf(arena, "%s USD", money_text(spent->cost_usd, money));
	add_trailer(sb, "Rondo-Model", spent->models);
	add_trailer(sb, "Rondo-Cost", arena_printf(arena, "%s (%" PRId64 " tokens)", cost, tokens));
}

static void add_trailers(struct strbuf *sb, const struct run_report *report,
	const struct commit_options *options, struct arena *arena)
{
	const struct option_strings *authors = options->co_authors;
	const struct baseline_facts *baseline = report->baseline;
	size_t failed = baseline->n_tests - baseline->n_passed;
	strbuf_addf(sb, "\nRondo-Run: %s\nRondo-Tests: %zu passed, %zu failed (was %zu, %zu)\n",
		report->id, report->verdict->n_passed,
		failed > report->n_fixed ? failed - report->n_fixed : 0, baseline->n_passed, failed);
	size_t n = report_count_fixed(report), shown = 0;
	for (size_t i = 0; i < baseline->n_goal && shown < MOST_FIXED; i++)
		if (report_is_fixed(report, &baseline->goal[i]) && ++shown)
			add_trailer(sb, "Rondo-Fixed", baseline->goal[i].id);
	if (n > MOST_FIXED)
		strbuf_addf(sb, "Rondo-Fixed-Count: %zu\n", n);
	if (report->verdict->unfixed.n)
		strbuf_addf(sb, "Rondo-Unfixed-Count: %zu\n", report->verdict->unfixed.n);
	add_model(sb, report, arena);
	for (size_t i = 0; authors && i < authors->n; i++)
		add_trailer(sb, "Co-authored-by", authors->items[i]);
}

const char *commit_message(
	const struct run_report *report, const struct commit_options *options, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&sb, "%s\n\n", options->subject ? options->subject : commit_subject(report, arena));
	add_failures(&sb, report);
	add_change(&sb, report);
	add_verification(&sb, report, arena);
	add_list(&sb, "A fix in part: these tests failed, too, and are not fixed",
		&report->verdict->unfixed);
	add_list(&sb, "Flaky at the base, so counted neither way", &report->baseline->flaky);
	add_list(&sb, "Left out of the fix", &report->verdict->left_out);
	add_list(&sb, "Dropped, since the fix does not need it", &report->verdict->dropped);
	add_list(&sb, "To look at", &report->verdict->findings);
	add_trailers(&sb, report, options, arena);
	return arena_strdup(arena, sb.text);
}
