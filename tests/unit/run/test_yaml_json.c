/* The JSON files below data/yaml are what Python's json.dumps and Node's JSON.stringify printed. */
#include "tests/unit/unit.h"

#include "tests/unit/yaml_fixture.h"

#define DATA "tests/unit/data/yaml/"

static bool same_value(const struct yaml_node *a, const struct yaml_node *b)
{
	if (a->kind != b->kind || (a->key && strcmp(a->key, b->key) != 0))
		return false;
	if (a->kind == YAML_SCALAR)
		return a->plain == b->plain && strcmp(a->text, b->text) == 0;
	const struct yaml_node *x = a->first, *y = b->first;
	for (; x && y; x = x->next, y = y->next)
		if (!same_value(x, y))
			return false;
	return !x && !y;
}

static void reads_json_as_its_spelling_in_yaml(void **state)
{
	(void)state;
	static const char *const files[] = {DATA "python.json", DATA "python_indent.json",
		DATA "python_unicode.json", DATA "python_unicode_indent.json", DATA "node.json",
		DATA "node_tabs.json"};
	AUTO_READING spelling;
	read_path(&spelling, DATA "spelling.yaml");
	assert_string_equal(spelling.said.text, "");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		AUTO_READING json;
		read_path(&json, files[i]);
		assert_string_equal(json.said.text, "");
		for (const struct yaml_node *node = spelling.root->first; node; node = node->next) {
			const struct yaml_node *other = yaml_find(json.root, node->key);
			if (!other || !same_value(node, other))
				fail_msg("%s: '%s' is another", files[i], node->key);
		}
		assert_true(same_value(spelling.root, json.root));
	}
}

static void finds_the_places_of_json(void **state)
{
	(void)state;
	assert_tree("\n"
				"{\"\\ud83d\\ude00\"\n"
				":\t1, \"b\" : [ \"\xc3\xa9\\\"\\\\\", {} ,[],-1.5e3 ] }\r\n",
		"2:1{\xf0\x9f\x98\x80@2:2=3:3<1> b@3:6=3:12[3:14'\xc3\xa9\"\\' 3:23{} 3:27[] "
		"3:30<-1.5e3>]}");
	assert_tree("{\"a\":\"\xe2\x80\xa8\x7f\",\"b\":null}",
		"1:1{a@1:2=1:6'\xe2\x80\xa8\x7f' b@1:11=1:15<null>}");
}

static void reads_what_is_nearly_json_as_yaml(void **state)
{
	(void)state;
	assert_tree("{\"a\": 1,}", "1:1{a@1:2=1:7<1>}");
	assert_tree("{\"a\": \"x\n  y\"}", "1:1{a@1:2=1:7'x y'}");
	assert_told("{\"a\": 1,\n\"a\": 2}", "f:2:1: key 'a' stands twice, first in line 1\n",
		"1:1{a@1:2=1:7<1> a@2:1=2:6<2>}");
	assert_told("{\"a\": \"\\u0000\"}", "f:1:7: a text cannot hold a NUL\n", "1:1{a@1:2=1:7''}");
	static const char twice[] = "{\"a\": \"\\ud83d\\ude00\", \"a\": 1}",
					  raw[] = "{\"a\": \"\x7f\", }";
	assert_refused(twice, strlen(twice),
		"1:10: no character has this number; emoji are written \\U0001F600, and only in JSON as "
		"\\ud83d\\ude00"
		" (read as JSON: key 'a' stands twice)");
	assert_refused(raw, strlen(raw),
		"1:8: the character U+007F is not allowed; in double quotes it can be written \\u007f"
		" (read as JSON: 1:13: not JSON)");
}

static void limits_keys_and_values(void **state)
{
	(void)state;
	AUTO_STRBUF text = STRBUF_INIT(1 << 20);
	AUTO_READING keys;
	for (int i = 10000; i <= 20000; i++)
		strbuf_addf(&text, "%s\"a key: %d\":1", i > 10000 ? "," : "{", i);
	strbuf_adds(&text, "}");
	read_bytes(&keys, text.text, text.length);
	assert_string_equal(keys.said.text, "");
	assert_string_equal(keys.root->last->key, "a key: 20000");
	strbuf_reset(&text);
	for (int i = 0; i < 99998; i++)
		strbuf_adds(&text, i ? ",1" : "{\"a\":[1");
	strbuf_adds(&text, "]}");
	assert_refused(text.text, text.length, "1:200001: more than 100,000 values");
}

UNIT(yaml_json)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_json_as_its_spelling_in_yaml),
		cmocka_unit_test(finds_the_places_of_json),
		cmocka_unit_test(reads_what_is_nearly_json_as_yaml),
		cmocka_unit_test(limits_keys_and_values),
	};
	return RUN_TESTS(tests);
}
