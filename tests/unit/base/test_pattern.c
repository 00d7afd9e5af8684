#include "tests/unit/unit.h"

#include "base/pattern.h"

static bool matches(const char *text, const char *content)
{
	struct rondo_error err;
	regex_t pattern;
	assert_int_equal(pattern_compile(text, &pattern, &err), 0);
	bool found = regexec(&pattern, content, 0, NULL, 0) == 0;
	regfree(&pattern);
	return found;
}

static void a_pattern_is_held_against_each_line(void **state)
{
	(void)state;
	assert_true(matches("^ok$", "not\nok\n"));
	assert_false(matches("^ok$", "ok then"));
	assert_false(matches("a.b", "a\nb"));
	assert_true(matches("(DONE|READY)[.!]?$", "I am READY!"));
	assert_true(matches("", "anything"));
}

static void what_is_no_pattern_is_quoted(void **state)
{
	(void)state;
	struct rondo_error err;
	assert_int_equal(pattern_check("^ok$", &err), 0);
	assert_int_equal(pattern_check("a{2,1}", &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
	assert_string_equal(
		err.message, "'a{2,1}' is no extended regular expression: Invalid content of \\{\\}");
}

UNIT(pattern)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_is_held_against_each_line),
		cmocka_unit_test(what_is_no_pattern_is_quoted),
	};
	return RUN_TESTS(tests);
}
