/* A running kernel: started in an executor, asked one cell after the other, interrupted, watched, ended. Inside executors/ only. */
#pragma once
#include "executors/jupyter/cell.h"
#include "executors/jupyter/launch.h"

struct jupyter_kernel {
	struct arena arena;
	struct executor *executor;
	const char *name; /* of its directory in the cache */
	int dir;          /* that directory */
	char key[65], session[33];
	struct coprocess *process;
	struct jupyter_sockets *sockets;
	bool ended;
	bool lost;            /* of no more use: it is gone, or did not come back from an interrupt, or cannot be understood */
	uint64_t heard;       /* messages, so far */
	struct strbuf between; /* what it printed between two blocks */
	char open_id[33];     /* of a block that was left unfinished, or "" */
};

/* What came of a cell. */
enum jupyter_end {
	JUPYTER_DONE,
	JUPYTER_INTERRUPTED, /* by its deadline */
	JUPYTER_FLOODED,     /* it printed more than it may, and was interrupted */
	JUPYTER_BROKEN,      /* its messages broke off */
	JUPYTER_DIED,
	JUPYTER_CANCELLED,
};

/* Start one and wait until it answers. -1 only where that could not be tried, or was cancelled; NULL in *ret_kernel where it
 * ended or never answered: then `said` has what it printed. */
int jupyter_kernel_start(struct executor *executor, const struct jupyter_launch *launch, struct strbuf *said,
	struct jupyter_kernel **ret_kernel, const struct context *ctx, struct rondo_error *err);

/* Kill it. NULL is fine. */
void jupyter_kernel_free(struct jupyter_kernel *kernel);

/* Run a block. `timeout_ms` 0: no deadline; output_limit 0: no limit. The kernel may be lost then. */
enum jupyter_end jupyter_kernel_run(struct jupyter_kernel *kernel, const char *code, int64_t timeout_ms, uint64_t output_limit,
	struct jupyter_cell *cell, const struct cancel *cancel);

/* Ask it something that is no block, and listen for so long. */
enum jupyter_end jupyter_kernel_ask(struct jupyter_kernel *kernel, const char *type, struct jupyter_cell *cell,
	int64_t timeout_ms, const struct cancel *cancel);

/* Whether it is there, and has come to the end of what was cancelled: it is interrupted and given a moment. */
bool jupyter_kernel_is_ready(struct jupyter_kernel *kernel, const struct cancel *cancel);

/* How it ended, as a shell says it, where it did. */
int jupyter_kernel_exit_code(struct jupyter_kernel *kernel);
