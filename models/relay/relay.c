/* The socket, and the thread that takes connections and looks which of them have ended. */
#include "models/relay/relay.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/thread.h"
#include "models/relay/relay_parts.h"

enum {
	MOST_CONNECTIONS = 128,
	BACKLOG = 512,
	PAUSE_MS = 100, /* while there is no room for a further connection */
};

/* --- Connections --- */

void relay_wake(struct relay *relay)
{
	eventfd_write(relay->wake, 1);
}

static void relay_close(struct relay_connection *connection)
{
	close(connection->fd);
	cancel_release(&connection->cancel);
	free(connection);
}

static void relay_open(struct relay *relay, int fd)
{
	struct rondo_error err;
	struct relay_connection *connection = memory_alloc(sizeof *connection);
	connection->relay = relay;
	connection->fd = fd;
	if (cancel_init(&connection->cancel, &relay->cancel, 0, &err) < 0) {
		close(fd);
		free(connection);
	} else if (thread_start(&connection->thread, relay_connection_work, connection) != 0) {
		relay_close(connection);
	} else {
		connection->next = relay->connections;
		relay->connections = connection;
		relay->n_connections++;
	}
}

/* Of those that are over, or of all. */
static void relay_join(struct relay *relay, bool all)
{
	for (struct relay_connection **at = &relay->connections; *at;) {
		struct relay_connection *connection = *at;
		if (!all && !atomic_load(&connection->is_over)) {
			at = &connection->next;
			continue;
		}
		*at = connection->next;
		pthread_join(connection->thread, NULL);
		relay_close(connection);
		relay->n_connections--;
	}
}

/* Take what waits. False: there are no descriptors left for it. */
static bool relay_accept(struct relay *relay)
{
	int fd = accept4(relay->socket.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd >= 0)
		relay_open(relay, fd);
	return fd >= 0 || (errno != EMFILE && errno != ENFILE && errno != ENOMEM);
}

/* Where there is no room for another one, the one that has been open longest and is not used now
 * ends; agents connect anew. */
static void relay_make_room(struct relay *relay)
{
	struct relay_connection *oldest = NULL;
	for (struct relay_connection *at = relay->connections; at; at = at->next)
		if (atomic_load(&at->is_idle) && !cancel_reason(&at->cancel))
			oldest = at;
	if (oldest)
		cancel_fire(&oldest->cancel, SIGHUP);
}

/* What is to be polled. An agent that waits for an answer, and closes its end or a half of it, has
 * gone: the host need not go on. */
static size_t relay_watch(
	struct relay *relay, struct pollfd *fds, struct relay_connection **watched)
{
	size_t n = 0;
	for (struct relay_connection *at = relay->connections; at; at = at->next)
		if (atomic_load(&at->is_busy) && !cancel_reason(&at->cancel)) {
			watched[n] = at;
			fds[n++] = (struct pollfd){.fd = at->fd, .events = POLLRDHUP};
		}
	return n;
}

static void *relay_work(void *owner)
{
	struct relay *relay = owner;
	struct pollfd fds[2 + CANCEL_FDS + MOST_CONNECTIONS];
	struct relay_connection *watched[MOST_CONNECTIONS];
	bool is_full = false;
	while (!cancel_reason(&relay->cancel)) {
		eventfd_t woken;
		bool lacks_room = relay->n_connections >= MOST_CONNECTIONS, waits = is_full || lacks_room;
		if (lacks_room)
			relay_make_room(relay);
		fds[0] = (struct pollfd){.fd = relay->wake, .events = POLLIN};
		fds[1] = (struct pollfd){.fd = waits ? -1 : relay->socket.fd, .events = POLLIN};
		size_t own = 2 + cancel_poll(&relay->cancel, fds + 2);
		size_t n = relay_watch(relay, fds + own, watched);
		if (poll(fds, (nfds_t)(own + n), waits ? PAUSE_MS : -1) < 0 && errno != EINTR)
			break;
		for (size_t i = 0; i < n; i++)
			if (fds[own + i].revents)
				cancel_fire(&watched[i]->cancel, SIGHUP);
		if (fds[0].revents)
			eventfd_read(relay->wake, &woken);
		relay_join(relay, false);
		is_full = !waits && fds[1].revents && !relay_accept(relay);
	}
	unix_socket_close(&relay->socket); /* who waits to be taken learns that nobody comes */
	relay_join(relay, true);
	return NULL;
}

