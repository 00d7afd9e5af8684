/* A block in a kernel, without one: when it is over, what its messages come to, what is kept as
 * files. */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/jupyter/jupyter.h"

static char top[TOP_SIZE];

/* A cell on an executor that has nothing but a tree. */
struct fixture {
	struct arena arena;
	struct world world;
	struct executor executor;
	struct jupyter_files kept;
	struct code_result result;
	struct strbuf output;
	struct jupyter_cell cell;
};

static int open_bench(void **state)
{
	struct fixture *fixture = memory_alloc(sizeof *fixture);
	if (!make_top(top))
		return -1;
	fixture->executor = (struct executor){.tree = top, .world = &fixture->world};
	fixture->kept = (struct jupyter_files){.executor = &fixture->executor, .dir = "."};
	fixture->output = (struct strbuf)STRBUF_INIT(10000);
	fixture->cell = (struct jupyter_cell){.id = "ours",
		.output = &fixture->output,
		.kept = &fixture->kept,
		.arena = &fixture->arena,
		.result = &fixture->result,
		.late = STRBUF_INIT(100)};
	*state = fixture;
	return 0;
}

static int close_bench(void **state)
{
	struct fixture *fixture = *state;
	struct rondo_error err;
	jupyter_cell_release(&fixture->cell);
	strbuf_release(&fixture->output);
	arena_release(&fixture->arena);
	free(fixture);
	return file_remove_tree(top, &err);
}

static void hear_of(
	struct fixture *fixture, const char *parent, const char *type, const char *content)
{
	struct rondo_error err;
	AUTO_JSON *json = json_parse(content, strlen(content), &err);
	assert_non_null(json);
	struct jupyter_message message = {.type = type, .parent = parent, .content = json};
	jupyter_cell_hear(&fixture->cell, &message);
}

static void hear(struct fixture *fixture, const char *type, const char *content)
{
	hear_of(fixture, "ours", type, content);
}

static void print(struct fixture *fixture, const char *text)
{
	hear(fixture, "stream",
		arena_printf(&fixture->arena, "{\"name\":\"stdout\",\"text\":\"%s\"}", text));
}

static void show(struct fixture *fixture, const char *type, const char *value)
{
	hear(fixture, "display_data",
		arena_printf(&fixture->arena, "{\"data\":{\"%s\":%s}}", type, value));
}

static void assert_output(struct fixture *fixture, const char *expected)
{
	assert_string_equal(fixture->output.text, expected);
}

static void it_is_over_when_it_has_replied_and_is_idle(void **state)
{
	struct fixture *fixture = *state;
	hear(fixture, "status", "{\"execution_state\":\"busy\"}");
	assert_false(jupyter_cell_is_over(&fixture->cell));
	hear(fixture, "execute_reply", "{\"status\":\"ok\"}");
	assert_false(jupyter_cell_is_over(&fixture->cell));
	hear(fixture, "status", "{\"execution_state\":\"idle\"}");
	assert_true(jupyter_cell_is_over(&fixture->cell));
}

static void it_may_be_idle_before_it_replies(void **state)
{
	struct fixture *fixture = *state;
	hear(fixture, "status", "{\"execution_state\":\"idle\"}");
	hear(fixture, "status", "{\"execution_state\":\"idle\"}");
	assert_false(jupyter_cell_is_over(&fixture->cell));
	hear(fixture, "execute_reply", "{\"status\":\"ok\"}");
	assert_true(jupyter_cell_is_over(&fixture->cell));
}

static void what_belongs_to_others_ends_nothing(void **state)
{
	struct fixture *fixture = *state;
	hear_of(fixture, "theirs", "status", "{\"execution_state\":\"idle\"}");
	hear_of(fixture, "", "execute_reply", "{\"status\":\"error\"}");
	hear_of(fixture, "theirs", "error", "{\"ename\":\"E\"}");
	assert_false(fixture->cell.replied || fixture->cell.idle || fixture->cell.exit_code);
	assert_output(fixture, "");
}

static void listen(void *owner, const char *text, size_t n)
{
	strbuf_add(owner, text, n);
}

