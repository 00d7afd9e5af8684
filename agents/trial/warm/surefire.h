/*
 * Maven's Surefire, which starts a virtual machine for the tests of a module. Maven is told that
 * the `java` for them is rondo-note.jdk/bin/java, beside rondo-note: that notes what Surefire wants
 * and becomes java. To do it again needs neither Maven nor a new machine (java/Surefire.java).
 */
#pragma once
#include <stdbool.h>

/* The name under which a note is done again: its words are options of java, and two files. */
#define SUREFIRE "rondo-surefire"

/* Take the names. */
void surefire_stand_in(void);

/* Note what java was told, if programs are noted and it was Surefire who told it. */
void surefire_note(char **argv);

/* Become a machine of its own that does it again: where none that stays can. */
int surefire_be(char **argv);
