/*
 * A tree and a cache on another system, kept in sync with those here: local changes are sent before
 * a line, and what the line changed there is taken over. Only executors/ and tests include it.
 */
#pragma once
#include "executors/helper_answer.h"

struct remote {
	const char *place; /* what the other system is called: "container" */
	const struct executor *executor;
	struct mirror mirrors[RECORD_ROOTS]; /* of the tree and the cache */
	const char *const *kept; /* paths in the tree that belong to the programs; NULL-terminated */
	struct arena arena;
	/* What was sent with the last line; its answer confirms that it arrived: */
	struct mirror_changes changes[RECORD_ROOTS];
	struct arena sent;
};

/* Begin with a system that has nothing. `deep`: the cache's, as in a mirror. All is borrowed. */
void remote_init(struct remote *remote, const struct executor *executor, const char *place,
	const char *deep);
void remote_release(struct remote *remote);

/* Find what has to be sent; *ret_n: how many records. */
int remote_scan(struct remote *remote, size_t *ret_n, struct rondo_error *err);

/* Take over an answer's changes; the output, which may be NULL, names what was refused. */
int remote_take(struct remote *remote, const struct answer *answer, struct strbuf *output,
	struct rondo_error *err);

/* A stream of records, produced as it is sent. */
struct remote_stream {
	const char *dirs[RECORD_ROOTS];
	struct mirror_changes changes[RECORD_ROOTS];
	bool keeps_times; /* of files: on a first transfer, where some were built from others */
	/* Its own: */
	size_t root, next;
	struct strbuf head; /* sent before anything else */
	size_t given;       /* of it */
	int fd;             /* then so many bytes of this */
	uint64_t left;
	bool is_over;
};

void remote_stream_init(struct remote_stream *stream, const struct remote *remote);

/* A stream of everything in a directory; strings lie in the arena. */
int remote_stream_of(struct remote_stream *stream, const char *dir, struct arena *arena,
	struct rondo_error *err);

/* The next bytes, at most n; 0: the end. Fits http_request's `give`. */
ssize_t remote_stream_give(void *stream, char *bytes, size_t n);

/* Start over. Also releases what the stream holds. */
void remote_stream_rewind(void *stream);
