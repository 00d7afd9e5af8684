/* HTTP calls to a real server, whose scenes these are. */
#pragma once
#include "tests/unit/server_fixture.h"

#include "base/http/http.h"

static const char script[] =
	"status 407\nbody no\n"
	"scene hello\n"
	"header Content-Type: text/x-test\n"
	"header x-request-id: req-1\n"
	"body one\n"
	"reply\n"
	"status 503\n"
	"body two\n"
	"scene told\nheader x-request-id: req-1\nsplit 1\nbody one\n"
	"scene put\nbody -\nreply\nbody -\n"
	"scene moved\nstatus 307\nheader Location: http://127.0.0.1:1/else\\x1b\nbody -\n"
	"scene none\nsend HTTP/1.1 204 Nothing\\r\\n\\r\\n\n"
	"scene early\nsend HTTP/1.1 100 Continue\\r\\n\\r\\nHTTP/1.1 103 Hints\\r\\n\\r\\n\nbody one\n"
	"scene seconds\nstatus 429\nheader Retry-After: 3\nbody -\n"
	"scene ms\nstatus 429\nheader Retry-After: 3\nheader retry-after-ms: 250\nbody -\n"
	"scene past\nstatus 503\nheader Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\nbody -\n"
	"scene future\nstatus 503\nheader Retry-After: Wed, 21 Oct 2099 07:28:00 GMT\nbody -\n"
	"scene negative\nstatus 503\nheader Retry-After: -5\nbody -\n"
	"scene garbage\nstatus 503\nheader Retry-After: soon\nbody -\n"
	"scene never\nstatus 503\nheader x-should-retry: false\nbody -\n"
	"scene please\nstatus 400\nheader x-should-retry: true\nbody -\n"
	"scene busy\nstatus 529\nbody -\n"
	"scene quota\n"
	"header x-ratelimit-limit-requests: 500\nheader x-ratelimit-remaining-requests: 499\n"
	"header x-ratelimit-reset-requests: 120ms\nheader x-ratelimit-limit-tokens: 30000\n"
	"header x-ratelimit-remaining-tokens: 0\nheader x-ratelimit-reset-tokens: 6m0.5s\nbody -\n"
	"reply\nheader anthropic-ratelimit-requests-limit: 50\n"
	"header anthropic-ratelimit-requests-remaining: 49\n"
	"header anthropic-ratelimit-requests-reset: 2015-10-21T07:28:00Z\nbody -\n"
	"reply\nheader x-ratelimit-limit-requests: -1\nheader x-ratelimit-remaining-requests: many\n"
	"header x-ratelimit-reset-requests: 12x\nheader x-ratelimit-reset-tokens: 60\nbody -\n"
	"scene stall\nstall\n"
	"scene loris\nsplit 1\nsend HTTP/1.1 200 OK\\r\\nX: y\nstall\n"
	"scene head\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\n\nstall\n"
	"scene silent\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nuse\nstall\n"
	"scene pings\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 90\\r\\n\\r\\n...\nstall\n"
	"scene rest\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nEND\nstall\n"
	"scene kept\nevents\ndata END\nend\n"
	"scene stop\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nSTOP\nstall\n"
	"scene cut\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nuse\nclose\n"
	"scene chunk\n"
	"send HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n9\\r\\nuse\n"
	"close\n"
	"scene reset\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nuse\nreset\n"
	"scene nothing\nclose\n"
	"scene words\nsend hello, who is there?\\r\\n\nclose\n"
	"scene gzip\n"
	"send HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\nConnection: close\\r\\n\\r\\n\n"
	"gzip packed\n"
	"close\n"
	"scene plain\nheader Content-Encoding: gzip\nbody plain text\n"
	"scene large\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 100000\\r\\n\\r\\n\nrepeat 100000 x\n";

static struct server server;

struct call {
	struct http *http;
	struct http_request request;
	struct http_response response;
	struct rondo_error err;
	const struct cancel *cancel;
	char got[64]; /* the first bytes of the answer */
	size_t n, given;
};

static inline enum http_taken take(void *owner, const char *bytes, size_t n)
{
	struct call *call = owner;
	for (size_t i = 0; i < n && call->n + i < sizeof call->got - 1; i++)
		call->got[call->n + i] = bytes[i];
	call->n += n;
	if (strstr(call->got, "STOP"))
		return HTTP_STOP;
	if (strstr(call->got, "END"))
		return HTTP_ENOUGH;
	return strcmp(call->got, "...") == 0 ? HTTP_ALIVE : HTTP_USED;
}

static inline int send_to(struct call *call, const char *url)
{
	static const struct http_limits patient = {.connect_ms = 20000,
		.first_ms = 20000,
		.idle_ms = 20000,
		.total_ms = 20000,
		.rest_ms = 20000,
		.body = 50000};
	memset(call->got, 0, sizeof call->got);
	call->n = 0;
	call->request.url = url;
	call->request.take = take;
	call->request.owner = call;
	if (!call->request.limits.body)
		call->request.limits = patient;
	return http_send(call->http, &call->request, &call->response, call->cancel, &call->err);
}

static inline int send_scene(struct call *call, const char *scene)
{
	char url[128];
	snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/x", server.port, scene);
	return send_to(call, url);
}

/* One scene with a handle of its own. */
static inline int send_once(struct call *call, const char *scene)
{
	call->http = http_new();
	int result = send_scene(call, scene);
	http_free(call->http);
	return result;
}

static inline int start(void **state)
{
	(void)state;
	server_start(&server, script);
	return 0;
}

static inline int stop(void **state)
{
	(void)state;
	server_stop(&server);
	return 0;
}
