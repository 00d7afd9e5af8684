/*
 * What the files of the executor "daytona" share: Daytona's REST API, and the toolbox that each
 * sandbox has. Inside executors/ only. Wire, states and limits are as the SDK has them.
 */
#pragma once
#include "base/hash.h"
#include "base/http.h"
#include "base/json.h"
#include "base/secrets.h"
#include "executors/remote.h"

/* Whom requests go to, and by what right. */
struct daytona_api {
	struct http *http;
	const char *url; /* without a slash at its end */
	const char *key;
	const struct secrets *secrets; /* what no error may show */
};

/* One request, tried again as far as that is right. */
struct daytona_call {
	const char *doing; /* for errors: "create a sandbox" */
	const char *method, *url;
	const struct json *body; /* NULL: none, or it is given */
	const char *type;        /* of a body that is given, a header; NULL: JSON */
	ssize_t (*give)(void *owner, char *bytes, size_t n);
	void (*rewind)(void *owner); /* before each try */
	void *owner;
	int64_t limit_ms;    /* for one try */
	int64_t patience_ms; /* for all; 0: two minutes */
	/* doing it twice is another thing: only what was refused for its time is tried again */
	bool is_once;
	int fd;       /* above 0: takes the answer's bytes, up to most_bytes */
	size_t most_bytes;
	/* Filled in: */
	int status; /* 0: there was no whole answer */
};

/* Do it. 0 where it was done (2xx), with the answer's JSON (NULL: it had no body) in *ret_json,
 * which may be NULL: it is not wanted. The error says what Daytona said of it. */
int daytona_call(const struct daytona_api *api, struct daytona_call *call, struct json **ret_json,
	const struct cancel *cancel, struct rondo_error *err);

/* --- Sandboxes: sandbox.c --- */

/* What one is made of; members that are NULL or 0 are not asked for. */
struct daytona_wish {
	const char *name, *target, *snapshot, *image, *language, *owner;
	const char *label; /* no other sandbox has it */
	int64_t cpu, memory, disk, stop_ms, delete_ms, start_ms;
	bool has_network;
	const struct option_texts *env;
};

struct daytona_sandbox {
	const char *id, *toolbox; /* the URL that its toolbox answers below */
};

/* Make one and wait until it has started; strings lie in the arena. Where that fails, none is
 * left. */
int daytona_sandbox_make(const struct daytona_api *api, const struct daytona_wish *wish,
	struct arena *arena, struct daytona_sandbox *ret_sandbox, const struct context *ctx,
	struct rondo_error *err);

/* Delete it, whatever was cancelled, in a quarter of a minute or so. One that is gone is fine. */
int daytona_sandbox_delete(const struct daytona_api *api, const char *id, struct rondo_error *err);

/* Where it has stopped by itself: start it again. True in *ret_started where that was it. */
int daytona_sandbox_revive(const struct daytona_api *api, const char *id, int64_t start_ms,
	bool *ret_started, const struct cancel *cancel, struct rondo_error *err);

/* Delete those that dead processes of this machine have left, and say how many. */
int daytona_sandbox_collect(const struct daytona_api *api, const struct cancel *cancel,
	size_t *ret_n, struct rondo_error *err);

/* Let it idle for so long before it stops by itself, from now on. */
int daytona_sandbox_allow_idle(const struct daytona_api *api, const char *id, int64_t idle_ms,
	const struct cancel *cancel, struct rondo_error *err);

/* --- The toolbox: toolbox.c --- */

struct daytona_line {
	const char *line, *cwd; /* for a shell; cwd NULL: where the toolbox is */
	const char *const *env; /* NAME=value ..., NULL; may be NULL */
	const char *const *more_env;
	int64_t timeout_ms; /* 0: a day */
	bool is_once;
	/* Filled in: */
	int code;
	const char *text; /* what it printed; in the arena */
	int status;       /* of HTTP; 408 where its time was over, 0 where no whole answer came */
};

/* Run a line in the sandbox. */
int daytona_execute(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	struct daytona_line *line, struct arena *arena, const struct cancel *cancel,
	struct rondo_error *err);

/* A file that goes into the sandbox. */
struct daytona_file {
	const char *to;               /* its path there */
	struct remote_stream *stream; /* what it holds; NULL: these bytes */
	const void *bytes;
	size_t n;
};

int daytona_upload(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const struct daytona_file *files, size_t n, const struct cancel *cancel,
	struct rondo_error *err);

/* A file of the sandbox, into a descriptor. -1 with *ret_status 404 where there is none. */
int daytona_download(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const char *path, int fd, size_t most_bytes, int *ret_status, const struct cancel *cancel,
	struct rondo_error *err);

/* --- The executor --- */

struct daytona_resources {
	int64_t cpu, memory, disk;
};

/* Its state; what stands first is filled by options. */
struct daytona {
	const char *api_url, *target, *snapshot, *image, *name, *language;
	struct daytona_resources resources;
	int64_t stop_ms, delete_ms, start_ms;
	/* From here on not by options: */
	struct daytona_api api;
	const struct world *given; /* the world as it is here; and as it is there: */
	struct world world;
	struct daytona_sandbox sandbox; /* .id NULL: there is none just now */
	const char *folder;             /* of the tree, where it cannot lie at its own path */
	const char *place;              /* a directory of rondo's own in the sandbox */
	const struct inside_program *program; /* the helper, which lies there; and its SHA-256: */
	const char *hash;
	struct remote remote;
	int64_t number;      /* of the last command */
	int64_t idle_ms;     /* it may idle for so long; 0: for ever */
	bool is_unfinished;  /* the last command was given up, and may still run */
	/* why the last sandbox was given up, as the next output has to tell; static */
	const char *why_new;
};

/* Have a sandbox: made where there is none. */
int daytona_have(struct executor *executor, const struct context *ctx, struct rondo_error *err);

/* Give it up, with all that is in it. */
void daytona_drop(struct daytona *daytona, const char *why);

/* Send the helper there. */
int daytona_send_helper(struct daytona *daytona, const struct cancel *cancel,
	struct rondo_error *err);

/* A line for a shell that starts the helper with these words, or ends with DAYTONA_NO_HELPER where
 * it is not there as it was sent: a program may have changed it. In the arena. */
const char *daytona_helper_line(const struct daytona *daytona, const char *const *words, size_t n,
	const char *input, struct arena *arena);

enum { DAYTONA_NO_HELPER = 97 };

/* Run a command in the sandbox; see executor_type's run. */
int daytona_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err);
