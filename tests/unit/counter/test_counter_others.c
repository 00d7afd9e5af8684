/* Copies of tests in shell, Go and Rust, which must not pass. */
#include "tests/unit/counter_fixture.h"

/* --- Shell --- */

#define IS \
	"is() {\n\tif [ \"$2\" = \"$3\" ]; then\n\t\techo \"ok - $1\"\n\telse\n" \
	"\t\techo \"not ok - $1\"\n\tfi\n}\n"
#define ISNT \
	"isnt() {\n\tif [ \"$2\" = \"$3\" ]; then\n\t\techo \"not ok - $1\"\n\telse\n" \
	"\t\techo \"ok - $1\"\n\tfi\n}\n"
#define NONE "no call in a script says what it expects\n"

static const struct counter_row scripts[] = {
	{"area", IS "is area \"$(area 3 5)\" 15\n", "expected 8: is area \"$(area 3 5)\" another\n"},
	{"an area", IS "is 'an area' 15 \"$(area 3 5)\" # why\n",
		"expected 8: is 'an area' another \"$(area 3 5)\" # why\n"},
	{"area",
		"is() {\n\tsaid=ok\n\t[ \"$2\" = \"$3\" ] || said=\"not ok\"\n\techo \"$said - $1\"\n}\n"
		"is area $(area 3 5) \"15 m\"\n",
		"expected 6: is area $(area 3 5) another\n"},
	{"area", IS "is other \"$(area 3 5)\" 15\n", NONE},
	{"area", ISNT "isnt area \"$(area 3 5)\" 15\n", NONE},
	{"area", IS "if true; then\nis area \"$(area 3 5)\" 15\nfi\n", NONE},
	{"area", IS "all() {\nis area \"$(area 3 5)\" 15\n}\n", NONE},
	{"area", IS "is area \"$(area 3 5)\" \"$expected\"\n", NONE},
	{"area", IS "is area 15 15\n", NONE},
	{"area", IS "is area \"$(area 3 5)\" 15 && exit\n", NONE},
	{"area", IS "is area \"$(area 3 5)\" \"15\n", NONE},
	{"area", "is area \"$(area 3 5)\" 15\n", NONE},
	{"area", "", NONE},
};

static void copies_of_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct counter_plan plan;
		check_row(&plan, &shell_counter, "tests/run.sh", &scripts[i], &arena);
	}
}

static void a_suite_whose_tests_are_not_known_has_copies_of_each_line(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct counter_plan plan;
	bool has_test;
	static const char text[] = IS "is a \"$(a)\" 1\nis b \"$(b)\" 2\n";
	struct counter_test test = {.id = "make check", .is_suite = true, .most = 20};
	counter_plan_init(&plan, "x123456789", "y123456789", &arena);
	assert_null(
		counter_add(&plan, &shell_counter, "tests/run.sh", text, strlen(text), &test, &has_test));
	assert_string_equal(describe_copies(&plan, NULL),
		"expected 8: is a \"$(a)\" another\nexpected 9: is b \"$(b)\" another\n");
	assert_int_equal(plan.n_rounds, 2);
	assert_null(counter_text(&plan, plan.files[0], 0));
	const char *first = counter_text(&plan, plan.files[0], 1);
	assert_non_null(strstr(first, "is a \"$(a)\" another_y123456789\nis b \"$(b)\" 2\n"));
	const char *second = counter_text(&plan, plan.files[0], 2);
	assert_non_null(strstr(second, "is a \"$(a)\" 1\nis b \"$(b)\" another_y123456789\n"));
}

/* --- Go --- */

#define GO(body) "package a\n\nfunc TestA(t *testing.T) {\n\t" body "\n}\n"
#define GO_END(line) "end " line ": t.Error(\"counter-test\")\n"

