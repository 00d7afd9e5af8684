/* What a runner says of a test program, for who reads its output. */
#pragma once
#include <stdbool.h>

enum { FRAME_SIZE = 4096 };

/* What stands before a program's output, and after it, by how it ended. Of doc-tests, each of which
 * is a program, the name of the section that they share. */
struct frame {
	char section[FRAME_SIZE], before[FRAME_SIZE], passed[FRAME_SIZE], failed[FRAME_SIZE];
};

/* Find out from the program, or from what the runner has printed, as a kind of runner does it:
 * "go", "cargo", "maven", which says nothing. False: it is not known. */
bool frame_read(const char *kind, const char *program, struct frame *frame);
