/*
 * The gate: a tree in, a verdict out. Base plus the difference as data, what is protected as in the
 * base, in new directories and new sandboxes; every goal test passes, nothing that passed fails,
 * disappears or is skipped, the exit code agrees; again under another directory's name, beside
 * tests of its own; and no rule of the guard is broken. Only what the program itself observed
 * counts.
 *
 * A goal of several groups may be fixed in part: the tests of at least one group all pass. All that
 * is asked of a fix is then asked of one whose goal are the groups that pass; the tests of the
 * others count as what failed before.
 */
#pragma once
#include "verify/judge/judge.h"

/* What is asked of a fix. */
struct gate_settings {
	int64_t repeat;            /* runs of the suite, at least 1 */
	bool all;                  /* every test of the goal must pass, not only those of a group */
	bool sentinels;            /* the second brings tests of its own */
	bool counter_tests;        /* copies of tests that expect something wrong must fail */
	bool clean_up;             /* drop what the fix does not need */
	const char *const *checks; /* commands that have to end with 0 */
	size_t n_checks;
	const char *hidden; /* the command of a suite that no agent sees; NULL: none */
	const struct option_texts *hidden_files; /* its files, by path */
	const char *hidden_copy; /* a directory with more of them, absolute; NULL: none */
	int64_t suite_timeout_ms;
	int64_t afresh_timeout_ms; /* where nothing is built yet */
	const char *log_dir;
};

/* What a program that holds its own tests did at the base. */
struct program_survey {
	struct program_duty *duties; /* what it has to print in a fix */
	size_t n;
	bool has_run;
};

/* Where the gate runs a suite, each time in a fresh checkout. */
enum gate_place {
	GATE_BUILT,     /* with what the base's run has built, and the user before it */
	GATE_AFRESH,    /* without either; programs still see the user's caches */
	GATE_ELSEWHERE, /* the same, at a path that programs have not seen before */
};

/* What it is given; all borrowed. */
struct gate {
	struct repository *repository;
	const struct base *base;
	const char *const *base_paths; /* of the base, sorted */
	size_t n_base_paths;
	const struct suite *suite;
	const struct baseline *baseline;
	const struct protection *protection;
	const struct gate_settings *settings;
	/* A fresh checkout of a tree in a directory of that name, with an executor. The caller gives it
	 * back by `leave`. */
	int (*enter)(void *owner, const struct object *tree, const char *name, enum gate_place place,
		struct checkout *ret_checkout, struct rondo_error *err);
	void (*leave)(struct checkout *checkout);
	void *owner;
	/* One for each of the suite's own_tests; NULL: nobody has looked yet. */
	const struct program_survey *surveys;
	/* what is different elsewhere, in words; NULL: nothing is run there */
	const char *elsewhere;
	bool elsewhere_is_known; /* the base was seen to say the same there */
	const struct context *ctx;
	struct arena *arena; /* takes the verdict */
};

enum verdict_kind { VERDICT_NOT_FIXED, VERDICT_REFUSED, VERDICT_VERIFIED };

struct verdict {
	enum verdict_kind kind;
	const char *reason;           /* where it is not verified */
	const char **protected_paths; /* whose protection is the reason */
	size_t n_protected;
	/* what was judged: protected files as in the base, without what was dropped */
	struct object tree;
	struct test_report report;    /* of the first run of that tree */
	struct comparison comparison; /* with the groups of the goal that pass */
	const char **unfixed;         /* goal tests of other groups */
	size_t n_unfixed;
	const char **left_out; /* changed, but judged as in the base: "path (rule)" */
	size_t n_left_out;
	struct finding *findings; /* of the guard: what refuses, and what is only marked */
	size_t n_findings;
	const char **dropped; /* what the fix did not need, in words */
	size_t n_dropped;
	/* what was done, a line each: runs, sentinels, checks, the hidden suite */
	const char **evidence;
	size_t n_evidence;
	bool sentinels_held; /* two tests of the gate's own were reported as they came out */
	size_t n_counter_tests; /* copies of tests that failed, as they must */
	bool is_by_counter_test; /* what came of a copy is the reason */
};

/* Judge the tree of a main checkout; the first time the gate also looks at the base. -1 only where
 * it could not be judged: a full disk, no sandbox, cancelled. */
int gate_judge(struct gate *gate, const struct object *fixed, struct verdict *verdict,
	struct rondo_error *err);

/* The tree with what is protected as in the base, and what that was ("path (rule)"); nothing is
 * run. */
int gate_take(const struct gate *gate, const struct object *fixed, struct verdict *verdict,
	struct rondo_error *err);

/* One run of the suite on a tree in a fresh checkout of that name; nothing is judged. */
int gate_run(const struct gate *gate, const struct object *tree, const char *name,
	struct test_report *ret_report, struct rondo_error *err);

/* Tell rules of the base's test files: their paths, the texts of the first, and those of the
 * baseline's goal. The inspection has the base's paths. */
void inspection_add_tests(struct inspection *inspection, struct repository *repository,
	const struct object *base, const struct protection *protection,
	const struct baseline *baseline);
