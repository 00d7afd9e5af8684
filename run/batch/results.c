/* What came of tasks: result.json in each one's directory, and a file of lines made of these. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "chat/budget.h"
#include "run/batch/batch_dir.h"

#define LARGEST_RESULT ((size_t)16 << 20)
#define LARGEST_RESULTS ((size_t)1 << 30)
enum { EXIT_TRANSIENT = 75, EXIT_SIGNALLED = 128 };

const char *task_dir(const struct batch_dir *batch, const char *name, struct arena *arena)
{
	return arena_printf(arena, "%s/tasks/%s", batch->path, name);
}

/* --- One --- */

static bool code_is_final(int64_t code)
{
	return code != EXIT_TRANSIENT && code < EXIT_SIGNALLED;
}

struct json *task_result_read(const char *dir)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/result.json", dir);
	return json_read(path.text, LARGEST_RESULT);
}

/* Whether a result that is there already stays: the first last word does. On a cluster two machines
 * may have worked on the same task. */
static bool result_stays(const char *dir, const struct json *result)
{
	AUTO_JSON *before = task_result_read(dir);
	return before && (task_result_is_final(before) || !task_result_is_final(result));
}

/* It does not wait for the disk: what a power loss takes is made again of the run's own report. */
int task_result_write(const char *dir, const struct json *result, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE), draft = STRBUF_INIT(STRBUF_LINE);
	AUTO_FREE char *text = json_print(result);
	char host[128] = "";
	strbuf_addf(&path, "%s/result.json", dir);
	gethostname(host, sizeof host - 1);
	strbuf_addf(&draft, "%s/result.%s.%d", dir, host, (int)getpid());
	unlink(draft.text);
	if (file_create(draft.text, text, strlen(text), 0600, err) < 0)
		return -1;
	int status = link(draft.text, path.text);
	if (status < 0 && errno == EEXIST)
		status = result_stays(dir, result) ? 0 : rename(draft.text, path.text);
	if (status < 0)
		error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write '%s'", path.text);
	unlink(draft.text);
	return status;
}

bool task_result_is_final(const struct json *result)
{
	return code_is_final(json_int(result, "exit_code", EXIT_TRANSIENT));
}

struct batch_result task_result_of(const struct json *result)
{
	return (struct batch_result){
		.name = json_string(result, "name", "?"),
		.outcome = json_string(result, "outcome", "error"),
		.reason = json_string(result, "reason", NULL),
		.run = json_string(result, "run", NULL),
		.branch = json_string(result, "branch", NULL),
		.coder = json_string(result, "coder", NULL),
		.exit_code = (int)json_int(result, "exit_code", EXIT_TRANSIENT),
		.n_goal = (size_t)json_int(result, "goal", 0),
		.n_fixed = (size_t)json_int(result, "fixed", 0),
		.tokens = json_int(result, "total_tokens", 0),
		.duration_ms = json_int(result, "duration_ms", 0),
		.usd = json_number(result, "cost_usd", 0),
	};
}

struct json *task_result_failed(const char *name, int exit_code, const char *reason)
{
	struct json *result = json_object();
	json_add_string(result, "name", name);
	json_add_string(result, "outcome", RUN_ERROR_WORD);
	json_add_int(result, "exit_code", exit_code);
	json_add_string(result, "reason", reason);
	return result;
}

void progress_add(struct batch_progress *progress, const struct batch_result *result)
{
	char money[MONEY_SIZE];
	progress->n_verified += result->exit_code == 0;
	progress->n_failed += result->exit_code == 1;
	progress->n_errors += result->exit_code > 1;
	progress->n_may_pass += !code_is_final(result->exit_code);
	progress->tokens += result->tokens;
	progress->usd += result->usd > 0 ? result->usd : 0;
	if (progress->tokens || progress->usd > 0)
		snprintf(progress->spent, sizeof progress->spent, "%" PRId64 " tokens, %s USD",
			progress->tokens, money_text(progress->usd, money));
}

/* --- The file of lines --- */

int results_append(struct batch_dir *batch, const struct json *result, struct rondo_error *err)
{
	AUTO_FREE char *text = json_print(result);
	AUTO_STRBUF line = STRBUF_INIT(LARGEST_RESULT);
	strbuf_addf(&line, "%s\n", text);
	off_t before = lseek(batch->results, 0, SEEK_END);
	if (file_write_all(batch->results, line.text, line.length) == 0)
		return 0;
	error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write '%s'", batch->results_path);
	if (ftruncate(batch->results, before) < 0)
		return -1; /* the next start cuts off what is torn */
	return -1;
}

/* The names in whole lines that are the last word; what follows the last of them is cut off. */
static int results_take_up(
	struct batch_dir *batch, struct map *known, struct arena *arena, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_RESULTS);
	if (file_read_fd(batch->results, batch->results_path, LARGEST_RESULTS, &text, err) < 0)
		return -1;
	const char *at = text.text, *end = at + text.length, *line;
	size_t whole = 0;
	for (size_t n; (line = text_next_line(&at, end, &n));) {
		struct rondo_error ignored;
		AUTO_JSON *result = line[n] == '\n' ? json_parse(line, n, &ignored) : NULL;
		if (!result)
			break;
		whole = (size_t)(at - text.text);
		if (task_result_is_final(result))
			map_put(known, arena, arena_strdup(arena, json_string(result, "name", "")), batch);
	}
	if (whole < text.length && ftruncate(batch->results, (off_t)whole) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write '%s'", batch->results_path);
	return 0;
}

static int results_take_entry(struct batch_dir *batch, struct batch_entry *entry,
	const struct map *known, struct batch_progress *progress, struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_JSON *result = task_result_read(task_dir(batch, entry->name, &scratch));
	if (!result || !task_result_is_final(result))
		return 0;
	struct batch_result found = task_result_of(result);
	entry->state = TASK_ENDED;
	progress_add(progress, &found);
	progress->n_skipped++;
	return map_get(known, entry->name) ? 0 : results_append(batch, result, err);
}

int results_open(struct batch_dir *batch, struct batch_progress *progress, struct arena *arena,
	struct rondo_error *err)
{
	struct map known = {0};
	batch->results = open(batch->results_path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (batch->results < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", batch->results_path);
	if (results_take_up(batch, &known, arena, err) < 0)
		return -1;
	for (size_t i = 0; i < batch->n; i++) {
		struct batch_entry *entry = &batch->entries[i];
		progress->n += entry->state != TASK_ELSEWHERE;
		if (entry->state == TASK_WAITS &&
			results_take_entry(batch, entry, &known, progress, err) < 0)
			return -1;
	}
	return 0;
}
