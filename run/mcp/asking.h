/*
 * The Model Context Protocol in the box of an external agent: a server for each connection to a
 * socket, with one tool, which judges the agent's tree by the run's own gate. What comes over the
 * socket is hostile: few connections, short lines, and the agent's side admits each judgement.
 * Inside run/ only.
 */
#pragma once
#include "run/mcp/mcp.h"
#include "run/stages.h"

/* Let the run's external agents ask: its services know how from then on. */
void asking_offer(struct run *run);

/* Judge for a call, if the agent admits it. */
int asking_judge(struct verdict_listener *listener, struct mcp_call *call,
	struct run_report *report, struct rondo_error *err);
