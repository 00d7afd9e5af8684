/* Edits, reports, candidates, messages and threads: data, there and back. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "chat/edit.h"
#include "chat/message.h"
#include "chat/message_thread.h"
#include "chat/test_report.h"

static struct json *reparse(struct json *json)
{
	struct rondo_error err;
	AUTO_JSON *owned = json;
	AUTO_FREE char *text = json_print(owned);
	struct json *again = json_parse(text, strlen(text), &err);
	assert_non_null(again);
	return again;
}

static void edits_replace_places(void **state)
{
	(void)state;
	struct rondo_error err;
	char hash[HASH_SIZE];
	struct splice splices[] = {{0, 1, "X"}, {3, 0, "++"}, {5, 1, ""}};
	hash_bytes("abcdef", 6, hash);
	struct file_edit edit = {.path = "f", .base_hash = hash, .splices = splices, .n = 3};
	AUTO_STRBUF text = STRBUF_INIT(100);
	assert_int_equal(edit_apply(&edit, "abcdef", 6, &text, &err), 0);
	assert_string_equal(text.text, "Xbc++de");
	assert_int_equal(edit_apply(&edit, "abcdeF", 6, &text, &err), -1);
	assert_string_equal(err.message, "f has changed since the edit was made");
}

static void an_edit_is_taken_back_by_its_inverse(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct splice splices[] = {{0, 1, "XY"}, {3, 0, "++"}, {3, 2, ""}, {6, 1, "\xe9"}};
	struct file_edit edit = {.path = "f", .splices = splices, .n = 4},
					 inverse = edit_invert(&edit,
						 "abc\xe9"
						 "defg",
						 &arena);
	AUTO_STRBUF text = STRBUF_INIT(100);
	AUTO_STRBUF back = STRBUF_INIT(100);
	assert_int_equal(edit_apply(&edit,
						 "abc\xe9"
						 "defg",
						 8, &text, &err),
		0);
	assert_int_equal(edit_apply(&inverse, text.text, text.length, &back, &err), 0);
	assert_string_equal(back.text,
		"abc\xe9"
		"defg");
}

static void an_edit_of_latin1_writes_latin1(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct splice splice = {1, 2, "\xc3\xa9t"};
	struct file_edit file = {.path = "f", .splices = &splice, .n = 1, .is_latin1 = true};
	AUTO_STRBUF text = STRBUF_INIT(100);
	AUTO_JSON *json = edit_to_json(&(struct edit){.files = &file, .n = 1});
	struct edit edit;
	assert_int_equal(edit_from_json(json, &arena, &edit, &err), 0);
	assert_int_equal(edit_apply(edit.files, "\xe9xy\xe9", 4, &text, &err), 0);
	assert_string_equal(text.text, "\xe9\xe9t\xe9");
	splice.text = "\xe2\x82\xac";
	assert_int_equal(edit_apply(&file, "\xe9xy\xe9", 4, &text, &err), -1);
	assert_string_equal(err.message, "f is in Latin-1, and the edit has characters that are not");
}

/* Who holds the inverse may have let the edit go. */
static void an_inverse_outlives_its_edit(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	char path[] = "src/f", text[] = "new";
	struct splice splices[] = {{0, 3, text}};
	struct file_edit edit = {.path = path, .splices = splices, .n = 1};
	struct file_edit inverse = edit_invert(&edit, "old", &arena);
	memset(path, 'x', sizeof path - 1);
	memset(text, 'x', sizeof text - 1);
	splices[0] = (struct splice){0};
	assert_string_equal(inverse.path, "src/f");
	assert_string_equal(inverse.splices[0].text, "old");
	assert_int_equal(inverse.splices[0].length, 3);
}

static void edits_refuse_places_that_do_not_fit(void **state)
{
	(void)state;
	static const struct splice wrong[][2] = {
		{{7, 0, "x"}, {8, 0, ""}}, {{2, 9, "x"}, {20, 0, ""}}, {{3, 2, "x"}, {4, 1, ""}}};
	for (size_t i = 0; i < 3; i++) {
		struct rondo_error err;
		struct splice splices[2];
		memcpy(splices, wrong[i], sizeof splices);
		struct file_edit edit = {.path = "f", .splices = splices, .n = 2};
		AUTO_STRBUF text = STRBUF_INIT(100);
		assert_int_equal(edit_apply(&edit, "abcdef", 6, &text, &err), -1);
		assert_non_null(strstr(err.message, "does not fit"));
	}
}

