#include "verify/suite/preload.h"

#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/runners/command_line.h"

/* preload.js, by the Makefile. */
extern const char preload_js[];

const char *preload_command(const char *command, const char *report, struct arena *arena)
{
	if (!report)
		return command;
	const char *dir = command_quote(report, arena);
	return arena_printf(arena,
		"mkdir %s && printf %%s %s >%s.cjs && "
		"export NODE_OPTIONS=\"$NODE_OPTIONS --require=\\\"\"%s'.cjs\"'; %s",
		dir, command_quote(preload_js, arena), dir, dir, command);
}

bool is_script_path(const char *path, size_t n)
{
	static const char *const suffixes[] = {
		".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx", ".vue", ".svelte"};
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		size_t length = strlen(suffixes[i]);
		if (n > length && memcmp(path + n - length, suffixes[i], length) == 0)
			return true;
	}
	return false;
}

const char *preload_targeted(
	const char *command, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_JSON *list = json_array();
	for (size_t i = 0; i < n; i++) {
		const char *end = strstr(ids[i], " > ");
		if (!end || !is_script_path(ids[i], (size_t)(end - ids[i])))
			return NULL;
		json_add_string(list, NULL, ids[i]);
	}
	AUTO_FREE char *text = json_print(list);
	if (strlen(text) > LONGEST_COMMAND)
		return NULL;
	return arena_printf(arena, "export RONDO_TESTS=%s; %s", command_quote(text, arena), command);
}
