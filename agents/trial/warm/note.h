/*
 * A program that is noted, so that it can be started again: its words, where, and how the runner
 * names it to who reads its output.
 */
#pragma once
#include <stdbool.h>

#include "agents/trial/warm/stand_in.h"

enum {
	NOTES_MOST = 1000, /* in a directory */
	NOTE_PATH = PATH_SIZE + 32,
};

struct note {
	char *text;
	const char *section, *before, *passed, *failed, *cwd; /* see struct frame */
	char **words, **env;
};

/* Note a program in a directory, by its words, in this process's directory and environment. KIND as
 * in replay.h. */
void note_write(const char *dir, const char *kind, char **words);

/* The path of the i-th note of a directory. */
void note_place(const char *dir, size_t i, char path[NOTE_PATH]);

/* Read it. False: there is none. Nobody frees it: a process reads few. */
bool note_read(const char *dir, size_t i, struct note *note);

/* Start it again, with the choice of now, and wait: whether it passed. */
bool note_run(const struct note *note);
