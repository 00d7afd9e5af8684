/*
 * Where the tree of a container is one of its own: what a line changed in it. It is looked at before and after the line; what is
 * new, other or gone is told behind the report, a record each, and new bytes lie in a directory that rondo fetches.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Take what rondo sent into account (`has_gone`: there is a list of what is to be removed), then look. `kept`: n paths of the tree
 * that programs have for themselves. */
void carry_look(const char *tree, const char *cache, bool has_gone, char **kept, size_t n);

/* Tell what became of it. */
void carry_tell(int to);
