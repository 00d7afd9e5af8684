/*
 * Text that is being built. Invariants: `text` is never NULL and always NUL-terminated;
 * `length` is below or at `limit`. A buffer is created with its limit; what goes beyond
 * is not an error: the buffer keeps a head and a tail of half the limit each and counts
 * what it cut between them.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct strbuf {
	char *text;
	size_t length, capacity, limit;
	uint64_t cut; /* bytes left out between head and tail */
};

extern char strbuf_empty[];

#define STRBUF_INIT(bytes) \
	{ \
		.text = strbuf_empty, .limit = (bytes) \
	}
#define AUTO_STRBUF __attribute__((cleanup(strbuf_release))) struct strbuf

/* Limits by use; pick one, or give bytes. */
#define STRBUF_LINE ((size_t)64 << 10)   /* a line, a path, a command */
#define STRBUF_TEXT ((size_t)16 << 20)   /* a file's text, a message */
#define STRBUF_RECORD ((size_t)64 << 20) /* a diff, a journal record */

void strbuf_add(struct strbuf *sb, const void *bytes, size_t n);
void strbuf_adds(struct strbuf *sb, const char *text);
void strbuf_addc(struct strbuf *sb, char c);
void strbuf_addf(struct strbuf *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Remove all trailing white space, up to where bytes were cut. */
void strbuf_rtrim(struct strbuf *sb);

/* Append texts with commas between them: "a, b, c". */
void strbuf_add_list(struct strbuf *sb, const char *const *texts, size_t n);

/* Append a text in which each "0x7f12" is "0x": addresses of objects differ from run to run. */
void strbuf_add_without_addresses(struct strbuf *sb, const char *text);

/* Append n bytes, each of the special ones after a backslash. */
void strbuf_add_escaped(struct strbuf *sb, const char *text, size_t n, const char *special);

/* Append a text as one word of sh, quoted where it has to be. */
void strbuf_add_word(struct strbuf *sb, const char *text);

/* Empty it; memory is kept. */
void strbuf_reset(struct strbuf *sb);

/* Shorten to `length` bytes. Where the head remains, or less, nothing counts as cut any more. */
void strbuf_truncate(struct strbuf *sb, size_t length);

/* Where bytes were cut, put a line that says how many between head and tail; a character that was
 * cut in two goes. Idempotent. */
void strbuf_mark_cut(struct strbuf *sb);

/* The text, now the caller's to free(); the buffer is empty again. */
char *strbuf_detach(struct strbuf *sb);

void strbuf_release(struct strbuf *sb);

/* Whether a text begins so. */
static inline bool text_starts_with(const char *text, const char *prefix)
{
	/* Most texts differ at once, and logs have many lines. */
	return *text == *prefix ? strncmp(text, prefix, strlen(prefix)) == 0 : !*prefix;
}

/* Whether a text ends so. */
bool text_ends_with(const char *text, const char *suffix);

/* So, too, of the first n bytes of a text. */
bool text_n_starts_with(const char *text, size_t n, const char *prefix);
bool text_n_ends_with(const char *text, size_t n, const char *suffix);

/* Whether the first n bytes of a text hold one of the texts, which NULL ends. */
bool text_n_holds_any(const char *text, size_t n, const char *const *texts);

/* "s", but for one. */
static inline const char *text_plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* The line at *at and how long it is without its newline, in a text that goes up to `end`; *at
 * moves to the next one. NULL: there is none. */
const char *text_next_line(const char **at, const char *end, size_t *ret_n);

/* How many lines end within the first n bytes. */
size_t text_count_lines(const char *text, size_t n);

/* Where line k of a text begins, from 0; after the last its end. */
const char *text_line(const char *text, size_t n, size_t k);

/* Whether `word` stands in the text as a word of its own: not within a longer one. */
bool text_has_word(const char *text, const char *word);

/* Sort n texts by strcmp. */
void text_sort(const char **texts, size_t n);

/* Whether a text is among n texts that are sorted by strcmp. */
bool text_in_sorted(const char *const *texts, size_t n, const char *text);
bool text_in(const char *const *texts, size_t n, const char *text); /* sorted or not */

/* Whether two texts differ by one letter too many, too few or another, or by two neighbours
 * exchanged. */
bool text_is_slip(const char *a, size_t n, const char *b, size_t other_n);

/* The likeliest of n names that somebody who wrote `word` meant, or NULL. */
const char *text_nearest(const char *word, const char *const *names, size_t n);

/* For "%s%s%s" at the end of an error: ", did you mean 'x'?", or nothing where nothing is near. */
#define TEXT_HINT(near) (near) ? ", did you mean '" : "", (near) ? (near) : "", (near) ? "'?" : ""