static void what_it_prints_and_shows_is_heard(void **state)
{
	struct fixture *fixture = *state;
	AUTO_STRBUF heard = STRBUF_INIT(1000);
	fixture->cell.listener = (struct process_listener){listen, &heard};
	print(fixture, "one\\n");
	assert_string_equal(heard.text, "one\n");
	show(fixture, "text/plain", "\"two\"");
	assert_string_equal(heard.text, fixture->output.text);
}

static void content_of_any_kind_does_no_harm(void **state)
{
	struct fixture *fixture = *state;
	static const char *const types[] = {"stream", "display_data", "execute_result",
		"update_display_data", "error", "clear_output", "status", "execute_reply", "comm_msg", ""};
	static const char *const contents[] = {"{}",
		"{\"text\":1,\"data\":[],\"traceback\":{},\"payload\":{},\"ename\":null}",
		"{\"data\":{\"text/plain\":{},\"image/png\":[1],\"text/"
		"html\":null},\"traceback\":[1,null],\"payload\":[1,{\"source\":2}]}"};
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		for (size_t j = 0; j < ARRAY_SIZE(contents); j++)
			hear(fixture, types[i], contents[j]);
	assert_int_equal(fixture->result.n_files, 0);
}

static void case_99_text_is_as_it_was_printed(void **state)
{
	struct fixture *fixture = *state;
	print(fixture, "hello ");
	print(fixture, "world!\\n");
	assert_output(fixture, "hello world!\n");
}

static void case_101_blocks_are_apart_by_an_empty_line(void **state)
{
	struct fixture *fixture = *state;
	strbuf_adds(&fixture->output, "hello world!\n");
	print(fixture, "200\\n");
	assert_output(fixture, "hello world!\n\n200\n");
}

static void case_103_an_error_is_apart_and_has_no_colours(void **state)
{
	struct fixture *fixture = *state;
	strbuf_adds(&fixture->output, "hello world!\n");
	print(fixture, "200\\n");
	hear(fixture, "error",
		"{\"ename\":\"ValueError\",\"evalue\":\"x\",\"traceback\":[\"\\u001b[0;31m---\\u001b[0m\","
		"\"Cell In[2], line 1\\u001b\"]}");
	hear(fixture, "execute_reply",
		"{\"status\":\"error\",\"ename\":\"ValueError\",\"evalue\":\"x\",\"traceback\":[]}");
	assert_output(fixture, "hello world!\n\n200\n\n---\nCell In[2], line 1");
	assert_int_equal(fixture->cell.exit_code, 1);
}

static void case_109_the_value_of_the_last_expression_is_output(void **state)
{
	struct fixture *fixture = *state;
	hear(fixture, "execute_result", "{\"data\":{\"text/plain\":\"854\"}}");
	assert_output(fixture, "854");
}

static void an_error_that_only_the_reply_tells_is_told(void **state)
{
	struct fixture *fixture = *state;
	hear(fixture, "execute_reply",
		"{\"status\":\"error\",\"ename\":\"OSError\",\"evalue\":\"no disk\"}");
	assert_output(fixture, "OSError: no disk");
	assert_int_equal(fixture->cell.exit_code, 1);
}

static void sys_exit_is_an_exit_code(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		const char *value;
		int code;
	} rows[] = {{"0", 0}, {"", 0}, {"None", 0}, {"3", 3}, {"255", 255}, {"256", 1}, {"-1", 1},
		{"3x", 1}, {"no such file", 1}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fixture->cell.has_error = false;
		hear(fixture, "error",
			arena_printf(
				&fixture->arena, "{\"ename\":\"SystemExit\",\"evalue\":\"%s\"}", rows[i].value));
		assert_int_equal(fixture->cell.exit_code, rows[i].code);
	}
}

static void cleared_output_is_gone(void **state)
{
	struct fixture *fixture = *state;
	strbuf_adds(&fixture->output, "before\n");
	print(fixture, "10 %");
	hear(fixture, "clear_output", "{\"wait\":true}");
	assert_output(fixture, "before\n\n10 %");
	print(fixture, "20 %");
	assert_output(fixture, "before\n\n20 %");
	hear(fixture, "clear_output", "{\"wait\":false}");
	assert_output(fixture, "before\n");
}

