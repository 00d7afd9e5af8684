/* What the helper tells of a line's changes (inside/inside.h), read. Only the docker executor and tests include it. */
#pragma once
#include "executors/mirror.h"

struct docker_listing {
	struct answer_item *items; /* of a file n is the number that it was handed over under */
	size_t n;
	bool is_whole;
};

/* Read it, as far as it goes. Items lie in the arena; those with names that cannot be are refused ones. */
void docker_listing_read(const char *bytes, size_t n, struct arena *arena, struct docker_listing *ret_listing);
