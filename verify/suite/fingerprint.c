#include "verify/suite/fingerprint.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

/* FNV-1a. */
static uint32_t add(uint32_t hash, char c)
{
	return (hash ^ (unsigned char)c) * 16777619u;
}

/* How many bytes at `at` are a path that is another one in each run. */
static size_t passing_path(const char *dir, const char *at)
{
	static const char *const places[] = {"/tmp/", "/var/tmp/", "/dev/shm/", "/proc/"};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (text_starts_with(at, places[i]))
			return strcspn(at, " \t'\"`(),:;<>[]{}");
	return dir && text_starts_with(at, dir) ? strlen(dir) : 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* Whether n letters and digits are a number, an address or a hash: "12", "0x7ffe01", "3f2a81c0". */
static bool is_number(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_digit(at[i]) && (at[i] | 0x20) > 'f' && (i != 1 || at[i] != 'x'))
			return false;
	return true;
}

/* A word of n letters and digits, whose digits do not count. Most words have none. */
static uint32_t add_word(uint32_t hash, const char *at, size_t n, bool has_digit)
{
	for (size_t i = 0; i < n && !has_digit; i++)
		hash = add(hash, at[i]);
	if (!has_digit)
		return hash;
	if (is_number(at, n))
		return add(hash, '#');
	for (size_t i = 0; i < n; i++)
		if (!is_digit(at[i]))
			hash = add(hash, at[i]);
		else if (!i || !is_digit(at[i - 1]))
			hash = add(hash, '#');
	return hash;
}

void fingerprint_line(struct fingerprint *fingerprint, const char *dir, const char *line)
{
	uint32_t hash = fingerprint->hash ? fingerprint->hash : 2166136261u;
	while (*line) {
		size_t n = *line == '/' ? passing_path(dir, line) : 0;
		if (n) {
			hash = add(hash, '/');
			line += n;
			continue;
		}
		bool has_digit = false;
		for (; is_letter(line[n]) || is_digit(line[n]); n++)
			has_digit = has_digit || is_digit(line[n]);
		hash = n ? add_word(hash, line, n, has_digit) : add(hash, *line);
		line += n ? n : 1;
	}
	fingerprint->hash = add(hash, '\n');
}
