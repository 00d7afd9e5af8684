/*
 * What an external agent is asked. A command knows nothing of its last turn, so it is told all; a
 * session is told what is new.
 */
#include <string.h>

#include "agents/briefing.h"
#include "agents/external/external.h"
#include "base/memory.h"
#include "chat/message.h"

static void prompt_add_asking(struct strbuf *sb, const struct agent *agent)
{
	const struct external_box *box = ((const struct external *)agent->state)->box;
	const char *program = box ? external_verdicts_program(box->verdicts) : NULL;
	if (!program)
		return;
	strbuf_addf(sb, "\n%s\n    ", prompt_text("external_verdict", NULL));
	strbuf_add_word(sb, program);
	strbuf_adds(sb, " verify\n");
}

static void prompt_add_rules(struct strbuf *sb, const struct agent *agent)
{
	const struct external_settings *settings = external_settings_of(agent);
	const struct agent_services *services = agent->services;
	bool reads = external_is_reader(agent);
	strbuf_adds(sb, prompt_text(reads ? "external_reader" : "external", NULL));
	if (services->suite)
		strbuf_addf(sb, "\nThe tests are run by: %s\n", suite_shown(services->suite));
	prompt_add_asking(sb, agent);
	if (services->end_word && !settings->instructions)
		strbuf_addf(sb, "\n%s%s\n", prompt_text("ending", NULL), services->end_word);
	if (settings->instructions)
		strbuf_addf(sb, "\n%s\n", settings->instructions);
}

/* What fails now. */
static int prompt_add_report(
	struct strbuf *sb, const struct rondo_message *message, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	const struct json *data = message_data(message);
	if (test_report_from_json(data, &arena, &report, err) < 0)
		return -1;
	if (json_bool(data, "ok", false)) {
		strbuf_adds(sb, "\nThe tests pass now.\n");
		return 0;
	}
	strbuf_adds(sb, "\nThese tests fail now:\n");
	brief_failures(sb, &report);
	brief_output(sb, &report, NULL);
	for (const struct json *item = json_first(json_get(data, "broken")); item;
		 item = json_next(item))
		strbuf_addf(sb, "\nA change since the beginning broke %s.\n", json_text(item, ""));
	return 0;
}

static bool prompt_says(const struct agent *agent, const struct external_memory *memory,
	const struct rondo_message *message)
{
	return message != memory->task && message != memory->report &&
		message->type != RONDO_MESSAGE_TEST_REPORT && strcmp(message->source, agent->name) != 0;
}

static void prompt_add_others(struct strbuf *sb, const struct agent *agent,
	const struct external_memory *memory, struct message_span news)
{
	for (size_t i = 0; i < news.n; i++) {
		const struct rondo_message *message = news.messages[i];
		if (!prompt_says(agent, memory, message))
			continue;
		strbuf_addf(sb, "\n%s said:\n", message->source);
		condense(sb, message->content);
		strbuf_addc(sb, '\n');
	}
}

int external_prompt(struct agent *agent, const struct external_memory *memory,
	struct message_span news, bool is_first, struct arena *arena, const char **ret_prompt,
	struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (is_first)
		prompt_add_rules(&text, agent);
	if (is_first && memory->task)
		strbuf_addf(&text, "\nThe task:\n%s\n", memory->task->content);
	prompt_add_others(&text, agent, memory, news);
	if (memory->note)
		strbuf_addf(&text, "\n%s\n", memory->note);
	if (memory->report && prompt_add_report(&text, memory->report, err) < 0)
		return -1;
	if (memory->unchanged)
		strbuf_adds(&text, "\nYour last turn changed nothing, and nothing came of it.\n");
	strbuf_rtrim(&text);
	strbuf_addc(&text, '\n');
	*ret_prompt = arena_strdup(arena, text.text);
	return 0;
}
