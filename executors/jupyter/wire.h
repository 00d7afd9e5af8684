/* Jupyter's wire protocol: frames to messages and back. Pure: no socket, no clock but for a date. Inside executors/ only. */
#pragma once
#include "base/arena.h"
#include "base/json.h"

/* A part of a message as it goes over a socket. */
struct jupyter_frame {
	const char *bytes;
	size_t n;
};

enum {
	JUPYTER_FRAMES = 16, /* the most that are kept of a message: behind the sixth there are only buffers */
	JUPYTER_REQUEST_FRAMES = 6,
};

/* Something that a kernel said. */
struct jupyter_message {
	const char *type;   /* such as "status" */
	const char *parent; /* the id of the request that it belongs to, or "" */
	const struct json *content;
	struct json *header, *parent_header, *body; /* owned */
};

/* Read a message that was signed with the key. What is wrongly signed, incomplete or no JSON is an error. NUL and what is not
 * UTF-8 become readable, as they do in what programs print. */
int jupyter_read(const struct jupyter_frame *frames, size_t n, const char *key, struct jupyter_message *ret_message,
	struct rondo_error *err);
void jupyter_message_release(struct jupyter_message *message);

#define AUTO_JUPYTER_MESSAGE __attribute__((cleanup(jupyter_message_release))) struct jupyter_message

/* A request, ready to be sent. */
struct jupyter_request {
	const char *id;
	struct jupyter_frame frames[JUPYTER_REQUEST_FRAMES];
};

/* Make one, in the arena. */
void jupyter_request_make(struct jupyter_request *request, const char *type, const struct json *content, const char *session,
	const char *key, struct arena *arena);
