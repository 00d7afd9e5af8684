/*
 * What a program leaves behind, killed by the child subreaper that adopts it. System calls only:
 * the keeper runs in a copy of a process that may have had threads, and warm/rerun.c is a program
 * of its own that takes this file alone.
 */
#pragma once
#include <sys/types.h>

/* Kill a process (0: none), its group, and all other children of the caller with what they leave,
 * until none is there. Gives up after two seconds on what may not be killed (a set-uid program),
 * after a minute and more on what does not die. */
void orphans_kill(pid_t leader);
