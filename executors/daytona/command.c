/*
 * A command in a sandbox: what changed here goes there, executors/daytona/remote.sh runs the line, what changed there comes here. The
 * script goes with each command, so that no program changes it; its answer is a file, since what comes beside an exit code is
 * text, and nothing at all where the time is over. Connections that break do not end what runs: who makes the answer is awaited.
 */
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "executors/daytona/daytona.h"

#define MOST_FILE ((int64_t)64 << 20)
#define MOST_BYTES ((int64_t)256 << 20)
#define MOST_FILES ((int64_t)20000)
#define COLLECT_MS ((int64_t)60000)
#define AWAIT_MS ((int64_t)30000)
#define MOST_STRANGE 5
#define PATIENCE_MS ((int64_t)10000) /* beyond a command's own time */

extern const char remote_sh[];

/* What remote.sh says by its exit code when it is asked for an answer. */
enum { ANSWERED = 10, RUNNING = 11, ABANDONED = 12, NEVER_BEGAN = 13 };

/* remote.sh with its arguments. */
static const char *remote_line(const struct errand *errand, const char *what, const char *line)
{
	const struct daytona *daytona = errand->daytona;
	struct arena *arena = errand->arena;
	uint64_t most =
		errand->command->output_limit ? errand->command->output_limit : DAYTONA_MOST_OUTPUT;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	const char *const words[] = {remote_sh, "rondo", what, daytona->place,
		arena_printf(arena, "%d", (int)daytona->number), executor_tree_at(errand->executor),
		executor_cache_at(errand->executor, ".", arena),
		arena_printf(arena, "%llu", (unsigned long long)most),
		arena_printf(arena, "%lld", (long long)MOST_FILE),
		arena_printf(arena, "%lld", (long long)MOST_BYTES),
		arena_printf(arena, "%lld", (long long)MOST_FILES), line};
	strbuf_adds(&sb, "sh -c");
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		strbuf_addc(&sb, ' ');
		strbuf_add_word(&sb, words[i]);
	}
	for (const char *const *path = daytona->kept; *path; path++) {
		strbuf_addc(&sb, ' ');
		strbuf_add_word(&sb, *path);
	}
	return arena_strndup(arena, sb.text, sb.length);
}

static int execute(struct errand *errand, const char *what, int64_t timeout_ms, int *ret_code,
	const char **ret_text, int *ret_status, struct rondo_error *err)
{
	const struct daytona *daytona = errand->daytona;
	bool runs = strcmp(what, "run") == 0;
	struct daytona_line line = {
		.line = remote_line(errand, what, runs ? errand->command->line : ""),
		.timeout_ms = timeout_ms,
		.cwd = executor_tree_at(errand->executor),
		.is_once = runs,
		.env = runs ? errand->executor->world->env : NULL,
		.more_env = runs ? errand->command->env : NULL};
	return daytona_execute(&daytona->api, &daytona->sandbox, &line, errand->arena, ret_code,
		ret_text, ret_status, errand->ctx->cancel, err);
}

/* End it where it stands, so that there is an answer of what it came to. */
static int collect(struct errand *errand, struct rondo_error *err)
{
	const char *text = "";
	int code = 0, status;
	if (execute(errand, "collect", COLLECT_MS, &code, &text, &status, err) < 0)
		return -1;
	if (code == NEVER_BEGAN)
		return error_set(err, RONDO_ERROR_TRANSIENT,
			"the sandbox knows nothing of the command; it was made anew in its midst");
	return code == 0 ? 0
			 : error_set(err, RONDO_ERROR_TRANSIENT,
				   "the command could not be ended: exit code %d: %s", code, text);
}

static int64_t time_left_ms(const struct errand *errand)
{
	int64_t timeout_ms = errand->command->timeout_ms;
	return timeout_ms ? errand->start_ms + timeout_ms + PATIENCE_MS - clock_now_ms()
			  : INT64_MAX;
}

/* The request broke off, for a proxy in between is less patient, or the network failed; what runs goes on. What is known of it:
 * ANSWERED, ABANDONED (also: its time is over), NEVER_BEGAN, or -1: nothing, and err says why. */
static int await(struct errand *errand, struct rondo_error *err)
{
	const char *text;
	int code, status, strange = 0;
	while (time_left_ms(errand) > 0) {
		if (execute(errand, "await", AWAIT_MS, &code, &text, &status, err) < 0)
			return -1;
		if (code == ANSWERED || code == ABANDONED || code == NEVER_BEGAN)
			return code;
		/* The end of what runs may take the asking shell along; a sandbox without a shell never has one. */
		strange += code != RUNNING;
		if (strange == MOST_STRANGE)
			return NEVER_BEGAN;
		if (cancel_reason(errand->ctx->cancel))
			return cancel_error(errand->ctx->cancel, err);
	}
	errand->is_timed_out = true;
	return ABANDONED;
}

