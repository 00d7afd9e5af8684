/* reads: files of replies that replay takes */
/* Each call of a file that is read is written, and read back the same; else an error names the
 * line. */
#include "models/tape.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct tape_call *calls, *again;
	size_t n, n_again;
	fuzz_write("tape.jsonl", data, size);
	if (tape_read(fuzz_path("tape.jsonl"), &arena, &calls, &n, &err) < 0) {
		assert_error(&err);
		return 0;
	}
	unlink(fuzz_path("again.jsonl"));
	for (size_t i = 0; i < n; i++) {
		assert_text(calls[i].reply.text);
		assert(tape_append(fuzz_path("again.jsonl"), &calls[i], NULL, NULL, &err) == 0);
	}
	if (!n)
		return 0;
	assert(tape_read(fuzz_path("again.jsonl"), &arena, &again, &n_again, &err) == 0);
	assert(n_again == n);
	for (size_t i = 0; i < n; i++)
		assert(strcmp(calls[i].reply.text, again[i].reply.text) == 0 &&
			calls[i].reply.finish == again[i].reply.finish);
	return 0;
}
