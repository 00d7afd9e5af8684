/* What is removed in a container that has a tree of its own. */
#pragma once

enum { AWAY_DEEPEST = 128 };

/* A file or a whole tree, through no link. What is not there is fine. */
void away_tree(int dir, const char *name);

/* What rondo has listed in the cache, and the list. */
void away_listed(int tree, int cache);
