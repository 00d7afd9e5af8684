/* reads: any bytes that are to be text */
/* The border itself: bytes become text, and text that is shown steers no terminal. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF again = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF shown = STRBUF_INIT(STRBUF_TEXT);
	AUTO_FREE char *raw = fuzz_string(data, size);
	utf8_scrub(&text, (const char *)data, size);
	assert(strlen(text.text) == text.length);
	assert_text(text.text);
	utf8_scrub(&again, text.text, text.length);
	assert(strcmp(text.text, again.text) == 0);
	assert(utf8_unfinished(raw, strlen(raw)) <= 3 &&
		utf8_columns(raw, strlen(raw)) <= 2 * strlen(raw));
	utf8_show(&shown, raw);
	assert_text(shown.text);
	for (size_t i = 0; i < shown.length; i++)
		assert((unsigned char)shown.text[i] >= 0x20 || strchr("\n\t", shown.text[i]));
	assert(!strchr(shown.text, 0x7f) && !strstr(shown.text, "\xc2\x9b") &&
		!strstr(shown.text, "\xe2\x80\xae"));
	return 0;
}
