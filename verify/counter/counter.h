/*
 * Counter-tests: copies of a test that must not pass, because they expect something wrong or fail
 * by themselves. If one passes, the results of the test say nothing. A further copy is the same
 * under another name, and must pass. Pure: texts in, texts out; the gate runs them. A family of
 * test files is one file here.
 */
#pragma once
#include "base/arena.h"
#include "base/lexer/source.h"
#include "chat/edit.h"

enum counter_kind {
	COUNTER_EXPECTED, /* it expects another value, another error, or the opposite */
	COUNTER_END,      /* it fails after its last statement */
	COUNTER_FIRST,    /* a function that it hands over, or a block of its own, fails at its start */
	COUNTER_LAST,     /* the same, at its end */
	COUNTER_CALLED, /* that function does not fail, but at its end the test does, if it was called:
	                     this copy may pass */
	COUNTER_SAME,   /* nothing is changed but its name, and who calls the program: it must pass */
};

/* A test that copies are wanted of. */
struct counter_test {
	const char *id;
	bool only_end; /* copies that fail after the last statement, and no others: the fix changes its
	                    file, so that the base has no such copies to compare with */
	bool only_same; /* a copy with nothing changed, and no others */
	bool is_suite; /* the id stands for the whole suite, whose tests are not known */
	int failed_line; /* in its file, at the base; 0: not known */
	size_t number;   /* the caller's */
	size_t most;     /* copies */
};

struct counter_copy {
	enum counter_kind kind;
	size_t test;  /* number of its original */
	size_t round; /* those of one round are run together */
	/* stands in the ids of its results, with "_" before it, and in no other; NULL: it takes the
	 * original's place, in a round of its own */
	const char *mark;
	const char *run;   /* the id by which it is run */
	const char *shown; /* what is changed, as the copy has it, on one line */
	int line;          /* of that in the test file */
	size_t file;       /* of the plan's */
	size_t group;      /* equal for copies that change the same function; 0: none */
	bool is_all;       /* what is changed holds all that the test asserts */
};

struct counter_type;

struct counter_splice {
	struct splice splice;
	size_t round;
};

/* A test file, to which copies are added. */
struct counter_file {
	const struct counter_type *type;
	const char *path, *text;
	size_t n;
	bool is_changed; /* the fix changes it, so that the base has another text */
	const struct language *language;
	struct token_list tokens;
	struct counter_splice *splices; /* copies, in any order */
	size_t n_splices;
};

/* All copies of one run. */
struct counter_plan {
	struct arena *arena;
	const char *word; /* names of copies and of their helpers have it */
	const char *said; /* what fails on purpose says it; of no name */
	struct words words;
	struct counter_file **files;
	size_t n_files;
	struct counter_copy *copies;
	size_t n;
	size_t
		most; /* no more copies than these, of all tests so far, but for those that are the same */
	size_t n_rounds; /* of copies in the places of their originals, from 1 on */
};

struct counter_type {
	const char *name;
	/* of the reports that name its tests, and of its files; each enclosed by spaces */
	const char *formats, *languages;
	/* a test goes on after a failure, so that the one on purpose may not be its message */
	bool goes_on;
	/* What the runner's environment gets where nobody reads why a copy failed: a variable, with its
	 * "=", and what is added to it; NULL: nothing. */
	const char *variable, *added;
	/* Whether a file's name lets it hold the test of an id. */
	bool (*may_hold)(const char *id, const char *path);
	/* Add copies of a test; gives why there are none (static), or NULL. `has_file`: the file does
	 * hold the test. */
	const char *(*copy)(struct counter_plan *plan, size_t file, const struct counter_test *test,
		bool *ret_has_test);
	/* What copies call, added to the end of a file of theirs; in the arena. NULL: nothing. */
	const char *(*helpers)(const struct counter_plan *plan, const struct language *language);
};

#define COUNTER_SYMBOL(name) name##_counter
#define COUNTER_TYPES(_) _(pytest), _(unittest), _(script), _(shell), _(go), _(cargo)
REGISTRY_DECLARE(struct counter_type, counter_types, COUNTER_TYPES(COUNTER_SYMBOL));

/* Whether it makes copies of tests that a report in these formats names: "pytest", "tap+jest". */
bool counter_type_reads(const struct counter_type *type, const char *formats);

/* A plan with no copies. Words are random letters and digits. */
void counter_plan_init(
	struct counter_plan *plan, const char *word, const char *said, struct arena *arena);

/* Add copies of a test that stands in the file. Gives why there are none (static), or NULL. */
const char *counter_add(struct counter_plan *plan, const struct counter_type *type,
	const char *path, const char *text, size_t n, const struct counter_test *test,
	bool *ret_has_test);

/* A file with its copies of a round, in the arena; NULL: it has none. */
const char *counter_text(
	const struct counter_plan *plan, const struct counter_file *file, size_t round);

/* A name or text without the plan's words, as people are shown it; in the arena. */
const char *counter_shown(const struct counter_plan *plan, const char *text, size_t n);

/* --- For types --- */

/* A change of a test: splices of its file, in order, and the line that is shown. */
struct counter_change {
	enum counter_kind kind;
	struct splice splices[3];
	size_t n;
	size_t at; /* where the shown line lies in the file */
	size_t group;
	bool is_all;
};

/* A word of a text, and what stands for it. */
struct counter_word {
	const char *mark, *is;
};

/* A text in which "@W@" is the plan's word, "@S@" what failures say, and n more words are what they
 * are; in the arena. */
const char *counter_expand(
	const struct counter_plan *plan, const char *text, const struct counter_word *words, size_t n);

/* The next copy's mark, in the arena. */
const char *counter_mark(const struct counter_plan *plan);

/* A stretch of a file with a change, and with "_" and the mark at the end of its name; in the
 * arena. The copy gets its kind and what is shown of it. */
const char *counter_changed(const struct counter_plan *plan, const struct counter_file *file,
	size_t start, size_t end, size_t name_end, const struct counter_change *change,
	struct counter_copy *copy);

/* Add a text at a place of the file, and its copy, whose file is set. */
void counter_put(
	struct counter_plan *plan, const struct counter_copy *copy, size_t offset, const char *text);

/* Add a copy of a test in which nothing is changed. `at`: where the line lies that is shown. */
void counter_put_same(struct counter_plan *plan, size_t file, const struct counter_test *test,
	const char *mark, const char *run, size_t at, size_t offset, const char *text);

/* Add a copy of a test in its place: the file with a change, run by the id of the test. */
void counter_put_in_place(struct counter_plan *plan, size_t file, const struct counter_test *test,
	const struct counter_change *change);