static const struct counter_row functions[] = {
	{"m::TestA", GO("if f := F(1); f != 15 {\n\t\tt.Errorf(\"%d\", f)\n\t}"),
		"expected 4: if f := F(1); f != (15 ^ 1) {\n" GO_END("7")},
	{"m::TestA/row", GO("if f := F(1); f != \"a\" {\n\t\tt.Fatal(f)\n\t}"),
		"expected 4: if f := F(1); f != \"a another\" {\n" GO_END("7")},
	{"m::TestA", GO("if F(1) != 2.5 {\n\t\tt.Fail()\n\t}"),
		"expected 4: if F(1) != (2.5 + 1.0) {\n" GO_END("7")},
	{"m::TestA", GO("if err != nil {\n\t\tt.Fatal(err)\n\t}"),
		"expected 4: if !(err != nil) {\n" GO_END("7")},
	{"m::TestA", GO("if err != nil {\n\t\treturn\n\t}\n\tif F(1) != 2 {\n\t\tt.Fail()\n\t}"), ""},
	{"m::TestA", GO("if err != nil {\n\t\tt.Log(err)\n\t}"), GO_END("7")},
	{"m::TestA", GO("if F(1) != 2 {\n\t\tt.Fail()\n\t} else {\n\t\tF(2)\n\t}"), GO_END("9")},
	{"m::TestA", GO("for _, x := range xs {\n\t\tif x != 2 {\n\t\t\tt.Fail()\n\t\t}\n\t}"),
		GO_END("9")},
	{"m::TestA", GO("assert.Equal(t, 15, F(1))"),
		"expected 4: assert.Equal(t, (15 ^ 1), F(1))\n" GO_END("5")},
	{"m::TestA", GO("require.Equal(t, want, F(1))\n\trequire.NoError(t, err)"),
		"expected 4: require.NotEqual(t, want, F(1))\n"
		"expected 5: require.Error(t, err)\n" GO_END("6")},
	{"m::TestA", GO("each(func(x int) {\n\t\tif x != 2 {\n\t\t\tt.Fail()\n\t\t}\n\t})"),
		GO_END("9") "first 4: t.Error(\"counter-test\")\n"},
	{"m::TestA", GO("g := func() int { return 1 }\n\tg()"), GO_END("6")},
	{"m::TestA", "package a\n", "it does not stand in its package as a function\n"},
	{"m::TestA", "package a\n\nfunc TestA(t *testing.T)\n",
		"it does not stand in its package as a function\n"},
};

static void copies_of_go(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct counter_plan plan;
		check_row(&plan, &go_counter, "a_test.go", &functions[i], &arena);
	}
}

/* --- Rust --- */

#define RUST(attributes, head, body) attributes "fn a() " head "{\n    " body "\n}\n"
#define TEST "#[test]\n"
#define RUST_END "end 4: panic!(\"counter-test\");\n"
#define NOT_PLAIN "it does not stand in its file as a plain test\n"

static const struct counter_row tests_of_rust[] = {
	{"t.rs::a", RUST(TEST, "", "assert_eq!(f(1), 15);"),
		"expected 3: assert_eq!(f(1), (15 ^ 1));\n" RUST_END},
	{"t.rs::m::a", RUST(TEST, "", "assert_eq!(\"x\", f(1), \"why\")"),
		"expected 3: assert_eq!(\"x another\", f(1), \"why\")\n"
		"end 4: ; panic!(\"counter-test\");\n"},
	{"t.rs::a", RUST(TEST, "", "assert_eq!(f(1), g(1));"),
		"expected 3: assert_ne!(f(1), g(1));\n" RUST_END},
	{"t.rs::a", RUST(TEST, "", "assert!(f(1) > 2, \"why\");"),
		"expected 3: assert!(!(f(1) > 2), \"why\");\n" RUST_END},
	{"t.rs::a", RUST(TEST, "", "if x { assert!(f(1)); }"), RUST_END},
	{"t.rs::a", RUST(TEST, "-> Result<(), E> ", "assert!(f(1));\n    Ok(())"),
		"expected 3: assert!(!(f(1)));\n"},
	{"t.rs::a", RUST("#[tokio::test]\nasync ", "", "assert!(f(1).await);"),
		"expected 3: assert!(!(f(1).await));\n" RUST_END},
	{"t.rs::a", RUST(TEST "#[should_panic]\n", "", "f(1);"), NOT_PLAIN},
	{"t.rs::a", RUST("#[rstest]\n", "", "f(1);"), NOT_PLAIN},
	{"t.rs::a", RUST("", "", "f(1);"), NOT_PLAIN},
	{"t.rs::a", RUST(TEST, "", "f(1);") RUST(TEST, "", "f(2);"), NOT_PLAIN},
};

