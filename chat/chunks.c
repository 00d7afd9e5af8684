#include "chat/chunks.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/utf8.h"

#define MOST_AT_ONCE (64 << 10)
#define MOST_A_SECOND (16 << 10)

/* Who looks on should not be flooded, nor left behind: a preview of the newest. */
static bool chunks_may_tell(struct chunks *chunks, size_t n)
{
	int64_t now = clock_now_ms();
	int64_t more = (now - chunks->allowed_at_ms) * MOST_A_SECOND / 1000;
	bool is_full = !chunks->allowed_at_ms || more > MOST_AT_ONCE - chunks->allowed;
	chunks->allowed = is_full ? MOST_AT_ONCE : chunks->allowed + more;
	chunks->allowed_at_ms = now;
	if ((int64_t)n > chunks->allowed)
		return false;
	chunks->allowed -= (int64_t)n;
	return true;
}

/* The first n bytes of what is held. */
static void chunks_tell(struct chunks *chunks, size_t n)
{
	static const char *const origins[] = {"model", "program"};
	struct strbuf *held = &chunks->held;
	char data[64], end = held->text[n];
	if (!n)
		return;
	utf8_format(data, sizeof data, "{\"from\":\"%s\",\"at\":%" PRIu64 "}", origins[chunks->origin],
		chunks->at);
	held->text[n] = '\0';
	if (chunks_may_tell(chunks, n))
		chunks->ctx->emit.call(chunks->ctx->emit.owner,
			&(struct rondo_event){.type = RONDO_EVENT_CHUNK,
				.source = chunks->source,
				.text = held->text,
				.data = data});
	held->text[n] = end;
	chunks->at += n;
	memmove(held->text, held->text + n, held->length - n);
	strbuf_truncate(held, held->length - n);
}

void chunks_add(void *owner, const char *text, size_t n)
{
	struct chunks *chunks = owner;
	if (!chunks->source || !chunks->ctx->emit.call)
		return;
	strbuf_add(&chunks->held, text, n);
	chunks_tell(chunks, secrets_whole(chunks->secrets, chunks->held.text, chunks->held.length));
}

void chunks_restart(struct chunks *chunks)
{
	strbuf_reset(&chunks->held);
	chunks->at = 0;
}

void chunks_end(struct chunks *chunks)
{
	chunks_tell(chunks, chunks->held.length);
	strbuf_release(&chunks->held);
}
