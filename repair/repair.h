/*
 * Search-based program repair, pure: texts and a test report in, candidate edits out, best first.
 * It runs nothing, reads no file, knows no agent. It needs only tokens and brackets: any language
 * with a table in base/lexer/ works.
 *
 * source/ finds statements, definitions and the roles of tokens. localise/ says where the fault may
 * be. mutations/ propose edits there, with what pool/ collects of the code around. search.h is the
 * queue of all that may be tried, cheapest first. Beside it: history/ takes back what changed last,
 * blend/ puts candidates into one build, inputs/ makes further tests, excerpt/ tells models what to
 * read.
 */
#pragma once
#include "base/arena.h"
#include "chat/candidates.h"
#include "chat/coverage.h"
#include "chat/past.h"
#include "chat/test_report.h"

/* A file that may matter. All borrowed for the life of the search. */
struct repair_file {
	const char *path; /* relative to the tree; its suffix names the language */
	const char *text;
	size_t n;
	bool editable; /* false: a test or otherwise protected; read for names and literals only */
	const size_t *frozen_starts, *frozen_ends; /* byte ranges that no edit may touch */
	size_t n_frozen;
	const struct past_text *past; /* what it was before; NULL: unknown */
};

/* The file of a path, or NULL. */
const struct repair_file *repair_file_of(
	const struct repair_file *files, size_t n, const char *path);

struct repair;

/* Whether the suffix of a path names a language that repair knows. */
bool repair_knows(const char *path);

/* Begin a search. `report` shows the failures at base. Memory in the arena. Deterministic: the
 * same files and report give the same candidates in the same order. */
struct repair *repair_new(struct arena *arena, const struct repair_file *files, size_t n,
	const struct test_report *report);

/* Another order among those that are about as likely, for each seed another one; 0: by cost
 * alone. Before the first. */
void repair_seed(struct repair *repair, uint64_t seed);

/* The next candidate, cheapest first; never the same text twice. False when there is none left.
 * It lies in the arena of repair_new. Generated lazily: the first costs milliseconds whatever
 * the size of the files. */
bool repair_next(struct repair *repair, struct candidate *candidate);

/* Never propose the text that an edit of one file makes: somebody else did. */
void repair_exclude(struct repair *repair, const struct edit *edit);

/* The places that are suspected most, likeliest first, as "path:line"; at most n. Gives how
 * many. */
size_t repair_suspects(const struct repair *repair, const char **places, size_t n);

/* The same, but one place of each definition, and only what tests are known to reach. */
size_t repair_suspect_parts(const struct repair *repair, const char **places, size_t n);

/* Take in which lines the tests run: what only failing ones run comes earlier. At any time, also
 * again; nothing is proposed twice. */
void repair_cover(struct repair *repair, const struct coverage *coverage);

/* Take in that a candidate fixed so many failing tests and broke none: it is tried together with
 * what else is likely. */
void repair_progress(struct repair *repair, int64_t id, size_t fixed);

/* Take in that a candidate fixed all failing tests, and perhaps broke others: where it forced a
 * way, the condition for it is looked for. */
void repair_helps(struct repair *repair, int64_t id);

/* Take in that the failing tests fail otherwise with a candidate. */
void repair_moves(struct repair *repair, int64_t id);

/* Take in that all is known of the candidates up to this one. */
void repair_judged(struct repair *repair, int64_t id);

/* Set the inputs of what is asked: an edit of test files that adds copies of failing tests, each
 * with another value in one place. Edits under which these say the same behave alike there. In the
 * arena of repair_new. False where no test can be copied. The ids are those that the copies will
 * have. */
bool repair_inputs(
	struct repair *repair, const struct test_report *report, struct candidates *asked);

/* Why hardly any edit helps, as the end of a sentence: all failures are of files that are not
 * searched, and do not compile or name what nothing defines. In the arena; NULL: one may help. */
const char *repair_hopeless(
	struct repair *repair, const struct test_report *report, struct arena *arena);

/* The i-th file that is not searched, and why, as a sentence without its path. NULL: there are
 * no more. */
const char *repair_skipped(const struct repair *repair, size_t i, const char **ret_why);

/* --- what is worth reading --- */

enum excerpt_kind {
	EXCERPT_TEST,    /* a failing test, what it uses of its own file, that file's imports */
	EXCERPT_RUN,     /* what failing tests run, as far as it is known */
	EXCERPT_CALLER,  /* what calls that */
	EXCERPT_IMPORTS, /* of the files with what they run */
	EXCERPT_REACHED, /* what they may run, too, but much less likely */
};

/* Whole lines of a file, from 1, both included. */
struct excerpt {
	const struct repair_file *file;
	enum excerpt_kind kind;
	uint32_t first, last;
	uint32_t line;                    /* the likeliest of these */
	uint32_t class_first, class_last; /* the lines that name the class around; 0: none */
};

/* What to read of files to understand a report: by kind, and of each kind the likeliest first.
 * `places`: what is known to be suspected, as repair_suspects says it. In the arena; gives how
 * many. */
size_t repair_excerpts(struct arena *arena, const struct repair_file *files, size_t n,
	const struct test_report *report, const char *const *places, size_t n_places,
	struct excerpt **ret_excerpts);

/* A function or class with its signature, on one line. */
struct heading {
	const char *text;
	uint32_t depth; /* how many of these are around it */
};

/* The functions and classes of a file, in its order, without those within functions. In the arena;
 * gives how many. */
size_t repair_headings(
	struct arena *arena, const struct repair_file *file, struct heading **ret_headings);

/* --- several candidates in one text, for one build --- */

/* The numbers that a program which was built of a blend understands: it does as the base, it
 * never comes to an end, it fails as soon as it is to do what candidates change, it does as the
 * first candidate. */
enum { BLEND_BASE, BLEND_HANG, BLEND_FAIL, BLEND_FIRST };

/* Where a candidate's text has come to lie, in lines as compilers name them. */
struct blend_lines {
	const char *path;
	size_t first, end; /* the line after the last */
	size_t candidate;
};

struct blend {
	struct edit edit; /* to the files that hold them all */
	size_t n; /* of the candidates: how many of the first ones were looked at before it was full */
	bool *holds; /* by candidate: whether it can be chosen, by BLEND_FIRST and its place */
	size_t n_held;
	struct blend_lines *lines;
	size_t n_lines;
};

/* Whether the language of a path lets one text hold several candidates. */
bool blend_knows(const char *path);

/* Put candidates for the files into one text: a function that some of them change holds the
 * bodies of all, and asks the environment variable at run time which one it is to have. What a
 * candidate changes must lie within functions of C, C++, Go, Rust or Java. It pays where a run
 * needs neither a build nor the build's program, which in Go and Rust take longer than the tests.
 * `leave_out`: by candidate, those that do not compile. Lies in the arena. */
void blend_make(struct blend *blend, const struct repair_file *files, size_t n_files,
	const struct candidate *candidates, size_t n, const bool *leave_out, const char *variable,
	struct arena *arena);

/* Mark the candidates in whose text a compiler found errors, going by what it printed. Gives how
 * many. */
size_t blend_blame(const struct blend *blend, const char *printed, bool *blamed);
