/* Text within XML. */
#include "tests/unit/unit.h"

#include "base/xml.h"

static const char *xml_of(const char *text)
{
	static char result[256];
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	xml_add_text(&sb, text);
	assert_true(sb.length < sizeof result);
	return strcpy(result, sb.text);
}

static void markup_is_escaped(void **state)
{
	(void)state;
	assert_string_equal(xml_of("a<b> & \"c\" ]]>"), "a&lt;b&gt; &amp; &quot;c&quot; ]]&gt;");
	assert_string_equal(xml_of("one\ntwo\tthree\r"), "one&#10;two&#9;three&#13;");
	assert_string_equal(xml_of("größer: ✓"), "größer: ✓");
}

static void what_xml_cannot_hold_is_replaced(void **state)
{
	(void)state;
	assert_string_equal(xml_of("\x1b[31m\x01"), "\xef\xbf\xbd[31m\xef\xbf\xbd");
	assert_string_equal(xml_of("a\xef\xbf\xbe\xef\xbf\xbf"
							   "b"),
		"a\xef\xbf\xbd\xef\xbf\xbd"
		"b");
	assert_string_equal(xml_of("a\xff\xc3"), "a\xef\xbf\xbd\xef\xbf\xbd");
}

UNIT(xml)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markup_is_escaped),
		cmocka_unit_test(what_xml_cannot_hold_is_replaced),
	};
	return RUN_TESTS(tests);
}
