/*
 * A tree and a cache that lie on another system and are kept as they are here: what changed here is
 * sent before a line, what the line changed there is taken over. Inside executors/ and its tests.
 */
#pragma once
#include "executors/answer.h"

struct remote {
	const char *place; /* what the other system is called: "container" */
	const struct executor *executor;
	struct mirror mirrors[RECORD_ROOTS]; /* of the tree and the cache */
	const char *const *kept; /* paths in the tree that are the programs' own; NULL-terminated */
	struct arena arena;
	/* What went with the last line; nobody knows whether it arrived until the line is told of: */
	struct mirror_changes changes[RECORD_ROOTS];
	struct arena sent;
};

/* Begin with a system that has nothing. `deep`: as in a mirror, of the cache. All is borrowed. */
void remote_init(struct remote *remote, const struct executor *executor, const char *place,
	const char *deep);
void remote_release(struct remote *remote);

/* Look what has to be sent, and how many things that are. */
int remote_scan(struct remote *remote, size_t *ret_n, struct rondo_error *err);

/* Take over what an answer tells; what stays there is said in the output, which may be NULL. */
int remote_take(struct remote *remote, const struct answer *answer, struct strbuf *output,
	struct rondo_error *err);

/* A stream of records, made as it is sent. */
struct remote_stream {
	const char *dirs[RECORD_ROOTS];
	struct mirror_changes changes[RECORD_ROOTS];
	bool keeps_times; /* of files: where all of them go, some are made from others */
	/* Its own: */
	size_t root, next;
	struct strbuf head; /* to be given before anything else */
	size_t given;       /* of it */
	int fd;             /* then so many bytes of this */
	uint64_t left;
	bool is_over;
};

void remote_stream_init(struct remote_stream *stream, const struct remote *remote);

/* Of all that is in a directory; its strings lie in the arena. */
int remote_stream_of(struct remote_stream *stream, const char *dir, struct arena *arena,
	struct rondo_error *err);

/* The next n bytes, or what there is; 0: that was all. As http_request has it. */
ssize_t remote_stream_give(void *stream, char *bytes, size_t n);

/* Begin again; also what was held is released. */
void remote_stream_rewind(void *stream);
