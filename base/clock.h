/* Time: durations by the monotonic clock, dates in UTC. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"

/* The monotonic clock: what lies between two readings is a duration. */
int64_t clock_now_ms(void);
int64_t clock_now_us(void);

/* Of seconds as a program says them; 0 where nobody can have measured that. */
int64_t clock_ms_of(double seconds);

/* Milliseconds since 1970. */
int64_t clock_date_ms(void);

/* Of the time of a file, in nanoseconds since 1970. */
int64_t clock_in_ns(const struct timespec *time);

/* The date that what is made now bears, in such milliseconds: SOURCE_DATE_EPOCH where the
 * environment has it, so that who makes the same again gets the same bytes; else now. A value of it
 * that is no date is an error, with the output set to now. */
int clock_made_ms(int64_t *ret_date_ms, struct rondo_error *err);

#define CLOCK_DATE_SIZE 32

/* RFC 3339 with milliseconds, such as 2026-11-21T10:15:02.123Z. */
void clock_format_date(int64_t date_ms, char text[CLOCK_DATE_SIZE]);

/* For people: "0.4 s", "2 min 10 s", "1 h 5 min". */
void clock_format_duration(int64_t duration_ms, char text[CLOCK_DATE_SIZE]);
