/* What the runs of the baseline said, kept for a run that goes on: it is not asked again. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

static const char *path_of(const struct run *run)
{
	return arena_printf(run->arena, "%s/blobs/baseline.json", run->paths.dir);
}

int baseline_keep(const struct run *run, struct rondo_error *err)
{
	AUTO_JSON *json = json_object();
	json_add_bool(json, "can_move", run->can_move);
	json_add_bool(json, "judges_whole", run->kit.judges_whole);
	json_add_strings(json, "order_dependent", run->result->order_dependent, run->result->n_order_dependent);
	struct json *reports = json_add_array(json, "reports");
	for (size_t i = 0; i < run->n_reports; i++)
		json_add(reports, NULL, test_report_to_json(&run->reports[i]));
	AUTO_FREE char *text = json_print(json);
	if (file_make_dir(arena_printf(run->arena, "%s/blobs", run->paths.dir), 0700, err) < 0)
		return -1;
	return file_write(path_of(run), text, strlen(text), 0600, err);
}

static int take_reports(struct run *run, const struct json *json, struct rondo_error *err)
{
	const struct json *item = json_first(json_get(json, "reports"));
	for (; item && run->n_reports < (size_t)run->scenario->test.repeat; item = json_next(item), run->n_reports++)
		if (test_report_from_json(item, &run->baseline_arenas[run->n_reports], &run->reports[run->n_reports], err) < 0)
			return -1;
	if (run->n_reports < (size_t)run->scenario->test.repeat)
		return error_set(err, RONDO_ERROR_USAGE, "holds %zu reports of %d", run->n_reports, (int)run->scenario->test.repeat);
	run->can_move = json_bool(json, "can_move", false);
	run->kit.judges_whole = json_bool(json, "judges_whole", false);
	item = json_first(json_get(json, "order_dependent"));
	const char **alone = NULL;
	for (; item; item = json_next(item))
		ARENA_PUSH(run->arena, alone, run->result->n_order_dependent,
			arena_strdup(run->arena, json_text(item, "")));
	run->result->order_dependent = alone;
	return 0;
}

int baseline_take(struct run *run, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	if (file_read(path_of(run), STRBUF_RECORD, &text, err) < 0)
		return -1;
	AUTO_JSON *json = json_parse(text.text, text.length, err);
	if (!json || take_reports(run, json, err) < 0)
		return error_prefix(err, "%s", path_of(run));
	return 0;
}
