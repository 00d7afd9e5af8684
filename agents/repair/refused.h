/* Candidates that pass, and that the gate would refuse by their text. Private to this folder. */
#pragma once
#include "agents/repair/search.h"

/* Drop those that a rule of the guard refuses from the candidates that passed: proposing one would
 * end the chat. The search keeps how many, and what the first one is refused for. */
int refused_drop(struct search *search, const struct agent_services *services,
	struct rondo_error *err);
