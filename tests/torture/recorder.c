/*
 * A library for LD_PRELOAD, which records what a program does to files below a directory, so that
 * tests/torture/power can replay what a power failure leaves of it. A record is a line of words,
 * and the bytes of a write behind it:
 *
 *   entry INODE d|f|l MODE PATH    a new directory, file or link of that name
 *   write INODE OFFSET LENGTH      and so many bytes
 *   size INODE LENGTH              cut or extended
 *   mode INODE MODE
 *   sync INODE                     a file's bytes, or a directory's names, are on disk
 *   rename PATH NEW
 *   link INODE PATH
 *   unlink PATH
 *
 * RECORDER_LOG=FILE, RECORDER_BELOW=DIR. Programs that this one executes run without it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
#define REAL(name) \
	static __typeof__(name) *real; \
	if (!real) \
	*(void **)&real = dlsym(RTLD_NEXT, #name)

enum { MAPS = 64 };

static const char *log_path, *below;
static struct {
	void *address;
	size_t n;
	ino_t inode;
	off_t offset;
} maps[MAPS];
static pthread_mutex_t *mutex; /* of all processes */

__attribute__((constructor)) static void begin(void)
{
	static const char *const own[] = {"LD_PRELOAD", "RECORDER_LOG", "RECORDER_BELOW"};
	const char *log = getenv("RECORDER_LOG"), *dir = getenv("RECORDER_BELOW");
	if (!log || !dir)
		return;
	log_path = strdup(log);
	below = strdup(dir);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		unsetenv(own[i]);
	void *shared =
		mmap(NULL, sizeof *mutex, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t how;
	pthread_mutexattr_init(&how);
	pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
	if (shared != MAP_FAILED) {
		mutex = shared;
		pthread_mutex_init(mutex, &how);
	}
}

/* The order of records is that of what they tell: a call and its record are under one lock. */
static void lock(void)
{
	if (mutex)
		pthread_mutex_lock(mutex);
}

static void unlock(void)
{
	int saved = errno;
	if (mutex)
		pthread_mutex_unlock(mutex);
	errno = saved;
}

static void record(const void *bytes, size_t n, const char *format, ...)
{
	char line[2 * PATH_MAX + 100];
	int saved = errno;
	va_list args;
	va_start(args, format);
	int length = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	long fd =
		syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		abort();
	if (syscall(SYS_write, fd, line, length) != length ||
		(n && syscall(SYS_write, fd, bytes, n) != (long)n))
		abort();
	syscall(SYS_close, fd);
	errno = saved;
}

/* The absolute path of a name, if it is below the directory. */
static const char *path_of(int dir, const char *name, char *path)
{
	char link[40];
	if (!below)
		return NULL;
	if (*name == '/') {
		snprintf(path, PATH_MAX, "%s", name);
	} else {
		snprintf(link, sizeof link, dir == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", dir);
		ssize_t n = readlink(link, path, PATH_MAX - 1);
		if (n < 0)
			return NULL;
		snprintf(path + n, (size_t)(PATH_MAX - n), "/%s", name);
	}
	size_t n = strlen(below);
	return strncmp(path, below, n) == 0 && path[n] == '/' ? path : NULL;
}

/* Whether a descriptor is a file or directory there. */
static bool is_below(int fd, struct stat *st)
{
	char link[40], path[PATH_MAX];
	if (!below)
		return false;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof path - 1);
	if (n < 0)
		return false;
	path[n] = '\0';
	n = (ssize_t)strlen(below);
	return strncmp(path, below, (size_t)n) == 0 && (path[n] == '/' || !path[n]) &&
		fstat(fd, st) == 0 && (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode));
}

static void record_entry(const char *path)
{
	struct stat st;
	char target[PATH_MAX];
	if (lstat(path, &st) < 0)
		return;
	char type = S_ISDIR(st.st_mode) ? 'd' : S_ISLNK(st.st_mode) ? 'l' : 'f';
	record(NULL, 0, "entry %lu %c %o %s\n", st.st_ino, type, st.st_mode & 07777, path);
	ssize_t n = type == 'l' ? readlink(path, target, sizeof target) : -1;
	if (n >= 0)
		record(target, (size_t)n, "write %lu 0 %zd\n", st.st_ino, n);
}

static void record_write(int fd, const void *bytes, ssize_t n, off_t at)
{
	struct stat st;
	if (n <= 0 || !is_below(fd, &st))
		return;
	off_t offset = at >= 0 ? at : lseek(fd, 0, SEEK_CUR) - n;
	record(bytes, (size_t)n, "write %lu %ld %zd\n", st.st_ino, (long)offset, n);
}

/* --- Names --- */

static int opened(int fd, const char *path, bool existed, int flags)
{
	struct stat st;
	if (fd < 0 || !path)
		return fd;
	if (!existed && flags & O_CREAT)
		record_entry(path);
	else if (flags & O_TRUNC && fstat(fd, &st) == 0)
		record(NULL, 0, "size %lu 0\n", st.st_ino);
	return fd;
}

