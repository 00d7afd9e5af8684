/* What a setup has written: the pieces that are kept, and where they are shown. */
#pragma once
#include "run/setup/setup.h"

struct setup_left {
	const struct site *site;
	const struct world *world;
	struct arena *arena;
	const char *base, *written; /* the base's files; the executor's layer */
	struct world_piece *pieces;
	size_t n;
	size_t n_changed;    /* tracked files that it changed, which stay as they are */
	const char *changed; /* the first of them */
	bool is_of_tree;     /* it left more than packages, so it depends on the sources */
};

/* Find the pieces; remove what package managers keep for themselves. */
void setup_left_take(struct setup_left *left);
