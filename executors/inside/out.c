#include "executors/inside/out.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct {
	char bytes[1 << 16];
	size_t n;
	int fd;
	bool has_failed;
} out;

void out_to(int fd)
{
	out.n = 0;
	out.fd = fd;
	out.has_failed = false;
}

bool out_flush(void)
{
	for (size_t i = 0; i < out.n && !out.has_failed;) {
		ssize_t n = write(out.fd, out.bytes + i, out.n - i);
		out.has_failed = n <= 0 && errno != EINTR;
		i += n > 0 ? (size_t)n : 0;
	}
	out.n = 0;
	return !out.has_failed;
}

void out_bytes(const char *bytes, size_t n)
{
	while (n) {
		size_t room = sizeof out.bytes - out.n, part = n < room ? n : room;
		memcpy(out.bytes + out.n, bytes, part);
		out.n += part;
		bytes += part;
		n -= part;
		if (out.n == sizeof out.bytes)
			out_flush();
	}
}

void out_record(const struct record *record)
{
	char head[RECORD_HEAD];
	size_t n = 0;
	out_bytes(head, record_write(head, record));
	while (record->path[n])
		n++;
	out_bytes(record->path, n + 1);
}

void out_file(int fd, uint64_t size)
{
	while (size && !out.has_failed) {
		if (out.n == sizeof out.bytes)
			out_flush();
		size_t room = sizeof out.bytes - out.n, part = size < room ? (size_t)size : room;
		ssize_t n = read(fd, out.bytes + out.n, part);
		if (n <= 0) {
			memset(out.bytes + out.n, 0, part);
			n = (ssize_t)part;
		}
		out.n += (size_t)n;
		size -= (uint64_t)n;
	}
}

void out_report(const struct inside_report *report)
{
	out_record(&(struct record){.kind = RECORD_REPORT, .size = sizeof *report, .path = ""});
	out_bytes((const char *)report, sizeof *report);
	out_flush();
}
