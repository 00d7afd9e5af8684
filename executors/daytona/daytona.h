/*
 * The parts of the executor daytona: Daytona's REST API, and the toolbox of each sandbox. Wire
 * format, states and limits are those of the SDK. Only they and tests include it.
 */
#pragma once
#include "base/hash.h"
#include "base/http/http.h"
#include "base/json/json.h"
#include "base/secrets.h"
#include "executors/remote.h"

/* Where requests go, and the key. */
struct daytona_api {
	struct http *http;
	const char *url; /* without a trailing slash */
	const char *key;
	const struct secrets *secrets; /* never shown in errors */
};

/* A request with retries. */
struct daytona_call {
	const char *doing; /* for errors: "create a sandbox" */
	const char *method, *url;
	const struct json *body; /* NULL: none, or `give` produces it */
	const char *type;        /* Content-Type of `give`'s body; NULL: JSON */
	ssize_t (*give)(void *owner, char *bytes, size_t n);
	void (*rewind)(void *owner); /* before each try */
	void *owner;
	int64_t limit_ms;    /* for one try */
	int64_t patience_ms; /* for all; 0: two minutes */
	/* not idempotent: tried again only if it was refused for now */
	bool is_once;
	int fd;       /* above 0: takes the answer's body, up to most_bytes */
	size_t most_bytes;
	/* Filled in: */
	int status; /* 0: there was no complete answer */
};

/* Make a call. 0 for 2xx, with the answer's JSON (NULL: no body) in *ret_json, which may be NULL.
 * Errors quote Daytona. */
int daytona_call(const struct daytona_api *api, struct daytona_call *call, struct json **ret_json,
	const struct cancel *cancel, struct rondo_error *err);

/* --- Sandboxes: daytona_sandbox.c --- */

/* How a sandbox is created; members that are NULL or 0 are left out. */
struct daytona_spec {
	const char *name, *target, *snapshot, *image, *language, *owner;
	const char *label; /* no other sandbox has it */
	int64_t cpu, memory, disk, stop_ms, delete_ms, start_ms;
	bool has_network;
	const struct option_texts *env;
};

struct daytona_sandbox {
	const char *id, *toolbox; /* the base URL of its toolbox */
};

/* Create one and wait until it has started; strings lie in the arena. A failure leaves none. */
int daytona_sandbox_make(const struct daytona_api *api, const struct daytona_spec *spec,
	struct arena *arena, struct daytona_sandbox *ret_sandbox, const struct context *ctx,
	struct rondo_error *err);

/* Delete it, even after a cancel, within about 15 s. A missing one is fine. */
int daytona_sandbox_delete(const struct daytona_api *api, const char *id, struct rondo_error *err);

/* Start it again if it has stopped by itself; then *ret_started is true. */
int daytona_sandbox_revive(const struct daytona_api *api, const char *id, int64_t start_ms,
	bool *ret_started, const struct cancel *cancel, struct rondo_error *err);

/* Delete sandboxes that dead processes of this machine left, and count them. */
int daytona_sandbox_collect(const struct daytona_api *api, const struct cancel *cancel,
	size_t *ret_n, struct rondo_error *err);

/* Set how long it may idle before it stops by itself. */
int daytona_sandbox_allow_idle(const struct daytona_api *api, const char *id, int64_t idle_ms,
	const struct cancel *cancel, struct rondo_error *err);

/* --- The toolbox: toolbox.c --- */

struct daytona_line {
	const char *line, *cwd; /* for a shell; cwd NULL: the toolbox's */
	const char *const *env; /* NAME=value ..., NULL; may be NULL */
	const char *const *more_env;
	int64_t timeout_ms; /* 0: a day */
	bool is_once;
	/* Filled in: */
	int code;
	const char *text; /* what it printed; in the arena */
	int status;       /* of HTTP; 408: timeout; 0: no complete answer */
};

/* Run a line in the sandbox. */
int daytona_execute(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	struct daytona_line *line, struct arena *arena, const struct cancel *cancel,
	struct rondo_error *err);

/* A file to upload. */
struct daytona_file {
	const char *to;               /* its path there */
	struct remote_stream *stream; /* its contents after the bytes, or NULL */
	const void *bytes;
	size_t n;
};

int daytona_upload(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const struct daytona_file *file, const struct cancel *cancel, struct rondo_error *err);

/* Download a file into a descriptor. */
int daytona_download(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const char *path, int fd, size_t most_bytes, const struct cancel *cancel,
	struct rondo_error *err);

/* --- The executor --- */

struct daytona_resources {
	int64_t cpu, memory, disk;
};

/* The executor's state. Options come first. */
struct daytona {
	const char *api_url, *target, *snapshot, *image, *name, *language;
	struct daytona_resources resources;
	int64_t stop_ms, delete_ms, start_ms;
	/* Not options: */
	struct daytona_api api;
	const struct world *given; /* the world here; and in the sandbox: */
	struct world world;
	struct daytona_sandbox sandbox; /* .id NULL: there is none at the moment */
	const char *folder;             /* directory name for the tree if its own path cannot be used */
	const char *place;              /* a directory of rondo's own in the sandbox */
	const struct inside_program *program; /* the helper in that directory; and its SHA-256: */
	const char *hash;
	struct remote remote;
	int64_t number;      /* of the last command */
	int64_t idle_ms;     /* it may idle for so long; 0: for ever */
	bool is_unfinished;  /* the last command was abandoned and may still run */
	/* why the last sandbox was deleted, for the next output; static */
	const char *why_new;
};

/* Create a sandbox if there is none. */
int daytona_have(struct executor *executor, const struct context *ctx, struct rondo_error *err);

/* Delete the sandbox. */
void daytona_drop(struct daytona *daytona, const char *why);

/* Upload the helper. */
int daytona_send_helper(struct daytona *daytona, const struct cancel *cancel,
	struct rondo_error *err);

/* A shell line that starts the helper with these words; in the arena. It exits with
 * DAYTONA_NO_HELPER if the helper is missing or a program has changed it. */
const char *daytona_helper_line(const struct daytona *daytona, const char *const *words, size_t n,
	const char *input, struct arena *arena);

enum { DAYTONA_NO_HELPER = 97 };

/* Run a command in the sandbox; see executor_type's run. */
int daytona_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err);
