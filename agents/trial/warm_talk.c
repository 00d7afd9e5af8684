#include "agents/trial/warm_talk.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

/* --- What is said: the program knows only the suite's directory --- */

/* An id that changes from run to run stands for all tests of its function. */
static void warm_add_ids(
	struct json *json, const char *key, const struct suite *suite, const char *const *ids, size_t n)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct map seen = {0};
	struct json *array = json_add_array(json, key);
	for (size_t i = 0; i < n; i++) {
		const char *selector = changing_selector(suite->changing, ids[i], &arena);
		const char *name = suite_runner_id(suite, selector ? selector : ids[i]);
		if (suite->changing && map_get(&seen, name))
			continue;
		json_add_string(array, NULL, name);
		map_put(&seen, &arena, name, array);
	}
}

char *warm_first_words(const struct agent_services *services, const struct warm_plan *plan)
{
	const struct baseline *baseline = services->baseline;
	size_t n_green = baseline->n_green, n_held = baseline->n_held;
	AUTO_JSON *json = json_object();
	json_add_string(json, "kind", plan->kind);
	json_add_strings(json, "arguments", plan->arguments, plan->n_arguments);
	json_add_bool(json, "prepared", plan->is_prepared);
	AUTO_ARENA arena = ARENA_INIT;
	const char **others = arena_alloc(&arena, (n_green + n_held + 1) * sizeof *others);
	for (size_t i = 0; i < n_green + n_held; i++)
		others[i] = i < n_green ? baseline->green[i] : baseline->held[i - n_green];
	warm_add_ids(json, "goal", services->suite, baseline->goal, baseline->n_goal);
	warm_add_ids(json, "others", services->suite, others, n_green + n_held);
	warm_add_ids(json, "also", services->suite, baseline->red, baseline->n_red);
	warm_add_ids(json, "hanging", services->suite, services->suite->hung, services->suite->n_hung);
	return json_print(json);
}

bool warm_enter(
	const char *dir, const struct edit *edit, struct arena *arena, struct edit *ret_edit)
{
	size_t length = dir ? strlen(dir) : 0;
	*ret_edit = *edit;
	if (!length)
		return true;
	ret_edit->files = arena_memdup(arena, edit->files, edit->n * sizeof *edit->files);
	for (size_t i = 0; i < edit->n; i++) {
		const char *path = edit->files[i].path;
		if (!file_is_below(path, dir))
			return false;
		ret_edit->files[i].path = path + length + 1;
	}
	return true;
}

static int64_t warm_test_ms(const struct warm *warm)
{
	return warm->goal_ms > warm->other_ms ? warm->goal_ms : warm->other_ms;
}

static char *warm_question(const struct warm *warm, const struct edit *edit, int patience)
{
	AUTO_JSON *json = edit_to_json(edit);
	json_add_int(json, "id", warm->asked);
	json_add_int(json, "cpu_ms", warm->goal_ms * patience);
	json_add_int(json, "wall_ms", warm_test_ms(warm) * patience * TRIAL_WALL);
	json_add_int(json, "other_cpu_ms", warm->other_ms * patience);
	json_add_int(json, "others_ms", warm->others_ms * patience);
	return json_print(json);
}

/* --- What is heard: tests may print anything, so all but answers is skipped --- */

static bool warm_parse(void *owner, const struct strbuf *line)
{
	struct json **ret_json = owner;
	struct rondo_error ignored;
	*ret_json = *line->text == '{' ? json_parse(line->text, line->length, &ignored) : NULL;
	return *ret_json;
}

int warm_hear(
	struct warm *warm, int64_t timeout_ms, struct json **ret_json, struct rondo_error *err)
{
	enum coprocess_heard heard;
	*ret_json = NULL;
	return coprocess_hear_answer(
		warm->coprocess, timeout_ms, warm_parse, ret_json, &warm->line, &heard, err);
}

int warm_ask(struct warm *warm, const char *text, int64_t timeout_ms, struct json **ret_json,
	struct rondo_error *err)
{
	bool taken;
	*ret_json = NULL;
	if (coprocess_say(warm->coprocess, text, timeout_ms, &taken, err) < 0)
		return -1;
	return taken ? warm_hear(warm, timeout_ms, ret_json, err) : 0;
}

enum trial_end warm_end_of(const struct json *answer)
{
	static const struct {
		const char *word;
		enum trial_end end;
	} ends[] = {{"failed", TRIAL_FAILED}, {"syntax", TRIAL_FAILED}, {"died", TRIAL_FAILED},
		{"broken", TRIAL_BROKEN}, {"passed", TRIAL_PASSED}, {"timeout", TRIAL_TIMEOUT},
		{"cold", TRIAL_UNKNOWN}};
	const char *word = json_string(answer, "end", "");
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (strcmp(ends[i].word, word) == 0)
			return ends[i].end;
	return TRIAL_UNKNOWN;
}

int warm_ask_for(struct warm *warm, const struct edit *edit, int patience, struct json **ret_answer,
	struct rondo_error *err)
{
	warm->asked++;
	AUTO_FREE char *text = warm_question(warm, edit, patience);
	int64_t limit_ms =
		(warm_test_ms(warm) + warm->others_ms) * patience * TRIAL_WALL + WARM_GRACE_MS;
	if (warm_ask(warm, text, limit_ms, ret_answer, err) < 0)
		return -1;
	if (json_int(*ret_answer, "id", 0) != warm->asked) {
		json_free(*ret_answer);
		*ret_answer = NULL;
	}
	return 0;
}

void warm_add_failure(const struct json *answer, struct strbuf *sb)
{
	if (json_get(answer, "at"))
		strbuf_addf(sb, "%s %s", json_string(answer, "at", ""), json_string(answer, "how", ""));
}

bool warm_fails_otherwise(const struct warm *warm, const struct json *answer)
{
	AUTO_STRBUF failure = STRBUF_INIT(STRBUF_TEXT);
	warm_add_failure(answer, &failure);
	return failure.length && strcmp(failure.text, warm->base_at.text) != 0;
}
