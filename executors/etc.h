/* /etc as the sandbox has it: what programs look up there, and nobody's names or passwords. */
#pragma once
#include "executors/host.h"

/* Write it to `dir`, an empty directory of rondo's, and mount it; with what finds hosts by name, for programs that reach
 * the network. */
int etc_show(struct host *host, const char *dir, bool network, struct rondo_error *err);
