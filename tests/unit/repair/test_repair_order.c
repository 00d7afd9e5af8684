/*
 * Does the right edit come early? Each row in data/repair (tests/lib/rows.py) is a small broken
 * project with what its runner really printed, and the lines that mend it.
 */
#include "tests/unit/unit.h"

#include <dirent.h>

#include "base/file.h"
#include "base/memory.h"
#include "repair/repair.h"

#define CASES "tests/unit/data/repair"
#define PROGRAMS "tests/data/bugfixers"

struct fixture {
	struct arena arena;
	size_t within;
	struct repair_file files[16];
	size_t n;
	struct test_report report;
	const char *mended_path, *mended; /* the text that is looked for */
};

static const char *read_text(struct arena *arena, const char *path)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error err;
	if (file_read(path, STRBUF_TEXT, &sb, &err) < 0)
		fail_msg("%s", err.message);
	return arena_strndup(arena, sb.text, sb.length);
}

static struct repair_file *file_at(struct fixture *fixture, const char *path)
{
	size_t i = 0;
	while (i < fixture->n && strcmp(fixture->files[i].path, path) != 0)
		i++;
	assert_true(i < fixture->n);
	return &fixture->files[i];
}

static bool is_assertion(const char *line)
{
	line += strspn(line, " \t");
	return text_starts_with(line, "assert ") || text_starts_with(line, "console.assert(");
}

/* In a program that is its own test the assertions may not be touched. */
static void freeze(struct fixture *fixture, struct repair_file *file)
{
	size_t *starts = arena_alloc(&fixture->arena, 128 * sizeof *starts), *ends = starts + 64;
	for (const char *line = file->text; *line;) {
		size_t n = strcspn(line, "\n");
		if (is_assertion(line)) {
			assert_true(file->n_frozen < 64);
			starts[file->n_frozen] = (size_t)(line - file->text);
			ends[file->n_frozen++] = (size_t)(line - file->text) + n;
		}
		line += n + (line[n] == '\n');
	}
	file->frozen_starts = starts;
	file->frozen_ends = ends;
}

static void add_file(
	struct fixture *fixture, const char *path, const char *text, bool editable, bool program)
{
	assert_true(fixture->n < ARRAY_SIZE(fixture->files));
	struct repair_file *file = &fixture->files[fixture->n++];
	*file =
		(struct repair_file){.path = path, .text = text, .n = strlen(text), .editable = editable};
	if (program)
		freeze(fixture, file);
}

static void add_results(struct fixture *fixture, char *text)
{
	for (char *save, *line = strtok_r(text, "\n", &save); line;
		 line = strtok_r(NULL, "\n", &save)) {
		char *id = strchr(line, ' ');
		assert_non_null(id);
		*id++ = '\0';
		enum test_status status = strcmp(line, "passed") == 0 ? TEST_PASSED : TEST_FAILED;
		test_report_add(
			&fixture->report, &fixture->arena, &(struct test_result){.id = id, .status = status});
	}
}

/* Lines that begin with '-' are replaced, where they stand one below the other, by those with
 * '+'. */
static void mend(struct fixture *fixture, const char *path, const char *lines)
{
	AUTO_STRBUF old = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF new = STRBUF_INIT(STRBUF_TEXT);
	for (const char *line = lines; *line;) {
		size_t n = strcspn(line, "\n") + 1;
		strbuf_add(*line == '-' ? &old : &new, line + 1, n - 1);
		line += n;
	}
	const char *text = fixture->mended ? fixture->mended : file_at(fixture, path)->text;
	const char *at = strstr(text, old.text);
	while (at && at > text && at[-1] != '\n')
		at = strstr(at + 1, old.text);
	assert_non_null(at);
	fixture->mended_path = path;
	fixture->mended = arena_printf(
		&fixture->arena, "%.*s%s%s", (int)(at - text), text, new.text, at + old.length);
}

static void add_section(struct fixture *fixture, const char *head, char *body)
{
	if (text_starts_with(head, "within "))
		fixture->within = (size_t)atoi(head + strlen("within "));
	else if (text_starts_with(head, "file "))
		add_file(fixture, head + strlen("file "), body, true, false);
	else if (text_starts_with(head, "program "))
		add_file(fixture, head + strlen("program "), body, true, true);
	else if (text_starts_with(head, "test "))
		add_file(fixture, head + strlen("test "), body, false, false);
	else if (strcmp(head, "results") == 0)
		add_results(fixture, body);
	else if (strcmp(head, "output") == 0)
		fixture->report.output = body;
	else if (text_starts_with(head, "fix "))
		mend(fixture, head + strlen("fix "), body);
	else
		fail_msg("unknown section '%s'", head);
}

