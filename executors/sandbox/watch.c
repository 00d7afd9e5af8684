/*
 * Cheap checks first, expensive ones only if those do not suffice. Memory: resident pages by stat;
 * if their sum exceeds the limit, the proportional share. Disk: what the file system has lost; if
 * that exceeds the limit, a walk over what changed where the command writes, since others may have
 * used the space. Others may also have freed as much, so now and then there is a walk over new
 * files, if it costs little. What a program can hide from all of these (files that it removed but
 * holds open, unmapped memory) shows in what the whole machine has lost.
 */
#include "executors/sandbox/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/raw.h"

#define WALK_EACH_MS 1000
#define WALK_SHARE 50 /* at most 1/50 of the time is spent on walks without a suspicion */
#define DEEPEST 100
#define MOST_ENTRIES 4000000

/* The machine's, in bytes; -1: unknown. */
struct watch_memory {
	int64_t all, available;
};

static struct watch_memory watch_machine_memory(void)
{
	char text[4096];
	struct watch_memory memory = {-1, -1};
	if (raw_read(AT_FDCWD, "/proc/meminfo", text, sizeof text) < 0)
		return memory;
	int64_t all = raw_number_behind(text, "MemTotal:"),
			available = raw_number_behind(text, "MemAvailable:");
	memory.all = all < 0 ? -1 : all * 1024;
	memory.available = available < 0 ? -1 : available * 1024;
	return memory;
}

/* Half of the machine's memory, or of the container's limit. */
static int64_t watch_usual_memory(int64_t most)
{
	static const char *const limits[] = {
		"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		char text[64];
		int64_t limit = raw_read(AT_FDCWD, limits[i], text, sizeof text) < 0 ? -1
			: raw_number_behind(text, "");
		if (limit > 0 && (most < 0 || limit < most))
			most = limit;
	}
	return most < 0 ? INT64_MAX : most / 2;
}

static struct watch_space watch_space_of(const char *dir)
{
	struct statvfs st;
	if (statvfs(dir, &st) < 0)
		return (struct watch_space){0};
	return (struct watch_space){(uint64_t)st.f_bavail * st.f_frsize, st.f_favail};
}

void watch_plan(struct watch *watch, const struct watch_limits *limits, const char *tree,
	const char *cache, const char *layer)
{
	struct watch_memory memory = watch_machine_memory();
	*watch = (struct watch){.limits = *limits,
		.dirs = {tree, cache},
		.layer = layer,
		.spaces = {watch_space_of(tree), watch_space_of(cache)},
		.available = memory.available,
		.proc = -1,
		.tmp = -1,
		.patrol_ms = clock_now_ms() + WALK_EACH_MS};
	if (!watch->limits.memory)
		watch->limits.memory = watch_usual_memory(memory.all);
	if (!watch->limits.processes)
		watch->limits.processes = 256 + 128 * sysconf(_SC_NPROCESSORS_ONLN);
	clock_gettime(CLOCK_REALTIME_COARSE, &watch->start);
}

/* --- Processes and memory --- */

/* Open the box's /proc and /tmp. Until bwrap has changed its root they are still the host's. */
static void watch_open_box(struct watch *watch, pid_t pid)
{
	char path[96] = "/proc/", text[64];
	struct stat own, hosts;
	char *end = raw_put_number(path + strlen(path), (unsigned long)pid);
	memcpy(end, "/task/", 7);
	memcpy(raw_put_number(end + 6, (unsigned long)pid), "/children", 10);
	int64_t first = raw_read(AT_FDCWD, path, text, sizeof text) < 0 ? -1 : raw_number_behind(text,
		"");
	if (first < 0)
		return;
	end = raw_put_number(path + strlen("/proc/"), (unsigned long)first);
	memcpy(end, "/root/proc", 11);
	int proc = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (proc < 0)
		return;
	if (fstat(proc, &own) < 0 || stat("/proc", &hosts) < 0 || own.st_dev == hosts.st_dev) {
		close(proc);
		return;
	}
	memcpy(end, "/root/tmp", 10);
	watch->proc = proc;
	watch->tmp = open(path, O_PATH | O_CLOEXEC);
}

