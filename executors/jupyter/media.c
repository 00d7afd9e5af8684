#include "executors/jupyter/jupyter.h"

#include <openssl/evp.h>
#include <string.h>

#include "base/memory.h"

#define MAGIC(bytes) .magic = (bytes), .n_magic = sizeof(bytes) - 1

static const struct jupyter_media kinds[] = {
	{"image/png", "png", "Image", MAGIC("\x89PNG\r\n\x1a\n")},
	{"image/jpeg", "jpg", "Image", MAGIC("\xff\xd8\xff")},
	{"image/svg+xml", "svg", "Image", .magic = NULL},
	{"application/pdf", "pdf", "PDF", MAGIC("%PDF-")},
	{"text/html", "html", "HTML", .magic = NULL},
	{"application/json", "json", "JSON", .magic = NULL},
};

const struct jupyter_media *jupyter_media_find(const char *type)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i].type, type) == 0)
			return &kinds[i];
	return NULL;
}

/* Decode base64 strictly, but for newlines, which Python's encoders insert. libcrypto is lax about
 * spaces and unused bits: encoding again shows them. */
static bool media_decode_base64(const char *text, struct strbuf *bytes)
{
	size_t n = 0;
	AUTO_FREE unsigned char *plain = memory_alloc(strlen(text) + 1),
		*decoded = memory_alloc(strlen(text) + 1),
				*again = memory_alloc(strlen(text) + 5);
	for (; *text; text++)
		if (*text != '\n' && *text != '\r')
			plain[n++] = (unsigned char)*text;
	int length = EVP_DecodeBlock(decoded, plain, (int)n);
	for (size_t i = n; i > 0 && i > n - 2 && plain[i - 1] == '='; i--)
		length--;
	if (length < 0 || EVP_EncodeBlock(again, decoded, length) != (int)n ||
		memcmp(again, plain, n) != 0)
		return false;
	strbuf_add(bytes, decoded, (size_t)length);
	return true;
}

static int media_refuse(const char *why, struct rondo_error *err)
{
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s", why);
}

/* Text is taken unchanged, but an SVG must look like one. */
static int media_take_text(const struct jupyter_media *media, const char *text,
	struct strbuf *bytes, struct rondo_error *err)
{
	size_t n = strlen(text);
	if (n > JUPYTER_MEDIA_LIMIT)
		return media_refuse("it is larger than 16 MiB", err);
	if (strcmp(media->suffix, "svg") == 0) {
		const char *start = text + strspn(text, " \t\r\n");
		if (*start != '<' || !strstr(start, "<svg"))
			return media_refuse("it is no SVG", err);
	}
	strbuf_add(bytes, text, n);
	return 0;
}

int jupyter_media_decode(
	const struct jupyter_media *media, const struct json *value, struct strbuf *bytes,
	struct rondo_error *err)
{
	const char *text = json_text(value, NULL);
	AUTO_FREE char *printed = NULL;
	AUTO_STRBUF decoded = STRBUF_INIT(JUPYTER_MEDIA_LIMIT);
	if (strcmp(media->suffix, "json") == 0)
		text = printed = json_print_pretty(value);
	if (!text)
		return media_refuse("it is no text", err);
	if (!media->magic)
		return media_take_text(media, text, bytes, err);
	if (strlen(text) / 4 * 3 > JUPYTER_MEDIA_LIMIT)
		return media_refuse("it is larger than 16 MiB", err);
	if (!media_decode_base64(text, &decoded))
		return media_refuse("it is no base64", err);
	if (decoded.length < media->n_magic || memcmp(decoded.text, media->magic, media->n_magic) != 0)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "it is no %s", media->suffix);
	strbuf_add(bytes, decoded.text, decoded.length);
	return 0;
}
