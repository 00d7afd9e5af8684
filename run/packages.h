/* Packages that an executor's settings ask for. Inside run/ only. */
#pragma once
#include "run/stages.h"

/* Have them, and show them in the run's world. Nothing where none are asked for. */
int packages_provide(struct run *run, struct rondo_error *err);

/* Remove those that nobody used for three months, and what dead runs left half made; adds up the bytes. */
void packages_collect(const char *cache, uint64_t *bytes);
