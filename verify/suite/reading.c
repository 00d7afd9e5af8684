/* From a run's output to a report: which formats it is in, and what each of them reads. */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "verify/suite/format.h"

enum {
	SIGN_MOST = 4096,   /* bytes of a report file that show its format */
	SILENT_PART = 4,    /* of a run's time, at the end of one that hangs */
	EXIT_TIMEOUT = 124, /* of timeout(1) */
};

/* Why a run was ended from outside, or NULL. A crash is not: that is how a test in C fails. */
static const char *reading_interruption(
	const struct process_result *result, off_t log_size, struct arena *arena)
{
	char text[64];
	int signal = result->signal;
	bool crashed = result->end == PROCESS_SIGNALLED &&
		(signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE ||
			signal == SIGILL);
	switch (crashed ? PROCESS_EXITED : result->end) {
	case PROCESS_EXITED:
		break;
	case PROCESS_TIMEOUT:
		return arena_printf(arena, "timed out after %.*f s", result->duration_ms < 10000,
			(double)result->duration_ms / 1000);
	case PROCESS_OUTPUT_LIMIT:
		return arena_printf(
			arena, "printed too much: %llu bytes", (unsigned long long)result->output_bytes);
	case PROCESS_CANCELLED:
		return "cancelled";
	case PROCESS_SIGNALLED:
	case PROCESS_MEMORY:
	case PROCESS_PROCESSES:
	case PROCESS_DISK:
		return arena_strdup(arena, process_describe(result, text, sizeof text));
	}
	if (result->output_bytes > (uint64_t)log_size)
		return arena_printf(arena, "printed %llu bytes, of which only %lld were kept",
			(unsigned long long)result->output_bytes, (long long)log_size);
	return NULL;
}

void reading_add(struct suite_reading *reading, const char *id, enum test_status status,
	const char *message, const struct location *location, int64_t duration_ms)
{
	bool placed = test_status_is_red(status) && location && *location->file;
	test_report_add(reading->report, reading->arena,
		&(struct test_result){.id = id,
			.status = status,
			.message = status != TEST_PASSED && message && *message ? message : NULL,
			.file = placed ? location->file : NULL,
			.line = placed ? location->line : 0,
			.duration_ms = duration_ms});
}

const char *status_word_skip(
	const struct status_word *words, size_t n, const char *text, enum test_status *ret_status)
{
	for (size_t i = 0; i < n; i++)
		if (text_starts_with(text, words[i].text)) {
			*ret_status = words[i].status;
			return text + strlen(words[i].text);
		}
	return NULL;
}

/* --- Which formats --- */

REGISTRY_DEFINE(struct format, suite_formats, FORMATS(&FORMAT_SYMBOL));
const char *const suite_format_names[] = {"auto", FORMATS(REGISTRY_NAME), NULL};

/* The formats of one run, each with a reading of its own. */
struct readings {
	struct suite_reading items[ARRAY_SIZE(suite_formats)];
	bool shown[ARRAY_SIZE(suite_formats)]; /* something showed that this is being printed */
	bool hinted[ARRAY_SIZE(suite_formats)];
	bool sole[ARRAY_SIZE(suite_formats)]; /* its sole_sign came */
	size_t n;
};

/* "tap+jest" names tap. */
static bool reading_is_named(const char *names, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = names; at; at = strchr(at, '+')) {
		at += *at == '+';
		if (strncmp(at, name, n) == 0 && (!at[n] || at[n] == '+'))
			return true;
	}
	return false;
}

static void reading_hear_signs(void *owner, const char *line)
{
	struct readings *readings = owner;
	for (size_t i = 0; i < readings->n; i++) {
		const struct format *format = readings->items[i].format;
		if (!readings->shown[i])
			readings->shown[i] = (format->signs && line_matches_any(line, format->signs)) ||
				(format->shows && format->shows(line));
		readings->hinted[i] |= format->hints && format->hints(line);
		readings->sole[i] |= format->sole_sign && text_starts_with(line, format->sole_sign);
	}
}

static void reading_look_at_reports(struct readings *readings, const struct suite_output *output)
{
	char text[SIGN_MOST + 1];
	for (size_t i = 0; i < output->n_reports; i++) {
		ssize_t n = pread(output->reports[i], text, SIGN_MOST, 0);
		text[n > 0 ? n : 0] = '\0';
		for (size_t j = 0; j < readings->n; j++) {
			const char *const *signs = readings->items[j].format->report_signs;
			readings->shown[j] |= signs && line_matches_any(text, signs);
		}
	}
}

/* The place of a format beside which no other counts; n: there is none. One that only seems to be
 * printed is not shown any more. */
static size_t reading_find_alone(struct readings *readings)
{
	size_t alone = readings->n;
	bool others_tell = false;
	for (size_t i = 0; i < readings->n; i++)
		others_tell |= readings->shown[i] && readings->items[i].format->tells_all;
	for (size_t i = 0; i < readings->n; i++) {
		bool is_alone = readings->shown[i] && readings->items[i].format->is_alone;
		if (is_alone && (readings->sole[i] || !others_tell))
			alone = i;
		else if (is_alone)
			readings->shown[i] = false;
	}
	return alone;
}

