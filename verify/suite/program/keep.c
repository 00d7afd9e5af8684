/* Whether a fix leaves the parts of a program that test it as they were. */
#include <string.h>

#include "verify/suite/program/parts.h"

static bool keep_is_same(const struct program_text *old, const struct program_part *a,
	const struct program_text *fixed, const struct program_part *b)
{
	size_t n = a->end - a->start;
	return a->kind == b->kind && b->end - b->start == n &&
		   memcmp(old->text + a->start, fixed->text + b->start, n) == 0 &&
		   strcmp(a->context, b->context) == 0;
}

size_t program_match(const struct program_text *old, const struct program_text *fixed, size_t *at)
{
	size_t next = 0;
	for (size_t i = 0; i < old->n_parts; i++) {
		while (
			next < fixed->n_parts && !keep_is_same(old, &old->parts[i], fixed, &fixed->parts[next]))
			next++;
		if (next == fixed->n_parts)
			return i;
		at[i] = next++;
	}
	return old->n_parts;
}

const char *program_part_line(const struct program_text *program, size_t i)
{
	const char *text = program->text + program->parts[i].start;
	size_t n = program->parts[i].end - program->parts[i].start, line = strcspn(text, "\n");
	return arena_strndup(program->arena, text, line < n ? line : n);
}

bool program_keeps_parts(const char *path, const char *old, const char *fixed, struct arena *arena,
	const char **ret_missing)
{
	struct program_text before, after;
	program_read(&before, path, old, arena);
	program_read(&after, path, fixed, arena);
	size_t *at = arena_alloc(arena, (before.n_parts + 1) * sizeof *at);
	size_t n = program_match(&before, &after, at);
	if (n < before.n_parts)
		*ret_missing = program_part_line(&before, n);
	return n == before.n_parts;
}
