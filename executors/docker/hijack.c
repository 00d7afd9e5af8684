/* A connection to the engine that becomes a stream to a process in a container. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/docker/docker_api.h"

#define MOST_HEAD ((size_t)16 << 10)
#define END_OF_HEAD "\r\n\r\n"

bool docker_await(int fd, short events, const struct cancel *cancel, int64_t deadline_ms)
{
	struct pollfd fds[1 + CANCEL_FDS] = {{.fd = fd, .events = events}};
	size_t n = 1 + cancel_poll(cancel, fds + 1);
	int64_t left = deadline_ms - clock_now_ms();
	return left > 0 && !cancel_reason(cancel) && (poll(fds, n, (int)left) >= 0 || errno == EINTR);
}

/* Read no further than the head; the stream follows. False with errno; EAGAIN: it is not complete
 * yet. */
static bool hijack_read_head(int fd, struct strbuf *head)
{
	char bytes[4096];
	size_t before = head->length;
	ssize_t n = recv(fd, bytes, sizeof bytes, MSG_PEEK);
	if (n <= 0)
		return errno = n ? errno : ECONNRESET, false;
	strbuf_add(head, bytes, (size_t)n);
	if (head->cut)
		return errno = EPROTO, false;
	const char *end = memmem(head->text, head->length, END_OF_HEAD, strlen(END_OF_HEAD));
	size_t taken = end ? (size_t)(end - head->text) + strlen(END_OF_HEAD) - before : (size_t)n;
	strbuf_truncate(head, before + taken);
	recv(fd, bytes, taken, 0);
	return end ? true : (errno = EAGAIN, false);
}

/* Send the request, then read the head of the answer. False with errno. */
static bool hijack_exchange(int fd, const struct strbuf *request, struct strbuf *head,
	const struct cancel *cancel)
{
	int64_t deadline_ms = clock_now_ms() + DOCKER_CALL_MS;
	for (size_t sent = 0;;) {
		bool sends = sent < request->length;
		if (!docker_await(fd, sends ? POLLOUT : POLLIN, cancel, deadline_ms))
			return errno = ETIMEDOUT, false;
		ssize_t n = sends ? send(fd, request->text + sent, request->length - sent, MSG_NOSIGNAL)
			: 0;
		if (!sends && hijack_read_head(fd, head))
			return true;
		if ((n < 0 || !sends) && errno != EAGAIN && errno != EINTR)
			return false;
		sent += n > 0 ? (size_t)n : 0;
	}
}

/* Explain why there is no stream. The answer's body is used only if it arrived with the head. */
static int hijack_refused(struct docker_api *api, int fd, const char *head, struct rondo_error *err)
{
	char body[2048];
	struct rondo_error not_json;
	struct docker_answer answer = {.status = text_starts_with(head, "HTTP/1.1 ")
		? atoi(head + strlen("HTTP/1.1 ")) : 0};
	ssize_t n = recv(fd, body, sizeof body, MSG_DONTWAIT);
	AUTO_JSON *json = json_parse(body, n > 0 ? (size_t)n : 0, &not_json);
	utf8_format(answer.message, sizeof answer.message, "%s", json_string(json, "message", ""));
	return docker_refused(api, &answer, "no stream to the container", err);
}

int docker_hijack(struct docker_api *api, const char *path, const char *body,
	const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_STRBUF request = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF head = STRBUF_INIT(MOST_HEAD);
	AUTO_CLOSE fd = docker_socket_connect(api->socket, err);
	if (fd < 0) {
		err->code = RONDO_ERROR_TRANSIENT; /* the engine was there before */
		return -1;
	}
	strbuf_addf(&request,
		"POST /v%s%s HTTP/1.1\r\nHost: engine\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
		"Content-Type: application/json\r\nContent-Length: %zu" END_OF_HEAD "%s",
		api->version, path, strlen(body), body);
	if (!hijack_exchange(fd, &request, &head, cancel)) {
		if (cancel_reason(cancel))
			return cancel_error(cancel, err);
		error_errno(err, RONDO_ERROR_TRANSIENT, "no stream from %s", api->socket);
		return docker_socket_explain(api->socket, err);
	}
	if (text_starts_with(head.text, "HTTP/1.1 101 ") ||
		text_starts_with(head.text, "HTTP/1.1 200 "))
		return STEAL_FD(&fd);
	return hijack_refused(api, fd, head.text, err);
}
