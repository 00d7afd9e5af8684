/*
 * What rondo does, for whoever looks for a fault: lines to one descriptor, off by default.
 * The one setting of the process; a library that is embedded stays silent.
 */
#pragma once

enum log_level { LOG_OFF, LOG_INFO, LOG_DEBUG };

/* Write lines up to `level` to `fd` (borrowed). */
void log_set(enum log_level level, int fd);

/* One line: milliseconds since the start, the noun that speaks, the text. */
void log_line(enum log_level level, const char *noun, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
