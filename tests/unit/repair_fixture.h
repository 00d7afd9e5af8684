/* What repair proposes for a text. */
#pragma once
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/search.h"

/* Whether a candidate comes of a text, and of what the runner printed, that says so; NULL: any. */
static bool proposes_after(
	const char *path, const char *text, size_t n, const char *output, const char *description)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file file = {.path = path, .text = text, .n = n, .editable = true};
	struct test_report report = {.output = output};
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	for (struct candidate candidate; repair_next(repair, &candidate);)
		if (!description || strcmp(candidate.edit.description, description) == 0)
			return true;
	return false;
}

__attribute__((unused)) static bool proposes(
	const char *path, const char *text, size_t n, const char *description)
{
	return proposes_after(path, text, n, NULL, description);
}

__attribute__((unused)) static bool proposes_for(
	const char *path, const char *text, const char *description)
{
	return proposes_after(path, text, strlen(text), NULL, description);
}

/* Fails where no candidate with this description makes the text that is wanted. */
__attribute__((unused)) static void assert_makes(
	const char *path, const char *text, const char *description, const char *wanted)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF made = STRBUF_INIT(STRBUF_TEXT);
	struct repair_file file = {.path = path, .text = text, .n = strlen(text), .editable = true};
	struct test_report report = {0};
	struct rondo_error err;
	struct repair *repair = repair_new(&arena, &file, 1, &report);
	struct candidate candidate;
	do {
		if (!repair_next(repair, &candidate))
			fail_msg("nobody proposes %s", description);
	} while (strcmp(candidate.edit.description, description) != 0);
	assert_int_equal(edit_apply(&candidate.edit.files[0], text, file.n, &made, &err), 0);
	assert_string_equal(made.text, wanted);
}
