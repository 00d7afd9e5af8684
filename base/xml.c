#include "base/xml.h"

#include <string.h>

#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* How to write a character of one byte; NULL: as it is. A line's end between quotes would be read
 * as a space. */
static const char *written(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\n':
		return "&#10;";
	case '\t':
		return "&#9;";
	case '\r':
		return "&#13;";
	default:
		return (unsigned char)c < 0x20 ? REPLACEMENT : NULL;
	}
}

/* U+FFFE and U+FFFF are characters of UTF-8, and none of XML. */
static bool is_outside(const char *at)
{
	return strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0;
}

void xml_add_text(struct strbuf *sb, const char *text)
{
	AUTO_STRBUF valid = STRBUF_INIT(sb->limit);
	utf8_scrub(&valid, text, strlen(text));
	for (const char *at = valid.text; *at; at++) {
		const char *instead = written(*at);
		if (is_outside(at)) {
			strbuf_adds(sb, REPLACEMENT);
			at += 2;
		} else if (instead) {
			strbuf_adds(sb, instead);
		} else {
			strbuf_addc(sb, *at);
		}
	}
}
