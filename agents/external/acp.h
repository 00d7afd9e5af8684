/*
 * A session with an agent that speaks the Agent Client Protocol, version 1: one JSON-RPC message a
 * line, on its standard input and output. rondo is the client and offers nothing: the agent uses
 * its own tools, in its box. Between the files acp*.c.
 */
#pragma once
#include "agents/external/external.h"
#include "base/json/json_rpc.h"
#include "base/process/coprocess.h"
#include "chat/chunks.h"

enum { ACP_VERSION = 1 };

enum { ACP_TITLE_SIZE = 200, ACP_WORD_SIZE = 32 };

/* What a turn's updates say. They may come without end, and take no more memory then. */
struct acp_turn {
	struct arena *arena;
	struct strbuf text;
	struct chunks chunks;
	const struct context *ctx;
	const char *name; /* the agent's */
	struct acp_step {
		char id[ACP_TITLE_SIZE], title[ACP_TITLE_SIZE];
		char kind[ACP_WORD_SIZE], status[ACP_WORD_SIZE];
	} * steps;
	size_t n_steps, n_more;
	struct strbuf plan; /* the newest, a line an entry */
	bool is_cancelled;
};

struct acp_session {
	struct coprocess *process;
	struct json_rpc_lines lines;
	const struct known_coder *coder;
	const char *mode; /* to set before the first prompt; NULL: one that never asks */
	const char *id;   /* the agent's, of the session; in the agent's arena */
	bool can_load;
	int64_t n_requests;    /* of ours */
	int64_t n_bad;         /* lines of it that are no message */
	struct acp_turn *turn; /* NULL: nobody listens to updates */
	struct external_relay *relay;
	struct external_verdicts *verdicts;
	int64_t idle_ms, heard_ms;
};

/* How a request came out. */
enum acp_end {
	ACP_ANSWERED,
	ACP_REFUSED,   /* by an error */
	ACP_SILENT,    /* nothing was heard for too long */
	ACP_LATE,      /* it took too long */
	ACP_CANCELLED, /* from outside */
	ACP_DEAF,      /* it asks, and does not take the answer */
	ACP_GONE,      /* the agent has ended, or closed its output */
};

/* What came of it; the result lies in the arena that the request was given. */
struct acp_answer {
	enum acp_end end;
	const struct json *result; /* NULL: none */
	int64_t code;              /* of an error */
	const char *text;
};

/* Ask and wait for the answer. Meanwhile the agent's own requests are answered and its updates
 * taken. Takes over `params`. `deadline_ms`: on the monotonic clock. */
void acp_ask(struct acp_session *session, const char *method, struct json *params,
	int64_t deadline_ms, const struct cancel *cancel, struct arena *arena,
	struct acp_answer *ret_answer);

/* Tell it that the turn is over, and wait for its answer to the prompt; false: none came. */
bool acp_cancel(struct acp_session *session, struct arena *arena);

/* Wait until something came, or time is over. */
void acp_wait(struct acp_session *session, int64_t until_ms, const struct cancel *cancel);

/* Start the agent, and a session in it: the one of `loaded` where the agent can load it (then true
 * in *ret_is_loaded), else a new one. The session's coder and mode
 * count, the rest of it is filled. */
int acp_open(struct acp_session *session, struct agent *agent, const char *loaded,
	bool *ret_is_loaded, const struct context *ctx, struct rondo_error *err);

/* End its input, wait two seconds, and kill its box. */
void acp_close(struct acp_session *session);

/* What it complained of last, on a line; "": nothing. */
const char *acp_complaint(const struct agent *agent, struct arena *arena);

/* Take the params of a session/update. What is not known is passed over. */
void acp_update(struct acp_session *session, const struct json *params);

/* The option of session/request_permission that grants it; NULL: there is none. */
const char *acp_permission(const struct json *params);

/* The mode of a session/new's answer in which nothing is asked; NULL: none is known to be so. */
const char *acp_mode(const struct acp_session *session, const struct json *result);
