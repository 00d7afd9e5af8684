/* The text of a patch, as libgit2 reads it. Private to this folder and its tests. */
#pragma once
#include "base/arena.h"
#include "base/strbuf.h"

/* Each file gets git's heading, its names in quotes, and what is in it, also if that is nothing.
 * `cuts_cr`: lines may end in CR LF. */
void patch_normalize(
	struct strbuf *patch, const char *text, size_t n, bool cuts_cr, struct arena *arena);
