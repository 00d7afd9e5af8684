#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "executors/inside/parts.h"

/* Copy bytes into a descriptor, or drop them if *fault is set. False: the stream broke off. */
static bool apply_bytes(FILE *from, uint64_t size, int to, int *fault)
{
	static char bytes[1 << 16];
	for (size_t n; size; size -= n) {
		n = fread(bytes, 1, size < sizeof bytes ? (size_t)size : sizeof bytes, from);
		if (!n)
			return false;
		for (size_t i = 0; i < n && !*fault;) {
			ssize_t written = write(to, bytes + i, n - i);
			*fault = written < 0 ? errno : 0;
			i += written > 0 ? (size_t)written : 0;
		}
	}
	return true;
}

/* Create a file or a link. -1 with errno. */
static int apply_make(int dir, const char *name, const struct record *record, const char *target)
{
	tree_remove(dir, name);
	if (record->kind == RECORD_LINK)
		return symlinkat(target, dir, name);
	return openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		record->is_executable ? 0755 : 0644);
}

/* False: the stream broke off. */
static bool apply_record(FILE *from, int root, char *path, const struct record *record, int *fault)
{
	char target[RECORD_LONGEST_PATH + 1] = "", *name;
	int64_t ns = record->modified_ns;
	struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {ns / 1000000000, ns % 1000000000}};
	uint64_t size = record->kind == RECORD_LINK ? 0 : record->size;
	if (record->size != size &&
		(record->size >= sizeof target || !fread(target, (size_t)record->size, 1, from)))
		return false;
	int dir = tree_enter(root, path, record->kind != RECORD_GONE, &name), fd = -1;
	if (dir >= 0 && record->kind == RECORD_GONE)
		tree_remove(dir, name);
	else if (dir >= 0 && record->kind == RECORD_DIR)
		fd = tree_make(dir, name);
	else if (dir >= 0 && (fd = apply_make(dir, name, record, target)) < 0)
		/* A program may have closed it. */
		fd = fchmod(dir, 0755) < 0 ? -1 : apply_make(dir, name, record, target);
	*fault = fd < 0 && record->kind != RECORD_GONE ? errno : 0;
	bool is_whole = apply_bytes(from, size, fd, fault);
	if (ns && fd > 0)
		futimens(fd, times);
	if (fd > 0) /* 0: a link */
		close(fd);
	if (dir >= 0)
		close(dir);
	return is_whole;
}

int apply_records(FILE *from, const int *roots, size_t n)
{
	char *head = NULL;
	size_t room = 0;
	struct record record;
	int first = 0, fault = 0;
	while (from && getdelim(&head, &room, '\0', from) > 0 && record_read(head, &record) &&
		record.root < n) {
		if (record.kind == RECORD_END)
			return first;
		if (!apply_record(from, roots[record.root], head + (record.path - head), &record, &fault))
			break;
		first = first ? first : fault;
	}
	return EPROTO;
}
