#include "verify/suite/cover.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "verify/suite/lines.h"
#include "verify/suite/location.h"

enum { LINE_MOST = 200000, LINES_MOST = 100000 };

/* How many tests of each kind ran a line, and the last that did. */
struct cover_count {
	uint32_t goal, others, last;
};

struct cover_file {
	const char *path;
	struct cover_count *counts; /* by line, from 1 */
	size_t n;
};

struct cover_reader {
	const char *dir;
	struct arena *arena;
	struct map by_path;
	struct cover_file **files;
	size_t n;
	uint32_t test; /* the current one; 0: none */
	bool is_goal;
	struct coverage *coverage;
};

static struct cover_file *cover_file_of(struct cover_reader *reader, const char *path)
{
	struct cover_file *file = map_get(&reader->by_path, path);
	if (file)
		return file;
	file = arena_alloc(reader->arena, sizeof *file);
	*file = (struct cover_file){.path = arena_strdup(reader->arena, path)};
	map_put(&reader->by_path, reader->arena, file->path, file);
	ARENA_PUSH(reader->arena, reader->files, reader->n, file);
	return file;
}

static void cover_count(struct cover_reader *reader, struct cover_file *file, size_t line)
{
	while (file->n <= line)
		ARENA_PUSH(reader->arena, file->counts, file->n, (struct cover_count){0});
	struct cover_count *count = &file->counts[line];
	if (count->last == reader->test)
		return;
	count->last = reader->test;
	count->goal += reader->is_goal;
	count->others += !reader->is_goal;
}

static void cover_hear_test(struct cover_reader *reader, bool is_goal)
{
	reader->test++;
	reader->is_goal = is_goal;
	reader->coverage->n_goal += is_goal;
	reader->coverage->n_others += !is_goal;
}

static void cover_hear(void *owner, const char *line)
{
	struct cover_reader *reader = owner;
	struct location location;
	unsigned first, last;
	if (strcmp(line, "goal") == 0 || strcmp(line, "other") == 0) {
		cover_hear_test(reader, *line == 'g');
		return;
	}
	const char *colon = strrchr(line, ':');
	if (!reader->test || !colon || sscanf(colon, ":%u,%u", &first, &last) != 2 || first < 1 ||
		last > LINE_MOST ||
		!location_set(&location, reader->dir, line, (size_t)(colon - line), first))
		return;
	struct cover_file *file = cover_file_of(reader, location.file);
	for (size_t i = first; i <= last; i++)
		cover_count(reader, file, i);
}

/* What no test of the goal ran is left out. */
static void cover_take(const struct cover_reader *reader, const struct cover_file *file)
{
	struct coverage *coverage = reader->coverage;
	for (size_t i = 1; i < file->n && coverage->n < LINES_MOST; i++) {
		const struct cover_count *count = &file->counts[i];
		if (count->goal)
			ARENA_PUSH(reader->arena, coverage->lines, coverage->n,
				(struct coverage_line){.path = file->path,
					.line = (uint32_t)i,
					.goal = count->goal,
					.others = count->others});
	}
}

int cover_read(int fd, const char *dir, struct arena *arena, struct coverage *ret_coverage,
	struct rondo_error *err)
{
	struct cover_reader reader = {.dir = dir, .arena = arena, .coverage = ret_coverage};
	*ret_coverage = (struct coverage){.n = 0};
	if (lines_read(fd, (struct listener){cover_hear, &reader}, err) < 0)
		return -1;
	for (size_t i = 0; i < reader.n; i++)
		cover_take(&reader, reader.files[i]);
	return 0;
}
