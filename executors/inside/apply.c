#include "executors/inside/apply.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "executors/inside/record.h"
#include "executors/inside/tree.h"

static struct {
	char bytes[1 << 16];
	size_t start, end;
	int fd;
} in;

/* False: nothing more comes. */
static bool in_fill(void)
{
	ssize_t n = 1;
	if (in.start == in.end) {
		n = read(in.fd, in.bytes, sizeof in.bytes);
		in.start = 0;
		in.end = n > 0 ? (size_t)n : 0;
	}
	return n > 0;
}

static bool in_text(char *to, size_t size)
{
	for (size_t n = 0; n < size && in_fill(); n++)
		if (!(to[n] = in.bytes[in.start++]))
			return true;
	return false;
}

/* So many bytes into a descriptor; where it takes none, they are passed over, and errno is in
 * *fault. */
static bool in_bytes(uint64_t size, int to, int *fault)
{
	while (size) {
		if (!in_fill())
			return false;
		size_t n = in.end - in.start;
		n = n < size ? n : (size_t)size;
		ssize_t written = *fault ? (ssize_t)n : write(to, in.bytes + in.start, n);
		if (written <= 0) {
			*fault = errno;
			continue;
		}
		in.start += (size_t)written;
		size -= (uint64_t)written;
	}
	return true;
}

static int apply_make_file(int parent, const char *last, bool is_executable)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	tree_remove(parent, last);
	return openat(parent, last, flags, is_executable ? 0755 : 0644);
}

/* False: the stream broke off. */
static bool apply_file(int parent, const char *last, const struct record *record, int *fault)
{
	int64_t ns = record->modified_ns;
	struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {ns / 1000000000, ns % 1000000000}};
	int fd = apply_make_file(parent, last, record->is_executable);
	if (fd < 0 && fchmod(parent, 0755) == 0) /* a program has closed it */
		fd = apply_make_file(parent, last, record->is_executable);
	*fault = fd < 0 ? errno : 0;
	bool is_whole = in_bytes(record->size, fd, fault);
	if (ns && fd >= 0)
		futimens(fd, times);
	if (fd >= 0)
		close(fd);
	return is_whole;
}

static int apply_link(int parent, const char *last, const char *target)
{
	tree_remove(parent, last);
	if (symlinkat(target, parent, last) == 0)
		return 0;
	fchmod(parent, 0755);
	tree_remove(parent, last);
	return symlinkat(target, parent, last) < 0 ? errno : 0;
}

/* False: the stream broke off. */
static bool apply_record(int root, char *path, const struct record *record, int *fault)
{
	char target[RECORD_LONGEST_PATH + 1] = "";
	char *last;
	bool is_whole = true;
	if (record->kind == RECORD_LINK && record->size > 0 && !in_text(target, sizeof target))
		return false;
	int parent = tree_enter(root, path, record->kind != RECORD_GONE, &last);
	*fault = parent < 0 && record->kind != RECORD_GONE ? errno : 0;
	if (record->kind == RECORD_FILE) {
		is_whole = *fault ? in_bytes(record->size, -1, fault) : apply_file(parent, last, record,
			fault);
	} else if (parent >= 0 && record->kind == RECORD_GONE) {
		tree_remove(parent, last);
	} else if (parent >= 0 && record->kind == RECORD_LINK) {
		*fault = apply_link(parent, last, target);
	} else if (parent >= 0) {
		int fd = tree_make(parent, last);
		*fault = fd < 0 ? errno : 0;
		close(fd);
	}
	if (parent >= 0)
		close(parent);
	return is_whole;
}

int apply_records(int fd, const int *roots, size_t n)
{
	static char head[RECORD_HEAD + RECORD_LONGEST_PATH + 1];
	struct record record;
	int first = 0, fault;
	in.fd = fd;
	in.start = in.end = 0;
	while (in_text(head, sizeof head) && record_read(head, &record) && record.root < n) {
		if (record.kind == RECORD_END)
			return first;
		if (!apply_record(roots[record.root], head + (record.path - head), &record, &fault))
			break;
		first = first ? first : fault;
	}
	return EPROTO;
}
