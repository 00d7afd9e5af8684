/* The border between bytes and text: everything inside rondo is valid UTF-8. */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/strbuf.h"

/* How many of n bytes, from the first, are valid UTF-8 without NUL: n when all are. */
size_t utf8_valid_length(const char *bytes, size_t n);

/* How many bytes at the end are the beginning of a character whose rest may still come: 0 to 3. */
size_t utf8_unfinished(const char *bytes, size_t n);

/* Format into a field of `size` bytes, at least 4; a text that does not fit ends in "...", with no
 * character cut in two. What arguments bring that is not UTF-8 becomes U+FFFD. */
void utf8_format(char *field, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void utf8_vformat(char *field, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

/* Append n bytes as text: what is not UTF-8 becomes U+FFFD, NUL becomes "\0". */
void utf8_scrub(struct strbuf *sb, const char *bytes, size_t n);

/* Append n bytes of Latin-1 as text; and text as Latin-1, up to the first character that has none:
 * returns how many bytes of it that were. */
void utf8_from_latin1(struct strbuf *sb, const char *bytes, size_t n);
size_t utf8_to_latin1(struct strbuf *sb, const char *text, size_t n);

/* How many characters the first n bytes of text are. */
size_t utf8_characters(const char *text, size_t n);

/* Append text with everything visible that would steer a terminal: escape sequences, control
 * characters other than newline and tab, and the marks that reverse the direction of writing. */
void utf8_show(struct strbuf *sb, const char *text);

/* How many bytes of text fit into so many columns of a terminal. */
size_t utf8_fitting(const char *text, size_t columns);

/* A text of at most `most` bytes (at least 4): a longer one is cut in the middle, not at the end,
 * which tells names apart. The text itself, or in the arena. */
const char *utf8_cut_middle(struct arena *arena, const char *text, size_t most);

/* How many columns of a terminal the first n bytes of text take, wide characters counted as two. */
size_t utf8_columns(const char *text, size_t n);
