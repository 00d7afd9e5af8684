/* A page of HTML is well-formed XML of known elements and attributes: so no byte of others was
 * written as markup. Its only style and script are rondo's own, and it leads nowhere else. */
#pragma once
#include <expat.h>

#include "base/strbuf.h"
#include "tests/fuzz/fuzz.h"

static const char *const page_elements[] = {"a", "article", "b", "blockquote", "body", "br",
	"button", "caption", "circle", "code", "col", "colgroup", "dd", "del", "details", "div", "dl",
	"dt", "em", "figcaption", "figure", "footer", "form", "g", "h1", "h2", "h3", "h4", "h5", "h6",
	"head", "header", "hr", "html", "i", "input", "label", "li", "line", "main", "mark", "meta",
	"nav", "ol", "output", "p", "path", "polyline", "pre", "rect", "script", "section", "small",
	"span", "strong", "style", "summary", "svg", "table", "tbody", "td", "text", "tfoot", "th",
	"thead", "time", "title", "tr", "u", "ul"};

struct page {
	size_t n_styles, n_scripts;
};

/* A place on the page, or a page beside it. */
static inline bool page_is_own(const char *link)
{
	return *link == '#' ||
		(*link != '/' && strcspn(link, ":") > strcspn(link, "/") && text_ends_with(link, ".html"));
}

static inline void page_element(void *owner, const char *name, const char **attributes)
{
	struct page *page = owner;
	bool is_known = false;
	for (size_t i = 0; i < ARRAY_SIZE(page_elements); i++)
		is_known |= strcmp(page_elements[i], name) == 0;
	if (!is_known)
		fprintf(stderr, "<%s>\n", name);
	assert(is_known);
	page->n_styles += strcmp(name, "style") == 0;
	page->n_scripts += strcmp(name, "script") == 0;
	for (; *attributes; attributes += 2) {
		assert(!text_starts_with(attributes[0], "on") && strcmp(attributes[0], "src") != 0);
		assert(strcmp(attributes[0], "href") != 0 || page_is_own(attributes[1]));
		assert_text(attributes[1]);
	}
}

/* `is_whole`: it has a head, with style and script. */
static inline void page_check(const char *text, size_t n, bool is_whole)
{
	struct page page = {0};
	XML_Parser parser = XML_ParserCreate("UTF-8");
	assert_text(text);
	assert(strlen(text) == n);
	XML_SetUserData(parser, &page);
	XML_SetStartElementHandler(parser, page_element);
	if (XML_Parse(parser, text, (int)n, 1) != XML_STATUS_OK) {
		long at = XML_GetCurrentByteIndex(parser);
		fprintf(stderr, "%s at %ld: %.60s\n", XML_ErrorString(XML_GetErrorCode(parser)), at,
			at >= 0 && at < (long)n ? text + at : "");
		assert(!"well-formed");
	}
	assert(page.n_styles == is_whole && page.n_scripts == is_whole);
	XML_ParserFree(parser);
}
