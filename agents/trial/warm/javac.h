/*
 * javac as Maven calls it: with its words in a file "@FILE", which Maven removes. Maven is told
 * that its compiler is rondo-note.jdk/bin/javac, beside rondo-note. Noted so, new texts of the same
 * files are compiled without Maven.
 */
#pragma once
#include "agents/trial/warm/note.h"

/* Take the name. */
void javac_stand_in(void);

/* Whether Maven calls it, and programs are noted. */
bool javac_is_mavens(char **argv);

/* Note what it is told then. */
void javac_note(char **argv);

/* Whether a note is of javac. */
bool javac_is_noted(const struct note *note);

/* Whether each file of a directory of texts was read by a javac that is noted in `dir`. False where
 * nothing is noted. */
bool javac_read_all(const char *dir, const char *texts);
