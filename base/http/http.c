/*
 * One transfer in a multi handle of libcurl: in its loop the cancel token is polled along with the
 * sockets, and time-outs are rondo's own, since libcurl's low-speed limit averages over seconds and
 * its total limit knows nothing of silence. HTTP/1.1, because with one request at a time HTTP/2
 * gains nothing, and libcurl 7.88 reports a stream that was reset as complete.
 */
#include "base/http/http.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/http/http_head.h"
#include "base/memory.h"
#include "base/version.h"

struct http {
	CURLM *multi;
	CURL *easy;
	char reason[CURL_ERROR_SIZE];
	bool unpacked; /* compressed answers could not be read: ask for none */
};

enum end { END_NONE, END_CURL, END_STOP, END_LARGE, END_CANCEL, END_FIRST, END_IDLE, END_TOTAL };

struct transfer {
	struct http *http;
	const struct http_request *request;
	struct http_response *response;
	struct http_url url;
	char peer[300];
	const struct cancel *cancel;
	enum end end; /* why it ended, as soon as it did */
	CURLcode code;
	bool has_head, has_use, has_enough;
	size_t taken;              /* bytes */
	int64_t start_ms, last_ms; /* last: when bytes came that were of interest */
};

struct http *http_new(void)
{
	return memory_alloc(sizeof(struct http));
}

static int open_handles(struct http *http, struct rondo_error *err)
{
	if (http->easy)
		return 0;
	if (curl_need(err) < 0)
		return -1;
	http->multi = curl.multi_init();
	http->easy = curl.easy_init();
	if (!http->multi || !http->easy)
		abort(); /* as with all memory */
	curl.multi_setopt(http->multi, CURLMOPT_MAXCONNECTS, 2L);
	return 0;
}

void http_free(struct http *http)
{
	if (!http)
		return;
	if (http->easy) {
		curl.easy_cleanup(http->easy);
		curl.multi_cleanup(http->multi);
	}
	free(http);
}

static void read_head(struct transfer *transfer)
{
	const struct http_request *request = transfer->request;
	if (transfer->has_head)
		return;
	http_read_head(transfer->http->easy, transfer->response);
	transfer->has_head = true;
	struct curl_header *header = NULL;
	while (request->take_header &&
		(header = curl.easy_nextheader(transfer->http->easy, CURLH_HEADER, -1, header)))
		request->take_header(request->owner, header->name, header->value);
}

static size_t take(char *bytes, size_t size, size_t n, void *owner)
{
	struct transfer *transfer = owner;
	n *= size;
	if (transfer->has_enough)
		return n;
	read_head(transfer);
	if (n > transfer->request->limits.body - transfer->taken) {
		transfer->end = END_LARGE;
		return CURL_WRITEFUNC_ERROR;
	}
	transfer->taken += n;
	transfer->last_ms = clock_now_ms();
	if (!transfer->request->take)
		return n;
	switch (transfer->request->take(transfer->request->owner, bytes, n)) {
	case HTTP_STOP:
		transfer->end = END_STOP;
		return CURL_WRITEFUNC_ERROR;
	case HTTP_ENOUGH:
		transfer->has_enough = true;
		break;
	case HTTP_USED:
		transfer->has_use = true;
		break;
	case HTTP_ALIVE:
		break;
	}
	return n;
}

static size_t give(char *bytes, size_t size, size_t n, void *owner)
{
	struct transfer *transfer = owner;
	ssize_t given = transfer->request->give(transfer->request->owner, bytes, size * n);
	transfer->last_ms = clock_now_ms();
	return given < 0 ? CURL_READFUNC_ABORT : (size_t)given;
}

static void set_way(CURL *easy, const struct transfer *transfer)
{
	if (transfer->request->unix_socket)
		curl.easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, transfer->request->unix_socket);
	if (transfer->request->unix_socket || transfer->url.is_local)
		curl.easy_setopt(easy, CURLOPT_PROXY, ""); /* none, whatever the environment says */
}

static void set_body(CURL *easy, struct transfer *transfer)
{
	const struct http_request *request = transfer->request;
	if (request->body) {
		curl.easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
		curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
	}
	if (request->give) {
		curl.easy_setopt(easy, CURLOPT_UPLOAD, 1L);
		curl.easy_setopt(easy, CURLOPT_READFUNCTION, give);
		curl.easy_setopt(easy, CURLOPT_READDATA, transfer);
		curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "POST");
	}
	if (request->method)
		curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
}

