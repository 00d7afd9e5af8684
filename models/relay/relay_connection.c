/* A connection of the agent's: one request after the other. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "models/relay/relay_parts.h"

enum {
	REQUEST_MS = 120000, /* of silence in the middle of a request */
	READER_MS = 600000,  /* that an agent reads nothing of its answer */
	LINGER_MS = 2000,    /* for an agent that still sends what is refused */
};

#define MOST_HELD ((size_t)256 << 20) /* of bodies, all connections together */

/* Wait for the socket. False: time is over, the agent has gone or the relay ends. */
static bool relay_connection_wait(
	struct relay_connection *connection, short events, int64_t deadline_ms)
{
	struct pollfd fds[1 + CANCEL_FDS] = {{.fd = connection->fd, .events = events}};
	size_t n = 1 + cancel_poll(&connection->cancel, fds + 1);
	for (;;) {
		int64_t left_ms = deadline_ms ? deadline_ms - clock_now_ms() : -1;
		if ((deadline_ms && left_ms <= 0) || cancel_reason(&connection->cancel))
			return false;
		int found = poll(fds, (nfds_t)n, left_ms > 60000 ? 60000 : (int)left_ms);
		if (found < 0 && errno != EINTR)
			return false;
		if (found > 0 && fds[0].revents)
			return true;
	}
}

bool relay_connection_send(struct relay_connection *connection, const char *bytes, size_t n)
{
	while (n) {
		ssize_t sent = send(connection->fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0 &&
			((errno != EAGAIN && errno != EWOULDBLOCK) ||
				!relay_connection_wait(connection, POLLOUT, clock_now_ms() + READER_MS)))
			return false;
		if (sent > 0) {
			bytes += sent;
			n -= (size_t)sent;
		}
	}
	return true;
}

/* Read more behind what is there. False: there is nothing more. */
static bool relay_connection_fill(struct relay_connection *connection, int64_t deadline_ms)
{
	if (connection->start == connection->end)
		connection->start = connection->end = 0;
	memmove(connection->bytes, connection->bytes + connection->start,
		connection->end - connection->start);
	connection->end -= connection->start;
	connection->start = 0;
	for (;;) {
		ssize_t n = recv(connection->fd, connection->bytes + connection->end,
			sizeof connection->bytes - connection->end, MSG_DONTWAIT);
		if (n > 0) {
			connection->end += (size_t)n;
			return true;
		}
		if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) ||
			!relay_connection_wait(connection, POLLIN, deadline_ms))
			return false;
	}
}

/* The agent may still be sending what nobody reads any more; if the connection ended now, it would
 * not see why. */
static void relay_connection_linger(struct relay_connection *connection)
{
	int64_t deadline_ms = clock_now_ms() + LINGER_MS;
	shutdown(connection->fd, SHUT_WR);
	do
		connection->start = connection->end = 0;
	while (clock_now_ms() < deadline_ms && relay_connection_fill(connection, deadline_ms));
}

/* --- A request --- */

/* The next head. False: there is none, or ret_fault says what is wrong with it. */
static bool relay_connection_head(struct relay_connection *connection, struct arena *arena,
	struct relay_request *request, struct relay_fault *ret_fault)
{
	*ret_fault = (struct relay_fault){0};
	for (;;) {
		size_t n = connection->end - connection->start;
		ssize_t used =
			relay_request_read(connection->bytes + connection->start, n, arena, request, ret_fault);
		if (used > 0)
			connection->start += (size_t)used;
		if (used)
			return used > 0;
		/* between two requests an agent may rest as long as it likes */
		atomic_store(&connection->is_idle, !n);
		bool has_more = relay_connection_fill(connection, n ? clock_now_ms() + REQUEST_MS : 0);
		atomic_store(&connection->is_idle, false);
		if (!has_more) {
			bool is_late = n && !cancel_reason(&connection->cancel);
			*ret_fault = (struct relay_fault){is_late ? 408 : 0, "the request is not whole"};
			return false;
		}
	}
}

