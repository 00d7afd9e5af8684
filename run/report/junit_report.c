#include "run/report/report.h"

#include <string.h>

#include "base/clock.h"
#include "base/xml.h"

static void add_attribute(struct strbuf *sb, const char *name, const char *value)
{
	strbuf_addf(sb, " %s=\"", name);
	xml_add_text(sb, value);
	strbuf_addc(sb, '"');
}

static void add_time(struct strbuf *sb, int64_t duration_ms)
{
	strbuf_addf(sb, " time=\"%.3f\"", (double)duration_ms / 1000);
}

static void add_counts(struct strbuf *sb, const struct test_report *report)
{
	const size_t *count = report->count;
	strbuf_addf(sb, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
		report->n + !report->complete, count[TEST_FAILED], count[TEST_ERROR] + !report->complete,
		count[TEST_SKIPPED] + count[TEST_XFAILED]);
	add_time(sb, report->duration_ms);
}

/* "tests/test_cart.py::TestTotal::test_two[a::b]" is test_two[a::b] of tests.test_cart.TestTotal,
 * as pytest itself has it. */
static const char *split_id(const char *id, const char *format, struct strbuf *class)
{
	const char *name = id, *end = id + strcspn(id, "[ ");
	for (const char *at = id; (at = strstr(at, "::")) && at < end; at += 2)
		name = at + 2;
	for (const char *at = id; at < name; at++) {
		if (strncmp(at, ".py::", 5) == 0)
			at += 3;
		bool is_joint = strncmp(at, "::", 2) == 0;
		at += is_joint;
		if (at + 1 < name) /* but for the last joint */
			strbuf_addc(class, is_joint || *at == '/' ? '.' : *at);
	}
	if (!class->length)
		strbuf_adds(class, format ? format : "tests");
	return name;
}

void junit_add_key(struct strbuf *sb, const char *id, const char *format)
{
	AUTO_STRBUF class = STRBUF_INIT(STRBUF_LINE);
	const char *name = split_id(id, format, &class);
	strbuf_addf(sb, "%s::%s", class.text, name);
}

static void add_names(struct strbuf *sb, const char *id, const char *format)
{
	AUTO_STRBUF class = STRBUF_INIT(STRBUF_LINE);
	const char *name = split_id(id, format, &class);
	add_attribute(sb, "classname", class.text);
	add_attribute(sb, "name", name);
}

static const char *element_of(enum test_status status)
{
	return status == TEST_FAILED ? "failure" : status == TEST_ERROR ? "error" : "skipped";
}

static void add_case(struct strbuf *sb, const struct test_result *result, const char *format)
{
	strbuf_adds(sb, "    <testcase");
	add_names(sb, result->id, format);
	if (result->file)
		add_attribute(sb, "file", result->file);
	if (result->file && result->line > 0)
		strbuf_addf(sb, " line=\"%d\"", result->line);
	if (result->duration_ms)
		add_time(sb, result->duration_ms);
	if (result->status == TEST_PASSED) {
		strbuf_adds(sb, "/>\n");
		return;
	}
	strbuf_addf(sb, ">\n      <%s", element_of(result->status));
	if (result->status == TEST_XFAILED)
		add_attribute(sb, "type", "xfail");
	add_attribute(
		sb, "message", result->message ? result->message : test_status_name(result->status));
	strbuf_adds(sb, "/>\n    </testcase>\n");
}

/* A suite that did not come to its end has an error that no test has. */
static void add_problem(struct strbuf *sb, const struct test_report *report)
{
	strbuf_adds(sb, "    <testcase classname=\"rondo\" name=\"the suite\">\n      <error");
	add_attribute(
		sb, "message", report->problem ? report->problem : "the suite did not come to its end");
	strbuf_adds(sb, "/>\n    </testcase>\n");
}

void junit_write(
	const struct test_report *report, const struct junit_facts *facts, struct strbuf *sb)
{
	char date[CLOCK_DATE_SIZE];
	clock_format_date(facts->date_ms, date);
	date[strcspn(date, ".")] = '\0'; /* the schema knows neither fractions nor zones */
	strbuf_adds(sb, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	add_attribute(sb, "name", facts->name ? facts->name : "tests");
	add_counts(sb, report);
	strbuf_adds(sb, ">\n  <testsuite");
	add_attribute(sb, "name", facts->stage);
	add_counts(sb, report);
	add_attribute(sb, "timestamp", date);
	strbuf_adds(sb, ">\n");
	for (size_t i = 0; i < report->n; i++)
		add_case(sb, report->results[i], report->format);
	if (!report->complete)
		add_problem(sb, report);
	strbuf_adds(sb, "  </testsuite>\n</testsuites>\n");
}