static void set_certificates(CURL *easy)
{
	const char *file = getenv("SSL_CERT_FILE");
	if (file && *file)
		curl.easy_setopt(easy, CURLOPT_CAINFO, file);
}

static struct curl_slist *make_headers(const struct http_request *request, bool unpacked)
{
	struct curl_slist *list = curl.slist_append(NULL, "Expect:"); /* a large body does not wait */
	if (unpacked)
		list = curl.slist_append(list, "Accept-Encoding: identity");
	for (const char *const *header = request->headers; header && *header; header++)
		list = curl.slist_append(list, *header);
	return list;
}

static void configure(struct transfer *transfer, struct curl_slist *headers)
{
	const struct http_request *request = transfer->request;
	CURL *easy = transfer->http->easy;
	int64_t connect_ms = request->limits.connect_ms;
	curl.easy_reset(easy);
	curl.easy_setopt(easy, CURLOPT_URL, request->url);
	curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	char agent[64];
	snprintf(agent, sizeof agent, "rondo/%s", version_text);
	curl.easy_setopt(easy, CURLOPT_USERAGENT, agent);
	curl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
	curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); /* who cancels waits for no resolver */
	curl.easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl.easy_setopt(
		easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms < INT_MAX ? (long)connect_ms : INT_MAX);
	curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->http->reason);
	curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
	curl.easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
	if (!transfer->http->unpacked)
		curl.easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
	set_body(easy, transfer);
	set_way(easy, transfer);
	set_certificates(easy);
}

/* When patience ends, and what that means. */
static int64_t deadline(const struct transfer *transfer, enum end *end)
{
	const struct http_limits *limits = &transfer->request->limits;
	int64_t total = transfer->start_ms + limits->total_ms;
	int64_t next =
		(transfer->request->give ? transfer->last_ms : transfer->start_ms) + limits->first_ms;
	*end = END_FIRST;
	if (transfer->has_enough) {
		*end = END_STOP;
		next = transfer->last_ms + limits->rest_ms;
	} else if (transfer->has_use) {
		*end = END_IDLE;
		next = transfer->last_ms + limits->idle_ms;
	}
	if (next < total)
		return next;
	*end = transfer->has_enough ? END_STOP : END_TOTAL;
	return total;
}

static void await(struct transfer *transfer, int64_t wait_ms)
{
	struct pollfd fds[CANCEL_FDS];
	struct curl_waitfd extra[CANCEL_FDS];
	size_t n = cancel_poll(transfer->cancel, fds);
	for (size_t i = 0; i < n; i++)
		extra[i] = (struct curl_waitfd){.fd = fds[i].fd, .events = CURL_WAIT_POLLIN};
	curl.multi_poll(
		transfer->http->multi, extra, (unsigned)n, (int)(wait_ms < 60000 ? wait_ms : 60000), NULL);
}

/* What has ended it by now, or END_NONE and how long it may still take. */
static enum end look(struct transfer *transfer, int64_t *ret_wait_ms)
{
	int left;
	enum end over;
	CURLMsg *message = curl.multi_info_read(transfer->http->multi, &left);
	if (transfer->end != END_NONE) /* whoever takes the bytes has said so */
		return transfer->end;
	if (message) {
		transfer->code = message->data.result;
		return END_CURL;
	}
	if (cancel_reason(transfer->cancel))
		return END_CANCEL;
	*ret_wait_ms = deadline(transfer, &over) - clock_now_ms();
	return *ret_wait_ms > 0 ? END_NONE : over;
}

/* Until the answer is there, or something ends the wait for it. */
static void run(struct transfer *transfer)
{
	CURLM *multi = transfer->http->multi;
	int64_t wait_ms = 0;
	int running;
	curl.multi_add_handle(multi, transfer->http->easy);
	while (transfer->end == END_NONE) {
		curl.multi_perform(multi, &running);
		transfer->end = look(transfer, &wait_ms);
		if (transfer->end == END_NONE)
			await(transfer, wait_ms);
	}
	read_head(transfer);
	curl.multi_remove_handle(multi, transfer->http->easy);
}

/* Whom it speaks with, as errors say it. */
static const char *peer(struct transfer *transfer)
{
	if (transfer->request->unix_socket)
		return transfer->request->unix_socket;
	snprintf(
		transfer->peer, sizeof transfer->peer, "%s:%d", transfer->url.host, transfer->url.port);
	return transfer->peer;
}

static int timed_out(
	struct transfer *transfer, const char *what, int64_t limit_ms, struct rondo_error *err)
{
	char limit[CLOCK_DATE_SIZE];
	clock_format_duration(limit_ms, limit);
	return error_set(err, RONDO_ERROR_TRANSIENT, "%s %s %s", peer(transfer), what, limit);
}

