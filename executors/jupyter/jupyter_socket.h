/* The sockets of a kernel, by libzmq, which is loaded on first use. Only executors/ includes it. */
#pragma once
#include <poll.h>
#include <zmq.h>

#include "base/strbuf.h"
#include "executors/jupyter/jupyter.h"

enum jupyter_channel { JUPYTER_SHELL, JUPYTER_IOPUB, JUPYTER_CONTROL, JUPYTER_CHANNELS };

/* A multipart message. It must not be moved: the frames may point into the parts. */
struct jupyter_multipart {
	zmq_msg_t parts[JUPYTER_FRAMES];
	struct jupyter_frame frames[JUPYTER_FRAMES];
	size_t n;
};

struct jupyter_sockets;

/* Whether libzmq is there; appends its version. */
int jupyter_sockets_probe(struct strbuf *found, struct rondo_error *err);

/* Connect to the sockets "s-1" ... in a directory. */
int jupyter_sockets_new(const char *dir, struct jupyter_sockets **ret_sockets,
	struct rondo_error *err);

/* NULL is fine. Unsent messages are dropped. */
void jupyter_sockets_free(struct jupyter_sockets *sockets);

/* False: the kernel does not listen. */
bool jupyter_sockets_send(struct jupyter_sockets *sockets, enum jupyter_channel channel,
	const struct jupyter_request *request);

/* Receive a message. False: there is none. */
bool jupyter_sockets_receive(struct jupyter_sockets *sockets, enum jupyter_channel channel,
	struct jupyter_multipart *multipart);
void jupyter_multipart_release(struct jupyter_multipart *multipart);

/* Wait until a message or one of at most JUPYTER_OTHERS descriptors is ready. */
enum { JUPYTER_OTHERS = 32 };
void jupyter_sockets_wait(struct jupyter_sockets *sockets, const struct pollfd *others, size_t n,
	int64_t timeout_ms);
