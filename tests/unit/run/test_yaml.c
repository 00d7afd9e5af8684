#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/unit/yaml_fixture.h"

static void keeps_where_everything_stood(void **state)
{
	(void)state;
	assert_tree("# a scenario\n"
				"team:\n"
				"  max_turns: 8\n"
				"  type: 'round robin'\n"
				"agents: [coder, \"b\"]\n",
		"2:1{team@2:1=3:3{max_turns@3:3=3:14<8> type@4:3=4:9'round robin'} "
		"agents@5:1=5:9[5:10<coder> 5:17'b']}");
	assert_tree("- - x\n"
				"  -\n"
				"- {a: , b: {}}\n",
		"1:1[1:3[1:5<x> 2:4<>] 3:3{a@3:4=3:7<> b@3:9=3:12{}}]");
	assert_tree("---\na: null\n...\n", "2:1{a@2:1=2:4<null>}");
	assert_tree("? a\n: b\n", "1:1{a@1:3=2:3<b>}");
}

static void a_file_that_cannot_be_read_now_is_no_mistake(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct problems problems = {.arena = &arena};
	struct rondo_error err;
	struct rlimit usual = no_descriptors();
	assert_null(yaml_read_file("/etc/passwd", &arena, &problems));
	setrlimit(RLIMIT_NOFILE, &usual);
	assert_int_equal(problems_error(&problems, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	problems = (struct problems){.arena = &arena};
	assert_null(yaml_read_file("/no/such/file", &arena, &problems));
	assert_int_equal(problems_error(&problems, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
}

static void counts_columns_in_characters(void **state)
{
	(void)state;
	assert_tree("{\xc3\xa9\xf0\x9f\x98\x80: \xe4\xb8\xad, b: c}",
		"1:1{\xc3\xa9\xf0\x9f\x98\x80@1:2=1:6<\xe4\xb8\xad> b@1:9=1:12<c>}");
	assert_tree("\xef\xbb\xbf"
				"a: b",
		"1:1{a@1:1=1:4<b>}");
}

static void reads_every_end_of_line(void **state)
{
	(void)state;
	assert_tree("a: |\r\n  x\r\n  y\r\nb: c\r\n", "1:1{a@1:1=1:4'x\ny\n' b@4:1=4:4<c>}");
	assert_tree("a: 1\rb: c\r", "1:1{a@1:1=1:4<1> b@2:1=2:4<c>}");
}

static void keeps_block_scalars_as_they_are(void **state)
{
	(void)state;
	assert_tree("a: |-\n  {x: [\n\n    \t*y\n   # z\nb: >\n  one\n  two\n",
		"1:1{a@1:1=1:4'{x: [\n\n  \t*y\n # z' b@6:1=6:4'one two\n'}");
}

static void tells_every_problem_of_a_file(void **state)
{
	(void)state;
	assert_told("a: &x 1\nb: *x\nc: !!str 5\nd: !x {<<: *x, [1]: 2}\na: 3\na: 4\n",
		"f:1:4: '&' begins an anchor, which is not read; a text that begins with '&' needs quotes\n"
		"f:2:4: '*' begins an alias, which is not read; a text that begins with '*' needs quotes\n"
		"f:3:4: '!' begins a tag, which is not read; a text that begins with '!' needs quotes\n"
		"f:4:4: '!' begins a tag, which is not read; a text that begins with '!' needs quotes\n"
		"f:4:8: '<<' merges maps, which is not done here; write its keys out\n"
		"f:4:12: '*' begins an alias, which is not read; a text that begins with '*' needs quotes\n"
		"f:4:16: a key must be a text, not a list or a map\n"
		"f:5:1: key 'a' stands twice, first in line 1\n"
		"f:6:1: key 'a' stands twice, first in line 1\n",
		"1:1{a@1:1=1:4<1> b@2:1=2:4'*x' c@3:1=3:4<5> d@4:1=4:4{} a@5:1=5:4<3> a@6:1=6:4<4>}");
	assert_told("a: 1\n---\nb: 2\n", "f:2:1: a second document begins here; one file holds one\n",
		"1:1{a@1:1=1:4<1>}");
	assert_told("a: \"x\\0y\"", "f:1:4: a text cannot hold a NUL\n", "1:1{a@1:1=1:4'x'}");
	assert_told("%YAML 1.1\n---\na: 1\n",
		"f:1:1: '%' begins a directive, which is not read; a text that begins with '%' needs "
		"quotes\n",
		"3:1{a@3:1=3:4<1>}");
}

static void lets_quoted_signs_pass(void **state)
{
	(void)state;
	assert_tree("\"<<\": ['*.py', \"&a\", '!x', '%', '@x']",
		"1:1{<<@1:1=1:7[1:8'*.py' 1:16'&a' 1:22'!x' 1:28'%' 1:33'@x']}");
}

static void explains_syntax_errors(void **state)
{
	(void)state;
	static const char colon[] = " unexpected ':'; a text that holds it needs quotes, a key begins "
								"where its neighbours begin";
	static const struct {
		const char *text, *place, *said;
	} cases[] = {
		{"a:\n\tb: 1\n", "2:1:", " a tab cannot indent; use spaces"},
		{"a:\n  \tb: 1\n", "2:3:", " a tab cannot indent; use spaces"},
		{"a:\n  b: 1\n\tc: 2\n", "3:1:", " a tab cannot indent; use spaces"},
		{"a: |\n\tx\n", "2:1:", " a tab cannot indent; use spaces"},
		{"a: b: c\n", "1:5:", colon},
		{"a: 1\n b: 2\n", "2:3:", colon},
		{"{a,b:}", "1:5:", colon},
		{"a: 1\nfoo\nb: 2\n", "2:1:", " expected ':' after this key"},
		{"a: - b\n", "1:4:",
			" unexpected '-'; a list begins on a line of its own, a text that begins with '- ' "
			"needs quotes"},
		{"a: ? x\n", "1:4:", " unexpected '?'; a text that begins with '? ' needs quotes"},
		{"a: b\n- c\n", "2:1:", " expected a key of the map that begins in line 1"},
		{"a:\n   b: 1\n  c: 2\n", "3:3:", " expected a key of the map that begins in line 1"},
		{"\n- a\nb: c\n", "3:1:", " expected a '-' of the list that begins in line 2"},
		{"a: {b\n", "2:1:", " expected ',' or '}' in the map that begins in line 1"},
		{"{a: [1}", "1:7:", " expected ',' or ']' in the list that begins in line 1"},
		{"[1,,2]", "1:4:", " expected a value"},
		{" a: 1\n"
		 "b: 2\n",
			"2:1:", " unexpected text after the end of the document; is its indentation right?"},
		{"x: 'it's'\n",
			"1:8:", " unexpected text after a closing quote; in single quotes ' is written ''"},
		{"[\"a\" \"b\"]",
			"1:6:", " unexpected text after a closing quote; in single quotes ' is written ''"},
		{"a: \"b\nc: d\n", "1:4:", " this quote is never closed"},
		{"a: 'b\n---\n", "1:4:", " this quote is never closed"},
		{"a: \"\\q\"", "1:5:", " unknown escape; in double quotes a backslash is written \\\\"},
		{"a: \"\\xZZ\"", "1:7:", " expected hexadecimal digits after \\x, \\u or \\U"},
		{"a: | x\n", "1:6:", " expected the end of the line after '|' or '>'"},
		{"a: >0\n", "1:5:", " the indentation after '|' or '>' is 1 to 9"},
		{"a: @b\n", "1:4:", " a text that begins with '@' needs quotes"},
		{"--- @b\n", "1:5:", " a text that begins with '@' needs quotes"},
		{"a: `b`\n", "1:4:", " a text that begins with '`' needs quotes"},
		{"p: [*.py]\n", "1:5:",
			" '*' begins an alias, which is not read; a text that begins with '*' needs quotes"},
		{"- &\n", "1:3:",
			" '&' begins an anchor, which is not read; a text that begins with '&' needs quotes"},
		{"- !a!b c\n", "1:3:",
			" '!' begins a tag, which is not read; a text that begins with '!' needs quotes"},
		{"- !<x\n", "1:3:",
			" '!' begins a tag, which is not read; a text that begins with '!' needs quotes"},
		{"a: 1\n%x: 1\n", "2:1:",
			" '%' begins a directive, which is not read; a text that begins with '%' needs quotes"},
		{"%YAML 2.0\n---\n", "1:1:",
			" '%' begins a directive, which is not read; a text that begins with '%' needs quotes"},
		{"%YAML 1.2\n"
		 "a: 1\n",
			"2:1:", " expected '---' after the directives; leave them out, they are not read"},
		{"a: \"\\ud83d\\ude00\"", "1:7:",
			" no character has this number; emoji are written \\U0001F600, and only in JSON as "
			"\\ud83d\\ude00"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_STRBUF said = STRBUF_INIT(4096);
		strbuf_addf(&said, "%s%s", cases[i].place, cases[i].said);
		assert_refused(cases[i].text, strlen(cases[i].text), said.text);
	}
}

static void refuses_what_is_no_text(void **state)
{
	(void)state;
	assert_refused("a: \xc3\xa9\n\xc3\xa9: \xff", 12, "2:4: byte 0xff is not UTF-8");
	assert_refused("a: \xe2\x82", 5, "1:4: byte 0xe2 is not UTF-8");
	assert_refused("a: b\x9b", 5, "1:5: byte 0x9b is not UTF-8");
	assert_refused("a: b\0c", 6, "1:5: a NUL byte; this is no text");
	assert_refused("\xff\xfe"
				   "a\0",
		4, "1:1: the file is UTF-16; save it as UTF-8");
	assert_refused("\xfe\xff\0a", 4, "1:1: the file is UTF-16; save it as UTF-8");
}

static void refuses_characters_that_do_not_show(void **state)
{
	(void)state;
	static const struct {
		const char *bytes, *code;
	} cases[] = {
		{"\x01", "0001"},
		{"\x1b", "001b"},
		{"\x7f", "007f"},
		{"\xc2\x80", "0080"},
		{"\xc2\x85", "0085"},
		{"\xe2\x80\xa8", "2028"},
		{"\xe2\x80\xa9", "2029"},
		{"\xef\xbb\xbf", "feff"},
		{"\xef\xbf\xbe", "fffe"},
		{"\xef\xbf\xbf", "ffff"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_STRBUF text = STRBUF_INIT(100), said = STRBUF_INIT(1000);
		strbuf_addf(&text, "a:\n  \xc3\xa9%s", cases[i].bytes);
		unsigned code = (unsigned)strtoul(cases[i].code, NULL, 16);
		strbuf_addf(&said,
			"2:4: the character U+%04X is not allowed; in double quotes it can be written \\u%s",
			code, cases[i].code);
		assert_refused(text.text, text.length, said.text);
	}
	assert_tree("a: \xc2\xa0\xe2\x80\xa6\xef\xbf\xbd\t\xf0\x90\x80\x80",
		"1:1{a@1:1=1:4<\xc2\xa0\xe2\x80\xa6\xef\xbf\xbd\t\xf0\x90\x80\x80>}");
}

static void refuses_an_empty_file(void **state)
{
	(void)state;
	static const char *const texts[] = {"",
		"\n"
		" \n",
		"# only this\n", "---\n",
		"---\n"
		"...\n",
		"\xef\xbb\xbf"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_refused(texts[i], strlen(texts[i]), " the file is empty");
}

static void refuses_deep_nesting(void **state)
{
	(void)state;
	char text[20001];
	memset(text, '[', 10000);
	memset(text + 10000, ']', 10000);
	assert_refused(text, 20000, "1:65: nested deeper than 64");
	assert_refused(text + 9935, 130, "1:65: nested deeper than 64");
	AUTO_READING reading;
	read_bytes(&reading, text + 9936, 128);
	assert_string_equal(reading.said.text, "");
	AUTO_STRBUF lists = STRBUF_INIT(1 << 20);
	for (int i = 0; i < 65; i++)
		strbuf_adds(&lists, "- ");
	assert_refused(lists.text, lists.length, "1:129: nested deeper than 64");
}

static void refuses_too_many_values(void **state)
{
	(void)state;
	AUTO_STRBUF text = STRBUF_INIT(1 << 20);
	strbuf_adds(&text, "[");
	for (int i = 0; i < 99999; i++)
		strbuf_adds(&text, i ? ",1" : "1");
	strbuf_adds(&text, "]");
	AUTO_READING reading;
	read_bytes(&reading, text.text, text.length);
	assert_string_equal(reading.said.text, "");
	text.text[text.length - 1] = ',';
	strbuf_adds(&text, "1]");
	assert_refused(text.text, text.length, "1:200000: more than 100,000 values");
	AUTO_STRBUF list = STRBUF_INIT(1 << 20);
	for (int i = 0; i < 100000; i++)
		strbuf_adds(&list, "- 1\n");
	assert_refused(list.text, list.length, "100000:3: more than 100,000 values");
}

/* A line of "LENGTH times k: 1" in some form. */
static void make_key(struct strbuf *sb, size_t length, const char *before, const char *behind)
{
	strbuf_reset(sb);
	strbuf_adds(sb, before);
	for (size_t i = 0; i < length; i++)
		strbuf_addc(sb, 'k');
	strbuf_adds(sb, behind);
}

static void limits_the_length_of_keys(void **state)
{
	(void)state;
	AUTO_STRBUF text = STRBUF_INIT(4096);
	AUTO_READING json, json_longer, yaml, flow;
	make_key(&text, 1024, "{\"", "\": 1}");
	read_bytes(&json, text.text, text.length);
	assert_string_equal(json.said.text, "");
	make_key(&text, 1025, "{\"", "\": 1}");
	read_bytes(&json_longer, text.text, text.length);
	assert_string_equal(json_longer.said.text, "f:1:2: a key is longer than 1,024 bytes\n");
	assert_null(json_longer.root->first);
	make_key(&text, 1025, "? ", "\n: 1");
	read_bytes(&yaml, text.text, text.length);
	assert_string_equal(yaml.said.text, "f:1:3: a key is longer than 1,024 bytes\n");
	make_key(&text, 1025, "", ": 1");
	assert_refused(
		text.text, text.length, "1:1026: unexpected ':'; a key is at most 1,024 characters long");
	make_key(&text, 1025, "{", ": 1}");
	read_bytes(&flow, text.text, text.length);
	assert_null(flow.root);
	assert_string_equal(flow.said.text,
		"f:1:2: a key is longer than 1,024 bytes\n"
		"f:1:1027: unexpected ':'; a key is at most 1,024 characters long\n");
}

static void costs_nothing_for_a_bomb_of_aliases(void **state)
{
	(void)state;
	AUTO_READING reading;
	AUTO_STRBUF text = STRBUF_INIT(1 << 20);
	strbuf_adds(&text, "a: &a [x, x]\n");
	for (char c = 'b'; c <= 'z'; c++)
		strbuf_addf(&text, "%c: &%c [*%c, *%c, *%c, *%c]\n", c, c, c - 1, c - 1, c - 1, c - 1);
	read_bytes(&reading, text.text, text.length);
	assert_int_equal(reading.problems.n, 26 + 4 * 25);
	assert_true(text_ends_with(reading.said.text,
		"f:26:20: '*' begins an alias, which is not read; a text that begins with '*' needs "
		"quotes\n"));
}

static void finds_a_value_by_its_key(void **state)
{
	(void)state;
	AUTO_READING reading;
	read_bytes(&reading, "a: 1\nb: 2\n", 10);
	assert_string_equal(yaml_find(reading.root, "b")->text, "2");
	assert_null(yaml_find(reading.root, "c"));
	assert_string_equal(reading.root->first->place.origin, "f");
}

static void assert_no_file(const char *path, const char *reason)
{
	AUTO_READING reading;
	AUTO_STRBUF expected = STRBUF_INIT(4096);
	read_path(&reading, path);
	assert_null(reading.root);
	strbuf_addf(&expected, "%s: %s\n", path, reason);
	assert_string_equal(reading.said.text, expected.text);
}

static void reads_regular_files_of_a_bearable_size(void **state)
{
	(void)state;
	char dir[TOP_SIZE];
	struct rondo_error err;
	assert_non_null(make_top(dir));
	assert_int_equal(chdir(dir), 0);
	assert_no_file("absent.yaml", "cannot be read: No such file or directory");
	assert_no_file(".", "is a directory, not a file");
	assert_no_file("/dev/zero", "is a pipe, a socket or a device, not a file");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_no_file("pipe", "is a pipe, a socket or a device, not a file");
	assert_int_equal(file_create("large.yaml", "", 0, 0600, &err), 0);
	assert_int_equal(truncate("large.yaml", 50 << 20), 0);
	assert_no_file("large.yaml", "larger than 1 MiB");
	AUTO_FREE char *text = memory_alloc((1 << 20) + 1);
	memset(text, ' ', (1 << 20) + 1);
	memcpy(text, "a: b", 4);
	assert_int_equal(file_create("limit.yaml", text, 1 << 20, 0600, &err), 0);
	AUTO_READING limit;
	read_path(&limit, "limit.yaml");
	assert_string_equal(limit.said.text, "");
	assert_string_equal(yaml_find(limit.root, "a")->text, "b");
	assert_refused(text, (1 << 20) + 1, " larger than 1 MiB");
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(file_remove_tree(dir, &err), 0);
}

UNIT(yaml)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_where_everything_stood),
		cmocka_unit_test(a_file_that_cannot_be_read_now_is_no_mistake),
		cmocka_unit_test(counts_columns_in_characters),
		cmocka_unit_test(reads_every_end_of_line),
		cmocka_unit_test(keeps_block_scalars_as_they_are),
		cmocka_unit_test(tells_every_problem_of_a_file),
		cmocka_unit_test(lets_quoted_signs_pass),
		cmocka_unit_test(explains_syntax_errors),
		cmocka_unit_test(refuses_what_is_no_text),
		cmocka_unit_test(refuses_characters_that_do_not_show),
		cmocka_unit_test(refuses_an_empty_file),
		cmocka_unit_test(refuses_deep_nesting),
		cmocka_unit_test(refuses_too_many_values),
		cmocka_unit_test(limits_the_length_of_keys),
		cmocka_unit_test(costs_nothing_for_a_bomb_of_aliases),
		cmocka_unit_test(finds_a_value_by_its_key),
		cmocka_unit_test(reads_regular_files_of_a_bearable_size),
	};
	return RUN_TESTS(tests);
}
