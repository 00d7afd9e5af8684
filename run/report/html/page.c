/* A run's page: its head, and the sections in their order. */
#include "base/file.h"
#include "base/hash.h"
#include "run/report/html/html.h"

/* How a Content-Security-Policy names a text that it allows: base64 of its SHA-256. */
static void policy_add_hash(struct strbuf *sb, const char *text, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char hex[HASH_SIZE];
	unsigned bits = 0, n_bits = 0;
	hash_bytes(text, n, hex);
	strbuf_adds(sb, "'sha256-");
	for (const char *at = hex; *at; at++) {
		bits = bits << 4 | (unsigned)(strchr("0123456789abcdef", *at) - "0123456789abcdef");
		for (n_bits += 4; n_bits >= 6; n_bits -= 6)
			strbuf_addc(sb, digits[bits >> (n_bits - 6) & 63]);
	}
	strbuf_addf(sb, "%c='", digits[bits << (6 - n_bits) & 63]);
}

void html_page_begin(struct strbuf *sb, const char *title)
{
	strbuf_adds(sb,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\"/>\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
	policy_add_hash(sb, page_css, page_css_n);
	strbuf_adds(sb, "; script-src ");
	policy_add_hash(sb, page_js, page_js_n);
	strbuf_adds(sb,
		"; base-uri 'none'; form-action 'none'\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		"<meta name=\"color-scheme\" content=\"light dark\"/>\n"
		"<meta name=\"referrer\" content=\"no-referrer\"/>\n");
	html_element(sb, "title", NULL, title);
	strbuf_addf(sb, "\n<style>%s</style>\n</head>\n<body>\n", page_css);
}

void html_page_end(struct strbuf *sb)
{
	strbuf_addf(sb,
		"<footer><p>Made by rondo %s from the files of the run. The page loads nothing.</p>"
		"</footer>\n<script>%s</script>\n</body>\n</html>\n",
		rondo_version(), page_js);
}

struct section {
	const char *id, *title;
	void (*add)(struct strbuf *sb, const struct html_run *run);
};

static const struct section sections[] = {
	{"change", "Change", html_add_change},
	{"tests", "Tests", html_add_tests},
	{"talk", "Conversation", html_add_talk},
	{"time", "Time", html_add_timeline},
	{"cost", "Cost", html_add_spending},
	{"places", "Search", html_add_places},
	{"facts", "About", html_add_facts},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

/* Links to the sections that there are. */
static void links_add(struct strbuf *sb, struct strbuf parts[SECTIONS])
{
	strbuf_adds(sb, "<nav aria-label=\"sections\"><ul>\n");
	for (size_t i = 0; i < SECTIONS; i++)
		if (parts[i].length)
			strbuf_addf(sb, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
	strbuf_adds(sb, "</ul></nav>\n");
}

static void body_add(struct strbuf *sb, const struct html_run *run)
{
	struct strbuf parts[SECTIONS];
	for (size_t i = 0; i < SECTIONS; i++) {
		parts[i] = (struct strbuf)STRBUF_INIT(STRBUF_RECORD);
		sections[i].add(&parts[i], run);
	}
	strbuf_adds(sb, "<a class=\"skip\" href=\"#main\">to the verdict</a>\n");
	links_add(sb, parts);
	strbuf_adds(sb, "<main id=\"main\">\n");
	html_add_verdict(sb, run);
	for (size_t i = 0; i < SECTIONS; i++) {
		strbuf_add(sb, parts[i].text, parts[i].length);
		strbuf_release(&parts[i]);
	}
	strbuf_adds(sb, "</main>\n");
}

int run_show_html(const char *dir, struct strbuf *sb, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF title = STRBUF_INIT(STRBUF_LINE);
	struct html_run run;
	const char *class;
	if (html_run_read(&run, dir, &arena, err) < 0)
		return -1;
	strbuf_addf(&title, "%s: %s", json_string(run.report, "name", file_name(dir)),
		html_outcome(json_string(run.report, "outcome", "broke off"), &class));
	html_page_begin(sb, title.text);
	body_add(sb, &run);
	html_page_end(sb);
	return 0;
}

int run_write_html(const char *dir, const char *file, struct rondo_error *err)
{
	AUTO_STRBUF page = STRBUF_INIT(STRBUF_RECORD * 4);
	if (run_show_html(dir, &page, err) < 0)
		return -1;
	return file_write(file, page.text, page.length, 0600, err);
}
