/* One run of the suite in a fresh checkout, and how it compares with the base. Inside gate/
 * only. */
#pragma once
#include "verify/gate/gate.h"

enum sentinels {
	SENTINELS_NONE,   /* none were asked for */
	SENTINELS_HELD,   /* the one failed and the other passed, and the report says so */
	SENTINELS_ABSENT, /* neither was run */
	SENTINELS_WRONG,
	SENTINELS_LIED, /* the one that must fail was reported as passed */
};

/* What programs print in one run: a word that nobody could know, and what follows it. */
struct seal {
	char token[33];
	bool is_set; /* a program prints it */
};

struct judging_order {
	const char *name;                /* of the checkout and its log */
	enum gate_place place;
	const struct sentinel *sentinel; /* NULL: none */
	bool counter;                    /* the program has one more test, which must fail */
	struct arena *arena;             /* of the report and the comparison; NULL: the gate's */
};

struct judging {
	struct test_report report;    /* without the sentinels */
	struct comparison comparison; /* valid where there is no refusal */
	const char *refusal;          /* a rule that only shows in a run, with its evidence */
	const char *protected_path;   /* of the file whose protection is the reason for that; or NULL */
	bool has_counter;             /* there was a place for it */
	struct seal seal;
	const char *marks; /* that programs printed, a line each; NULL: none is sealed */
	enum sentinels sentinels;
	const char *sentinel_problem; /* where they are wrong: what was reported */
};

int judging_run(const struct gate *gate, const struct object *tree,
	const struct judging_order *order, struct judging *judging, struct rondo_error *err);

/* Whether all that is asked of one run was seen. */
bool judging_holds(const struct judging *judging);

/* --- sentinel.c --- */

/* A sentinel for this suite with names of its own, and its tree's place; NULL where there is no
 * place for one. In the gate's arena. */
const struct sentinel *sentinel_make(const struct gate *gate);

/* What a report says of it; the report is then without it. */
void sentinel_read(const struct sentinel *sentinel, struct arena *arena, struct judging *judging);

/* --- program.c: programs that hold tests of their own --- */

/* Their tests must be unchanged, else a refusal; then the checkout's programs are made to print
 * marks. */
int program_seal(const struct gate *gate, const struct object *tree, struct checkout *place,
	struct seal *seal, struct judging *judging, struct rondo_error *err);

/* Take the marks that a run printed out of its log. */
int program_read_marks(const struct gate *gate, const struct seal *seal, struct judging *judging,
	struct rondo_error *err);

/* See which tests run at the base. */
int program_survey(struct gate *gate, struct rondo_error *err);

/* Why a run that holds is refused nevertheless: a test was not reached. NULL: it is not. */
const char *program_check_marks(const struct gate *gate, const struct judging *judging);

/* Put a test that must fail into the checkout's program, after the one that failed at the base. */
int program_put_counter(const struct gate *gate, const struct object *tree, struct checkout *place,
	bool *ret_put, struct rondo_error *err);

/* Run the verdict's tree with it. ret_reason: why it is refused, or NULL. */
int program_counter(const struct gate *gate, struct verdict *verdict, const char **ret_reason,
	struct rondo_error *err);

/* --- counter.c --- */

/* Run copies of tests that must fail on the verdict's tree, and on the base those that pass there.
 * ret_reason: why it is refused, or NULL. */
int counter_run(const struct gate *gate, struct verdict *verdict, const char **ret_reason,
	struct rondo_error *err);

/* --- clean_up.c --- */

/* Leave out of the tree what the fix does not need, as far as the suite still holds without it.
 * `first` is the run that held, and becomes that of the tree that is left. */
int clean_up(const struct gate *gate, struct verdict *verdict, struct judging *first,
	struct rondo_error *err);

/* --- further.c: what the user asks beside the suite --- */

/* Run verify.checks and the hidden suite on the verdict's tree; ret_reason: why it is not verified,
 * or NULL. */
int further_run(const struct gate *gate, struct verdict *verdict, const char **ret_reason,
	struct rondo_error *err);

/* --- gate.c --- */

bool gate_has(const struct gate *gate, const char *path); /* in the base */

/* A line of evidence. */
void gate_note(const struct gate *gate, struct verdict *verdict, const char *text);
