/* Whether a program tests itself: what is known so far. */
#pragma once
#include "base/map.h"
#include "verify/suite/program/parts.h"

#define LARGEST_PROGRAM ((size_t)4 << 20)

struct evidence {
	const char *dir, *path;
	const char *const *paths;
	size_t n;
	struct arena *arena;
	struct program_text program;
	struct map defined;       /* names that the program defines outside of its tests */
	struct map imported;      /* names that it takes from other files of the tree */
	struct map defined_there; /* names that those files define */
	bool own, own_example, foreign;
};

/* The spelling of token `i`, in the program's arena; whether it is a name; put it into a map. */
const char *evidence_word(const struct program_text *program, uint32_t i);
bool evidence_is_name(const struct program_text *program, uint32_t i);
void evidence_put(struct map *map, const struct program_text *program, uint32_t i);

/* Note what a program defines outside of its tests. */
void evidence_note_definitions(const struct program_text *program, struct map *map);

/* imports.c: note what the program imports from its tree, and what those files define. */
void evidence_note_imports(struct evidence *evidence);
