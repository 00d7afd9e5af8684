/* The baseline on disk, for a run that continues or takes that of another: the suite is not asked
 * again. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/baseline/baseline.h"

#define LARGEST_KEPT ((size_t)1 << 30) /* bytes; logs, whose tests it names, have a quarter */

const char *baseline_path(const struct run_env *env)
{
	return arena_printf(env->arena, "%s/blobs/baseline.json", env->paths.dir);
}

int baseline_keep(const struct baseline_stage *baseline, const char *path, struct rondo_error *err)
{
	const struct option_strings *alone = &baseline->facts.order_dependent;
	AUTO_JSON *json = json_object();
	json_add_bool(json, "judges_whole", baseline->judges_whole);
	json_add_bool(json, "leaves_builds_out", baseline->leaves_builds_out);
	json_add_strings(json, "order_dependent", alone->items, alone->n);
	json_add_strings(json, "hung", baseline->suite.hung, baseline->suite.n_hung);
	json_add_strings(json, "new", baseline->facts.fresh.items, baseline->facts.fresh.n);
	json_add_int(json, "silence_ms", baseline->suite.silence_ms);
	if (baseline->red_part)
		json_add_string(json, "red_part", baseline->red_part);
	json_add(json, "changing", changing_to_json(baseline->suite.changing));
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_KEPT);
	json_print_open(json, "reports", &text);
	for (size_t i = 0; i < baseline->n_reports; i++) {
		strbuf_adds(&text, i ? "," : "");
		test_report_print(&baseline->reports[i], &text);
	}
	strbuf_adds(&text, "]}");
	return file_write(path, text.text, text.length, 0600, err);
}

static void baseline_take_strings(
	const struct json *json, const char *key, struct option_strings *list, struct arena *arena)
{
	const struct json *item = json_first(json_get(json, key));
	for (; item; item = json_next(item))
		ARENA_PUSH(arena, list->items, list->n, arena_strdup(arena, json_text(item, "")));
}

static int baseline_from_json(struct baseline_stage *baseline, const struct json *json, size_t n,
	struct arena *arena, struct rondo_error *err)
{
	struct baseline_facts *facts = &baseline->facts;
	const struct json *item = json_first(json_get(json, "reports"));
	for (; item && baseline->n_reports < n; item = json_next(item)) {
		size_t i = baseline->n_reports++; /* one that is read in part is closed, too */
		if (test_report_from_json(item, &baseline->arenas[i], &baseline->reports[i], err) < 0)
			return -1;
	}
	if (baseline->n_reports < n)
		return error_set(
			err, RONDO_ERROR_USAGE, "holds %zu reports of %zu", baseline->n_reports, n);
	baseline->suite.changing =
		changing_from_json(json_get(json, "changing"), &baseline->reports[0], arena);
	baseline->judges_whole = json_bool(json, "judges_whole", false);
	baseline->leaves_builds_out = json_bool(json, "leaves_builds_out", false);
	baseline_take_strings(json, "order_dependent", &facts->order_dependent, arena);
	baseline_take_strings(json, "hung", &facts->hung, arena);
	baseline_take_strings(json, "new", &facts->fresh, arena);
	baseline->suite.hung = facts->hung.items;
	baseline->suite.n_hung = facts->hung.n;
	baseline->suite.silence_ms = json_int(json, "silence_ms", 0);
	baseline->red_part = arena_strdup(arena, json_string(json, "red_part", NULL));
	if (baseline->red_part)
		baseline->suite.runs = suite_tests_line(&baseline->suite, arena);
	return 0;
}

int baseline_recall(struct baseline_stage *baseline, const struct run_env *env, const char *path,
	size_t n, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_KEPT);
	if (file_read(path, LARGEST_KEPT, &text, err) < 0)
		return -1;
	AUTO_JSON *json = json_parse(text.text, text.length, err);
	if (!json || baseline_from_json(baseline, json, n, env->arena, err) < 0)
		return error_prefix(err, "%s", path);
	return 0;
}
