#include "models/telling.h"

#include <string.h>

#include "base/clock.h"

#define PROGRESS_MS 250 /* between two lines of progress */

static size_t telling_count_characters(const struct strbuf *text)
{
	size_t n = 0;
	for (size_t i = 0; i < text->length; i++)
		n += ((unsigned char)text->text[i] & 0xc0) != 0x80;
	return n;
}

static void telling_progress(struct telling *telling, const struct answer *answer)
{
	int64_t now = clock_now_ms();
	if (now - telling->told_ms < PROGRESS_MS)
		return;
	telling->told_ms = now;
	size_t n = answer->text.length ? telling_count_characters(&answer->text) : answer->thought;
	const char *doing = answer->text.length ? "writing" : "thinking";
	if (n < 1000)
		context_progress(
			telling->ctx, telling->model, "%s, %zu character%s", doing, n, text_plural(n));
	else if (n < 1000000)
		context_progress(
			telling->ctx, telling->model, "%s, %zu,%03zu characters", doing, n / 1000, n % 1000);
	else
		context_progress(telling->ctx, telling->model, "%s, %zu,%03zu,%03zu characters", doing,
			n / 1000000, n / 1000 % 1000, n % 1000);
}

void telling_answer(struct telling *telling, const struct answer *answer)
{
	AUTO_ARENA arena = ARENA_INIT;
	if (!telling->ctx->emit.call)
		return;
	telling_progress(telling, answer);
	const char *words = answer_since(answer, &telling->told, &arena);
	chunks_add(&telling->chunks, words, strlen(words));
}

void telling_restart(struct telling *telling)
{
	telling->told = 0;
	chunks_restart(&telling->chunks);
}

void telling_end(struct telling *telling)
{
	chunks_end(&telling->chunks);
}
