/* What the user can do about a verdict: the one place that words it, as an option of rondo fix or
 * as a key of the scenario's file. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/verdict/verdict.h"

enum { MORE_TIME_MS = 300000, MORE_TIMES = 10, PATHS_MOST = 5 };

/* A glob that matches this path alone: one without a slash matches such a name in any folder. */
static const char *advice_glob(const struct run_env *env, const struct site *site, const char *path)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	bool has_namesake = false;
	for (size_t i = 0; i < site->paths.n && !strchr(path, '/'); i++)
		has_namesake = has_namesake ||
			(strcmp(file_name(site->paths.items[i]), path) == 0 &&
				strchr(site->paths.items[i], '/'));
	if (has_namesake)
		strbuf_addc(&sb, '/');
	for (; *path; path++)
		strbuf_addf(&sb, "%s%c", strchr("*?[\\", *path) ? "\\" : "", *path);
	return arena_strndup(env->arena, sb.text, sb.length);
}

/* `--allow-edit tests/conftest.py`, `allow_edit: ["tests/conftest.py"]`. */
static const char *advice_allow(
	const struct run_env *env, const struct site *site, const char *const *paths, size_t n)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	const char **globs = NULL;
	size_t n_globs = 0;
	for (size_t i = 0; i < n; i++)
		ARENA_PUSH(env->arena, globs, n_globs, advice_glob(env, site, paths[i]));
	if (env_is_of_file(env)) {
		AUTO_JSON *json = json_object();
		json_add_strings(json, "allow_edit", globs, n);
		AUTO_FREE char *list = json_print(json_get(json, "allow_edit"));
		return arena_printf(env->arena, "allow_edit: %s", list);
	}
	for (size_t i = 0; i < n; i++) {
		strbuf_adds(&sb, i ? " --allow-edit " : "--allow-edit ");
		strbuf_add_word(&sb, globs[i]);
	}
	return arena_strndup(env->arena, sb.text, sb.length);
}

/* The coder without a model gave up. */
static const char *advice_search(
	const struct run_env *env, const struct agent_services *services, const char *end)
{
	if (strcmp(end, "time") == 0) {
		int64_t ms = 2 * services->repair_timeout_ms;
		const char *minutes = arena_printf(
			env->arena, "%" PRId64 "m", (ms > MORE_TIME_MS ? ms : MORE_TIME_MS) / 60000);
		return arena_printf(env->arena, "%s searches longer", env_limit(env, "repair", minutes));
	}
	if (strcmp(end, "candidates") != 0)
		return NULL;
	const char *more =
		arena_printf(env->arena, "%" PRId64, MORE_TIMES * services->repair_candidates);
	return arena_printf(env->arena, "%s tries more", env_limit(env, "candidates", more));
}

/* Nothing could be tried, and the command names what may not change. */
static const char *advice_named(const struct run_env *env, const struct site *site)
{
	const char *paths[PATHS_MOST];
	size_t n = 0;
	for (size_t i = 0; i < site->paths.n && n < PATHS_MOST; i++) {
		const char *rule = protection_rule(&site->protection, site->paths.items[i]);
		if (rule && strcmp(rule, PROTECTED_COMMAND) == 0)
			paths[n++] = site->paths.items[i];
	}
	return n ? arena_printf(env->arena,
				   "what the test command names is protected; where it is the program: %s",
				   advice_allow(env, site, paths, n))
			 : NULL;
}

const char *verdict_advice(const struct run_env *env, const struct site *site,
	const struct verdict *judged, const struct run_search *search,
	const struct agent_services *services)
{
	const struct scenario_output *output = &env->order->scenario->output;
	if (judged->kind == VERDICT_VERIFIED && judged->n_unfixed && output->apply && !output->partial)
		return arena_printf(env->arena, "your files are unchanged; %s applies a fix in part, too",
			env_is_of_file(env) ? "output: {partial: true}" : "--partial");
	if (judged->kind == VERDICT_VERIFIED)
		return NULL;
	if (judged->n_protected)
		return arena_printf(env->arena, "if this is what you want: %s",
			advice_allow(env, site, judged->protected_paths, judged->n_protected));
	if (judged->is_by_counter_test)
		return arena_printf(env->arena, "if that copy proves nothing: %s makes none",
			env_is_of_file(env) ? "verify: {counter_tests: false}"
								: "-s verify.counter_tests=false");
	if (judged->kind != VERDICT_NOT_FIXED || !search->end)
		return NULL;
	return search->n_tried ? advice_search(env, services, search->end) : advice_named(env, site);
}
