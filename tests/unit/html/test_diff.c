/* A diff side by side, and the words in which two lines differ. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "run/report/html/html.h"

/* The marked bytes of both lines, as "^" below them. */
static void marks(const char *old, const char *old_marks, const char *new, const char *new_marks)
{
	size_t n = strlen(old), m = strlen(new);
	AUTO_FREE bool *a = memory_alloc(n + 1), *b = memory_alloc(m + 1);
	words_mark(old, n, a, new, m, b);
	for (size_t i = 0; i < n; i++)
		if (a[i] != (old_marks[i] == '^'))
			fail_msg("%s at %zu", old, i);
	for (size_t i = 0; i < m; i++)
		if (b[i] != (new_marks[i] == '^'))
			fail_msg("%s at %zu", new, i);
}

static void changed_words_are_marked(void **state)
{
	(void)state;
	marks("width + height", "      ^       ", "width * height", "      ^       ");
	marks("return a_b", "       ^^^", "return a_c", "       ^^^");
	marks("f(x)", "    ", "f(x, y)", "   ^^^ ");
	marks("same", "    ", "same", "    ");
	marks("", "", "", "");
}

static void lines_with_little_in_common_have_no_marks(void **state)
{
	(void)state;
	marks("alpha beta", "          ", "gamma delta", "           ");
	marks("", "", "all of it is new", "                ");
}

static void too_many_words_have_no_marks(void **state)
{
	(void)state;
	AUTO_STRBUF old = STRBUF_INIT(STRBUF_LINE), none = STRBUF_INIT(STRBUF_LINE);
	for (int i = 0; i < 400; i++) {
		strbuf_adds(&old, "a+");
		strbuf_adds(&none, "  ");
	}
	marks(old.text, none.text, "a", " ");
}

static size_t times(const char *text, const char *part)
{
	size_t n = 0;
	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

static void shown(const char *patch, size_t rows, size_t deleted, size_t inserted)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF html = STRBUF_INIT(STRBUF_TEXT);
	html_add_diff(&html, patch, strlen(patch), &arena);
	assert_int_equal(times(html.text, "<tr"), rows + 1 * (times(html.text, "<table") > 0));
	assert_int_equal(times(html.text, "</tr>"), times(html.text, "<tr"));
	assert_int_equal(times(html.text, "<td class=\"code del"), deleted);
	assert_int_equal(times(html.text, "<td class=\"code ins"), inserted);
	assert_int_equal(times(html.text, "<details"), times(html.text, "</details>"));
	assert_int_equal(times(html.text, "<table"), times(html.text, "</table>"));
	assert_null(strstr(html.text, "<script"));
}

#define HEAD "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n"

static void each_hunk_is_shown(void **state)
{
	(void)state;
	shown(HEAD "@@ -1,2 +1,2 @@ def f():\n a\n-b\n+c\n", 3, 1, 1);
	shown(HEAD "@@ -1,1 +1,3 @@\n-b\n+c\n+d\n+e\n", 4, 1, 3);
	shown(HEAD "@@ -1,2 +0,0 @@\n--- a/y\n-@@ -1 +1 @@\n", 3, 2, 0);
	shown(HEAD "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", 2, 1, 1);
	shown(HEAD "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n", 4, 2, 2);
	shown("diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n",
		3, 0, 1);
	shown("diff --git a/b.png b/b.png\nBinary files a/b.png and b/b.png differ\n", 1, 0, 0);
}

static void what_is_no_diff_does_no_harm(void **state)
{
	(void)state;
	shown("", 0, 0, 0);
	shown("@@ -1 +1 @@\n-a\n", 0, 0, 0);
	shown(HEAD "@@ -1,9999999999999999999 +1 @@\n-a\n", 2, 1, 0);
	shown(HEAD "@@\n@@ \n@@ -\n", 1, 0, 0);
	shown(HEAD "@@ -1,-5 +2,0 @@\n@@ -1,0 +2,0 @@\n", 2, 0, 0);
	shown("diff --git \n", 0, 0, 0);
	shown("diff --git a/<script> b/<script>\n@@ -1 +1 @@ <script>\n-<script>\n+\xff\n", 2, 1, 1);
}

UNIT(diff)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_words_are_marked),
		cmocka_unit_test(lines_with_little_in_common_have_no_marks),
		cmocka_unit_test(too_many_words_have_no_marks),
		cmocka_unit_test(each_hunk_is_shown),
		cmocka_unit_test(what_is_no_diff_does_no_harm),
	};
	return RUN_TESTS(tests);
}