/* Keep those that showed themselves, or where none did, those with a hint; else the last, which
 * needs no sign. */
static void reading_keep_shown(struct readings *readings)
{
	size_t n = 0;
	if (!memchr(readings->shown, true, readings->n))
		memcpy(readings->shown, readings->hinted, sizeof readings->shown);
	size_t alone = reading_find_alone(readings);
	for (size_t i = 0; i < readings->n; i++)
		if (readings->shown[i] && (alone == readings->n || alone == i))
			readings->items[n++] = readings->items[i];
	if (n == 0)
		readings->items[n++] = readings->items[readings->n - 1];
	readings->n = n;
}

/* The formats that are settled; else those of the runner's that show themselves. */
static int reading_choose_formats(struct readings *readings, const struct suite_reading *shared,
	const struct suite_output *output, struct rondo_error *err)
{
	const struct suite *suite = shared->suite;
	const struct format *const *formats =
		suite->type->formats && !suite->format ? suite->type->formats : suite_formats;
	for (; *formats; formats++) {
		if (suite->format && !reading_is_named(suite->format, (*formats)->name))
			continue;
		struct suite_reading *reading = &readings->items[readings->n++];
		*reading = *shared;
		reading->format = *formats;
		reading->state = arena_alloc(shared->arena, (*formats)->state_size);
	}
	if (suite->format || readings->n == 1)
		return 0;
	reading_look_at_reports(readings, output);
	if (lines_read(output->log, (struct listener){reading_hear_signs, readings}, err) < 0)
		return -1;
	reading_keep_shown(readings);
	return 0;
}

/* --- Lines that make a run red --- */

struct alarms {
	regex_t *patterns;  /* one a text of the suite's fail_output */
	const char **lines; /* the first that matched, or NULL */
	size_t n;
	struct arena *arena;
};

static void alarms_release(struct alarms *alarms)
{
	for (size_t i = 0; i < alarms->n; i++)
		regfree(&alarms->patterns[i]);
}
#define AUTO_ALARMS __attribute__((cleanup(alarms_release))) struct alarms

static int alarms_init(struct alarms *alarms, const struct suite *suite, struct rondo_error *err)
{
	alarms->patterns = arena_alloc(alarms->arena, suite->n_fail_output * sizeof *alarms->patterns);
	alarms->lines = arena_alloc(alarms->arena, suite->n_fail_output * sizeof *alarms->lines);
	for (; alarms->n < suite->n_fail_output; alarms->n++)
		if (pattern_compile(suite->fail_output[alarms->n], &alarms->patterns[alarms->n], err) < 0)
			return error_prefix(err, "test.fail_output");
	return 0;
}

static void alarms_hear(struct alarms *alarms, const char *line)
{
	for (size_t i = 0; i < alarms->n; i++)
		if (!alarms->lines[i] && regexec(&alarms->patterns[i], line, 0, NULL, 0) == 0)
			alarms->lines[i] = arena_strdup(alarms->arena, line);
}

/* Each is a test of its own that is always there. */
static void alarms_add(
	const struct alarms *alarms, const struct suite *suite, struct test_report *report)
{
	for (size_t i = 0; i < alarms->n; i++)
		test_report_add(report, alarms->arena,
			&(struct test_result){
				.id = arena_printf(alarms->arena, "no output matches '%s'", suite->fail_output[i]),
				.status = alarms->lines[i] ? TEST_FAILED : TEST_PASSED,
				.message = alarms->lines[i]});
}

/* --- What they read --- */

struct hearing {
	struct readings readings;
	struct alarms *alarms;
};

static void reading_hear_results(void *owner, const char *line)
{
	struct hearing *hearing = owner;
	struct readings *readings = &hearing->readings;
	alarms_hear(hearing->alarms, line);
	for (size_t i = 0; i < readings->n; i++)
		if (readings->items[i].format->read_line)
			readings->items[i].format->read_line(&readings->items[i], line);
}

static void reading_read_reports(struct suite_reading *reading, const struct suite_output *output)
{
	for (size_t i = 0; i < output->n_reports && reading->format->read_report; i++)
		reading->format->read_report(reading, output->reports[i]);
}

/* The first problem of a format is the run's. */
static void reading_finish_all(struct readings *readings, const struct process_result *result)
{
	const char *problem = NULL;
	for (size_t i = 0; i < readings->n; i++) {
		const char *other = readings->items[i].format->finish(&readings->items[i], result);
		problem = problem ? problem : other;
	}
	readings->items[0].report->problem = problem;
	readings->items[0].report->complete = !problem;
}

/* Where nobody knows which test it was, or none has begun, the suite is what does not end. Once it
 * does, its tests take its place. */
static void reading_add_silence(
	struct suite_reading *reading, const struct suite_output *output, const char *time)
{
	struct test_report *report = reading->report;
	if (report->hung || !output->is_silence_its_end)
		return;
	report->hung = suite_shown(reading->suite);
	reading_add(reading, report->hung, TEST_ERROR,
		arena_printf(reading->arena, HUNG ": nothing was printed for %s", time), NULL, 0);
}