static void edits_stay_below_the_tree(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", "/etc/passwd", "../x", "a/../../x", "a/./b", "a//b",
		".git/hooks/x", "a/.GIT/config", ".."};
	struct rondo_error err;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(edit_check_path(wrong[i], &err), -1);
	assert_int_equal(edit_check_path("a/.github/x..y", &err), 0);
}

static void edits_come_back_from_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct splice splice = {7, 2, "\xc3\xa9"};
	struct file_edit files[] = {{.path = "a.py", .base_hash = "abc", .splices = &splice, .n = 1},
		{.path = "b", .content = ""}, {.path = "c", .remove = true}};
	struct edit edit = {.description = "what", .files = files, .n = 3}, again;
	AUTO_JSON *json = reparse(edit_to_json(&edit));
	assert_int_equal(edit_from_json(json, &arena, &again, &err), 0);
	assert_string_equal(again.description, "what");
	assert_int_equal(again.files[0].splices[0].offset, 7);
	assert_string_equal(again.files[0].splices[0].text, "\xc3\xa9");
	assert_string_equal(again.files[1].content, "");
	assert_true(again.files[2].remove);
	files[0].path = "../out";
	AUTO_JSON *outside = reparse(edit_to_json(&edit));
	assert_int_equal(edit_from_json(outside, &arena, &again, &err), -1);
}

static void reports_keep_the_worse_of_two_results(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report = {0};
	test_report_add(&report, &arena, &(struct test_result){.id = "a", .status = TEST_PASSED});
	test_report_add(&report, &arena, &(struct test_result){.id = "b", .status = TEST_SKIPPED});
	test_report_add(&report, &arena,
		&(struct test_result){.id = "a", .status = TEST_ERROR, .message = "in its clean-up"});
	test_report_add(&report, &arena, &(struct test_result){.id = "a", .status = TEST_PASSED});
	assert_int_equal(report.n, 2);
	assert_int_equal(report.count[TEST_PASSED], 0);
	assert_int_equal(test_report_red(&report), 1);
	assert_string_equal(test_report_find(&report, "a")->message, "in its clean-up");
	AUTO_STRBUF text = STRBUF_INIT(100);
	test_report_describe(&report, &text);
	assert_string_equal(text.text, "0 of 1 passed, 1 skipped");
}

static void reports_come_back_from_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct test_report report = {.exit_code = 1, .complete = true, .output = "text"}, again;
	test_report_add(&report, &arena,
		&(struct test_result){.id = "t",
			.status = TEST_FAILED,
			.message = "m",
			.detail = "d",
			.file = "f",
			.line = 3});
	AUTO_JSON *json = reparse(test_report_to_json(&report));
	assert_int_equal(test_report_from_json(json, &arena, &again, &err), 0);
	assert_true(again.complete);
	assert_int_equal(test_report_find(&again, "t")->line, 3);
	assert_string_equal(test_report_find(&again, "t")->file, "f");
	assert_string_equal(test_report_find(&again, "t")->detail, "d");
}

/* One that failed, one that passed and is at a place, one that passed and has only its name. */
static void add_three(struct test_report *report, struct arena *arena)
{
	test_report_add(report, arena,
		&(struct test_result){.id = "red", .status = TEST_FAILED, .message = "m", .place = "1"});
	test_report_add(report, arena, &(struct test_result){.id = "placed", .place = "2 of 3"});
	test_report_add(report, arena, &(struct test_result){.id = "plain \"é\""});
}

static void the_text_of_a_report_is_that_of_its_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct test_report report = {.exit_code = 1, .output = "a\nb", .format = "tap"};
	for (int i = 0; i < 2; i++) {
		AUTO_JSON *json = test_report_to_json(&report);
		AUTO_FREE char *printed = json_print(json);
		strbuf_truncate(&text, 0);
		test_report_print(&report, &text);
		assert_string_equal(text.text, printed);
		add_three(&report, &arena);
	}
}

static void what_passed_is_an_id_alone(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct test_report report = {0}, whole, brief;
	add_three(&report, &arena);
	AUTO_JSON *json = reparse(test_report_to_json(&report));
	AUTO_JSON *brief_json = reparse(test_report_to_brief_json(&report));
	const struct json *second = json_next(json_first(json_get(brief_json, "results")));
	assert_string_equal(json_text(second, NULL), "placed");
	assert_int_equal(test_report_from_json(json, &arena, &whole, &err), 0);
	assert_int_equal(test_report_from_json(brief_json, &arena, &brief, &err), 0);
	assert_int_equal(whole.count[TEST_PASSED], 2);
	assert_int_equal(brief.count[TEST_PASSED], 2);
	assert_string_equal(test_report_find(&whole, "placed")->place, "2 of 3");
	assert_null(test_report_find(&brief, "placed")->place);
	assert_string_equal(test_report_find(&brief, "red")->message, "m");
	assert_string_equal(brief.results[2]->id, "plain \"é\"");
}

