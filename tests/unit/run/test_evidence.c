/* What a pull request and a report say of a fix, and that nothing foreign in it is read as
 * Markdown. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "run/report/report.h"
#include "tests/unit/report_fixture.h"

static const char *edits[] = {"a.py:1  '<' to '<='"}, *evidence[] = {"run 1: 3 of 3 passed"},
				  *dropped[] = {"x.py (a scratch file)"};

static struct stages fixed(struct run_test *goal, size_t n)
{
	return (struct stages){.site = {.command = "make check", .base = "0123456789abcdef"},
		.baseline = {.n_tests = 3, .n_passed = 2, .goal = goal, .n_goal = n},
		.talk = {.what = edits[0], .edits = {edits, 1}},
		.verdict = {.has_counts = true, .n_tests = 3, .n_passed = 3, .evidence = {evidence, 1}},
		.change = {.stat = "a.py | 2 +-"},
		.report = {.outcome = RUN_VERIFIED, .id = "20261121-101502-7c1e", .n_fixed = 1}};
}

static void code_has_a_fence_longer_than_any_within(void **state)
{
	(void)state;
	static const struct {
		const char *text, *code;
	} cases[] = {{"a", "`a`"}, {"a`b``c", "```a`b``c```"}, {"`", "`` ` ``"},
		{"two\n"
		 "lines",
			"`two lines`"},
		{"\x1b[m", "`\\e[m`"}, {"", "` `"}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
		markdown_add_code(&sb, cases[i].text);
		assert_string_equal(sb.text, cases[i].code);
	}
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	markdown_add_block(&sb, "text", "a\n````\nb");
	assert_string_equal(sb.text, "`````text\na\n````\nb\n`````\n");
}

static void pull_request_has_title_and_evidence(void **state)
{
	(void)state;
	struct run_test goal = {.id = "t::one", .message = "1 != 2", .place = "t.py:3"};
	struct stages stages = fixed(&goal, 1);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	pull_request_write(report_of(&stages), "a: change it", &sb);
	assert_true(text_starts_with(sb.text,
		"a: change it\n\n"
		"## What was wrong\n\n"
		"1 of 3 tests failed at 0123456789ab:\n\n"
		"- `t::one` at `t.py:3`: `1 != 2`\n"));
	assert_non_null(strstr(sb.text, "- `a.py:1  '<' to '<='`\n\n```text\na.py | 2 +-\n```\n"));
	assert_non_null(strstr(sb.text, "| passed | 2 | 3 |\n| failed | 1 | 0 |\n"));
	assert_non_null(strstr(sb.text, "- `run 1: 3 of 3 passed`\n"));
	assert_non_null(strstr(sb.text, "; no model was asked.\n"));
	assert_null(strstr(sb.text, "Dropped"));
}

/* A heading, a mention, words that close an issue, a link: in the texts of tests they are only
 * text. */
static void hostile_texts_stay_code(void **state)
{
	(void)state;
	struct run_test goal = {.id = "a`\n"
								  "# @everyone",
		.message = "fixes #1\n"
				   "[x](http://example.org) ```"};
	struct stages stages = fixed(&goal, 1);
	stages.talk.said = "Because.\n\n# Heading\n@all\n```python\nx\n```\nmore";
	stages.verdict.dropped.items = dropped;
	stages.verdict.dropped.n = 1;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	evidence_add_goal(&sb, report_of(&stages));
	evidence_add_change(&sb, report_of(&stages));
	evidence_add_remarks(&sb, report_of(&stages));
	assert_non_null(
		strstr(sb.text, "- ``a` # @everyone``: ```` fixes #1 [x](http://example.org) ``` ````\n"));
	assert_non_null(strstr(sb.text,
		"The model said:\n\n"
		"```text\n"
		"Because.\n\n"
		"# Heading\n"
		"@all\n"
		"```\n"));
	assert_non_null(strstr(sb.text,
		"## Dropped: the fix does not need it\n\n"
		"- `x.py (a scratch file)`\n"));
}

UNIT(evidence)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_has_a_fence_longer_than_any_within),
		cmocka_unit_test(pull_request_has_title_and_evidence),
		cmocka_unit_test(hostile_texts_stay_code),
	};
	return RUN_TESTS(tests);
}
