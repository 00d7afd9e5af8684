/*
 * What was printed of each failing test, from a whole log in any format: the piece from a line that
 * names the test as runners mark one ("____ test_x ____", "--- FAIL: TestX", "not ok 3 - x", "FAIL:
 * test_x (...)", "[ RUN      ] x") to the next such line, or rule. Runners name a failing test
 * several times, in a list and in a summary; the longest piece explains it.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "verify/suite/ids.h"
#include "verify/suite/lines.h"
#include "verify/suite/suite.h"

enum {
	EXPLAINED_MOST = 20,
	DETAIL_MOST = 4000, /* bytes of a piece, head and tail */
	RULE_LEAST = 10,
	HEADING_MOST = 2, /* lines of a piece before its own rule: unittest has a name and a sentence */
};

struct subject {
	struct test_result *result;
	const char *name; /* as lines name it; several tests may have the same */
	size_t length;    /* of the longest piece */
	bool is_shared;
};

struct explaining {
	struct arena *arena;
	struct subject subjects[EXPLAINED_MOST];
	size_t n;
	struct subject *open; /* whose piece is being read, or NULL */
	bool in_ctest;        /* it is CTest's, and ends at a mark of CTest's */
	struct strbuf piece;
	size_t lines;
};

/* How lines begin that name a test, and lines after which nothing about it comes. */
static bool detail_is_mark(const char *text)
{
	static const char *const marks[] = {"____*", "====*", "FAIL*", "failures:*", "ERROR: *",
		"ERROR *", "PASS *", "not ok *", "ok *", "1..*", "--- *", "=== *", "---- *", "[ RUN *",
		"[  FAILED  ]*", "[       OK ]*", "[  PASSED  ]*", "[----------]*", "\u25cf *", "\u2713 *",
		"\u2714 *", "\u2715 *", "\u2716 *", "\u00d7 *", "make: *", "make[*", NULL};
	return line_matches_any(text, marks) || text_starts_with(text, "# Subtest: ");
}

/* The same of CTest, whose tests may print what other runners do. */
static bool detail_is_ctest_mark(const char *text)
{
	static const char *const marks[] = {"#/# Test *", "#% tests passed*", NULL};
	int n = 0;
	if (text_starts_with(text, "Start "))
		sscanf(text, "Start %*u: %n", &n); /* the number is padded */
	return n || line_matches_any(text, marks);
}

static bool detail_is_rule(const char *text)
{
	size_t n = 0;
	while (*text && text[n] == *text)
		n++;
	return n >= RULE_LEAST && strchr("-=_*#", *text) && !text[n];
}

/* What differs from run to run, and frames of the runner's own. */
static bool detail_is_noise(const char *text)
{
	return text_starts_with(text, "duration_ms") || text_starts_with(text, "node:internal/") ||
		strstr(text, "(node:");
}

/* The subject that a line names, by the longest of the names in it. Those of one name come in the
 * order of their pieces. */
static struct subject *detail_find_subject(struct explaining *explaining, const char *line)
{
	struct subject *found = NULL;
	for (size_t i = 0; i < explaining->n; i++) {
		struct subject *subject = &explaining->subjects[i];
		bool is_done = subject->is_shared && subject->length;
		if (!is_done && text_has_word(line, subject->name) &&
			(!found || strlen(subject->name) > strlen(found->name)))
			found = subject;
	}
	return found;
}

static void detail_close_piece(struct explaining *explaining)
{
	struct subject *subject = STEAL(&explaining->open);
	struct strbuf *piece = &explaining->piece;
	strbuf_mark_cut(piece);
	strbuf_rtrim(piece);
	if (!subject || explaining->lines < 2 || piece->length <= subject->length)
		return;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE); /* the cut may have gone through a character */
	utf8_scrub(&text, piece->text, piece->length);
	subject->length = piece->length;
	subject->result->detail = arena_strndup(explaining->arena, text.text, text.length);
}

static void detail_hear(void *owner, const char *line)
{
	struct explaining *explaining = owner;
	const char *text = line + strspn(line, " \t");
	bool is_ctest = detail_is_ctest_mark(text), in_ctest = explaining->open && explaining->in_ctest;
	bool begins = is_ctest || (!in_ctest && detail_is_mark(text));
	bool is_rule = !in_ctest && explaining->lines > HEADING_MOST && detail_is_rule(text);
	if (explaining->open && (begins || is_rule))
		detail_close_piece(explaining);
	if (begins && (explaining->open = detail_find_subject(explaining, text))) {
		strbuf_reset(&explaining->piece);
		explaining->lines = 0;
		explaining->in_ctest = is_ctest;
	}
	if (!explaining->open || detail_is_noise(text))
		return;
	strbuf_addf(&explaining->piece, "%s\n", line);
	explaining->lines += *text != '\0';
}

/* What follows the last separator before `end`. */
static const char *detail_after_last(const char *id, const char *end, const char *separator)
{
	const char *name = id;
	size_t n = strlen(separator);
	for (const char *at; (at = strstr(name, separator)) && at + n < end;)
		name = at + n;
	return name;
}

/* The last part of an id, as lines name the test: of "tests/a.py::Case::test_x[1.5]", "suite >
 * adds", "pkg.Case.test_x". */
static const char *detail_name_of(const char *id, struct arena *arena)
{
	static const char *const separators[] = {"::", " > ", " \u203a "};
	const char *name = id;
	for (size_t i = 0; i < ARRAY_SIZE(separators); i++)
		name = detail_after_last(name, name + strcspn(name, "["), separators[i]);
	if (name == id && !strchr(id, ' ')) {
		name = detail_after_last(name, name + strcspn(name, "["), "/");
		name = detail_after_last(name, name + strcspn(name, "["), ".");
	}
	return arena_strndup(arena, name, id_name_length(name, strlen(name)));
}

static void detail_add_subjects(struct explaining *explaining, const struct test_report *report)
{
	for (size_t i = 0; i < report->n && explaining->n < EXPLAINED_MOST; i++) {
		struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status) || result->detail)
			continue;
		const char *id = result->printed ? result->printed : result->id;
		struct subject subject = {.result = result, .name = detail_name_of(id, explaining->arena)};
		for (size_t j = 0; j < explaining->n; j++)
			if (strcmp(explaining->subjects[j].name, subject.name) == 0)
				subject.is_shared = explaining->subjects[j].is_shared = true;
		explaining->subjects[explaining->n++] = subject;
	}
}

int suite_explain(struct test_report *report, int log, struct arena *arena, struct rondo_error *err)
{
	struct explaining explaining = {.arena = arena, .piece = STRBUF_INIT(DETAIL_MOST)};
	detail_add_subjects(&explaining, report);
	int status =
		explaining.n ? lines_read(log, (struct listener){detail_hear, &explaining}, err) : 0;
	if (status == 0)
		detail_close_piece(&explaining);
	strbuf_release(&explaining.piece);
	return status;
}