static void load(struct fixture *fixture, const char *text)
{
	*fixture = (struct fixture){.arena = ARENA_INIT};
	while (text) {
		assert_true(text_starts_with(text, "@@@@ "));
		const char *body = strchr(text, '\n') + 1, *end = strstr(body - 1, "\n@@@@ ");
		const char *head = arena_strndup(&fixture->arena, text + 5, (size_t)(body - 1 - text - 5));
		size_t n = end && end >= body ? (size_t)(end + 1 - body) : end ? 0 : strlen(body);
		add_section(fixture, head, arena_strndup(&fixture->arena, body, n));
		text = end ? end + 1 : NULL;
	}
}

/* The line "=== NAME" of the next row. What go test prints looks nearly like it. */
static const char *find_row(const char *text)
{
	const char *at = strstr(text, "\n=== ");
	while (at && at[5 + strcspn(at + 5, " \n")] == ' ')
		at = strstr(at + 1, "\n=== ");
	return at;
}

/* Each row of a file: such a line and what stands behind it. */
static size_t each_row(const char *text, void (*check)(const char *name, struct fixture *fixture))
{
	size_t n = 0;
	for (const char *end; text; text = end ? end + 1 : NULL, n++) {
		AUTO_ARENA arena = ARENA_INIT;
		assert_true(text_starts_with(text, "=== "));
		const char *body = strchr(text, '\n') + 1;
		const char *name = arena_strndup(&arena, text + 4, (size_t)(body - 1 - text - 4));
		end = find_row(body);
		size_t length = end ? (size_t)(end + 1 - body) : strlen(body);
		struct fixture fixture;
		load(&fixture, arena_strndup(&arena, body, length));
		check(name, &fixture);
		arena_release(&fixture.arena);
	}
	return n;
}

static void each_case(void (*check)(const char *name, struct fixture *fixture))
{
	struct dirent **names;
	int n = scandir(CASES, &names, NULL, alphasort);
	size_t rows = 0;
	for (int i = 0; i < n; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		if (text_ends_with(names[i]->d_name, ".rows"))
			rows += each_row(
				read_text(&arena, arena_printf(&arena, CASES "/%s", names[i]->d_name)), check);
		free(names[i]);
	}
	free(names);
	assert_true(rows > 70);
}

/* The text that a candidate makes; in the fixture's arena. */
static const char *text_after(struct fixture *fixture, const struct candidate *candidate)
{
	const struct repair_file *file = file_at(fixture, candidate->edit.files[0].path);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error err;
	if (edit_apply(&candidate->edit.files[0], file->text, file->n, &sb, &err) < 0)
		fail_msg("%s: %s", candidate->edit.description, err.message);
	return arena_strndup(&fixture->arena, sb.text, sb.length);
}

static bool mends(struct fixture *fixture, const struct candidate *candidate)
{
	return candidate->edit.n == 1 &&
		strcmp(candidate->edit.files[0].path, fixture->mended_path) == 0 &&
		strcmp(text_after(fixture, candidate), fixture->mended) == 0;
}

/* The place of the right candidate among the first `most`; 0: it is not there. */
static size_t rank(struct fixture *fixture, size_t most)
{
	struct repair *repair =
		repair_new(&fixture->arena, fixture->files, fixture->n, &fixture->report);
	struct candidate candidate;
	for (size_t i = 1; i <= most && repair_next(repair, &candidate); i++)
		if (mends(fixture, &candidate))
			return i;
	return 0;
}

enum { RANKS_MOST = 200 };

static size_t late;                       /* cases whose right candidate came too late */
static size_t ranks[RANKS_MOST], n_ranks; /* ascending */

static void note_rank(size_t rank)
{
	size_t i = n_ranks++;
	assert_true(i < RANKS_MOST);
	for (; i > 0 && ranks[i - 1] > rank; i--)
		ranks[i] = ranks[i - 1];
	ranks[i] = rank;
}

/* Printed as well, so that what an edit of the costs does to all cases is seen. */
static void sum_up(void)
{
	print_message("right at %zu in the median of %zu, at %zu in three of four, at %zu at worst\n",
		ranks[n_ranks / 2], n_ranks, ranks[3 * n_ranks / 4], ranks[n_ranks - 1]);
	n_ranks = 0;
}

static void check_rank(const char *name, struct fixture *fixture)
{
	size_t found = rank(fixture, 10 * fixture->within);
	note_rank(found ? found : 10 * fixture->within);
	bool early = found > 0 && found <= fixture->within;
	print_message("%5zu of %3zu  %s%s\n", found, fixture->within, name, early ? "" : ": too late");
	late += !early;
}

static void the_right_candidate_comes_early(void **state)
{
	(void)state;
	late = 0;
	each_case(check_rank);
	sum_up();
	assert_int_equal(late, 0);
}

