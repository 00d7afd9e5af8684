/*
 * Files out of an archive, to their places below a directory: those that are awaited, which the archive calls by numbers. No name
 * in it says where anything goes. Only the docker executor and tests include it.
 */
#pragma once
#include "executors/docker/tar.h"
#include "executors/mirror.h"

/* Said of what is not taken over; both strings are gone with the call. */
typedef void unpack_refuse(void *owner, const char *name, const char *why);

struct unpack {
	struct mirror *mirror;
	struct answer_item *const *wanted; /* by number; NULL: nobody wants that one */
	size_t n;
	unpack_refuse *refuse;
	void *owner;
	/* Its own: */
	struct tar_reader reader;
	bool *came; /* by number */
	struct strbuf bytes;
	size_t open;    /* the number of the one that is being read */
	bool has_failed;
	struct rondo_error err;
	struct arena arena;
};

/* The mirror, the wanted items and the owner are borrowed. */
void unpack_init(struct unpack *unpack, struct mirror *mirror, struct answer_item *const *wanted, size_t n, unpack_refuse *refuse,
	void *owner);
void unpack_release(struct unpack *unpack);

/* Take n bytes. -1 where they are no archive, or this machine fails. */
int unpack_feed(struct unpack *unpack, const char *bytes, size_t n, struct rondo_error *err);

/* Nothing more comes: what did not is said. */
int unpack_finish(struct unpack *unpack, struct rondo_error *err);
