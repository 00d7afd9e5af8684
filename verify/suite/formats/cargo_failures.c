/* How Rust says why something failed: panics of tests, errors of the compiler. */
#include <string.h>

#include "base/utf8.h"
#include "verify/suite/formats/cargo.h"

/* "thread 'x' (7) panicked at src/lib.rs:2:3:" with the message on the next line; before Rust 1.73,
 * "... panicked at 'message', src/lib.rs:2:3". */
static bool cargo_hear_panic(struct cargo_why *why, const char *dir, const char *line)
{
	const char *at = text_starts_with(line, "thread '") ? strstr(line, " panicked at ") : NULL;
	if (!at || !strchr("')", at[-1]))
		return false;
	at += strlen(" panicked at ");
	location_find(&why->location, dir, at);
	const char *end = strrchr(at, '\'');
	why->expects_message = *at != '\'';
	if (!why->expects_message && end > at)
		utf8_format(why->message, sizeof why->message, "%.*s", (int)(end - at - 1), at + 1);
	else
		text_copy(why->message, sizeof why->message, line);
	return true;
}

/* "  left: -1" and " right: 5" below an assertion. */
static void cargo_hear_side(struct cargo_why *why, const char *line)
{
	const char *text = line + strspn(line, " ");
	if (text > line && (text_starts_with(text, "left: ") || text_starts_with(text, "right: ")))
		text_append(why->message, sizeof why->message, ", ", text);
}

void cargo_hear(struct cargo_why *why, const char *dir, const char *line)
{
	if (why->expects_message) {
		text_copy(why->message, sizeof why->message, line);
		why->expects_message = false;
	} else if (!*why->message) {
		const char *text = text_starts_with(line, "note: test did not") ? line + 6 : line;
		if (cargo_hear_panic(why, dir, line))
			return;
		if (text_starts_with(line, "Error: ") || text_starts_with(line, "error: ") ||
			text_starts_with(line, "error[") || text != line)
			text_copy(why->message, sizeof why->message, text);
		if (text != line)
			location_find(&why->location, dir, line);
	} else if (!*why->location.file && text_starts_with(line + strspn(line, " "), "--> ")) {
		location_find(&why->location, dir, line);
	} else if (text_starts_with(why->message, "assertion ")) {
		cargo_hear_side(why, line);
	}
}
