/* URLs, taken apart by the library that will use them, so that both see the same host. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/curl.h"
#include "base/http.h"
#include "base/utf8.h"

struct parts {
	char *host, *port, *user;
};

static bool is_local(const char *host)
{
	bool is_loopback = strncmp(host, "127.", 4) == 0 && !host[strspn(host, "0123456789.")];
	return is_loopback || strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0;
}

static bool has_scheme(const char *url)
{
	return strncasecmp(url, "https://", 8) == 0 || strncasecmp(url, "http://", 7) == 0;
}

static int read_parts(const struct parts *parts, struct http_url *ret_url, struct rondo_error *err)
{
	if (parts->user)
		return error_set(err, RONDO_ERROR_USAGE,
			"the URL of %s holds a user's name; keys come from the environment", parts->host);
	*ret_url = (struct http_url){.port = atoi(parts->port), .is_local = is_local(parts->host)};
	utf8_format(ret_url->host, sizeof ret_url->host, "%s", parts->host);
	return 0;
}

int http_url_read(const char *url, struct http_url *ret_url, struct rondo_error *err)
{
	struct parts parts = {0};
	if (!has_scheme(url))
		return error_set(err, RONDO_ERROR_USAGE, "'%s' must begin with https:// or http://", url);
	if (curl_need(err) < 0)
		return -1;
	CURLU *handle = curl.url();
	CURLUcode code = curl.url_set(handle, CURLUPART_URL, url, 0);
	curl.url_get(handle, CURLUPART_HOST, &parts.host, 0);
	curl.url_get(handle, CURLUPART_PORT, &parts.port, CURLU_DEFAULT_PORT);
	curl.url_get(handle, CURLUPART_USER, &parts.user, 0);
	int result = code == CURLUE_OK && parts.host && parts.port
		? read_parts(&parts, ret_url, err)
		: error_set(err, RONDO_ERROR_USAGE, "'%s' is not a URL: %s", url, curl.url_strerror(code));
	curl.free(parts.host);
	curl.free(parts.port);
	curl.free(parts.user);
	curl.url_cleanup(handle);
	return result;
}

const char *http_quote(const char *text, struct arena *arena)
{
	AUTO_STRBUF quoted = STRBUF_INIT(STRBUF_LINE);
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || strchr("-._~/:@", *text))
			strbuf_addc(&quoted, *text);
		else
			strbuf_addf(&quoted, "%%%02X", (unsigned char)*text);
	return arena_strdup(arena, quoted.text);
}
