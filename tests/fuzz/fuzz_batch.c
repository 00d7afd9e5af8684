/* reads: lists of tasks, and the directories of batches */
/* The first byte says whether the rest is a list of tasks or the files of a batch's directory,
 * apart by the byte 1. Each task of a list is an object on a line, or a broken line that says why;
 * what a directory says adds up. */
#include "run/batch/batch_dir.h"
#include "tests/fuzz/page.h"

#define ONE "batch/tasks/a/"
static const char *const parts[] = {"batch/batch.json", "batch/tasks.jsonl", ONE "result.json",
	"batch/results.1-of-2.jsonl", "batch/slurm/job.json", ONE "task.json"};

static void read_list(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct task_list list;
	struct batch_options options = {.tasks = fuzz_path("tasks.jsonl")};
	size_t n_lines = 0;
	fuzz_write("tasks.jsonl", data, size);
	if (task_list_read(&list, &options, &arena, &err) < 0) {
		assert_error(&err);
		return;
	}
	const char *at = list.lines.text.text, *end = at + list.lines.text.length, *line;
	for (size_t n; (line = text_next_line(&at, end, &n)); n_lines++) {
		AUTO_JSON *json = json_parse(line, n, &err);
		const char *name = json_string(json, "name", NULL);
		assert(name && *name && !strchr(name, '/') && *name != '.');
	}
	assert(n_lines == list.lines.n);
	task_list_release(&list);
}

static void put(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const uint8_t *end = size ? memchr(data, 1, size) : NULL;
		size_t n = end ? (size_t)(end - data) : size;
		fuzz_write(parts[i], data, n);
		data += n + (end != NULL);
		size -= n + (end != NULL);
	}
	unlink(fuzz_path("batch/results.jsonl"));
}

static void read_dir(void)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct batch_common common;
	struct batch_progress progress;
	const char *dir = fuzz_path("batch"), *file;
	if (batch_common_read(dir, &arena, &common, &err) < 0)
		assert_error(&err);
	if (run_batch_status(dir, NULL, &arena, &progress, &err) < 0)
		assert_error(&err);
	else
		assert(batch_ended(&progress) <= progress.n);
	if (run_batch_collect(dir, &err) < 0)
		assert_error(&err);
	AUTO_STRBUF page = STRBUF_INIT(STRBUF_RECORD * 4);
	if (run_batch_html(dir, &arena, &file, &err) < 0)
		assert_error(&err);
	else if (file_read(file, STRBUF_RECORD * 4, &page, &err) == 0)
		page_check(page.text, page.length, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_ready;
	struct rondo_error err;
	if (!is_ready)
		assert(file_make_dir(fuzz_path(ONE), 0700, &err) == 0 &&
			file_make_dir(fuzz_path("batch/slurm"), 0700, &err) == 0);
	is_ready = true;
	if (size && data[0] % 2) {
		put(data + 1, size - 1);
		read_dir();
	} else if (size) {
		read_list(data + 1, size - 1);
	}
	return 0;
}
