/* Foreign text as HTML, and program text in colours. */
#include "tests/unit/unit.h"

#include "run/report/html/html.h"

static void becomes(const char *text, const char *expected)
{
	AUTO_STRBUF html = STRBUF_INIT(STRBUF_TEXT);
	html_add(&html, text);
	assert_string_equal(html.text, expected);
}

static void markup_is_escaped(void **state)
{
	(void)state;
	becomes("<a href=\"x\">&amp;", "&lt;a href=&quot;x&quot;&gt;&amp;amp;");
	becomes("a\n\tb", "a&#10;&#9;b");
}

static void what_steers_is_seen(void **state)
{
	(void)state;
	becomes("\x1b[1m\x07\r", "\\e[1m\\x07\\r");
	becomes("\u202etxt\u2069\u061c", "&lt;U+202E&gt;txt&lt;U+2069&gt;&lt;U+061C&gt;");
	becomes("\xff\xfe", "\ufffd\ufffd");
	becomes("\xef\xbf\xbe", "&lt;U+FFFE&gt;");
}

static void a_long_text_keeps_both_ends(void **state)
{
	(void)state;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT), html = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&text, "begin");
	for (int i = 0; i < 3 * HTML_TEXT; i++)
		strbuf_addc(&text, 'x');
	strbuf_adds(&text, "end");
	html_add(&html, text.text);
	assert_true(html.length < 2 * HTML_TEXT);
	assert_true(text_starts_with(html.text, "begin") && text_ends_with(html.text, "end"));
}

static void figures_are_for_people(void **state)
{
	(void)state;
	static const struct {
		int64_t n;
		const char *text;
	} rows[] = {{0, "0"}, {999, "999"}, {1000, "1,000"}, {-1234567, "-1,234,567"}, {-123, "-123"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		AUTO_STRBUF html = STRBUF_INIT(STRBUF_LINE);
		html_number(&html, rows[i].n);
		assert_string_equal(html.text, rows[i].text);
	}
}

static void coloured(const char *path, const char *text, const char *expected)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF html = STRBUF_INIT(STRBUF_TEXT);
	struct html_code code;
	html_code_read(&code, language_of(path), text, strlen(text), &arena);
	html_code_add(&html, &code, 0, code.n);
	assert_string_equal(html.text, expected);
}

static void code_is_coloured(void **state)
{
	(void)state;
	coloured("a.py", "if x == 1: # <b>",
		"<span class=\"k\">if</span> x == <span class=\"n\">1</span>: "
		"<span class=\"c\">#</span> <span class=\"c\">&lt;b&gt;</span>");
	coloured("a.c", "return \"<\";",
		"<span class=\"k\">return</span> "
		"<span class=\"s\">&quot;&lt;&quot;</span>;");
	coloured("a.unknown", "if <x>", "if &lt;x&gt;");
	coloured("a.py", "", "");
}

UNIT(escape)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markup_is_escaped),
		cmocka_unit_test(what_steers_is_seen),
		cmocka_unit_test(a_long_text_keeps_both_ends),
		cmocka_unit_test(figures_are_for_people),
		cmocka_unit_test(code_is_coloured),
	};
	return RUN_TESTS(tests);
}
