/* The commands of a setup are run, and a failure is told. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/setup/setup.h"
#include "run/site/site.h"

#define OUTPUT ((size_t)16 << 10) /* of which the last lines are shown */
#define LOG_LIMIT ((uint64_t)64 << 20)
#define TELL_EVERY_MS 1000
#define LAST_LINES 6
#define LAST_BYTES ((size_t)500)

/* The commands one after the other, as separate shells, up to the first that fails. */
static void setup_write_script(const struct option_strings *commands, struct strbuf *script)
{
	strbuf_adds(script, "export TMPDIR=\"$XDG_CACHE_HOME/tmp\"; mkdir -p \"$TMPDIR\"");
	for (size_t i = 0; i < commands->n; i++) {
		strbuf_addf(script, " && echo %zu >\"$XDG_CACHE_HOME/" SETUP_STEP "\" && /bin/sh -c ", i);
		strbuf_add_word(script, commands->items[i]);
	}
}

static const char *setup_failed_command(
	const struct option_strings *commands, const char *cache, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(64);
	struct rondo_error ignored;
	size_t i = 0;
	if (file_read(arena_printf(arena, "%s/" SETUP_STEP, cache), 64, &text, &ignored) == 0)
		sscanf(text.text, "%zu", &i);
	return commands->items[i < commands->n ? i : 0];
}

/* The last lines, as many as an error shows. */
static const char *setup_last_lines(const struct strbuf *output)
{
	const char *end = output->text + output->length, *at = end;
	for (int n = 0; at > output->text && n < LAST_LINES && (size_t)(end - at) < LAST_BYTES; at--)
		n += at[-1] == '\n';
	while (*at == '\n' || (*at & 0xc0) == 0x80)
		at++;
	return at;
}

static int setup_tell_failure(const struct run_env *env, const char *command,
	const struct process_result *result, struct strbuf *output, const char *log,
	struct rondo_error *err)
{
	char end[64];
	strbuf_rtrim(output);
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "setup: '%s' ended with %s%s%s", command,
		process_describe(result, end, sizeof end), output->length ? ":\n" : "",
		setup_last_lines(output));
	return error_help(err, "the output is kept in %s", arena_strdup(env->arena, log));
}

/* The last whole line that a setup printed, told from time to time. */
struct setup_telling {
	const struct context *ctx;
	struct strbuf line;
	int64_t told_ms;
};

static void setup_hear(void *owner, const char *text, size_t n)
{
	struct setup_telling *telling = owner;
	for (size_t i = 0; i < n; i++) {
		bool ends = text[i] == '\n' || text[i] == '\r';
		if (!ends) {
			strbuf_addc(&telling->line, text[i]);
			continue;
		}
		strbuf_rtrim(&telling->line);
		if (telling->line.length && clock_now_ms() - telling->told_ms >= TELL_EVERY_MS) {
			context_progress(telling->ctx, "setup", "%s", telling->line.text);
			telling->told_ms = clock_now_ms();
		}
		strbuf_reset(&telling->line);
	}
}

int setup_run(const struct run_env *env, struct executor *executor,
	const struct option_strings *commands, struct rondo_error *err)
{
	AUTO_STRBUF script = STRBUF_INIT(STRBUF_TEXT), output = STRBUF_INIT(OUTPUT);
	struct setup_telling telling = {
		.ctx = &env->ctx, .line = STRBUF_INIT(STRBUF_LINE), .told_ms = clock_now_ms()};
	struct process_result result;
	const char *log = arena_printf(env->arena, "%s/setup.log", env->paths.logs);
	AUTO_CLOSE fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	setup_write_script(commands, &script);
	struct command command = {.line = script.text,
		.output = &output,
		.listener = {setup_hear, &telling},
		.timeout_ms = env->order->scenario->limits.time_ms,
		.log_fd = fd < 0 ? 0 : fd,
		.log_limit = fd < 0 ? 0 : LOG_LIMIT};
	context_progress(&env->ctx, "setup", "%s", setup_describe(commands, env->arena));
	int status = executor_run(executor, &command, &result, &env->ctx, err);
	strbuf_release(&telling.line);
	if (status < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(env->ctx.cancel, err);
	if (result.end == PROCESS_EXITED && result.exit_code == 0)
		return 0;
	return setup_tell_failure(env,
		setup_failed_command(commands, executor_wrote(executor, env->arena).cache, env->arena),
		&result, &output, log, err);
}

int setup_run_in(const struct site *site, const struct run_env *env, struct executor *executor,
	struct rondo_error *err)
{
	const struct option_strings *commands = &env->order->scenario->setup.commands;
	const struct setup *setup = &site->setup;
	if (!setup->is_in_each || !commands->n)
		return 0;
	if (!setup->plan.type)
		return setup_run(env, executor, commands, err);
	struct executor *online; /* on the same files */
	if (executor_new(&setup->plan, &setup->world, executor->tree, executor->cache_dir, &env->ctx,
			&online, err) < 0)
		return -1;
	int status = setup_run(env, online, commands, err);
	executor_free(online);
	return status;
}
