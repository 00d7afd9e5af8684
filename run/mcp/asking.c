#include "run/mcp/asking.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/unix_socket.h"
#include "base/utf8.h"

enum {
	CLIENTS_MOST = 4,
	CALLS_MOST = 4, /* of a client, one of which judges */
	LINE_MOST = 1 << 20,
	BACKLOG = 16,
	PAUSE_MS = 100, /* where there are no descriptors left for a connection */
};

static const char instructions[] =
	"rondo judges what you do when your turn ends. Ask before: `verify` runs the tests of the base "
	"on the files as they are now, in fresh checkouts, and refuses what only looks right (edited "
	"or skipped tests, hard-coded results, swallowed errors).";

struct asking_client {
	struct verdict_listener *listener;
	struct asking_client *next;
	pthread_t thread;
	int fd;
	atomic_bool is_over;
};

struct verdict_listener {
	const struct run *run;
	const struct verdict_asker *asker;
	struct unix_socket socket;
	struct cancel cancel;
	pthread_t thread;
	struct asking_client *clients; /* the thread's alone */
	size_t n_clients;
};

/* --- A judgement --- */

/* Who asked and who looks at the run both hear how far it is. */
struct asking_ears {
	struct context_emit asker, run;
};

static void asking_emit(void *owner, const struct rondo_event *event)
{
	const struct asking_ears *ears = owner;
	ears->asker.call(ears->asker.owner, event);
	if (ears->run.call)
		ears->run.call(ears->run.owner, event);
}

/* In a line. */
static void asking_describe(const struct run_report *report, char *text, size_t size)
{
	static const char *const words[RUN_OUTCOMES] = {[RUN_VERIFIED] = "verified",
		[RUN_VERIFIED_IN_PART] = "verified in part",
		[RUN_REFUSED] = "refused",
		[RUN_NOT_VERIFIED] = "not verified"};
	const char *reason = report->reason ? report->reason : "";
	utf8_format(text, size, "%s: %.*s", words[report->outcome], (int)strcspn(reason, "\n"), reason);
}

int asking_judge(struct verdict_listener *listener, struct mcp_call *call,
	struct run_report *report, struct rondo_error *err)
{
	char came[512];
	struct verdict_question question;
	const struct verdict_asker *asker = listener->asker;
	if (asker->begin(asker->owner, &call->cancel, &question, err) < 0)
		return -1;
	struct asking_ears ears = {calls_context(call).emit, question.ctx.emit};
	const struct context ctx = {.emit = {asking_emit, &ears}, .cancel = question.ctx.cancel};
	int status =
		verdict_reach_asked(listener->run, &question.tree, &ctx, &call->arena, report, err);
	if (status == 0) {
		asking_describe(report, came, sizeof came);
	} else if (cancel_reason(question.ctx.cancel)) {
		bool is_gone = cancel_reason(&call->cancel);
		utf8_format(came, sizeof came, is_gone ? "cancelled" : "its turn ended before");
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "the turn ended before the judgement");
	} else {
		utf8_format(came, sizeof came, "cannot judge: %s", err->message);
	}
	asker->end(asker->owner, came);
	return status;
}

/* --- Connections --- */

static void *asking_serve(void *owner)
{
	struct asking_client *client = owner;
	const struct mcp_tool *const tools[] = {&asked_verify_tool};
	const struct mcp_offer offer = {.tools = tools,
		.n = ARRAY_SIZE(tools),
		.instructions = instructions,
		.line_most = LINE_MOST,
		.most_calls = CALLS_MOST};
	const struct mcp_options options = {.in = client->fd, .out = client->fd};
	struct rondo_error ignored; /* the client is gone, or the run */
	server_run(&offer, &options, client->listener, &client->listener->cancel, &ignored);
	shutdown(client->fd, SHUT_RDWR);
	atomic_store(&client->is_over, true);
	return NULL;
}

