/*
 * Test programs that are started again without the runner that started them first. Two names stand
 * for it in PATH. The runner starts each test program through the first, which notes how, and
 * becomes it:
 *
 *	rondo-note KIND PROGRAM ARGUMENT...
 *
 * KIND says how the runner names a program to who reads its output: "go", "cargo". The second runs
 * a line for sh under a key, or what was noted under that key when the line ran before:
 *
 *	rondo-replay KEY LINE
 */
#pragma once
#include <stdbool.h>

#define REPLAY_NOTE "rondo-note"
#define REPLAY_AGAIN "rondo-replay"

/* Whether a name is one of them, and to be it: its exit code. */
bool replay_is(const char *name);
int replay_be(const char *name, char **argv);

/* Take the names. */
void replay_stand_in(void);

/* Forget all that was noted. */
void replay_forget(void);
