/* Locks of runs: each names its holder, who may be dead. Inside journal/. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* How long the programs of a rondo that was killed may hold what it held; and one that was killed
 * this moment itself. */
enum { DEAD_HOLDS_MS = 5000, DYING_HOLDS_MS = 500 };

/* Take a lock; wait for it if another has it, for DEAD_HOLDS_MS if the one that signed it is gone
 * from this machine. -1 with errno: it was held all the time. */
int lock_take(int fd, int64_t wait_ms);

/* Write who holds it, for whoever comes second. */
void lock_sign(int fd);
