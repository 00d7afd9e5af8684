/* What is drawn lies within its picture, whatever the figures are. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "run/report/html/html.h"

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* The number of an attribute in an element that ends with ">". */
static double number(const char *element, const char *name)
{
	char sought[32];
	snprintf(sought, sizeof sought, " %s=\"", name);
	const char *at = strstr(element, sought);
	assert_non_null(at);
	assert_true(at < strchr(element, '>'));
	return strtod(at + strlen(sought), NULL);
}

static size_t rects_within(const char *svg)
{
	size_t n = 0;
	const char *box = NULL, *next = svg;
	double width = 0, height = 0;
	for (const char *at; (at = strpbrk(next, "<")); next = at + 1) {
		if (text_starts_with(at, "<svg")) {
			box = strstr(at, "viewBox=\"0 0 ");
			assert_non_null(box);
			char *end;
			width = strtod(box + strlen("viewBox=\"0 0 "), &end);
			height = strtod(end, NULL);
		} else if (text_starts_with(at, "<rect")) {
			double x = number(at, "x"), y = number(at, "y");
			assert_true(x >= 0 && y >= 0 && number(at, "width") >= 0 && number(at, "height") >= 0);
			assert_true(x + number(at, "width") <= width + 0.2);
			assert_true(y + number(at, "height") <= height + 0.2);
			n++;
		}
	}
	return n;
}

static struct html_run run_of(const char *const *lines, size_t n, int64_t ms)
{
	struct html_run run = {.arena = &arena, .dir = "/none", .ms = ms};
	for (size_t i = 0; i < n; i++) {
		struct rondo_error err;
		struct json *record = json_parse(lines[i], strlen(lines[i]), &err);
		assert_non_null(record);
		arena_defer(&arena, (void (*)(void *))json_free, record);
		ARENA_PUSH(&arena, run.records, run.n_records, record);
	}
	return run;
}

static void bars_lie_in_the_time_line(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"{\"type\": \"baseline\", \"ms\": 50, \"text\": \"1 of 2\"}",
		"{\"type\": \"turn.start\", \"ms\": 60, \"turn\": 1, \"source\": \"coder\"}",
		"{\"type\": \"model.request\", \"ms\": 65, \"source\": \"m\"}",
		"{\"type\": \"model.reply\", \"ms\": 70, \"source\": \"m\"}",
		"{\"type\": \"search\", \"ms\": 80, \"text\": \"t\", \"data\": {\"ms\": 99999999}}",
		"{\"type\": \"turn.end\", \"ms\": 90, \"turn\": 1, \"source\": \"coder\"}",
		"{\"type\": \"turn.end\", \"ms\": 5, \"turn\": 2, \"source\": \"which did not begin\"}",
		"{\"type\": \"message\", \"ms\": -5, \"message\": {\"type\": \"test_report\", \"content\": "
		"\"c\", \"source\": \"t\", \"data\": {\"duration_ms\": -7}}}",
		"{\"type\": \"verdict\", \"ms\": 9000000000000000, \"text\": \"late\"}",
	};
	for (int64_t ms = 0; ms <= 100; ms += 50) {
		AUTO_STRBUF html = STRBUF_INIT(STRBUF_TEXT);
		struct html_run run = run_of(lines, ARRAY_SIZE(lines), ms);
		html_add_timeline(&html, &run);
		assert_int_equal(rects_within(html.text), 6);
	}
}

static void marks_lie_in_the_strip(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"{\"type\": \"search\", \"text\": \"t\", \"data\": {\"files\": {\"a.py\": 3, \"b.py\": 0}, "
		"\"places\": [{\"path\": \"a.py\", \"line\": 3, \"text\": \"x\", \"tried\": 1},"
		"{\"path\": \"a.py\", \"line\": 1, \"text\": \"<script>\"},"
		"{\"path\": \"a.py\", \"line\": 99, \"text\": \"beyond\"},"
		"{\"path\": \"b.py\", \"line\": 1}, {\"path\": \"b.py\", \"line\": -1}]}}"};
	AUTO_STRBUF html = STRBUF_INIT(STRBUF_TEXT);
	struct html_run run = run_of(lines, 1, 10);
	html_add_places(&html, &run);
	assert_int_equal(rects_within(html.text), 2 + 2 + 1);
	assert_null(strstr(html.text, "<script>"));
}

static void plots_hold_what_they_show(void **state)
{
	(void)state;
	struct html_row rows[500];
	for (size_t i = 0; i < 500; i++)
		rows[i] = (struct html_row){.name = "<b>",
			.outcome = i % 3 ? "verified" : "not_fixed",
			.ended = i < 499 ? "2026-11-28 10:00" : NULL,
			.duration_ms = (int64_t)i * 1000,
			.usd = i % 2 ? 0.5 : -1};
	static const size_t ns[] = {0, 1, 2, 99, 500};
	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
		AUTO_STRBUF html = STRBUF_INIT(STRBUF_TEXT);
		html_add_plots(&html, rows, ns[i]);
		rects_within(html.text);
		assert_null(strstr(html.text, "<b>"));
		assert_null(strstr(html.text, "nan"));
	}
}

UNIT(pictures)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(bars_lie_in_the_time_line, forget),
		cmocka_unit_test_teardown(marks_lie_in_the_strip, forget),
		cmocka_unit_test(plots_hold_what_they_show),
	};
	return RUN_TESTS(tests);
}
