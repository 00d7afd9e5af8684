/*
 * An external agent that is any program. It is started anew for each turn, with the whole task: on
 * its standard input, which then ends (some wait for more of an open one), or where its command
 * says {task} or {task_file}. What it prints is its message: as it is, or as lines of JSON.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "agents/external/external.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/chunks.h"
#include "chat/usage.h"
#include "verify/suite/lines.h"

#define SAID_MOST ((size_t)64 << 10)       /* bytes of what it prints */
#define JSON_MOST ((size_t)8 << 20)        /* where that is lines of JSON */
#define PRINTED_MOST ((uint64_t)256 << 20) /* it is killed beyond */

struct command_state {
	struct external external;
	const char *output;
	int64_t turns;
};

#define AT(member) offsetof(struct command_state, member)

static const char *const outputs[] = {"text", "json", NULL};

static const struct option options[] = {
	OPTION("command", STRING, EXTERNAL_AT(command),
		"a line of sh; {task} stands for the text of the task, {task_file} for a file with it; "
		"without them it comes on the standard input",
		.main = true, .argument = "CMD"),
	OPTION("coder", STRING, EXTERNAL_AT(coder),
		"one that rondo knows, in place of a command: rondo list coders", .argument = "NAME"),
	OPTION("output", ENUM, AT(output), "what it prints: text, or lines of JSON with text and usage",
		.values = outputs, .fallback = "text"),
	EXTERNAL_OPTIONS,
	OPTION_END,
};

/* --- What it printed --- */

static void command_add_plain(struct strbuf *sb, const char *text, size_t n)
{
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_TEXT);
	const char *at = text, *end = text + n;
	size_t length;
	for (const char *line; (line = text_next_line(&at, end, &length));)
		strbuf_addf(sb, "%s\n", lines_clean(&clean, line, length));
}

static void command_read_usage(const struct json *json, struct rondo_usage *sum)
{
	const struct rondo_usage usage = usage_from_json(json);
	if (usage_is_sane(&usage))
		usage_add(sum, &usage);
}

/* A line that is no such object is told as it is. */
static void command_read_line(
	const char *line, size_t n, struct strbuf *sb, struct external_answer *answer)
{
	struct rondo_error ignored;
	AUTO_JSON *json = n && *line == '{' ? json_parse(line, n, &ignored) : NULL;
	const char *text = json_string(json, "text", NULL);
	const struct json *usage = json_get(json, "usage");
	if (text)
		command_add_plain(sb, text, strlen(text));
	if (json_is_object(usage))
		command_read_usage(usage, &answer->usage);
	if (!json)
		command_add_plain(sb, line, n);
}

static void command_read_output(struct command_state *state, struct strbuf *printed,
	struct arena *arena, struct external_answer *answer)
{
	AUTO_STRBUF text = STRBUF_INIT(SAID_MOST);
	const char *at = printed->text, *end = at + printed->length;
	size_t n;
	if (strcmp(state->output, "json") == 0)
		for (const char *line; (line = text_next_line(&at, end, &n));)
			command_read_line(line, n, &text, answer);
	else
		command_add_plain(&text, printed->text, printed->length);
	strbuf_mark_cut(&text);
	strbuf_rtrim(&text);
	answer->text = arena_strdup(arena, text.text + strspn(text.text, "\n"));
}

/* --- A run of it --- */

struct command_run {
	struct chunks chunks;
	struct external_idle *idle;
};

static void command_hear(void *owner, const char *text, size_t n)
{
	struct command_run *run = owner;
	external_idle_hear(run->idle);
	chunks_add(&run->chunks, text, n);
}

/* Why it ended, where it was not by itself. */
static const char *command_problem(const struct command_state *state,
	const struct process_result *result, bool was_idle, struct arena *arena)
{
	char text[CLOCK_DATE_SIZE], why[64];
	const struct external_settings *settings = &state->external.settings;
	clock_format_duration(was_idle ? settings->idle_ms : settings->timeout_ms, text);
	if (was_idle)
		return arena_printf(arena, "stopped: nothing was heard of it for %s (idle)", text);
	if (result->end == PROCESS_TIMEOUT)
		return arena_printf(arena, "stopped: its turn took longer than %s (timeout)", text);
	if (result->end == PROCESS_CANCELLED)
		return "stopped: the run is over";
	if (result->end == PROCESS_EXITED && !result->exit_code)
		return NULL;
	return arena_printf(arena, "ended with %s", process_describe(result, why, sizeof why));
}

static int command_open_log(struct agent *agent, struct arena *arena)
{
	struct command_state *state = agent->state;
	const char *dir = agent->services->log_dir;
	state->turns++;
	return dir ? open(arena_printf(arena, "%s/%s-%d.log", dir, file_name(state->external.box->dir),
						  (int)state->turns),
					 O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)
			   : -1;
}

