/*
 * The coder: a model. What the chat says becomes its prompt; what it replies becomes an edit, where
 * it holds one. A reply that cannot be applied goes back to the model at once, with what is wrong
 * with it, and the others never see it. A turn that fails is as if it had not been: whoever takes
 * it again, now or in a run that is resumed, asks the same.
 */
#include <string.h>

#include "agents/coder/dialogue.h"
#include "agents/coder/showing.h"
#include "base/memory.h"
#include "chat/edit_text.h"
#include "chat/message.h"
#include "chat/usage.h"

enum {
	FAILURES_MOST = 5, /* replies in a row that cannot be applied */
	WHOLE_FROM = 2,    /* from this failure on whole files are asked for */
	CUTS_MOST = 3,     /* replies in a row that were cut off */
	NUDGES_MOST = 2,   /* in a stretch in which nothing came of what it said */
	LOOKS_STEP = 5,    /* replies in a row that were run, until it is told to edit */
	BYTES_A_TOKEN = 3, /* of code, about; fewer than of prose */
};

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
		"texts that take the place of rondo's own, by the names of rondo coder_prompt show"),
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

static const char *coder_prompt(const struct coder *coder, const char *name)
{
	return prompt_text(name, &coder->prompts);
}

/* Whether edits are read; `auto` wants a suite that judges them. */
static bool coder_reads_edits(const struct agent *agent)
{
	const struct coder *coder = agent->state;
	const struct agent_services *services = agent->services;
	if (!services || !services->main_checkout || strcmp(coder->edit_format, "none") == 0)
		return false;
	return services->suite || strcmp(coder->edit_format, "auto") != 0;
}

static const char *coder_format_prompt(struct agent *agent)
{
	const struct coder *coder = agent->state;
	return coder_prompt(coder, arena_printf(&agent->arena, "edit_%s", coder->edit_format));
}

/* --- Its first prompt --- */

/* How it ends the chat, where a word does. */
static void coder_add_ending(const struct agent *agent, struct strbuf *text)
{
	if (agent->services && agent->services->end_word)
		strbuf_addf(
			text, "\n%s%s\n", coder_prompt(agent->state, "ending"), agent->services->end_word);
}

static int coder_add_system_text(struct agent *agent, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	bool edits = coder_reads_edits(agent);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&text, coder_prompt(coder, edits ? "coder" : "chat"));
	if (edits)
		strbuf_addf(&text, "\n%s", coder_format_prompt(agent));
	else
		brief_blocks(&text, agent->services, &coder->prompts);
	if (edits || (agent->services && agent->services->runs_code))
		brief_world(&text, agent->services);
	if (brief_functions(&text, agent->services, &coder->functions, &coder->prompts, err) < 0)
		return -1;
	if (coder->instructions)
		strbuf_addf(&text, "\n%s", coder->instructions);
	else
		coder_add_ending(agent, &text);
	dialogue_add(&coder->dialogue, MODEL_SYSTEM, text.text);
	return 0;
}

/* The newest report that was said: the tester's, or the one that came with the task. */
static const struct rondo_message *coder_newest_report(struct message_span span)
{
	const struct rondo_message *task = NULL;
	for (size_t i = span.n; i-- > 0;) {
		const struct rondo_message *message = span.messages[i];
		if (message->type == RONDO_MESSAGE_TEST_REPORT && message_data(message))
			return message;
		if (message->type == RONDO_MESSAGE_TEXT && message_data(message) &&
			strcmp(message->source, "user") == 0)
			task = message;
	}
	return task;
}

/* How many bytes of a chat it can read: a part of its tokens is for the answer. 0: nobody knows. */
static size_t coder_room(const struct model *model)
{
	return (size_t)model_context(model) * BYTES_A_TOKEN / 4 * 3;
}

/* How many bytes of files are shown: never more than half of what it can read. */
static size_t coder_files_room(const struct coder *coder)
{
	size_t half = coder_room(coder->model.object) / 2, wanted = (size_t)coder->context;
	return half && half < wanted ? half : wanted;
}

static size_t coder_map_room(const struct coder *coder)
{
	size_t part = coder_room(coder->model.object) / 8, wanted = (size_t)coder->map;
	return part && part < wanted ? part : wanted;
}

static int coder_add_state(struct agent *agent, struct strbuf *sb, struct message_span said,
	const struct rondo_message *message, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF files = STRBUF_INIT(STRBUF_TEXT);
	struct test_report report;
	struct showing showing = {.services = agent->services,
		.report = &report,
		.room = coder_files_room(coder),
		.map_room = coder_map_room(coder)};
	showing_find_places(&showing, said, &arena);
	if (test_report_from_json(message_data(message), &arena, &report, err) < 0 ||
		showing_add(&files, &showing, err) < 0)
		return -1;
	strbuf_adds(sb, "These tests fail now:\n");
	brief_failures(sb, &report);
	brief_output(sb, &report, &coder->dialogue.known);
	strbuf_adds(sb, files.text);
	return 0;
}

