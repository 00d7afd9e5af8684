/* Records that the helper writes. */
#pragma once
#include "executors/inside/inside.h"

/* Write to this descriptor from now on. */
void out_to(int fd);
void out_bytes(const char *bytes, size_t n);
void out_record(const struct record *record);

/* So many bytes of a file; zeros where it has no more. */
void out_file(int fd, uint64_t size);

void out_report(const struct inside_report *report);

/* False: not all of it could be written since out_to. */
bool out_flush(void);
