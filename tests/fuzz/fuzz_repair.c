/* reads: source text and the output that names it */
/* Source text as it comes, and output that names places in it. The first byte: the language. Every
 * candidate applies, changes the text, stays out of the frozen middle, and brings in no bytes that
 * are no text. One text can hold them all; what compilers may say of it is the text itself. */
#include "repair/repair.h"
#include "tests/fuzz/fuzz.h"

static const char *const paths[] = {"a.py", "a.js", "a.ts", "a.c", "a.cc", "a.java", "a.go", "a.rs",
	"a.sh", "a.rb", "a.lua", "a.php", "a.pl"};

static void check(const struct candidate *candidate, const struct repair_file *file)
{
	struct rondo_error err;
	const struct file_edit *edit = &candidate->edit.files[0];
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	assert(candidate->edit.n == 1 && edit_apply(edit, file->text, file->n, &text, &err) == 0);
	assert(text.length != file->n || memcmp(text.text, file->text, file->n) != 0);
	if (utf8_valid_length(file->text, file->n) == file->n)
		assert_text(text.text);
	assert_text(candidate->edit.description);
	for (size_t i = 0; i < edit->n; i++) {
		assert_text(edit->splices[i].text);
		assert(edit->splices[i].offset + edit->splices[i].length <= file->frozen_starts[0] ||
			edit->splices[i].offset >= file->frozen_ends[0]);
	}
}

static void blend(const struct candidate *candidates, size_t n, const struct repair_file *file,
	struct arena *arena)
{
	struct blend blended;
	bool *wrong = arena_alloc(arena, (n + 1) * sizeof *wrong);
	blend_make(&blended, file, 1, candidates, n, wrong, "CHOICE", arena);
	assert(blended.n <= n && blended.n_held <= blended.n && blended.n_lines >= blended.n_held);
	assert(!blended.n_held == !blended.edit.n && (blend_knows(file->path) || !blended.n_held));
	assert(blend_blame(&blended, file->text, wrong) <= blended.n_held);
}

/* What is to be read lies within the text, and there is no more of it than lines. */
static void look(
	const struct repair_file *file, const struct test_report *report, struct arena *arena)
{
	struct excerpt *excerpts;
	struct heading *headings;
	const char *const places[] = {file->text, arena_printf(arena, "%s:3", file->path)};
	size_t n = repair_excerpts(arena, file, 1, report, places, 2, &excerpts);
	size_t n_lines = text_count_lines(file->text, file->n) + 1;
	for (size_t i = 0; i < n; i++) {
		const struct excerpt *excerpt = &excerpts[i];
		assert(excerpt->first && excerpt->first <= excerpt->line && excerpt->line <= excerpt->last);
		assert(excerpt->last <= n_lines && excerpt->class_first <= excerpt->class_last);
	}
	n = repair_headings(arena, file, &headings);
	for (size_t i = 0; i < n; i++)
		assert(*headings[i].text && !strchr(headings[i].text, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_FREE char *text = size ? fuzz_string(data + 1, size - 1) : memory_strdup("");
	size_t n = strlen(text), start = n / 2, end = start + n / 8;
	struct repair_file file = {.path = paths[size ? data[0] % ARRAY_SIZE(paths) : 0],
		.text = text,
		.n = n,
		.editable = true,
		.frozen_starts = &start,
		.frozen_ends = &end,
		.n_frozen = 1};
	struct test_report report = {.output = text};
	test_report_add(&report, &arena,
		&(struct test_result){
			.id = "t", .status = TEST_FAILED, .message = text, .file = file.path, .line = 2});
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	struct candidate candidates[50];
	size_t n_candidates = 0;
	while (n_candidates < ARRAY_SIZE(candidates) && repair_next(repair, &candidates[n_candidates]))
		check(&candidates[n_candidates++], &file);
	blend(candidates, n_candidates, &file, &arena);
	look(&file, &report, &arena);
	return 0;
}
