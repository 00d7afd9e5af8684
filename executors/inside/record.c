#include "executors/inside/record.h"

#define MOST_BYTES ((uint64_t)1 << 60)

static char *record_put(char *to, uint64_t number)
{
	char digits[20];
	size_t n = 0;
	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		*to++ = digits[--n];
	*to++ = ' ';
	return to;
}

size_t record_write(char *to, const struct record *record)
{
	char *at = to;
	*at++ = (char)record->kind;
	*at++ = ' ';
	at = record_put(at, record->root);
	at = record_put(at, record->is_executable);
	at = record_put(at, record->size);
	at = record_put(at, record->modified_ns > 0 ? (uint64_t)record->modified_ns : 0);
	return (size_t)(at - to);
}

/* A number and the space behind it, no larger than `most`. NULL: there is none. */
static const char *record_take(const char *text, uint64_t most, uint64_t *ret_number)
{
	const char *start = text;
	*ret_number = 0;
	for (; *text >= '0' && *text <= '9'; text++) {
		uint64_t digit = (uint64_t)(*text - '0');
		if (digit > most || *ret_number > (most - digit) / 10)
			return NULL;
		*ret_number = *ret_number * 10 + digit;
	}
	return text > start && *text == ' ' ? text + 1 : NULL;
}

bool record_read(const char *head, struct record *ret_record)
{
	static const char kinds[] = "gdflxro.";
	uint64_t root, is_executable, size, modified;
	const char *at = kinds;
	while (*at && *at != *head)
		at++;
	if (!*at || head[1] != ' ' || !(at = record_take(head + 2, RECORD_ROOTS - 1, &root)) ||
		!(at = record_take(at, 1, &is_executable)) ||
		!(at = record_take(at, MOST_BYTES, &size)) ||
		!(at = record_take(at, INT64_MAX, &modified)))
		return false;
	*ret_record = (struct record){.kind = (enum record_kind)(unsigned char)*head,
		.root = (unsigned)root, .is_executable = is_executable, .size = size,
		.modified_ns = (int64_t)modified, .path = at};
	return true;
}
