/* Markdown of models as HTML: what is left of it is text. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "chat/markdown.h"

static void becomes(const char *text, const char *expected)
{
	AUTO_STRBUF html = STRBUF_INIT(STRBUF_TEXT);
	markdown_to_html(&html, text);
	strbuf_rtrim(&html);
	assert_string_equal(html.text, expected);
}

static void plain_elements_stay(void **state)
{
	(void)state;
	becomes("a *b* **c** `d`", "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>");
	becomes("- x\n- y", "<ul>\n<li>x</li>\n<li>y</li>\n</ul>");
	becomes("# t", "<p><strong>t</strong></p>");
	becomes("a\\\nb", "<p>a<br/>\nb</p>");
	becomes("---", "<hr/>");
	becomes("- [x] d", "<ul>\n<li>\u2611 d</li>\n</ul>");
	becomes("|a|\n|:-:|\n|b|",
		"<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n"
		"</tbody>\n</table>");
}

static void html_is_text(void **state)
{
	(void)state;
	becomes("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>");
	becomes("a <b onclick=\"x\">", "<p>a &lt;b onclick=&quot;x&quot;&gt;</p>");
	becomes("&lt;b&gt; &#60;i&#62;", "<p>&lt;b&gt; &lt;i&gt;</p>");
}

static void links_lead_nowhere(void **state)
{
	(void)state;
	becomes("[t](javascript:x)", "<p><code class=\"to\">javascript:x</code> <u>t</u></p>");
	becomes("![p](u \"t\")", "<p>[picture: p]<code class=\"to\">u</code></p>");
	becomes("[t](u \"a\\\"b\")", "<p><code class=\"to\">u</code> <u>t</u></p>");
}

/* md4c takes marks in an address for the ends of those outside. */
static void what_opens_closes_once(void **state)
{
	(void)state;
	becomes("[](~)~", "<p><code class=\"to\">%7E</code> <u></u></p>");
	becomes("~[a](b~)", "<p><del><code class=\"to\">b%7E</code> <u>a</u></del></p>");
	becomes("*a [b](*)*", "<p><em>a <code class=\"to\">*</code> <u>b</u>*</em></p>");
}

static void what_steers_is_seen(void **state)
{
	(void)state;
	becomes("&#x202e;x", "<p>&lt;U+202E>x</p>");
	becomes("\x1b[31m", "<p>\\e[31m</p>");
	becomes("\u2066a", "<p>&lt;U+2066>a</p>");
	becomes("&#xFFFE;", "<p>&lt;U+FFFE></p>");
}

static void code_is_folded_where_it_is_long(void **state)
{
	(void)state;
	becomes("```c\nint x;\n```",
		"<details class=\"code\" open=\"open\"><summary>c code, 1 line</summary><pre>int x;\n"
		"</pre></details>");
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE), html = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&text, "```\n");
	for (int i = 0; i < 30; i++)
		strbuf_adds(&text, "</pre>\n");
	markdown_to_html(&html, text.text);
	assert_non_null(strstr(html.text, "<details class=\"code\"><summary>code, 30 lines"));
	assert_non_null(strstr(html.text, "<pre>&lt;/pre&gt;\n"));
}

UNIT(markdown)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_elements_stay),
		cmocka_unit_test(html_is_text),
		cmocka_unit_test(links_lead_nowhere),
		cmocka_unit_test(what_opens_closes_once),
		cmocka_unit_test(what_steers_is_seen),
		cmocka_unit_test(code_is_folded_where_it_is_long),
	};
	return RUN_TESTS(tests);
}
