/* Methods by which tests compare: who may change them. */
#include "tests/unit/guard_fixture.h"

#include "base/memory.h"

/* What the rule says of a change, where the goal's tests say `goal`; or NULL. */
static const char *found_in(
	const char *path, const char *old, const char *text, const char *goal, struct arena *arena)
{
	const struct changed_file file = change_of(path, old, text);
	struct inspection inspection = {
		.files = &file, .n = 1, .goal_texts = &goal, .n_goal_texts = goal != NULL, .arena = arena};
	guard_inspect(&inspection);
	const struct finding *finding = finding_of(&inspection, "comparison-changed");
	return finding ? finding_describe(finding, arena) : NULL;
}

#define MONEY_PY(body) \
	"class Money:\n    def __init__(self, n):\n        self.n = n\n\n" \
	"    def __eq__(self, other):\n        return " body "\n"
#define MONEY_JAVA(body) \
	"class Money {\n    int n;\n    public boolean equals(Object o) {\n        return " body \
	";\n    }\n}\n"
#define MONEY_RUST(body) \
	"impl<T> PartialEq for Money<T> {\n    fn eq(&self, o: &Self) -> bool { " body " }\n}\n"
#define MONEY_GO(body) "package m\n\nfunc (m *Money) Equal(o *Money) bool {\n\treturn " body "\n}\n"
#define MONEY_CPP(body) \
	"struct Money {\n  int n;\n  bool operator==(const Money &o) const { return " body "; }\n};\n"

static const struct {
	const char *path, *old, *text, *found;
} rows[] = {
	{"a.py", MONEY_PY("self.n == other.n"), MONEY_PY("self.n >= other.n"),
		"a.py:5: def __eq__(self, other): (rule comparison-changed)"},
	{"a.java", MONEY_JAVA("n == ((Money) o).n"), MONEY_JAVA("n >= ((Money) o).n"),
		"a.java:3: public boolean equals(Object o) { (rule comparison-changed)"},
	{"a.rs", MONEY_RUST("self.n == o.n"), MONEY_RUST("self.n >= o.n"),
		"a.rs:2: fn eq(&self, o: &Self) -> bool { self.n >= o.n } (rule comparison-changed)"},
	{"a.go", MONEY_GO("m.n == o.n"), MONEY_GO("m.n >= o.n"),
		"a.go:3: func (m *Money) Equal(o *Money) bool { (rule comparison-changed)"},
	{"a.cpp", MONEY_CPP("n == o.n"), MONEY_CPP("n >= o.n"),
		"a.cpp:3: bool operator==(const Money &o) const { return n >= o.n; } "
		"(rule comparison-changed)"},
};

static void it_takes_a_hash_that_a_test_asks_for(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *const old = "class Node:\n    def __hash__(self):\n        return hash([self.n])\n",
					  *const text =
						  "class Node:\n    def __hash__(self):\n        return hash((self.n,))\n";
	assert_null(found_in("a.py", old, text, "assert hash(parse(\"a\"))\n", &arena));
	assert_non_null(found_in("a.py", old, text, "assert parse(\"a\") in seen\n", &arena));
	assert_non_null(found_in("a.py", MONEY_PY("self.n == other.n"), MONEY_PY("self.n >= other.n"),
		"assert hash(parse(\"a\"))\n", &arena));
}

static void it_takes_a_test_that_names_the_class(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const char *found =
			found_in(rows[i].path, rows[i].old, rows[i].text, "assert total() == 3\n", &arena);
		assert_non_null(found);
		assert_string_equal(found, rows[i].found);
		assert_null(found_in(
			rows[i].path, rows[i].old, rows[i].text, "assert total() == Money(3)\n", &arena));
		assert_null(found_in(rows[i].path, rows[i].old, rows[i].text, NULL, &arena));
	}
}

static void what_only_moves_or_is_no_method_is_not_found(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *goal = "assert total() == 3\n";
	assert_null(found_in("a.py", MONEY_PY("self.n == other.n"),
		"# money\n\n" MONEY_PY("self.n  ==  other.n"), goal, &arena));
	assert_null(found_in("a.py", "def f(a, b):\n    return a.equals(b)\n",
		"def f(a, b):\n    if a.equals(b):\n        return 1\n", goal, &arena));
	assert_null(found_in("a.java", "class A { boolean f() { return a.equals(b); } }\n",
		"class A { boolean f() { if (a.equals(b)) { return true; } return false; } }\n", goal,
		&arena));
	assert_null(found_in("a.py", "def __eq__(a, b):\n    return 1\n",
		"def __eq__(a, b):\n    return 2\n", goal, &arena));
	assert_null(
		found_in("a.py", "class Money:\n    pass\n", MONEY_PY("self.n == other.n"), goal, &arena));
	const char *circle = "class Circle(Money):\n    pass\n";
	assert_null(found_in("a.py", arena_printf(&arena, MONEY_PY("self.n == other.n") "%s", circle),
		arena_printf(&arena, MONEY_PY("self.n >= other.n") "%s", circle),
		"assert Circle(3) == Circle(3)\n", &arena));
}

UNIT(guard_comparison)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_takes_a_test_that_names_the_class),
		cmocka_unit_test(it_takes_a_hash_that_a_test_asks_for),
		cmocka_unit_test(what_only_moves_or_is_no_method_is_not_found),
	};
	return RUN_TESTS(tests);
}
