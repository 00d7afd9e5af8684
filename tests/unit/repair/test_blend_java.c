/* Methods of Java that have several bodies: a compiler says whether they do. */
#include "tests/unit/blend_fixture.h"

static const char program[] =
	"import java.util.*;\n"
	"\n"
	"interface Named {\n"
	"    default String named(String... names) {\n"
	"        return String.join(\"+\", names);\n"
	"    }\n"
	"}\n"
	"\n"
	"public class Main implements Named {\n"
	"    private final List<Integer> kept = new ArrayList<>();\n"
	"\n"
	"    Main(int first) {\n"
	"        this.kept.add(first);\n"
	"    }\n"
	"\n"
	"    @SuppressWarnings({\"unchecked\"})\n"
	"    static <K extends Comparable<K>, V> K largest(Map<K, V> map, final K otherwise) {\n"
	"        K best = otherwise;\n"
	"        for (K key : map.keySet()) {\n"
	"            if (best.compareTo(key) < 0) best = key;\n"
	"        }\n"
	"        return best;\n"
	"    }\n"
	"\n"
	"    synchronized void keep(int[] all, int n) throws java.io.IOException {\n"
	"        for (int i = 0; i < n; i++) {\n"
	"            kept.add(all[i]);\n"
	"        }\n"
	"    }\n"
	"\n"
	"    @Override public String toString() {\n"
	"        return kept + \"\";\n"
	"    }\n"
	"\n"
	"    public static void main(String[] args) throws Exception {\n"
	"        Main main = new Main(1);\n"
	"        main.keep(new int[] {5, 6}, 1);\n"
	"        Map<String, Integer> map = new TreeMap<>(Map.of(\"a\", 1, \"b\", 2));\n"
	"        System.out.println(main + \" \" + largest(map, \"\") + main.named(\"x\", \"y\"));\n"
	"    }\n"
	"}\n";

#define BUILD \
	"javac *.java && printf '#!/bin/sh\\nexec java -cp . Main\\n' >program && chmod +x program"

static void java_needs(void)
{
	if (!is_there("javac"))
		skip();
}

static void long_java_does_as_it_is_told(void **state)
{
	(void)state;
	struct blending blending;
	static const char *const numbers[] = {"0", "1", "2", "3", "4", "5", "6", NULL};
	java_needs();
	begin(&blending, "Main.java", program);
	propose_change(&blending, "compareTo(key) < 0", "compareTo(key) > 0");
	propose_change(&blending, "i < n", "i <= n");
	propose_change(&blending, "\"+\"", "\"-\"");
	propose_change(&blending, "kept + \"\"", "kept + \"!\"");
	assert_string_equal(build_and_choose(&blending, "Main.java", BUILD, numbers),
		"0: [1, 5] bx+y\n0\n"
		"1: 124\n"
		"2: 1\n"
		"3: [1, 5] x+y\n0\n"
		"4: [1, 5, 6] bx+y\n0\n"
		"5: [1, 5] bx-y\n0\n"
		"6: [1, 5]! bx+y\n0\n");
	end(&blending);
}

static void long_java_blames(void **state)
{
	(void)state;
	struct blending blending;
	bool blamed[MOST] = {false};
	java_needs();
	begin(&blending, "Main.java", program);
	propose_change(&blending, "return best;", "");
	propose_change(&blending, "best = key", "best = nobody");
	propose_change(&blending, "K best = otherwise;", "K best;");
	propose_change(&blending, "i < n", "i <= n");
	propose_change(&blending, "i < n", "i < n;");
	for (int round = 0; round < 3; round++) {
		const char *printed =
			build_and_choose(&blending, "Main.java", BUILD, (const char *const[]){NULL});
		blend_blame(&blending.blend, printed, blamed);
		memcpy(blending.without, blamed, sizeof blamed);
	}
	assert_true(blamed[0] && blamed[1] && blamed[2] && !blamed[3] && blamed[4]);
	end(&blending);
}

static void what_java_cannot_choose_stays_out(void **state)
{
	(void)state;
#define ONE "int f() {\n    return 1;\n}\n"
	assert_held("A.java", "class A {\n" ONE "}\n", "1", "2", true);
	assert_held("A.java", "class A {\n@Test(timeout = 3) public static " ONE "}\n", "1", "2", true);
	assert_held("A.java", "class A {\nA() {\n    n = 1;\n}\nint n;\n}\n", "1", "2", false);
	assert_held("A.java", "class A {\nint n = 1;\n" ONE "}\n", "int n = 1", "int n = 2", false);
	assert_held("A.kt", "class A {\n" ONE "}\n", "1", "2", false);
}

static void any_java_is_read(void **state)
{
	(void)state;
	blend_all_cuts("Main.java", program, "i < n", "best = key");
}

UNIT(blend_java)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_java_does_as_it_is_told),
		cmocka_unit_test(long_java_blames),
		cmocka_unit_test(what_java_cannot_choose_stays_out),
		cmocka_unit_test(any_java_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
