/*
 * Code blocks: each is written to a file in the tree and run by its language's command, or by the
 * executor in its own way. A file that the block names is kept; one that rondo names is removed.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "chat/chunks.h"
#include "chat/edit.h"
#include "executors/block_language.h"
#include "executors/tree_file.h"
#include "executors/world.h"

#define BLOCK_OUTPUT ((size_t)64 << 10)
#define BLOCK_LOGGED ((uint64_t)256 << 20)
#define BLOCK_KERNEL ((uint64_t)64 << 20) /* of an executor that keeps programs running */
#define ASK_MS 10000
#define HASH_SHOWN 16
enum { TIMED_OUT = 124, CANCELLED = 125 };

/* The blocks of one call. */
struct job {
	struct executor *executor;
	const struct block_order *order;
	const char *const *env;
	struct arena *arena;
	struct strbuf *output;
	struct code_result *result;
	const struct context *ctx;
	struct chunks *chunks;
};

/* The reply to a block that is not run says why. */
static int code_answer(const struct job *job, const char *why)
{
	strbuf_addf(job->output, "%s\n", why);
	job->result->exit_code = 1;
	return 0;
}

/* --- Where a block's text goes --- */

/* Relative to the tree. */
static const char *code_name_of(const struct job *job, const struct code_block *block,
	const char *suffix)
{
	char hash[HASH_SIZE];
	const char *dir = job->executor->settings->work_dir, *name = block->filename;
	if (!name) {
		hash_bytes(block->code, strlen(block->code), hash);
		name = arena_printf(job->arena, "%stmp_code_%.*s.%s",
			job->executor->settings->keep_code ? "" : ".", HASH_SHOWN, hash, suffix);
	}
	return dir ? arena_printf(job->arena, "%s/%s", dir, name) : name;
}

/* False with err set where its name leaves the tree. */
static bool code_write_block(const struct job *job, const struct code_block *block,
	const struct language *language, const char *name, struct rondo_error *err)
{
	const char *text = language_text_for(language, block, job->arena);
	if ((block->filename && edit_check_path(block->filename, err) < 0) ||
		edit_check_path(name, err) < 0)
		return false;
	if (tree_file_write(job->executor, job->executor->tree, name, text, err) < 0)
		return false;
	if (block->filename)
		ARENA_PUSH(job->arena, job->result->files, job->result->n_files, name);
	return true;
}

/* --- What is there to run it --- */

/* The program's path, or "" if there is none; looked up once. */
static int code_find_program(const struct job *job, const char *program, const char **ret_path,
	struct rondo_error *err)
{
	struct executor *executor = job->executor;
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_LINE);
	struct process_result end;
	const char *known = map_get(&executor->programs, program);
	if (!known) {
		struct command command = {.line = arena_printf(job->arena, "command -v -- %s", program),
			.timeout_ms = ASK_MS, .output = &output, .env = job->env};
		if (executor_run(executor, &command, &end, job->ctx, err) < 0)
			return -1;
		if (end.end == PROCESS_CANCELLED)
			return cancel_error(job->ctx->cancel, err);
		strbuf_rtrim(&output);
		known = end.exit_code ? "" : arena_strdup(&executor->arena, output.text);
		map_put(&executor->programs, &executor->arena, arena_strdup(&executor->arena, program),
			(void *)(uintptr_t)known);
	}
	*ret_path = known;
	return 0;
}

static void code_note_program(const struct job *job, const char *path)
{
	struct code_result *result = job->result;
	if (!text_in(result->programs, result->n_programs, path))
		ARENA_PUSH(job->arena, result->programs, result->n_programs, path);
}

/* --- Running --- */

