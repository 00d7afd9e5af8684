/* What models write, CommonMark with tables, as HTML that shows text and does nothing. */
#pragma once
#include "base/strbuf.h"

/* Append text as well-formed HTML. Of its markup only bare elements of a fixed list are left: links
 * and pictures become their text and their address, HTML becomes text, and what would steer a
 * terminal or turn the direction of writing becomes visible. Code blocks are folded where they are
 * long. */
void markdown_to_html(struct strbuf *sb, const char *text);
