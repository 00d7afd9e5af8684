/* Why there is no box here. Only sandbox.c and tests include it. */
#pragma once
#include "base/error.h"

/* What is missing on this machine, exactly, and how to get it; `said`: by bwrap, or by what came before it. Returns -1. */
int refusal_explain(const char *said, struct rondo_error *err);
