/* Foreign text within Markdown, so that nothing of it is read as such: no heading, link, mention or
 * closing word. */
#pragma once
#include "base/strbuf.h"

/* Append text as a code span on one line. */
void markdown_add_code(struct strbuf *sb, const char *text);

/* Append text as a fenced block of its own lines. */
void markdown_add_block(struct strbuf *sb, const char *language, const char *text);