/* Of those that are over, or of all. */
static void asking_join(struct verdict_listener *listener, bool all)
{
	for (struct asking_client **at = &listener->clients; *at;) {
		struct asking_client *client = *at;
		if (!all && !atomic_load(&client->is_over)) {
			at = &client->next;
			continue;
		}
		*at = client->next;
		listener->n_clients--;
		shutdown(client->fd, SHUT_RDWR); /* nobody waits until it has read the last words */
		pthread_join(client->thread, NULL);
		close(client->fd);
		free(client);
	}
}

static void asking_refuse(int fd)
{
	AUTO_FREE char *line = json_rpc_error(
		NULL, JSON_RPC_INTERNAL_ERROR, "4 connections are open, which is the most", NULL);
	AUTO_FREE char *text = memory_alloc(strlen(line) + 2);
	memcpy(text, line, strlen(line));
	text[strlen(line)] = '\n';
	send(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void asking_open(struct verdict_listener *listener, int fd)
{
	struct asking_client *client = memory_alloc(sizeof *client);
	*client = (struct asking_client){.listener = listener, .fd = fd};
	if (thread_start(&client->thread, asking_serve, client) != 0) {
		close(fd);
		free(client);
		return;
	}
	client->next = listener->clients;
	listener->clients = client;
	listener->n_clients++;
}

/* Take what waits. False: there are no descriptors left for it. */
static bool asking_accept(struct verdict_listener *listener)
{
	int fd = accept4(listener->socket.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0)
		return errno != EMFILE && errno != ENFILE && errno != ENOMEM;
	asking_join(listener, false);
	if (listener->n_clients < CLIENTS_MOST) {
		asking_open(listener, fd);
		return true;
	}
	asking_refuse(fd);
	close(fd);
	return true;
}

static void *asking_work(void *owner)
{
	struct verdict_listener *listener = owner;
	bool is_full = false;
	while (!cancel_reason(&listener->cancel)) {
		struct pollfd fds[1 + CANCEL_FDS] = {
			{.fd = is_full ? -1 : listener->socket.fd, .events = POLLIN}};
		size_t n = 1 + cancel_poll(&listener->cancel, fds + 1);
		if (poll(fds, n, is_full ? PAUSE_MS : -1) < 0 && errno != EINTR)
			break;
		is_full = fds[0].revents && !asking_accept(listener);
	}
	cancel_fire(&listener->cancel, SIGTERM);
	unix_socket_close(&listener->socket); /* who waits to be taken learns that nobody comes */
	asking_join(listener, true);
	return NULL;
}

/* --- The run's side --- */

static void asking_free(struct verdict_listener *listener)
{
	unix_socket_close(&listener->socket);
	cancel_release(&listener->cancel);
	free(listener);
}

static void asking_close(struct verdict_listener *listener)
{
	cancel_fire(&listener->cancel, SIGTERM);
	pthread_join(listener->thread, NULL);
	asking_free(listener);
}

static int asking_listen(void *owner, const char *socket, uid_t uid, gid_t gid,
	const struct verdict_asker *asker, struct verdict_listener **ret_listener,
	struct rondo_error *err)
{
	struct verdict_listener *listener = memory_alloc(sizeof *listener);
	*listener =
		(struct verdict_listener){.run = owner, .asker = asker, .socket = UNIX_SOCKET_CLOSED};
	if (cancel_init(&listener->cancel, NULL, 0, err) < 0) {
		free(listener);
		return -1;
	}
	int status = unix_socket_listen(&listener->socket, socket, uid, gid, BACKLOG, err);
	if (status == 0 && thread_start(&listener->thread, asking_work, listener) != 0)
		status = error_set(err, RONDO_ERROR_TRANSIENT, "cannot start a thread");
	if (status < 0) {
		asking_free(listener);
		return -1;
	}
	*ret_listener = listener;
	return 0;
}

/* This process's program, where that is rondo and not another one that uses the library. */
static const char *asking_program(struct arena *arena)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	path[n < 0 ? 0 : n] = '\0';
	return strcmp(file_name(path), "rondo") == 0 ? arena_strdup(arena, path) : NULL;
}

void asking_offer(struct run *run)
{
	run->verdicts = (struct verdict_server){.listen = asking_listen,
		.close = asking_close,
		.owner = run,
		.program = asking_program(run->env.arena)};
	run->services.verdicts = &run->verdicts;
}
