#include "run/batch/batch_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"

#define LARGEST_LIST ((size_t)1 << 30)
#define LARGEST_COMMON ((size_t)16 << 20)
enum { BATCH_VERSION = 1, AWAIT_MS = 600000, AWAIT_STEP_MS = 200 };

bool batch_dir_is(const char *path, struct arena *arena)
{
	return file_exists(arena_printf(arena, "%s/batch.json", path));
}

/* --- batch.json --- */

static struct json *settings_to_json(const struct option_settings *settings)
{
	struct json *list = json_array();
	for (size_t i = 0; i < settings->n; i++)
		task_setting_add(
			list, settings->items[i].option, settings->items[i].key, settings->items[i].value);
	return list;
}

/* All of it; or without what only its own process needs, which tasks do not read. */
static char *common_print(const struct batch_common *common, bool is_whole, struct arena *arena)
{
	const struct fix_options *fix = &common->fix;
	AUTO_JSON *json = json_object();
	json_add_int(json, "version", BATCH_VERSION);
	json_add_string(json, "scenario", common->scenario);
	json_add_string(json, "executor", fix->executor);
	json_add_string(json, "env_file", file_absolute(arena, fix->env_file));
	json_add_bool(json, "allow_setup", fix->allow_setup);
	json_add(json, "settings", settings_to_json(&fix->settings));
	json_add_strings(json, "set", fix->overrides.items, fix->overrides.n);
	if (is_whole) {
		json_add_int(json, "jobs", common->jobs);
		json_add_int(json, "tokens", common->budget.tokens);
		json_add_number(json, "cost_usd", common->budget.usd);
	}
	return json_print_pretty(json);
}

static const char *text_at(const struct json *item, struct arena *arena)
{
	return arena_strdup(arena, json_text(item, ""));
}

void settings_of_json(
	const struct json *list, struct option_settings *settings, struct arena *arena)
{
	for (const struct json *item = json_first(list); item; item = json_next(item)) {
		const struct json *option = json_first(item), *key = option ? json_next(option) : NULL;
		struct option_setting setting = {text_at(option, arena), text_at(key, arena),
			text_at(key ? json_next(key) : NULL, arena)};
		ARENA_PUSH(arena, settings->items, settings->n, setting);
	}
}

void strings_of_json(const struct json *list, struct option_strings *strings, struct arena *arena)
{
	for (const struct json *item = json_first(list); item; item = json_next(item))
		ARENA_PUSH(arena, strings->items, strings->n, text_at(item, arena));
}

int batch_common_read(
	const char *dir, struct arena *arena, struct batch_common *ret_common, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_COMMON);
	const char *path = arena_printf(arena, "%s/batch.json", dir);
	if (file_read(path, LARGEST_COMMON, &text, err) < 0)
		return error_help(err, "rondo batch TASKS makes a batch's directory");
	AUTO_JSON *json = json_parse(text.text, text.length, err);
	if (!json)
		return error_prefix(err, "%s", path);
	if (json_int(json, "version", 0) != BATCH_VERSION)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is of another version of rondo, not %d",
			path, BATCH_VERSION);
	*ret_common = (struct batch_common){
		.fix = {.executor = arena_strdup(arena, json_string(json, "executor", NULL)),
			.env_file = arena_strdup(arena, json_string(json, "env_file", NULL)),
			.allow_setup = json_bool(json, "allow_setup", false)},
		.scenario = arena_strdup(arena, json_string(json, "scenario", NULL)),
		.jobs = json_int(json, "jobs", 0),
		.budget = {json_int(json, "tokens", 0), json_number(json, "cost_usd", 0)}};
	settings_of_json(json_get(json, "settings"), &ret_common->fix.settings, arena);
	strings_of_json(json_get(json, "set"), &ret_common->fix.overrides, arena);
	return 0;
}

static int refuse_second(const char *path, const char *lock, struct rondo_error *err)
{
	struct rondo_error ignored;
	AUTO_STRBUF who = STRBUF_INIT(STRBUF_LINE);
	file_read(lock, STRBUF_LINE, &who, &ignored);
	strbuf_rtrim(&who);
	error_set(err, RONDO_ERROR_USAGE, "another rondo batch works on '%s': %s", path,
		who.length ? who.text : "nobody knows which");
	return error_help(err, "rondo batch --status '%s' shows how far it is", path);
}

