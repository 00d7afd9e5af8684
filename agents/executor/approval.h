/* Approval by a command, before code runs or an edit is applied; between approval.c and
 * executor.c. */
#pragma once
#include "agents/agent.h"

/* What is to be carried out: an edit's message, or blocks of code. */
struct work {
	const struct rondo_message *message; /* that it was said in; NULL: there is none */
	bool is_edit;
	const struct code_block *blocks;
	size_t n;
};

struct approval {
	const char *command;   /* a line for sh; NULL: all is approved */
	bool remember;         /* what was approved once in a run is not asked about again */
	struct map remembered; /* by hash */
};

/* Ask the command. ret_refusal, in the arena: why it is not approved; NULL: it is. A command that
 * does not answer as it should is an error that names it. */
int approval_ask(struct agent *agent, struct approval *approval, const struct work *work,
	struct message_span unseen, struct arena *arena, const char **ret_refusal,
	const struct context *ctx, struct rondo_error *err);
