#include "base/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/utf8.h"

static atomic_int log_level = LOG_OFF, log_fd = -1;
static _Atomic int64_t log_start;

void log_set(enum log_level level, int fd)
{
	atomic_store(&log_start, clock_now_ms());
	atomic_store(&log_fd, fd);
	atomic_store(&log_level, (int)level);
}

void log_line(enum log_level level, const char *noun, const char *format, ...)
{
	if ((int)level > atomic_load(&log_level))
		return;
	char text[2048];
	va_list args;
	va_start(args, format);
	utf8_vformat(text, sizeof text, format, args);
	va_end(args);
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&line, "%8" PRId64 " ms  %-10s ", clock_now_ms() - atomic_load(&log_start), noun);
	utf8_show(&line, text);
	strbuf_addc(&line, '\n');
	ssize_t written = write(atomic_load(&log_fd), line.text, line.length);
	(void)written; /* nobody is left to tell */
}