static void load_program(
	struct fixture *fixture, const char *name, const char *output, const char *fixes)
{
	*fixture = (struct fixture){.arena = ARENA_INIT, .within = 80};
	const char *path = arena_printf(&fixture->arena, PROGRAMS "/%s", name);
	add_file(fixture, name, read_text(&fixture->arena, path), true, true);
	test_report_add(&fixture->report, &fixture->arena,
		&(struct test_result){.id = name, .status = TEST_FAILED});
	fixture->report.output = output;
	/* Blocks of lines, one a place, apart by an empty line. */
	for (const char *at = fixes; at; at = strstr(at, "\n\n") ? strstr(at, "\n\n") + 2 : NULL) {
		const char *end = strstr(at, "\n\n");
		size_t n = end ? (size_t)(end + 1 - at) : strlen(at);
		mend(fixture, name, arena_strndup(&fixture->arena, at, n));
	}
}

static const struct {
	const char *name, *output, *fixes;
} programs[] = {
	{"postfix.py",
		"Traceback (most recent call last):\n  File \"postfix.py\", line 30, in <module>\n"
		"    assert evaluate(\"10 4 -\") == 6\n"
		"           ^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
		"AssertionError\n",
		"-                stack.append(second - first)\n"
		"+                stack.append(first - second)\n\n"
		"-                stack.append(second / first)\n"
		"+                stack.append(first / second)\n"},
	{"postfix.js",
		"10 4 - = -6\nAssertion failed: 10 - 4 should be 6\nAssertion failed: 20 / 5 should be 4\n"
		"Assertion failed: the long one should be 14\n",
		"-        stack.push(right - left);\n+        stack.push(left - right);\n\n"
		"-        stack.push(right / left);\n+        stack.push(left / right);\n"},
	{"postfix.ts",
		"10 4 - = -6\nAssertion failed: 10 - 4 should be 6\nAssertion failed: 20 / 5 should be 4\n"
		"Assertion failed: the long one should be 14\n",
		"-  '-': (left, right) => right - left,\n+  '-': (left, right) => left - right,\n\n"
		"-  '/': (left, right) => right / left,\n+  '/': (left, right) => left / right,\n"},
	{"rle.py",
		"Traceback (most recent call last):\n  File \"rle.py\", line 35, in <module>\n"
		"    assert encode(\"aaab\") == \"3a1b\", encode(\"aaab\")\n"
		"           ^^^^^^^^^^^^^^^^^^^^^^^^\nAssertionError: a3b1\n",
		"-            encoded += current + str(count)\n"
		"+            encoded += str(count) + current\n\n"
		"-    encoded += current + str(count)\n+    encoded += str(count) + current\n"},
	{"rle.js",
		"aaab -> a3b1\nAssertion failed: encode aaab: expected 3a1b, got a3b1\n"
		"Assertion failed: encode xyz\nAssertion failed: there and back\n",
		"-      encoded += text[i - 1] + count;\n+      encoded += count + text[i - 1];\n\n"
		"-  encoded += text[text.length - 1] + count;\n"
		"+  encoded += count + text[text.length - 1];\n"},
	{"rle.ts",
		"Assertion failed: encode aaab: expected 3a1b, got a3b1\nAssertion failed: encode xyz\n"
		"Assertion failed: there and back\n",
		"-      parts.push(`${run.char}${run.count}`);\n"
		"+      parts.push(`${run.count}${run.char}`);\n\n"
		"-    parts.push(`${run.char}${run.count}`);\n"
		"+    parts.push(`${run.count}${run.char}`);\n"},
	{"maxsub.py",
		"numbers: [-2, 1, -3, 4, -1, 2, 1, -5, 4]\nlargest sum: -5\n"
		"Traceback (most recent call last):\n  File \"maxsub.py\", line 25, in <module>\n"
		"    assert max_subarray([1, 2, 3]) == 6\n"
		"           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
		"AssertionError\n",
		"-        current = min(number, current + number)\n-        best = min(best, current)\n"
		"+        current = max(number, current + number)\n+        best = max(best, current)\n"},
	{"maxsub.js",
		"largest sum: -5\n"
		"Assertion failed: all of them\n"
		"Assertion failed: the sample should give 6\n"
		"Assertion failed: the least bad of negatives\nAssertion failed: over a dent\n",
		"-    current = Math.min(numbers[i], current + numbers[i]);\n"
		"-    best = Math.min(best, current);\n"
		"+    current = Math.max(numbers[i], current + numbers[i]);\n"
		"+    best = Math.max(best, current);\n"},
	{"maxsub.ts",
		"largest sum: -5\n"
		"Assertion failed: all of them\n"
		"Assertion failed: the sample should give 6\n"
		"Assertion failed: the sum ends at index 6\nAssertion failed: the least bad of negatives\n"
		"Assertion failed: over a dent\n",
		"-    current = extended < numbers[i] ? extended : numbers[i];\n"
		"-    if (current < result.sum) {\n"
		"+    current = extended > numbers[i] ? extended : numbers[i];\n"
		"+    if (current > result.sum) {\n"},
};

