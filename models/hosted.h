/*
 * Models that a server answers for. A dialect is how it is spoken with; a provider is who runs it:
 * where it is, whose key it wants, what is odd about it. Inside models/ only.
 */
#pragma once
#include "models/exchange.h"

struct hosted {
	const char *model, *base_url, *key_name;
	double temperature;
	int64_t max_tokens, context, tries, requests_a_minute, tokens_a_minute;
	struct http_limits limits;
	bool stream;
	/* of some dialects */
	const char *effort, *limit_field, *cache;
	/* From here on not by options: */
	double own_temperature; /* the services', where the options name none; below 0: none */
	const struct provider *provider;
	const char *url, *key; /* key NULL: none is needed */
	struct http *http;
	struct pace *pace;
	bool is_openai;      /* OpenAI's server, or Azure's of it, by the URL */
	bool has_swapped;    /* the server wants the other name of max_tokens */
	bool has_no_options; /* it does not know stream_options */
	bool has_no_thought; /* it does not hand out what it thought */
	int64_t most_tokens; /* of a reply, as it said; 0: it did not */
	bool has_told_cut;   /* the user knows that it cuts the context */
};

struct dialect {
	const char *path;       /* behind the base URL: "/chat/completions" */
	const char *key_header; /* before the key: "Authorization: Bearer " */
	const char *header;     /* one more; NULL: none */
	/* The request as JSON; the caller's to free(). */
	char *(*make_body)(const struct hosted *hosted, const struct model_request *request);
	/* Take one JSON object of the answer: an event's, or the whole where there are no events. */
	void (*read)(struct answer *answer, const struct json *json);
	/* Where the server has complained of something that can be asked otherwise: whether the next
	 * request will be another one. NULL: never. */
	bool (*adapt)(struct hosted *hosted, const struct complaint *complaint);
	/* USD for a million tokens that the cache takes in, where nobody says it. NULL: as the rest. */
	double (*written_price)(const struct hosted *hosted, const struct price *price);
};

extern const struct dialect openai_dialect, openai_responses_dialect, anthropic_dialect;

/* Options of every dialect; `struct hosted` begins a model's state. */
#define HOSTED_AT(member) offsetof(struct hosted, member)
/* clang-format off */
#define HOSTED_OPTIONS \
	OPTION("model", STRING, HOSTED_AT(model), "the model, as the provider names it", \
		.required = true, .main = true, .argument = "NAME"), \
	OPTION("base_url", STRING, HOSTED_AT(base_url), \
		"where the API is; else as rondo list models says", .argument = "URL"), \
	OPTION("api_key_env", STRING, HOSTED_AT(key_name), \
		"the variable that holds the key; else as rondo list models says", .argument = "NAME"), \
	OPTION("temperature", NUMBER, HOSTED_AT(temperature), \
		"how much chance there is in it; -1 leaves it to the provider", .least = -1, .most = 2, \
		.fallback = "-1"), \
	OPTION("max_tokens", INT, HOSTED_AT(max_tokens), \
		"the longest reply; 0 leaves it to the provider"), \
	OPTION("context", INT, HOSTED_AT(context), \
		"how many tokens it can read; 0: as rondo's own table says, if it is in it"), \
	OPTION("stream", BOOL, HOSTED_AT(stream), "read the reply while it is written", \
		.fallback = "true"), \
	OPTION("retries", INT, HOSTED_AT(tries), "how often a call is tried that may do better", \
		.fallback = "5", .least = 1, .most = 100), \
	OPTION("requests_per_minute", INT, HOSTED_AT(requests_a_minute), \
		"the most calls that all runs of this process make; 0: as many as the provider allows"), \
	OPTION("tokens_per_minute", INT, HOSTED_AT(tokens_a_minute), \
		"the most tokens that they send; 0: as many as the provider allows"), \
	OPTION("timeout", DURATION, HOSTED_AT(limits.total_ms), "the longest time of one try", \
		.fallback = "30m", .least = 1), \
	OPTION("connect_timeout", DURATION, HOSTED_AT(limits.connect_ms), \
		"until there is a connection", .fallback = "10s", .least = 1), \
	OPTION("first_timeout", DURATION, HOSTED_AT(limits.first_ms), \
		"until the reply begins, with waiting and thinking", .fallback = "5m", .least = 1), \
	OPTION("idle_timeout", DURATION, HOSTED_AT(limits.idle_ms), \
		"the longest silence in a reply", .fallback = "2m", .least = 1)
#define HOSTED_EFFORT \
	OPTION("reasoning_effort", STRING, HOSTED_AT(effort), \
		"how much it thinks before it writes, in the provider's words", .argument = "WORD")
/* clang-format on */

extern const struct option openai_options[], openai_responses_options[], anthropic_options[];

/* Of model_type. */
int hosted_open(struct model *model, struct rondo_error *err);
int hosted_complete(struct model *model, const struct model_request *request, struct arena *arena,
	struct model_reply *reply, const struct context *ctx, struct rondo_error *err);
void hosted_close(struct model *model);

/* What its base URL lacks of a path, or ""; *ret_n: its length without what follows its path. */
const char *hosted_lacks(const struct hosted *hosted, size_t *ret_n);

/* --- For dialects --- */

/* A message as OpenAI's servers take it: a role and a text. `system`: that role's name. */
struct json *hosted_add_message(
	struct json *messages, const struct model_message *message, const char *system);

/* What OpenAI's servers count; the names of both sums differ by dialect. */
void hosted_read_usage(
	struct answer *answer, const struct json *usage, const char *in, const char *out);

/* Whether the server does not know a field, or not with this model. */
bool hosted_is_unknown(const struct complaint *complaint, const char *field);

/* Put the temperature into a request, where there is one. */
void hosted_add_temperature(const struct hosted *hosted, struct json *body);

/* Whether a word is in a list that NULL ends. */
bool hosted_is_one_of(const char *word, const char *const *words);
