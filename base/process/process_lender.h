/* Memory for a standby and its keeper, for base/process/process.c; nobody else includes it. */
#pragma once
#include "base/process/process_keeper.h"

struct process_lender;

/* Start both in the caller's memory, with copies of its descriptors. The options must stay as they
 * are until it is freed. NULL with errno: they cannot be started. */
struct process_lender *process_lender_new(
	const struct process_options *options, int in, int out, int channel);

/* Whom to wait for before it is freed. */
pid_t process_lender_standby(const struct process_lender *lender);

/* Wait until no process uses the memory. May be NULL. */
void process_lender_free(struct process_lender *lender);
