/* Text within XML, in an element or between quotes. */
#pragma once
#include "base/strbuf.h"

/* Append bytes as XML 1.0 may hold them: markup escaped; what is no UTF-8, and characters for which
 * XML has no way to be written, become U+FFFD. */
void xml_add_text(struct strbuf *sb, const char *text);