/* All that a block prints goes there first; -1: nowhere. */
static int code_open_log(const struct job *job, const char **ret_name)
{
	char digits[9];
	hash_random(digits, 8);
	*ret_name = arena_printf(job->arena, "block-%s.txt", digits);
	const char *dir = job->order->log_dir;
	return dir ? open(arena_printf(job->arena, "%s/%s", dir, *ret_name),
		O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
}

/* It stays where the answer has not all of it. */
static void code_close_log(const struct job *job, int fd, const char *name, bool is_cut)
{
	struct code_result *result = job->result;
	if (fd < 0)
		return;
	close(fd);
	if (is_cut)
		ARENA_PUSH(job->arena, result->logs, result->n_logs, name);
	else
		unlink(arena_printf(job->arena, "%s/%s", job->order->log_dir, name));
}

static struct command code_command_for(const struct job *job)
{
	return (struct command){.timeout_ms = job->order->timeout_ms,
		.output = job->output,
		.env = job->env,
		.listener = {chunks_add, job->chunks}};
}

/* Append the language's command and the file. A plain program replaces the shell, which would only
 * wait for it. */
static void code_add_call(struct strbuf *line, const struct language *language, const char *path,
	bool is_program, const char *file)
{
	if (is_program) {
		strbuf_adds(line, "exec ");
		strbuf_add_word(line, path);
	} else {
		strbuf_adds(line, language->command);
	}
	strbuf_addc(line, ' ');
	strbuf_add_word(line, file);
}

/* Say how a program ended that did not exit. A shell reports signals itself. */
static void code_note_end(const struct job *job, const struct process_result *end, bool is_shell)
{
	char text[64];
	const char *signal = end->exit_code > 128 && !is_shell ? sigabbrev_np(end->exit_code - 128)
		: NULL;
	if (end->end == PROCESS_TIMEOUT)
		strbuf_adds(job->output, "\nTimeout");
	else if (end->end != PROCESS_EXITED && end->end != PROCESS_SIGNALLED &&
		end->end != PROCESS_CANCELLED)
		strbuf_addf(job->output, "\n%s", process_describe(end, text, sizeof text));
	else if (signal && end->end != PROCESS_CANCELLED)
		strbuf_addf(job->output, "\nkilled by SIG%s", signal);
}

/* Run the file `name` by its language's command. */
static int code_run_file(const struct job *job, const struct code_block *block,
	const struct language *language, const char *name, struct rondo_error *err)
{
	struct process_result end;
	const char *path = NULL, *dir = job->executor->settings->work_dir;
	if (language->program && code_find_program(job, language->program, &path, err) < 0)
		return -1;
	if ((path && !*path) || !language->command)
		return code_answer(job,
			arena_printf(job->arena, "language '%s' cannot run here: there is no %s",
			block->language, language->program ? language->program : "program for it"));
	if (path)
		code_note_program(job, path);
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	const char *const words[] = {path, name, NULL};
	bool is_program = path && strcmp(language->command, language->program) == 0;
	if (dir) {
		strbuf_adds(&line, "cd ");
		strbuf_add_word(&line, dir);
		strbuf_adds(&line, " && ");
	}
	code_add_call(&line, language, path, is_program, dir ? name + strlen(dir) + 1 : name);
	struct command command = code_command_for(job);
	command.line = line.text;
	command.words = is_program && *path == '/' && !dir ? words : NULL;
	const char *log;
	uint64_t cut = job->output->cut;
	command.log_fd = code_open_log(job, &log);
	command.log_limit = command.log_fd < 0 ? 0 : BLOCK_LOGGED;
	int status = executor_run(job->executor, &command, &end, job->ctx, err);
	code_close_log(job, command.log_fd, log, job->output->cut > cut);
	if (status < 0)
		return -1;
	code_note_end(job, &end, strcmp(language->suffix, "sh") == 0);
	job->result->exit_code = end.exit_code;
	return 0;
}

/* Run a block in the executor's own way if it has one, otherwise from a file. */
static int code_run_block(const struct job *job, const struct code_block *block,
	const struct language *language, struct rondo_error *err)
{
	const struct executor_type *type = job->executor->type;
	const char *name = code_name_of(job, block, language->suffix);
	struct rondo_error refusal;
	struct command command = code_command_for(job);
	command.output_limit = BLOCK_KERNEL;
	bool taken = false;
	if (block->filename && !code_write_block(job, block, language, name, &refusal))
		return code_answer(job, refusal.message);
	if (type->execute && type->execute(job->executor, block, &command, job->arena, job->result,
		&taken, job->ctx, err) < 0)
		return error_prefix(err, "executor %s", type->name);
	if (taken)
		return 0;
	if (!block->filename && !code_write_block(job, block, language, name, &refusal))
		return code_answer(job, refusal.message);
	int status = code_run_file(job, block, language, name, err);
	if (!block->filename && !job->executor->settings->keep_code)
		tree_file_remove(job->executor->tree, name, &refusal);
	return status;
}

static int code_save_block(
	const struct job *job, const struct code_block *block, const struct language *language)
{
	struct rondo_error refusal;
	if (!block->filename)
		return 0;
	if (!code_write_block(job, block, language, code_name_of(job, block, ""), &refusal))
		return code_answer(job, refusal.message);
	strbuf_addf(job->output, "Code saved to %s\n", block->filename);
	return 0;
}

/* Why it may not run, or NULL. */
static const char *code_refusal_of(const struct job *job, const struct block_rules *rules,
	const struct language *language)
{
	if (!rules || language_is_among(language, &rules->allow, job->arena))
		return NULL;
	return language_refused(language, &rules->allow, job->arena);
}

/* A deadline of the run is a timeout like that of a block. */
static void code_note_cancel(const struct job *job)
{
	int reason = cancel_reason(job->ctx->cancel);
	if (!reason || job->result->exit_code != CANCELLED)
		return;
	job->result->is_cut = reason != SIGALRM;
	job->result->exit_code = job->result->is_cut ? CANCELLED : TIMED_OUT;
	strbuf_adds(job->output, job->result->is_cut ? "\nCancelled" : "\nTimeout");
}

static int code_do_block(const struct job *job, const struct code_block *block,
	struct rondo_error *err)
{
	struct language language;
	if (block->cut_off)
		return code_answer(job,
			"This block was cut off: its closing fence is missing. It was not run.");
	if (!language_find(job->executor, block, job->arena, &language))
		return *block->language
			? code_answer(job, language_unknown(job->executor, block, job->arena)) : 0;
	if (language.policy != LANGUAGE_RUN)
		return language.policy == LANGUAGE_SAVE ? code_save_block(job, block, &language) : 0;
	const char *refusal = code_refusal_of(job, &job->executor->settings->rules, &language);
	if (!refusal)
		refusal = code_refusal_of(job, job->order->rules, &language);
	if (refusal)
		return code_answer(job, refusal);
	context_progress(job->ctx, job->order->source, "running %s",
		executor_language(job->executor, block, job->arena));
	if (code_run_block(job, block, &language, err) < 0)
		return -1;
	code_note_cancel(job);
	return 0;
}

bool executor_takes(const struct executor *executor, const struct code_block *block)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct language language;
	if (block->cut_off || !language_find(executor, block, &arena, &language))
		return block->cut_off || *block->language;
	return language.policy == LANGUAGE_RUN || (language.policy == LANGUAGE_SAVE && block->filename);
}

