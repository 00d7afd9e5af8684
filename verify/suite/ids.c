#include "verify/suite/ids.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

enum {
	QUARTER = 900,       /* seconds */
	HEX_LEAST = 4,       /* digits and letters that can be a number in base 16 */
	LETTERS_LEAST = 8,   /* letters alone */
	TEMPORARY_LEAST = 6, /* after "tmp" */
};

const char *id_numbered(struct map *seen, const char *name, struct arena *arena)
{
	size_t *n = map_get(seen, name);
	const char *id = arena_strdup(arena, name);
	while (n && map_get(seen, id))
		id = arena_printf(arena, "%s (%zu)", name, ++*n);
	n = arena_alloc(arena, sizeof *n);
	*n = 1;
	map_put(seen, arena, id, n);
	return id;
}

size_t id_name_length(const char *id, size_t n)
{
	size_t digits = n && id[n - 1] == ')' ? n - 1 : n;
	while (digits < n && digits && isdigit((unsigned char)id[digits - 1]))
		digits--;
	bool has_number = digits + 1 < n && digits > 2 && memcmp(id + digits - 2, " (", 2) == 0;
	return has_number ? digits - 2 : n;
}

/* --- What is stable of an id --- */

/* The length of the number that begins there, in base 10 or 16; 0: none does. */
static size_t id_number(const char *text)
{
	size_t digits = strspn(text, "0123456789"), hex = 0;
	bool has_digit = false;
	for (; isxdigit((unsigned char)text[hex]); hex++)
		has_digit |= isdigit((unsigned char)text[hex]);
	bool is_hex = (has_digit && hex >= HEX_LEAST) || hex >= LETTERS_LEAST;
	return is_hex && !isalnum((unsigned char)text[hex]) ? hex : digits;
}

/* The length of "tmpab3k_x9z", as Python and mktemp make such names. */
static size_t id_temporary(const char *text)
{
	size_t n = text_starts_with(text, "tmp") ? 3 : 0;
	while (n && (isalnum((unsigned char)text[n]) || text[n] == '_'))
		n++;
	return n >= 3 + TEMPORARY_LEAST ? n : 0;
}

/* Numbers before the parameters belong to the test's name. */
const char *id_mask(const char *id, struct arena *arena)
{
	AUTO_STRBUF mask = STRBUF_INIT(STRBUF_TEXT);
	const char *bracket = strchr(id, '['), *at = bracket ? bracket : id;
	strbuf_add(&mask, id, (size_t)(at - id));
	for (bool begins = true; *at; begins = !isalnum((unsigned char)at[-1])) {
		size_t n = begins ? id_temporary(at) : 0;
		n = n ? n : begins || isdigit((unsigned char)*at) ? id_number(at) : 0;
		strbuf_add(&mask, n ? "#" : at, 1);
		at += n ? n : 1;
	}
	return arena_strdup(arena, mask.text);
}

/* NULL: the id has no parameters. */
const char *id_stem(const char *id, struct arena *arena)
{
	const char *bracket = strchr(id, '[');
	return bracket && bracket > id ? arena_strndup(arena, id, (size_t)(bracket - id)) : NULL;
}

/* --- Whether it tells the time --- */

/* Minutes and seconds are the same in all time zones, but for their quarters of an hour. */
static bool id_is_time_of_day(const char *text, int64_t since_ms, int64_t until_ms)
{
	long hour, minute, second = 0;
	char *end;
	hour = strtol(text, &end, 10);
	if (*end != ':' || !isdigit((unsigned char)end[1]) || hour > 23)
		return false;
	minute = strtol(end + 1, &end, 10);
	bool has_second = *end == ':' && isdigit((unsigned char)end[1]);
	if (has_second)
		second = strtol(end + 1, NULL, 10);
	int64_t told = (minute * 60 + second) % QUARTER, span = (until_ms - since_ms) / 1000 + 1;
	int64_t since = since_ms / 1000 - (has_second ? 0 : 59);
	return (told - since % QUARTER + QUARTER) % QUARTER <= span + (has_second ? 0 : 59);
}

/* Since 1970, in seconds or smaller units. */
static bool id_is_date(const char *text, size_t n, int64_t since_ms, int64_t until_ms)
{
	static const size_t sizes[] = {10, 13, 16, 19};
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		char digits[14] = "";
		if (n != sizes[i])
			continue;
		strncat(digits, text, n < 13 ? n : 13);
		int64_t told_ms = strtoll(digits, NULL, 10) * (n == 10 ? 1000 : 1);
		return told_ms >= since_ms - 1000 && told_ms <= until_ms;
	}
	return false;
}

bool id_tells_time(const char *id, int64_t since_ms, int64_t until_ms)
{
	for (const char *at = id; *at; at++) {
		size_t n = strspn(at, "0123456789");
		if (n &&
			(id_is_date(at, n, since_ms, until_ms) ||
				(n <= 2 && id_is_time_of_day(at, since_ms, until_ms))))
			return true;
		at += n ? n - 1 : 0;
	}
	return false;
}
