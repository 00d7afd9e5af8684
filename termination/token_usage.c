/* What models charged for the messages of the chat, in tokens. What a run may spend at all says
 * limits.tokens, which is asked before each call. */
#include <inttypes.h>

#include "base/utf8.h"
#include "termination/termination.h"

struct token_usage {
	int64_t most_total, most_prompt, most_completion; /* 0: no limit */
	struct rondo_usage sum;
};

#define AT(member) offsetof(struct token_usage, member)

static const struct option options[] = {
	OPTION("total", INT, AT(most_total),
		"tokens asked and answered; one of the three must be given", .least = 1, .main = true),
	OPTION("prompt", INT, AT(most_prompt), "tokens asked", .least = 1),
	OPTION("completion", INT, AT(most_completion), "tokens answered", .least = 1),
	OPTION_END,
};

static int token_usage_check_options(const void *options_, struct rondo_error *err)
{
	const struct token_usage *state = options_;
	if (state->most_total || state->most_prompt || state->most_completion)
		return 0;
	return error_set(
		err, RONDO_ERROR_USAGE, "at least one of total, prompt and completion must be given");
}

static bool token_usage_is_over(const struct token_usage *state)
{
	const struct rondo_usage *sum = &state->sum;
	return (state->most_total &&
			   sum->prompt_tokens + sum->completion_tokens >= state->most_total) ||
		(state->most_prompt && sum->prompt_tokens >= state->most_prompt) ||
		(state->most_completion && sum->completion_tokens >= state->most_completion);
}

static int token_usage_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	struct token_usage *state = termination->state;
	for (size_t i = 0; i < delta.n; i++) {
		state->sum.prompt_tokens += delta.messages[i]->models_usage.prompt_tokens;
		state->sum.completion_tokens += delta.messages[i]->models_usage.completion_tokens;
		if (!reason->message && token_usage_is_over(state))
			reason->message = delta.messages[i];
	}
	utf8_format(reason->text, sizeof reason->text,
		"Token usage limit reached, total token count: %" PRId64 ", prompt token count: %" PRId64
		", completion token count: %" PRId64 ".",
		state->sum.prompt_tokens + state->sum.completion_tokens, state->sum.prompt_tokens,
		state->sum.completion_tokens);
	return token_usage_is_over(state);
}

static const struct termination_count counts[] = {
	{"prompt", AT(sum.prompt_tokens)}, {"completion", AT(sum.completion_tokens)}, {NULL, 0}};

const struct termination_type token_usage_termination = {
	.name = "token_usage",
	.summary = "models have charged this many tokens",
	.stop_kind = RONDO_STOP_LIMIT,
	.state_size = sizeof(struct token_usage),
	.options = options,
	.check_options = token_usage_check_options,
	.check = token_usage_check,
	.counts = counts,
};
