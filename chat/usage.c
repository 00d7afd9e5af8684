#include "chat/usage.h"

#include "base/memory.h"

#define COUNT(member) \
	{ \
#member, offsetof(struct rondo_usage, member) \
	}

static const struct count {
	const char *name;
	size_t offset;
} counts[] = {COUNT(prompt_tokens), COUNT(completion_tokens), COUNT(cached_tokens),
	COUNT(cache_written_tokens), COUNT(reasoning_tokens), COUNT(lost_tokens)};

#define MOST_TOKENS 1000000000000

enum { SUMS = 2 }; /* of these the first: the others are parts of them */

static int64_t *count_of(struct rondo_usage *usage, size_t i)
{
	return (int64_t *)((char *)usage + counts[i].offset);
}

static int64_t count_in(const struct rondo_usage *usage, size_t i)
{
	return *(const int64_t *)((const char *)usage + counts[i].offset);
}

void usage_add(struct rondo_usage *sum, const struct rondo_usage *usage)
{
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		*count_of(sum, i) += count_in(usage, i);
}

struct rondo_usage usage_since(const struct rondo_usage *sum, const struct rondo_usage *before)
{
	struct rondo_usage usage = *sum;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		*count_of(&usage, i) -= count_in(before, i);
	return usage;
}

bool usage_is_sane(const struct rondo_usage *usage)
{
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (count_in(usage, i) < 0 || count_in(usage, i) >= MOST_TOKENS)
			return false;
	return usage->cached_tokens <= usage->prompt_tokens &&
		usage->cache_written_tokens <= usage->prompt_tokens - usage->cached_tokens;
}

void usage_to_json(const struct rondo_usage *usage, struct json *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (i < SUMS || count_in(usage, i))
			json_add_int(to, counts[i].name, count_in(usage, i));
}

struct rondo_usage usage_from_json(const struct json *json)
{
	struct rondo_usage usage = {0};
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		*count_of(&usage, i) = json_int(json, counts[i].name, 0);
	return usage;
}
