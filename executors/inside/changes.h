/*
 * What a line changed in the tree and the cache: they are looked at before and after it. What is
 * new or other is told with its bytes, what has gone by its name.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Look, below open directories. `kept`: n paths of the tree that are passed over. */
void changes_look(const int *roots, char **kept, size_t n);

/* Look again and write records: first what has gone, from what lies deepest on; then the rest,
 * directories before what lies in them. Without RECORD_END where there was too much to look at. */
void changes_tell(void);
