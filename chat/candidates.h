/* Edits that a coder proposes to try, and what trying them showed. */
#pragma once
#include "chat/coverage.h"
#include "chat/edit.h"

/* Where several candidates pass the tests, how likely one is also right: the earlier the likelier. */
enum candidate_rank {
	CANDIDATE_OPERATOR,  /* another operator, name, function, order */
	CANDIDATE_STRUCTURE, /* an expression or statement put together, moved, added */
	CANDIDATE_LITERAL,   /* another number or text */
	CANDIDATE_SPECIAL, /* a new literal that the failing tests say: perhaps for their case alone */
	CANDIDATE_REMOVAL, /* a statement less */
};

struct candidate {
	int64_t id; /* unique within the search */
	struct edit edit;
	int patience; /* how many times the usual limit of time it is given; 0: once */
	const char *kind; /* what made it, in a word: "symbol", "insert"; NULL: not said */
	enum candidate_rank rank;
	double cost; /* how unlikely it was to be right before it was tried, in bits, beside others of its search */
};

struct candidates {
	struct candidate *items; /* likeliest first */
	size_t n;
	bool wants_all;      /* all are tried, also behind one that wins */
	struct edit inputs;  /* where it edits a file: all have passed, and how each behaves under the tests that this adds is asked */
	const char **input_ids; /* of these tests */
	size_t n_input_ids;
	bool wants_coverage; /* where none of them wins, which lines the tests run is asked for, too */
};

/* What one candidate did to the goal, where it did anything good, or may yet. */
struct candidate_result {
	int64_t id;
	size_t fixed; /* how many failing tests passed with it */
	bool slow;    /* its time went by: more may show that it is right */
	bool wins;    /* it fixed all of them and broke none */
	const char *behaviour; /* of those that said the same to further inputs the same; NULL: nobody asked, or it said nothing */
};

struct candidate_results {
	size_t tried;     /* fewer than there were where one won, or time ran out; none where they were
	                   * asked how they behave */
	int64_t winner;   /* the id of the first that fixed all of them and broke none, or 0 */
	int64_t ms;       /* in which they were tried */
	int64_t built_ms; /* of that, in which several were built together: more of them would not have
	                   * taken much longer */
	bool is_fast;     /* so many can be tried that it is worth the while to look beyond the winner */
	struct candidate_result *progress;
	size_t n;
	bool has_coverage; /* it was asked for, and looked at */
	struct coverage coverage;
};