/* By rondo, or by the timeout(1) of the command itself. */
static bool reading_was_stopped(const struct process_result *result)
{
	return result->end == PROCESS_TIMEOUT ||
		(result->end == PROCESS_EXITED && result->exit_code == EXIT_TIMEOUT);
}

/* The test that a run was stopped in, as a result: nothing was printed in much of its time. Else
 * the limit may be too short. The results of the others are worth reading, too. */
static void reading_find_hung(struct readings *readings, const struct suite_output *output)
{
	const struct process_result *result = output->result;
	char time[CLOCK_DATE_SIZE];
	if (!reading_was_stopped(result) || SILENT_PART * output->silent_ms < result->duration_ms)
		return;
	clock_format_duration(output->silent_ms, time);
	for (size_t i = 0; i < readings->n; i++) {
		struct suite_reading *reading = &readings->items[i];
		struct test_report *report = reading->report;
		if (!reading->format->running || report->hung)
			continue;
		if (result->end == PROCESS_TIMEOUT)
			reading->format->finish(reading, result);
		report->hung = reading->format->running(reading);
		if (!report->hung)
			continue;
		reading_add(reading, report->hung, TEST_ERROR, NULL, NULL, 0);
		struct test_result *hung = map_get(&report->by_id, report->hung);
		hung->message = arena_printf(reading->arena, HUNG ": nothing was printed for %s", time);
	}
	reading_add_silence(&readings->items[0], output, time);
}

static int reading_read_all(
	const struct suite_reading *shared, const struct suite_output *output, struct rondo_error *err)
{
	struct test_report *report = shared->report;
	AUTO_ALARMS alarms = {.arena = shared->arena};
	struct hearing hearing = {.alarms = &alarms};
	struct readings *readings = &hearing.readings;
	if (alarms_init(&alarms, shared->suite, err) < 0 ||
		reading_choose_formats(readings, shared, output, err) < 0 ||
		lines_read(output->log, (struct listener){reading_hear_results, &hearing}, err) < 0)
		return -1;
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < readings->n; i++) {
		strbuf_addf(&names, "%s%s", i ? "+" : "", readings->items[i].format->name);
		reading_read_reports(&readings->items[i], output);
	}
	report->format = arena_strdup(shared->arena, names.text);
	if (!report->problem)
		reading_finish_all(readings, output->result);
	if (report->problem)
		reading_find_hung(readings, output);
	alarms_add(&alarms, shared->suite, report);
	return 0;
}

/* An id begins with the suite's directory, unless the runner names it. The id of a suite that is
 * one test is its command. */
static const char *reading_place_id(const struct suite *suite, const char *id, struct arena *arena)
{
	bool is_placed = suite_runner_id(suite, id) != id || suite_is_id(suite, id);
	return is_placed ? id : arena_printf(arena, "%s/%s", suite->dir, id);
}

static void reading_place_ids(
	const struct suite *suite, struct test_report *report, struct arena *arena)
{
	struct test_report placed = test_report_emptied(report);
	if (!suite->dir)
		return;
	for (size_t i = 0; i < report->n; i++) {
		struct test_result result = *report->results[i];
		result.id = reading_place_id(suite, result.id, arena);
		test_report_add(&placed, arena, &result);
	}
	if (placed.hung)
		placed.hung = reading_place_id(suite, placed.hung, arena);
	*report = placed;
}

int suite_read(const struct suite *suite, const struct suite_output *output, struct arena *owner,
	struct test_report *ret_report, struct rondo_error *err)
{
	/* What formats note of each test while they read is more than what is left in the end. */
	AUTO_ARENA scratch = ARENA_INIT;
	struct arena *arena = &scratch;
	struct stat st;
	const struct process_result *result = output->result;
	if (fstat(output->log, &st) < 0)
		return error_errno(err, RONDO_ERROR_INTERNAL, "cannot read the output of the tests");
	struct test_report report = {.exit_code = result->exit_code,
		.duration_ms = result->duration_ms,
		.problem = reading_interruption(result, st.st_size, arena)};
	const char *dir = output->dir && suite->dir
		? arena_printf(arena, "%s" LOCATION_FROM "%s", output->dir, suite->dir)
		: output->dir;
	struct suite_reading shared = {.suite = suite, .dir = dir, .report = &report, .arena = arena};
	/* A flood may have hundreds of millions of lines, and the run does not count. */
	if (result->end != PROCESS_OUTPUT_LIMIT && reading_read_all(&shared, output, err) < 0)
		return -1;
	reading_place_ids(suite, &report, arena);
	if (report.hung) {
		report.problem = arena_printf(arena, "%s does not end", report.hung);
		report.duration_ms =
			result->duration_ms > output->silent_ms ? result->duration_ms - output->silent_ms : 0;
	}
	changing_apply(suite->changing, &report, arena);
	report.output = lines_excerpt(output->log, st.st_size, arena);
	*ret_report = test_report_copy(&report, owner);
	return 0;
}
