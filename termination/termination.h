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
	struct termination *const *children;
	size_t n_children;
	bool fired;
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
	bool takes_children;
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

/* A condition of a type with the defaults of its options, or with settings "name=value". The children are borrowed. */
struct termination *termination_new(struct arena *arena, const struct termination_type *type,
	const char *const *settings, size_t n_settings, struct termination *const *children,
	size_t n_children, struct rondo_error *err);

/* Whether to stop, having seen `delta` now. Once fired it stays so until reset. */
bool termination_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason);

/* As new, children too. */
void termination_reset(struct termination *termination);
