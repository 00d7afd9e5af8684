/* reads: frames of Jupyter's kernels */
/* What a kernel says: frames, signed or not, and then a cell that hears them, with a tree for what
 * it shows. Frames are apart by newlines; the first byte says whether they come signed, and how
 * often they are heard. */
#include "base/hash.h"
#include "executors/jupyter/jupyter.h"
#include "tests/fuzz/fuzz.h"

#define KEY "key"
#define OURS "ours"

/* Each in a block of just its size. */
static size_t cut(const uint8_t *data, size_t size, struct jupyter_frame frames[JUPYTER_FRAMES],
	struct arena *arena)
{
	size_t n = 0;
	while (n < JUPYTER_FRAMES) {
		const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
		size_t length = end ? (size_t)(end - data) : size;
		frames[n].bytes = length ? arena_memdup(arena, data, length) : NULL;
		frames[n++].n = length;
		if (!end)
			break;
		data = end + 1;
		size -= length + 1;
	}
	return n;
}

static void sign(struct jupyter_frame *frames, size_t n, char hex[HASH_SIZE])
{
	struct hash_part parts[4];
	if (n < 6)
		return;
	frames[0] = (struct jupyter_frame){"<IDS|MSG>", 9};
	for (size_t i = 0; i < 4; i++)
		parts[i] = (struct hash_part){frames[2 + i].bytes, frames[2 + i].n};
	hash_sign(KEY, parts, 4, hex);
	frames[1] = (struct jupyter_frame){hex, HASH_SIZE - 1};
}

static void hear(const struct jupyter_message *message, int times, struct arena *arena)
{
	static const struct world world;
	struct executor executor = {.tree = fuzz_dir(), .world = &world};
	struct jupyter_files kept = {.executor = &executor, .dir = "."};
	struct code_result result = {0};
	AUTO_STRBUF output = STRBUF_INIT(10000);
	struct jupyter_cell cell = {.id = OURS,
		.output = &output,
		.kept = &kept,
		.arena = arena,
		.result = &result,
		.late = STRBUF_INIT(100)};
	for (int i = 0; i < times; i++)
		jupyter_cell_hear(&cell, message);
	jupyter_cell_end(&cell);
	assert(cell.exit_code >= 0 && cell.exit_code <= 255);
	assert(output.length <= 10000);
	assert(result.n_files <= (size_t)(times * 16));
	for (size_t i = 0; i < result.n_files; i++) {
		assert(text_starts_with(result.files[i], "output-") && !strchr(result.files[i], '/'));
		unlink(fuzz_path(result.files[i]));
	}
	jupyter_cell_release(&cell);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_JUPYTER_MESSAGE message = {0};
	struct jupyter_frame frames[JUPYTER_FRAMES];
	struct rondo_error err;
	char hex[HASH_SIZE];
	if (!size)
		return 0;
	size_t n = cut(data + 1, size - 1, frames, &arena);
	if (data[0] & 1)
		sign(frames, n, hex);
	if (jupyter_read(frames, n, KEY, &message, &err) < 0)
		return 0;
	assert_text(message.type);
	assert_text(message.parent);
	hear(&message, data[0] >> 1 & 3, &arena);
	message.parent = OURS;
	hear(&message, data[0] >> 1 & 3, &arena);
	AUTO_FREE char *code = fuzz_text(data, size);
	assert_text(jupyter_cell_source(code, &arena));
	return 0;
}
