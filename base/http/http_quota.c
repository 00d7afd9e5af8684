/* What servers say of how much they allow: x-ratelimit-* of OpenAI and others, and Anthropic's. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/http/http_head.h"
#include "base/utf8.h"

/* "6m0s", "20ms", "1h2m3.5s", or a number of seconds, in ms; -1 where it is none. */
static int64_t quota_read_duration(const char *text)
{
	static const struct {
		const char *unit;
		double ms;
	} units[] = {{"ms", 1}, {"h", 3600000}, {"m", 60000}, {"s", 1000}};
	double sum = *text ? 0 : -1;
	while (*text) {
		char *end;
		double n = strtod(text, &end);
		size_t i = 0;
		if (end != text && !*end)
			return n >= 0 && n < 86400 ? (int64_t)(n * 1000) : -1;
		while (i < 4 && strncmp(end, units[i].unit, strlen(units[i].unit)) != 0)
			i++;
		if (end == text || i == 4 || n < 0)
			return -1;
		sum += n * units[i].ms;
		text = end + strlen(units[i].unit);
	}
	return sum < 86400000 ? (int64_t)sum : -1;
}

/* "2026-11-21T10:15:02Z": how far away it is. */
static int64_t quota_read_date(const char *text)
{
	struct tm tm = {0};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!end || (*end && *end != 'Z' && *end != '.'))
		return -1;
	int64_t left_ms = (int64_t)timegm(&tm) * 1000 - clock_date_ms();
	return left_ms < 0 ? 0 : left_ms < 86400000 ? left_ms : -1;
}

static bool quota_copy(CURL *easy, const char *name, char *field, size_t size)
{
	struct curl_header *header;
	if (curl.easy_header(easy, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
		return false;
	http_copy_text(field, size, header->value);
	return true;
}

/* The header of that word ("limit") about what is allowed ("tokens"), or "". */
static void quota_header(CURL *easy, const char *word, const char *what, char *field, size_t size)
{
	char name[80];
	*field = '\0';
	utf8_format(name, sizeof name, "x-ratelimit-%s-%s", word, what);
	if (quota_copy(easy, name, field, size))
		return;
	utf8_format(name, sizeof name, "anthropic-ratelimit-%s-%s", what, word);
	quota_copy(easy, name, field, size);
}

static int64_t quota_number(const char *text)
{
	size_t n = strspn(text, "0123456789");
	return n && n < 15 && !text[n] ? strtoll(text, NULL, 10) : -1;
}

void http_read_quota(CURL *easy, const char *what, struct http_quota *quota)
{
	char limit[64], remaining[64], reset[64];
	quota_header(easy, "limit", what, limit, sizeof limit);
	quota_header(easy, "remaining", what, remaining, sizeof remaining);
	quota_header(easy, "reset", what, reset, sizeof reset);
	*quota = (struct http_quota){.limit = quota_number(limit),
		.remaining = quota_number(remaining),
		.reset_ms = strchr(reset, 'T') ? quota_read_date(reset) : quota_read_duration(reset)};
}
