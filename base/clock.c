#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

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

int64_t clock_date_ms(void)
{
	return now_us(CLOCK_REALTIME) / 1000;
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
		snprintf(text, CLOCK_DATE_SIZE, "%" PRId64 " min %" PRId64 " s", seconds / 60, seconds % 60);
	else
		snprintf(text, CLOCK_DATE_SIZE, "%" PRId64 " h %" PRId64 " min", seconds / 3600,
			seconds / 60 % 60);
}
