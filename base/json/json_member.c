/* A member of a JSON text as it was written, where reading would lose how: 12345678901234567890. */
#include <stdbool.h>
#include <string.h>

#include "base/json/json.h"

/* The end of the string that begins at `at`: behind its closing quote. */
static const char *string_end(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : end;
}

/* As json_parse takes it, which is more than JSON has. */
static bool is_space(char c)
{
	return (unsigned char)c <= ' ';
}

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && is_space(*at))
		at++;
	return at;
}

/* The end of the value that begins at `at`. */
static const char *value_end(const char *at, const char *end)
{
	size_t depth = 0;
	while (at < end) {
		if (*at == '"') {
			at = string_end(at, end);
		} else {
			bool closes = *at == '}' || *at == ']';
			if (!depth && (closes || *at == ','))
				return at;
			depth += *at == '{' || *at == '[';
			depth -= closes;
			at++;
		}
		if (!depth && (at[-1] == '"' || at[-1] == '}' || at[-1] == ']'))
			return at;
	}
	return end;
}

const char *json_member_text(const char *text, size_t n, const char *key, size_t *ret_n)
{
	const char *end = text + n, *at = skip_space(text, end);
	size_t length = strlen(key);
	if (at == end || *at != '{')
		return NULL;
	for (at = skip_space(at + 1, end); at < end && *at == '"'; at = skip_space(at, end)) {
		const char *name = at + 1, *name_end = string_end(at, end);
		const char *value = skip_space(name_end, end);
		value = skip_space(value < end ? value + 1 : end, end); /* past the colon */
		at = value_end(value, end);
		const char *value_last = at;
		while (value_last > value && is_space(value_last[-1]))
			value_last--;
		if ((size_t)(name_end - name) == length + 1 && memcmp(name, key, length) == 0) {
			*ret_n = (size_t)(value_last - value);
			return value;
		}
		at = skip_space(at, end);
		at += at < end; /* past the comma, or the end of the object */
	}
	return NULL;
}
