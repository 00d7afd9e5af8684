/* reads: answers of models to agents */
/* What a host answers an agent: cut anywhere, it is counted alike, and never less than nothing. The
 * first byte says whose dialect it is and whether it comes in events, the second where it is
 * cut. */
#include "models/relay/relay_parts.h"
#include "tests/fuzz/fuzz.h"

static struct rondo_usage count_all(
	uint8_t kind, const char *bytes, size_t size, unsigned seed, bool *ret_known)
{
	struct relay_count count;
	relay_count_init(&count, (enum relay_dialect)(kind & 3), NULL);
	relay_count_begin(&count, kind & 4 ? "text/event-stream" : "application/json");
	for (size_t i = 0, n; i < size; i += n) {
		n = seed ? 1 + ((seed = seed * 1103515245 + 12345) >> 16 & 7) : size;
		n = n < size - i ? n : size - i;
		AUTO_FREE char *piece = memory_alloc(n);
		memcpy(piece, bytes + i, n);
		relay_count_feed(&count, piece, n);
	}
	struct rondo_usage usage = relay_count_finish(&count, 100, ret_known);
	assert_text(count.complaint.message);
	relay_count_release(&count);
	return usage;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool is_known, is_known_cut;
	if (size < 2)
		return 0;
	const char *bytes = (const char *)data + 2;
	struct rondo_usage whole = count_all(data[0], bytes, size - 2, 0, &is_known);
	struct rondo_usage cut = count_all(data[0], bytes, size - 2, data[1] + 1U, &is_known_cut);
	assert(is_known == is_known_cut && memcmp(&whole, &cut, sizeof whole) == 0);
	assert(whole.prompt_tokens >= 0 && whole.completion_tokens >= 0 && whole.cached_tokens >= 0);
	assert(whole.cached_tokens + whole.cache_written_tokens <= whole.prompt_tokens);
	return 0;
}
