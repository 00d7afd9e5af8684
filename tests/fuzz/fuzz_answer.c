/* What a sandbox elsewhere says that a command printed and changed: no name leads out, no byte lies beyond the answer. */
#include "chat/edit.h"
#include "executors/daytona/answer.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct answer answer;
	const char *begin = (const char *)data, *end = begin + size;
	if (answer_read(begin, size, &arena, &answer, &err) < 0)
		return 0;
	assert(answer.output >= begin && answer.n_output <= (size_t)(end - answer.output));
	for (size_t i = 0; i < answer.n; i++) {
		const struct answer_item *item = &answer.items[i];
		assert_text(item->path);
		if (item->kind == ANSWER_REFUSED) {
			assert(item->why);
			continue;
		}
		assert(edit_check_path(item->path, &err) == 0);
		if (item->kind == ANSWER_FILE)
			assert(item->bytes >= begin && item->n <= (size_t)(end - item->bytes));
		if (item->kind == ANSWER_LINK)
			assert(*item->bytes != '/' && strlen(item->bytes) == item->n);
	}
	return 0;
}
