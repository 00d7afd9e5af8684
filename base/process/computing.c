#include "base/process/computing.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/raw.h"
#include "base/strbuf.h"

struct process_seen {
	int64_t pid, parent, cpu_ms;
	bool leader_runs, is_other;
};

struct process_table {
	struct arena arena;
	struct process_seen *items;
	size_t n;
};

static bool process_is_named(const char *const *names, const char *name, size_t n)
{
	for (; *names; names++)
		if (strlen(*names) == n && memcmp(*names, name, n) == 0)
			return true;
	return false;
}

static bool process_says(int64_t pid, const char *const *words)
{
	char path[64], line[16384];
	snprintf(path, sizeof path, "/proc/%lld/cmdline", (long long)pid);
	ssize_t n = *words ? raw_read(AT_FDCWD, path, line, sizeof line) : 0;
	for (; n > 0 && *words; words++)
		if (memmem(line, (size_t)n, *words, strlen(*words)))
			return true;
	return false;
}

/* "12 (name) R 1 ...": the name may hold anything. */
static void process_table_add(
	struct process_table *table, const char *stat, const struct process_names *others)
{
	enum { PARENT = 4, UTIME = 14, STIME = 15 };
	const char *open = strchr(stat, '('), *close = strrchr(stat, ')');
	if (!open || !close || close < open || !close[1])
		return;
	struct process_seen seen = {.pid = strtol(stat, NULL, 10),
		.parent = raw_stat_field(stat, PARENT),
		.leader_runs = close[2] == 'R',
		.cpu_ms = (raw_stat_field(stat, UTIME) + raw_stat_field(stat, STIME)) * 1000 /
			sysconf(_SC_CLK_TCK)};
	seen.is_other = process_is_named(others->names, open + 1, (size_t)(close - open - 1));
	ARENA_PUSH(&table->arena, table->items, table->n, seen);
}

/* Whether one of its threads runs: that of Java's main() is not the first. */
static bool process_computes(const struct process_seen *process)
{
	char path[300], stat[1024];
	snprintf(path, sizeof path, "/proc/%lld/task", (long long)process->pid);
	bool runs = process->leader_runs;
	DIR *dir = runs ? NULL : opendir(path);
	for (struct dirent *entry; dir && !runs && (entry = readdir(dir));) {
		snprintf(
			path, sizeof path, "/proc/%lld/task/%s/stat", (long long)process->pid, entry->d_name);
		bool is_read = *entry->d_name != '.' && raw_read(AT_FDCWD, path, stat, sizeof stat) > 0;
		const char *close = is_read ? strrchr(stat, ')') : NULL;
		runs = close && text_starts_with(close, ") R");
	}
	if (dir)
		closedir(dir);
	return runs;
}

static void process_table_read(struct process_table *table, const struct process_names *others)
{
	char path[300], stat[1024];
	DIR *dir = opendir("/proc");
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
		if (*entry->d_name >= '1' && *entry->d_name <= '9' &&
			raw_read(AT_FDCWD, path, stat, sizeof stat) > 0)
			process_table_add(table, stat, others);
	}
	if (dir)
		closedir(dir);
}

/* Each round climbs to the parent; a process that has ended meanwhile breaks the chain. */
static bool process_is_below(
	const struct process_table *table, const struct process_seen *process, int64_t top)
{
	int64_t parent = process->parent;
	for (size_t rounds = 0; parent > 1 && parent != top && rounds < table->n; rounds++) {
		size_t i = 0;
		while (i < table->n && table->items[i].pid != parent)
			i++;
		parent = i < table->n ? table->items[i].parent : 0;
	}
	return parent == top;
}

int64_t process_computing_ms(const struct process_names *others)
{
	struct process_table table = {.n = 0};
	int64_t longest_ms = 0, self = getpid();
	bool is_other = false;
	process_table_read(&table, others);
	for (size_t i = 0; i < table.n; i++) {
		const struct process_seen *process = &table.items[i];
		if (!process_is_below(&table, process, self) || !process_computes(process))
			continue;
		is_other |= process->is_other || process_says(process->pid, others->words);
		longest_ms = process->cpu_ms > longest_ms ? process->cpu_ms : longest_ms;
	}
	arena_release(&table.arena);
	return is_other ? 0 : longest_ms;
}
