#include "executors/inside/inside_record.h"

#include <stdio.h>
#include <string.h>

#define MOST_BYTES ((uint64_t)1 << 60)

size_t record_write(char *to, const struct record *record)
{
	return (size_t)snprintf(to, RECORD_HEAD, "%c %u %d %llu %lld ", record->kind, record->root,
		record->is_executable, (unsigned long long)record->size,
		record->modified_ns > 0 ? (long long)record->modified_ns : 0);
}

/* Read a number up to `most` and the space after it. NULL: there is none. */
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
	uint64_t root, is_executable, size, modified;
	const char *at = head;
	if (!*head || !strchr("gdflxro.", *head) || head[1] != ' ' ||
		!(at = record_take(head + 2, RECORD_ROOTS - 1, &root)) ||
		!(at = record_take(at, 1, &is_executable)) || !(at = record_take(at, MOST_BYTES, &size)) ||
		!(at = record_take(at, INT64_MAX, &modified)))
		return false;
	*ret_record = (struct record){.kind = (enum record_kind)(unsigned char)*head,
		.root = (unsigned)root, .is_executable = is_executable, .size = size,
		.modified_ns = (int64_t)modified, .path = at};
	return true;
}