#define OPEN(name, dir) \
	{ \
		REAL(name); \
		char text[PATH_MAX]; \
		va_list args; \
		va_start(args, flags); \
		mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0; \
		va_end(args); \
		bool writes = flags & (O_CREAT | O_TRUNC); \
		const char *path = writes ? path_of(dir, file, text) : NULL; \
		if (!path) \
			return CALL(dir); \
		struct stat st; \
		lock(); \
		bool existed = lstat(path, &st) == 0; \
		int fd = opened(CALL(dir), path, existed, flags); \
		unlock(); \
		return fd; \
	}
#define CALL(dir) real(file, flags, mode)
PUBLIC int open(const char *file, int flags, ...) OPEN(open, AT_FDCWD) PUBLIC
	int open64(const char *file, int flags, ...) OPEN(open64, AT_FDCWD)
#undef CALL
#define CALL(dir) real(dir, file, flags, mode)
		PUBLIC int openat(int dir, const char *file, int flags, ...) OPEN(openat, dir) PUBLIC
	int openat64(int dir, const char *file, int flags, ...) OPEN(openat64, dir)
#undef CALL

/* One that takes a name and makes it: `call` is the real one's. */
#define MAKES(dir, file, call) \
	char text[PATH_MAX]; \
	const char *path = path_of(dir, file, text); \
	lock(); \
	int result = call; \
	if (result >= 0 && path) \
		record_entry(path); \
	unlock(); \
	return result

		PUBLIC int mkdir(const char *file, mode_t mode)
{
	REAL(mkdir);
	MAKES(AT_FDCWD, file, real(file, mode));
}

PUBLIC int mkdirat(int dir, const char *file, mode_t mode)
{
	REAL(mkdirat);
	MAKES(dir, file, real(dir, file, mode));
}

PUBLIC int symlink(const char *target, const char *file)
{
	REAL(symlink);
	MAKES(AT_FDCWD, file, real(target, file));
}

PUBLIC int symlinkat(const char *target, int dir, const char *file)
{
	REAL(symlinkat);
	MAKES(dir, file, real(target, dir, file));
}

#define REMOVES(dir, file, call) \
	char text[PATH_MAX]; \
	const char *path = path_of(dir, file, text); \
	lock(); \
	int result = call; \
	if (result == 0 && path) \
		record(NULL, 0, "unlink %s\n", path); \
	unlock(); \
	return result

PUBLIC int unlink(const char *file)
{
	REAL(unlink);
	REMOVES(AT_FDCWD, file, real(file));
}

PUBLIC int rmdir(const char *file)
{
	REAL(rmdir);
	REMOVES(AT_FDCWD, file, real(file));
}

PUBLIC int unlinkat(int dir, const char *file, int flags)
{
	REAL(unlinkat);
	REMOVES(dir, file, real(dir, file, flags));
}

static int renamed(int result, const char *path, const char *new_path)
{
	if (result == 0 && path && new_path)
		record(NULL, 0, "rename %s\t%s\n", path, new_path);
	return result;
}

PUBLIC int rename(const char *file, const char *new_file)
{
	REAL(rename);
	char text[PATH_MAX], new_text[PATH_MAX];
	lock();
	int result = renamed(
		real(file, new_file), path_of(AT_FDCWD, file, text), path_of(AT_FDCWD, new_file, new_text));
	unlock();
	return result;
}

PUBLIC int renameat(int dir, const char *file, int new_dir, const char *new_file)
{
	REAL(renameat);
	char text[PATH_MAX], new_text[PATH_MAX];
	lock();
	int result = renamed(real(dir, file, new_dir, new_file), path_of(dir, file, text),
		path_of(new_dir, new_file, new_text));
	unlock();
	return result;
}

PUBLIC int renameat2(int dir, const char *file, int new_dir, const char *new_file, unsigned flags)
{
	REAL(renameat2);
	char text[PATH_MAX], new_text[PATH_MAX];
	lock();
	int result = renamed(real(dir, file, new_dir, new_file, flags), path_of(dir, file, text),
		path_of(new_dir, new_file, new_text));
	unlock();
	return result;
}

static int linked(int result, const char *path)
{
	struct stat st;
	if (result == 0 && path && lstat(path, &st) == 0)
		record(NULL, 0, "link %lu %s\n", st.st_ino, path);
	return result;
}

PUBLIC int link(const char *file, const char *new_file)
{
	REAL(link);
	char text[PATH_MAX];
	lock();
	int result = linked(real(file, new_file), path_of(AT_FDCWD, new_file, text));
	unlock();
	return result;
}

PUBLIC int linkat(int dir, const char *file, int new_dir, const char *new_file, int flags)
{
	REAL(linkat);
	char text[PATH_MAX];
	lock();
	int result =
		linked(real(dir, file, new_dir, new_file, flags), path_of(new_dir, new_file, text));
	unlock();
	return result;
}

/* --- Bytes --- */

#define RECORDED(call, what) \
	lock(); \
	__typeof__(call) result = call; \
	what; \
	unlock(); \
	return result

