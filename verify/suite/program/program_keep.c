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

size_t program_pair_read(struct program_pair *pair, const char *path, const char *old,
	const char *fixed, struct arena *arena)
{
	program_read(&pair->old, path, old, arena);
	program_read(&pair->fixed, path, fixed, arena);
	const struct program_text *before = &pair->old, *after = &pair->fixed;
	pair->at = arena_alloc(arena, (before->n_parts + 1) * sizeof *pair->at);
	for (size_t i = 0, next = 0; i < before->n_parts; i++) {
		while (next < after->n_parts &&
			!keep_is_same(before, &before->parts[i], after, &after->parts[next]))
			next++;
		if (next == after->n_parts)
			return i;
		pair->at[i] = next++;
	}
	return before->n_parts;
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
	struct program_pair pair;
	size_t n = program_pair_read(&pair, path, old, fixed, arena);
	if (n < pair.old.n_parts)
		*ret_missing = program_part_line(&pair.old, n);
	return n == pair.old.n_parts;
}
