/* reads: what runs left on disk, shown as JSON, text and HTML */
/* report.json, the journal, the patch, the tests of the baseline and those of an attempt, apart by
 * the byte 1. Each view is an error with words, or JSON, text, or a page that does nothing. */
#include "base/json/json.h"
#include "run/run.h"
#include "tests/fuzz/page.h"

static const char *const parts[] = {"run/report.json", "run/journal.jsonl", "run/patch.diff",
	"run/blobs/baseline.json", "run/attempts/1/journal.jsonl"};

static void begin(void)
{
	struct rondo_error err;
	assert(file_make_dir(fuzz_path("run/blobs"), 0700, &err) == 0 &&
		file_make_dir(fuzz_path("run/attempts/1"), 0700, &err) == 0);
}

static void put(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const uint8_t *end = size ? memchr(data, 1, size) : NULL;
		size_t n = end ? (size_t)(end - data) : size;
		if (n)
			fuzz_write(parts[i], data, n);
		else
			unlink(fuzz_path(parts[i]));
		data += n + (end != NULL);
		size -= n + (end != NULL);
	}
}

static void show_json(const char *dir)
{
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (run_show_json(dir, &text, &err) < 0) {
		assert_error(&err);
		return;
	}
	const char *at = text.text, *end = at + text.length, *line;
	for (size_t n; (line = text_next_line(&at, end, &n));) {
		AUTO_JSON *json = json_parse(line, n, &err);
		assert(json);
	}
}

static void show_texts(const char *dir)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct run_span *spans;
	struct run_tests tests;
	size_t n;
	int64_t ms;
	AUTO_STRBUF normal = STRBUF_INIT(STRBUF_RECORD);
	if (run_show_normal(dir, &normal, &err) < 0)
		assert_error(&err);
	assert_text(normal.text);
	if (run_timeline(dir, &arena, &spans, &n, &ms, &err) < 0) {
		assert_error(&err);
		return;
	}
	for (size_t i = 0; i < n; i++)
		assert_text(spans[i].what);
	if (run_tests_read(dir, &arena, &tests, &err) < 0) {
		assert_error(&err);
		return;
	}
	for (size_t i = 0; i < tests.n; i++)
		assert(tests.tests[i].before || tests.tests[i].after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rondo_error err;
	AUTO_STRBUF page = STRBUF_INIT(STRBUF_RECORD * 4);
	static bool is_ready;
	if (!is_ready)
		begin();
	is_ready = true;
	put(data, size);
	const char *dir = fuzz_path("run");
	show_json(dir);
	show_texts(dir);
	if (run_show_html(dir, &page, &err) < 0)
		assert_error(&err);
	else
		page_check(page.text, page.length, true);
	AUTO_ARENA arena = ARENA_INIT;
	struct run_report report = {0};
	struct json *json = run_report_read(dir);
	run_report_attempts(json, &arena, &report);
	json_free(json);
	return 0;
}
