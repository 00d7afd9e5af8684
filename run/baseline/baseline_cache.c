/*
 * Baselines that later runs may take instead of running the suite, where the user asks for that: of
 * the same tree, test command, world and machine. Each is a file whose name says what it is of.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/version.h"
#include "run/baseline/baseline.h"
#include "run/setup/setup.h"

enum { KEPT_MOST = 64 };

/* What decides how the tests end, beside the tree and the world. */
static void cache_add_settings(struct strbuf *key, const struct run_env *env)
{
	static const char *const sections[] = {"test", "executor", "workspace", "setup", "limits"};
	AUTO_JSON *scenario = scenario_to_json(env->order->scenario);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		AUTO_FREE char *text = json_print(json_get(scenario, sections[i]));
		strbuf_addf(key, "%s %s\n", sections[i], text ? text : "");
	}
}

static const char *cache_dir(const struct run_env *env, struct rondo_error *err)
{
	const char *cache = run_cache_dir(env->arena, err);
	return cache ? arena_printf(env->arena, "%s/baselines", cache) : NULL;
}

/* NULL: it cannot be named. */
static const char *cache_path(
	const struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const char *world, *dir = cache_dir(env, err);
	char hash[HASH_SIZE];
	struct utsname machine;
	AUTO_STRBUF key = STRBUF_INIT(STRBUF_RECORD);
	if (!dir || setup_world_key(site, env, &site->world, &world, err) < 0)
		return NULL;
	if (uname(&machine) == 0)
		strbuf_addf(&key, "%s %s %s\n", machine.nodename, machine.release, machine.machine);
	strbuf_addf(
		&key, "%s %s %s %s\n", version_text, site->base.tree.hex, world, suite_shown(&site->suite));
	cache_add_settings(&key, env);
	hash_bytes(key.text, key.length, hash);
	return arena_printf(env->arena, "%s/%.32s.json", dir, hash);
}

int baseline_take_cached(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, size_t n, struct rondo_error *err)
{
	struct stat st;
	struct rondo_error spoiled;
	char date[CLOCK_DATE_SIZE];
	baseline->cache = cache_path(site, env, err);
	if (!baseline->cache)
		return -1;
	if (stat(baseline->cache, &st) < 0)
		return 0;
	baseline->cached_ms = clock_in_ns(&st.st_mtim) / 1000000;
	if (baseline->cached_ms < env->order->cached_since_ms)
		return 0;
	if (baseline_recall(baseline, env, baseline->cache, n, &spoiled) < 0) {
		unlink(baseline->cache);
		baseline_close(baseline);
		baseline->n_reports = 0;
		return 0;
	}
	baseline->is_cached = true;
	clock_format_date(baseline->cached_ms, date);
	baseline->facts.cached = arena_strdup(env->arena, date);
	return 0;
}

/* --- Those that go --- */

struct kept_baseline {
	const char *path;
	int64_t made_ns;
};

static int cache_compare(const void *a, const void *b)
{
	int64_t first = ((const struct kept_baseline *)a)->made_ns,
			second = ((const struct kept_baseline *)b)->made_ns;
	return first < second ? 1 : first > second ? -1 : 0;
}

/* The newest stay. */
static void cache_trim(const char *dir, struct arena *arena)
{
	struct kept_baseline *items = NULL;
	size_t n = 0;
	AUTO_DIR *open = opendir(dir);
	for (const char *name; open && (name = file_next_name(open));) {
		struct kept_baseline item = {.path = arena_printf(arena, "%s/%s", dir, name)};
		struct stat st;
		if (stat(item.path, &st) < 0)
			continue;
		item.made_ns = clock_in_ns(&st.st_mtim);
		ARENA_PUSH(arena, items, n, item);
	}
	if (n)
		qsort(items, n, sizeof *items, cache_compare);
	for (size_t i = KEPT_MOST; i < n; i++)
		unlink(items[i].path);
}

int baseline_cache(
	const struct baseline_stage *baseline, const struct run_env *env, struct rondo_error *err)
{
	const char *dir = cache_dir(env, err);
	if (!dir || file_make_dir(dir, 0700, err) < 0 ||
		baseline_keep(baseline, baseline->cache, err) < 0)
		return -1;
	cache_trim(dir, env->arena);
	return 0;
}
