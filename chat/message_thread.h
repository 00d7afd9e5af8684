/*
 * The append-only list of what was said. It owns an arena: a message is copied in once and
 * neither moves nor changes afterwards. Its data is parsed then (message_data).
 */
#pragma once
#include "base/arena.h"
#include "include/rondo.h"

struct message_thread {
	struct arena arena;
	const struct rondo_message **messages;
	size_t n;
};

/* Messages in a row; borrowed. */
struct message_span {
	const struct rondo_message *const *messages;
	size_t n;
};

/* Copy a message in, number it, date it where it has no date. Gives the one that stays. */
const struct rondo_message *message_thread_append(
	struct message_thread *thread, const struct rondo_message *draft);

/* What was said from message `first` on (0: all). Valid until the next append. */
struct message_span message_thread_since(const struct message_thread *thread, size_t first);

/* What of a span was said after the message of that id; 0: all of it. Ids rise within a thread. */
struct message_span message_span_after(struct message_span span, int64_t id);

void message_thread_release(struct message_thread *thread);
