#include "models/model_answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/*
 * Half of a surrogate pair has no form in UTF-8. While an answer grows, the private characters
 * U+10D800 to U+10DFFF stand for them; a provider's own use of these, if any, is lost.
 */
#define HALVES 0x100000U
#define REPLACEMENT "\xef\xbf\xbd"

static bool answer_is_high(unsigned code)
{
	return code >= 0xd800 && code < 0xdc00;
}

static bool answer_is_low(unsigned code)
{
	return code >= 0xdc00 && code < 0xe000;
}

/* The code of an escape \uXXXX at `text`, or -1U. */
static unsigned answer_read_escape(const char *text, size_t n)
{
	char code[5] = "";
	if (n < 6 || text[0] != '\\' || text[1] != 'u')
		return -1U;
	memcpy(code, text + 2, 4);
	return strspn(code, "0123456789abcdefABCDEF") == 4 ? (unsigned)strtoul(code, NULL, 16) : -1U;
}

/* Any character beyond U+FFFF. */
static void answer_add_character(struct strbuf *sb, unsigned code)
{
	const char bytes[] = {(char)(0xf0 | code >> 18), (char)(0x80 | (code >> 12 & 0x3f)),
		(char)(0x80 | (code >> 6 & 0x3f)), (char)(0x80 | (code & 0x3f))};
	strbuf_add(sb, bytes, sizeof bytes);
}

/* Copy the escape at `text`, or what stands for it; gives how many bytes were read. */
static size_t answer_mend_escape(struct strbuf *sb, const char *text, size_t n)
{
	unsigned code = answer_read_escape(text, n);
	size_t size = code != -1U ? 6 : n > 1 ? 2 : 1;
	if (answer_is_high(code) && answer_is_low(answer_read_escape(text + 6, n - 6)))
		strbuf_add(sb, text, size = 12);
	else if (answer_is_high(code) || answer_is_low(code))
		answer_add_character(sb, HALVES + code);
	else if (code == 0)
		strbuf_adds(sb, REPLACEMENT);
	else
		strbuf_add(sb, text, size);
	return size;
}

static void answer_mend_escapes(struct strbuf *sb, const char *text, size_t n)
{
	size_t plain = 0;
	for (const char *escape; (escape = memchr(text + plain, '\\', n - plain));) {
		size_t at = (size_t)(escape - text);
		strbuf_add(sb, text + plain, at - plain);
		plain = at + answer_mend_escape(sb, escape, n - at);
	}
	strbuf_add(sb, text + plain, n - plain);
}

/* Whether something may have to be mended. Most texts have no backslash: memchr finds that soon. */
static bool answer_has_escape(const char *text, size_t n)
{
	const char *end = text + n;
	while ((text = memchr(text, '\\', (size_t)(end - text))) && end - text > 1) {
		if (text[1] == 'u')
			return true;
		text += 2;
	}
	return false;
}

struct json *answer_parse(
	struct answer *answer, const char *text, size_t n, struct rondo_error *err)
{
	AUTO_STRBUF clean = STRBUF_INIT(3 * n + 1);
	AUTO_STRBUF mended = STRBUF_INIT(3 * n + 1);
	if (utf8_valid_length(text, n) < n) {
		answer->is_damaged = true;
		utf8_scrub(&clean, text, n);
		text = clean.text;
		n = clean.length;
	}
	if (!answer_has_escape(text, n))
		return json_parse(text, n, err);
	answer_mend_escapes(&mended, text, n);
	return json_parse(mended.text, mended.length, err);
}

/* The half that stands at `text`, or 0. */
static unsigned answer_half_at(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;
	if (bytes[0] != 0xf4 || bytes[1] != 0x8d || bytes[2] < 0xa0)
		return 0;
	return 0xd000 | (bytes[2] & 0x3fU) << 6 | (bytes[3] & 0x3fU);
}

static const char *answer_join_halves(const char *at, struct arena *arena)
{
	AUTO_STRBUF joined = STRBUF_INIT(STRBUF_RECORD);
	const char *mark;
	if (!strchr(at, '\xf4'))
		return arena_strdup(arena, at);
	while ((mark = strchr(at, '\xf4'))) {
		unsigned half = answer_half_at(mark), next = half ? answer_half_at(mark + 4) : 0;
		strbuf_add(&joined, at, (size_t)(mark - at));
		at = mark + 4;
		if (answer_is_high(half) && answer_is_low(next)) {
			answer_add_character(&joined, 0x10000 + ((half & 0x3ff) << 10 | (next & 0x3ff)));
			at += 4;
		} else if (half) {
			strbuf_adds(&joined, REPLACEMENT);
		} else {
			strbuf_add(&joined, mark, 4);
		}
	}
	strbuf_adds(&joined, at);
	return arena_strndup(arena, joined.text, joined.length);
}

const char *answer_since(const struct answer *answer, size_t *at, struct arena *arena)
{
	const struct strbuf *text = &answer->text;
	size_t end = text->length;
	if (end >= *at + 4 && answer_is_high(answer_half_at(text->text + end - 4)))
		end -= 4;
	if (text->cut || end <= *at)
		return "";
	const char *piece = arena_strndup(arena, text->text + *at, end - *at);
	*at = end;
	return answer_join_halves(piece, arena);
}

/* A long text is not copied: it becomes the arena's. */
static const char *answer_take_text(struct strbuf *words, struct arena *arena)
{
	if (strchr(words->text, '\xf4'))
		return answer_join_halves(words->text, arena);
	char *text = strbuf_detach(words);
	arena_defer(arena, free, text);
	return text;
}

void answer_conclude(struct answer *answer, struct arena *arena, struct model_reply *reply)
{
	bool is_refusal = answer->refusal.length > 0;
	*reply = (struct model_reply){
		.text = answer_take_text(is_refusal ? &answer->refusal : &answer->text, arena),
		.finish = is_refusal ? MODEL_FINISH_REFUSED : answer->finish,
		.usage = answer->usage,
		.usage_known = answer->usage_known,
		.counts_cached = answer->counts_cached,
		.provider_data =
			answer->provider_data.length ? arena_strdup(arena, answer->provider_data.text) : NULL};
	if (reply->finish == MODEL_FINISH_REFUSED && !*reply->text)
		reply->text = "The provider's filter held the reply back.";
}

void answer_reset(struct answer *answer)
{
	answer_release(answer);
	*answer = (struct answer)ANSWER_INIT;
}

void answer_release(struct answer *answer)
{
	strbuf_release(&answer->text);
	strbuf_release(&answer->refusal);
	strbuf_release(&answer->provider_data);
}
