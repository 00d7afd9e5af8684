/*
 * hostile DIR TIMEOUT_MS [NAME=VALUE...] -- LINE...: run lines of sh in the sandbox with these
 * options, one after the other, as an executor of a run below DIR does, and say what came of it and
 * of this process, as one JSON object:
 *
 *	blocks        each with end, said, exit_code, duration_ms, output_bytes
 *	output        of all blocks, as an agent would be shown it
 *	rss_growth    bytes, at its highest
 *	fds           how many more are open than before
 *	late_ms       by how much a thread of it that wants to run a hundred times a second came
 *	              too late while blocks ran, but for the worst hundredth of the times
 *	left          how many children are there a second after the last block
 *	cleaned_ms    how long it took to remove the tree; -1: it could not. HOSTILE_KEEP in the
 *	              environment: it stays
 */
#include <dirent.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/thread.h"
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
	for (int64_t deadline_ms = clock_now_ms() + 1000; clock_now_ms() < deadline_ms;
		 poll(NULL, 0, 10)) {
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

/* --- Whether rondo still gets to run --- */

enum { TICK_MS = 10, MOST_TICKS = 100000 };

struct pulse {
	pthread_t thread;
	atomic_bool is_over;
	int64_t *late_us;
	size_t n;
};

static void *beat(void *owner)
{
	struct pulse *pulse = owner;
	while (!atomic_load(&pulse->is_over) && pulse->n < MOST_TICKS) {
		int64_t start_us = clock_now_us();
		poll(NULL, 0, TICK_MS);
		pulse->late_us[pulse->n++] = clock_now_us() - start_us - TICK_MS * 1000;
	}
	return NULL;
}

static void pulse_start(struct pulse *pulse)
{
	*pulse = (struct pulse){.late_us = memory_alloc(MOST_TICKS * sizeof *pulse->late_us)};
	if (thread_start(&pulse->thread, beat, pulse) != 0)
		exit(2);
}

static int by_size(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

static int64_t pulse_end(struct pulse *pulse)
{
	atomic_store(&pulse->is_over, true);
	pthread_join(pulse->thread, NULL);
	qsort(pulse->late_us, pulse->n, sizeof *pulse->late_us, by_size);
	int64_t late_us = pulse->n ? pulse->late_us[(pulse->n - 1) * 99 / 100] : 0;
	free(pulse->late_us);
	return late_us / 1000;
}

/* --- Blocks --- */

static void run_block(struct box_of_tests *box, const char *line, int64_t timeout_ms,
	struct strbuf *output, struct json *blocks)
{
	static const char *const ends[] = {[PROCESS_EXITED] = "exit",
		[PROCESS_SIGNALLED] = "signal",
		[PROCESS_TIMEOUT] = "timeout",
		[PROCESS_OUTPUT_LIMIT] = "output",
		[PROCESS_CANCELLED] = "cancelled",
		[PROCESS_MEMORY] = "memory",
		[PROCESS_PROCESSES] = "processes",
		[PROCESS_DISK] = "disk"};
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
	struct pulse pulse;
	int64_t rss = peak_rss();
	int fds = open_files();
	pulse_start(&pulse);
	while (++i < argc)
		run_block(&box, argv[i], atoi(argv[2]), &output, blocks);
	json_add_int(told, "late_ms", pulse_end(&pulse));
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
