/*
 * rondo mcp: tools, reports and diffs for the agents of other programs, by the Model Context
 * Protocol. One thread hears the client, one writes to it, and each call of a tool has its own.
 * Inside run/mcp/ only.
 *
 * There are two eras: the modern one, in which each request says its version, and the legacy one,
 * which begins by `initialize`. A connection may have both.
 */
#pragma once
#include <pthread.h>

#include "base/json/json_rpc.h"
#include "run/run.h"

#define MCP_MODERN "2026-07-28"
#define MCP_LEGACY "2025-11-25" /* the newest */

struct mcp_line {
	char *text;
	size_t n;
	struct mcp_line *next;
};

struct mcp_tool;

/* What a server has for its client. */
struct mcp_offer {
	const struct mcp_tool *const *tools;
	size_t n;
	const char *instructions;
	bool has_resources;
	size_t line_most; /* bytes of a line that is read */
	size_t most_calls;
};

struct verdict_listener;

struct mcp_server {
	const struct mcp_offer *offer;
	const struct mcp_options *options;
	struct verdict_listener *asking; /* in the box of an external agent; NULL: elsewhere */
	struct arena arena;
	struct cancel cancel; /* of all calls; child of the caller's */
	struct cancel gone;   /* nobody listens any more */

	pthread_t hearer;  /* the thread that hears; only it uses these: */
	bool is_legacy;    /* the client has sent initialize */
	bool offers_roots; /* and said that it can be asked for roots */
	struct option_strings first_roots; /* those of the start */
	int64_t n_asked;   /* requests of ours */
	int64_t ticked_at_ms;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	struct mcp_line *first, *last; /* what is to be written */
	size_t n_bytes;                /* of it */
	bool is_over;                  /* nothing follows */
	struct mcp_call *calls;        /* that nobody has joined yet */
	struct option_strings roots;   /* real paths; replaced, never changed */
	bool awaits_roots;             /* the client was asked, and has not answered */
};

/* As run_mcp. `asking`: who answers calls that name no directory; NULL: directories are served. */
int server_run(const struct mcp_offer *offer, const struct mcp_options *options,
	struct verdict_listener *asking, const struct cancel *cancel, struct rondo_error *err);

/* --- outbox.c: what is said to the client --- */

/* Start and end the thread that writes; at the end the client has so long to take the rest. */
int outbox_start(struct mcp_server *server, pthread_t *ret_thread, struct rondo_error *err);
void outbox_end(struct mcp_server *server, pthread_t thread, int64_t timeout_ms);

/* Put a line there; it is taken over. The lock is held, or not. */
void outbox_add(struct mcp_server *server, char *line);
void outbox_add_locked(struct mcp_server *server, char *line);

/* Wait until the client has taken most of what was said: who does not listen is not heard. */
void outbox_await_room(struct mcp_server *server);

/* --- protocol.c: what clients ask --- */

struct mcp_request {
	const char *id; /* JSON text */
	const char *method;
	const struct json *params;
	const char *token; /* of its progress, as JSON text; NULL: nobody wants to hear of it */
	bool is_modern;
	struct arena *arena; /* lives until it is answered, or a call has begun */
};

enum mcp_answer { MCP_ANSWERED, MCP_REFUSED, MCP_LATER };

struct mcp_refusal {
	int64_t code;
	const char *text;
	struct json *data; /* taken over; NULL: none */
};

/* Answer a line of the client's. */
void protocol_take(struct mcp_server *server, const char *line, size_t n);

/* Answer one that was too long to be read. */
void protocol_refuse_length(struct mcp_server *server);

/* Say what came of a request; `result` is taken over. */
char *protocol_result(const char *id, bool is_modern, struct json *result);

/* Each puts its answer into `result`, or says why not. */
enum mcp_answer tools_list(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal);
enum mcp_answer tools_call(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal);
enum mcp_answer resources_list(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal);
enum mcp_answer resources_templates(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal);
enum mcp_answer resources_read(struct mcp_server *server, const struct mcp_request *request,
	struct json *result, struct mcp_refusal *refusal);

/* --- roots.c: which directories calls may name --- */

/* Those of the options, else of the current directory. */
int roots_begin(struct mcp_server *server, struct rondo_error *err);

/* Where the client is the one who says, ask it; and take its answer. */
void roots_ask(struct mcp_server *server);
void roots_take(struct mcp_server *server, const struct json_rpc_message *answer);

