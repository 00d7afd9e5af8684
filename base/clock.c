#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define LAST_DATE_S INT64_C(253402300799) /* of the year 9999 */

static int64_t now_us(clockid_t which)
{
	struct timespec t;
	clock_gettime(which, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t clock_now_us(void)
{
	return now_us(CLOCK_MONOTONIC);
}

int64_t clock_now_ms(void)
{
	return now_us(CLOCK_MONOTONIC) / 1000;
}

int64_t clock_ms_of(double seconds)
{
	return seconds > 0 && seconds < 1e9 ? (int64_t)(seconds * 1000) : 0;
}

int64_t clock_date_ms(void)
{
	return now_us(CLOCK_REALTIME) / 1000;
}

int64_t clock_in_ns(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

int clock_made_ms(int64_t *ret_date_ms, struct rondo_error *err)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	char *end;
	*ret_date_ms = clock_date_ms();
	if (!text)
		return 0;
	errno = 0;
	int64_t seconds = isdigit((unsigned char)*text) ? strtoll(text, &end, 10) : -1;
	if (seconds >= 0 && !*end && errno == 0 && seconds <= LAST_DATE_S) {
		*ret_date_ms = seconds * 1000;
		return 0;
	}
	error_set(err, RONDO_ERROR_USAGE,
		"SOURCE_DATE_EPOCH is no date, but '%s': whole seconds since 1970 are meant", text);
	return error_help(err, "export SOURCE_DATE_EPOCH=$(git log -1 --format=%%ct), or unset it");
}

void clock_format_date(int64_t date_ms, char text[CLOCK_DATE_SIZE])
{
	time_t seconds = (time_t)(date_ms / 1000);
	struct tm tm;
	gmtime_r(&seconds, &tm);
	size_t n = strftime(text, CLOCK_DATE_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + n, CLOCK_DATE_SIZE - n, ".%03dZ", (int)(date_ms % 1000));
}

void clock_format_duration(int64_t duration_ms, char text[CLOCK_DATE_SIZE])
{
	int64_t seconds = (duration_ms + 500) / 1000;
	if (duration_ms < 60000)
		snprintf(text, CLOCK_DATE_SIZE, "%.1f s", (double)duration_ms / 1000);
	else if (seconds < 3600)
		snprintf(
			text, CLOCK_DATE_SIZE, "%" PRId64 " min %" PRId64 " s", seconds / 60, seconds % 60);
	else
		snprintf(text, CLOCK_DATE_SIZE, "%" PRId64 " h %" PRId64 " min", seconds / 3600,
			seconds / 60 % 60);
}