static int command_make_line(struct agent *agent, const char *prompt, struct arena *arena,
	struct command *command, struct rondo_error *err)
{
	struct command_state *state = agent->state;
	const char *at;
	command->line = state->external.box->line;
	if (external_line_wants_input(command->line)) {
		command->input = prompt;
	} else {
		if (external_box_put(state->external.box, "task.md", prompt, arena, &at, err) < 0)
			return -1;
		command->line = external_line_fill(command->line, at, arena);
	}
	if (state->external.box->relay)
		command->line = external_relay_line(state->external.box->relay, command->line, arena);
	return 0;
}

static int command_run(struct agent *agent, struct command *command, struct arena *arena,
	struct external_answer *answer, const struct context *ctx, struct rondo_error *err)
{
	struct command_state *state = agent->state;
	AUTO_STRBUF printed = STRBUF_INIT(strcmp(state->output, "json") == 0 ? JSON_MOST : SAID_MOST);
	AUTO_CLOSE log = command_open_log(agent, arena);
	struct executor *executor = state->external.box->executor;
	struct process_result result;
	struct command_run run = {
		.chunks = CHUNKS_INIT(ctx, executor->secrets, agent->name, CHUNKS_OF_PROGRAM)};
	struct context inner = *ctx;
	if (external_idle_begin(
			state->external.settings.idle_ms, state->external.box, ctx->cancel, &run.idle, err) < 0)
		return -1;
	inner.cancel = external_idle_cancel(run.idle);
	command->output = &printed;
	command->listener = (struct process_listener){command_hear, &run};
	command->log_fd = log;
	command->log_limit = log >= 0 ? PRINTED_MOST : 0;
	int status = executor_run(executor, command, &result, &inner, err);
	chunks_end(&run.chunks);
	bool was_idle = external_idle_end(run.idle);
	if (status < 0)
		return -1;
	int reason = cancel_reason(ctx->cancel);
	answer->is_cut = result.end == PROCESS_CANCELLED && reason && reason != SIGALRM;
	answer->exit_code = result.exit_code;
	answer->problem = command_problem(state, &result, was_idle, arena);
	strbuf_mark_cut(&printed);
	command_read_output(state, &printed, arena, answer);
	return external_relay_tell(state->external.box->relay, answer, arena, ctx, err);
}

static int command_ask(struct agent *agent, const struct external_memory *memory,
	struct message_span news, struct arena *arena, struct external_answer *answer,
	const struct context *ctx, struct rondo_error *err)
{
	const struct command_state *state = agent->state;
	const char *prompt;
	struct command command = {
		.timeout_ms = state->external.settings.timeout_ms, .output_limit = PRINTED_MOST};
	if (external_box_prepare(state->external.box, err) < 0 ||
		external_prompt(agent, memory, news, true, arena, &prompt, err) < 0 ||
		command_make_line(agent, prompt, arena, &command, err) < 0)
		return -1;
	context_progress(ctx, agent->name, "working on the files");
	return command_run(agent, &command, arena, answer, ctx, err);
}

/* --- The agent --- */

static int command_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct command_state *state = agent->state;
	if (!state->external.box && agent->type->start(agent, ctx, err) < 0)
		return -1;
	return external_turn(agent, unseen, command_ask, arena, response, ctx, err);
}

static int command_start(struct agent *agent, const struct context *ctx, struct rondo_error *err)
{
	struct command_state *state = agent->state;
	struct external_program program;
	if (state->external.box)
		return 0;
	if (external_program_of(&state->external.settings, false, &program, err) < 0)
		return -1;
	return external_box_open(agent, &program, &state->external.box, ctx, err);
}

static void command_reset(struct agent *agent)
{
	struct command_state *state = agent->state;
	external_box_close(state->external.box);
	state->external.box = NULL;
}

static void command_save(struct agent *agent, bool all, struct json *to)
{
	const struct command_state *state = agent->state;
	(void)all;
	external_memory_save(&state->external.memory, to);
	if (state->turns)
		json_add_int(to, "turns", state->turns);
}

static int command_load(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	struct command_state *state = agent->state;
	state->turns = json_int(from, "turns", 0);
	return external_memory_load(&state->external.memory, &agent->arena, from, thread, err);
}

const struct agent_type command_agent = {
	.name = "command",
	.summary = "any program that edits the tree itself, such as another coding agent",
	.needs = AGENT_NEEDS_CHECKOUT | AGENT_NEEDS_MACHINE,
	.state_size = sizeof(struct command_state),
	.options = options,
	.start = command_start,
	.on_messages = command_on_messages,
	.on_reset = command_reset,
	.save = command_save,
	.load = command_load,
};
