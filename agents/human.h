/* Asking a human: what user.c and executor.c have in common. */
#pragma once
#include "agents/agent.h"

extern const char *const human_modes[];

/* The rows of a table of options that fill the member `human` of `type`. */
#define HUMAN_OPTIONS(type, usual_mode) \
	OPTION("human_input_mode", ENUM, offsetof(type, human.mode), \
		"when a human is asked: each turn, only where an end is said, or never", \
		.values = human_modes, .any_case = true, .fallback = usual_mode), \
		OPTION("terminate_on", STRING, offsetof(type, human.terminate_on), \
			"the word that says an end, for human_input_mode", .fallback = "TERMINATE"), \
		OPTION("ask_timeout", DURATION, offsetof(type, human.timeout_ms), \
			"how long an answer is awaited; else as long as it takes", .least = 1), \
		OPTION("default_answer", STRING, offsetof(type, human.default_answer), \
			"the answer where nobody can be asked, or nobody answers in time")

/* Whether a message says an end; the task, which may tell others to, does not. */
bool human_is_end(const struct human *human, const struct rondo_message *message);

/* Whether a human is asked now: each turn, or at an end. */
bool human_is_asked(const struct human *human, bool at_end);

/* Ask, with the question on record. The answer lies in the arena; where there is none it is the
 * default. */
int human_ask(const struct agent *agent, const struct human *human, const char *question,
	struct arena *arena, const char **ret_answer, const struct context *ctx,
	struct rondo_error *err);

/* What to ask at an end. */
const char *human_end_question(const struct rondo_message *message, struct arena *arena);

/* Say what was answered: "exit" ends the chat, and so does nothing at an end, which agrees to it;
 * else nothing is a pass. `end`: the message that says the end, or NULL. */
void human_say(const struct human *human, const char *answer, const struct rondo_message *end,
	struct arena *arena, struct response *response);
