/* What the helper tells, read: as far as it is whole, and never beyond. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "executors/helper_answer.h"

#define BYTES(text) text, sizeof(text) - 1
#define REPORT INSIDE_REPORT_HEAD "\0\2\0\0\0\7\0\0\0\0\1\0\0\0\0\0\0"

static void assert_read(const char *bytes, size_t n, bool is_whole, const char *expected)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	struct answer answer;
	AUTO_FREE char *copy = memory_alloc(n + !n); /* of just that size */
	memcpy(copy, bytes, n);
	answer_read(copy, n, &arena, &answer);
	if (answer.report.end)
		strbuf_addf(&said, "end %d %d %d;", answer.report.end, answer.report.value,
			(int)answer.report.max_rss_bytes);
	if (answer.n_output)
		strbuf_addf(&said, "out %.*s;", (int)answer.n_output, answer.output);
	for (size_t i = 0; i < answer.n; i++) {
		const struct answer_item *item = &answer.items[i];
		strbuf_addf(&said, "%c%u%d %s%s%s;", item->kind, item->root, item->is_executable,
			item->path, item->why ? ": " : "", item->why ? item->why : "");
	}
	assert_string_equal(said.text, expected);
	assert_int_equal(answer.is_whole, is_whole);
}

static void records_are_read_as_far_as_they_go(void **state)
{
	(void)state;
	assert_read(BYTES(REPORT "o 0 0 3 0 \0outf 0 1 2 0 a b\0xyd 1 0 0 0 d\0l 0 0 5 0 d/l\0../x\0g "
							 "0 0 0 0 y\0x 0 0 3 0 p\0why. 0 0 0 0 \0"),
		true, "end 2 7 256;out out;f01 a b;d10 d;l00 d/l;g00 y;x00 p: why;");
	assert_read(BYTES("f 0 0 1 0 a\0x"), false, "f00 a;");
	assert_read(BYTES("f 0 0 1 0 a\0x. 0 0 0 0 \0f 0 0 1 0 b\0x"), false, "f00 a;");
	assert_read(BYTES("f 0 0 1 0 a\0xf 0 0 9 0 b\0x"), false, "f00 a;");
	assert_read(BYTES("f 0 0 1 0 a\0xf 0 0 1 0 b"), false, "f00 a;");
	assert_read(BYTES(REPORT REPORT ". 0 0 0 0 \0"), true, "end 2 7 256;");
	assert_read(BYTES("r 0 0 2 0 \0\1\1. 0 0 0 0 \0"), true, "");
	assert_read(BYTES(""), false, "");
}

static void what_is_no_record_is_not_read(void **state)
{
	(void)state;
	static const char *const heads[] = {"q 0 0 0 0 a", "f", "f 0 0 0 0", "f 2 0 0 0 a",
		"f 0 2 0 0 a", "f 0 0 -1 0 a", "f 0 0 0x1 0 a", "f 0 0 99999999999999999999 0 a",
		"f 0 0 1152921504606846977 0 a", "f 0 0 0 99999999999999999999 a", "f  0 0 0 0 a",
		"f 0 0 0 0\na", "<html>", "rondo 1 0 yes 0\n"};
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		assert_read(heads[i], strlen(heads[i]) + 1, false, "");
}

static void names_that_lead_elsewhere_are_refused(void **state)
{
	(void)state;
	assert_read(BYTES("l 0 0 5 0 l\0/etc\0f 0 0 0 0 ../x\0f 0 0 0 0 \xff\0f 0 0 0 0 a/.git/b\0f 0 "
					  "0 0 0 \0. 0 0 0 0 \0"),
		true,
		"x00 l: it is a link that leads out of the tree;x00 ../x: it has a strange name;"
		"x00 \xef\xbf\xbd: it has a strange name;x00 a/.git/b: it has a strange name;x00 : it has "
		"a strange name;");
	/* A target that goes on behind its end, one without an end, and none. */
	assert_read(BYTES("l 0 0 4 0 l\0a\0b\0l 0 0 1 0 l\0al 0 0 0 0 l\0. 0 0 0 0 \0"), true,
		"x00 l: it is a link that leads nowhere;x00 l: it is a link that leads nowhere;"
		"x00 l: it is a link that leads nowhere;");
}

/* What is shown of a name, and of why it is refused, has an end. */
static void names_that_are_too_long_are_refused(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct answer answer;
	strbuf_adds(&text, "f 0 0 0 0 /");
	for (size_t i = 1; i < RECORD_LONGEST_PATH; i++)
		strbuf_addc(&text, 'n');
	strbuf_add(&text, "\0x 0 0 100000 0 a", sizeof "\0x 0 0 100000 0 a");
	for (size_t i = 0; i < 100000; i++)
		strbuf_addc(&text, '\x80');
	size_t n = text.length;
	answer_read(text.text, n, &arena, &answer);
	assert_int_equal(answer.n, 2);
	assert_true(strlen(answer.items[0].path) < 300 && strlen(answer.items[1].why) < 300);
	strbuf_reset(&text);
	strbuf_adds(&text, "f 0 0 0 0 ");
	for (size_t i = 0; i < 2 * RECORD_LONGEST_PATH; i++)
		strbuf_addc(&text, 'n');
	answer_read(text.text, text.length + 1, &arena, &answer);
	assert_int_equal(answer.n, 0);
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	static const struct record records[] = {
		{.kind = RECORD_FILE, .size = (uint64_t)1 << 40, .path = "a"},
		{.kind = RECORD_DIR,
			.root = 1,
			.is_executable = true,
			.modified_ns = INT64_MAX,
			.path = "b c"},
		{.kind = RECORD_END, .modified_ns = -1, .path = ""}};
	for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
		char head[RECORD_HEAD + 10];
		struct record read;
		size_t n = record_write(head, &records[i]);
		assert_true(n < RECORD_HEAD);
		memcpy(head + n, records[i].path, strlen(records[i].path) + 1);
		assert_true(record_read(head, &read));
		assert_int_equal(read.kind, records[i].kind);
		assert_int_equal(read.root, records[i].root);
		assert_int_equal(read.is_executable, records[i].is_executable);
		assert_int_equal(read.size, records[i].size);
		assert_int_equal(read.modified_ns, records[i].modified_ns < 0 ? 0 : records[i].modified_ns);
		assert_string_equal(read.path, records[i].path);
	}
}

UNIT(answer)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_read_as_far_as_they_go),
		cmocka_unit_test(what_is_no_record_is_not_read),
		cmocka_unit_test(names_that_lead_elsewhere_are_refused),
		cmocka_unit_test(names_that_are_too_long_are_refused),
		cmocka_unit_test(what_is_written_is_read),
	};
	return RUN_TESTS(tests);
}