/* Count bytes of bodies of all connections. False: they are too many. */
static bool relay_connection_hold(struct relay *relay, size_t n)
{
	if (atomic_fetch_add(&relay->held, n) + n <= MOST_HELD)
		return true;
	atomic_fetch_sub(&relay->held, n);
	return false;
}

static bool relay_connection_body(struct relay_connection *connection,
	const struct relay_request *request, struct strbuf *to, struct relay_fault *ret_fault)
{
	static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
	struct relay_body body = relay_body_of(request);
	*ret_fault = (struct relay_fault){408, "the request is not whole"};
	if (request->expects && connection->start == connection->end &&
		!relay_connection_send(connection, go_on, strlen(go_on)))
		return false;
	while (body.state != RELAY_BODY_OVER) {
		size_t before = to->length;
		if (connection->start == connection->end &&
			!relay_connection_fill(connection, clock_now_ms() + REQUEST_MS))
			return false;
		ssize_t used = relay_body_take(&body, connection->bytes + connection->start,
			connection->end - connection->start, to, ret_fault);
		if (used < 0) {
			strbuf_truncate(to, before); /* what is in it is held */
			return false;
		}
		connection->start += (size_t)used;
		if (!relay_connection_hold(connection->relay, to->length - before)) {
			strbuf_truncate(to, before);
			*ret_fault = (struct relay_fault){503, "there are too many large requests at once"};
			return false;
		}
	}
	return true;
}

static struct relay_call relay_connection_begin(struct relay_connection *connection,
	const struct relay_request *request, const struct relay_route *route, const struct strbuf *body)
{
	struct relay_call call = {.connection = connection,
		.request = request,
		.route = route,
		.body = body,
		.start_ms = clock_now_ms()};
	const struct secrets *secrets = connection->relay->options.secrets;
	complaint_quote(call.entry.method, sizeof call.entry.method, request->method, secrets);
	complaint_quote(call.entry.path, sizeof call.entry.path, route->shown, secrets);
	return call;
}

/* What is no request: the connection is of no use any more. */
static void relay_connection_refuse(
	struct relay_connection *connection, const struct relay_fault *fault)
{
	static const struct relay_request none = {.method = "", .minor = 1};
	static const struct relay_route nowhere = {.dialect = RELAY_CHAT};
	struct relay_call call = relay_connection_begin(connection, &none, &nowhere, NULL);
	if (!fault->status)
		return;
	relay_call_refuse(&call, fault->status, fault->why);
	relay_connection_linger(connection);
}

/* One request. False: it was the last of the connection. */
static bool relay_connection_serve(struct relay_connection *connection)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF body = STRBUF_INIT(RELAY_MOST_BODY + 1);
	struct relay_request request;
	struct relay_route route;
	struct relay_fault fault;
	if (!relay_connection_head(connection, &arena, &request, &fault)) {
		relay_connection_refuse(connection, &fault);
		return false;
	}
	bool is_known = relay_route_find(&request, &arena, &route, &fault) == 0;
	struct relay_call call = relay_connection_begin(connection, &request, &route, &body);
	bool has_body = request.is_chunked || request.length;
	if (is_known && relay_connection_body(connection, &request, &body, &fault)) {
		call.keeps = !request.closes;
		relay_call_pass(&call, &arena);
	} else {
		call.keeps = !is_known && !has_body && !request.closes;
		relay_call_refuse(&call, fault.status, fault.why);
		if (!call.keeps)
			relay_connection_linger(connection);
	}
	atomic_fetch_sub(&connection->relay->held, body.length);
	return call.keeps;
}

void *relay_connection_work(void *owner)
{
	struct relay_connection *connection = owner;
	while (!cancel_reason(&connection->cancel) && relay_connection_serve(connection))
		;
	shutdown(connection->fd, SHUT_RDWR); /* it is closed by the relay's thread, which knows it */
	atomic_store(&connection->is_over, true);
	relay_wake(connection->relay);
	return NULL;
}
