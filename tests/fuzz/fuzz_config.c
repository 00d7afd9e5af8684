/* reads: rondo.yaml of hostile repositories */
/* What a repository says of itself: it is refused with a place, or all but what doc/rondo-yaml.md
 * allows is as it was, what may only be raised is not lower, and no path leaves the repository. */
#include "base/json/json.h"
#include "run/scenario/config.h"
#include "tests/fuzz/fuzz.h"

static struct json *read_config(const char *path, struct arena *arena, struct problems *problems)
{
	struct scenario scenario;
	scenario_init(&scenario, arena);
	config_read(&scenario, path, NULL, problems);
	return problems->n ? NULL : scenario_to_json(&scenario);
}

static void must_be_same(const struct json *section, const struct json *before)
{
	AUTO_FREE char *text = json_print(section);
	AUTO_FREE char *old = before ? json_print(before) : NULL;
	if (!old || strcmp(text, old) != 0)
		fprintf(stderr, "%s: %s\n%s\n", json_key(section), text, old ? old : "nothing");
	assert(old && strcmp(text, old) == 0);
}

static bool is_allowed(const char *key)
{
	static const char *const keys[] = {"test", "verify", "protect", "workspace", "setup"};
	return text_in(keys, ARRAY_SIZE(keys), key);
}

static void check_places(const struct json *list)
{
	for (const struct json *item = json_first(list); item; item = json_next(item)) {
		const char *path = json_text(item, "");
		assert(*path && *path != '/' && strcmp(path, "..") != 0 && !text_starts_with(path, "../") &&
			!strstr(path, "/../") && !text_ends_with(path, "/.."));
	}
}

static void check(const struct json *now, const struct json *before)
{
	const struct json *verify = json_get(now, "verify"), *test = json_get(now, "test");
	for (const struct json *section = json_first(now); section; section = json_next(section))
		if (!is_allowed(json_key(section)))
			must_be_same(section, json_get(before, json_key(section)));
	assert(json_int(verify, "repeat", 1) >= json_int(json_get(before, "verify"), "repeat", 1));
	assert(json_int(test, "repeat", 2) >= json_int(json_get(before, "test"), "repeat", 2));
	assert(json_bool(verify, "sentinels", true) && json_bool(verify, "counter_tests", true));
	assert(!json_get(verify, "hidden") && !json_get(verify, "hidden_copy"));
	check_places(json_get(json_get(now, "workspace"), "mount"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct problems problems = {.arena = &arena}, none = {.arena = &arena};
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	assert(file_make_dir(fuzz_path("repo/.git"), 0700, &err) == 0);
	setenv("HOME", fuzz_dir(), 1);
	unsetenv("XDG_CONFIG_HOME");
	fuzz_write("repo/rondo.yaml", data, size);
	AUTO_JSON *before = read_config(NULL, &arena, &none);
	AUTO_JSON *now = read_config(fuzz_path("repo"), &arena, &problems);
	assert(before && !problems.n == !!now);
	for (size_t i = 0; i < problems.n; i++)
		assert_text(problems.items[i].text);
	problems_print(&problems, &said);
	assert_text(said.text);
	if (now)
		check(now, before);
	return 0;
}
