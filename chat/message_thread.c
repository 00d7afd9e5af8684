#include "chat/message_thread.h"

#include "base/clock.h"
#include "chat/message.h"

const struct rondo_message *message_thread_append(
	struct message_thread *thread, const struct rondo_message *draft)
{
	struct arena *arena = &thread->arena;
	struct rondo_message *message = message_copy(arena, draft);
	message->id = (int64_t)thread->n + 1;
	if (!message->created_at_ms)
		message->created_at_ms = clock_date_ms();
	ARENA_PUSH(arena, thread->messages, thread->n, message);
	return message;
}

struct message_span message_thread_since(const struct message_thread *thread, size_t first)
{
	if (first >= thread->n)
		return (struct message_span){0};
	return (struct message_span){thread->messages + first, thread->n - first};
}

struct message_span message_span_after(struct message_span span, int64_t id)
{
	size_t known = 0;
	while (id && known < span.n && span.messages[known]->id <= id)
		known++;
	return known ? (struct message_span){span.messages + known, span.n - known} : span;
}

void message_thread_release(struct message_thread *thread)
{
	arena_release(&thread->arena);
	*thread = (struct message_thread){0};
}
