/*
 * A Java virtual machine that stays, so that neither it nor the compiler starts anew for each run:
 * `java` and `javac` hand on what they are told (java/Resident.java says how). It is started when
 * one of them was called, in that one's directory and environment; where these are others, or the
 * machine will not do it, the programs themselves run. Shared by rerun.c, compilers.c and jvm*.c.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct jvm_source {
	const char *name;
	const char *text;
	size_t n;
};

/* Made of java/ by the Makefile. */
extern const struct jvm_source jvm_sources[];
extern const size_t jvm_sources_n;

/* --- What keeps the machine, in jvm_keeper.c --- */

/* Go on in a copy of this process. This one starts machines, and ends with the copy. */
void jvm_split(void);

/* Between runs: see to it that there is a machine, if one was asked for. What was stopped may still
 * run in the one that there is. True where a new one was started, whose first runs are slow. */
bool jvm_need(bool was_stopped);

/* The processor time of the machine; 0: there is none. */
int64_t jvm_cpu_ms(void);

/* --- Who asks it, in jvm.c --- */

/* Take its names, where there are both programs. */
void jvm_stand_in(void);

/* Whether a program's name is one of them, and to be it: its exit code. */
bool jvm_is(const char *name);
int jvm_be(const char *name, char **argv);

/* Ask for a machine in this directory and environment, if there is none. */
void jvm_prepare(void);

/* Have the machine do what `java` or `javac` would, or Surefire. False: it cannot. */
bool jvm_ask(const char *name, char **argv, int *ret_code);
