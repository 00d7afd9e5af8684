/*
 * Threads of rondo's own: no signal that comes from outside is delivered to them, for the process
 * may be somebody else's, with handlers that expect threads of theirs.
 */
#pragma once
#include <pthread.h>
#include <stddef.h>

/* As pthread_create, with all signals blocked but those of its own faults in the new thread. */
int thread_start(pthread_t *ret_thread, void *(*work)(void *owner), void *owner);

/* Do `work` on each of n items of so many bytes, side by side, one of them in this thread; where no
 * further thread can be started, the rest one after the other. */
void thread_each(void *(*work)(void *item), void *items, size_t n, size_t size);

/* How many cores this process uses: as many as RONDO_CORES says, else all that it may; 1 where
 * nobody knows. */
size_t thread_cores(void);

/* How many tasks ran or waited for each of these cores, over the last minute; 0 where nobody
 * knows. */
double thread_load(void);
