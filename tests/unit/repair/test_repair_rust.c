/* How Rust is read: types before a brace or a bracket, conversions, closures, macros. */
#include "tests/unit/repair_fixture.h"

static const char collect[] = "fn f(xs: Vec<i64>, n: usize) -> Vec<i64> {\n"
							  "    let mut out: Vec<i64> = vec![];\n"
							  "    for x in xs {\n        out.push(x);\n    }\n"
							  "    out.push(0);\n    out\n}\n";
static const char mean[] = "fn g(xs: &Vec<f32>, least: f32) -> f32 {\n"
						   "    let mean: f32 = xs.iter().fold(0.0, |all, x| all + x) / least;\n"
						   "    let far = (mean - least) < least;\n"
						   "    xs.iter().map(|x| x - mean).sum::<f32>() / xs.len() as f32\n}\n";

static void the_statements_of_a_function_that_gives_a_generic_type_are_known(void **state)
{
	(void)state;
	assert_true(proposes_for("a.rs", collect, "a.rs:6  remove 'out.push(0);'"));
	assert_true(proposes_for("A.java",
		"class A {\n    List<List<Integer>> f(List<Integer> xs) {\n        xs.add(1);\n"
		"        xs.add(2);\n        return g(xs);\n    }\n}\n",
		"A.java:4  remove 'xs.add(2);'"));
}

static void what_calls_a_macro_is_no_value(void **state)
{
	(void)state;
	assert_false(proposes_for("a.rs", collect, "a.rs:2  'vec' to 'Some(vec)'"));
	assert_false(proposes_for("a.rs", collect, "a.rs:2  '[]' to 'Some([])'"));
	assert_false(proposes_for("a.rs", collect, "a.rs:2  out to xs"));
}

static void a_conversion_is_a_part_of_what_it_converts(void **state)
{
	(void)state;
	assert_true(proposes_for("a.rs", mean, "a.rs:2  'least' to 'xs.len() as f32'"));
	assert_false(
		proposes_for("a.rs", mean, "a.rs:4  'xs.len() as f32' to 'xs.len() as f32.abs()'"));
	assert_true(proposes_for("a.rs", mean,
		"a.rs:4  swap the operands 'xs.iter().map(|x| x - mean).sum::<f32>()' and 'xs.len() as "
		"f32'"));
}

static void the_parameters_of_a_closure_are_no_operands(void **state)
{
	(void)state;
	assert_false(proposes_for("a.rs", mean, "a.rs:2  '|' to '&'"));
	assert_false(proposes_for("a.rs", mean, "a.rs:2  swap '0.0' and '|all'"));
	assert_true(proposes_for("a.rs", mean, "a.rs:2  swap the operands 'all' and 'x'"));
	assert_false(proposes_for("a.rs", mean, "a.rs:2  least to all"));
	assert_true(proposes_for("a.rs",
		"fn h(xs: Vec<i64>) -> Vec<i64> {\n"
		"    xs.into_iter().filter(|n| n.is_negative()).collect()\n}\n",
		"a.rs:2  is_negative to is_positive"));
}

static void a_number_and_a_chain_have_methods_of_their_own(void **state)
{
	(void)state;
	assert_true(proposes_for("a.rs", mean, "a.rs:3  'mean - least' to '(mean - least).abs()'"));
	assert_true(proposes_for("a.rs",
		"fn h(s: &str) -> String {\n    let all: String = s.chars().collect();\n    all\n}\n",
		"a.rs:2  's.chars()' to 's.chars().rev()'"));
}

UNIT(repair_rust)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_statements_of_a_function_that_gives_a_generic_type_are_known),
		cmocka_unit_test(what_calls_a_macro_is_no_value),
		cmocka_unit_test(a_conversion_is_a_part_of_what_it_converts),
		cmocka_unit_test(the_parameters_of_a_closure_are_no_operands),
		cmocka_unit_test(a_number_and_a_chain_have_methods_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
