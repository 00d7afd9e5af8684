/* URLs, taken apart by the library that will use them, so that both see the same host. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/http/curl.h"
#include "base/http/http.h"
#include "base/memory.h"
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
	int port = atoi(parts->port);
	if (!port)
		return error_set(err, RONDO_ERROR_USAGE,
			"the URL of %s has the port 0, which nobody can reach", parts->host);
	*ret_url = (struct http_url){.port = port, .is_local = is_local(parts->host)};
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

/* The variable that libcurl takes a URL's proxy from. */
static const char *proxy_variable(const char *url)
{
	bool is_secret = strncasecmp(url, "https:", 6) == 0;
	const char *const names[] = {is_secret ? "https_proxy" : "http_proxy",
		is_secret ? "HTTPS_PROXY" : "http_proxy", "all_proxy", "ALL_PROXY"};
	size_t i = 0;
	while (i < ARRAY_SIZE(names) - 1 && !getenv(names[i]))
		i++;
	return names[i];
}

int http_help_with_proxy(const char *url, struct rondo_error *err)
{
	const char *name = proxy_variable(url), *value = getenv(name), *user, *host;
	struct http_url parts = {.host = ""};
	struct rondo_error ignored;
	http_url_read(url, &parts, &ignored);
	if (!value)
		value = "";
	user = strrchr(value, '@'); /* and a password before it, which nobody needs to see */
	host = strstr(value, "://");
	host = user ? user + 1 : host ? host + strlen("://") : value;
	return error_help(err, "the proxy is %.*s, by %s: set that, or no_proxy, to what leads to %s",
		(int)strcspn(host, "/"), host, name, parts.host);
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
