/* reads: source text and what it was before */
/* A text, what it was before, and which edits that take that back pass: the first byte says which
 * language, the second one how the candidates fare, the two texts lie on both sides of the middle.
 * Each candidate fits the text, the one that takes all back changes it, and the search ends. */
#include "repair/history/reverts.h"
#include "tests/fuzz/fuzz.h"

static const char *const paths[] = {"a.py", "a.js", "a.c", "a.go", "a.rb", "a.php", "a.txt"};

static void apply(const struct candidate *candidate, const char *text, size_t n)
{
	struct rondo_error err;
	AUTO_STRBUF result = STRBUF_INIT(STRBUF_TEXT);
	assert(candidate->id < 0 && candidate->edit.n == 1);
	assert(edit_apply(&candidate->edit.files[0], text, n, &result, &err) == 0);
	assert_text(candidate->edit.description);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	if (size < 2)
		return 0;
	size_t n = (size - 2) / 2, n_old = size - 2 - n, tried = 0;
	const char *text = arena_strndup(&arena, (const char *)data + 2, n);
	const char *old = arena_strndup(&arena, (const char *)data + 2 + n, n_old);
	struct past_change change = {.commit = "1234567", .subject = old};
	struct past_hunk hunk = {
		.n = text_count_lines(text, n) + (n && text[n - 1] != '\n'), .old = old, .n_old = n_old};
	struct past_text now = {.path = paths[data[0] % ARRAY_SIZE(paths)],
		.text = text,
		.n = n,
		.hunks = &hunk,
		.n_hunks = 1};
	struct past past = {.changes = &change, .n_changes = 1, .texts = &now, .n_texts = 1};
	struct candidates batch;
	struct reverts *reverts = reverts_new(&arena, &past, NULL, 0);
	while (reverts_take(reverts, 4, &batch)) {
		for (size_t i = 0; i < batch.n; i++)
			apply(&batch.items[i], text, n);
		bool passes = data[1] >> (tried++ % 8) & 1;
		reverts_learn(reverts, passes ? batch.items[data[1] % batch.n].id : 0);
		assert(tried < 1000);
	}
	return 0;
}
