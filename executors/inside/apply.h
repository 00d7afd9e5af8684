/* What rondo sends, put in its place. */
#pragma once
#include <stddef.h>

/* Read records up to their end and carry them out below n directories. What stands in the place of
 * something else is removed. 0, or errno of the first that failed; EPROTO: the stream broke off. */
int apply_records(int fd, const int *roots, size_t n);
