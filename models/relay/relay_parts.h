/* The parts of the relay. Inside models/relay/ only, and for tests. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "base/http/http.h"
#include "base/http/sse.h"
#include "base/unix_socket.h"
#include "models/model_answer.h"
#include "models/relay/relay.h"
#include "models/relay/relay_request.h"
#include "models/shape.h"

/* --- What is asked for: relay_route.c --- */

enum relay_dialect { RELAY_CHAT, RELAY_RESPONSES, RELAY_MESSAGES, RELAY_GEMINI };

struct relay_route {
	enum relay_dialect dialect;
	bool is_call; /* it costs something; else a list or a count */
	/* of the path, below what the base URL says: "/chat/completions"; and what stood before it */
	const char *tail, *prefix;
	const char *query; /* without keys; "": none */
	const char *model; /* that the path names; NULL: none */
	char shown[160];   /* the path as entries have it */
};

/* What a request is for. -1 with ret_fault set where the relay does not pass it on; dialect and
 * shown are known then, too. Strings lie in the arena. */
int relay_route_find(const struct relay_request *request, struct arena *arena,
	struct relay_route *ret_route, struct relay_fault *ret_fault);

/* Where it goes; in the arena. */
const char *relay_route_url(
	const struct relay_route *route, const char *base_url, struct arena *arena);

/* The headers that go along, "Name: value" ..., NULL: the agent's without its keys and what belongs
 * to its connection, and the upstream's key. In the arena. */
const char *const *relay_route_headers(const struct relay_route *route,
	const struct relay_request *request, const struct relay_upstream *upstream,
	struct arena *arena);

/* Whether a header belongs to one connection, and is not for whoever is behind it. */
bool relay_route_is_hop(const char *name);

/* --- What the relay answers itself: relay_refusal.c --- */

/* An error as the dialect has it; the caller's to free(). */
char *relay_refusal_body(enum relay_dialect dialect, int status, const char *why);

const char *relay_refusal_phrase(int status);

/* --- What is asked, and what it may cost: relay_question.c --- */

struct relay_question {
	const char *model; /* "": it names none */
	bool is_stream;
	bool asks_usage;   /* Chat Completions: at the end of a stream */
	bool says_options; /* what it says of that stays as it is */
	int64_t tokens;    /* about */
};

/* Read a body. -1 with ret_fault set where it is no JSON object. Strings lie in the arena. */
int relay_question_read(const struct relay_route *route, const char *body, size_t n,
	struct arena *arena, struct relay_question *ret_question, struct relay_fault *ret_fault);

/* The body that asks for usage as well. */
void relay_question_ask_usage(const char *body, size_t n, struct strbuf *asking);

/* What a model costs here. */
struct price relay_question_price(const struct relay_route *route,
	const struct relay_upstream *upstream, const char *host, const char *model);

/* --- What was spent: relay_count.c --- */

struct relay_count {
	enum relay_dialect dialect;
	struct answer answer;
	struct shape shape;
	struct sse sse;
	struct strbuf body; /* what comes in no events */
	bool is_stream, is_over;
	bool has_failed;            /* it cannot be read: only its bytes are known */
	int64_t n_silent;           /* events that brought no text: parts of calls of tools */
	struct complaint complaint; /* within a stream that began well */
	const struct secrets *secrets;
};

void relay_count_init(
	struct relay_count *count, enum relay_dialect dialect, const struct secrets *secrets);

/* Before the first bytes: what the answer says that it is. */
void relay_count_begin(struct relay_count *count, const char *content_type);
void relay_count_feed(struct relay_count *count, const char *bytes, size_t n);

/* At the end. What the host said, or about what a call of so many tokens cost where it did not;
 * then *ret_known is false. */
struct rondo_usage relay_count_finish(struct relay_count *count, int64_t asked, bool *ret_known);
void relay_count_release(struct relay_count *count);

/* --- Connections: relay_connection.c --- */

