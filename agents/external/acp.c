/*
 * An external agent that speaks the Agent Client Protocol: one process and one session for the run.
 * The first prompt is the task, each later one what the tester has said since. It works in a
 * checkout of its own, since it may go on to write when its turn is over. Where it dies, or is
 * killed since it does not end its turn, the next turn begins anew.
 */
#include "agents/external/acp.h"

#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "chat/usage.h"
#include "verify/suite/lines.h"

#define SAID_MOST ((size_t)64 << 10)
#define STEPS_SHOWN 20

struct acp_state {
	struct external external;
	const char *mode;
	struct acp_session session;
	const char *session_id; /* the last one; of the run that is resumed, too */
};

static const struct option options[] = {
	OPTION("command", STRING, EXTERNAL_AT(command),
		"a line of sh that starts an agent, which speaks the protocol on its input and output",
		.main = true, .argument = "CMD"),
	OPTION("coder", STRING, EXTERNAL_AT(coder),
		"one that rondo knows, in place of a command: rondo list coders", .argument = "NAME"),
	OPTION("mode", STRING, offsetof(struct acp_state, mode),
		"the mode of its sessions; else the one that never asks, as far as rondo knows it",
		.argument = "ID"),
	EXTERNAL_OPTIONS,
	OPTION_END,
};

/* --- What it said --- */

static void acp_add_text(struct strbuf *sb, const char *text)
{
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_TEXT);
	const char *at = text, *end = text + strlen(text);
	size_t n;
	for (const char *line; (line = text_next_line(&at, end, &n));)
		strbuf_addf(sb, "%s\n", lines_clean(&clean, line, n));
	strbuf_rtrim(sb);
}

static void acp_add_steps(struct strbuf *sb, const struct acp_turn *turn)
{
	size_t first = turn->n_steps > STEPS_SHOWN ? turn->n_steps - STEPS_SHOWN : 0;
	if (turn->plan.length)
		strbuf_addf(sb, "%sIts plan:\n%s", sb->length ? "\n\n" : "", turn->plan.text);
	if (turn->n_steps)
		strbuf_addf(sb, "%sIts steps:", sb->length ? "\n\n" : "");
	if (first + turn->n_more)
		strbuf_addf(sb, "\n%zu others", first + turn->n_more);
	for (size_t i = first; i < turn->n_steps; i++) {
		const struct acp_step *step = &turn->steps[i];
		bool has_failed = strcmp(step->status, "failed") == 0;
		strbuf_addf(sb, "\n- %s%s%s%s", step->kind, *step->kind ? ": " : "",
			*step->title ? step->title : step->id, has_failed ? " (failed)" : "");
	}
}

static const char *acp_text(const struct acp_turn *turn, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	acp_add_text(&text, turn->text.text);
	acp_add_steps(&text, turn);
	return arena_strdup(arena, text.text);
}

/* As far as it says it: some do not, and some only of their last call. */
static void acp_read_usage(const struct json *result, struct rondo_usage *ret_usage)
{
	const struct json *said = json_get(result, "usage");
	const struct rondo_usage usage = {.prompt_tokens = json_int(said, "inputTokens", 0),
		.completion_tokens = json_int(said, "outputTokens", 0)};
	if (usage_is_sane(&usage))
		*ret_usage = usage;
}

static const char *acp_problem(
	struct agent *agent, const struct acp_answer *answer, struct arena *arena)
{
	const struct acp_state *state = agent->state;
	const struct external_settings *settings = &state->external.settings;
	const char *reason = json_string(answer->result, "stopReason", "end_turn"), *complaint;
	char text[CLOCK_DATE_SIZE];
	switch (answer->end) {
	case ACP_ANSWERED:
		return strcmp(reason, "end_turn") == 0
			? NULL
			: arena_printf(arena, "ended its turn by '%s'", reason);
	case ACP_REFUSED:
		return arena_printf(arena, "refused the task: %s", answer->text);
	case ACP_SILENT:
		clock_format_duration(settings->idle_ms, text);
		return arena_printf(arena, "stopped: nothing was heard of it for %s (idle)", text);
	case ACP_LATE:
		clock_format_duration(settings->timeout_ms, text);
		return arena_printf(arena, "stopped: its turn took longer than %s (timeout)", text);
	case ACP_CANCELLED:
		return "stopped: the run is over";
	case ACP_DEAF:
		return "stopped: it asks, and does not listen to the answer";
	case ACP_GONE:
		break;
	}
	complaint = acp_complaint(agent, arena);
	return arena_printf(arena, "ended in its turn (exit code %d)%s%s",
		coprocess_exit_code(state->session.process), *complaint ? ": " : "", complaint);
}

/* --- A turn --- */

static int acp_ensure_session(
	struct agent *agent, const struct context *ctx, struct rondo_error *err)
{
	struct acp_state *state = agent->state;
	bool is_loaded;
	if (state->session.process)
		return 0;
	context_progress(ctx, agent->name, "starting");
	if (acp_open(&state->session, agent, state->session_id, &is_loaded, ctx, err) < 0)
		return -1;
	if (!is_loaded)
		state->external.memory.is_briefed = false;
	state->session_id = state->session.id;
	return 0;
}