/* As they are now. Waits for the client's answer, but not long; who hears that answer does not
 * wait: until then, those before count. */
struct option_strings roots_now(struct mcp_server *server);

/* The real path of what a call names (NULL: the one root), in the arena; an error where it is not
 * below one of the roots, which are given, too. */
const char *roots_resolve(struct mcp_server *server, const char *path, struct arena *arena,
	struct option_strings *ret_roots, struct rondo_error *err);

/* --- calls.c: tools that run --- */

struct mcp_call {
	struct mcp_server *server;
	const struct mcp_tool *tool;
	struct arena arena;
	const char *id, *token; /* as of mcp_request */
	bool is_modern;
	void *state; /* what the tool's options fill */
	struct cancel cancel;
	pthread_t thread;
	int64_t started_at_ms;

	/* With the server's lock. */
	bool is_cancelled; /* the client wants to hear no more of it */
	bool is_done;
	const char *repo;  /* where it works; NULL: not known yet, or nowhere */
	char run[40];      /* the run's id; "": none yet */
	const char *stage; /* static */
	char doing[256];   /* within the stage */
	int64_t progress;  /* how often it was told */
	int64_t told_at_ms;
	struct mcp_call *next;
};

/* Start a call whose arena and members up to `state` are set; it is taken over. */
int calls_start(struct mcp_call *call, struct rondo_error *err);
void calls_free(struct mcp_call *call);

/* The client wants to hear no more of this one. */
void calls_cancel(struct mcp_server *server, const char *id);

/* Whether a call that has not been answered has this id. */
bool calls_have(struct mcp_server *server, const char *id);

/* Tell of progress where that is due, and join those that have ended. */
void calls_tick(struct mcp_server *server);

/* Cancel all, and wait until they have ended. */
void calls_end(struct mcp_server *server);

/* For a run: where its events go, and what stops it. */
struct context calls_context(struct mcp_call *call);

/* --- tools: a file for each --- */

struct mcp_result {
	struct json *structured; /* taken over */
	const char *run;         /* its report and diff can be read; NULL: there is none */
	const char *failure;     /* why there is no judgement; NULL: there is one, whichever */
};

struct mcp_tool {
	const char *name, *title;
	const char *description; /* for a model */
	const struct option *options;
	size_t state_size;
	bool only_reads;                       /* no branch is made */
	bool always_load;                      /* a client that hides tools behind a search shows it */
	void (*describe)(struct json *schema); /* of what `structured` is */
	/* In a thread of its own. -1 with err: words that the model can act on. */
	int (*run)(
		void *state, struct mcp_call *call, struct mcp_result *result, struct rondo_error *err);
};

#define MCP_TOOL_SYMBOL(name) name##_tool
#define MCP_TOOLS(_) _(verify), _(fix), _(baseline), _(status), _(show)
REGISTRY_DECLARE(struct mcp_tool, mcp_tools, MCP_TOOLS(MCP_TOOL_SYMBOL));

/* In the box of an external agent there is only this one. */
extern const struct mcp_tool asked_verify_tool;

/* The options of the server with those of a call over them, at a place that is checked. */
int tools_options(struct mcp_call *call, const struct fix_options *given,
	struct fix_options *ret_options, struct rondo_error *err);

/* Which run it was, and why there is no judgement where there is none. */
void tools_take_report(
	struct mcp_call *call, const struct run_report *report, struct mcp_result *result);

/* A property of an object's schema; borrowed. */
struct json *tools_add_property(
	struct json *schema, const char *name, const char *type, const char *description);

/* --- arguments.c: options by JSON --- */

/* The JSON Schema of an object of these options. */
void arguments_describe(const struct option *options, struct json *schema);

/* Fill the state. The error names the argument, and what is meant. */
int arguments_read(const struct option *options, const struct json *arguments, void *state,
	struct arena *arena, struct rondo_error *err);

/* --- resources.c: what runs left --- */

/* The directory of a run in one of the roots, by the beginning of its id (NULL or "last": the
 * newest there); in the arena. */
const char *resources_find(
	struct mcp_server *server, const char *prefix, struct arena *arena, struct rondo_error *err);

/* The n newest runs in the roots; in the arena. */
const char **resources_newest(struct mcp_server *server, size_t n, struct arena *arena,
	size_t *ret_n, struct rondo_error *err);

/* Append links to what a run left. */
void resources_add_links(struct json *content, const char *run, struct arena *arena);
