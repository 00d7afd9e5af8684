/* What an agent says of its turn while it works: pieces of text, steps, plans, what it spent. All
 * of it is for people; what it did, the tree says. */
#include <string.h>

#include "agents/external/acp.h"
#include "base/memory.h"
#include "base/utf8.h"

enum {
	STEPS_MOST = 200,
	PLAN_MOST = 50, /* entries */
};

/* One line that steers nothing. */
static void update_line(char *field, size_t size, const char *text)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	utf8_show(&line, text);
	for (char *at = line.text; *at; at++)
		if (*at == '\n' || *at == '\t')
			*at = ' ';
	utf8_format(field, size, "%s", line.text);
}

static void update_text(struct acp_turn *turn, const struct json *update)
{
	const char *text = json_string(json_get(update, "content"), "text", "");
	chunks_add(&turn->chunks, text, strlen(text));
	strbuf_adds(&turn->text, text);
}

static struct acp_step *update_step(struct acp_turn *turn, const char *said)
{
	char id[ACP_TITLE_SIZE];
	update_line(id, sizeof id, said);
	for (size_t i = turn->n_steps; i-- > 0;)
		if (strcmp(turn->steps[i].id, id) == 0)
			return &turn->steps[i];
	if (turn->n_steps == STEPS_MOST) {
		turn->n_more++;
		return NULL;
	}
	ARENA_PUSH(turn->arena, turn->steps, turn->n_steps, (struct acp_step){.id = ""});
	struct acp_step *step = &turn->steps[turn->n_steps - 1];
	memcpy(step->id, id, sizeof id);
	return step;
}

static void update_set(const struct json *update, const char *key, char *field, size_t size)
{
	const char *text = json_string(update, key, NULL);
	if (text)
		update_line(field, size, text);
}

/* A tool call, or news of one; some are told only by their news. */
static void update_tool(struct acp_turn *turn, const struct json *update)
{
	const char *id = json_string(update, "toolCallId", NULL);
	struct acp_step *step = id ? update_step(turn, id) : NULL;
	if (!step)
		return;
	char before[ACP_TITLE_SIZE];
	memcpy(before, step->title, sizeof before);
	update_set(update, "title", step->title, sizeof step->title);
	update_set(update, "kind", step->kind, sizeof step->kind);
	update_set(update, "status", step->status, sizeof step->status);
	if (strcmp(before, step->title) != 0)
		context_progress(
			turn->ctx, turn->name, "%s%s%s", step->kind, *step->kind ? ": " : "", step->title);
}

static void update_plan(struct acp_turn *turn, const struct json *update)
{
	const struct json *entry = json_first(json_get(update, "entries"));
	size_t n = 0, n_done = 0;
	if (!entry)
		return;
	strbuf_reset(&turn->plan);
	for (; entry && n < PLAN_MOST; entry = json_next(entry), n++) {
		const char *status = json_string(entry, "status", "");
		bool is_done = strcmp(status, "completed") == 0;
		char content[ACP_TITLE_SIZE];
		n_done += is_done;
		update_line(content, sizeof content, json_string(entry, "content", ""));
		strbuf_addf(&turn->plan, "%s[%c] %s", n ? "\n" : "", is_done ? 'x' : ' ', content);
	}
	context_progress_of(
		turn->ctx, turn->name, (int64_t)n_done, (int64_t)n, "plan: %zu of %zu done", n_done, n);
}

static void update_thought(struct acp_turn *turn, const struct json *update)
{
	(void)update;
	context_progress(turn->ctx, turn->name, "thinking");
}

static const struct {
	const char *kind;
	void (*take)(struct acp_turn *turn, const struct json *update);
} updates[] = {{"agent_message_chunk", update_text}, {"agent_thought_chunk", update_thought},
	{"tool_call", update_tool}, {"tool_call_update", update_tool}, {"plan", update_plan}};

void acp_update(struct acp_session *session, const struct json *params)
{
	const struct json *update = json_get(params, "update");
	const char *kind = json_string(update, "sessionUpdate", "");
	const char *id = json_string(params, "sessionId", "");
	if (!session->turn || !session->id || strcmp(id, session->id) != 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(updates); i++)
		if (strcmp(updates[i].kind, kind) == 0)
			updates[i].take(session->turn, update);
}

const char *acp_permission(const struct json *params)
{
	static const char *const kinds[] = {"allow_once", "allow_always"};
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		for (const struct json *option = json_first(json_get(params, "options")); option;
			 option = json_next(option))
			if (strcmp(json_string(option, "kind", ""), kinds[i]) == 0)
				return json_string(option, "optionId", NULL);
	return NULL;
}

const char *acp_mode(const struct acp_session *session, const struct json *result)
{
	static const char *const modes[] = {
		"bypassPermissions", "yolo", "agent-full-access", "full-access", "dontAsk"};
	const struct json *available = json_get(json_get(result, "modes"), "availableModes");
	if (session->mode)
		return session->mode;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		for (const struct json *mode = json_first(available); mode; mode = json_next(mode))
			if (strcmp(json_string(mode, "id", ""), modes[i]) == 0)
				return modes[i];
	return NULL;
}
