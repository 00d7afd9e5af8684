/* What it is that a message says a word. */
#pragma once
#include <stdbool.h>

/* Whether a message's content holds a text as a word of its own, or as a line of its own, outside
 * of code blocks: print("TERMINATE") does not say it. */
bool mentions_text(const char *content, const char *text, bool as_line);