/* --- The upstream's connections --- */

struct http *relay_take_http(struct relay *relay)
{
	pthread_mutex_lock(&relay->lock);
	struct relay_idle_http *idle = relay->idle;
	relay->idle = idle ? idle->next : NULL;
	relay->n_idle -= idle != NULL;
	pthread_mutex_unlock(&relay->lock);
	struct http *http = idle ? idle->http : http_new();
	free(idle);
	return http;
}

void relay_put_http(struct relay *relay, struct http *http)
{
	struct relay_idle_http *idle = memory_alloc(sizeof *idle);
	pthread_mutex_lock(&relay->lock);
	bool is_kept = relay->n_idle < RELAY_MOST_IDLE;
	if (is_kept) {
		*idle = (struct relay_idle_http){relay->idle, http};
		relay->idle = idle;
		relay->n_idle++;
	}
	pthread_mutex_unlock(&relay->lock);
	if (is_kept)
		return;
	http_free(http);
	free(idle);
}

/* --- The start --- */

static int relay_take_upstream(struct relay *relay, struct rondo_error *err)
{
	const struct relay_upstream *upstream = &relay->options.upstream;
	struct http_url url;
	if (http_url_read(upstream->base_url, &url, err) < 0)
		return error_prefix(err, "base_url");
	memcpy(relay->host, url.host, sizeof relay->host);
	relay->key_names[0] = upstream->key_name ? upstream->key_name : "API_KEY";
	relay->key_values[0] = upstream->key;
	relay->key = (struct secrets){.names = relay->key_names,
		.values = relay->key_values,
		.n = upstream->key && *upstream->key};
	return 0;
}

static int relay_begin(struct relay *relay, struct rondo_error *err)
{
	relay->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	relay->told = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (relay->wake < 0 || relay->told < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make an eventfd");
	const struct relay_options *options = &relay->options;
	if (relay_take_upstream(relay, err) < 0 ||
		unix_socket_listen(
			&relay->socket, options->socket, options->uid, options->gid, BACKLOG, err) < 0)
		return -1;
	if (thread_start(&relay->thread, relay_work, relay) != 0)
		return error_set(err, RONDO_ERROR_TRANSIENT, "cannot start the relay's thread");
	return 0;
}

/* Without its thread. */
static void relay_free(struct relay *relay)
{
	unix_socket_close(&relay->socket);
	const int fds[] = {relay->wake, relay->told};
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	for (struct relay_idle_http *idle; (idle = relay->idle);) {
		relay->idle = idle->next;
		http_free(idle->http);
		free(idle);
	}
	pthread_mutex_destroy(&relay->lock);
	cancel_release(&relay->cancel);
	free(relay);
}

int relay_start(
	const struct relay_options *options, struct relay **ret_relay, struct rondo_error *err)
{
	struct relay *relay = memory_alloc(sizeof *relay);
	relay->options = *options;
	relay->socket = UNIX_SOCKET_CLOSED;
	relay->wake = relay->told = -1;
	if (cancel_init(&relay->cancel, options->cancel, 0, err) < 0) {
		free(relay);
		return -1;
	}
	pthread_mutex_init(&relay->lock, NULL);
	if (relay_begin(relay, err) < 0) {
		relay_free(relay);
		return -1;
	}
	*ret_relay = relay;
	return 0;
}

void relay_end(struct relay *relay)
{
	if (!relay)
		return;
	cancel_fire(&relay->cancel, SIGTERM);
	pthread_join(relay->thread, NULL);
	relay_free(relay);
}
