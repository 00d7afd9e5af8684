/* Report files that runners write: found, opened and removed in directories where programs that
 * nobody trusts have written. */
#pragma once
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct reports {
	int *fds;
	size_t n;
	struct arena arena;
};

void reports_release(struct reports *reports);
#define AUTO_REPORTS __attribute__((cleanup(reports_release))) struct reports

/* Open one file where there is one, or all files below it where it is a folder: never through a
 * link, and only what is a file. */
void reports_open_path(struct reports *reports, const char *path);

/* Open all files below `dir` whose path matches, in the order of their paths. Links are not
 * followed. */
int reports_open_glob(
	struct reports *reports, const char *dir, const char *glob, struct rondo_error *err);

/* Remove them: what an earlier run left says nothing of the next. */
int reports_remove(const char *dir, const char *glob, struct rondo_error *err);
