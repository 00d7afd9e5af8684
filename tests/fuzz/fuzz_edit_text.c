/* reads: edits in models' replies */
/* Edits in a reply, of files of any text. Up to the first byte 1: the file; behind it: the reply.
 * What is accepted can be applied, changes something, and gives text. */
#include "chat/edit_text.h"
#include "tests/fuzz/fuzz.h"

static const char *text_of(void *owner, const char *path, struct arena *arena, const char **ret_why)
{
	(void)arena;
	if (strcmp(path, "link.py") == 0)
		*ret_why = "'link.py' is a link, not a file";
	return strcmp(path, "cart/pricing.py") == 0 ? owner : NULL;
}

static void check(const struct file_edit *file, const char *base)
{
	struct rondo_error err;
	bool is_there = strcmp(file->path, "cart/pricing.py") == 0;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	assert(edit_check_path(file->path, &err) == 0);
	assert_text(file->path);
	assert(is_there ? file->remove || file->n == 1 : file->content && !file->n);
	if (file->remove)
		return;
	assert(edit_apply(file, is_there ? base : "", is_there ? strlen(base) : 0, &text, &err) == 0);
	assert(!is_there || strcmp(text.text, base) != 0);
	assert_text(text.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	const uint8_t *behind = size ? memchr(data, 1, size) : NULL;
	size_t n = behind ? (size_t)(behind - data) : 0, skip = behind ? n + 1 : 0;
	AUTO_FREE char *base = fuzz_text(data, n);
	AUTO_FREE char *reply = fuzz_text(data + skip, size - skip);
	static const char *const paths[] = {"cart/pricing.py", "link.py"};
	struct edit_files files = {
		.text = text_of, .owner = base, .paths = paths, .n = ARRAY_SIZE(paths)};
	struct edit_reading reading = edit_text_read(reply, &files, &arena);
	assert(!reading.problem || !reading.edit.n);
	assert_text(reading.problem);
	assert_text(reading.edit.description);
	for (size_t i = 0; i < reading.edit.n; i++)
		check(&reading.edit.files[i], base);
	return 0;
}
