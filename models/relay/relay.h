/*
 * The relay: the only host that a coding agent in a sandbox can reach. It listens on a unix socket,
 * which a program in the box (executors/relay_port/) shows as http://127.0.0.1:PORT, and passes
 * Chat Completions, Responses, Messages and Gemini's generateContent on to one host of models.
 *
 * The agent has a dummy key; the relay puts the real one in where that stands, and takes it out of
 * whatever the host answers. It counts tokens alike for all agents, asks the budget before each
 * call, and refuses what is no call of a model. It never tries again: answers that failed reach the
 * agent as they are. What the host does for an agent (images by URL, searches, tools of others that
 * it calls) is the host's, and not stopped here.
 *
 * What an agent may use as its base URL, after http://127.0.0.1:PORT: nothing, /v1, /v1beta,
 * /v1alpha, /openai, /openai/v1, /anthropic, /api/v1 and the like, since only the end of a path
 * says what is meant:
 *
 *	POST .../chat/completions                             Chat Completions
 *	POST .../responses  .../responses/compact             Responses
 *	POST .../messages  .../messages/count_tokens          Messages
 *	POST .../models/NAME:generateContent  :streamGenerateContent  :countTokens   Gemini
 *	GET  .../models  .../models/NAME                      the list of models, in any dialect
 *
 * Where the host is follows from the upstream's base URL, not from the agent's; only of one without
 * a path (https://HOST) the agent's path is kept. OPENAI_BASE_URL=URL/v1, ANTHROPIC_BASE_URL=URL,
 * GOOGLE_GEMINI_BASE_URL=URL are right with all of them.
 */
#pragma once
#include <stdint.h>
#include <sys/types.h>

#include "base/cancel.h"
#include "base/secrets.h"
#include "chat/budget.h"

struct model;
struct relay;

/* The one host that calls are passed on to. Strings are borrowed. */
struct relay_upstream {
	const char *base_url;   /* as a model's option base_url has it */
	const char *key;        /* NULL: the host needs none */
	const char *key_name;   /* what the key is called where it is redacted; NULL: "API_KEY" */
	const char *key_header; /* before the key, such as "api-key: "; NULL: as the dialect has it */
	const char *model;      /* whose price the next one is; NULL: nobody's */
	/* Of that model, and of those that the table of prices does not know. */
	struct price price;
};

struct relay_options {
	/* Where it listens; there must be no such file. The directory is made where it is missing, for
	 * its owner alone. A path may be longer than sun_path. */
	const char *socket;
	/* Whose the socket is, and the directory if it was made; both 0 or -1: this process's. */
	uid_t uid;
	gid_t gid;
	struct relay_upstream upstream;
	struct budget *budget;         /* NULL: no limits */
	const struct secrets *secrets; /* keys that no entry may hold; NULL: none but the upstream's */
	const struct cancel *cancel;   /* ends all that the relay does, at once; may be NULL */
};

/* A request that is over. Strings are text that steers nothing, without keys. */
struct relay_entry {
	char method[8], path[160]; /* without its query */
	char model[96];            /* "": none was named */
	int status;                /* that the agent got; 0: it got none, or had gone */
	bool is_refused;           /* by the relay itself: nothing was passed on */
	bool is_silent;            /* no answer came from the host: the status is the relay's */
	bool is_broken;            /* the answer broke off, or the agent went before its end */
	bool usage_known;          /* else the tokens are estimated, and lost where it is broken */
	bool is_least;             /* nothing came, and the host may count more than the prompt */
	struct rondo_usage usage;
	double usd; /* what that cost, by the price of the model that was named; below 0: not known */
	int64_t duration_ms;
	char why[240]; /* what went wrong, in words, or "" */
};

/* Sums of many requests. */
struct relay_sums {
	int64_t requests; /* that were passed on; the rest was refused */
	int64_t refused;
	int64_t faults; /* of the requests: those without an answer, or with one of 400 and above */
	struct rondo_usage usage;
	double usd;             /* as far as it is known */
	int64_t n_unknown_cost; /* by how many calls nobody knows what was spent */
	bool is_exhausted;      /* a call was refused since a limit stood in the way */
};

/* Whom a model asks, for a relay to ask as well; borrowed from the model. An error (of usage) where
 * it asks no server: replay, record, fallback. */
int relay_upstream_of(
	struct model *model, struct relay_upstream *ret_upstream, struct rondo_error *err);

/* Listen from now on, in threads of the relay's own. Options are borrowed until relay_end. */
int relay_start(
	const struct relay_options *options, struct relay **ret_relay, struct rondo_error *err);

/* End all connections at once, wait for the threads and remove the socket. NULL is fine. */
void relay_end(struct relay *relay);

/* --- From any thread, while it works --- */

/* The next request that is over and was not taken yet; false: there is none. Of very many at once
 * the oldest are lost. relay_fd is readable while there may be one. */
bool relay_take(struct relay *relay, struct relay_entry *ret_entry);
int relay_fd(const struct relay *relay);

/* Of all requests; and of those that ended since this was last called: a turn's, with what went
 * wrong with the host in it, on one line for people: "HTTP 429 from api.openai.com (9 times): Rate
 * limit reached ..."; appends nothing where nothing did. */
void relay_sums(struct relay *relay, struct relay_sums *ret_sums);
void relay_turn(struct relay *relay, struct relay_sums *ret_sums, struct strbuf *faults);