/* The system's text, what was said so far, and where things stand. */
static int coder_brief(struct agent *agent, struct message_span said, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	if (prompt_check(&coder->prompts, err) < 0)
		return -1;
	coder->dialogue.arena = &agent->arena;
	if (coder_add_system_text(agent, err) < 0)
		return -1;
	const struct rondo_message *report =
		coder_reads_edits(agent) ? coder_newest_report(said) : NULL;
	for (size_t i = 0; i < said.n; i++)
		if (dialogue_hear(&coder->dialogue, said.messages[i], err) < 0)
			return -1;
	if (report)
		dialogue_age(&coder->dialogue);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (report && !coder->dialogue.passes_tests &&
		coder_add_state(agent, &text, said, report, err) < 0)
		return -1;
	if (text.length)
		dialogue_add(&coder->dialogue, MODEL_USER, text.text);
	coder->is_briefed = true;
	return 0;
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

/* --- what it says --- */

static void coder_say(struct response *response, enum rondo_message_type type, const char *content)
{
	response->message.type = type;
	response->message.content = content;
}

static const char *coder_first_line(const char *text, struct arena *arena)
{
	return arena_strndup(arena, text, strcspn(text, "\n"));
}

static void coder_give_up(struct agent *agent, struct response *response, const char *content)
{
	struct coder *coder = agent->state;
	coder->finished = true;
	coder_say(response, RONDO_MESSAGE_STOP, content);
}

static void coder_propose(
	const struct edit *edit, const char *reply, struct arena *arena, struct response *response)
{
	AUTO_JSON *json = edit_to_json(edit);
	coder_say(
		response, RONDO_MESSAGE_EDIT, arena_printf(arena, "%s\n\n%s", edit->description, reply));
	response->message.data = json_print_in(json, arena);
}

static const char *coder_file_text(
	void *owner, const char *path, struct arena *arena, const char **ret_why)
{
	return source_text(owner, path, arena, ret_why);
}

/* Send the model what is wrong with its edits. False: that was done often enough. */
static bool coder_correct(struct agent *agent, const char *problem)
{
	struct coder *coder = agent->state;
	bool whole = ++coder->failures >= WHOLE_FROM;
	if (coder->failures >= FAILURES_MOST)
		return false;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&text, "Nothing of your last reply was applied:\n%s\n%s%s\n%s", problem,
		dialogue_repeats(&coder->dialogue) ? coder_prompt(coder, "again") : "",
		coder_prompt(coder, whole ? "retry_whole" : "retry"),
		whole ? "" : coder_format_prompt(agent));
	strbuf_rtrim(&text);
	dialogue_add(&coder->dialogue, MODEL_USER, text.text);
	return true;
}

/* Make of a whole reply what there is to say. 1: there is nothing yet, the model has to be asked
 * again. */
static int coder_read_reply(struct agent *agent, const char *reply, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	const char **paths;
	size_t n;
	if (!coder_reads_edits(agent)) {
		coder_say(response, RONDO_MESSAGE_TEXT, reply);
		return 0;
	}
	if (sources_paths(agent->services, arena, &paths, &n, err) < 0)
		return -1;
	struct edit_files files = {.text = coder_file_text,
		.owner = (void *)(uintptr_t)agent->services,
		.paths = paths,
		.n = n,
		.only = agent->services->suite ? agent->services->suite->program : NULL};
	struct edit_reading reading = edit_text_read(reply, &files, arena);
	if (!reading.problem)
		reading.problem = source_encode(agent->services, &reading.edit, arena);
	if (reading.problem && coder_correct(agent, reading.problem))
		return 1;
	if (reading.problem) {
		coder_give_up(agent, response,
			arena_printf(arena,
				"gave up: %d replies in a row could not be applied; of the last: %s", FAILURES_MOST,
				coder_first_line(reading.problem + strspn(reading.problem, "- "), arena)));
		return 0;
	}
	coder->failures = 0;
	coder->has_proposed = reading.edit.n;
	if (reading.edit.n)
		coder_propose(&reading.edit, reply, arena, response);
	else
		coder_say(response, RONDO_MESSAGE_TEXT, reply);
	return 0;
}

/* Ask the model until it says something that can be passed on. */
static int coder_speak(struct agent *agent, struct arena *arena, struct response *response,
	const struct context *ctx, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	struct model *model = coder->model.object;
	bool was_too_long = false;
	int cuts = 0;
	for (bool first = true;; first = false) {
		struct model_reply reply;
		size_t room = coder_room(model);
		struct model_request request =
			dialogue_request(&coder->dialogue, (size_t)coder->history, room, arena);
		context_progress(ctx, agent->name, "asking %s", model->name);
		if (model_complete(model, &request, arena, &reply, ctx, err) < 0) {
			if (was_too_long || coder_room(model) == room)
				return -1;
			was_too_long = true; /* it has told how much it can read */
			continue;
		}
		response->pass = !reply.text && first;
		if (!reply.text && !first)
			coder_say(response, RONDO_MESSAGE_TEXT,
				"the budget was used up before the edit could be corrected");
		if (!reply.text)
			return 0;
		reply.text = reply_without_thoughts(reply.text);
		coder->dialogue.n_sent = coder->dialogue.n;
		usage_add(&response->message.models_usage, &reply.usage);
		if (*reply.text) /* some providers refuse a message of nothing */
			dialogue_add_reply(&coder->dialogue, &reply);
		if (reply.finish == MODEL_FINISH_REFUSED) {
			coder_say(response, RONDO_MESSAGE_TEXT,
				arena_printf(arena, "the model refused: %s", reply.text));
			return 0;
		}
		if (reply.finish == MODEL_FINISH_LENGTH && ++cuts == CUTS_MOST) {
			coder_give_up(agent, response,
				arena_printf(
					arena, "gave up: the limit of tokens cut off %d replies in a row", CUTS_MOST));
			return 0;
		}
		if (reply.finish == MODEL_FINISH_LENGTH) {
			dialogue_add(&coder->dialogue, MODEL_USER, coder_prompt(coder, "cut_off"));
			continue;
		}
		int status = coder_read_reply(agent, reply.text, arena, response, err);
		if (status <= 0)
			return status;
		cuts = 0;
	}
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
