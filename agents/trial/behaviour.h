/* What candidates do under tests that were made for it alone: only whether two say the same is of
 * interest. */
#pragma once
#include "agents/agent.h"
#include "base/hash.h"
#include "chat/candidates.h"

enum outcome_kind {
	OUTCOME_NONE,  /* the test did not run, or not in time */
	OUTCOME_ERROR, /* it ended in an error rather than in an assertion */
	OUTCOME_PASSED,
	OUTCOME_FAILED,
};

enum { OUTCOME_TEXT = 80 };

/* What such a test said of a candidate. */
struct outcome {
	enum outcome_kind kind;
	char text[OUTCOME_TEXT]; /* for people: the first line of its message, or "passes" */
	char said[HASH_SIZE];    /* of its message */
	char bare[HASH_SIZE];    /* of its message without what that repeats of the test's text */
};

/* Take from a report what the tests of the input_ids say; an outcome for each. */
void outcomes_read(
	const struct candidates *asked, const struct test_report *report, struct outcome *outcomes);

/* Run the tests that `asked` adds, with one of its candidates, in a checkout that holds the text
 * that both are for, and does so again afterwards; and take what they say. */
int behaviour_ask(const struct agent_services *services, struct checkout *checkout,
	const struct candidates *asked, size_t place, int64_t timeout_ms, struct outcome *outcomes,
	const struct context *ctx, struct rondo_error *err);

/* Give each result of a candidate the word for its behaviour, and what it said. `outcomes`: by
 * candidate, then by input id. A test that ends in an error with each candidate counts for nothing,
 * as does one whose copies say the same whatever their values are. Where nothing is left, and for a
 * candidate that did not run, the behaviour stays NULL. */
void behaviours_judge(const struct candidates *asked, const struct outcome *outcomes,
	struct arena *arena, struct candidate_result *results);
