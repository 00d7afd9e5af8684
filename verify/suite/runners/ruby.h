/* What Ruby's runners have in common. */
#pragma once
#include "base/arena.h"

/* A command through Bundler where the tree has fixed the versions of its gems. */
const char *ruby_command(
	const char *command, const char *const *paths, size_t n, struct arena *arena);