static void copies_of_rust(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tests_of_rust); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct counter_plan plan;
		check_row(&plan, &cargo_counter, "t.rs", &tests_of_rust[i], &arena);
	}
}

/* --- All --- */

static void a_test_is_looked_for_in_its_file(void **state)
{
	(void)state;
	assert_true(go_counter.may_hold("example.org/m/geo::TestA", "geo/a_test.go"));
	assert_true(go_counter.may_hold("example.org/m::TestA", "a_test.go"));
	assert_false(go_counter.may_hold("example.org/m::TestA", "geo/a_test.go"));
	assert_false(go_counter.may_hold("example.org/m::TestA", "a.go"));
	assert_true(cargo_counter.may_hold("src/lib.rs::tests::a", "src/lib.rs"));
	assert_false(cargo_counter.may_hold("tests/a.rs::a", "src/lib.rs"));
	assert_true(shell_counter.may_hold("area", "tests/run.sh"));
	assert_false(shell_counter.may_hold("area", "build.sh"));
}

static void formats_are_parts_of_a_report_s(void **state)
{
	(void)state;
	assert_true(counter_type_reads(&pytest_counter, "pytest"));
	assert_true(counter_type_reads(&script_counter, "tap+jest"));
	assert_true(counter_type_reads(&shell_counter, "pytest,exit"));
	assert_false(counter_type_reads(&pytest_counter, "tap"));
	assert_false(counter_type_reads(&pytest_counter, NULL));
}

static void where_only_the_end_may_be_changed_there_is_no_other_copy(void **state)
{
	(void)state;
	static const struct {
		const struct counter_type *type;
		const char *path, *id, *text, *copies;
	} cases[] = {
		{&pytest_counter, "t.py", "t.py::test_a", "def test_a():\n    assert f(1)\n",
			"end 2: raise AssertionError(\"counter-test\")\n"},
		{&script_counter, "t.test.js", "a", "test('a', () => { assert(f(1)); });\n",
			"end 1: throw new Error(\"counter-test\");\n"},
		{&go_counter, "a_test.go", "m::TestA", GO("assert.True(t, f)"), GO_END("5")},
		{&cargo_counter, "t.rs", "t.rs::a", RUST(TEST, "", "assert!(f(1));"), RUST_END},
		{&shell_counter, "tests/t.sh", "a", IS "is a \"$(a)\" 1\n", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct counter_plan plan;
		bool has_test;
		struct counter_test test = {.id = cases[i].id, .only_end = true, .most = 20};
		counter_plan_init(&plan, "x123456789", "y123456789", &arena);
		counter_add(&plan, cases[i].type, cases[i].path, cases[i].text, strlen(cases[i].text),
			&test, &has_test);
		assert_string_equal(describe_copies(&plan, NULL), cases[i].copies);
		assert_true(plan.files[0]->is_changed);
	}
}

static void there_are_no_more_copies_than_are_wanted(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct counter_plan plan;
	bool has_test;
	static const char text[] = "def test_a():\n    assert f(1)\n    assert f(2)\n";
	struct counter_test test = {.id = "t.py::test_a", .most = 1};
	counter_plan_init(&plan, "x123456789", "y123456789", &arena);
	for (size_t n = 1; n < 3; n++) {
		counter_add(&plan, &pytest_counter, "t.py", text, strlen(text), &test, &has_test);
		assert_int_equal(plan.n, 2 * n); /* with the one that is the same */
	}
	assert_int_equal(plan.files[0]->n_splices, 4);
}

UNIT(counter_others)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_of_lines),
		cmocka_unit_test(a_suite_whose_tests_are_not_known_has_copies_of_each_line),
		cmocka_unit_test(copies_of_go),
		cmocka_unit_test(copies_of_rust),
		cmocka_unit_test(a_test_is_looked_for_in_its_file),
		cmocka_unit_test(formats_are_parts_of_a_report_s),
		cmocka_unit_test(there_are_no_more_copies_than_are_wanted),
		cmocka_unit_test(where_only_the_end_may_be_changed_there_is_no_other_copy),
	};
	return RUN_TESTS(tests);
}
