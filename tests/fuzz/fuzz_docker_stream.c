/* reads: Docker's frames of output */
/* Frames out of a container: cut anywhere they give the same bytes, and never more than came. The
 * first byte says where. */
#include "base/strbuf.h"
#include "executors/docker/stream.h"
#include "tests/fuzz/fuzz.h"

static void take(void *owner, enum docker_channel channel, const char *bytes, size_t n)
{
	assert(n > 0 && (channel == DOCKER_OUTPUT || channel == DOCKER_ERROR));
	strbuf_add((struct strbuf *)owner + (channel == DOCKER_ERROR), bytes, n);
}

/* In pieces of that size; 0: in one. */
static bool feed(struct strbuf said[2], const uint8_t *data, size_t size, size_t piece)
{
	struct docker_stream stream = {.take = take, .owner = said};
	for (size_t i = 0, n; i < size; i += n) {
		n = piece && piece < size - i ? piece : size - i;
		AUTO_FREE char *bytes = memory_alloc(n);
		memcpy(bytes, data + i, n);
		if (!docker_stream_feed(&stream, bytes, n))
			return false;
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf whole[2] = {STRBUF_INIT(STRBUF_RECORD), STRBUF_INIT(STRBUF_RECORD)};
	struct strbuf cut[2] = {STRBUF_INIT(STRBUF_RECORD), STRBUF_INIT(STRBUF_RECORD)};
	if (!size)
		return 0;
	bool ends_well = feed(whole, data + 1, size - 1, 0);
	assert(feed(cut, data + 1, size - 1, data[0] % 16U + 1) == ends_well);
	assert(whole[0].length + whole[1].length <= size - 1);
	for (int i = 0; i < 2; i++) {
		assert(whole[i].length == cut[i].length &&
			memcmp(whole[i].text, cut[i].text, cut[i].length) == 0);
		strbuf_release(&whole[i]);
		strbuf_release(&cut[i]);
	}
	return 0;
}
