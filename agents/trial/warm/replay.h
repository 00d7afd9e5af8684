/*
 * Test programs that are started again without the runner that started them first. Two names stand
 * for it in PATH. The runner starts each test program through the first, which notes how, and
 * becomes it:
 *
 *	rondo-note KIND PROGRAM ARGUMENT...
 *
 * KIND says how the runner names a program to who reads its output: "go", "cargo". Maven finds
 * rondo-note.jdk/bin/java beside it (surefire.h). The second runs a line for sh under a key, or
 * what was noted under that key when the line ran before:
 *
 *	rondo-replay KEY LINE
 */
#pragma once
#include <stdbool.h>

#define REPLAY_NOTE "rondo-note"
#define REPLAY_AGAIN "rondo-replay"

/* The variable for the directory of the notes, while a line runs whose programs are noted. */
#define REPLAY_NOTES "RONDO_NOTES"

/* Whether a name is one of them, and to be it: its exit code. */
bool replay_is(const char *name);
int replay_be(const char *name, char **argv);

/* Where programs are noted, if they are; else NULL. What is put there goes with the notes. */
const char *replay_notes(void);

/* Note a program there, by its words. */
void replay_note(const char *kind, char **words);

/* Take the names. */
void replay_stand_in(void);

/* Forget all that was noted. */
void replay_forget(void);
