#include "executors/jupyter/media.h"

#include <stdlib.h>
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

static int digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found = c ? strchr(digits, c) : NULL;
	return found ? (int)(found - digits) : -1;
}

/* Four digits to three bytes; the last ones may be "=". How many bytes; 0 where they are none. */
static size_t decode_group(const char group[4], unsigned char bytes[3])
{
	int value[4];
	size_t n = group[3] != '=' ? 3 : group[2] != '=' ? 2 : 1;
	for (size_t i = 0; i < 4; i++) {
		value[i] = i <= n ? digit(group[i]) : 0;
		if (value[i] < 0)
			return 0;
	}
	if ((n == 2 && value[2] & 3) || (n == 1 && value[1] & 15))
		return 0;
	bytes[0] = (unsigned char)(value[0] << 2 | value[1] >> 4);
	bytes[1] = (unsigned char)((value[1] & 15) << 4 | value[2] >> 2);
	bytes[2] = (unsigned char)((value[2] & 3) << 6 | value[3]);
	return n;
}

/* RFC 4648, with newlines anywhere, as Python's encoders put them. False where it is something else. */
static bool decode_base64(const char *text, struct strbuf *bytes)
{
	char group[4];
	unsigned char decoded[3];
	size_t have = 0, last = 3;
	for (; *text; text++) {
		if (*text == '\n' || *text == '\r')
			continue;
		if (last < 3)
			return false;
		group[have++] = *text;
		if (have < 4)
			continue;
		last = decode_group(group, decoded);
		if (!last)
			return false;
		strbuf_add(bytes, decoded, last);
		have = 0;
	}
	return have == 0;
}

static int refuse(const char *why, struct rondo_error *err)
{
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s", why);
}

/* Text as it is: a file that says it is a picture has to look like one. */
static int take_text(const struct jupyter_media *media, const char *text, struct strbuf *bytes, struct rondo_error *err)
{
	size_t n = strlen(text);
	if (n > JUPYTER_MEDIA_LIMIT)
		return refuse("it is larger than 16 MiB", err);
	if (strcmp(media->suffix, "svg") == 0) {
		const char *start = text + strspn(text, " \t\r\n");
		if (*start != '<' || !strstr(start, "<svg"))
			return refuse("it is no SVG", err);
	}
	strbuf_add(bytes, text, n);
	return 0;
}

int jupyter_media_decode(
	const struct jupyter_media *media, const struct json *value, struct strbuf *bytes, struct rondo_error *err)
{
	const char *text = json_text(value, NULL);
	AUTO_FREE char *printed = NULL;
	AUTO_STRBUF decoded = STRBUF_INIT(JUPYTER_MEDIA_LIMIT);
	if (strcmp(media->suffix, "json") == 0)
		text = printed = json_print_pretty(value);
	if (!text)
		return refuse("it is no text", err);
	if (!media->magic)
		return take_text(media, text, bytes, err);
	if (strlen(text) / 4 * 3 > JUPYTER_MEDIA_LIMIT)
		return refuse("it is larger than 16 MiB", err);
	if (!decode_base64(text, &decoded))
		return refuse("it is no base64", err);
	if (decoded.length < media->n_magic || memcmp(decoded.text, media->magic, media->n_magic) != 0)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "it is no %s", media->suffix);
	strbuf_add(bytes, decoded.text, decoded.length);
	return 0;
}