/* After a request that failed: get an answer, or learn that the line has to be sent again. */
static int recover(struct errand *errand, int status, bool *ret_again, struct rondo_error *err)
{
	struct rondo_error first = *err, fault;
	bool started = false;
	*ret_again = false;
	if (err->code == RONDO_ERROR_CANCELLED || status == 401 || status == 403 || status == 429)
		return -1;
	if (status == 408) {
		errand->is_timed_out = true;
		return collect(errand, err);
	}
	if (daytona_wake(errand, &started, &fault) < 0) {
		if (status >= 400 || fault.code == RONDO_ERROR_CANCELLED)
			*err = fault;
		return -1;
	}
	int found = await(errand, &fault);
	if (found == ANSWERED)
		return 0;
	if (found == ABANDONED)
		return collect(errand, err);
	*err = found == NEVER_BEGAN ? first : fault;
	*ret_again = found == NEVER_BEGAN && started;
	return *ret_again ? 0 : -1;
}

/* A sandbox that idles is stopped, and a command that runs for long is no use of it, as Daytona counts. */
static int allow_time(struct errand *errand, struct rondo_error *err)
{
	struct daytona *daytona = errand->daytona;
	int64_t need_ms = errand->command->timeout_ms + 60000;
	if (!daytona->idle_ms || need_ms <= daytona->idle_ms)
		return 0;
	if (daytona_sandbox_allow_idle(
		    &daytona->api, daytona->sandbox.id, need_ms, errand->ctx->cancel, err) < 0)
		return -1;
	daytona->idle_ms = need_ms;
	return 0;
}

/* A shell that was killed from within left no answer: then what it ran ends, too, or is awaited. Where it was never started,
 * there is nothing to end. */
static int end_killed(struct errand *errand, int *code, struct rondo_error *err)
{
	struct rondo_error ignored;
	if ((*code >= 0 && *code <= 128) || await(errand, &ignored) != ABANDONED)
		return 0;
	*code = 128 + SIGKILL;
	return collect(errand, err);
}

/* Until there is an answer, or the shell itself could not be started: then that is the answer, in *ret_text. */
static int run_line(
	struct errand *errand, int *ret_code, const char **ret_text, struct rondo_error *err)
{
	bool again = true;
	int status;
	errand->daytona->number++;
	for (int tries = 0; again && tries < 2; tries++) {
		*ret_code = 0;
		*ret_text = "";
		int fault = execute(errand, "run", errand->command->timeout_ms, ret_code, ret_text,
			&status, err);
		if (fault == 0 && !text_starts_with(*ret_text, "rondo: begun already"))
			return end_killed(errand, ret_code, err);
		if (fault ==
			0) /* it was sent again on the way, since a connection that was kept broke */
			status = 0;
		if (recover(errand, status, &again, err) < 0)
			return -1;
	}
	return again ? -1 : 0;
}

/* A command that was cancelled is ended now, and what it changed is taken over: none of it is this command's doing. */
static int end_last(struct errand *errand, struct rondo_error *err)
{
	struct process_result result;
	struct command nothing = {.line = "", .output_limit = errand->command->output_limit};
	struct errand last = *errand;
	struct rondo_error fault;
	last.command = &nothing;
	last.result = &result;
	if (!errand->daytona->is_unfinished)
		return 0;
	if (collect(&last, &fault) == 0 && daytona_bring_back(&last, 0, "", err) < 0)
		return -1;
	errand->daytona->is_unfinished = false;
	return 0;
}

static int carry_out(struct errand *errand, struct rondo_error *err)
{
	const char *text;
	int code;
	if (end_last(errand, err) < 0 || allow_time(errand, err) < 0 ||
		daytona_push(errand, err) < 0)
		return -1;
	errand->start_ms = clock_now_ms();
	errand->daytona->is_unfinished = true;
	if (run_line(errand, &code, &text, err) < 0 ||
		daytona_bring_back(errand, code, text, err) < 0)
		return -1;
	errand->daytona->is_unfinished = false;
	return 0;
}

int daytona_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	int64_t start_ms = clock_now_ms();
	struct errand errand = {.executor = executor,
		.daytona = executor->state,
		.command = command,
		.result = result,
		.ctx = ctx,
		.arena = &arena,
		.start_ms = start_ms};
	int status = carry_out(&errand, err);
	if (status < 0 && err->code != RONDO_ERROR_CANCELLED)
		return -1;
	if (status < 0)
		*result = (struct process_result){.end = PROCESS_CANCELLED, .exit_code = 125};
	result->duration_ms = clock_now_ms() - start_ms;
	return 0;
}
