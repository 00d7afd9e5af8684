/* Who runs models that a server answers for, one word each: the types of models/providers.c. */
#pragma once
#include <stdbool.h>

struct provider {
	const struct dialect *dialect;
	const char *base_url;   /* NULL: it must be told */
	const char *url_name;   /* the variable that names another one; NULL: there is none */
	const char *url_end;    /* what such a URL without a path lacks; NULL: nothing */
	const char *key_name;   /* the variable of the key */
	const char *key_header; /* in place of the dialect's; NULL: as that */
	bool needs_key;
	bool cuts_context; /* without a word, where the chat is too long */
};