struct taken {
	int64_t tasks, bytes;
};

static void watch_add_resident(int proc, const char *name, struct taken *taken)
{
	char path[32], text[1024];
	size_t n = strlen(name);
	memcpy(path, name, n);
	memcpy(path + n, "/stat", 6);
	if (raw_read(proc, path, text, sizeof text) < 0)
		return;
	int64_t threads = raw_stat_field(text, 20), pages = raw_stat_field(text, 24);
	taken->tasks += threads > 0 ? threads : 0;
	taken->bytes += pages > 0 ? pages * sysconf(_SC_PAGESIZE) : 0;
}

/* Shared pages count by their share; if it cannot be read, in full. */
static void watch_add_proportional(int proc, const char *name, struct taken *taken)
{
	char path[32], text[1024];
	size_t n = strlen(name);
	memcpy(path, name, n);
	memcpy(path + n, "/smaps_rollup", 14);
	int64_t kilobytes = raw_read(proc, path, text, sizeof text) < 0 ? -1 : raw_number_behind(text,
		"\nPss:");
	if (kilobytes < 0)
		watch_add_resident(proc, name, taken);
	else
		taken->bytes += kilobytes * 1024;
}

static struct taken watch_add_up(int proc,
	void (*add)(int proc, const char *name, struct taken *taken))
{
	struct taken taken = {0};
	_Alignas(struct dirent64) char entries[4096];
	ssize_t n;
	if (lseek(proc, 0, SEEK_SET) < 0)
		return taken;
	while ((n = getdents64(proc, entries, sizeof entries)) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + at);
			at += entry->d_reclen;
			if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && strlen(entry->d_name) < 12)
				add(proc, entry->d_name, &taken);
		}
	}
	return taken;
}

/* Bytes in the box's tmpfs. */
static int64_t watch_bytes_in_tmp(const struct watch *watch)
{
	struct statfs st;
	if (watch->tmp < 0 || fstatfs(watch->tmp, &st) < 0 || st.f_type != TMPFS_MAGIC)
		return 0;
	return (int64_t)(st.f_blocks - st.f_bfree) * st.f_bsize;
}

static bool watch_machine_runs_dry(const struct watch *watch)
{
	struct watch_memory now = watch_machine_memory();
	return now.all > 0 && now.available >= 0 && now.available < now.all / 16 &&
		watch->available - now.available > now.all / 4;
}

static enum process_end watch_inspect_processes(struct watch *watch)
{
	struct taken taken = watch_add_up(watch->proc, watch_add_resident);
	if (taken.tasks > watch->limits.processes)
		return PROCESS_PROCESSES;
	int64_t tmp = watch_bytes_in_tmp(watch);
	if (taken.bytes + tmp > watch->limits.memory &&
		watch_add_up(watch->proc, watch_add_proportional).bytes + tmp > watch->limits.memory)
		return PROCESS_MEMORY;
	return watch_machine_runs_dry(watch) ? PROCESS_MEMORY : PROCESS_EXITED;
}

/* --- Disk --- */

struct fresh {
	struct timespec since;
	bool born_only;
	uint64_t bytes, files, entries;
	bool hidden; /* something cannot be examined */
};

static void watch_walk(int dir, int depth, struct fresh *fresh);

static bool watch_is_fresh(const struct fresh *fresh, const struct statx *st)
{
	const struct statx_timestamp *time = fresh->born_only ? &st->stx_btime : &st->stx_ctime;
	if (fresh->born_only && !(st->stx_mask & STATX_BTIME))
		return false;
	return time->tv_sec > fresh->since.tv_sec ||
		(time->tv_sec == fresh->since.tv_sec && time->tv_nsec >= fresh->since.tv_nsec);
}

