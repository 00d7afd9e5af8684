/* Edits that a coder proposes to try, and what trying them showed. */
#pragma once
#include "chat/coverage.h"
#include "chat/edit.h"

/* The kind of a candidate: of several that pass, one of an earlier rank is likelier to be right. */
enum candidate_rank {
	CANDIDATE_OPERATOR,  /* another operator, name, function, order */
	CANDIDATE_STRUCTURE, /* an expression or statement put together, moved, added */
	CANDIDATE_CONDITION, /* a condition put together: many that are wrong pass, too */
	CANDIDATE_LITERAL,   /* another number or text */
	CANDIDATE_REVERT,    /* what somebody changed is taken back */
	CANDIDATE_EQUALITY,  /* in an equality or an assertion: what tests judge by */
	CANDIDATE_SPECIAL,   /* a new literal from the failing tests: perhaps for their case only */
	CANDIDATE_REMOVAL,   /* a statement removed */
};

struct candidate {
	int64_t id; /* unique within the search */
	struct edit edit;
	int patience;     /* how many times the usual time limit it gets; 0: once */
	const char *kind; /* what made it, in a word: "symbol", "insert"; NULL: not said */
	enum candidate_rank rank;
	/* how unlikely it was to be right before it was tried, in bits, beside others of its search */
	double cost;
};

struct candidates {
	struct candidate *items; /* likeliest first */
	size_t n;
	bool wants_all; /* try all, also after one that passes */
	/* where it edits a file: all have passed, and how each behaves under the tests that this adds
	 * is asked */
	struct edit inputs;
	const char **input_ids;   /* of these tests, */
	const char **input_notes; /* and what is other in each: "test_price with 5 for 4" */
	size_t n_input_ids;
	bool wants_coverage; /* if none passes, find which lines the tests run */
};

/* The result of one candidate, if it fixed anything or ran out of time. */
struct candidate_result {
	int64_t id;
	size_t fixed; /* how many failing tests passed with it */
	size_t also;  /* where it wins: how many that fail, too, and were not asked for */
	bool slow;    /* it ran out of time, and may yet pass */
	bool wins;    /* it fixed all and broke none */
	bool breaks;  /* it fixed all and broke another test */
	bool moves;   /* the failing tests fail otherwise than without it */
	const char *
		/* of those that said the same to further inputs the same; NULL: nobody asked, or it said
		 * nothing */
		behaviour;
	const char **said; /* to each of these inputs; NULL: what was said there counts for nothing */
};

struct candidate_results {
	size_t tried;     /* fewer than there were where one won, or time ran out; none where they were
	                   * asked how they behave */
	int64_t winner;   /* the id of the first that fixed all of them and broke none, or 0 */
	int64_t ms;       /* in which they were tried */
	int64_t built_ms; /* of that, in which several were built together: more of them would not have
	                   * taken much longer */
	int64_t covered_ms; /* of that, in which it was found which lines the tests run */
	bool is_fast;       /* so fast that it pays to try more after the winner */
	struct candidate_result *progress;
	size_t n;
	bool has_coverage; /* it was wanted and found */
	struct coverage coverage;
};