static struct json *acp_prompt_params(const struct acp_session *session, const char *text)
{
	struct json *params = json_object();
	json_add_string(params, "sessionId", session->id);
	struct json *block = json_add_object(json_add_array(params, "prompt"), NULL);
	json_add_string(block, "type", "text");
	json_add_string(block, "text", text);
	return params;
}

/* Who does not end its turn is killed, with its session. */
static void acp_end_turn(
	struct acp_session *session, const struct acp_answer *answer, struct arena *arena)
{
	bool is_over = answer->end == ACP_ANSWERED || answer->end == ACP_REFUSED;
	bool is_lost = answer->end == ACP_GONE || answer->end == ACP_DEAF;
	if (!is_over && (is_lost || !acp_cancel(session, arena))) {
		session->turn = NULL;
		acp_close(session);
	}
	session->turn = NULL;
}

static int acp_prompt(struct agent *agent, const char *prompt, struct arena *arena,
	struct external_answer *ret_answer, const struct context *ctx, struct rondo_error *err)
{
	struct acp_state *state = agent->state;
	struct acp_session *session = &state->session;
	const struct external_settings *settings = &state->external.settings;
	struct acp_answer answer;
	struct acp_turn turn = {.arena = arena,
		.ctx = ctx,
		.name = agent->name,
		.text = STRBUF_INIT(SAID_MOST),
		.plan = STRBUF_INIT(STRBUF_LINE),
		.chunks =
			CHUNKS_INIT(ctx, state->external.box->executor->secrets, agent->name, CHUNKS_OF_MODEL)};
	session->turn = &turn;
	context_progress(ctx, agent->name, "working on the files");
	acp_ask(session, "session/prompt", acp_prompt_params(session, prompt),
		clock_now_ms() + settings->timeout_ms, ctx->cancel, arena, &answer);
	int reason = cancel_reason(ctx->cancel);
	ret_answer->is_cut = answer.end == ACP_CANCELLED && reason && reason != SIGALRM;
	ret_answer->problem = acp_problem(agent, &answer, arena);
	acp_end_turn(session, &answer, arena);
	chunks_end(&turn.chunks);
	strbuf_mark_cut(&turn.text);
	ret_answer->text = acp_text(&turn, arena);
	strbuf_release(&turn.text);
	strbuf_release(&turn.plan);
	if (!session->relay)
		acp_read_usage(answer.result, &ret_answer->usage);
	return external_relay_tell(state->external.box->relay, ret_answer, arena, ctx, err);
}

static int acp_speak(struct agent *agent, const struct external_memory *memory,
	struct message_span news, struct arena *arena, struct external_answer *answer,
	const struct context *ctx, struct rondo_error *err)
{
	struct acp_state *state = agent->state;
	const char *prompt;
	if (acp_ensure_session(agent, ctx, err) < 0 ||
		external_prompt(agent, memory, news, !memory->is_briefed, arena, &prompt, err) < 0 ||
		acp_prompt(agent, prompt, arena, answer, ctx, err) < 0)
		return -1;
	state->external.memory.is_briefed = state->session.process && !answer->is_cut;
	return 0;
}

/* --- The agent --- */

static int acp_start_agent(struct agent *agent, const struct context *ctx, struct rondo_error *err)
{
	struct acp_state *state = agent->state;
	struct external_program program;
	if (state->external.box)
		return 0;
	if (external_program_of(&state->external.settings, true, &program, err) < 0)
		return -1;
	state->session.coder = program.coder;
	state->session.mode = state->mode ? state->mode : program.coder->mode;
	return external_box_open(agent, &program, &state->external.box, ctx, err);
}

static int acp_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	if (acp_start_agent(agent, ctx, err) < 0)
		return -1;
	return external_turn(agent, unseen, acp_speak, arena, response, ctx, err);
}

static void acp_reset(struct agent *agent)
{
	struct acp_state *state = agent->state;
	acp_close(&state->session);
	external_box_close(state->external.box);
	state->external.box = NULL;
}

static void acp_save(struct agent *agent, bool all, struct json *to)
{
	const struct acp_state *state = agent->state;
	(void)all;
	external_memory_save(&state->external.memory, to);
	json_add_string(to, "session", state->session_id);
}

static int acp_load_state(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	struct acp_state *state = agent->state;
	state->session_id = arena_strdup(&agent->arena, json_string(from, "session", NULL));
	state->external.memory.is_briefed = state->session_id;
	return external_memory_load(&state->external.memory, &agent->arena, from, thread, err);
}

const struct agent_type acp_agent = {
	.name = "acp",
	.summary = "another coding agent, by the Agent Client Protocol",
	.needs = AGENT_NEEDS_CHECKOUT | AGENT_NEEDS_MACHINE,
	.state_size = sizeof(struct acp_state),
	.options = options,
	.start = acp_start_agent,
	.on_messages = acp_on_messages,
	.on_reset = acp_reset,
	.save = acp_save,
	.load = acp_load_state,
};
