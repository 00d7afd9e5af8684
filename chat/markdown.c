/*
 * md4c makes HTML of Markdown, without raw HTML. A second pass over that keeps each element whose
 * name is in a list, without its attributes, so that nothing which md4c lets through or may let
 * through one day can load or run anything. Text between elements is md4c's, escaped by it.
 */
#include "chat/markdown.h"

#include <md4c-html.h>
#include <stdbool.h>

#include "base/memory.h"
#include "base/utf8.h"

enum { OPEN_LINES = 12 }; /* longer blocks are folded */

#define DIALECT \
	(MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | \
		MD_FLAG_PERMISSIVEATXHEADERS)

struct markdown {
	struct strbuf *sb;
	const char *at, *end;
	bool in_block; /* of code */
};

static void markdown_take(const MD_CHAR *text, MD_SIZE n, void *owner)
{
	strbuf_add(owner, text, n);
}

/* --- Elements --- */

struct element {
	const char *name, *attributes;
	size_t n, attributes_n;
	bool closes;
};

/* Read "<name attributes>" or "</name>"; false: here is none. Attributes have no ">" of their own:
 * it is escaped there. */
static bool element_read(struct markdown *x, struct element *element)
{
	const char *at = x->at + 1, *close = memchr(at, '>', (size_t)(x->end - at));
	*element = (struct element){.closes = *at == '/'};
	if (!close)
		return false;
	at += element->closes;
	element->name = at;
	element->n = strspn(at, "abcdefghijklmnopqrstuvwxyz123456");
	element->attributes = at + element->n;
	element->attributes_n = (size_t)(close - element->attributes);
	if (element->n)
		x->at = close + 1;
	return element->n;
}

static bool element_is(const struct element *element, const char *name)
{
	return strlen(name) == element->n && memcmp(name, element->name, element->n) == 0;
}

static bool element_in(const struct element *element, const char *const *names)
{
	while (*names && !element_is(element, *names))
		names++;
	return *names;
}

/* The value of an attribute, which is escaped already; NULL: there is none. */
static const char *element_value(const struct element *element, const char *name, size_t *ret_n)
{
	AUTO_STRBUF sought = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&sought, " %s=\"", name);
	const char *at = memmem(element->attributes, element->attributes_n, sought.text, sought.length);
	if (!at)
		return NULL;
	at += sought.length;
	const char *end = memchr(at, '"', (size_t)(element->attributes + element->attributes_n - at));
	*ret_n = end ? (size_t)(end - at) : 0;
	return end ? at : NULL;
}

static void markdown_add_value(struct markdown *x, const struct element *element, const char *name)
{
	size_t n;
	const char *value = element_value(element, name, &n);
	if (value)
		strbuf_add(x->sb, value, n);
}

/* --- What becomes of each --- */

/* A heading within a message is none of the page. */
static bool markdown_add_heading(struct markdown *x, const struct element *element)
{
	if (element->n != 2 || element->name[0] != 'h' || element->name[1] == 'r')
		return false;
	strbuf_adds(x->sb, element->closes ? "</strong></p>" : "<p><strong>");
	return true;
}

static void markdown_open_block(struct markdown *x, const struct element *code)
{
	const char *end = memmem(x->at, (size_t)(x->end - x->at), "</code>", 7);
	size_t lines = text_count_lines(x->at, (size_t)((end ? end : x->end) - x->at)), n = 0;
	const char *language = element_value(code, "class", &n);
	size_t skip = language && n > 9 ? 9 : n; /* "language-" */
	strbuf_addf(x->sb, "<details class=\"code\"%s><summary>%.*s%scode, %zu line%s</summary><pre>",
		lines > OPEN_LINES ? "" : " open=\"open\"", (int)(n - skip),
		language ? language + skip : "", n > skip ? " " : "", lines, text_plural(lines));
	x->in_block = true;
}

static void markdown_add_pre(struct markdown *x, const struct element *pre)
{
	struct element code;
	if (pre->closes) {
		strbuf_adds(x->sb, x->in_block ? "</pre></details>" : "");
		x->in_block = false;
	} else if (x->at < x->end && *x->at == '<' && element_read(x, &code)) {
		markdown_open_block(x, &code);
	}
}

static void markdown_add_link(struct markdown *x, const struct element *link)
{
	if (link->closes) {
		strbuf_adds(x->sb, "</u>");
		return;
	}
	strbuf_adds(x->sb, "<code class=\"to\">");
	markdown_add_value(x, link, "href");
	strbuf_adds(x->sb, "</code> <u>");
}

static void markdown_add_element(struct markdown *x, const struct element *element)
{
	static const char *const plain[] = {"p", "ul", "ol", "li", "em", "strong", "code", "blockquote",
		"del", "table", "thead", "tbody", "tr", "th", "td", NULL};
	static const char *const empty[] = {"br", "hr", NULL};
	if (element_is(element, "pre"))
		markdown_add_pre(x, element);
	else if (element_is(element, "code") && x->in_block)
		return;
	else if (element_is(element, "a"))
		markdown_add_link(x, element);
	else if (element_in(element, plain))
		strbuf_addf(x->sb, "<%s%.*s>", element->closes ? "/" : "", (int)element->n, element->name);
	else if (element_in(element, empty))
		strbuf_addf(x->sb, "<%.*s/>", (int)element->n, element->name);
	else if (element_is(element, "input"))
		strbuf_adds(x->sb,
			memmem(element->attributes, element->attributes_n, "checked", 7) ? "\u2611 "
																			 : "\u2610 ");
	else if (!markdown_add_heading(x, element) && element_is(element, "img")) {
		strbuf_adds(x->sb, "[picture: ");
		markdown_add_value(x, element, "alt");
		strbuf_adds(x->sb, "]<code class=\"to\">");
		markdown_add_value(x, element, "src");
		strbuf_adds(x->sb, "</code>");
	}
}

void markdown_to_html(struct strbuf *sb, const char *text)
{
	AUTO_STRBUF html = STRBUF_INIT(STRBUF_RECORD), shown = STRBUF_INIT(STRBUF_RECORD);
	md_html(text, (MD_SIZE)strlen(text), markdown_take, &html, DIALECT, MD_HTML_FLAG_XHTML);
	utf8_show(&shown, html.text);
	struct markdown x = {.sb = sb, .at = shown.text, .end = shown.text + shown.length};
	while (x.at < x.end) {
		size_t n = strcspn(x.at, "<");
		struct element element;
		strbuf_add(sb, x.at, n);
		x.at += n;
		if (x.at == x.end)
			break;
		if (element_read(&x, &element))
			markdown_add_element(&x, &element);
		else
			strbuf_adds(sb, "&lt;"), x.at++;
	}
}
