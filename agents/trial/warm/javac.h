/*
 * javac as Maven calls it: with its words in a file "@FILE", which Maven removes. Maven is told
 * that its compiler is rondo-note.jdk/bin/javac, beside rondo-note. Noted so, new texts of the same
 * files are compiled without Maven.
 */
#pragma once
#include "agents/trial/warm/note.h"

/* Take the name. */
void javac_stand_in(void);

/* Note what javac is told, if programs are noted. */
void javac_note(char **argv);

/* Whether a note is of javac, */
bool javac_is_noted(const struct note *note);

/* and read a file that a directory of texts has, by its path from here. */
bool javac_read_any(const struct note *note, const char *texts);

/* Whether each of these files was read by one that is noted in `dir`. */
bool javac_read_all(const char *dir, const char *texts);
