#include "executors/docker/tar_extension.h"

#include <string.h>

int tar_broken(struct rondo_error *err, const char *why)
{
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "the archive is broken: %s", why);
}

void tar_extension_set(struct strbuf *text, bool *has, const char *value, size_t n)
{
	strbuf_reset(text);
	strbuf_add(text, value, n);
	*has = true;
}

static bool is_key(const char *key, size_t n, const char *expected)
{
	return n == strlen(expected) && memcmp(key, expected, n) == 0;
}

static int take_record(struct tar_extension *next, const char *key, size_t n_key, const char *value,
	size_t n, struct rondo_error *err)
{
	static const char sparse[] = "GNU.sparse.";
	if (is_key(key, n_key, "path"))
		tar_extension_set(&next->path, &next->has_path, value, n);
	else if (is_key(key, n_key, "linkpath"))
		tar_extension_set(&next->target, &next->has_target, value, n);
	else if (n_key > strlen(sparse) && memcmp(key, sparse, strlen(sparse)) == 0)
		next->refusal = TAR_IS_SPARSE;
	if (!is_key(key, n_key, "size"))
		return 0;
	next->size = 0;
	for (size_t i = 0; i < n; i++) {
		if (value[i] < '0' || value[i] > '9' || next->size > TAR_MOST_SIZE)
			return tar_broken(err, "a pax size is no number");
		next->size = next->size * 10 + (uint64_t)(value[i] - '0');
	}
	next->has_size = n > 0;
	return 0;
}

/* "LENGTH KEY=VALUE\n" ... */
int tar_extension_read(struct tar_extension *next, const struct strbuf *records, struct rondo_error *err)
{
	const char *at = records->text, *end = at + records->length;
	while (at < end) {
		size_t length = 0;
		const char *digit = at;
		for (; digit < end && *digit >= '0' && *digit <= '9' && length <= TAR_MOST_EXTENSION;
			digit++)
			length = length * 10 + (size_t)(*digit - '0');
		if (digit == at || digit == end || *digit != ' ' || length > (size_t)(end - at) ||
			length <= (size_t)(digit + 1 - at) || at[length - 1] != '\n')
			return tar_broken(err, "a pax record has a wrong length");
		const char *key = digit + 1,
			   *equals = memchr(key, '=', (size_t)(at + length - key));
		if (!equals)
			return tar_broken(err, "a pax record has no value");
		if (take_record(next, key, (size_t)(equals - key), equals + 1,
			    (size_t)(at + length - 1 - equals - 1), err) < 0)
			return -1;
		at += length;
	}
	return 0;
}
