/* Copies of tests in JavaScript and TypeScript, which must not pass. */
#include "tests/unit/counter_fixture.h"

#define BODY(text) "test(\"a\", () => {\n  " text "\n});\n"
#define THROW "throw new Error(\"counter-test\");"
#define EXPECTED(line) "expected 2: " line "\nend 3: " THROW "\n"
#define ONLY_END "end 3: " THROW "\n"

static const struct counter_row rows[] = {
	/* node's assert. */
	{"a", BODY("assert.equal(f(1), 2);"), EXPECTED("assert.equal(f(1), another(2));")},
	{"a", BODY("assert.strictEqual(2, f(1))"), EXPECTED("assert.strictEqual(another(2), f(1))")},
	{"a", BODY("assert.deepEqual(f(x), [1, 2]);"),
		EXPECTED("assert.deepEqual(f(x), another([1, 2]));")},
	{"a", BODY("assert(f(1), \"why\");"), EXPECTED("assert(!(f(1)), \"why\");")},
	{"a", BODY("assert.ok(f(1) > 2);"), EXPECTED("assert.ok(!(f(1) > 2));")},
	{"a", BODY("assert.notEqual(f(1), 2);"), EXPECTED("assert.equal(f(1), 2);")},
	{"a", BODY("assert.throws(() => f(1), E);"), EXPECTED("assert.doesNotThrow(() => f(1), E);")},
	{"a", BODY("await assert.rejects(f(1));"), EXPECTED("await assert.doesNotReject(f(1));")},
	{"a", BODY("assert.rejects(f(1));"), ONLY_END},
	/* expect, should. */
	{"t.test.js > a", BODY("expect(f(1)).toBe(2);"), EXPECTED("expect(f(1)).toBe(another(2));")},
	{"t.test.js > a", BODY("expect(f(1)).not.toBe(2);"), EXPECTED("expect(f(1)).toBe(2);")},
	{"t.test.js > a", BODY("expect(f(1)).toBeNull();"), EXPECTED("expect(f(1)).not.toBeNull();")},
	{"t.test.js > a", BODY("expect(f(1)).toBeGreaterThanOrEqual(2);"),
		EXPECTED("expect(f(1)).toBeGreaterThan(Infinity);")},
	{"t.test.js > a", BODY("expect(() => f(1)).toThrow(E);"),
		EXPECTED("expect(() => f(1)).not.toThrow(E);")},
	{"t.test.js > a", BODY("await expect(f(1)).resolves.toBe(2);"),
		EXPECTED("await expect(f(1)).resolves.toBe(another(2));")},
	{"t.test.js > a", BODY("expect(f(1)).resolves.toBe(2);"), ONLY_END},
	{"t.test.js > a", BODY("expect(f(1)).toMatchSnapshot();"), ONLY_END},
	{"t.test.js > a", BODY("expect(f(1)).to.be.true;"), ONLY_END},
	{"t.test.js > a", BODY("expect(f(1)).to.deep.equal({ a: 2 });"),
		EXPECTED("expect(f(1)).to.deep.equal(another({ a: 2 }));")},
	{"t.test.js > a", BODY("f(1).should.equal(2);"), EXPECTED("f(1).should.equal(another(2));")},
	/* A function that is an expression. */
	{"a", "test('a', () => assert.equal(f(1), 2))\n",
		"expected 1: test('a', () => assert.equal(f(1), another(2)))\n"
		"end 1: test('a', () => fails_after(assert.equal(f(1), 2)))\n"},
	{"a", "it(\"a\", async function () {\n  assert.equal(await f(1), 2);\n});\n",
		"expected 2: assert.equal(await f(1), another(2));\nend 3: " THROW "\n"},
	/* What is not surely come to. */
	{"a", BODY("if (x) assert.equal(f(1), 2);"), ONLY_END},
	{"a", BODY("if (x)\n    assert.equal(f(1), 2);\n  else\n    assert.equal(f(1), 3);"),
		"end 6: " THROW "\n"},
	{"a", BODY("for (const x of xs) { assert.equal(f(x), 2); }"), ONLY_END},
	{"a", BODY("if (x) return;\n  assert.equal(f(1), 2);"), ""},
	{"a", BODY("const g = (x) => { return x; };\n  assert.equal(g(1), 2);"),
		"expected 3: assert.equal(g(1), another(2));\nend 4: " THROW "\n"},
	{"a", BODY("const x = x && assert.equal(f(1), 2);"), ONLY_END},
	/* What is handed over. */
	{"a", BODY("each((x) => assert.equal(x, 2));"),
		ONLY_END
		"first 2: each(fails_first((x) => assert.equal(x, 2)));\n"
		"last 2: each(fails_last((x) => assert.equal(x, 2)));\n"
		"called 2: each(called(\"25\")((x) => assert.equal(x, 2))); not_called(\"25\"); })\n"},
	{"a", BODY("each((x) => { throw x; });"), ONLY_END},
	{"a", BODY("each((x) => seen.push(x));"), ONLY_END},
	{"a", BODY("each((x) => { if (x) assert.equal(x, 2); });"), ONLY_END},
	/* Where it stands. */
	{"t.test.js > b > c > a",
		"describe('b', () => {\n  describe('c', () => {\n    it('a', () => {});\n  });\n"
		"  it('a', () => {});\n});\n",
		"end 3: " THROW "\n"},
	{"b > a", "it('a', () => {});\n", "its title does not stand in its file\n"},
	{"a", "test('a', () => {});\ntest('a', () => {});\n",
		"it is not a plain call with a title and a function\n"},
	{"a", "for (const x of xs) test('a', f);\n",
		"it is not a plain call with a title and a function\n"},
	{"a", "it('a', (done) => { f(done); });\n", "it says by a callback when it ends\n"},
	{"a", "import test from 'ava';\ntest('a', t => {\n  t.is(f(1), 2);\n});\n",
		"expected 3: t.is(f(1), another(2));\nend 4: " THROW "\n"},
	{"a", "test('a', { timeout: 5 }, () => {\n  assert(f(1));\n});\n",
		"expected 2: assert(!(f(1)));\nend 3: " THROW "\n"},
};

