/* Scenario files as they come: read to the end, with text for every fault. What is accepted means
 * the same once it was written and read again. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "run/scenario/scenario.h"
#include "tests/fuzz/fuzz.h"

/* Where inputs lie, in memory where there is such a place. */
static const char *scratch(void)
{
	static char path[64];
	if (!*path)
		snprintf(path, sizeof path, "%s/rondo-fuzz-%d.yaml",
			file_is_dir("/dev/shm") ? "/dev/shm" : "/tmp", (int)getpid());
	return path;
}

/* Read by its path, as JSON; NULL, where something is wrong. */
static char *read_scenario(const void *bytes, size_t n, const struct scenario_settings *settings)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	struct problems problems = {.arena = &arena};
	struct scenario scenario;
	int fd = open(scratch(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert(fd >= 0 && file_write_all(fd, bytes, n) == 0 && close(fd) == 0);
	scenario_init(&scenario, &arena);
	scenario_read(&scenario, scratch(), settings, &problems);
	unlink(scratch());
	for (size_t i = 0; i < problems.n; i++) {
		assert(*problems.items[i].text && *problems.items[i].place.origin);
		assert_text(problems.items[i].text);
	}
	problems_print(&problems, &said);
	assert_text(said.text);
	AUTO_JSON *json = problems.n ? NULL : scenario_to_json(&scenario);
	return json ? json_print(json) : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct scenario_settings as_checked = {.may_lack_values = true}, as_run,
										  as_resumed = {.is_resolved = true};
	AUTO_FREE char *checked = read_scenario(data, size, &as_checked);
	AUTO_FREE char *run = read_scenario(data, size, &as_run);
	assert(checked || !run);
	AUTO_FREE char *resumed = run ? read_scenario(run, strlen(run), &as_resumed) : NULL;
	assert(!run || (resumed && strcmp(run, resumed) == 0));
	return 0;
}
