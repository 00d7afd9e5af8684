/* Scenario files as they come: read to the end, with text for every fault. What is accepted means
 * the same once it was written and read again. */
#pragma once
#include "base/json/json.h"
#include "run/scenario/scenario.h"
#include "tests/fuzz/fuzz.h"

/* Read by its path, as JSON; NULL, where something is wrong. */
static inline char *scenario_as_json(
	const void *bytes, size_t n, const struct scenario_settings *settings)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	struct problems problems = {.arena = &arena};
	struct scenario scenario;
	fuzz_write("a.yaml", bytes, n);
	scenario_init(&scenario, &arena);
	scenario_read(&scenario, fuzz_path("a.yaml"), settings, &problems);
	for (size_t i = 0; i < problems.n; i++) {
		assert(*problems.items[i].text && *problems.items[i].place.origin);
		assert_text(problems.items[i].text);
	}
	problems_print(&problems, &said);
	assert_text(said.text);
	AUTO_JSON *json = problems.n ? NULL : scenario_to_json(&scenario);
	return json ? json_print(json) : NULL;
}

static inline void scenario_survives(const uint8_t *data, size_t size)
{
	static const struct scenario_settings as_checked = {.may_lack_values = true}, as_run,
										  as_resumed = {.is_resolved = true};
	AUTO_FREE char *checked = scenario_as_json(data, size, &as_checked);
	AUTO_FREE char *run = scenario_as_json(data, size, &as_run);
	assert(checked || !run);
	AUTO_FREE char *resumed = run ? scenario_as_json(run, strlen(run), &as_resumed) : NULL;
	assert(!run || (resumed && strcmp(run, resumed) == 0));
}
