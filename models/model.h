/*
 * Models: chat completion. Messages in; text, usage and the reason for its end out. One file a
 * type, which is what others call the provider. A call is whole: a type tries again what may be
 * tried again, and what comes back can be paid for, recorded and acted on.
 */
#pragma once
#include "base/http/retry.h"
#include "base/json/json.h"
#include "base/option.h"
#include "base/secrets.h"
#include "chat/budget.h"
#include "chat/context.h"

enum model_role { MODEL_SYSTEM, MODEL_USER, MODEL_ASSISTANT };

/* What they are called in files and by most dialects. */
extern const char *const model_roles[MODEL_ASSISTANT + 1];

struct model_message {
	enum model_role role;
	const char *content;
	const char *provider_data; /* as the reply had it; NULL: none */
};

struct model_request {
	const struct model_message *messages; /* system messages first */
	size_t n;
	/* of these, what nobody said in the chat and no earlier request had: for the record */
	const char *const *own;
	size_t n_own;
};

enum model_finish {
	MODEL_FINISH_STOP,    /* it said all that it had to say */
	MODEL_FINISH_LENGTH,  /* the limit of tokens cut it off: nothing of it may be applied */
	MODEL_FINISH_REFUSED, /* by the model or a filter; the text says what it said */
};

/* Strings lie in the arena given to model_complete. */
struct model_reply {
	const char *text;
	enum model_finish finish;
	struct rondo_usage usage;
	bool usage_known;
	bool counts_cached; /* it says how much of the prompt its cache had */
	/* What the provider wants to see again before the text in later requests; in its own form,
	 * which only its dialect reads. NULL: nothing. */
	const char *provider_data;
};

/* A reply that a run recorded before it broke off: paid for, and not asked for again. */
struct recorded_reply {
	const char *model, *request; /* the hash of what was asked */
	struct model_reply reply;
};

struct recorded_replies {
	struct recorded_reply *items;
	size_t n, next;
};

/* What run/ hands to models; all borrowed, each may be absent. */
struct model_services {
	struct recorded_replies *recorded; /* of the turn with which a run is resumed */
	const struct secrets *secrets;     /* keys */
	struct budget *budget;
	const char *dir; /* where relative file names of the model's options begin */
	/* of models whose options name none, where the server takes it; NULL: the provider's own */
	const double *temperature;
	/* how to wait between tries; the number of them is the model's option */
	const struct retry_options *retry;
};

/* The options of every model. */
struct model_common {
	struct price price;
};

struct model {
	const struct model_type *type;
	const char *name; /* as people know it: "openai/gpt-5-mini", or its name in the scenario */
	const struct model_services *services;
	struct price price;
	int64_t context;    /* how many tokens it can read; 0: nobody knows */
	struct arena arena; /* lives as long as the model */
	void *state;        /* of the type's state_size, filled from its options */
	int64_t calls;      /* by model_complete */
};

struct model_type {
	const char *name;
	const char *summary;
	size_t state_size;
	const struct option *options;
	bool is_free; /* whatever is said of its price */
	const struct provider *provider; /* who runs it (models/provider.h); NULL: no server does */
	/* Optional: what must be there before the first call: files, keys. */
	int (*open)(struct model *model, struct rondo_error *err);
	/* Optional: what the table of options cannot say of them; `dir` is where their files' names
	 * begin. */
	int (*check_options)(const void *options, const char *dir, struct rondo_error *err);
	/* Of a model that stands for others: the ith that is asked, where those before it failed; NULL
	 * after the last. Their calls are theirs. */
	struct model *(*part)(const struct model *model, size_t i);
	/* Mandatory for the rest. Several tries are one call. */
	int (*complete)(struct model *model, const struct model_request *request, struct arena *arena,
		struct model_reply *reply, const struct context *ctx, struct rondo_error *err);
	/* Optional: so many calls were made by the run that is resumed. */
	void (*recall)(struct model *model, int64_t calls);
	/* Optional, also after an open that failed. */
	void (*close)(struct model *model);
};

#define MODEL_SYMBOL(name) name##_model
#define MODEL_TYPES(_) \
	_(openai), _(openai_responses), _(anthropic), _(azure), _(gemini), _(openrouter), _(deepseek), \
		_(ollama), _(llamacpp), _(vllm), _(lmstudio), _(command), _(fallback), _(record), \
		_(replay)
REGISTRY_DECLARE(struct model_type, model_types, MODEL_TYPES(MODEL_SYMBOL));
extern const struct option_family model_family;

/* A model of a type. `options`: the state that the type's options filled, or NULL for the defaults;
 * it is copied, and what it points at is borrowed, as is the services. NULL with err set where it
 * cannot be used. */
struct model *model_new(const struct model_type *type, const char *name, const void *options,
	const struct price *price, const struct model_services *services, struct rondo_error *err);

/* One call, asked of the budget first. Where that refuses, 0 with a reply whose text is NULL:
 * nothing was spent. Request and reply are recorded; a reply that was recorded before is taken, and
 * not recorded again. */
int model_complete(struct model *model, const struct model_request *request, struct arena *arena,
	struct model_reply *reply, const struct context *ctx, struct rondo_error *err);

/* About how many tokens a request has; and how many the model can read, 0 where nobody knows: that
 * may become less where a call fails since it was too long. */
int64_t model_tokens(const struct model_request *request);
int64_t model_context(const struct model *model);

/* Where that is not known, look it up in the list that the server has of its models: one more
 * request, of ten seconds at most. Not known it stays where the server does not say. */
void model_ask_context(struct model *model, const struct cancel *cancel);

/* As after so many calls, by this model, of a run that is gone on with. */
void model_recall(struct model *model, int64_t calls);

/* A reply as the data of its event, and back; in the arena. */
struct json *model_reply_to_json(const struct model_reply *reply);
int model_reply_from_json(const struct json *data, const char *text, struct arena *arena,
	struct model_reply *ret_reply, struct rondo_error *err);

/* Report what the user should know of it. */
int model_notice(const struct model *model, const char *text, const struct context *ctx,
	struct rondo_error *err);

/* Report that a limit of money does not hold, where nobody knows what it costs. */
int model_tell_price(const struct model *model, const struct context *ctx, struct rondo_error *err);

/* A file that a model's option names, relative to the services's directory; in the model's
 * arena. */
const char *model_path(struct model *model, const char *path);
const char *model_path_in(const char *dir, const char *path, struct arena *arena);

void model_free(struct model *model);
