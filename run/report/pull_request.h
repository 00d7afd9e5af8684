/* The text of a pull request for a verified fix: its title on the first line, an empty line, its
 * body in Markdown. */
#pragma once
#include "run/run.h"

/* Appended. `title`: the commit's subject. */
void pull_request_write(const struct run_report *report, const char *title, struct strbuf *sb);
