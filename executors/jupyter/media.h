/* What a cell shows that is kept as a file: pictures, HTML, JSON. Inside executors/ only. */
#pragma once
#include "base/json.h"
#include "base/strbuf.h"

#define JUPYTER_MEDIA_LIMIT ((size_t)16 << 20) /* of a file */

struct jupyter_media {
	const char *type;   /* as messages name it */
	const char *suffix;
	const char *noun;   /* as the reply says it: "Image data saved to ..." */
	const char *magic;  /* what its bytes begin with, and how many; NULL: it is text */
	size_t n_magic;
};

/* The kind of that MIME type, or NULL: nothing to be kept. */
const struct jupyter_media *jupyter_media_find(const char *type);

/* Its bytes, appended: base64 is read strictly, and what they begin with has to fit. */
int jupyter_media_decode(
	const struct jupyter_media *media, const struct json *value, struct strbuf *bytes, struct rondo_error *err);
