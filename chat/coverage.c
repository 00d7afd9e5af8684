#include "chat/coverage.h"

#include <string.h>

#include "base/memory.h"

enum { LINES_MOST = 20000 };

struct json *coverage_to_json(const struct coverage *coverage)
{
	struct json *json = json_object(), *lines = json_add_object(json, "lines"), *of_path = NULL;
	for (size_t i = 0; i < coverage->n; i++) {
		const struct coverage_line *line = &coverage->lines[i];
		if (!i || strcmp(line->path, line[-1].path) != 0)
			of_path = json_add_array(lines, line->path);
		struct json *item = json_add_array(of_path, NULL);
		json_add_int(item, NULL, line->line);
		json_add_int(item, NULL, line->goal);
		json_add_int(item, NULL, line->others);
		json_add_int(item, NULL, line->also);
	}
	json_add_int(json, "n_goal", (int64_t)coverage->n_goal);
	json_add_int(json, "n_others", (int64_t)coverage->n_others);
	json_add_int(json, "n_also", (int64_t)coverage->n_also);
	return json;
}

/* As a test's process says it, which may be anything. */
static struct coverage_line coverage_read_line(const char *path, const struct json *item)
{
	uint32_t counts[4] = {0};
	const struct json *count = json_first(item);
	for (size_t i = 0; i < ARRAY_SIZE(counts) && count; i++, count = json_next(count)) {
		int64_t value = json_integer(count, 0);
		counts[i] = value > 0 && value < UINT32_MAX ? (uint32_t)value : 0;
	}
	return (struct coverage_line){
		.path = path, .line = counts[0], .goal = counts[1], .others = counts[2], .also = counts[3]};
}

static size_t coverage_read_count(const struct json *json, const char *key)
{
	int64_t count = json_int(json, key, 0);
	return count > 0 ? (size_t)count : 0;
}

void coverage_from_json(const struct json *json, struct arena *arena, struct coverage *coverage)
{
	*coverage = (struct coverage){.n_goal = coverage_read_count(json, "n_goal"),
		.n_others = coverage_read_count(json, "n_others"),
		.n_also = coverage_read_count(json, "n_also")};
	for (const struct json *of_path = json_first(json_get(json, "lines")); of_path;
		 of_path = json_next(of_path)) {
		const char *path = arena_strdup(arena, json_key(of_path));
		for (const struct json *item = json_first(of_path);
			 path && item && coverage->n < LINES_MOST; item = json_next(item)) {
			struct coverage_line line = coverage_read_line(path, item);
			if (line.line && line.goal)
				ARENA_PUSH(arena, coverage->lines, coverage->n, line);
		}
	}
}
