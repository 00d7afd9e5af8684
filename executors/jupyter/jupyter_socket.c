#include "executors/jupyter/jupyter_socket.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "base/memory.h"

#define LARGEST_FRAME ((int64_t)32 << 20)
#define MOST_WAITING 8 /* so that a kernel cannot fill memory between two blocks */
#define NEVER (-1)

#define FUNCTIONS(_) \
	_(ctx_new) _(ctx_term) _(socket) _(close) _(setsockopt) _(connect) _(send) _(poll) _(version) \
	_(strerror) _(msg_init) _(msg_recv) _(msg_data) _(msg_size) _(msg_more) _(msg_close)

/* The library's functions, after it was loaded. */
static struct {
#define DECLARE(name) __typeof__(zmq_##name) *name;
	FUNCTIONS(DECLARE)
#undef DECLARE
} zmq;

static int sockets_need_library(struct rondo_error *err)
{
#define ENTRY(name) {"zmq_" #name, &zmq.name},
	static const struct library_function functions[] = {FUNCTIONS(ENTRY)};
#undef ENTRY
	static struct library library = {.file = "libzmq.so.5", .package = "libzmq5",
		.functions = functions, .n = ARRAY_SIZE(functions), .lock = PTHREAD_MUTEX_INITIALIZER};
	return library_need(&library, err);
}

int jupyter_sockets_probe(struct strbuf *found, struct rondo_error *err)
{
	int major, minor, patch;
	if (sockets_need_library(err) < 0)
		return -1;
	zmq.version(&major, &minor, &patch);
	strbuf_addf(found, "libzmq %d.%d.%d", major, minor, patch);
	return 0;
}

struct jupyter_sockets {
	void *context;
	void *sockets[JUPYTER_CHANNELS];
};

static const struct {
	int kind;
	const char *file;
} channels[JUPYTER_CHANNELS] = {
	[JUPYTER_SHELL] = {ZMQ_DEALER, "s-1"}, [JUPYTER_IOPUB] = {ZMQ_SUB, "s-2"},
		[JUPYTER_CONTROL] = {ZMQ_DEALER, "s-3"}};

/* It never reconnects: another file may have that name later. */
static void *sockets_connect_to(void *context, const char *dir, enum jupyter_channel channel)
{
	char place[256];
	int64_t largest = LARGEST_FRAME;
	const int linger = 0, most = MOST_WAITING, never = NEVER;
	snprintf(place, sizeof place, "ipc://%s/%s", dir, channels[channel].file);
	void *socket = zmq.socket(context, channels[channel].kind);
	if (!socket)
		return NULL;
	if (zmq.setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger) == 0 &&
		zmq.setsockopt(socket, ZMQ_RCVHWM, &most, sizeof most) == 0 &&
		zmq.setsockopt(socket, ZMQ_MAXMSGSIZE, &largest, sizeof largest) == 0 &&
		zmq.setsockopt(socket, ZMQ_RECONNECT_IVL, &never, sizeof never) == 0 &&
		(channel != JUPYTER_IOPUB || zmq.setsockopt(socket, ZMQ_SUBSCRIBE, "", 0) == 0) &&
		zmq.connect(socket, place) == 0)
		return socket;
	int reason = errno;
	zmq.close(socket);
	errno = reason;
	return NULL;
}

int jupyter_sockets_new(const char *dir, struct jupyter_sockets **ret_sockets,
	struct rondo_error *err)
{
	if (sockets_need_library(err) < 0)
		return -1;
	struct jupyter_sockets *sockets = memory_alloc(sizeof *sockets);
	sockets->context = zmq.ctx_new();
	for (enum jupyter_channel i = 0; sockets->context && i < JUPYTER_CHANNELS; i++) {
		sockets->sockets[i] = sockets_connect_to(sockets->context, dir, i);
		if (sockets->sockets[i])
			continue;
		error_set(err, RONDO_ERROR_TRANSIENT, "cannot connect to the kernel: %s",
			zmq.strerror(errno));
		jupyter_sockets_free(sockets);
		return -1;
	}
	if (!sockets->context) {
		free(sockets);
		return error_set(err, RONDO_ERROR_TRANSIENT, "cannot make sockets: %s",
			zmq.strerror(errno));
	}
	*ret_sockets = sockets;
	return 0;
}

void jupyter_sockets_free(struct jupyter_sockets *sockets)
{
	if (!sockets)
		return;
	for (size_t i = 0; i < JUPYTER_CHANNELS; i++)
		if (sockets->sockets[i])
			zmq.close(sockets->sockets[i]);
	zmq.ctx_term(sockets->context);
	free(sockets);
}

bool jupyter_sockets_send(struct jupyter_sockets *sockets, enum jupyter_channel channel,
	const struct jupyter_request *request)
{
	void *socket = sockets->sockets[channel];
	for (size_t i = 0; i < JUPYTER_REQUEST_FRAMES; i++) {
		int flags = ZMQ_DONTWAIT | (i + 1 < JUPYTER_REQUEST_FRAMES ? ZMQ_SNDMORE : 0);
		if (zmq.send(socket, request->frames[i].bytes, request->frames[i].n, flags) < 0)
			return false;
	}
	return true;
}

/* Further parts are read and dropped. */
bool jupyter_sockets_receive(struct jupyter_sockets *sockets, enum jupyter_channel channel,
	struct jupyter_multipart *multipart)
{
	multipart->n = 0;
	for (bool more = true; more;) {
		zmq_msg_t beyond, *part = multipart->n < JUPYTER_FRAMES ? &multipart->parts[multipart->n]
			: &beyond;
		zmq.msg_init(part);
		if (zmq.msg_recv(part, sockets->sockets[channel], ZMQ_DONTWAIT) < 0) {
			zmq.msg_close(part);
			jupyter_multipart_release(multipart);
			return false;
		}
		more = zmq.msg_more(part);
		if (part == &beyond)
			zmq.msg_close(part);
		else
			multipart->frames[multipart->n++] = (struct jupyter_frame){zmq.msg_data(part),
				zmq.msg_size(part)};
	}
	return true;
}

void jupyter_multipart_release(struct jupyter_multipart *multipart)
{
	for (size_t i = 0; i < multipart->n; i++)
		zmq.msg_close(&multipart->parts[i]);
	multipart->n = 0;
}

void jupyter_sockets_wait(struct jupyter_sockets *sockets, const struct pollfd *others, size_t n,
	int64_t timeout_ms)
{
	zmq_pollitem_t items[JUPYTER_CHANNELS + JUPYTER_OTHERS] = {0};
	assert(n <= JUPYTER_OTHERS);
	for (size_t i = 0; i < JUPYTER_CHANNELS; i++)
		items[i] = (zmq_pollitem_t){.socket = sockets->sockets[i], .events = ZMQ_POLLIN};
	for (size_t i = 0; i < n; i++)
		items[JUPYTER_CHANNELS + i] = (zmq_pollitem_t){.fd = others[i].fd, .events = ZMQ_POLLIN};
	zmq.poll(items, (int)(JUPYTER_CHANNELS + n), timeout_ms);
}