static void watch_look_at(int dir, const char *name, int depth, struct fresh *fresh)
{
	struct statx st;
	if (fresh->entries++ > MOST_ENTRIES ||
		statx(dir, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &st) < 0)
		return;
	if (watch_is_fresh(fresh, &st)) {
		fresh->bytes += (uint64_t)st.stx_blocks * 512;
		fresh->files++;
	}
	if (!S_ISDIR(st.stx_mode))
		return;
	int inner = depth < DEEPEST ? openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
		: -1;
	fresh->hidden |= inner < 0 && (depth >= DEEPEST || errno != ENOENT);
	if (inner >= 0) {
		watch_walk(inner, depth + 1, fresh);
		close(inner);
	}
}

static void watch_walk(int dir, int depth, struct fresh *fresh)
{
	_Alignas(struct dirent64) char entries[2048];
	ssize_t n;
	while ((n = getdents64(dir, entries, sizeof entries)) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + at);
			at += entry->d_reclen;
			if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
				watch_look_at(dir, entry->d_name, depth, fresh);
		}
	}
}

static void watch_walk_at(int at, const char *path, struct fresh *fresh)
{
	int dir = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	watch_walk(dir, 0, fresh);
	close(dir);
}

/* In each place what was written; the kernel's own directory beside it nobody may open. */
static void watch_walk_layer(const char *layer, struct fresh *fresh)
{
	_Alignas(struct dirent64) char entries[2048];
	char path[32];
	ssize_t n;
	int dir = open(layer, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (dir >= 0 && (n = getdents64(dir, entries, sizeof entries)) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + at);
			size_t length = strlen(entry->d_name);
			at += entry->d_reclen;
			if (entry->d_name[0] == '.' || length + sizeof "/upper" > sizeof path)
				continue;
			memcpy(path, entry->d_name, length);
			memcpy(path + length, "/upper", sizeof "/upper");
			watch_walk_at(dir, path, fresh);
		}
	}
	if (dir >= 0)
		close(dir);
}

static bool watch_took_it_itself(struct watch *watch, bool born_only)
{
	struct fresh fresh = {.since = watch->start, .born_only = born_only};
	int64_t start = clock_now_ms();
	if (watch->layer)
		watch_walk_layer(watch->layer, &fresh);
	for (size_t i = 0; i < 2 && !watch->layer; i++)
		watch_walk_at(AT_FDCWD, watch->dirs[i], &fresh);
	int64_t now = clock_now_ms(), pause = (now - start) * WALK_SHARE;
	watch->walk_ms = now + WALK_EACH_MS;
	watch->patrol_ms = now + (pause > WALK_EACH_MS ? pause : WALK_EACH_MS);
	bool hides = fresh.hidden && !born_only;
	return hides || fresh.bytes > (uint64_t)watch->limits.disk ||
		fresh.files > (uint64_t)watch->limits.files;
}

/* By how much the second number is smaller. */
static uint64_t watch_lost(uint64_t before, uint64_t now)
{
	return before > now ? before - now : 0;
}

static bool watch_inspect_disk(struct watch *watch)
{
	for (size_t i = 0; i < 2; i++) {
		struct watch_space before = watch->spaces[i], now = watch_space_of(watch->dirs[i]);
		uint64_t bytes = watch_lost(before.bytes, now.bytes),
			files = watch_lost(before.files, now.files);
		/* This is no coincidence, and the host's disk must not fill up, even invisibly. */
		if (bytes > before.bytes / 4 * 3 || files > before.files / 4 * 3)
			return true;
		if (bytes <= (uint64_t)watch->limits.disk && files <= (uint64_t)watch->limits.files)
			continue;
		return clock_now_ms() >= watch->walk_ms && watch_took_it_itself(watch, false);
	}
	return clock_now_ms() >= watch->patrol_ms && watch_took_it_itself(watch, true);
}

enum process_end watch_inspect(struct watch *watch, pid_t pid)
{
	if (watch->proc < 0)
		watch_open_box(watch, pid);
	enum process_end why = watch->proc < 0 ? PROCESS_EXITED : watch_inspect_processes(watch);
	if (why == PROCESS_EXITED && watch_inspect_disk(watch))
		why = PROCESS_DISK;
	return why;
}
