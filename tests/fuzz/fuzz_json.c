/* reads: JSON, and what rondo makes of it */
/* JSON from journals, models and other agents: what is accepted is written and read back the
 * same. */
#include "base/json/json.h"
#include "chat/edit.h"
#include "chat/message.h"
#include "chat/test_report.h"
#include "tests/fuzz/fuzz.h"

/* Takes the tree over. */
static void must_survive(struct json *json)
{
	struct rondo_error err;
	AUTO_JSON *own = json;
	AUTO_FREE char *text = json_print(own);
	assert_text(text);
	AUTO_JSON *again = json_parse(text, strlen(text), &err);
	assert(again);
	AUTO_FREE char *same = json_print(again);
	assert(strcmp(text, same) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct rondo_message message;
	struct edit edit;
	struct test_report report;
	AUTO_JSON *json = json_parse((const char *)data, size, &err);
	if (!json)
		return 0;
	if (message_from_json(json, &arena, &message, &err) == 0)
		must_survive(message_to_json(&message));
	if (edit_from_json(json, &arena, &edit, &err) == 0)
		must_survive(edit_to_json(&edit));
	if (test_report_from_json(json, &arena, &report, &err) == 0)
		must_survive(test_report_to_json(&report));
	must_survive(STEAL(&json));
	return 0;
}
