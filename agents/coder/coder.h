/* A coder's state, and what its files have of each other: coder.c listens and takes turns,
 * coder_brief.c writes its first prompt, coder_reply.c asks its model and reads what that says. */
#pragma once
#include "agents/coder/dialogue.h"

struct coder {
	struct option_ref model;
	const char *instructions;
	const char *edit_format;
	struct option_texts prompts;
	struct option_strings functions;
	int64_t context, map, history;

	struct dialogue dialogue;
	bool is_briefed, finished;
	bool has_proposed; /* in its last reply */
	size_t failures, nudges;
	size_t looks;           /* replies in a row that were run and changed nothing */
	const char *last_words; /* of which nothing came: their first line */
	int64_t heard;          /* the id of the last message */
	size_t saved;           /* entries of the dialogue that the saves hold */
};

/* Its own text of that name, or rondo's. */
const char *coder_prompt(const struct coder *coder, const char *name);

/* Whether edits are read; `auto` wants a suite that judges them. And how it is asked for them; in
 * the agent's arena. */
bool coder_reads_edits(const struct agent *agent);
const char *coder_format_prompt(struct agent *agent);

/* --- coder_brief.c --- */

/* How many bytes of a chat a model can read: a part of its tokens is for the answer. 0: nobody
 * knows. */
size_t coder_room(const struct model *model);

/* Append how it ends the chat, where a word does. */
void coder_add_ending(const struct agent *agent, struct strbuf *text);

/* Begin its dialogue: the system's text, what was said so far, and where things stand. */
int coder_brief(struct agent *agent, struct message_span said, struct rondo_error *err);

/* --- coder_reply.c --- */

void coder_say(struct response *response, enum rondo_message_type type, const char *content);

/* In the arena. */
const char *coder_first_line(const char *text, struct arena *arena);

/* Ask the model until it says something that can be passed on. */
int coder_speak(struct agent *agent, struct arena *arena, struct response *response,
	const struct context *ctx, struct rondo_error *err);
