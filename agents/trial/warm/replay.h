/*
 * Test programs that are started again without the runner that started them first. Two names stand
 * for it in PATH. The runner starts each test program through the first, which notes how, and
 * becomes it:
 *
 *	rondo-note KIND PROGRAM ARGUMENT...
 *
 * KIND says how the runner names a program to who reads its output: "go", "cargo". Maven finds
 * rondo-note.jdk/bin/java beside it (surefire.h, javac.h). The second runs a line for sh under a
 * key, or what was noted under that key when the line ran before:
 *
 *	rondo-replay KEY LINE [TEXTS]
 *
 * First the files of a directory TEXTS are put into the tree. Then what was noted counts no more,
 * unless compilers are noted that read all of these files: they run before the test programs.
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

/* Take the names, and forget what another process has noted. */
void replay_stand_in(void);

/* Forget all that was noted. */
void replay_forget(void);

/* Note that a compiler had no success. */
void replay_note_failure(void);

/* Whether programs of a key are noted, and its line has not come to its end. */
bool replay_is_unready(const char *key);
