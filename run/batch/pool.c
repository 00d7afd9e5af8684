#include "run/batch/pool.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/utf8.h"

enum { TICK_MS = 100, MOST_HEARD = 1 << 16 };

/* --- What is told --- */

static int64_t pool_left_ms(const struct pool *pool)
{
	const struct batch_progress *progress = pool->progress;
	size_t n = batch_ended(progress) - progress->n_skipped;
	if (!n)
		return -1;
	return progress->elapsed_ms * (int64_t)(pool->n_waiting + progress->n_running) / (int64_t)n;
}

static void pool_measure(struct pool *pool)
{
	struct batch_progress *progress = pool->progress;
	progress->n_running = 0;
	for (size_t i = 0; i < pool->n_slots; i++)
		if (pool->slots[i].entry)
			pool->running[progress->n_running++] = pool->slots[i].running;
	progress->running = pool->running;
	progress->elapsed_ms = clock_now_ms() - pool->started_at_ms;
	progress->left_ms = pool_left_ms(pool);
}

static void pool_tell_end(struct pool *pool, const struct json *result)
{
	struct batch_result ended = task_result_of(result);
	progress_add(pool->progress, &ended);
	pool_measure(pool);
	if (pool->view->ended)
		pool->view->ended(pool->view->owner, &ended, pool->progress);
}

/* --- A task begins --- */

static struct json *pool_read_line(
	const struct pool *pool, const struct batch_entry *entry, struct rondo_error *err)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	if (batch_dir_line(pool->batch, entry, &line, err) < 0)
		return NULL;
	struct json *json = json_parse(line.text, line.length, err);
	if (!json)
		error_prefix(err, "%s/tasks.jsonl", pool->batch->path);
	return json;
}

/* Keep its line where the process looks for it, with what it may spend. */
static int slot_write_task(
	struct json *line, const struct batch_budget *share, const char *dir, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	if (share->tokens)
		json_add_int(line, "most_tokens", share->tokens);
	if (share->usd > 0)
		json_add_number(line, "most_usd", share->usd);
	AUTO_FREE char *text = json_print(line);
	strbuf_addf(&path, "%s/task.json", dir);
	unlink(path.text);
	return file_create(path.text, text, strlen(text), 0600, err);
}

static int slot_start(
	const struct pool *pool, struct pool_slot *slot, const char *dir, struct rondo_error *err)
{
	/* this one, also where another version was installed meanwhile, or none is there any more */
	const char *const argv[] = {
		"/proc/self/exe", "batch", "--run-task", dir, "--state-dir", dir, NULL};
	struct process_options options = {.argv = argv, .env = pool->env, .cancel = pool->cancel};
	slot->heard = (struct strbuf)STRBUF_INIT(MOST_HEARD);
	slot->running = (struct batch_running){
		.name = slot->entry->name, .started_at_ms = clock_now_ms(), .doing = "starting"};
	return coprocess_start(&options, &slot->process, err);
}

/* A broken line, or one whose process cannot even begin, has its result at once. */
static int pool_settle(struct pool *pool, struct batch_entry *entry, const char *dir, int exit_code,
	const char *reason, struct rondo_error *err)
{
	AUTO_JSON *result = task_result_failed(entry->name, exit_code, reason);
	if (task_result_write(dir, result, err) < 0 || results_append(pool->batch, result, err) < 0)
		return -1;
	pool_tell_end(pool, result);
	return 0;
}

static int pool_begin(struct pool *pool, struct pool_slot *slot, struct batch_entry *entry,
	const struct batch_budget *share, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const char *dir = task_dir(pool->batch, entry->name, &scratch);
	AUTO_JSON *line = pool_read_line(pool, entry, err);
	if (!line || file_make_dir(dir, 0700, err) < 0)
		return -1;
	const char *broken = json_string(line, "broken", NULL);
	entry->state = TASK_ENDED;
	if (broken)
		return pool_settle(pool, entry, dir, 2, broken, err);
	if (slot_write_task(line, share, dir, err) < 0)
		return -1;
	slot->entry = entry;
	slot->held = *share;
	if (slot_start(pool, slot, dir, err) == 0)
		return 0;
	slot->entry = NULL;
	return -1;
}

/* --- A task ends --- */

/* What a process that left no result was killed by, or complained of last. */
static const char *slot_last_words(struct pool_slot *slot, int exit_code, struct arena *arena)
{
	struct process_result result = {.end = PROCESS_EXITED, .exit_code = exit_code};
	char text[128];
	if (exit_code > 128) {
		result.end = PROCESS_SIGNALLED;
		result.signal = exit_code - 128;
	}
	strbuf_rtrim(&slot->heard);
	const char *last = strrchr(slot->heard.text, '\n');
	last = last ? last + 1 : slot->heard.text;
	return arena_printf(arena, "the task's rondo left no result: %s%s%s",
		process_describe(&result, text, sizeof text), *last ? ": " : "", last);
}

