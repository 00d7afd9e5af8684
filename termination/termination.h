/*
 * When a chat stops. A condition sees only the messages since its last look, and says why it stops.
 * One file a type; `and` and `or` compose.
 */
#pragma once
#include "base/option.h"
#include "chat/context.h"
#include "chat/message_thread.h"

struct termination {
	const struct termination_type *type;
	void *state; /* of the type's state_size, filled from its options */
	enum rondo_verdict verdict;
	bool verdict_is_set; /* by whoever declared it: above what it is made of */
	bool fired;
};

/* What every condition can be told. */
struct termination_common {
	const char *verdict; /* in place of the type's: "success", "limit", "stall", "stopped"; NULL: the type's */
};

/* Why: in words, as AutoGen prints them where it has the condition; and with which verdict. */
struct termination_reason {
	char text[256];
	enum rondo_verdict verdict;
};

struct termination_type {
	const char *name;
	const char *summary;
	enum rondo_verdict verdict; /* unless a scenario says otherwise */
	size_t state_size;
	const struct option *options;
	/* Mandatory: whether it fires on these messages. */
	bool (*check)(struct termination *termination, struct message_span delta,
		struct termination_reason *reason);
	/* Optional: as new. */
	void (*reset)(struct termination *termination);
};

/* The types, in the order of help. */
#define TERMINATION_TYPES(_) _(tests_pass) _(text_mention) _(and) _(or)
#define TERMINATION_DECLARE(name) extern const struct termination_type name##_termination;
TERMINATION_TYPES(TERMINATION_DECLARE)
#undef TERMINATION_DECLARE
extern const struct termination_type *const termination_types[];
extern const size_t termination_types_n;
extern const struct option_family termination_family;

/* A condition of a type, in the arena. `options`: the state that the type's options filled, or NULL for the defaults; it is
 * copied, and what it points at is borrowed. `common` may be NULL. */
struct termination *termination_new(struct arena *arena, const struct termination_type *type,
	const void *options, const struct termination_common *common);

/* The first of several that are made. */
struct termination *termination_any(struct arena *arena, const struct option_specs *conditions);

/* Whether to stop, having seen `delta` now. Once fired it stays so until reset. */
bool termination_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason);

/* As new, with the conditions that it is made of. */
void termination_reset(struct termination *termination);