static void lines_of_a_terminal_are_lines(void **state)
{
	struct fixture *fixture = *state;
	print(fixture, "a\\r\\nb\\r\\n 10%\\r 20%\\n");
	assert_output(fixture, "a\nb\n 10%\r 20%\n");
}

static void late_output_is_told_as_such(void **state)
{
	struct fixture *fixture = *state;
	hear_of(fixture, "earlier", "stream", "{\"text\":\"from a thread\\n\"}");
	print(fixture, "mine\\n");
	jupyter_cell_end(&fixture->cell);
	assert_output(fixture, "mine\n\nLate output of earlier blocks:\nfrom a thread\n");
}

static void what_rondo_says_has_a_line_of_its_own(void **state)
{
	struct fixture *fixture = *state;
	jupyter_cell_say(&fixture->cell, "It was restarted: %s.", "gone");
	print(fixture, "half");
	jupyter_cell_say(&fixture->cell, "Timeout");
	assert_output(fixture, "It was restarted: gone.\nhalf\nTimeout\n");
}

static void case_113_pip_is_quiet(void **state)
{
	struct fixture *fixture = *state;
	static const char *const rows[][2] = {
		{"!pip install x\n", "!pip install -qqq x\n"},
		{"a = 1\n! pip install x y", "a = 1\n! pip install -qqq x y"},
		{"  %pip install x", "  %pip install -qqq x"},
		{"!python3 -m pip install x", "!python3 -m pip install -qqq x"},
		{"!pip install -q x\n", "!pip install -q x\n"},
		{"!pip install --quiet x\n", "!pip install --quiet x\n"},
		{"!pip list\n"
		 "!pip installx\n"
		 "print('!pip install x')",
			"!pip list\n"
			"!pip installx\n"
			"print('!pip install x')"},
		{"!pip install", "!pip install"},
		{"", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(jupyter_cell_source(rows[i][0], &fixture->arena), rows[i][1]);
}

static void assert_file(struct fixture *fixture, const char *name, const char *expected, size_t n)
{
	AUTO_STRBUF text = STRBUF_INIT(1000);
	struct rondo_error err;
	assert_int_equal(
		file_read(arena_printf(&fixture->arena, "%s/%s", top, name), 1000, &text, &err), 0);
	assert_int_equal(text.length, n);
	assert_memory_equal(text.text, expected, n);
}

static void pictures_and_pages_are_kept_under_our_names(void **state)
{
	struct fixture *fixture = *state;
	hear(fixture, "display_data",
		"{\"data\":{\"image/png\":\"iVBORw0KGgo=\\n\",\"text/"
		"plain\":\"<Figure>\"},\"metadata\":{\"filename\":\"../evil\"}}");
	show(fixture, "text/html", "\"<b>x</b>\"");
	show(fixture, "application/json", "{\"a\":[1]}");
	show(fixture, "image/svg+xml", "\"<svg></svg>\"");
	assert_output(fixture,
		"<Figure>\n"
		"Image data saved to output-1.png\n"
		"HTML data saved to output-2.html\n"
		"JSON data saved to output-3.json\nImage data saved to output-4.svg");
	assert_int_equal(fixture->result.n_files, 4);
	assert_string_equal(fixture->result.files[0], "output-1.png");
	assert_file(fixture, "output-1.png", "\x89PNG\r\n\x1a\n", 8);
	assert_file(fixture, "output-2.html", "<b>x</b>", 8);
}

static void what_is_there_is_never_written_to(void **state)
{
	struct fixture *fixture = *state;
	struct rondo_error err;
	assert_int_equal(
		file_write(arena_printf(&fixture->arena, "%s/output-1.html", top), "mine", 4, 0644, &err),
		0);
	assert_int_equal(
		symlink("/tmp/elsewhere", arena_printf(&fixture->arena, "%s/output-2.html", top)), 0);
	show(fixture, "text/html", "\"theirs\"");
	assert_output(fixture, "HTML data saved to output-3.html");
	assert_file(fixture, "output-1.html", "mine", 4);
}

static void a_directory_that_became_a_link_is_not_followed(void **state)
{
	struct fixture *fixture = *state;
	fixture->kept.dir = "plots";
	assert_int_equal(symlink("/tmp", arena_printf(&fixture->arena, "%s/plots", top)), 0);
	show(fixture, "text/html", "\"x\"");
	assert_int_equal(fixture->result.n_files, 0);
	assert_non_null(strstr(fixture->output.text, "HTML data was not saved"));
}

static void what_is_no_picture_is_not_kept(void **state)
{
	struct fixture *fixture = *state;
	static const char *const rows[][3] = {
		{"image/png", "\"iVBORw0KGgp=\"", "no base64"},
		{"image/png", "\"iVBORw0KGgo\"", "no base64"},
		{"image/png", "\"iVBORw0KGgo==\"", "no base64"},
		{"image/png", "\"iVBORw0KGgo=iVBO\"", "no base64"},
		{"image/png", "\"iVBO Rw0KGgo=\"", "no base64"},
		{"image/png", "\"=\"", "no base64"},
		{"image/png", "\"/9j/4AAQ\"", "no png"},
		{"image/jpeg", "\"iVBORw0KGgo=\"", "no jpg"},
		{"image/png", "\"\"", "no png"},
		{"application/pdf", "\"aGVsbG8=\"", "no pdf"},
		{"image/svg+xml", "\"<html>\"", "no SVG"},
		{"image/png", "7", "no text"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		strbuf_reset(&fixture->output);
		show(fixture, rows[i][0], rows[i][1]);
		assert_non_null(strstr(fixture->output.text, "was not saved: it is "));
		assert_non_null(strstr(fixture->output.text, rows[i][2]));
	}
	assert_int_equal(fixture->kept.shown, 0);
}

static void a_block_keeps_so_much_and_no_more(void **state)
{
	struct fixture *fixture = *state;
	for (int i = 0; i < 70; i++)
		show(fixture, "text/html", "\"x\"");
	assert_int_equal(fixture->result.n_files, 64);
	assert_non_null(strstr(fixture->output.text, "a block keeps at most 64 files"));
	AUTO_STRBUF bytes = STRBUF_INIT(JUPYTER_MEDIA_LIMIT);
	AUTO_FREE char *large = memory_alloc(JUPYTER_MEDIA_LIMIT + 2);
	AUTO_JSON *json = json_object();
	struct rondo_error err;
	memset(large, 'x', JUPYTER_MEDIA_LIMIT + 1);
	json_add_string(json, "data", large);
	assert_int_equal(
		jupyter_media_decode(jupyter_media_find("text/html"), json_get(json, "data"), &bytes, &err),
		-1);
	assert_non_null(strstr(err.message, "larger than 16 MiB"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_bench, close_bench)

UNIT(jupyter_cell)
{
	const struct CMUnitTest tests[] = {
		TEST(it_is_over_when_it_has_replied_and_is_idle),
		TEST(it_may_be_idle_before_it_replies),
		TEST(what_belongs_to_others_ends_nothing),
		TEST(what_it_prints_and_shows_is_heard),
		TEST(content_of_any_kind_does_no_harm),
		TEST(case_99_text_is_as_it_was_printed),
		TEST(case_101_blocks_are_apart_by_an_empty_line),
		TEST(case_103_an_error_is_apart_and_has_no_colours),
		TEST(case_109_the_value_of_the_last_expression_is_output),
		TEST(an_error_that_only_the_reply_tells_is_told),
		TEST(sys_exit_is_an_exit_code),
		TEST(cleared_output_is_gone),
		TEST(lines_of_a_terminal_are_lines),
		TEST(late_output_is_told_as_such),
		TEST(what_rondo_says_has_a_line_of_its_own),
		TEST(case_113_pip_is_quiet),
		TEST(pictures_and_pages_are_kept_under_our_names),
		TEST(what_is_there_is_never_written_to),
		TEST(a_directory_that_became_a_link_is_not_followed),
		TEST(what_is_no_picture_is_not_kept),
		TEST(a_block_keeps_so_much_and_no_more),
	};
	return RUN_TESTS(tests);
}
