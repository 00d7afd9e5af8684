/* The one place where foreign text becomes HTML. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "chat/budget.h"
#include "run/report/html/html.h"

enum { LEAST_TOLD_IN_SECONDS = 1000 };

void html_add_n(struct strbuf *sb, const char *text, size_t n)
{
	AUTO_STRBUF part = STRBUF_INIT(HTML_TEXT), valid = STRBUF_INIT(STRBUF_TEXT),
				shown = STRBUF_INIT(STRBUF_TEXT);
	strbuf_add(&part, text, n);
	strbuf_mark_cut(&part);
	utf8_scrub(&valid, part.text, part.length);
	utf8_show(&shown, valid.text);
	xml_add_text(sb, shown.text);
}

void html_add(struct strbuf *sb, const char *text)
{
	html_add_n(sb, text, strlen(text));
}

void html_element(struct strbuf *sb, const char *tag, const char *class, const char *text)
{
	if (!text)
		return;
	strbuf_addf(sb, "<%s", tag);
	if (class)
		strbuf_addf(sb, " class=\"%s\"", class);
	strbuf_addc(sb, '>');
	html_add(sb, text);
	strbuf_addf(sb, "</%s>", tag);
}

void html_fold(struct strbuf *sb, const char *summary, const char *text)
{
	size_t n = strlen(text), lines = text_count_lines(text, n) + (n && text[n - 1] != '\n');
	if (!lines)
		return;
	strbuf_addf(sb, "<details class=\"code\"><summary>%s, ", summary);
	html_count(sb, lines, "line");
	strbuf_adds(sb, "</summary><pre>");
	html_add(sb, text);
	strbuf_adds(sb, "</pre></details>\n");
}

void html_section(struct strbuf *sb, const char *id, const char *title)
{
	strbuf_addf(sb,
		"<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", id, id,
		id, title);
}

void html_time(struct strbuf *sb, int64_t ms)
{
	char text[CLOCK_DATE_SIZE];
	if (ms > 0 && ms < LEAST_TOLD_IN_SECONDS) {
		strbuf_addf(sb, "%d ms", (int)ms);
		return;
	}
	clock_format_duration(ms, text);
	strbuf_adds(sb, text);
}

void html_number(struct strbuf *sb, int64_t n)
{
	char digits[32];
	int length = snprintf(digits, sizeof digits, "%" PRId64, n);
	for (int i = 0; i < length; i++) {
		bool begins_group = i && digits[i - 1] != '-' && (length - i) % 3 == 0;
		strbuf_addf(sb, "%s%c", begins_group ? "," : "", digits[i]);
	}
}

void html_money(struct strbuf *sb, double usd)
{
	char money[MONEY_SIZE];
	if (usd < 0)
		strbuf_adds(sb, "cost unknown");
	else
		strbuf_addf(sb, "%s USD", money_text(usd, money));
}

void html_count(struct strbuf *sb, size_t n, const char *noun)
{
	html_number(sb, (int64_t)n);
	strbuf_addf(sb, " %s%s", noun, text_plural(n));
}

void html_say_time(struct strbuf *sb, double ms)
{
	html_time(sb, (int64_t)ms);
}

void html_say_number(struct strbuf *sb, double n)
{
	html_number(sb, (int64_t)n);
}
