/* A page that was written, for people: its path, or a browser. */
#pragma once
#include "cli/cli.h"

/* Print where it lies; with `opens` open it in $BROWSER, or by xdg-open, which live on. An error
 * where there is neither. Gives the status. */
int browser_show(const char *file, bool opens, struct rondo_error *err);