static void programs_are_mended_at_both_places(void **state)
{
	(void)state;
	late = 0;
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		struct fixture fixture;
		load_program(&fixture, programs[i].name, programs[i].output, programs[i].fixes);
		check_rank(programs[i].name, &fixture);
		arena_release(&fixture.arena);
	}
	sum_up();
	assert_int_equal(late, 0);
}

static int balance(const char *text, char open, char close)
{
	int depth = 0;
	for (; *text; text++)
		depth += (*text == open) - (*text == close);
	return depth;
}

/* Assertions and comments stand as they stood, and so do imports that nobody complained of. Between
 * statements that are left out comments go, too. */
static void assert_lines_kept(struct fixture *fixture, const struct repair_file *file,
	const char *text, const struct candidate *candidate)
{
	bool may_import =
		strcmp(candidate->kind, "misspelt") == 0 || strcmp(candidate->kind, "syntax") == 0;
	for (size_t i = 0; i < file->n_frozen; i++) {
		size_t n = file->frozen_ends[i] - file->frozen_starts[i];
		const char *kept = arena_strndup(&fixture->arena, file->text + file->frozen_starts[i], n);
		assert_non_null(strstr(text, kept));
	}
	for (const char *line = file->text; *line;) {
		size_t n = strcspn(line, "\n");
		const char *copy = arena_strndup(&fixture->arena, line, n);
		const char *start = copy + strspn(copy, " \t");
		bool imports = text_starts_with(start, "import ") || text_starts_with(start, "from ");
		if ((imports && !may_import) || text_starts_with(start, "#include") ||
			(text_starts_with(start, "//") && strcmp(candidate->kind, "skip") != 0))
			if (!strstr(text, copy))
				fail_msg("'%s' is gone with '%s' (%s)", copy, candidate->edit.description,
					candidate->kind);
		line += n + (line[n] == '\n');
	}
}

static void check_candidate(
	struct fixture *fixture, const struct candidate *candidate, struct map *texts)
{
	const struct file_edit *edit = &candidate->edit.files[0];
	const struct repair_file *file = file_at(fixture, edit->path);
	assert_true(file->editable);
	assert_int_equal(candidate->edit.n, 1);
	assert_true(text_starts_with(candidate->edit.description, edit->path));
	assert_non_null(edit->base_hash);
	const char *text = text_after(fixture, candidate);
	assert_string_not_equal(text, file->text);
	const char *key = arena_printf(&fixture->arena, "%s\n%s", edit->path, text);
	if (map_get(texts, key))
		fail_msg("%s: that text was there before", candidate->edit.description);
	map_put(texts, &fixture->arena, key, fixture);
	/* Text may hold brackets, and what could not be read may lack some. */
	bool code = strcmp(candidate->kind, "text") != 0 && strcmp(candidate->kind, "syntax") != 0;
	for (const char *pair = "()[]{}"; code && *pair; pair += 2)
		if (!balance(file->text, pair[0], pair[1]) && balance(text, pair[0], pair[1]))
			fail_msg("%s: unbalanced", candidate->edit.description);
	if (strcmp(candidate->kind, "remove") != 0)
		assert_lines_kept(fixture, file, text, candidate);
}

static void check_candidates(const char *name, struct fixture *fixture)
{
	print_message("%s\n", name);
	enum { MOST = 5000 };
	struct repair *repair =
		repair_new(&fixture->arena, fixture->files, fixture->n, &fixture->report);
	struct repair *again =
		repair_new(&fixture->arena, fixture->files, fixture->n, &fixture->report);
	struct candidate candidate, same;
	struct map texts = {0};
	size_t n = 0;
	for (; n < MOST && repair_next(repair, &candidate); n++) {
		assert_int_equal(candidate.id, n + 1);
		check_candidate(fixture, &candidate, &texts);
		assert_true(repair_next(again, &same));
		assert_string_equal(same.edit.description, candidate.edit.description);
		assert_string_equal(text_after(fixture, &same), text_after(fixture, &candidate));
	}
	assert_true(n > 10);
	assert_true(n == MOST || !repair_next(again, &same));
}

static void long_candidates_apply_differ_and_come_in_the_same_order_again(void **state)
{
	(void)state;
	each_case(check_candidates);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		struct fixture fixture;
		load_program(&fixture, programs[i].name, programs[i].output, programs[i].fixes);
		check_candidates(programs[i].name, &fixture);
		arena_release(&fixture.arena);
	}
}

UNIT(repair_order)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_right_candidate_comes_early),
		cmocka_unit_test(programs_are_mended_at_both_places),
		cmocka_unit_test(long_candidates_apply_differ_and_come_in_the_same_order_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
