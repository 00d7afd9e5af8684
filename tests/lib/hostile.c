/*
 * hostile DIR TIMEOUT_MS [NAME=VALUE...] -- LINE...: run lines of sh in the sandbox with these options, one after the other,
 * as an executor of a run below DIR does, and say what came of it and of this process, as one JSON object:
 *
 *	blocks        each with end, said, exit_code, duration_ms, output_bytes
 *	output        of all blocks, as an agent would be shown it
 *	rss_growth    bytes, at its highest
 *	fds           how many more are open than before
 *	left          how many children are there a second after the last block
 *	cleaned_ms    how long it took to remove the tree; -1: it could not. HOSTILE_KEEP in the environment: it stays
 */
#include <dirent.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/json.h"
#include "tests/lib/box.h"

#define OUTPUT ((size_t)64 << 10)
#define OUTPUT_LIMIT ((uint64_t)64 << 20)

static int64_t peak_rss(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (int64_t)usage.ru_maxrss * 1024;
}

static int open_files(void)
{
	int n = 0;
	DIR *dir = opendir("/proc/self/fd");
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

/* Who is still there of those that this process adopted, after at most a second. */
static int count_left(void)
{
	AUTO_STRBUF children = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error err;
	for (int64_t deadline_ms = clock_now_ms() + 1000; clock_now_ms() < deadline_ms; poll(NULL, 0, 10)) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		strbuf_reset(&children);
		box_must(file_read("/proc/thread-self/children", STRBUF_LINE, &children, &err), &err);
		if (!children.length)
			return 0;
	}
	int n = 0;
	for (const char *at = children.text; (at = strchr(at, ' ')); at++)
		n++;
	return n;
}

static void run_block(struct box_of_tests *box, const char *line, int64_t timeout_ms, struct strbuf *output,
	struct json *blocks)
{
	static const char *const ends[] = {[PROCESS_EXITED] = "exit", [PROCESS_SIGNALLED] = "signal",
		[PROCESS_TIMEOUT] = "timeout", [PROCESS_OUTPUT_LIMIT] = "output", [PROCESS_CANCELLED] = "cancelled",
		[PROCESS_MEMORY] = "memory", [PROCESS_PROCESSES] = "processes", [PROCESS_DISK] = "disk"};
	struct process_result result;
	struct rondo_error err;
	char text[64];
	struct command command = {
		.line = line, .timeout_ms = timeout_ms, .output = output, .output_limit = OUTPUT_LIMIT};
	struct json *block = json_add_object(blocks, NULL);
	if (executor_run(box->executor, &command, &result, &box->ctx, &err) < 0) {
		json_add_string(block, "end", "error");
		json_add_string(block, "said", err.message);
		return;
	}
	json_add_string(block, "end", ends[result.end]);
	json_add_string(block, "said", process_describe(&result, text, sizeof text));
	json_add_int(block, "exit_code", result.exit_code);
	json_add_int(block, "duration_ms", result.duration_ms);
	json_add_int(block, "output_bytes", (int64_t)result.output_bytes);
}

static int64_t clean(const struct box_of_tests *box)
{
	struct rondo_error err;
	int64_t start = clock_now_ms();
	if (getenv("HOSTILE_KEEP"))
		return 0;
	return file_remove_tree(box->tree, &err) < 0 ? -1 : clock_now_ms() - start;
}

int main(int argc, char **argv)
{
	struct box_of_tests box = {.executor = NULL};
	AUTO_STRBUF output = STRBUF_INIT(OUTPUT);
	AUTO_JSON *told = json_object();
	int i = 3;
	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	if (i >= argc) {
		fprintf(stderr, "usage: hostile DIR TIMEOUT_MS [NAME=VALUE...] -- LINE...\n");
		return 2;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	box_open(&box, argv[1], (const char *const *)argv + 3, (size_t)i - 3);
	struct json *blocks = json_add_array(told, "blocks");
	int64_t rss = peak_rss();
	int fds = open_files();
	while (++i < argc)
		run_block(&box, argv[i], atoi(argv[2]), &output, blocks);
	strbuf_mark_cut(&output);
	json_add_string(told, "output", output.text);
	json_add_int(told, "rss_growth", peak_rss() - rss);
	json_add_int(told, "fds", open_files() - fds);
	json_add_int(told, "left", count_left());
	json_add_int(told, "cleaned_ms", clean(&box));
	AUTO_FREE char *line = json_print(told);
	puts(line);
	box_close(&box);
	return 0;
}
