/* The public API (include/rondo.h). */
#include "include/rondo.h"

const char *rondo_version(void)
{
	return RONDO_VERSION;
}