struct relay_connection {
	struct relay *relay;
	struct relay_connection *next;
	pthread_t thread;
	int fd;
	struct cancel cancel; /* fired where the agent has gone, too */
	atomic_bool is_busy;  /* with an answer: whether the agent goes is watched */
	atomic_bool is_idle;  /* between two requests */
	atomic_bool is_over;
	size_t start, end; /* of what has been read and not used */
	char bytes[RELAY_MOST_HEAD + 1];
};

/* The thread of a connection. */
void *relay_connection_work(void *connection);

/* Send all of it. False: the agent has gone, or the relay ends. */
bool relay_connection_send(struct relay_connection *connection, const char *bytes, size_t n);

/* --- A request that is passed on: relay_call.c --- */

struct relay_call {
	struct relay_connection *connection;
	const struct relay_request *request;
	const struct relay_route *route;
	const struct strbuf *body;
	struct relay_entry entry;
	int64_t start_ms;
	bool keeps; /* the connection can take another request afterwards */
};

/* Pass it on and answer. */
void relay_call_pass(struct relay_call *call, struct arena *arena);

/* Answer with an error of the relay's own. */
void relay_call_refuse(struct relay_call *call, int status, const char *why);

/* --- The answer, on its way to the agent: relay_answer.c --- */

struct relay_answer {
	struct relay_call *call;
	struct http_response response;
	struct strbuf headers; /* "Name: value" CR LF ... */
	struct strbuf events;  /* the beginning of one, where events are left out */
	struct strbuf held;    /* what a key may begin with */
	struct strbuf out;
	struct strbuf error; /* of an answer of 400 and above, its beginning */
	struct relay_count count;
	bool hides_usage;  /* the agent did not ask for the event that says what it cost */
	bool may_ask_anew; /* an error is not sent yet: without that wish it may be none */
	bool is_begun, has_gone;
};

void relay_answer_init(struct relay_answer *answer, struct relay_call *call, bool hides_usage);
void relay_answer_header(void *answer, const char *name, const char *value);
bool relay_answer_is_good(const struct relay_answer *answer); /* by its status */
enum http_taken relay_answer_take(void *answer, const char *bytes, size_t n);

/* Send what is left, and the end. False: the agent has gone. */
bool relay_answer_finish(struct relay_answer *answer);
void relay_answer_release(struct relay_answer *answer);

/* --- The relay itself: relay.c --- */

enum { RELAY_MOST_FAULTS = 8, RELAY_MOST_ENTRIES = 256, RELAY_MOST_IDLE = 8 };

struct relay_host_fault {
	int status; /* 0: it did not answer */
	int64_t n;
	char why[240]; /* the last one's */
};

struct relay_idle_http {
	struct relay_idle_http *next;
	struct http *http;
};

struct relay {
	struct relay_options options;
	char host[256]; /* the upstream's */
	struct secrets key;
	const char *key_names[1], *key_values[1];
	struct cancel cancel;
	struct unix_socket socket;
	int wake, told;
	pthread_t thread;
	struct relay_connection *connections; /* the thread's alone */
	size_t n_connections;
	atomic_size_t held;          /* bytes of bodies */
	atomic_bool refuses_options; /* the host does not know stream_options */
	pthread_mutex_t lock;        /* of what follows */
	struct relay_idle_http *idle;
	size_t n_idle;
	struct relay_sums sums, before;
	struct relay_host_fault faults[RELAY_MOST_FAULTS]; /* of this turn */
	size_t n_faults, n_entries, first_entry;
	struct relay_entry entries[RELAY_MOST_ENTRIES];
};

/* A handle that nobody uses, with its open connections, and back. */
struct http *relay_take_http(struct relay *relay);
void relay_put_http(struct relay *relay, struct http *http);

/* A request is over. */
void relay_tell(struct relay *relay, const struct relay_entry *entry);

/* The budget has refused a call. */
void relay_tell_exhausted(struct relay *relay);

/* Have the thread look at its connections. */
void relay_wake(struct relay *relay);