static int slot_end(struct pool *pool, struct pool_slot *slot, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct batch_entry *entry = slot->entry;
	const char *dir = task_dir(pool->batch, entry->name, &scratch);
	int exit_code = coprocess_exit_code(slot->process);
	AUTO_JSON *result = task_result_read(dir);
	const char *words = result ? NULL : slot_last_words(slot, exit_code, &scratch);
	coprocess_end(slot->process);
	strbuf_release(&slot->heard);
	*slot = (struct pool_slot){.entry = NULL};
	if (!result)
		return pool_settle(pool, entry, dir, exit_code ? exit_code : 70, words, err);
	if (results_append(pool->batch, result, err) < 0)
		return -1;
	pool_tell_end(pool, result);
	return 0;
}

/* --- All of them --- */

static struct batch_entry *pool_next(struct pool *pool)
{
	struct batch_dir *batch = pool->batch;
	while (pool->next < batch->n && batch->entries[pool->next].state != TASK_WAITS)
		pool->next++;
	return pool->next < batch->n ? &batch->entries[pool->next] : NULL;
}

/* Start what can be started. `stopped` stays set where nothing can, and nothing runs that may give
 * back what it holds. */
static int pool_fill(struct pool *pool, size_t *ret_running, struct rondo_error *err)
{
	const char *why = NULL;
	struct batch_entry *entry;
	*ret_running = 0;
	for (size_t i = 0; i < pool->n_slots; i++) {
		struct pool_slot *slot = &pool->slots[i];
		struct batch_budget share;
		while (!slot->entry && (entry = pool_next(pool)) && !(why = pool_share(pool, &share))) {
			pool->n_waiting--;
			if (pool_begin(pool, slot, entry, &share, err) < 0)
				return -1;
		}
		*ret_running += slot->entry != NULL;
	}
	pool->progress->stopped = *ret_running ? NULL : why;
	return 0;
}

/* The last whole line says what the task does now. */
static void slot_hear(struct pool_slot *slot)
{
	char *end = strrchr(slot->heard.text, '\n');
	if (!end || end == slot->heard.text)
		return;
	const char *line = end;
	while (line > slot->heard.text && line[-1] != '\n')
		line--;
	utf8_format(slot->running.doing, sizeof slot->running.doing, "%.*s", (int)(end - line), line);
}

static void pool_wait(const struct pool *pool)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct pollfd *fds = arena_alloc(&scratch, (pool->n_slots + CANCEL_FDS) * sizeof *fds);
	for (size_t i = 0; i < pool->n_slots; i++)
		fds[i] =
			(struct pollfd){.fd = pool->slots[i].entry ? coprocess_fd(pool->slots[i].process) : -1,
				.events = POLLIN};
	size_t n = pool->n_slots + cancel_poll(pool->cancel, fds + pool->n_slots);
	poll(fds, n, pool->view->tick ? TICK_MS : -1);
}

static int pool_hear(struct pool *pool, struct rondo_error *err)
{
	for (size_t i = 0; i < pool->n_slots; i++) {
		struct pool_slot *slot = &pool->slots[i];
		if (!slot->entry)
			continue;
		bool lives = coprocess_take(slot->process, &slot->heard);
		slot_hear(slot);
		if (!lives && slot_end(pool, slot, err) < 0)
			return -1;
	}
	return 0;
}

static int pool_loop(struct pool *pool, struct rondo_error *err)
{
	for (size_t n_running;;) {
		if (cancel_reason(pool->cancel))
			return cancel_error(pool->cancel, err);
		if (pool_fill(pool, &n_running, err) < 0)
			return -1;
		if (!n_running)
			return 0;
		if (pool->view->tick) {
			pool_measure(pool);
			pool->view->tick(pool->view->owner, pool->progress);
		}
		pool_wait(pool);
		if (pool_hear(pool, err) < 0)
			return -1;
	}
}

int pool_run(struct pool *pool, struct rondo_error *err)
{
	pool->started_at_ms = clock_now_ms();
	pool->slots = arena_alloc(pool->arena, pool->n_slots * sizeof *pool->slots);
	pool->running = arena_alloc(pool->arena, pool->n_slots * sizeof *pool->running);
	for (size_t i = 0; i < pool->batch->n; i++)
		pool->n_waiting += pool->batch->entries[i].state == TASK_WAITS;
	int status = pool_loop(pool, err);
	/* What runs dies with its keeper; its journal says how far it was. */
	for (size_t i = 0; i < pool->n_slots; i++)
		if (pool->slots[i].entry) {
			coprocess_end(pool->slots[i].process);
			strbuf_release(&pool->slots[i].heard);
		}
	pool_measure(pool);
	return status;
}
