#include "verify/judge/silence.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/process/computing.h"
#include "base/strbuf.h"
#include "base/thread.h"

/* Where no test is known to run, a runner may be loading, and a compiler may be at work: how much
 * longer they may be silent than a test. */
enum { RUNNER_LONGER = 2, BUILD_LONGER = 5 };

/* What computed for so much of the silence is no build, but for these programs. */
enum { COMPUTING_PART = 4 };
static const struct process_names builders = {
	.names = (const char *const[]){"cc1", "cc1plus", "cc1obj", "lto1", "lto-wrapper", "as", "ld",
		"ld.bfd", "ld.gold", "ld.lld", "lld", "mold", "collect2", "ar", "gcc", "g++", "cc", "c++",
		"clang", "clang++", "rustc", "cargo", "go", "compile", "link", "asm", "cgo", "vet", "javac",
		"kotlinc", "ghc", "ocamlopt", "zig", "swift-frontend", "dmd", "nvcc", "cicc", "ptxas",
		"cmake", "ninja", "make", "node", "tsc", "esbuild", NULL},
	.words =
		(const char *const[]){"plexus.classworlds.", "org.gradle.launcher.", "org.gradle.wrapper.",
			"org.apache.tools.ant.", "com.sun.tools.javac", "kotlin", "scala", NULL},
};

enum {
	SHOWN_EACH_MS = 1000,    /* and what computes is looked at */
	LARGEST_SHOWN = 2 << 20, /* bytes of output that are read for that */
	BAR = 20,                /* columns */
};

int64_t silence_of(int log)
{
	struct stat st;
	if (fstat(log, &st) < 0)
		return 0;
	int64_t silent_ms = clock_date_ms() - clock_in_ns(&st.st_mtim) / 1000000;
	return silent_ms > 0 ? silent_ms : 0;
}

/* Whether the output so far ends in a test that has begun. */
static bool silence_is_in_test(const struct silence *silence, int64_t silent_ms)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report = {0};
	struct rondo_error ignored;
	struct process_result result = {
		.end = PROCESS_TIMEOUT, .exit_code = 124, .duration_ms = silent_ms};
	struct suite_output output = {.log = silence->log, .result = &result, .silent_ms = silent_ms};
	return suite_read(silence->suite, &output, &arena, &report, &ignored) == 0 && report.hung;
}

/* Whether `ms`, of the silence or of computing in it, are too many. */
static bool silence_exceeds(
	const struct silence *silence, int64_t ms, int64_t limit_ms, int longer, int64_t silent_ms)
{
	return limit_ms && ms >= limit_ms &&
		((silence->is_told_at_once && ms >= longer * limit_ms) ||
			silence_is_in_test(silence, silent_ms));
}

/* How much of the silence one core computed, since the first look in it; threads side by side need
 * less time for as much. */
static int64_t silence_computed_ms(struct silence *silence, int64_t silent_ms, int64_t computed_ms)
{
	int64_t now_ms = clock_now_ms();
	if (!silence->looked_ms || now_ms - silence->looked_ms > silent_ms) {
		silence->looked_ms = now_ms;
		silence->computed_ms = computed_ms;
	}
	int64_t ms = computed_ms - silence->computed_ms;
	return ms < silent_ms ? ms : silent_ms;
}

static bool silence_is_too_long(struct silence *silence, int64_t silent_ms)
{
	bool may_build = silence->suite->type->may_build;
	if (silent_ms < silence->limit_ms && (!silence->computing_ms || silent_ms < SHOWN_EACH_MS))
		return false;
	int64_t computed_ms = may_build || silence->computing_ms ? process_computing_ms(&builders) : 0;
	int64_t in_silence_ms = silence_computed_ms(silence, silent_ms, computed_ms);
	may_build &= computed_ms < silent_ms / COMPUTING_PART;
	int64_t limit_ms = may_build ? silence->build_limit_ms : silence->limit_ms;
	int longer = may_build ? BUILD_LONGER : RUNNER_LONGER;
	return silence_exceeds(silence, silent_ms, limit_ms, longer, silent_ms) ||
		silence_exceeds(silence, in_silence_ms, silence->computing_ms, RUNNER_LONGER, silent_ms);
}

/* How far a run is, where it says how many tests it has. */
static void silence_describe(const struct test_report *report, size_t total, struct strbuf *sb)
{
	size_t n_red = report->count[TEST_FAILED] + report->count[TEST_ERROR], n = report->n;
	if (total < n) {
		strbuf_addf(sb, "%zu test%s so far, %zu red", n, text_plural(n), n_red);
		return;
	}
	for (size_t i = 0; i < BAR; i++)
		strbuf_addf(
			sb, "%s%c%s", i ? "" : "[", i < BAR * n / total ? '#' : '.', i + 1 < BAR ? "" : "]");
	strbuf_addf(sb, " %zu of %zu tests, %zu red", n, total, n_red);
}

/* Say how many tests have come to their end, as far as the output tells now. */
static void silence_show(struct silence *silence)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF progress = STRBUF_INIT(STRBUF_RECORD);
	struct test_report report = {0};
	struct rondo_error ignored;
	struct stat st;
	struct process_result result = {.end = PROCESS_EXITED};
	struct suite_output output = {.log = silence->log, .result = &result};
	if (fstat(silence->log, &st) < 0 || st.st_size == silence->seen || st.st_size > LARGEST_SHOWN)
		return;
	silence->seen = st.st_size;
	if (suite_read(silence->suite, &output, &arena, &report, &ignored) < 0 || !report.n ||
		test_report_is_exit(&report))
		return;
	size_t announced = suite_announced(silence->log);
	silence_describe(&report, announced ? announced : silence->n_tests, &progress);
	context_progress(silence->shown_to, silence->shown_as, "running the suite: %s", progress.text);
}

static void *silence_watch(void *owner)
{
	struct silence *silence = owner;
	struct pollfd fds[CANCEL_FDS];
	while (!cancel_reason(&silence->ended)) {
		int64_t silent_ms = silence_of(silence->log), left_ms = silence->limit_ms - silent_ms;
		if (silence->limit_ms && silence_is_too_long(silence, silent_ms)) {
			atomic_store(&silence->fired, true);
			cancel_fire(&silence->cancel, SIGALRM);
			return NULL;
		}
		size_t n = cancel_poll(&silence->ended, fds);
		int64_t wait_ms = left_ms > 0 ? left_ms : silence->limit_ms;
		bool looks = silence->shown_as || silence->computing_ms;
		if (looks && (!silence->limit_ms || wait_ms > SHOWN_EACH_MS))
			wait_ms = SHOWN_EACH_MS;
		if (poll(fds, n, (int)wait_ms) == 0 && silence->shown_as)
			silence_show(silence);
	}
	return NULL;
}

int silence_begin(struct silence *silence, const struct cancel *parent, struct rondo_error *err)
{
	if (cancel_init(&silence->cancel, parent, 0, err) < 0)
		return -1;
	if (cancel_init(&silence->ended, NULL, 0, err) < 0) {
		cancel_release(&silence->cancel);
		return -1;
	}
	silence->has_thread = thread_start(&silence->thread, silence_watch, silence) == 0;
	return 0;
}

bool silence_end(struct silence *silence)
{
	cancel_fire(&silence->ended, SIGTERM);
	if (silence->has_thread)
		pthread_join(silence->thread, NULL);
	cancel_release(&silence->cancel);
	cancel_release(&silence->ended);
	return atomic_load(&silence->fired);
}
