/*
 * The coder: a model. What the chat says becomes its prompt; what it replies becomes an edit, where
 * it holds one. A reply that cannot be applied goes back to the model at once, with what is wrong
 * with it, and the others never see it. A turn that fails is as if it had not been: whoever takes
 * it again, now or in a run that is resumed, asks the same.
 */
#include <string.h>

#include "agents/coder/coder.h"
#include "chat/message.h"

enum {
	NUDGES_MOST = 2, /* in a stretch in which nothing came of what it said */
	LOOKS_STEP = 5,  /* replies in a row that were run, until it is told to edit */
};

static const char *const edit_formats[] = {"auto", "whole", "search_replace", "diff", "none", NULL};
static const char *const instructions_aliases[] = {"instruction", "system_message", NULL};

static const struct option options[] = {
	OPTION("model", REF, offsetof(struct coder, model), "the model that it asks", .required = true,
		.main = true, .family = &model_family),
	OPTION("instructions", STRING, offsetof(struct coder, instructions),
		"instructions beside the task", .aliases = instructions_aliases, .argument = "TEXT",
		.from_file = true),
	OPTION("edit_format", ENUM, offsetof(struct coder, edit_format),
		"how it is asked to write edits; none: what it writes is text and code to run",
		.fallback = "auto", .values = edit_formats),
	OPTION("prompts", TEXTS, offsetof(struct coder, prompts),
		"texts that take the place of rondo's own, by the names of rondo prompt list"),
	OPTION("functions", STRINGS, offsetof(struct coder, functions),
		"Python files of functions that its programs may import; it is shown their names"),
	OPTION("context", BYTES, offsetof(struct coder, context),
		"how much of the tree's files it is shown at the beginning", .fallback = "48K",
		.argument = "SIZE"),
	OPTION("map", BYTES, offsetof(struct coder, map),
		"how much it is shown of the names that the tree's other files define; 0: nothing",
		.fallback = "8K", .argument = "SIZE"),
	OPTION("history", INT, offsetof(struct coder, history),
		"how many outputs and reports it is shown in full; older ones by a line", .fallback = "10",
		.least = 1, .most = 10000),
	OPTION_END,
};

const char *coder_prompt(const struct coder *coder, const char *name)
{
	return prompt_text(name, &coder->prompts);
}

/* Whether edits are read; `auto` wants a suite that judges them. */
bool coder_reads_edits(const struct agent *agent)
{
	const struct coder *coder = agent->state;
	const struct agent_services *services = agent->services;
	if (!services || !services->main_checkout || strcmp(coder->edit_format, "none") == 0)
		return false;
	return services->suite || strcmp(coder->edit_format, "auto") != 0;
}

const char *coder_format_prompt(struct agent *agent)
{
	const struct coder *coder = agent->state;
	return coder_prompt(coder, arena_printf(&agent->arena, "edit_%s", coder->edit_format));
}

/* Whether something must come of what it says: somebody carries it out. Who only talks may go on
 * alone. */
static bool coder_is_answered(const struct agent *agent)
{
	const struct agent_services *services = agent->services;
	return services &&
		(services->runs_code ||
			(services->suite && (!services->baseline || services->baseline->n_goal)));
}

/* Some models take a block that is run for an edit, and some look for ever. */
static void coder_answer_look(struct agent *agent)
{
	struct coder *coder = agent->state;
	struct dialogue *dialogue = &coder->dialogue;
	bool again = dialogue_repeats(dialogue);
	if (!again && ++coder->looks % LOOKS_STEP) {
		dialogue_add(dialogue, MODEL_USER, coder_prompt(coder, "unchanged"));
		return;
	}
	dialogue_add(dialogue, MODEL_USER,
		arena_printf(&agent->arena, "%s%s\n%s", again ? coder_prompt(coder, "again") : "",
			coder_prompt(coder, "looks"), coder_format_prompt(agent)));
}

/* Whether what it wrote was run and changed nothing. */
static void coder_mind_looks(struct agent *agent, struct message_span news)
{
	struct coder *coder = agent->state;
	bool ran = false, changed = coder->has_proposed;
	for (size_t i = 0; i < news.n; i++) {
		ran |= news.messages[i]->type == RONDO_MESSAGE_CODE_EXECUTION;
		changed |= json_get(message_data(news.messages[i]), "files") != NULL;
	}
	if (changed)
		coder->looks = 0;
	else if (ran && coder_reads_edits(agent) && coder_is_answered(agent))
		coder_answer_look(agent);
}

