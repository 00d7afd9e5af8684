#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "executors/inside/parts.h"

#define CONTROL "control" /* a FIFO, open for reading as long as the helper lives */
#define PRINTED "printed"
#define RESERVE "reserve" /* space for the answer if the line fills the disk */
#define PART "part"       /* of the answer */

enum { ROUNDS = 100, ROUND_MS = 100, RESERVE_BYTES = 1 << 20, SHORT_BYTES = 32768 };

static int keep_open(int dir, const char *name, int flags)
{
	return openat(dir, name, flags | O_CLOEXEC, 0600);
}

static void put_printed(FILE *to, int dir, uint64_t n)
{
	static char bytes[1 << 16];
	ssize_t part = 1;
	int from = keep_open(dir, PRINTED, O_RDONLY);
	record_put(to, &(struct record){.kind = RECORD_OUTPUT, .size = n, .path = ""}, NULL);
	for (; n && part > 0; n -= (uint64_t)part) {
		part = read(from, bytes, n < sizeof bytes ? (size_t)n : sizeof bytes);
		fwrite(bytes, 1, part > 0 ? (size_t)part : 0, to);
	}
	close(from);
}

/* Write the answer; `is_short`: only the report and the beginning of the output. */
static bool put_answer(int dir, const struct inside_report *report, uint64_t n, bool is_short)
{
	static const char why[] = "the disk is full";
	unlinkat(dir, PART, 0);
	FILE *to = record_open(keep_open(dir, PART, O_WRONLY | O_CREAT), "w");
	if (!to)
		return false;
	report_put(to, report);
	put_printed(to, dir, is_short && n > SHORT_BYTES ? SHORT_BYTES : n);
	if (is_short) {
		record_put(to, &(struct record){.kind = RECORD_REFUSED, .size = strlen(why), .path = "."},
			why);
		record_put(to, &(struct record){.kind = RECORD_END, .path = ""}, NULL);
	} else if (report->end != INSIDE_NO_FILES) {
		changes_tell(to);
	}
	bool is_written = !ferror(to);
	return fclose(to) == 0 && is_written && renameat(dir, PART, dir, INSIDE_ANSWER) == 0;
}

/* Apply the request, run the line. */
static struct inside_report keep_carry_out(const struct keep *keep, struct line *line, int place,
	uint64_t *ret_printed)
{
	int roots[RECORD_ROOTS], fault = 0;
	for (int i = 0; i < RECORD_ROOTS; i++)
		if ((roots[i] = tree_open(keep->roots[i])) < 0)
			return (struct inside_report){.end = INSIDE_NO_FILES, .value = errno};
	if (*keep->request) {
		int request = keep_open(place, keep->request, O_RDONLY);
		fault = request < 0 ? errno : apply_records(record_open(request, "r"), roots, RECORD_ROOTS);
		close(request);
		unlinkat(place, keep->request, 0);
	}
	if (fault)
		return (struct inside_report){.end = INSIDE_NO_FILES, .value = fault};
	changes_look(roots, keep->kept, keep->n_kept);
	return line_run(line, ret_printed);
}

/* It runs in its own session and holds none of its parent's descriptors, so it survives its
 * parent. */
int keep_run(const struct keep *keep, struct line *line)
{
	uint64_t printed = 0;
	int place = open(keep->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (mkdirat(place, keep->name, 0700) < 0)
		return errno == EEXIST ? INSIDE_AGAIN : INSIDE_NEVER;
	setsid();
	for (int i = 0; i < 3; i++)
		dup2(null, i);
	int dir = keep_open(place, keep->name, O_RDONLY | O_DIRECTORY);
	mkfifoat(dir, CONTROL, 0600);
	line->control = keep_open(dir, CONTROL, O_RDWR | O_NONBLOCK);
	line->output = keep_open(dir, PRINTED, O_WRONLY | O_CREAT);
	tree_remove(place, keep->previous);
	int reserve = keep_open(dir, RESERVE, O_WRONLY | O_CREAT);
	posix_fallocate(reserve, 0, RESERVE_BYTES);
	close(reserve);
	struct inside_report report = keep_carry_out(keep, line, place, &printed);
	unlinkat(dir, RESERVE, 0);
	bool is_told = put_answer(dir, &report, printed, false) ||
		put_answer(dir, &report, printed, true);
	return is_told ? INSIDE_ANSWERED : INSIDE_GONE;
}

int keep_await(const char *name, bool ends)
{
	int dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return INSIDE_NEVER;
	for (int i = 0; i < ROUNDS; i++) {
		int control = keep_open(dir, CONTROL, O_WRONLY | O_NONBLOCK);
		if (faccessat(dir, INSIDE_ANSWER, F_OK, 0) == 0)
			return INSIDE_ANSWERED;
		if (control < 0 && i > 0) /* at first it may not exist yet */
			return INSIDE_GONE;
		ssize_t written = ends ? write(control, "", 1) : 0;
		(void)written;
		close(control);
		poll(NULL, 0, ROUND_MS);
	}
	return INSIDE_RUNS;
}
