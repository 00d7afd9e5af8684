/* What each token is for; the last step of source_find_structure. Private to repair/. */
#pragma once
#include "repair/source.h"

/* Set the roles of a source's tokens. `definitions` are the source's own. */
void source_find_roles(struct source *source, const struct definition *definitions, size_t n);
