/* A relay before tests/lib/server, and clients that write what they like on its socket. */
#pragma once
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/clock.h"
#include "models/relay/relay.h"
#include "tests/unit/server_fixture.h"

#define KEY "sk-real-0123456789abcdef"
#define DUMMY "Authorization: Bearer dummy\r\n"
enum { ENOUGH_MS = 20000 }; /* more than any test takes on a busy machine */

static struct server server;

struct relayed {
	struct relay *relay;
	struct relay_options options;
	struct rondo_error err;
	char socket[TOP_SIZE + 64], base_url[TOP_SIZE];
};

/* To a scene of the server; NULL: to what `base_url` says. */
static inline void relayed_start(struct relayed *relayed, const char *scene)
{
	static int n;
	snprintf(relayed->socket, sizeof relayed->socket, "%s/relay%d/socket", server.dir, n++);
	if (scene)
		snprintf(relayed->base_url, sizeof relayed->base_url, "http://127.0.0.1:%d/%s/v1",
			server.port, scene);
	relayed->options.socket = relayed->socket;
	relayed->options.upstream.base_url = relayed->base_url;
	if (!relayed->options.upstream.key)
		relayed->options.upstream.key = KEY;
	if (relay_start(&relayed->options, &relayed->relay, &relayed->err) < 0)
		fail_msg("%s", relayed->err.message);
}

static inline int client_connect(const struct relayed *relayed)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct timeval patience = {.tv_sec = ENOUGH_MS / 1000};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(strlen(relayed->socket) < sizeof address.sun_path);
	memcpy(address.sun_path, relayed->socket, strlen(relayed->socket));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
	return fd;
}

/* All of it; what the relay takes no more is left. */
static inline void client_write(int fd, const char *bytes, size_t n)
{
	for (ssize_t sent; n && (sent = send(fd, bytes, n, MSG_NOSIGNAL)) > 0; bytes += sent)
		n -= (size_t)sent;
}

/* Append what comes until `text` is in it (NULL: until the end). False: the end came first. */
static inline bool client_read_until(int fd, const char *text, struct strbuf *to)
{
	char bytes[65536];
	for (;;) {
		if (text && strstr(to->text, text))
			return true;
		ssize_t n = recv(fd, bytes, sizeof bytes, 0);
		if (n <= 0)
			return !text;
		strbuf_add(to, bytes, (size_t)n);
	}
}

/* A POST with a body, as one text. */
static inline void post_text(
	struct strbuf *to, const char *path, const char *headers, const char *body)
{
	strbuf_addf(to,
		"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s"
		"Content-Length: %zu\r\n\r\n%s",
		path, headers, strlen(body), body);
}

/* Ask on a connection of its own, which the relay closes; its whole answer. */
static inline void ask(const struct relayed *relayed, const char *path, const char *headers,
	const char *body, struct strbuf *answer)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_LINE);
	AUTO_CLOSE fd = client_connect(relayed);
	strbuf_addf(&all, "%sConnection: close\r\n", headers);
	post_text(&text, path, all.text, body);
	client_write(fd, text.text, text.length);
	assert_true(client_read_until(fd, NULL, answer));
}

/* The next request that is over. */
static inline struct relay_entry next_entry(const struct relayed *relayed)
{
	struct relay_entry entry;
	struct pollfd told = {.fd = relay_fd(relayed->relay), .events = POLLIN};
	int64_t end_ms = clock_now_ms() + ENOUGH_MS;
	while (!relay_take(relayed->relay, &entry)) {
		assert_true(clock_now_ms() < end_ms);
		poll(&told, 1, ENOUGH_MS);
	}
	return entry;
}

/* The body of a chunked answer; the caller's. NULL: it is not whole. */
static inline char *unchunked(const char *answer)
{
	AUTO_STRBUF body = STRBUF_INIT(STRBUF_RECORD);
	const char *at = strstr(answer, "\r\n\r\n");
	if (!at)
		return NULL;
	for (at += 4;;) {
		char *end;
		size_t size = strtoul(at, &end, 16);
		if (end == at || strncmp(end, "\r\n", 2) != 0 || strlen(end) < size + 4)
			return NULL;
		if (!size)
			return strbuf_detach(&body);
		strbuf_add(&body, end + 2, size);
		at = end + 2 + size + 2;
	}
}
