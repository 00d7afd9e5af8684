/* What a coder's model is told at the beginning. */
#include <string.h>

#include "agents/coder/coder.h"
#include "agents/coder/showing.h"
#include "chat/message.h"

enum { BYTES_A_TOKEN = 3 }; /* of code, about; fewer than of prose */

void coder_add_ending(const struct agent *agent, struct strbuf *text)
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

size_t coder_room(const struct model *model)
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

int coder_brief(struct agent *agent, struct message_span said, struct rondo_error *err)
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
