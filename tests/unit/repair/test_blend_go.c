/* Several candidates in one text of Go. */
#include "tests/unit/blend_fixture.h"

static const char program[] =
	"// Package main is a program.\n"
	"package main // so\n"
	"\n"
	"import (\n"
	"\t\"errors\"\n"
	"\t\"fmt\"\n"
	"\t\"runtime\"\n"
	")\n"
	"\n"
	"type box[T any] struct{ items []T }\n"
	"\n"
	"func (b *box[T]) get(_ string, i, more int) (item T, err error) {\n"
	"\tdefer func() { err = fmt.Errorf(\"%v!\", err) }()\n"
	"\ti, far := i+more, false\n"
	"\tif i > len(b.items) || far {\n"
	"\t\terr = errors.New(\"range\")\n"
	"\t\treturn\n"
	"\t}\n"
	"\treturn b.items[i], nil // }\n"
	"}\n"
	"\n"
	"func line() int { _, _, n, _ := runtime.Caller(0); return n }\n"
	"\n"
	"func count(words ...string) int {\n"
	"\tn := 0\n"
	"each:\n"
	"\tfor _, w := range words {\n"
	"\t\tfor _, c := range w {\n"
	"\t\t\tif c == 'x' {\n"
	"\t\t\t\tcontinue each\n"
	"\t\t\t}\n"
	"\t\t}\n"
	"\t\tn++\n"
	"\t}\n"
	"\treturn n\n"
	"}\n"
	"\n"
	"var said = func(text string) { fmt.Println(text) }\n"
	"\n"
	"func main() {\n"
	"\tb := box[int]{[]int{3, 4}}\n"
	"\titem, err := b.get(\"\", 0, 1)\n"
	"\tsaid(fmt.Sprint(item, err, count(\"a\", \"x\", \"b\"), line()))\n"
	"}\n";

#define BUILD "printf 'module a\\n\\ngo 1.21\\n' >go.mod && go build -gcflags=-e -o program ."

static void go_needs(void)
{
	if (!is_there("go"))
		skip();
}

static void long_go_does_as_it_is_told(void **state)
{
	(void)state;
	struct blending blending;
	static const char *const numbers[] = {"0", "1", "2", "3", "4", "5", "6", "7", NULL};
	go_needs();
	begin(&blending, "main.go", program);
	propose_change(&blending, "item T, err", "item T, problem");
	propose_change(&blending, "i+more", "i");
	propose_change(&blending, "continue each", "break each");
	propose_change(&blending, "return b.items[i], nil", "err = errors.New(\"no\"); return");
	propose_change(&blending, "fmt.Println(text)", "fmt.Println(text + \"!\")");
	assert_string_equal(build_and_choose(&blending, "main.go", BUILD, numbers),
		"0: 4 <nil>! 2 22\n0\n"
		"1: 124\n"
		"2: 2\n"
		"3: 4 <nil>! 2 22\n0\n"
		"4: 3 <nil>! 2 22\n0\n"
		"5: 4 <nil>! 1 22\n0\n"
		"6: 0 no! 2 22\n0\n"
		"7: 4 <nil>! 2 22!\n0\n");
	end(&blending);
}

/* Between Go and C stands a program that writes both anew. */
static void long_go_does_so_beside_c(void **state)
{
	(void)state;
	struct blending blending;
	static const char *const numbers[] = {"0", "3", NULL};
	go_needs();
	begin(&blending, "main.go",
		"package main\n\n// static int twice(int n) { return n * 2; }\nimport \"C\"\n\n"
		"import \"fmt\"\n\nfunc six() C.int {\n\treturn C.twice(2)\n}\n\n"
		"func main() { fmt.Println(six()) }\n");
	propose_change(&blending, "twice(2)", "twice(3)");
	assert_string_equal(
		build_and_choose(&blending, "main.go", BUILD, numbers), "0: 4\n0\n3: 6\n0\n");
	end(&blending);
}

/* A variable that nothing uses is an error, as in a function that has one body. */
static void long_go_blames(void **state)
{
	(void)state;
	struct blending blending;
	bool blamed[MOST] = {false};
	go_needs();
	begin(&blending, "main.go", program);
	propose_change(&blending, "b.items[i], nil", "b.items[i]");
	propose_change(&blending, "n++", "m := n");
	propose_change(&blending, "\treturn n\n", "");
	propose_change(&blending, "n++", "n += 2");
	propose_change(&blending, "each:", "");
	const char *printed =
		build_and_choose(&blending, "main.go", BUILD, (const char *const[]){NULL});
	assert_int_equal(blend_blame(&blending.blend, printed, blamed), 4);
	assert_true(blamed[0] && blamed[1] && blamed[2] && blamed[4]);
	end(&blending);
}

static void what_go_cannot_choose_stays_out(void **state)
{
	(void)state;
#define IN(text) "package a\n\nfunc f(a int) int {\n" text "\treturn 1\n}\n"
	assert_held("a.go", IN(""), "return 1", "return 2", true);
	assert_held("a.go", IN("\tdefer func() { recover() }()\n"), "return 1", "return 2", true);
	assert_held("a.go", IN("\trecover()\n"), "return 1", "return 2", false);
	assert_held("a.go", IN(""), "a int", "a int8", false);
	assert_held("a.go", IN(""), "return 1", "return 2 }", false);
	assert_held("a.go", IN("") "var x = 3\n", "3", "4", false);
	assert_held("a.go", "func f() int {\n\treturn 1\n}\n", "1", "2", false);
	assert_held("a.go", "package a\nfunc f(T) int {\n\treturn 1\n}\n", "1", "2", true);
	assert_held("a.go", "package a\nfunc f(a interface{}) map[int]interface{} {\n\treturn nil\n}\n",
		"nil", "a", true);
	assert_held("a.go", "package a\nfunc (T[K]) f() int {\n\treturn 1\n}\n", "1", "2", true);
}

static void any_go_is_read(void **state)
{
	(void)state;
	blend_all_cuts("main.go", program, "i+more", "n++");
}

UNIT(blend_go)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_go_does_as_it_is_told),
		cmocka_unit_test(long_go_does_so_beside_c),
		cmocka_unit_test(long_go_blames),
		cmocka_unit_test(what_go_cannot_choose_stays_out),
		cmocka_unit_test(any_go_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
