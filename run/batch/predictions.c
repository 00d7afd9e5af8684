/* Patches in the form that SWE-bench's evaluation reads. */
#include <string.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "run/batch/batch_dir.h"

#define LARGEST_PATCH ((size_t)64 << 20)

static void prediction_add(const struct batch_dir *batch, const char *name, struct strbuf *text)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct rondo_error ignored;
	AUTO_STRBUF patch = STRBUF_INIT(LARGEST_PATCH);
	const char *dir = task_dir(batch, name, &scratch);
	AUTO_JSON *result = task_result_read(dir);
	struct batch_result found = task_result_of(result);
	if (!result || found.exit_code || !found.run)
		return;
	const char *path = arena_printf(&scratch, "%s/runs/%s/patch.diff", dir, found.run);
	if (file_read(path, LARGEST_PATCH, &patch, &ignored) < 0)
		return;
	AUTO_JSON *json = json_object();
	json_add_string(json, "instance_id", name);
	json_add_string(json, "model_name_or_path",
		arena_printf(&scratch, "rondo: %s", found.coder ? found.coder : "a team"));
	json_add_string(json, "model_patch", patch.text);
	AUTO_FREE char *line = json_print(json);
	strbuf_addf(text, "%s\n", line);
}

int predictions_write(const struct batch_dir *batch, const char *path, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT((size_t)1 << 30);
	for (size_t i = 0; i < batch->n; i++)
		prediction_add(batch, batch->entries[i].name, &text);
	return file_write(path, text.text, text.length, 0644, err);
}
