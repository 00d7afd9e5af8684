/*
 * HTTP: one request at a time for each handle, whose connections stay open for the next; the cancel
 * token and rondo's own clock end it at once. Only http and https. Redirects are not followed,
 * since a key would follow them. Proxies are the environment's, but never for this machine itself.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/http/retry.h"

struct http;

/* What the bytes of an answer mean to whoever takes them. */
enum http_taken {
	HTTP_ALIVE, /* no more than a sign of life: the wait for the first use continues */
	HTTP_USED,
	/* nothing more is wanted; the rest is awaited for a moment to keep the connection */
	HTTP_ENOUGH,
	HTTP_STOP, /* nothing more is wanted, and the connection is given up */
};

struct http_limits {
	int64_t connect_ms;
	/* until bytes are of use; from the last that was given, where a body is made as it is sent */
	int64_t first_ms;
	int64_t idle_ms; /* from there on, without any bytes */
	int64_t total_ms;
	int64_t rest_ms; /* after HTTP_ENOUGH */
	size_t body;     /* bytes of an answer, unpacked */
};

#define HTTP_LIMITS \
	{ \
		.connect_ms = 10000, .first_ms = 300000, .idle_ms = 120000, .total_ms = 1800000, \
		.rest_ms = 1000, .body = (size_t)64 << 20 \
	}

struct http_request {
	const char *url;
	/* the path of one that is spoken through; the url's host is only a name then; NULL: TCP */
	const char *unix_socket;
	const char *method;         /* NULL: POST where there is a body, else GET */
	const char *const *headers; /* "Name: value" ..., NULL; NULL: none */
	const char *body;           /* NULL: none */
	size_t body_length;
	/* A body that is made as it is sent: up to n bytes into the buffer; 0: that was all; -1: it
	 * cannot be made. NULL: none. */
	ssize_t (*give)(void *owner, char *bytes, size_t n);
	struct http_limits limits;
	/* Each header of the answer, before its first bytes are given; NULL: the response has what is
	 * wanted of them. */
	void (*take_header)(void *owner, const char *name, const char *value);
	/* NULL: the answer's bytes are passed over */
	enum http_taken (*take)(void *owner, const char *bytes, size_t n);
	void *owner;
};

/* What a server allows of requests or tokens in some time; -1: it does not say. */
struct http_quota {
	int64_t limit, remaining;
	int64_t reset_ms; /* until all of it is there again */
};

/* Filled in before the first bytes are given, and as far as it goes where the request fails. The
 * advice is by status, x-should-retry and Retry-After; where the answer failed, by what failed
 * it. */
struct http_response {
	int status;                                             /* 0: none came */
	bool is_sent;                                           /* the request went out whole */
	char content_type[128], request_id[128], location[256]; /* "": not said */
	struct retry_advice advice;
	struct http_quota requests, tokens;
};

/* A handle is used by one thread at a time. */
struct http *http_new(void) __attribute__((returns_nonnull));
void http_free(struct http *http);

/* Send a request and pass on its answer's bytes. 0 where an answer came, whatever its status; -1
 * with err set where it did not, or not whole. Errors name host and port, or the socket. `cancel`
 * may be NULL. */
int http_send(struct http *http, const struct http_request *request, struct http_response *response,
	const struct cancel *cancel, struct rondo_error *err);

/* Whether the same request may do better later, as its answer's status says. */
bool http_status_may_pass(int status);

/* A text as a part of a URL's path or query, encoded; in the arena. */
const char *http_quote(const char *text, struct arena *arena);

struct http_url {
	char host[256];
	int port;
	bool is_local; /* on this machine, by its name or number */
};

/* Take a URL apart. One that is none, of another scheme, or holds a user's name is an error. */
int http_url_read(const char *url, struct http_url *ret_url, struct rondo_error *err);

/* Say which proxy stands between, and how to change that: the help of an error. Gives -1. */
int http_help_with_proxy(const char *url, struct rondo_error *err);

/* libcurl's version, as it runs, or "missing"; static. */
const char *http_library_version(void);
