/* reads: foreign text that the HTML writer shows */
/* Markdown of models, a diff, program text and any bytes as text, each as a fragment of a page: all
 * markup in it is rondo's own. The first byte says the language of the program text. */
#include "base/lexer/source.h"
#include "chat/markdown.h"
#include "run/report/html/html.h"
#include "tests/fuzz/page.h"

static const char *const paths[] = {"a.py", "a.js", "a.c", "a.go", "a.rs", "a.sh", "a.rb", "a.txt"};

static void add_code(struct strbuf *page, const char *path, const char *text, struct arena *arena)
{
	struct html_code code;
	html_code_read(&code, language_of(path), text, strlen(text), arena);
	strbuf_adds(page, "<pre>");
	html_code_add(page, &code, 0, strlen(text));
	strbuf_adds(page, "</pre>");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF page = STRBUF_INIT(STRBUF_RECORD);
	AUTO_FREE char *text = size ? fuzz_text(data + 1, size - 1) : memory_strdup("");
	AUTO_FREE char *patch = memory_alloc(size + 1);
	size_t n = size ? size - 1 : 0;
	if (n)
		memcpy(patch, data + 1, n);
	strbuf_adds(&page, "<div>");
	markdown_to_html(&page, text);
	html_element(&page, "p", "x", text);
	html_fold(&page, "all", text);
	html_add_diff(&page, patch, n, &arena);
	add_code(&page, paths[size ? data[0] % ARRAY_SIZE(paths) : 0], text, &arena);
	strbuf_adds(&page, "</div>");
	page_check(page.text, page.length, false);
	return 0;
}