PUBLIC ssize_t write(int fd, const void *bytes, size_t n)
{
	REAL(write);
	struct stat st;
	if (!is_below(fd, &st))
		return real(fd, bytes, n); /* a pipe may wait for whom the lock keeps from reading */
	RECORDED(real(fd, bytes, n), record_write(fd, bytes, result, -1));
}

PUBLIC ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	REAL(pwrite);
	RECORDED(real(fd, bytes, n, at), record_write(fd, bytes, result, at));
}

PUBLIC ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
	REAL(pwrite64);
	RECORDED(real(fd, bytes, n, at), record_write(fd, bytes, result, at));
}

/* The bytes that a descriptor's file has from an offset on, which no call of ours brought there. */
static void record_bytes(int fd, off_t at, size_t n)
{
	char link[40];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	int again = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC);
	void *bytes = malloc(n + 1);
	ssize_t got = again < 0 ? -1 : pread(again, bytes, n, at);
	record_write(fd, bytes, got, at);
	free(bytes);
	if (again >= 0)
		close(again);
}

PUBLIC FILE *fopen(const char *file, const char *mode)
{
	REAL(fopen);
	char text[PATH_MAX];
	struct stat st;
	const char *path = *mode == 'r' ? NULL : path_of(AT_FDCWD, file, text);
	lock();
	bool existed = path && lstat(path, &st) == 0;
	FILE *opened_file = real(file, mode);
	if (opened_file && path)
		opened(fileno(opened_file), path, existed, O_CREAT | O_TRUNC);
	unlock();
	return opened_file;
}

/* What was written through stdio is recorded at its end. */
PUBLIC int fclose(FILE *file)
{
	REAL(fclose);
	struct stat st;
	int fd = fileno(file);
	lock();
	if (fd > STDERR_FILENO && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY && is_below(fd, &st)) {
		fflush(file);
		if (fstat(fd, &st) == 0)
			record_bytes(fd, 0, (size_t)st.st_size);
	}
	int result = real(file);
	unlock();
	return result;
}

PUBLIC ssize_t copy_file_range(
	int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags)
{
	REAL(copy_file_range);
	off_t at = to_at ? *to_at : lseek(to, 0, SEEK_CUR);
	lock();
	ssize_t result = real(from, from_at, to, to_at, n, flags);
	if (result > 0)
		record_bytes(to, at, (size_t)result);
	unlock();
	return result;
}

static void record_size(int fd, off_t n)
{
	struct stat st;
	if (is_below(fd, &st))
		record(NULL, 0, "size %lu %ld\n", st.st_ino, (long)n);
}

PUBLIC int ftruncate(int fd, off_t n)
{
	REAL(ftruncate);
	RECORDED(real(fd, n), if (result == 0) record_size(fd, n));
}

PUBLIC int ftruncate64(int fd, off_t n)
{
	REAL(ftruncate64);
	RECORDED(real(fd, n), if (result == 0) record_size(fd, n));
}

static void record_mode(int fd)
{
	struct stat st;
	if (is_below(fd, &st))
		record(NULL, 0, "mode %lu %o\n", st.st_ino, st.st_mode & 07777);
}

PUBLIC int fchmod(int fd, mode_t mode)
{
	REAL(fchmod);
	RECORDED(real(fd, mode), if (result == 0) record_mode(fd));
}

/* What is written through a mapping is recorded at its end. */
static void record_map(int fd, void *address, size_t n, int protection, int flags, off_t offset)
{
	struct stat st;
	if (address == MAP_FAILED || !(protection & PROT_WRITE) || !(flags & MAP_SHARED) ||
		flags & MAP_ANONYMOUS || !is_below(fd, &st))
		return;
	for (size_t i = 0; i < MAPS; i++)
		if (!maps[i].address) {
			maps[i].address = address;
			maps[i].n = n;
			maps[i].inode = st.st_ino;
			maps[i].offset = offset;
			return;
		}
	abort();
}

PUBLIC void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	REAL(mmap);
	RECORDED(real(at, n, protection, flags, fd, offset),
		record_map(fd, result, n, protection, flags, offset));
}

PUBLIC void *mmap64(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	REAL(mmap64);
	RECORDED(real(at, n, protection, flags, fd, offset),
		record_map(fd, result, n, protection, flags, offset));
}

PUBLIC int munmap(void *address, size_t n)
{
	REAL(munmap);
	lock();
	for (size_t i = 0; i < MAPS; i++)
		if (maps[i].address == address) {
			record(address, maps[i].n, "write %lu %ld %zu\n", maps[i].inode, (long)maps[i].offset,
				maps[i].n);
			maps[i].address = NULL;
		}
	int result = real(address, n);
	unlock();
	return result;
}

static void record_sync(int fd)
{
	struct stat st;
	if (is_below(fd, &st))
		record(NULL, 0, "sync %lu\n", st.st_ino);
}

PUBLIC int fsync(int fd)
{
	REAL(fsync);
	RECORDED(real(fd), if (result == 0) record_sync(fd));
}

PUBLIC int fdatasync(int fd)
{
	REAL(fdatasync);
	RECORDED(real(fd), if (result == 0) record_sync(fd));
}
