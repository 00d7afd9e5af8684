/* What the processes do that this one has started, and those in turn. Linux's /proc says it. */
#pragma once
#include <stdint.h>

/* Programs, by what shows them; both lists end with NULL. */
struct process_names {
	const char *const *names; /* as /proc has them: 15 bytes */
	const char *const *words; /* texts in the command line */
};

/* The processor time, in ms, of the one that computes just now and has done so for longest. 0 where
 * none does, or one of these. */
int64_t process_computing_ms(const struct process_names *others);