/* What no second try mends. */
static bool is_final(CURLcode code)
{
	static const CURLcode codes[] = {CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT,
		CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
		CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR};
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (code == codes[i])
			return true;
	return false;
}

/* Why, by the system where it knows, else by libcurl. */
static void describe(struct transfer *transfer, char *reason, size_t size)
{
	const char *text = transfer->http->reason;
	char system[128];
	long number = 0;
	curl.easy_getinfo(transfer->http->easy, CURLINFO_OS_ERRNO, &number);
	if (transfer->code == CURLE_COULDNT_CONNECT && number)
		text = strerror_r((int)number, system, sizeof system);
	http_copy_text(reason, size, *text ? text : curl.easy_strerror(transfer->code));
}

static int explain(struct transfer *transfer, struct rondo_error *err)
{
	CURLcode code = transfer->code;
	const struct http_url *url = &transfer->url;
	struct retry_advice *advice = &transfer->response->advice;
	char reason[CURL_ERROR_SIZE];
	long proxy_status = 0;
	describe(transfer, reason, sizeof reason);
	curl.easy_getinfo(transfer->http->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
	bool by_proxy = code == CURLE_COULDNT_RESOLVE_PROXY || proxy_status >= 300;
	advice->again = !is_final(code) && !by_proxy;
	error_set(err, advice->again ? RONDO_ERROR_TRANSIENT : RONDO_ERROR_USAGE, "%s %s: %s",
		transfer->response->status ? "the answer broke off from" : "no answer from", peer(transfer),
		reason);
	if (by_proxy)
		return http_help_with_proxy(transfer->request->url, err);
	if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE)
		return error_help(
			err, "set SSL_CERT_FILE to the certificates that %s is to be checked by", url->host);
	if (code == CURLE_BAD_CONTENT_ENCODING)
		transfer->http->unpacked = true;
	return -1;
}

static int conclude(struct transfer *transfer, struct rondo_error *err)
{
	const struct http_limits *limits = &transfer->request->limits;
	struct retry_advice *advice = &transfer->response->advice;
	if (transfer->has_enough || transfer->end == END_STOP)
		return 0;
	if (transfer->end == END_CURL)
		return transfer->code == CURLE_OK ? 0 : explain(transfer, err);
	*advice = (struct retry_advice){.again = transfer->end >= END_FIRST, .after_ms = -1};
	if (transfer->end == END_CANCEL)
		return cancel_error(transfer->cancel, err);
	if (transfer->end == END_FIRST)
		return timed_out(transfer, "did not answer within", limits->first_ms, err);
	if (transfer->end == END_IDLE)
		return timed_out(
			transfer, "fell silent in the middle of its answer, for", limits->idle_ms, err);
	if (transfer->end == END_TOTAL)
		return timed_out(transfer, "did not finish its answer within", limits->total_ms, err);
	return error_set(err, RONDO_ERROR_TRANSIENT, "the answer of %s is larger than %zu bytes",
		peer(transfer), limits->body);
}

static bool was_sent(const struct transfer *transfer)
{
	curl_off_t sent = 0;
	long head = 0;
	struct http *http = transfer->http;
	curl.easy_getinfo(http->easy, CURLINFO_REQUEST_SIZE, &head);
	curl.easy_getinfo(http->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
	return head && (size_t)sent >= transfer->request->body_length;
}

int http_send(struct http *http, const struct http_request *request, struct http_response *response,
	const struct cancel *cancel, struct rondo_error *err)
{
	int64_t now = clock_now_ms();
	struct transfer transfer = {.http = http,
		.request = request,
		.response = response,
		.cancel = cancel,
		.start_ms = now,
		.last_ms = now};
	*response = (struct http_response){.advice.after_ms = -1};
	if (open_handles(http, err) < 0 || http_url_read(request->url, &transfer.url, err) < 0)
		return -1;
	http->reason[0] = '\0';
	struct curl_slist *headers = make_headers(request, http->unpacked);
	configure(&transfer, headers);
	run(&transfer);
	response->is_sent = was_sent(&transfer);
	int result = conclude(&transfer, err);
	curl.easy_reset(http->easy); /* it holds pointers to what ends here */
	curl.slist_free_all(headers);
	return result;
}

const char *http_library_version(void)
{
	struct rondo_error err;
	if (curl_need(&err) < 0)
		return "missing";
	return curl.version_info(CURLVERSION_NOW)->version;
}
