/* What is said to the client: lines that wait until it takes them. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"
#include "run/mcp/mcp.h"

#define OUTBOX_MOST ((size_t)8 << 20) /* bytes that wait while the client is heard on */

void outbox_add_locked(struct mcp_server *server, char *line)
{
	struct mcp_line *item = memory_alloc(sizeof *item);
	*item = (struct mcp_line){.text = line, .n = strlen(line)};
	if (server->last)
		server->last->next = item;
	else
		server->first = item;
	server->last = item;
	server->n_bytes += item->n;
	pthread_cond_broadcast(&server->changed);
}

void outbox_add(struct mcp_server *server, char *line)
{
	pthread_mutex_lock(&server->lock);
	outbox_add_locked(server, line);
	pthread_mutex_unlock(&server->lock);
}

/* The first line, which stays counted until it is written; NULL: nothing follows. */
static struct mcp_line *outbox_await(struct mcp_server *server)
{
	pthread_mutex_lock(&server->lock);
	while (!server->first && !server->is_over)
		pthread_cond_wait(&server->changed, &server->lock);
	struct mcp_line *line = server->first;
	pthread_mutex_unlock(&server->lock);
	return line;
}

static void outbox_drop_first(struct mcp_server *server)
{
	pthread_mutex_lock(&server->lock);
	struct mcp_line *line = server->first;
	server->first = line->next;
	if (!server->first)
		server->last = NULL;
	server->n_bytes -= line->n;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
	free(line->text);
	free(line);
}

/* Where the client is gone, all is in vain. The last lines are written although all is cancelled:
 * who ends this thread waits for it, and not for ever. */
static void *outbox_write(void *owner)
{
	struct mcp_server *server = owner;
	struct rondo_error err;
	bool listens = true;
	for (struct mcp_line *line; (line = outbox_await(server)); outbox_drop_first(server)) {
		if (listens &&
			json_rpc_say(server->options->out, line->text, -1, &server->gone, &listens, &err) < 0)
			listens = false;
		if (!listens)
			cancel_fire(&server->cancel, SIGTERM);
	}
	return NULL;
}

int outbox_start(struct mcp_server *server, pthread_t *ret_thread, struct rondo_error *err)
{
	if (thread_start(ret_thread, outbox_write, server) != 0)
		return error_set(err, RONDO_ERROR_TRANSIENT, "cannot start a thread");
	return 0;
}

/* Wait for a change, at most so long. The lock is held. */
static void outbox_wait(struct mcp_server *server, int64_t timeout_ms)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += timeout_ms % 1000 * 1000000L;
	until.tv_sec += timeout_ms / 1000 + until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	pthread_cond_timedwait(&server->changed, &server->lock, &until);
}

void outbox_end(struct mcp_server *server, pthread_t thread, int64_t timeout_ms)
{
	int64_t deadline_ms = clock_now_ms() + timeout_ms, left_ms;
	pthread_mutex_lock(&server->lock);
	server->is_over = true;
	pthread_cond_broadcast(&server->changed);
	while (server->first && (left_ms = deadline_ms - clock_now_ms()) > 0)
		outbox_wait(server, left_ms);
	pthread_mutex_unlock(&server->lock);
	cancel_fire(&server->gone, SIGTERM);
	pthread_join(thread, NULL);
}

void outbox_await_room(struct mcp_server *server)
{
	pthread_mutex_lock(&server->lock);
	while (server->n_bytes > OUTBOX_MOST && !cancel_reason(&server->cancel))
		outbox_wait(server, 100);
	pthread_mutex_unlock(&server->lock);
}
