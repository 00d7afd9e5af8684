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
	bool in_block;      /* of code */
	struct strbuf open; /* the elements that are open, a byte each: its place in `paired` */
};

/* Elements that open and close. */
static const char *const paired[] = {"p", "ul", "ol", "li", "em", "strong", "code", "blockquote",
	"del", "table", "thead", "tbody", "tr", "th", "td", "pre", "a", "h1", "h2", "h3", "h4", "h5",
	"h6"};
enum { PAIRED = sizeof paired / sizeof *paired };

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

/* Its place in `paired`; PAIRED: it has none. */
static size_t element_kind(const struct element *element)
{
	size_t kind = 0;
	while (kind < PAIRED && !element_is(element, paired[kind]))
		kind++;
	return kind;
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

/* One of those that open and close. */
static void markdown_add_paired(struct markdown *x, const struct element *element)
{
	if (element_is(element, "pre"))
		markdown_add_pre(x, element);
	else if (element_is(element, "a"))
		markdown_add_link(x, element);
	else if (!markdown_add_heading(x, element))
		strbuf_addf(x->sb, "<%s%.*s>", element->closes ? "/" : "", (int)element->n, element->name);
}

static void markdown_close_last(struct markdown *x)
{
	const char *name = paired[(unsigned char)x->open.text[x->open.length - 1]];
	strbuf_truncate(&x->open, x->open.length - 1);
	markdown_add_paired(
		x, &(struct element){.name = name, .n = strlen(name), .attributes = "", .closes = true});
}

/* md4c closes what is not open, and leaves open what it began, where marks stand in the address of
 * a link: "~[a](b~)", "[a](b~)~". What is not open is not closed, and what is open within closes
 * first. */
static void markdown_close(struct markdown *x, size_t kind)
{
	size_t depth = x->open.length;
	while (depth && (unsigned char)x->open.text[depth - 1] != kind)
		depth--;
	while (depth && x->open.length >= depth)
		markdown_close_last(x);
}

/* One that stands alone. */
static void markdown_add_empty(struct markdown *x, const struct element *element)
{
	if (element_is(element, "br") || element_is(element, "hr")) {
		strbuf_addf(x->sb, "<%.*s/>", (int)element->n, element->name);
	} else if (element_is(element, "input")) {
		bool is_done = memmem(element->attributes, element->attributes_n, "checked", 7);
		strbuf_adds(x->sb, is_done ? "\u2611 " : "\u2610 ");
	} else if (element_is(element, "img")) {
		strbuf_adds(x->sb, "[picture: ");
		markdown_add_value(x, element, "alt");
		strbuf_adds(x->sb, "]<code class=\"to\">");
		markdown_add_value(x, element, "src");
		strbuf_adds(x->sb, "</code>");
	}
}

static void markdown_add_element(struct markdown *x, const struct element *element)
{
	size_t kind = element_kind(element);
	if (element_is(element, "code") && x->in_block)
		return;
	if (kind == PAIRED) {
		markdown_add_empty(x, element);
	} else if (element->closes) {
		markdown_close(x, kind);
	} else {
		strbuf_addc(&x->open, (char)kind);
		markdown_add_paired(x, element);
	}
}

void markdown_to_html(struct strbuf *sb, const char *text)
{
	AUTO_STRBUF html = STRBUF_INIT(STRBUF_RECORD), shown = STRBUF_INIT(STRBUF_RECORD);
	md_html(text, (MD_SIZE)strlen(text), markdown_take, &html, DIALECT, MD_HTML_FLAG_XHTML);
	utf8_show(&shown, html.text);
	struct markdown x = {.sb = sb,
		.at = shown.text,
		.end = shown.text + shown.length,
		.open = STRBUF_INIT(STRBUF_RECORD)};
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
	while (x.open.length)
		markdown_close_last(&x);
	strbuf_release(&x.open);
}
