/* Replies read as edits of a few files. */
#pragma once
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "chat/edit_text.h"

#define PRICING \
	"def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n   " \
	" return result\n\n\n" \
	"def discount(price):\n    if price > 100:\n        return 10\n    return 0\n\n\n" \
	"def surcharge(price):\n    if price > 100:\n        return 20\n    return 0\n"

struct file {
	const char *path, *text, *why;
};

static struct arena arena;
static const char *only;
static struct file files[8];

static const char *text_of(void *owner, const char *path, struct arena *to, const char **ret_why)
{
	(void)owner, (void)to;
	for (size_t i = 0; i < ARRAY_SIZE(files) && files[i].path; i++) {
		if (strcmp(files[i].path, path) != 0)
			continue;
		*ret_why = files[i].why;
		return files[i].text;
	}
	return NULL;
}

static struct edit_reading read_reply(const char *markdown)
{
	static const char *const paths[] = {"cart/pricing.py", "Makefile"};
	struct edit_files source = {.text = text_of, .paths = paths, .n = 2, .only = only};
	return edit_text_read(markdown, &source, &arena);
}

static int begin(void **state)
{
	(void)state;
	memset(files, 0, sizeof files);
	only = NULL;
	files[0] = (struct file){"cart/pricing.py", PRICING, NULL};
	files[1] = (struct file){"Makefile", "check:\n\tpytest -q", NULL};
	files[2] = (struct file){"dos.txt", "one\r\ntwo\r\nthree\r\n", NULL};
	files[3] = (struct file){"link.py", NULL, "'link.py' is a link, not a file"};
	files[4] = (struct file){"cart/__init__.py", "", NULL};
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* What a reply makes of one file. */
static const char *applied(const char *markdown, const char *path)
{
	struct rondo_error err;
	const char *why = NULL;
	struct edit_reading reading = read_reply(markdown);
	if (reading.problem)
		fail_msg("%s", reading.problem);
	for (size_t i = 0; i < reading.edit.n; i++) {
		const struct file_edit *file = &reading.edit.files[i];
		if (strcmp(file->path, path) != 0)
			continue;
		const char *old = text_of(NULL, path, &arena, &why);
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		assert_int_equal(edit_apply(file, old ? old : "", strlen(old ? old : ""), &text, &err), 0);
		return arena_strdup(&arena, text.text);
	}
	fail_msg("%s is not in the edit", path);
	return NULL;
}

__attribute__((unused)) static void expect_problem(const char *markdown, const char *problem)
{
	struct edit_reading reading = read_reply(markdown);
	assert_non_null(reading.problem);
	assert_int_equal(reading.edit.n, 0);
	assert_string_equal(reading.problem, problem);
}

/* PRICING with one piece of it replaced. */
static const char *pricing(const char *old, const char *new)
{
	const char *at = strstr(PRICING, old);
	assert_non_null(at);
	return arena_printf(&arena, "%.*s%s%s", (int)(at - PRICING), PRICING, new, at + strlen(old));
}

#define SEARCH(old, new) "<<<<<<< SEARCH\n" old "=======\n" new ">>>>>>> REPLACE\n"

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
