/*
 * How programs in an external agent's box ask whether what it did so far is proven: over a socket
 * that rondo shows there. The agent says when they may ask, and which tree is judged; a server of
 * the run's, which lies above this floor, speaks with them and judges. What it answers proves
 * nothing later: tester and gate judge as always.
 */
#pragma once
#include <sys/types.h>

#include "chat/context.h"
#include "worktree/worktree.h"

/* A judgement that may be made. */
struct verdict_question {
	struct object tree;
	/* Who looks on, and what ends it: who asked is gone, or the agent's turn is over. */
	struct context ctx;
};

/* The agent's side; called from any thread. */
struct verdict_asker {
	/* One judgement at a time, which `end` ends. `gone`: of who asks. -1 with err: words for who
	 * asks, why there is none now. */
	int (*begin)(void *owner, const struct cancel *gone, struct verdict_question *ret_question,
		struct rondo_error *err);
	/* `came`: what came of it, in a line. */
	void (*end)(void *owner, const char *came);
	void *owner;
};

struct verdict_listener;

/* The run's side. */
struct verdict_server {
	/* Listen at this path from now on, in threads of its own; uid and gid as of
	 * unix_socket_listen. The asker is borrowed until `close`, which waits for the threads. */
	int (*listen)(void *owner, const char *socket, uid_t uid, gid_t gid,
		const struct verdict_asker *asker, struct verdict_listener **ret_listener,
		struct rondo_error *err);
	void (*close)(struct verdict_listener *listener);
	void *owner;
	/* rondo's own program on the host, for `rondo mcp --connect` and `rondo verify` in the box;
	 * NULL: this process is another one */
	const char *program;
};
