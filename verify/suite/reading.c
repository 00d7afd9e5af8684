/* A run's output into a report: in which formats it is, and what each of them makes of it. */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/pattern.h"
#include "verify/suite/format.h"
#include "verify/suite/lines.h"

enum { SIGN_MOST = 4096 }; /* bytes of a report file that show its format */

/* Why a run was not left to come to its end, or NULL. A crash is an end: that is how a test in C
 * fails. */
static const char *interruption(
	const struct process_result *result, off_t log_size, struct arena *arena)
{
	char text[64];
	switch (result->end) {
	case PROCESS_EXITED:
		break;
	case PROCESS_SIGNALLED:
		if (result->signal == SIGSEGV || result->signal == SIGABRT || result->signal == SIGBUS ||
			result->signal == SIGFPE || result->signal == SIGILL)
			break;
		return arena_strdup(arena, process_describe(result, text, sizeof text));
	case PROCESS_TIMEOUT:
		return arena_printf(arena, "timed out after %.*f s", result->duration_ms < 10000,
			(double)result->duration_ms / 1000);
	case PROCESS_OUTPUT_LIMIT:
		return arena_printf(
			arena, "printed too much: %llu bytes", (unsigned long long)result->output_bytes);
	case PROCESS_CANCELLED:
		return "cancelled";
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

/* --- Which formats, and what they make of it --- */

#define FORMAT_ENTRY(name) &name##_format,
static const struct format *const all_formats[] = {FORMATS(FORMAT_ENTRY) NULL};
#undef FORMAT_ENTRY

#define FORMAT_NAME(name) #name,
const char *const suite_format_names[] = {"auto", FORMATS(FORMAT_NAME) NULL};
#undef FORMAT_NAME

struct reading {
	const struct format *format;
	struct suite_reading handle;
	bool shown; /* something showed that this is being printed */
};

/* The formats of one run, side by side. */
struct readings {
	struct reading items[ARRAY_SIZE(all_formats)];
	size_t n;
};

/* "tap+jest" names tap. */
static bool is_named(const char *names, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = names; at; at = strchr(at, '+')) {
		at += *at == '+';
		if (strncmp(at, name, n) == 0 && (!at[n] || at[n] == '+'))
			return true;
	}
	return false;
}

static void add_reading(struct readings *readings, const struct suite *suite,
	const struct suite_output *output, const struct format *format, struct test_report *report,
	struct arena *arena)
{
	readings->items[readings->n++] = (struct reading){.format = format,
		.handle = {.suite = suite,
			.dir = output->dir,
			.report = report,
			.arena = arena,
			.state = arena_alloc(arena, format->state_size)}};
}

static void hear_signs(void *owner, const char *line)
{
	struct readings *readings = owner;
	for (size_t i = 0; i < readings->n; i++) {
		struct reading *reading = &readings->items[i];
		if (!reading->shown && reading->format->shows)
			reading->shown = reading->format->shows(line);
	}
}

static void look_at_reports(struct readings *readings, const struct suite_output *output)
{
	char bytes[SIGN_MOST];
	for (size_t i = 0; i < output->n_reports; i++) {
		ssize_t n = pread(output->reports[i], bytes, sizeof bytes, 0);
		for (size_t j = 0; j < readings->n && n > 0; j++) {
			struct reading *reading = &readings->items[j];
			if (reading->format->shows_report && reading->format->shows_report(bytes, (size_t)n))
				reading->shown = true;
		}
	}
}

/* Keep those that showed themselves; where none did, the one that needs no sign. */
static void keep_shown(struct readings *readings)
{
	size_t n = 0;
	for (size_t i = 0; i < readings->n; i++)
		if (readings->items[i].shown)
			readings->items[n++] = readings->items[i];
	if (n == 0)
		readings->items[n++] = readings->items[readings->n - 1];
	readings->n = n;
}

/* The formats that are settled; else of those that the runner may print the ones that show
 * themselves. */
static int choose_formats(struct readings *readings, const struct suite *suite,
	const struct suite_output *output, struct test_report *report, struct arena *arena,
	struct rondo_error *err)
{
	const struct format *const *formats =
		suite->type->formats && !suite->format ? suite->type->formats : all_formats;
	for (; *formats; formats++)
		if (!suite->format || is_named(suite->format, (*formats)->name))
			add_reading(readings, suite, output, *formats, report, arena);
	if (suite->format || readings->n == 1)
		return 0;
	look_at_reports(readings, output);
	if (lines_read(output->log, (struct listener){hear_signs, readings}, err) < 0)
		return -1;
	keep_shown(readings);
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

static void hear_alarms(struct alarms *alarms, const char *line)
{
	for (size_t i = 0; i < alarms->n; i++)
		if (!alarms->lines[i] && regexec(&alarms->patterns[i], line, 0, NULL, 0) == 0)
			alarms->lines[i] = arena_strdup(alarms->arena, line);
}

/* Each is a test of its own that is always there. */
static void add_alarms(
	const struct alarms *alarms, const struct suite *suite, struct test_report *report)
{
	for (size_t i = 0; i < alarms->n; i++)
		test_report_add(report, alarms->arena,
			&(struct test_result){
				.id = arena_printf(alarms->arena, "no output matches '%s'", suite->fail_output[i]),
				.status = alarms->lines[i] ? TEST_FAILED : TEST_PASSED,
				.message = alarms->lines[i]});
}

struct hearing {
	struct readings readings;
	struct alarms *alarms;
};

static void hear_results(void *owner, const char *line)
{
	struct hearing *hearing = owner;
	struct readings *readings = &hearing->readings;
	hear_alarms(hearing->alarms, line);
	for (size_t i = 0; i < readings->n; i++)
		if (readings->items[i].format->read_line)
			readings->items[i].format->read_line(&readings->items[i].handle, line);
}

static void read_reports(struct readings *readings, const struct suite_output *output)
{
	for (size_t i = 0; i < readings->n; i++)
		for (size_t j = 0; j < output->n_reports && readings->items[i].format->read_report; j++)
			readings->items[i].format->read_report(&readings->items[i].handle, output->reports[j]);
}

/* A run is complete where each of its formats says so; the first problem is the run's. */
static void finish_all(
	struct readings *readings, const struct process_result *result, struct test_report *report)
{
	const char *problem = NULL;
	bool complete = true;
	for (size_t i = 0; i < readings->n; i++) {
		report->problem = NULL;
		report->complete = false;
		readings->items[i].format->finish(&readings->items[i].handle, result);
		problem = problem ? problem : report->problem;
		complete = complete && report->complete;
	}
	report->problem = problem;
	report->complete = complete;
}

static const char *names_of(const struct readings *readings, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < readings->n; i++)
		strbuf_addf(&names, "%s%s", i ? "+" : "", readings->items[i].format->name);
	return arena_strdup(arena, names.text);
}

static int read_all(const struct suite *suite, const struct suite_output *output,
	struct arena *arena, struct test_report *report, struct rondo_error *err)
{
	AUTO_ALARMS alarms = {.arena = arena};
	struct hearing hearing = {.alarms = &alarms};
	if (alarms_init(&alarms, suite, err) < 0 ||
		choose_formats(&hearing.readings, suite, output, report, arena, err) < 0 ||
		lines_read(output->log, (struct listener){hear_results, &hearing}, err) < 0)
		return -1;
	read_reports(&hearing.readings, output);
	report->format = names_of(&hearing.readings, arena);
	if (!report->problem)
		finish_all(&hearing.readings, output->result, report);
	add_alarms(&alarms, suite, report);
	return 0;
}

int suite_read(const struct suite *suite, const struct suite_output *output, struct arena *arena,
	struct test_report *ret_report, struct rondo_error *err)
{
	struct stat st;
	const struct process_result *result = output->result;
	if (fstat(output->log, &st) < 0)
		return error_errno(err, RONDO_ERROR_INTERNAL, "cannot read the output of the tests");
	struct test_report report = {.exit_code = result->exit_code,
		.duration_ms = result->duration_ms,
		.problem = interruption(result, st.st_size, arena)};
	/* A flood tells nothing: its lines are hundreds of millions, and the run counts not. */
	if (result->end != PROCESS_OUTPUT_LIMIT && read_all(suite, output, arena, &report, err) < 0)
		return -1;
	report.output = lines_excerpt(output->log, st.st_size, arena);
	*ret_report = report;
	return 0;
}
