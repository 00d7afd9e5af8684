/* What a hunk changed, token by token. Private to this folder and its tests. */
#pragma once
#include "base/lexer/source.h"
#include "chat/edit.h"
#include "chat/past.h"

/* The least that is taken back at a time: between tokens that a change left as they were. */
struct undo {
	uint32_t text, hunk; /* of the past; its place among the hunks of its text */
	struct splice splice;
	size_t line, n_lines; /* the first one, from 0, and how many it changes or brings back */
};

struct undos {
	struct undo *items;
	size_t n;
};

/* Add the undos of a hunk, in the order of their places: none where it changed no code. */
void undos_add(struct undos *undos, const struct past *past, uint32_t text, uint32_t hunk,
	struct words *words, struct arena *arena);
