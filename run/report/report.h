/* What is written of a run: reports, the commit's message, a pull request, JUnit XML. Inside run/
 * only. */
#pragma once
#include "chat/test_report.h"
#include "run/run.h"

/* Whether a fix is for this test of the goal, and for how many it is: all, unless it is one in
 * part. */
bool report_is_fixed(const struct run_report *report, const struct run_test *test);
size_t report_count_fixed(const struct run_report *report);

/* A baseline whose lists are as long as somebody likes to read. */
struct baseline_facts report_shorten(const struct baseline_facts *baseline);

/* What an agent that asked is told of a run that came to its end, as JSON; the caller's. And the
 * JSON Schema of that, put into `schema`. */
struct json *report_tell(const struct run_report *report);
void report_describe_told(struct json *schema);

/* --- The message of the commit that a verified fix becomes, made of the run's result alone --- */

/* What a message has beside the result. */
struct commit_options {
	const char *subject;                     /* in place of one that is made; NULL: none */
	const struct option_strings *co_authors; /* "Name <mail>", checked */
};

/* Errors that say what is wrong: a subject is one line of text, a co-author a name and a mail
 * address. */
int commit_check_subject(const char *subject, struct rondo_error *err);
int commit_check_author(const char *author, struct rondo_error *err);

/* One line of at most 72 columns: where, and what was wrong, as far as anybody said it; in the
 * arena. */
const char *commit_subject(const struct run_report *report, struct arena *arena);

/* Subject, body and trailers, as git interpret-trailers reads them; in the arena. */
const char *commit_message(
	const struct run_report *report, const struct commit_options *options, struct arena *arena);

/* --- Sections of Markdown that the report and a pull request have in common; appended --- */

/* The failing tests, with their place and message. */
void evidence_add_goal(struct strbuf *sb, const struct run_report *report);

/* What was changed, in words as far as there are any, and the files. */
void evidence_add_change(struct strbuf *sb, const struct run_report *report);

/* Tests before and after, how that was found, and what was found beside it; of a fix that is
 * verified. */
void evidence_add_verification(struct strbuf *sb, const struct run_report *report);

/* What was not counted, not judged, or should be looked at; whatever came of the run. */
void evidence_add_remarks(struct strbuf *sb, const struct run_report *report);

/* What a reader has to judge for himself. */
void evidence_add_limits(struct strbuf *sb, const struct run_report *report);

/* A section of items; nothing where there are none. */
void evidence_add_list(struct strbuf *sb, const char *title, const struct option_strings *items);

/* report_text.c: the text of a pull request for a verified fix, appended: `title`, the commit's
 * subject, on the first line, an empty line, the body in Markdown. */
void pull_request_write(const struct run_report *report, const char *title, struct strbuf *sb);

/* --- Foreign text within Markdown: no heading, link, mention or closing word is read in it --- */

/* Append text as a code span on one line. */
void markdown_add_code(struct strbuf *sb, const char *text);

/* Append text as a fenced block of its own lines. */
void markdown_add_block(struct strbuf *sb, const char *language, const char *text);

/* --- What one run of a suite said, as JUnit XML, which Jenkins, GitLab and GitHub read --- */

struct junit_facts {
	const char *name;  /* of the repository or program */
	const char *stage; /* "before", "after" */
	int64_t date_ms;
};

/* One testsuites element with one testsuite; appended. Output of tests is left out: the logs have
 * it. */
void junit_write(
	const struct test_report *report, const struct junit_facts *facts, struct strbuf *sb);

/* A test's class and name there, "tests.test_cart::test_two"; appended. `format`: the report's. */
void junit_add_key(struct strbuf *sb, const char *id, const char *format);
