/* Compilers that are not asked again for what they made. Between rerun.c and compilers.c. */
#pragma once
#include <stdbool.h>

/* Whether a program's name is that of a compiler, and to be it: its exit code. */
bool compilers_are(const char *name);
int compilers_be(const char *name, char **argv);

/* Take the names of those compilers that are there. */
void compilers_stand_in(void);

/* Forget what they made. */
void compilers_forget(void);
