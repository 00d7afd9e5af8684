#include "executors/owner.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/raw.h"

/* When a process began, in ticks since boot. 0: there is no such process. */
static unsigned long long owner_start_of(long pid)
{
	enum { STARTTIME = 22 };
	char path[64], stat[4096];
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	int64_t start =
		raw_read(AT_FDCWD, path, stat, sizeof stat) < 0 ? -1 : raw_stat_field(stat, STARTTIME);
	return start < 0 ? 0 : (unsigned long long)start;
}

/* "BOOT/NAMESPACE/": where a pid is valid. */
static void owner_read_place(char *place, size_t size)
{
	char space[64] = "";
	struct rondo_error err;
	AUTO_STRBUF boot = STRBUF_INIT(64);
	ssize_t n = readlink("/proc/self/ns/pid", space, sizeof space - 1);
	if (n < 0 || file_read("/proc/sys/kernel/random/boot_id", 64, &boot, &err) < 0) {
		*place = '\0';
		return;
	}
	strbuf_rtrim(&boot);
	size_t start = strcspn(space, "0123456789");
	snprintf(place, size, "%s/%.*s/", boot.text, (int)strspn(space + start, "0123456789"),
		space + start);
}

void owner_self(char owner[OWNER_SIZE])
{
	char place[OWNER_SIZE - 48];
	owner_read_place(place, sizeof place);
	if (*place)
		snprintf(owner, OWNER_SIZE, "%s%ld/%llu", place, (long)getpid(), owner_start_of(getpid()));
	else
		*owner = '\0';
}

/* Hashed, because machine-id is confidential. */
void owner_machine(char machine[OWNER_MACHINE_SIZE])
{
	struct rondo_error err;
	AUTO_STRBUF id = STRBUF_INIT(256);
	*machine = '\0';
	if (file_read("/etc/machine-id", 256, &id, &err) < 0)
		return;
	strbuf_rtrim(&id);
	struct hash_part part = {id.text, id.length};
	if (id.length)
		hash_sign("rondo", &part, 1, machine);
}

bool owner_is_gone(const char *owner, bool is_of_this_machine)
{
	char place[OWNER_SIZE - 48];
	long pid;
	unsigned long long start;
	owner_read_place(place, sizeof place);
	if (*place && is_of_this_machine && sscanf(owner, "%*[^/]/%*[0-9]/%ld/%llu", &pid,
		&start) == 2 && strncmp(owner, place, strcspn(place, "/") + 1) != 0)
		return true;
	if (!*place || !text_starts_with(owner, place) || sscanf(owner + strlen(place), "%ld/%llu",
		&pid, &start) != 2)
		return false;
	return pid > 0 && start > 0 && owner_start_of(pid) != start;
}
