/* The sockets of a kernel, by libzmq, which is loaded when the first are made. Inside executors/ only. */
#pragma once
#include <poll.h>
#include <zmq.h>

#include "base/strbuf.h"
#include "executors/jupyter/wire.h"

enum jupyter_channel { JUPYTER_SHELL, JUPYTER_IOPUB, JUPYTER_CONTROL, JUPYTER_CHANNELS };

/* A message as it came. Not to be moved: the frames may point into the parts. */
struct jupyter_parcel {
	zmq_msg_t parts[JUPYTER_FRAMES];
	struct jupyter_frame frames[JUPYTER_FRAMES];
	size_t n;
};

struct jupyter_sockets;

/* Whether libzmq is there; appends its version. */
int jupyter_sockets_probe(struct strbuf *found, struct rondo_error *err);

/* Connect to the sockets that lie in a directory under the channels' numbers from 1 on: "s-1" ... */
int jupyter_sockets_new(const char *dir, struct jupyter_sockets **ret_sockets, struct rondo_error *err);

/* NULL is fine. What was not sent yet is forgotten. */
void jupyter_sockets_free(struct jupyter_sockets *sockets);

/* False where the kernel does not listen. */
bool jupyter_sockets_send(struct jupyter_sockets *sockets, enum jupyter_channel channel, const struct jupyter_request *request);

/* A message that is there. False where there is none. */
bool jupyter_sockets_receive(struct jupyter_sockets *sockets, enum jupyter_channel channel, struct jupyter_parcel *parcel);
void jupyter_parcel_release(struct jupyter_parcel *parcel);

/* Wait until something can be received, or one of at most JUPYTER_OTHERS descriptors is ready; so long at most. */
enum { JUPYTER_OTHERS = 32 };
void jupyter_sockets_wait(struct jupyter_sockets *sockets, const struct pollfd *others, size_t n, int64_t timeout_ms);