/* Node reads what is made of it. */
static void check_by_node(struct counter_plan *plan)
{
	struct rondo_error err;
	char top[TOP_SIZE];
	assert_non_null(make_top(top));
	const char *text = counter_text(plan, plan->files[0], 0);
	bool is_module = strstr(text, "import ");
	const char *path = arena_printf(plan->arena, "%s/t.%s", top, is_module ? "mjs" : "cjs");
	/* "await" is only allowed in such functions, which the rows leave out. */
	AUTO_STRBUF async = STRBUF_INIT(STRBUF_TEXT);
	for (const char *at = text; *at; at++) {
		if (text_starts_with(at, "() => {\n") || text_starts_with(at, "() => {;"))
			strbuf_adds(&async, "async ");
		strbuf_addc(&async, *at);
	}
	assert_int_equal(file_write(path, async.text, async.length, 0600, &err), 0);
	if (system(arena_printf(plan->arena, "node --check %s", path)) != 0)
		fail_msg("%s", async.text);
	assert_int_equal(file_remove_tree(top, &err), 0);
}

static void copies_of_calls(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct counter_plan plan;
		check_row(&plan, &script_counter, "t.test.js", &rows[i], &arena);
	}
}

static void long_copies_can_be_read_by_node(void **state)
{
	(void)state;
	if (system("node --version >/dev/null 2>&1") != 0)
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct counter_plan plan;
		check_row(&plan, &script_counter, "t.test.js", &rows[i], &arena);
		if (plan.n)
			check_by_node(&plan);
	}
}

static void a_test_is_looked_for_in_its_file(void **state)
{
	(void)state;
	assert_true(script_counter.may_hold("test/a.js > b > c", "test/a.js"));
	assert_false(script_counter.may_hold("test/a.js > b > c", "test/b.js"));
	assert_true(script_counter.may_hold("b > c", "test/b.js"));
	assert_true(script_counter.may_hold("b", "src/b.spec.ts"));
	assert_false(script_counter.may_hold("b", "src/b.js"));
	assert_false(script_counter.may_hold("b", "test/b.py"));
}

UNIT(counter_script)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_of_calls),
		cmocka_unit_test(long_copies_can_be_read_by_node),
		cmocka_unit_test(a_test_is_looked_for_in_its_file),
	};
	return RUN_TESTS(tests);
}
