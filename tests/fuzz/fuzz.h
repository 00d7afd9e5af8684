/* What the fuzzers share: libFuzzer's door, assertions in every build, and input as text. */
#pragma once
#undef NDEBUG
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What every floor may assume of a string that came over the border. NULL is no string. */
static inline void assert_text(const char *text)
{
	assert(!text || utf8_valid_length(text, strlen(text)) == strlen(text));
}

/* The bytes up to the first NUL, in a block of just that size so that reading on is noticed. */
static inline char *fuzz_string(const uint8_t *data, size_t size)
{
	size_t n = size ? strnlen((const char *)data, size) : 0;
	char *text = memory_alloc(n + 1);
	if (n)
		memcpy(text, data, n);
	text[n] = '\0';
	return text;
}

/* The same as valid UTF-8, which is what inner parsers are given. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	struct strbuf sb = STRBUF_INIT(4 * size + 1);
	utf8_scrub(&sb, (const char *)data, size);
	char *text = memory_strdup(sb.text);
	strbuf_release(&sb);
	return text;
}
