/*
 * Describes the failures of a run: what the first failing tests printed, what several have in
 * common only once, and a line for each failure that is known. If no test printed anything by
 * itself, the output is condensed. Only this file makes such texts: for messages, which hold all
 * failures, and for models, which know those of the last report.
 */
#include <string.h>

#include "agents/briefing.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"

enum {
	SAME_MOST = 3,  /* names of tests that fail in the same way */
	REMEMBERED = 4, /* reports in a row that only name a failure; then it is shown again */
};

/* A failing test, and others that fail in the same way. */
struct failure {
	const struct test_result *result;
	const char *same[SAME_MOST];
	size_t n_same;
};

struct failures {
	struct failure items[KNOWN_MOST];
	size_t n, n_more;
	bool has_details;
};

/* Behind the line that names the test. */
static const char *failures_body_of(const char *detail)
{
	const char *newline = strchr(detail, '\n');
	return newline ? newline + 1 : detail;
}

/* What there is no detail of any more is known by its message. */
static bool failures_is_same(const struct test_result *a, const struct test_result *b)
{
	if (a->detail && b->detail)
		return strcmp(failures_body_of(a->detail), failures_body_of(b->detail)) == 0;
	return a->message && b->message && !b->detail && strcmp(a->message, b->message) == 0;
}

static void failures_collect(struct failures *failures, const struct test_result *result)
{
	failures->has_details = failures->has_details || result->detail;
	for (size_t i = 0; i < failures->n; i++) {
		struct failure *failure = &failures->items[i];
		if (!failures_is_same(failure->result, result))
			continue;
		if (failure->n_same < SAME_MOST)
			failure->same[failure->n_same] = result->id;
		failure->n_same++;
		return;
	}
	if (failures->n < KNOWN_MOST)
		failures->items[failures->n++] = (struct failure){.result = result};
	else
		failures->n_more++;
}

/* --- What is known --- */

static void failures_add_known(struct strbuf *sb, const struct test_result *result)
{
	strbuf_addf(sb, "%s\n", result->id);
	strbuf_add_without_addresses(sb,
		result->detail        ? result->detail
			: result->message ? result->message
							  : "");
	strbuf_addc(sb, '\n');
}

/* Whether it is known and need not be shown; from now on it is. */
static bool failures_is_known(
	const struct known_failures *before, struct known_failures *now, const char *text, size_t n)
{
	struct known_failure *item = &now->items[now->n++];
	char hash[HASH_SIZE];
	hash_bytes(text, n, hash);
	*item = (struct known_failure){.times = 0};
	utf8_format(item->hash, sizeof item->hash, "%s", hash);
	for (size_t i = 0; i < before->n; i++)
		if (strcmp(before->items[i].hash, item->hash) == 0 && before->items[i].times < REMEMBERED)
			item->times = before->items[i].times + 1;
	return item->times > 0;
}

void known_save(const struct known_failures *known, struct json *to)
{
	for (size_t i = 0; i < known->n; i++) {
		struct json *item = json_add_object(to, NULL);
		json_add_string(item, "hash", known->items[i].hash);
		json_add_int(item, "times", known->items[i].times);
	}
}

void known_load(struct known_failures *known, const struct json *from)
{
	*known = (struct known_failures){.n = 0};
	for (const struct json *item = json_first(from); item && known->n < KNOWN_MOST;
		 item = json_next(item)) {
		struct known_failure *text = &known->items[known->n++];
		utf8_format(text->hash, sizeof text->hash, "%s", json_string(item, "hash", ""));
		text->times = json_int(item, "times", 0);
	}
}

/* --- The text --- */

static void failures_add_failure(struct strbuf *sb, const struct failure *failure, bool known)
{
	const struct test_result *result = failure->result;
	bool says_why = result->detail && result->message && strstr(result->detail, result->message);
	strbuf_adds(sb, result->id);
	if (result->file)
		strbuf_addf(sb, " (%s:%d)", result->file, result->line);
	if (known) {
		strbuf_adds(sb, ": as before\n");
		return;
	}
	if (result->message && !says_why)
		strbuf_addf(sb, ": %s", result->message);
	strbuf_addf(sb, "\n%s%s", result->detail ? result->detail : "", result->detail ? "\n" : "");
	for (size_t i = 0; i < failure->n_same && i < SAME_MOST; i++)
		strbuf_addf(sb, "%s%s", i ? ", " : "the same: ", failure->same[i]);
	if (failure->n_same > SAME_MOST)
		strbuf_addf(sb, " and %zu more", failure->n_same - SAME_MOST);
	strbuf_adds(sb, failure->n_same ? "\n" : "");
}

/* False where all of it is known, and it is all that there was. */
static bool failures_add_failures(struct strbuf *sb, const struct failures *failures,
	const struct known_failures *before, struct known_failures *now)
{
	size_t n_known = 0;
	for (size_t i = 0; i < failures->n; i++) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		failures_add_known(&text, failures->items[i].result);
		bool known = failures_is_known(before, now, text.text, text.length);
		strbuf_adds(sb, i ? "\n" : "");
		failures_add_failure(sb, &failures->items[i], known);
		n_known += known;
	}
	if (failures->n_more)
		strbuf_addf(sb, "\nand %zu more that fail in other ways\n", failures->n_more);
	return n_known < failures->n || failures->n < before->n || failures->n_more;
}

/* The output as a whole, which is known if its failures are. */
static bool failures_add_output(struct strbuf *sb, const struct test_report *report,
	const struct known_failures *before, struct known_failures *now)
{
	AUTO_STRBUF failures = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&failures, "%s\n", report->problem ? report->problem : "");
	for (size_t i = 0; i < report->n; i++)
		if (test_status_is_red(report->results[i]->status))
			failures_add_known(&failures, report->results[i]);
	strbuf_adds(sb, report->output ? report->output : "");
	return !failures_is_known(before, now, failures.text, failures.length);
}

void brief_output(struct strbuf *sb, const struct test_report *report, struct known_failures *known)
{
	struct failures failures = {.n = 0};
	struct known_failures now = {.n = 0}, nothing = {.n = 0};
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_TEXT), text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < report->n; i++)
		if (test_status_is_red(report->results[i]->status))
			failures_collect(&failures, report->results[i]);
	const struct known_failures *before = known ? known : &nothing;
	bool is_news = failures.has_details ? failures_add_failures(&all, &failures, before, &now)
										: failures_add_output(&all, report, before, &now);
	if (known)
		*known = now;
	if (!is_news)
		strbuf_adds(sb, "\nThe same tests fail in the same way as before.\n");
	else if (!all.length)
		strbuf_addf(
			sb, "\nThe test command exited with code %d and printed nothing.\n", report->exit_code);
	if (!is_news || !all.length)
		return;
	strbuf_addf(sb, "\nThe test command exited with code %d and printed%s:\n", report->exit_code,
		failures.has_details ? " of the first failures" : "");
	condense(&text, all.text);
	add_fenced(sb, "", text.text, text.length);
}