static void a_copy_of_a_report_needs_nothing_of_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct arena first = ARENA_INIT;
	struct test_report report = {.problem = arena_strdup(&first, "why"), .exit_code = 3};
	add_three(&report, &first);
	struct test_report copy = test_report_copy(&report, &arena);
	arena_release(&first);
	assert_string_equal(copy.problem, "why");
	assert_int_equal(copy.n, 3);
	assert_int_equal(copy.count[TEST_FAILED], 1);
	assert_string_equal(copy.results[0]->message, "m");
	assert_ptr_equal(test_report_find(&copy, "placed"), copy.results[1]);
	add_three(&copy, &arena);
	assert_int_equal(copy.n, 3);
}

static void threads_number_and_keep_messages(void **state)
{
	(void)state;
	struct message_thread thread = {0};
	char content[] = "first";
	struct rondo_message draft = {.source = "coder", .content = content, .data = "{}"};
	const struct rondo_message *first = message_thread_append(&thread, &draft);
	content[0] = 'X';
	for (int i = 0; i < 1000; i++)
		message_thread_append(&thread, &draft);
	assert_string_equal(first->content, "first");
	assert_int_equal(first->id, 1);
	assert_true(first->created_at_ms > 0);
	struct message_span span = message_thread_since(&thread, 999);
	assert_int_equal(span.n, 2);
	assert_int_equal(span.messages[1]->id, 1001);
	assert_int_equal(message_thread_since(&thread, 5000).n, 0);
	message_thread_release(&thread);
}

static void data_is_parsed_when_a_message_is_appended(void **state)
{
	(void)state;
	struct message_thread thread = {0};
	struct rondo_message draft = {.source = "coder", .content = "", .data = "{\"x\":[1,2]}"};
	assert_null(message_data(&draft));
	const struct rondo_message *said = message_thread_append(&thread, &draft);
	assert_int_equal(json_count(json_get(message_data(said), "x")), 2);
	draft.data = "{";
	assert_null(message_data(message_thread_append(&thread, &draft)));
	draft.data = NULL;
	assert_null(message_data(message_thread_append(&thread, &draft)));
	message_thread_release(&thread);
}

static void messages_come_back_from_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct rondo_message message = {.id = 3,
							 .type = RONDO_MESSAGE_EDIT,
							 .source = "coder",
							 .content = "c",
							 .data = "{\"x\":[1]}",
							 .models_usage = {5, 6},
							 .created_at_ms = 7},
						 again;
	AUTO_JSON *json = reparse(message_to_json(&message));
	assert_int_equal(message_from_json(json, &arena, &again, &err), 0);
	assert_int_equal(again.type, RONDO_MESSAGE_EDIT);
	assert_string_equal(again.data, "{\"x\":[1]}");
	assert_int_equal(again.models_usage.completion_tokens, 6);
	AUTO_JSON *unknown = json_object();
	json_add_string(unknown, "type", "song");
	assert_int_equal(message_from_json(unknown, &arena, &again, &err), -1);
	assert_string_equal(err.message, "message of unknown type 'song'");
}

UNIT(chat)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_replace_places),
		cmocka_unit_test(an_edit_of_latin1_writes_latin1),
		cmocka_unit_test(an_edit_is_taken_back_by_its_inverse),
		cmocka_unit_test(an_inverse_outlives_its_edit),
		cmocka_unit_test(edits_refuse_places_that_do_not_fit),
		cmocka_unit_test(edits_stay_below_the_tree),
		cmocka_unit_test(edits_come_back_from_json),
		cmocka_unit_test(reports_keep_the_worse_of_two_results),
		cmocka_unit_test(reports_come_back_from_json),
		cmocka_unit_test(the_text_of_a_report_is_that_of_its_json),
		cmocka_unit_test(what_passed_is_an_id_alone),
		cmocka_unit_test(a_copy_of_a_report_needs_nothing_of_it),
		cmocka_unit_test(data_is_parsed_when_a_message_is_appended),
		cmocka_unit_test(threads_number_and_keep_messages),
		cmocka_unit_test(messages_come_back_from_json),
	};
	return RUN_TESTS(tests);
}
