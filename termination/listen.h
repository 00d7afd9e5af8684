/* Conditions that listen to what is said: what they share. */
#pragma once
#include "termination/termination.h"

/* Whether a name is one of these. */
bool listen_has_name(const struct option_strings *names, const char *name);

/* Whether it is the task, or a part of it. */
bool listen_is_task(const struct rondo_message *message);
