/* What leaves a run, for the journal or for who looks on, holds no key, whoever said it. */
#include <string.h>

#include "run/stages.h"

static const char *clean(const struct secrets *secrets, const char *text, struct arena *arena)
{
	AUTO_STRBUF result = STRBUF_INIT(STRBUF_RECORD);
	if (!text)
		return NULL;
	secrets_redact(secrets, &result, text, strlen(text));
	return arena_strndup(arena, result.text, result.length);
}

const struct rondo_event *run_redact(const struct run *run, const struct rondo_event *event, struct arena *arena)
{
	const struct secrets *secrets = run->secrets;
	if (!secrets || !secrets->n)
		return event;
	struct rondo_event *copy = arena_memdup(arena, event, sizeof *event);
	copy->text = clean(secrets, event->text, arena);
	copy->data = clean(secrets, event->data, arena);
	if (!event->message)
		return copy;
	struct rondo_message *message = arena_memdup(arena, event->message, sizeof *message);
	message->content = clean(secrets, message->content, arena);
	message->data = clean(secrets, message->data, arena);
	copy->message = message;
	return copy;
}
