#include "run/journal/lock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

static bool is_signer_dead(int fd)
{
	char host[256] = "", text[512] = "", at[256] = "";
	int pid = 0;
	gethostname(host, sizeof host - 1);
	if (pread(fd, text, sizeof text - 1, 0) <= 0 ||
		sscanf(text, "process %d on %255s", &pid, at) != 2)
		return false;
	return strcmp(host, at) == 0 && kill(pid, 0) < 0 && errno == ESRCH;
}

int lock_take(int fd, int64_t wait_ms)
{
	return file_lock(fd, is_signer_dead(fd) ? DEAD_HOLDS_MS : wait_ms);
}

void lock_sign(int fd)
{
	char host[256] = "", date[CLOCK_DATE_SIZE];
	gethostname(host, sizeof host - 1);
	clock_format_date(clock_date_ms(), date);
	if (ftruncate(fd, 0) == 0)
		dprintf(fd, "process %d on %s since %s\n", (int)getpid(), host, date);
}
