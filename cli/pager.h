/* A program that shows on a terminal what a command prints, a page at a time. */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

struct pager {
	pid_t process; /* 0: there is none */
	int terminal;  /* standard output as it was */
};

/* From here on the pager shows what is printed: $RONDO_PAGER, $PAGER or less. Nothing where
 * standard output is no terminal, none is wished, or it cannot be started. Before screen_init. */
void pager_begin(struct pager *pager, bool is_wished);

/* All is printed: wait until the person has read it, or did not want to. */
void pager_end(struct pager *pager);
