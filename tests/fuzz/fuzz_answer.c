/* reads: answers of helpers in sandboxes */
/* What the helper says that a line printed and changed: no name leads out, no byte lies beyond the
 * answer, and each head that is read can be written and read again. */
#include "chat/edit.h"
#include "executors/helper_answer.h"
#include "tests/fuzz/fuzz.h"

static void assert_written_again(const uint8_t *data, size_t size)
{
	char head[RECORD_HEAD];
	struct record record, again;
	AUTO_FREE char *text = fuzz_string(data, size);
	if (!record_read(text, &record))
		return;
	size_t n = record_write(head, &record);
	AUTO_FREE char *whole = memory_alloc(n + strlen(record.path) + 1);
	memcpy(whole, head, n);
	memcpy(whole + n, record.path, strlen(record.path) + 1);
	assert(n < RECORD_HEAD && record_read(whole, &again));
	assert(again.kind == record.kind && again.size == record.size &&
		again.modified_ns == record.modified_ns && again.root == record.root &&
		strcmp(again.path, record.path) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct answer answer;
	AUTO_FREE char *begin = memory_alloc(size + !size);
	const char *end = begin + size;
	memcpy(begin, data, size);
	assert_written_again(data, size);
	answer_read(begin, size, &arena, &answer);
	assert(!answer.n_output ||
		(answer.output >= begin && answer.n_output <= (size_t)(end - answer.output)));
	for (size_t i = 0; i < answer.n; i++) {
		const struct answer_item *item = &answer.items[i];
		assert_text(item->path);
		assert_text(item->why);
		assert(item->root < RECORD_ROOTS);
		if (item->kind == RECORD_REFUSED) {
			assert(item->why);
			continue;
		}
		assert(edit_check_path(item->path, &err) == 0);
		assert(item->bytes >= begin && item->n <= (size_t)(end - item->bytes));
		if (item->kind == RECORD_LINK)
			assert(*item->bytes != '/' && strlen(item->bytes) == item->n - 1);
	}
	return 0;
}
