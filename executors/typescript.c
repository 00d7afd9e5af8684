/* Which program runs TypeScript here. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

/* Node strips types by itself from 22.18 on. */
static bool typescript_node_is_new_enough(const char *node, const struct cancel *cancel)
{
	AUTO_STRBUF output = STRBUF_INIT(256);
	struct process_result result;
	struct rondo_error err;
	int major = 0, minor = 0;
	const char *const argv[] = {node, "--version", NULL};
	struct process_options options = {
		.argv = argv, .output = &output, .timeout_ms = 5000, .cancel = cancel};
	return process_run(&options, &result, &err) == 0 &&
	       sscanf(output.text, "v%d.%d", &major, &minor) == 2 &&
	       (major > 22 || (major == 22 && minor >= 18));
}

const char *world_typescript(const struct cancel *cancel)
{
	static const char *const runners[] = {"esbuild", "node", "tsx", "ts-node"};
	AUTO_ARENA arena = ARENA_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(runners); i++) {
		const char *program = file_search(&arena, getenv("PATH"), runners[i]);
		if (program && (i != 1 || typescript_node_is_new_enough(program, cancel)))
			return runners[i];
	}
	return NULL;
}
