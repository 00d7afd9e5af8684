/*
 * What the files of the executor "daytona" share: Daytona's REST API, and the toolbox that each sandbox has. Inside executors/
 * only. Wire, states and limits are as the SDK has them.
 */
#pragma once
#include "base/http.h"
#include "base/json.h"
#include "base/secrets.h"
#include "executors/daytona/answer.h"

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
	bool is_once; /* doing it twice is another thing: only what was refused for its time is tried again */
	int fd; /* above 0: takes the answer's bytes, up to most_bytes */
	size_t most_bytes;
	/* Filled in: */
	int status;       /* 0: there was no whole answer */
	int64_t asked_ms; /* when the last try began, on the monotonic clock */
};

/* Do it. 0 where it was done (2xx), with the answer's JSON (NULL: it had no body) in *ret_json, which may be NULL: it is not
 * wanted. The error says what Daytona said of it. */
int daytona_call(const struct daytona_api *api, struct daytona_call *call, struct json **ret_json,
	const struct cancel *cancel, struct rondo_error *err);

/* A text as part of a URL's path or query, in the arena. */
const char *daytona_quote_url(const char *text, struct arena *arena);

/* What a sandbox is made of; members that are NULL or 0 are not asked for. */
struct daytona_wish {
	const char *name, *label, *target, *snapshot, *image, *language,
		*owner; /* label: no other sandbox has it */
	int64_t cpu, memory, disk, stop_ms, delete_ms, start_ms;
	bool has_network;
	const struct option_texts *env;
};

struct daytona_sandbox {
	const char *id, *toolbox; /* the URL that its toolbox answers below */
};

/* Make one and wait until it has started; strings lie in the arena. Where that fails, none is left. */
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

/* Run a line of sh in the sandbox. -1 with *ret_status: 408 where its time was over, 0 where no whole answer came. */
struct daytona_line {
	const char *line, *cwd; /* cwd NULL: where the toolbox is */
	const char *const *env; /* NAME=value ..., NULL; may be NULL */
	const char *const *more_env;
	int64_t timeout_ms; /* 0: a day */
	bool is_once;
};
int daytona_execute(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const struct daytona_line *line, struct arena *arena, int *ret_code, const char **ret_text,
	int *ret_status, const struct cancel *cancel, struct rondo_error *err);

/* A file that goes into the sandbox. */
struct daytona_file {
	const char *to;         /* its path there */
	const char *dir, *name; /* where it is here; NULL: it is the text */
	const char *text;
};

int daytona_upload(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const struct daytona_file *files, size_t n, const struct cancel *cancel,
	struct rondo_error *err);

/* A file of the sandbox, into a descriptor. -1 with *ret_status 404 where there is none. */
int daytona_download(const struct daytona_api *api, const struct daytona_sandbox *sandbox,
	const char *path, int fd, size_t most_bytes, int *ret_status, const struct cancel *cancel,
	struct rondo_error *err);

/* Let it idle for so long before it stops by itself, from now on. */
int daytona_sandbox_allow_idle(const struct daytona_api *api, const char *id, int64_t idle_ms,
	const struct cancel *cancel, struct rondo_error *err);

/* The executor's state; what stands first is filled by options. */
struct daytona_resources {
	int64_t cpu, memory, disk;
};

struct daytona {
	const char *api_url, *target, *snapshot, *image, *name, *language;
	struct daytona_resources resources;
	int64_t stop_ms, delete_ms, start_ms;
	/* From here on not by options: */
	struct daytona_api api;
	struct daytona_sandbox sandbox;
	struct world world; /* as it is there */
	const char *place;  /* a directory of rondo's own in the sandbox */
	const char *const
		*kept; /* paths in the tree that programs have for themselves; NULL-terminated */
	struct mirror tree, cache, packages;
	const char *packages_at; /* where they have to be; NULL: nowhere, or they are there */
	int64_t number;     /* of the last command */
	int64_t idle_ms;    /* it may idle for so long; 0: for ever */
	bool is_unfinished; /* the last command was given up, and may still run */
};

/* One command on its way. */
struct errand {
	struct executor *executor;
	struct daytona *daytona;
	const struct command *command;
	struct process_result *result;
	const struct context *ctx;
	struct arena *arena;
	struct mirror_changes tree, cache, packages; /* that go with it */
	int64_t start_ms;
	bool is_timed_out;
};

#define DAYTONA_MOST_OUTPUT ((uint64_t)256 << 20)

/* Send what changed here since the last command; it is in its place when the next one runs. */
int daytona_push(struct errand *errand, struct rondo_error *err);

/* True in *ret_started: the sandbox had stopped by itself, and runs again. */
int daytona_wake(struct errand *errand, bool *ret_started, struct rondo_error *err);

/* Take over what the command printed and changed, and say what became of it. `code` and `text`: what the toolbox said. */
int daytona_bring_back(struct errand *errand, int code, const char *text, struct rondo_error *err);

/* Run a command in the sandbox; see executor_type's run. */
int daytona_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err);
