/* How Rust says why something failed: panics of tests, errors of the compiler. */
#include <string.h>

#include "base/utf8.h"
#include "verify/suite/formats/cargo.h"

static void set_message(struct cargo_why *why, const char *text)
{
	utf8_format(why->message, sizeof why->message, "%s", text);
}

/* "thread 'x' (7) panicked at src/lib.rs:2:3:" with the words in the next line, or, before Rust
 * 1.73, "... panicked at 'words', src/lib.rs:2:3". */
static bool hear_panic(struct cargo_why *why, const char *dir, const char *line)
{
	const char *at = text_starts_with(line, "thread '") ? strstr(line, "' panicked at ") : NULL;
	at = at ? at : text_starts_with(line, "thread '") ? strstr(line, ") panicked at ") : NULL;
	if (!at)
		return false;
	at += strlen("' panicked at ");
	location_find(&why->location, dir, at);
	const char *end = strrchr(at, '\'');
	why->expects_message = *at != '\'';
	if (!why->expects_message && end > at)
		utf8_format(why->message, sizeof why->message, "%.*s", (int)(end - at - 1), at + 1);
	else
		set_message(why, line);
	return true;
}

/* "  left: -1" and " right: 5" below an assertion. */
static bool hear_side(struct cargo_why *why, const char *line)
{
	const char *text = line + strspn(line, " ");
	if (text == line || (!text_starts_with(text, "left: ") && !text_starts_with(text, "right: ")))
		return false;
	char so_far[sizeof why->message];
	text_copy(so_far, sizeof so_far, why->message);
	utf8_format(why->message, sizeof why->message, "%s, %s", so_far, text);
	return true;
}

void cargo_hear(struct cargo_why *why, const char *dir, const char *line)
{
	if (why->expects_message) {
		set_message(why, line);
		why->expects_message = false;
	} else if (!*why->message) {
		const char *text = text_starts_with(line, "note: test did not") ? line + 6 : line;
		if (hear_panic(why, dir, line))
			return;
		if (text_starts_with(line, "Error: ") || text_starts_with(line, "error: ") ||
			text_starts_with(line, "error[") || text != line)
			set_message(why, text);
		if (text != line)
			location_find(&why->location, dir, line);
	} else if (!*why->location.file && text_starts_with(line + strspn(line, " "), "--> ")) {
		location_find(&why->location, dir, line);
	} else if (text_starts_with(why->message, "assertion ")) {
		hear_side(why, line);
	}
}
