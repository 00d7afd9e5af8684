/*
 * When a chat stops. A condition sees only the messages since its last look, and says why it stops.
 * One file a type; `and` and `or` compose.
 */
#pragma once
#include <stdatomic.h>

#include "base/json/json.h"
#include "base/option.h"
#include "chat/budget.h"
#include "chat/context.h"
#include "chat/message_thread.h"

/* What run/ hands to conditions; all borrowed, each may be absent. */
struct termination_services {
	struct budget *budget; /* what is spent on models */
	/* where relative file names of the conditions' options begin */
	const char *dir;
	const atomic_bool *stop_requested; /* from outside, by a signal or a caller of the API */
};

/* Why a chat stops: in words, as AutoGen prints them where it has the condition. */
struct termination_reason {
	char text[256];
	enum rondo_stop_kind stop_kind;
	const char *condition;               /* the type's name; static */
	const struct rondo_message *message; /* that made it fire; NULL: none did */
};

struct termination {
	const struct termination_type *type;
	const struct termination_services *services;
	struct arena *arena; /* where it lies */
	void *state;         /* of the type's state_size, filled from its options */
	enum rondo_stop_kind stop_kind;
	bool stop_kind_is_set; /* by whoever declared it: above what it is made of */
	bool fired;
	struct termination_reason reason; /* where it has fired */
};

/* The word for a stop kind; static. */
const char *stop_kind_word(enum rondo_stop_kind kind);

/* A stop kind as it was saved; "verdict" in old journals. One that is unknown is the
 * worst. */
enum rondo_stop_kind stop_kind_load(const struct json *from);

/* The options of every condition. */
struct termination_common {
	/* in place of the type's: "success", "limit", "stall", "stopped"; NULL: the type's */
	const char *stop_kind;
};

/* A whole number of a condition's state that counts from its reset on. */
struct termination_count {
	const char *name; /* in a save; NULL: the end of a list */
	size_t offset;    /* of an int64_t in the state */
};

struct termination_type {
	const char *name;
	const char *summary;
	enum rondo_stop_kind stop_kind; /* unless a scenario says otherwise */
	size_t state_size;
	const struct option *options;
	/* Optional: what the table of options cannot say of them, such as that a pattern is none. */
	int (*check_options)(const void *options, struct rondo_error *err);
	/* Optional: a run of the team begins; clocks go from here. */
	void (*start)(struct termination *termination);
	/* One of these two: whether this message makes it fire, and why in words; or, for what is not a
	 * matter of one message, 1 where it fires on these, 0 where not. The words count only there. */
	bool (*hears)(struct termination *termination, const struct rondo_message *message,
		struct termination_reason *reason);
	int (*check)(struct termination *termination, struct message_span delta,
		struct termination_reason *reason, const struct context *ctx, struct rondo_error *err);
	/* Whether it also hears an answer that is empty and not on the thread (termination_hear_empty).
	 */
	bool hears_empty;
	/* Optional: when it is going to fire whatever is said, on the monotonic clock; 0: never. */
	int64_t (*deadline)(const struct termination *termination);
	/* Optional: what a reset sets to 0, and what a save keeps. */
	const struct termination_count *counts;
	/* Optional, for any other state: reset it; save it as members of a JSON object; load it. What
	 * cannot be loaded is reset. */
	void (*reset)(struct termination *termination);
	void (*save)(const struct termination *termination, struct json *to);
	void (*load)(struct termination *termination, const struct json *from);
};

/* The types, in the order of help. */
#define TERMINATION_SYMBOL(name) name##_termination
#define TERMINATION_TYPES(_) \
	_(tests_pass), _(text_mention), _(text_message), _(stop_message), _(source_match), _(handoff), \
	_(max_messages), _(token_usage), _(max_cost), _(timeout), _(no_progress), _(empty_message), \
	_(external), _(command), _(and), _(or)
REGISTRY_DECLARE(struct termination_type, termination_types, TERMINATION_TYPES(TERMINATION_SYMBOL));
extern const struct option_family termination_family;

/* What the table of options cannot say of a condition that was declared. */
int termination_check_options(const struct option_spec *spec, struct rondo_error *err);

/* A condition of a type, in the arena. `options`: the state that the type's options filled, or NULL
 * for the defaults; it is copied, and what it points at is borrowed, as is the services. `common`
 * and `services` may be NULL. */
struct termination *termination_new(struct arena *arena, const struct termination_type *type,
	const void *options, const struct termination_common *common,
	const struct termination_services *services);

/* The first of several that are made. */
struct termination *termination_any(struct arena *arena, const struct option_specs *conditions);

/* A run of the team begins. */
void termination_start(struct termination *termination);

/* 1 where to stop, having seen `delta` now; 0 where not. Once fired it stays so until reset, with
 * the same reason. -1: it could not be checked. */
int termination_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err);

/* The same of an agent that had to answer, and had nothing to say. */
int termination_hear_empty(struct termination *termination, const char *source,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err);

/* When it fires whatever is said, on the monotonic clock; 0: never. */
int64_t termination_deadline(const struct termination *termination);

/* Reset it, with the conditions that it is made of. */
void termination_reset(struct termination *termination);

/* Its state with that of the conditions that it is made of; the caller's. NULL: as after a
 * reset. */
struct json *termination_save(const struct termination *termination);
void termination_load(struct termination *termination, const struct json *from);

/* What must be said to make a text_mention with these options fire, and by whom (none: anybody);
 * NULL: it is no one text. */
const char *text_mention_word(const void *options, struct option_strings *ret_sources);

/* --- For conditions --- */

/* Whether a message is the task, or a part of it. */
bool termination_is_task(const struct rondo_message *message);
