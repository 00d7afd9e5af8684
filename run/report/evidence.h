/* What was observed of a fix, as sections of Markdown that the report and a pull request have in
 * common; appended. Inside run/ only. Foreign text stands in code spans and blocks. */
#pragma once
#include "run/run.h"

/* The failing tests, with their place and message. */
void evidence_add_goal(struct strbuf *sb, const struct run_report *report);

/* What was changed, in words as far as there are any, and the files. */
void evidence_add_change(struct strbuf *sb, const struct run_report *report);

/* Tests before and after, how that was found, and what was found beside it; of a fix that is
 * verified. */
void evidence_add_verification(struct strbuf *sb, const struct run_report *report);

/* What was not counted, not judged, or should be looked at; whatever came of the run. */
void evidence_add_remarks(struct strbuf *sb, const struct run_report *report);

/* What a reader has to judge for himself. */
void evidence_add_limits(struct strbuf *sb, const struct run_report *report);

/* A section of items; nothing where there are none. */
void evidence_add_list(struct strbuf *sb, const char *title, const struct option_strings *items);

/* text.c: the text of a pull request for a verified fix, appended: `title`, the commit's subject,
 * on the first line, an empty line, the body in Markdown. */
void pull_request_write(const struct run_report *report, const char *title, struct strbuf *sb);
