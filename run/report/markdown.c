#include "run/report/report.h"

#include <string.h>

#include "base/utf8.h"

/* A fence is longer than any run of backticks within. */
static size_t longest_run(const char *text)
{
	size_t longest = 0, run = 0;
	for (const char *at = text; *at; at++) {
		run = *at == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void add_fence(struct strbuf *sb, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addc(sb, '`');
}

void markdown_add_code(struct strbuf *sb, const char *text)
{
	AUTO_STRBUF shown = STRBUF_INIT(STRBUF_LINE);
	utf8_show(&shown, text);
	for (char *at = shown.text; *at; at++)
		if (*at == '\n' || *at == '\t')
			*at = ' ';
	size_t fence = longest_run(shown.text) + 1;
	bool apart = shown.length && (shown.text[0] == '`' || shown.text[shown.length - 1] == '`');
	add_fence(sb, fence);
	strbuf_addf(sb, "%s%s%s", apart ? " " : "", shown.length ? shown.text : " ", apart ? " " : "");
	add_fence(sb, fence);
}

void markdown_add_block(struct strbuf *sb, const char *language, const char *text)
{
	AUTO_STRBUF shown = STRBUF_INIT(sb->limit);
	utf8_show(&shown, text);
	size_t run = longest_run(shown.text), fence = run < 3 ? 3 : run + 1;
	add_fence(sb, fence);
	strbuf_addf(sb, "%s\n", language);
	strbuf_add(sb, shown.text, shown.length);
	if (!text_ends_with(shown.text, "\n"))
		strbuf_addc(sb, '\n');
	add_fence(sb, fence);
	strbuf_addc(sb, '\n');
}
