/* reads: baselines and setups that rondo kept */
/* The first byte says whether it is a baseline or what a setup left. A baseline that is recalled is
 * kept, and recalled the same; a setup's files are there, and are shown at absolute paths. */
#include "run/baseline/baseline.h"
#include "run/setup/setup_store.h"
#include "tests/fuzz/fuzz.h"

enum { REPORTS = 2 };

struct recalled {
	struct arena arena, arenas[REPORTS];
	struct test_report reports[REPORTS];
	struct run_env env;
	struct baseline_stage stage;
};

static bool recall(struct recalled *recalled, const char *path)
{
	struct rondo_error err;
	*recalled = (struct recalled){.env = {.arena = &recalled->arena},
		.stage = {.arenas = recalled->arenas,
			.reports = recalled->reports,
			.suite = {.type = &pytest_suite, .command = "pytest"}}};
	if (baseline_recall(&recalled->stage, &recalled->env, path, REPORTS, &err) == 0)
		return true;
	assert_error(&err);
	return false;
}

static void forget(struct recalled *recalled)
{
	baseline_close(&recalled->stage);
	arena_release(&recalled->arena);
}

static void read_baseline(const uint8_t *data, size_t size)
{
	struct rondo_error err;
	struct recalled first, second;
	AUTO_STRBUF kept = STRBUF_INIT(STRBUF_RECORD), again = STRBUF_INIT(STRBUF_RECORD);
	fuzz_write("baseline.json", data, size);
	if (recall(&first, fuzz_path("baseline.json"))) {
		assert(baseline_keep(&first.stage, fuzz_path("kept.json"), &err) == 0);
		assert(recall(&second, fuzz_path("kept.json")));
		assert(baseline_keep(&second.stage, fuzz_path("again.json"), &err) == 0);
		assert(file_read(fuzz_path("kept.json"), STRBUF_RECORD, &kept, &err) == 0);
		assert(file_read(fuzz_path("again.json"), STRBUF_RECORD, &again, &err) == 0);
		assert(strcmp(kept.text, again.text) == 0);
		forget(&second);
	}
	forget(&first);
}

static void read_setup(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct setup_layer layer;
	assert(file_make_dir(fuzz_path("store/a/files"), 0700, &err) == 0);
	fuzz_write("store/a/setup.json", data, size);
	if (!setup_store_find(fuzz_path("store"), "a", &arena, &layer))
		return;
	for (size_t i = 0; i < layer.n; i++) {
		assert(file_exists(layer.pieces[i].source) && *layer.pieces[i].target == '/');
		assert(file_is_below(layer.pieces[i].source, layer.dir));
	}
	setup_layer_release(&layer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] % 2)
		read_setup(data + 1, size - 1);
	else
		read_baseline(data + 1, size - 1);
	return 0;
}