/* The value of PYTHONPATH, followed by a colon. */
static const char *code_path_in(const char *const *env, struct arena *arena)
{
	const char *value = environment_value(env, "PYTHONPATH");
	return value ? arena_printf(arena, "%s:", value) : "";
}

/* Packages that a block installs are visible to later blocks, and npm is quiet. A running kernel
 * finds them, too, if their directory existed when it started. */
static const char *const *code_environment(const struct executor *executor,
	const struct block_order *order, struct arena *arena)
{
	static const char *const quiet[] = {"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1",
		"PIP_ROOT_USER_ACTION=ignore", "npm_config_loglevel=error", "npm_config_fund=false",
		"npm_config_audit=false"};
	const char **env = NULL, *site = executor_cache_at(executor, "site", arena);
	size_t n = 0;
	struct rondo_error ignored;
	tree_file_make_dir(executor, executor->cache_dir, "site", &ignored);
	for (size_t i = 0; i < ARRAY_SIZE(quiet); i++)
		ARENA_PUSH(arena, env, n, quiet[i]);
	for (const char *const *e = order->env; e && *e; e++)
		if (!text_starts_with(*e, "PYTHONPATH="))
			ARENA_PUSH(arena, env, n, *e);
	ARENA_PUSH(arena, env, n, arena_printf(arena, "PIP_TARGET=%s", site));
	ARENA_PUSH(arena, env, n, arena_printf(arena, "PYTHONPATH=%s%s%s",
		code_path_in(order->env, arena), code_path_in(executor->world->env, arena), site));
	ARENA_PUSH(arena, env, n, NULL);
	return env;
}

int executor_execute_code_blocks(struct executor *executor, const struct block_order *order,
	struct arena *arena, struct code_result *ret_result, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_STRBUF output = STRBUF_INIT(BLOCK_OUTPUT);
	struct code_result result = {0};
	struct chunks chunks = CHUNKS_INIT(ctx, executor->secrets, order->source, CHUNKS_OF_PROGRAM);
	struct job job = {.executor = executor,
		.order = order,
		.env = code_environment(executor, order, arena),
		.arena = arena,
		.output = &output,
		.result = &result,
		.ctx = ctx,
		.chunks = &chunks};
	int status = 0;
	for (size_t i = 0; i < order->n && !result.exit_code && status == 0; i++)
		status = code_do_block(&job, &order->blocks[i], err);
	chunks_end(&chunks);
	if (status < 0)
		return -1;
	strbuf_mark_cut(&output);
	result.output = arena_strndup(arena, output.text, output.length);
	*ret_result = result;
	return 0;
}
