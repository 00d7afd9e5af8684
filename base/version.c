#include "base/version.h"

/* By the Makefile, which gives it to this file alone. */
const char version_text[] = RONDO_VERSION;