/* Whoever works on the batch, or on a part of it, holds a lock there. */
static int batch_check_free(const char *path, struct arena *arena, struct rondo_error *err)
{
	int status = 0;
	AUTO_DIR *dir = file_open_dir(AT_FDCWD, path);
	for (const char *name; dir && status == 0 && (name = file_next_name(dir));) {
		const char *lock = arena_printf(arena, "%s/%s", path, name);
		AUTO_CLOSE fd = text_starts_with(name, "lock") ? open(lock, O_RDWR | O_CLOEXEC) : -1;
		if (fd >= 0 && file_lock(fd, 0) < 0)
			status = refuse_second(path, lock, err);
	}
	return status;
}

/* Tasks read it when they begin, so while there are any nothing else may be written. */
int batch_common_write(const char *dir, const struct batch_common *common, struct arena *arena,
	struct rondo_error *err)
{
	struct batch_common old = {.jobs = 0};
	struct rondo_error none;
	bool is_there = batch_dir_is(dir, arena);
	bool is_old = is_there && batch_common_read(dir, arena, &old, &none) == 0;
	AUTO_FREE char *text = common_print(common, true, arena);
	AUTO_FREE char *now = common_print(common, false, arena);
	AUTO_FREE char *before = is_old ? common_print(&old, false, arena) : NULL;
	bool is_other = is_there && (!before || strcmp(before, now) != 0);
	if (is_other && batch_check_free(dir, arena, err) < 0)
		return -1;
	return file_write(arena_printf(arena, "%s/batch.json", dir), text, strlen(text), 0600, err);
}

/* --- Making it --- */

/* Each task is as it was, but for those whose line was broken; more may follow. */
static int check_same_tasks(
	const char *path, const struct strbuf *old, const struct strbuf *new, struct rondo_error *err)
{
	const char *at = old->text, *new_at = new->text, *line;
	size_t n, new_n, k = 0, ignored;
	for (; (line = text_next_line(&at, old->text + old->length, &n)); k++) {
		const char *now = text_next_line(&new_at, new->text + new->length, &new_n);
		bool is_same = now && n == new_n && memcmp(line, now, n) == 0;
		if (!is_same && !(now && json_member_text(line, n, "broken", &ignored)))
			break;
	}
	if (!line)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "'%s' is the directory of other tasks: task %zu differs",
		path, k + 1);
	return error_help(err,
		"--out DIR names another directory; rondo batch '%s' goes on with the old "
		"tasks",
		path);
}

int batch_dir_make(const char *path, const struct task_list *list,
	const struct batch_common *common, struct arena *arena, struct rondo_error *err)
{
	const struct strbuf *new = &list->lines.text;
	const char *file = arena_printf(arena, "%s/tasks.jsonl", path);
	AUTO_STRBUF old = STRBUF_INIT(LARGEST_LIST);
	if (file_make_dir(arena_printf(arena, "%s/tasks", path), 0700, err) < 0)
		return error_help(err, "--out names a directory that you may write");
	if (file_exists(file) && file_read(file, LARGEST_LIST, &old, err) < 0)
		return -1;
	bool is_same = old.length == new->length &&memcmp(old.text, new->text, new->length) == 0;
	if (check_same_tasks(path, &old, new, err) < 0)
		return -1;
	if (!is_same && file_write(file, new->text, new->length, 0600, err) < 0)
		return -1;
	return batch_common_write(path, common, arena, err);
}

/* --- Opening it --- */

static int lines_fail(const struct batch_dir *batch, struct rondo_error *err)
{
	return error_set(err, RONDO_ERROR_USAGE,
		"%s/tasks.jsonl is damaged: line %zu is no task; the tasks that ended are in results.jsonl",
		batch->path, batch->n + 1);
}

/* Only names and places are kept: a list may be long. */
static int batch_read_lines(struct batch_dir *batch, struct arena *arena, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_LIST);
	if (file_read_fd(batch->lines, "tasks.jsonl", LARGEST_LIST, &text, err) < 0)
		return -1;
	const char *at = text.text, *end = at + text.length, *line;
	size_t capacity = text_count_lines(text.text, text.length);
	batch->entries = arena_alloc(arena, (capacity + 1) * sizeof *batch->entries);
	for (size_t length; (line = text_next_line(&at, end, &length));) {
		size_t n_name;
		const char *name = json_member_text(line, length, "name", &n_name);
		if (!name || n_name < 3 || line[length] != '\n')
			return lines_fail(batch, err);
		struct batch_entry *entry = &batch->entries[batch->n];
		*entry = (struct batch_entry){.name = arena_strndup(arena, name + 1, n_name - 2),
			.offset = line - text.text,
			.n = (uint32_t)length};
		batch->n++;
	}
	return 0;
}

