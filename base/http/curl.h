/* libcurl, loaded when it is first needed: it brings thirty other libraries. Only base/http*.c
 * include it. */
#pragma once
#include <curl/curl.h>

#include "base/error.h"

/* clang-format off */
#define CURL_FUNCTIONS(_) \
	_(easy_cleanup) _(easy_getinfo) _(easy_header) _(easy_init) _(easy_nextheader) _(easy_reset) \
	_(easy_setopt) _(easy_strerror) _(free) _(getdate) _(global_init) _(multi_add_handle) \
	_(multi_cleanup) _(multi_info_read) _(multi_init) _(multi_perform) _(multi_poll) \
	_(multi_remove_handle) _(multi_setopt) _(slist_append) _(slist_free_all) _(url) \
	_(url_cleanup) _(url_get) _(url_set) _(url_strerror) _(version_info)
/* clang-format on */

/* Its functions without their prefix, after curl_need. */
struct curl_functions {
#define CURL_DECLARE(name) __typeof__(curl_##name) *name;
	CURL_FUNCTIONS(CURL_DECLARE)
#undef CURL_DECLARE
};
extern struct curl_functions curl;

/* Have them all. */
int curl_need(struct rondo_error *err);
