/* Runs code blocks for the executor agent, and words their results. */
#pragma once
#include "agents/executor/approval.h"

struct execution {
	struct block_rules rules;        /* beside those of the executor */
	struct option_strings functions; /* files whose functions blocks may import */
	const char *reply;               /* "ag2" or "autogen" */
};

#define EXECUTION_OPTIONS(type, member) \
	BLOCK_RULE_OPTIONS(offsetof(struct type, member.rules)), \
		OPTION("functions", STRINGS, offsetof(struct type, member.functions), \
			"Python files whose functions blocks may import from the module functions"), \
		OPTION("reply", ENUM, offsetof(struct type, member.reply), \
			"how results are worded: as AG2's executors do or as AutoGen's", \
			.values = execution_replies, .fallback = "ag2")

extern const char *const execution_replies[];

/* Whether its functions can be imported; an error says which cannot, and why. */
int execution_start(struct agent *agent, const struct execution *execution,
	const struct context *ctx, struct rondo_error *err);

/* Run the blocks on the agent's main checkout; the message lies in the arena. What they changed
 * where they may not is put back, and where they were cancelled all of it. */
int execution_run(struct agent *agent, const struct execution *execution, const struct work *work,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err);

/* What is said where there is nothing to run; NULL: nothing. Static. */
const char *execution_nothing(const struct execution *execution);

/* The message of a result that is one text. */
struct rondo_message execution_message(
	const struct execution *execution, int exit_code, const char *output, struct arena *arena);
