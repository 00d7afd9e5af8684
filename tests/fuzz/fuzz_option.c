/* reads: values of options */
/* Values of options, every kind: what is accepted is printed as it is read. The first byte: the
 * kind. */
#include "base/option.h"
#include "tests/fuzz/fuzz.h"

union state {
	bool truth;
	int64_t whole;
	double number;
	const char *text;
	struct option_strings texts;
	struct option_settings settings;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const values[] = {"snapshot", "head", "refuse", NULL};
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF first = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF second = STRBUF_INIT(STRBUF_TEXT);
	AUTO_FREE char *text = size ? fuzz_text(data + 1, size - 1) : memory_strdup("");
	struct option option = {.name = "it",
		.kind = size ? data[0] % OPTION_KINDS : 0,
		.values = values,
		.key = size % 2 ? "a.key" : "a.flag=false"};
	union state state = {.texts = {NULL, 0}}, again = state;
	struct rondo_error err = {0};
	if (option_set(&option, &state, &arena, text, &err) < 0) {
		assert(err.code == RONDO_ERROR_USAGE);
		assert_text(err.message);
		return 0;
	}
	if (option.kind == OPTION_SETTING)
		return 0;
	option_print(&option, &state, &first);
	assert(option_set(&option, &again, &arena, first.text, &err) == 0);
	option_print(&option, &again, &second);
	assert(strcmp(first.text, second.text) == 0);
	return 0;
}
