/* What stands before an entry of an archive and is about it: inside the reader only. */
#pragma once
#include "executors/docker/tar.h"

#define TAR_MOST_EXTENSION ((uint64_t)1 << 20) /* what is longer is passed over, and the entry that it is about refused */
#define TAR_MOST_SIZE ((uint64_t)1 << 60)
#define TAR_IS_SPARSE "it is a sparse file"

/* Returns -1. */
int tar_broken(struct rondo_error *err, const char *why);

void tar_extension_set(struct strbuf *text, bool *has, const char *value, size_t n);

/* Take the records of a pax header. */
int tar_extension_read(struct tar_extension *next, const struct strbuf *records, struct rondo_error *err);
