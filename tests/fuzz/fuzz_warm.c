/* reads: answers of programs that keep tests loaded */
/* What such a program prints, between lines of the tests themselves, in pieces as the first byte
 * says: only objects of JSON are answers, a line that tests run is within its file, and a failure
 * is text. */
#include "agents/trial/warm_talk.h"
#include "tests/fuzz/said.h"

static void check_coverage(const struct json *answer, struct arena *arena)
{
	struct coverage coverage, again;
	coverage_from_json(answer, arena, &coverage);
	for (size_t i = 0; i < coverage.n; i++) {
		assert_text(coverage.lines[i].path);
		assert(coverage.lines[i].line > 0);
	}
	AUTO_JSON *json = coverage_to_json(&coverage);
	AUTO_FREE char *text = json_print(json);
	coverage_from_json(json, arena, &again);
	AUTO_JSON *same = coverage_to_json(&again);
	AUTO_FREE char *same_text = json_print(same);
	assert(strcmp(text, same_text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	if (!size)
		return 0;
	struct said said = said_of(data + 1, size - 1, data[0]);
	struct warm warm = {.coprocess = said_on(&said),
		.line = STRBUF_INIT(STRBUF_RECORD),
		.base_at = STRBUF_INIT(STRBUF_LINE)};
	for (bool heard = true; heard;) {
		AUTO_JSON *answer = NULL;
		AUTO_STRBUF failure = STRBUF_INIT(STRBUF_TEXT);
		assert(warm_hear(&warm, 10000, &answer, &err) == 0);
		heard = answer;
		assert(!heard || json_is_object(answer));
		assert(warm_end_of(answer) <= TRIAL_TIMEOUT);
		warm_fails_otherwise(&warm, answer);
		warm_add_failure(answer, &failure);
		assert_text(failure.text);
		check_coverage(answer, &arena);
	}
	coprocess_end(warm.coprocess);
	strbuf_release(&warm.line);
	strbuf_release(&warm.base_at);
	said_release(&said);
	return 0;
}
