/*
 * What a verbose prove prints around the TAP of each test file: "t/cart.t .. ", and after the TAP
 * "ok", or what was wrong. The file is a test of its own, since one that dies before its first test
 * reports nothing else; the names of its tests begin with its own.
 */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/formats/tap.h"

/* "t/cart.t ...... ", where the dots make a column. */
static size_t tap_file_length(const char *text)
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
	tap_place(tap, reading);
	const char *why = *tap->complaint ? tap->complaint : "the file failed";
	enum test_status status = tap->counted ? TEST_FAILED : TEST_ERROR;
	if (tap->file_ok)
		status = tap->planned && !tap->plan ? TEST_SKIPPED : TEST_PASSED;
	reading_add(reading, tap->file, status, tap->file_ok ? NULL : why, &tap->place, 0);
	*tap->file = '\0';
	tap_forget_complaint(tap);
	tap_reset_stream(tap); /* prove has judged the plan */
}

bool tap_ends_file(const char *text)
{
	return strcmp(text, "Test Summary Report") == 0 || strcmp(text, "All tests successful.") == 0 ||
		text_starts_with(text, "Files=");
}

bool tap_begins_file(struct tap *tap, const char *dir, const char *text)
{
	size_t n = tap_file_length(text);
	if (n) {
		text_copy(tap->next_file, n + 1, text);
	} else if (*tap->file) {
		tap->file_ok |= strcmp(text, "ok") == 0 || text_starts_with(text, "skipped");
		/* Of a file without tests, the first line that names a place explains the failure; of
		 * another, the exception that ends it. */
		bool is_tap = *text == '#' || text_starts_with(text, "ok ") ||
			text_starts_with(text, "not ok ");
		bool explains = !tap->counted || (!is_tap && tap_is_exception(text));
		if (explains && !*tap->place.file && location_find(&tap->place, dir, text))
			text_copy(tap->complaint, sizeof tap->complaint, text);
	}
	return n > 0;
}
