/*
 * The names under which this program stands first in PATH while runs are made, and where it keeps
 * what it needs then: beside itself.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { PATH_SIZE = 4096 };

/* Set while runs are made, to the name of the variable that chooses the candidate: without it a
 * name is that other program's and nothing else. */
#define STAND_IN_MARK "RONDO_RERUN"
/* The file for what a run prints. */
#define STAND_IN_OUTPUT "RONDO_RERUN_OUTPUT"

/* Find out where this program lies. 0, or -1. */
int stand_in_find(void);

/* The path of what lies beside it under this suffix. */
void stand_in_beside(const char *suffix, char path[PATH_SIZE]);

/* The program of a name after our own in PATH. False: there is none. */
bool stand_in_find_other(const char *name, char found[PATH_SIZE]);

/* Stand first in PATH, and take a name there. */
void stand_in_begin(const char *variable, const char *output);
void stand_in_take(const char *name);

/* The path of a name that is taken. */
void stand_in_path(const char *name, char path[PATH_SIZE + 64]);

/* Empty a directory of files, which need not be there. */
void stand_in_empty(const char *path);

/* Where a hash begins. */
#define STAND_IN_HASH 14695981039346656037U

/* FNV-1a of bytes, from there on, or from the hash of others. */
uint64_t stand_in_mix(uint64_t hash, const void *bytes, size_t n);

/* Become a program. Where that cannot be, it is said, and 127 comes back. */
int stand_in_become(const char *program, char **words);

/* Wait for a process: its exit code, 128 and more after a signal, 127 where there is none. */
int stand_in_wait(pid_t pid);

/* Copy a regular file, in place of what is there. 0, or -1. */
int stand_in_copy(const char *from, const char *to);