static int coder_listen(struct agent *agent, struct message_span unseen, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	struct message_span news = message_span_after(unseen, coder->heard);
	if (news.n)
		coder->heard = news.messages[news.n - 1]->id;
	if (!coder->is_briefed)
		return coder_brief(agent, news, err);
	for (size_t i = 0; i < news.n; i++)
		if (dialogue_hear(&coder->dialogue, news.messages[i], err) < 0)
			return -1;
	coder_mind_looks(agent, news);
	coder->nudges = news.n || !coder_is_answered(agent) ? 0 : coder->nudges + 1;
	return 0;
}

static void coder_nudge(struct agent *agent)
{
	struct coder *coder = agent->state;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&text, coder_prompt(coder, "nudge"));
	if (coder_reads_edits(agent))
		strbuf_addf(&text, "\n%s", coder_format_prompt(agent));
	coder_add_ending(agent, &text);
	dialogue_add(&coder->dialogue, MODEL_USER, text.text);
}

/* Nobody has answered what it said, and asking once more has not helped. It speaks again when
 * somebody answers. */
static void coder_fall_silent(struct agent *agent, struct arena *arena, struct response *response)
{
	const struct coder *coder = agent->state;
	const char *last = coder->last_words;
	response->pass = !last || coder->nudges > NUDGES_MOST + 1 || !coder_reads_edits(agent);
	if (!response->pass)
		coder_say(response, RONDO_MESSAGE_STOP,
			arena_printf(arena, "gave up: nothing came of %d replies in a row; the last %s%s",
				NUDGES_MOST + 1, *last ? "said: " : "was empty", last));
}

static int coder_take_turn(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	if (coder_listen(agent, unseen, err) < 0)
		return -1;
	response->pass = coder->finished || (coder->dialogue.passes_tests && coder_reads_edits(agent));
	if (response->pass)
		return 0;
	if (coder->nudges > NUDGES_MOST) {
		coder_fall_silent(agent, arena, response);
		return 0;
	}
	if (coder->nudges)
		coder_nudge(agent);
	if (coder_speak(agent, arena, response, ctx, err) < 0)
		return -1;
	if (!response->pass)
		coder->last_words = coder_first_line(response->message.content, &agent->arena);
	return 0;
}

/* Entries are only appended, so those of a turn that failed are beyond the old end. */
static int coder_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct coder *coder = agent->state, before = *coder;
	if (!coder->model.object)
		return error_set(err, RONDO_ERROR_USAGE, "it has no model: the key 'model' must name one");
	if (coder_take_turn(agent, unseen, arena, response, ctx, err) == 0)
		return 0;
	*coder = before;
	return -1;
}

/* --- its state --- */

static void coder_save(struct agent *agent, bool all, struct json *to)
{
	struct coder *coder = agent->state;
	if (!coder->is_briefed)
		return;
	dialogue_save(&coder->dialogue, all ? 0 : coder->saved, to);
	json_add_bool(to, "finished", coder->finished);
	json_add_int(to, "failures", (int64_t)coder->failures);
	json_add_int(to, "nudges", (int64_t)coder->nudges);
	json_add_int(to, "looks", (int64_t)coder->looks);
	json_add_bool(to, "has_proposed", coder->has_proposed);
	json_add_string(to, "last_words", coder->last_words);
	json_add_int(to, "heard", coder->heard);
	if (!all)
		coder->saved = coder->dialogue.n;
}

static int coder_load(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	(void)thread;
	struct coder *coder = agent->state;
	coder->dialogue.arena = &agent->arena;
	if (dialogue_load(&coder->dialogue, from, err) < 0)
		return -1;
	coder->is_briefed = true;
	coder->finished = json_bool(from, "finished", false);
	coder->failures = (size_t)json_int(from, "failures", 0);
	coder->nudges = (size_t)json_int(from, "nudges", 0);
	coder->looks = (size_t)json_int(from, "looks", 0);
	coder->has_proposed = json_bool(from, "has_proposed", false);
	coder->last_words = arena_strdup(&agent->arena, json_string(from, "last_words", NULL));
	coder->heard = json_int(from, "heard", 0);
	coder->saved = coder->dialogue.n;
	return 0;
}

const struct agent_type coder_agent = {
	.name = "coder",
	.summary = "asks a model for edits, or for code to run",
	.state_size = sizeof(struct coder),
	.options = options,
	.on_messages = coder_on_messages,
	.save = coder_save,
	.load = coder_load,
};
