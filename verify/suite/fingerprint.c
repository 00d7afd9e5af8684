#include "verify/suite/fingerprint.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/location.h"

/* FNV-1a. */
static uint32_t fingerprint_add(uint32_t hash, char c)
{
	return (hash ^ (unsigned char)c) * 16777619u;
}

/* The length of a path that differs from run to run. */
static size_t fingerprint_passing_path(const char *dir, const char *at)
{
	static const char *const places[] = {"/tmp/", "/var/tmp/", "/dev/shm/", "/proc/"};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (text_starts_with(at, places[i]))
			return strcspn(at, " \t'\"`(),:;<>[]{}");
	size_t root = location_root_length(dir);
	return root && strncmp(at, dir, root) == 0 ? root : 0;
}

/* Whether n letters and digits are a number, an address or a hash: "12", "0x7ffe01", "3f2a81c0". */
static bool fingerprint_is_number(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)at[i]) && (at[i] | 0x20) > 'f' && (i != 1 || at[i] != 'x'))
			return false;
	return true;
}

/* A word of n letters and digits; its digits do not count. Most words have none. */
static uint32_t fingerprint_add_word(uint32_t hash, const char *at, size_t n, bool has_digit)
{
	for (size_t i = 0; i < n && !has_digit; i++)
		hash = fingerprint_add(hash, at[i]);
	if (!has_digit)
		return hash;
	if (fingerprint_is_number(at, n))
		return fingerprint_add(hash, '#');
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)at[i]))
			hash = fingerprint_add(hash, at[i]);
		else if (!i || !isdigit((unsigned char)at[i - 1]))
			hash = fingerprint_add(hash, '#');
	return hash;
}

void fingerprint_line(struct fingerprint *fingerprint, const char *dir, const char *line)
{
	uint32_t hash = fingerprint->hash ? fingerprint->hash : 2166136261u;
	while (*line) {
		size_t n = *line == '/' ? fingerprint_passing_path(dir, line) : 0;
		if (n) {
			hash = fingerprint_add(hash, '/');
			line += n;
			continue;
		}
		bool has_digit = false;
		for (; isalnum((unsigned char)line[n]); n++)
			has_digit = has_digit || isdigit((unsigned char)line[n]);
		hash = n ? fingerprint_add_word(hash, line, n, has_digit) : fingerprint_add(hash, *line);
		line += n ? n : 1;
	}
	fingerprint->hash = fingerprint_add(hash, '\n');
}