int batch_dir_lock(struct batch_dir *batch, const char *name, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const char *lock = arena_printf(&scratch, "%s/%s", batch->path, name);
	AUTO_STRBUF who = STRBUF_INIT(STRBUF_LINE);
	char host[128] = "?", date[CLOCK_DATE_SIZE];
	batch->lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (batch->lock < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", lock);
	if (file_lock(batch->lock, 0) < 0)
		return errno == EWOULDBLOCK
			? refuse_second(batch->path, lock, err)
			: error_errno(err, RONDO_ERROR_TRANSIENT, "cannot lock '%s'", lock);
	gethostname(host, sizeof host - 1);
	clock_format_date(clock_date_ms(), date);
	strbuf_addf(&who, "process %d on %s since %s\n", (int)getpid(), host, date);
	if (ftruncate(batch->lock, 0) < 0 || pwrite(batch->lock, who.text, who.length, 0) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write '%s'", lock);
	return 0;
}

/* The name of part i's lock and of its results begins so, and ends with this. */
static const char *part_suffix(size_t i, size_t n, struct arena *arena)
{
	return n > 1 ? arena_printf(arena, ".%zu-of-%zu", i, n) : "";
}

int batch_dir_await(
	const char *path, size_t i, size_t n, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const char *lock = arena_printf(&scratch, "%s/lock%s", path, part_suffix(i, n, &scratch));
	int64_t until_ms = clock_now_ms() + AWAIT_MS;
	AUTO_CLOSE fd = open(lock, O_RDWR | O_CLOEXEC);
	while (fd >= 0 && file_lock(fd, 0) < 0) {
		struct pollfd fds[CANCEL_FDS];
		if (cancel_reason(cancel))
			return cancel_error(cancel, err);
		if (clock_now_ms() > until_ms) {
			refuse_second(path, lock, err);
			err->code = RONDO_ERROR_TRANSIENT;
			return -1;
		}
		poll(fds, cancel_poll(cancel, fds), AWAIT_STEP_MS);
	}
	return 0;
}

int batch_dir_look(
	struct batch_dir *batch, const char *path, struct arena *arena, struct rondo_error *err)
{
	*batch = (struct batch_dir){.lock = -1, .results = -1, .lines = -1};
	if (!(batch->path = file_real_path(arena, path, err)))
		return -1;
	const char *lines = arena_printf(arena, "%s/tasks.jsonl", batch->path);
	batch->lines = open(lines, O_RDONLY | O_CLOEXEC);
	if (batch->lines < 0) {
		error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s'", lines);
		return error_help(err, "rondo batch TASKS makes a batch's directory");
	}
	return batch_read_lines(batch, arena, err);
}

int batch_dir_open(struct batch_dir *batch, const char *path, size_t i, size_t n,
	struct arena *arena, struct rondo_error *err)
{
	if (batch_dir_look(batch, path, arena, err) < 0)
		return -1;
	for (size_t k = 0; k < batch->n; k++)
		if (k % n != i - 1)
			batch->entries[k].state = TASK_ELSEWHERE;
	const char *part = part_suffix(i, n, arena);
	batch->results_path = arena_printf(arena, "%s/results%s.jsonl", batch->path, part);
	return batch_dir_lock(batch, arena_printf(arena, "lock%s", part), err);
}

int batch_dir_line(const struct batch_dir *batch, const struct batch_entry *entry,
	struct strbuf *line, struct rondo_error *err)
{
	AUTO_FREE char *bytes = memory_alloc(entry->n);
	ssize_t n = pread(batch->lines, bytes, entry->n, entry->offset);
	if (n != (ssize_t)entry->n)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot read '%s/tasks.jsonl'", batch->path);
	strbuf_add(line, bytes, entry->n);
	return 0;
}

void batch_dir_close(struct batch_dir *batch)
{
	int *fds[] = {&batch->lock, &batch->lines, &batch->results};
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (*fds[i] >= 0)
			close(*fds[i]);
}
