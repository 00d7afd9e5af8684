/*
 * A run as one HTML page that needs nothing else, and many runs as a table. All text of programs,
 * models and repositories goes through html_add, html_code or markdown_to_html, and through nothing
 * else. Pages are well-formed XML, too. Inside run/ only.
 */
#pragma once
#include "base/json/json.h"
#include "base/lexer/lexer.h"
#include "base/strbuf.h"
#include "chat/test_report.h"
#include "run/run.h"

/* --- escape.c --- */

enum { HTML_TEXT = 64 << 10 }; /* bytes of one text that are shown */

/* Append text; what steers, and the marks that reverse the direction of writing, become visible. A
 * long one keeps its beginning and its end. */
void html_add(struct strbuf *sb, const char *text);
void html_add_n(struct strbuf *sb, const char *text, size_t n);

/* Append <tag class="class">text</tag>; class NULL: none; nothing where text is NULL. */
void html_element(struct strbuf *sb, const char *tag, const char *class, const char *text);

/* A folded block: its summary and n lines of text as they are. */
void html_fold(struct strbuf *sb, const char *summary, const char *text);

/* A section of the page begins: a heading that can be linked to. It ends with </section>. */
void html_section(struct strbuf *sb, const char *id, const char *title);

/* "1.2 s", "12,345" and "0.02"; and one of a word and its plural: "1 file", "2 files". */
void html_time(struct strbuf *sb, int64_t ms);
void html_number(struct strbuf *sb, int64_t n);
void html_money(struct strbuf *sb, double usd); /* below 0: "cost unknown" */
void html_count(struct strbuf *sb, size_t n, const char *noun);

/* The same as html_money takes them, for a table of figures of all kinds. */
void html_say_time(struct strbuf *sb, double ms);
void html_say_number(struct strbuf *sb, double n);

/* --- code.c: program text in colours, by base/lexer/ --- */

struct html_code {
	const char *text;
	size_t n;
	unsigned char *classes; /* by byte */
	bool *marks;            /* by byte: it is shown as changed */
};

/* Read text of a language (NULL: none is known); the text is borrowed, the rest in the arena. */
void html_code_read(struct html_code *code, const struct language *language, const char *text,
	size_t n, struct arena *arena);

/* Append the bytes from `from` up to `to`. */
void html_code_add(struct strbuf *sb, const struct html_code *code, size_t from, size_t to);

/* --- words.c --- */

/* Mark in two lines, by byte, the words in which they differ. Where they have little in common,
 * nothing is marked. */
void words_mark(
	const char *old, size_t old_n, bool *old_marks, const char *new, size_t new_n, bool *new_marks);

/* --- The run --- */

struct html_run {
	struct arena *arena;
	const char *dir;
	const struct json *report;   /* NULL: it has none */
	const struct json **records; /* of the journal */
	size_t n_records;
	const char **speakers; /* in the order in which they spoke first */
	size_t n_speakers;
	int64_t ms; /* of its last record, or its duration */
};

/* Read what is on disk; in the arena. */
int html_run_read(
	struct html_run *run, const char *dir, struct arena *arena, struct rondo_error *err);

/* Who says a record: "coder", or "team/coder" within a team; in the arena. */
const char *html_speaker(const struct html_run *run, const struct json *record);

/* The number of a speaker, from 0: of its colour. */
size_t html_speaker_number(const struct html_run *run, const char *name);

/* Whether a record is of this type. */
bool html_is(const struct json *record, const char *type);

/* --- Sections of its page, each appended; nothing where there is nothing to show --- */

void html_add_verdict(struct strbuf *sb, const struct html_run *run);
void html_add_change(struct strbuf *sb, const struct html_run *run);
void html_add_tests(struct strbuf *sb, const struct html_run *run);
void html_add_talk(struct strbuf *sb, const struct html_run *run);
void html_add_timeline(struct strbuf *sb, const struct html_run *run);
void html_add_spending(struct strbuf *sb, const struct html_run *run);
void html_add_places(struct strbuf *sb, const struct html_run *run);
void html_add_facts(struct strbuf *sb, const struct html_run *run);

/* A diff as git apply takes it. */
void html_add_diff(struct strbuf *sb, const char *patch, size_t n, struct arena *arena);

/* --- Pages --- */

/* What begins and ends a page: head with style, script and Content-Security-Policy. */
void html_page_begin(struct strbuf *sb, const char *title);
void html_page_end(struct strbuf *sb);

/* What an outcome means for people: "Verified", and a class for its colour: "good", "part", "bad",
 * "idle". */
const char *html_outcome(const char *word, const char **ret_class);

/* A row of an index. */
struct html_row {
	const char *name, *run, *link; /* link NULL: there is no page */
	const char *outcome, *reason, *coder, *ended; /* reason NULL: none is needed */
	size_t n_goal, n_fixed;
	int64_t duration_ms, tokens;
	double usd;
};

/* The whole page of an index. */
void html_add_index(struct strbuf *sb, const char *title, const struct html_row *rows, size_t n);

/* Plots of it, as SVG. */
void html_add_plots(struct strbuf *sb, const struct html_row *rows, size_t n);

/* Files that are built in. */
extern const char page_css[], page_js[];
extern const size_t page_css_n, page_js_n;
