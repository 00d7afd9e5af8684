/*
 * What prove prints around the TAP of each test file, told to be verbose: "t/cart.t .. ", and
 * behind it "ok", or what was wrong. The file is a test of its own, as one that dies before its
 * first test says nothing else; its tests have its name before theirs.
 */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/formats/tap.h"

/* "t/cart.t ...... ", where the dots make a column. */
static size_t file_length(const char *text)
{
	size_t n = strcspn(text, " "), dots = text[n] == ' ' ? strspn(text + n + 1, ".") : 0;
	const char *rest = text + n + 1 + dots;
	bool is_file = n > 2 && n < TAP_NAME && dots > 1 && memchr(text, '.', n);
	return is_file && (!*rest || strcmp(rest, " ") == 0) ? n : 0;
}

void tap_end_file(struct tap *tap, struct suite_reading *reading)
{
	if (!*tap->file)
		return;
	bool skipped = tap->file_ok && tap->planned && !tap->plan;
	test_report_add(reading->report, reading->arena,
		&(struct test_result){
			.id = arena_strdup(reading->arena, tap->file),
			.status = skipped        ? TEST_SKIPPED
					  : tap->file_ok ? TEST_PASSED
					  : tap->counted ? TEST_FAILED
									 : TEST_ERROR,
			.message = tap->file_ok ? NULL
									: arena_strdup(reading->arena,
										  *tap->complaint ? tap->complaint : "the file failed"),
			.file = !tap->file_ok && *tap->place.file ? tap->place.file : NULL,
			.line = tap->file_ok ? 0 : tap->place.line,
		});
	*tap->file = *tap->complaint = '\0';
	tap->place = (struct location){0};
	/* What its stream promised, prove has judged. */
	tap->planned = false;
	tap->plan = tap->counted = 0;
	tap->depth = 0;
}

/* What a file that says nothing of tests printed in their place: the first line that tells where.
 * */
static void take_complaint(struct tap *tap, const char *dir, const char *text)
{
	if (tap->counted || *tap->place.file || !location_find(&tap->place, dir, text))
		return;
	text_copy(tap->complaint, sizeof tap->complaint, text);
}

bool tap_ends_file(const char *text)
{
	return strcmp(text, "Test Summary Report") == 0 || strcmp(text, "All tests successful.") == 0 ||
		   text_starts_with(text, "Files=");
}

bool tap_begins_file(struct tap *tap, const char *dir, const char *text)
{
	size_t n = file_length(text);
	if (!n) {
		tap->file_ok |=
			*tap->file && (strcmp(text, "ok") == 0 || text_starts_with(text, "skipped"));
		if (*tap->file)
			take_complaint(tap, dir, text);
		return false;
	}
	memcpy(tap->next_file, text, n);
	tap->next_file[n] = '\0';
	return true;
}
