/*
 * What the helper needs of a C library, as bare system calls, so that it is some kilobytes that run
 * in any image: with a library linked in it would be as large as rondo. Where the machine is
 * another one, the Makefile links that library.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv, char **env);
__attribute__((noreturn, used)) void begin(long *stack);
void _start(void);

#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %ebp, %ebp\nmov %rsp, %rdi\nand $-16, %rsp\ncall begin\n");

static long kernel(long number, long a, long b, long c, long d, long e)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	__asm__ volatile("syscall"
		: "=a"(result)
		: "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
		: "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: mov x29, #0\nmov x0, sp\nbl begin\n");

static long kernel(long number, long a, long b, long c, long d, long e)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
	return x0;
}
#endif

static int error_number;

int *__errno_location(void)
{
	return &error_number;
}

static long call(long number, long a, long b, long c, long d, long e)
{
	long result = kernel(number, a, b, c, d, e);
	if (result < 0 && result > -4096) {
		error_number = (int)-result;
		return -1;
	}
	return result;
}

/* The stack as the kernel leaves it: a count, the arguments, NULL, the environment, NULL. */
void begin(long *stack)
{
	char **argv = (char **)(stack + 1);
	_exit(main((int)*stack, argv, argv + *stack + 1));
}

void _exit(int status)
{
	for (;;)
		call(SYS_exit_group, status, 0, 0, 0, 0);
}

/* What is a system call and nothing else. */
#define SYSTEM(type, name, parameters, ...) \
	type name parameters \
	{ \
		const long words[6] = {__VA_ARGS__}; \
		return (type)call(words[0], words[1], words[2], words[3], words[4], words[5]); \
	}

SYSTEM(int, mkdirat, (int dir, const char *path, mode_t mode), SYS_mkdirat, dir, (long)path, mode)
SYSTEM(int, unlinkat, (int dir, const char *path, int flags), SYS_unlinkat, dir, (long)path, flags)
SYSTEM(int, fchmod, (int fd, mode_t mode), SYS_fchmod, fd, mode)
SYSTEM(mode_t, umask, (mode_t mask), SYS_umask, mask)
SYSTEM(int, mknodat, (int dir, const char *path, mode_t mode, dev_t device),
	SYS_mknodat, dir, (long)path, mode, (long)device)
SYSTEM(int, symlinkat, (const char *target, int dir, const char *path),
	SYS_symlinkat, (long)target, dir, (long)path)
SYSTEM(int, renameat, (int from, const char *old, int to, const char *path),
	SYS_renameat2, from, (long)old, to, (long)path)
SYSTEM(int, futimens, (int fd, const struct timespec times[2]), SYS_utimensat, fd, 0, (long)times)
SYSTEM(int, fallocate, (int fd, int mode, off_t start, off_t n), SYS_fallocate, fd, mode, start, n)
SYSTEM(ssize_t, readlinkat, (int dir, const char *restrict path, char *restrict target, size_t n),
	SYS_readlinkat, dir, (long)path, (long)target, (long)n)
SYSTEM(ssize_t, getdents64, (int dir, void *list, size_t n),
	SYS_getdents64, dir, (long)list, (long)n)
SYSTEM(int, statx,
	(int dir, const char *restrict path, int flags, unsigned mask, struct statx *restrict st),
	SYS_statx, dir, (long)path, flags, (long)mask, (long)st)
SYSTEM(int, close, (int fd), SYS_close, fd)
SYSTEM(ssize_t, read, (int fd, void *bytes, size_t n), SYS_read, fd, (long)bytes, (long)n)
SYSTEM(ssize_t, write, (int fd, const void *bytes, size_t n), SYS_write, fd, (long)bytes, (long)n)
SYSTEM(int, dup3, (int from, int to, int flags), SYS_dup3, from, to, flags)
SYSTEM(int, pipe2, (int fds[2], int flags), SYS_pipe2, (long)fds, flags)
SYSTEM(int, clock_gettime, (clockid_t clock, struct timespec *time),
	SYS_clock_gettime, clock, (long)time)
SYSTEM(pid_t, fork, (void), SYS_clone, SIGCHLD)
SYSTEM(int, execve, (const char *path, char *const *argv, char *const *env),
	SYS_execve, (long)path, (long)argv, (long)env)
SYSTEM(pid_t, wait4, (pid_t pid, int *status, int flags, struct rusage *usage),
	SYS_wait4, pid, (long)status, flags, (long)usage)
SYSTEM(int, kill, (pid_t pid, int signal), SYS_kill, pid, signal)
SYSTEM(pid_t, setsid, (void), SYS_setsid)

int fchmodat(int dir, const char *path, mode_t mode, int flags)
{
	(void)flags;
	return (int)call(SYS_fchmodat, dir, (long)path, mode, 0, 0);
}

int dup2(int from, int to)
{
	return from == to ? to : dup3(from, to, 0);
}

pid_t waitpid(pid_t pid, int *status, int flags)
{
	return wait4(pid, status, flags, NULL);
}

int poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	struct timespec left = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	return (int)call(SYS_ppoll, (long)fds, (long)n, timeout_ms < 0 ? 0 : (long)&left, 0, 0);
}

/* Nothing is made by this one. */
int open(const char *path, int flags, ...)
{
	return (int)call(SYS_openat, AT_FDCWD, (long)path, flags, 0, 0);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	long mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
	va_end(arguments);
	return (int)call(SYS_openat, dir, (long)path, flags, mode, 0);
}

int fcntl(int fd, int command, ...)
{
	va_list arguments;
	va_start(arguments, command);
	long value = va_arg(arguments, int);
	va_end(arguments);
	return (int)call(SYS_fcntl, fd, command, value, 0, 0);
}

int prctl(int option, ...)
{
	va_list arguments;
	va_start(arguments, option);
	long value = va_arg(arguments, int);
	va_end(arguments);
	return (int)call(SYS_prctl, option, value, 0, 0, 0);
}

/* Only pidfd_open takes this way. */
long syscall(long number, ...)
{
	va_list arguments;
	va_start(arguments, number);
	long a = va_arg(arguments, int), b = va_arg(arguments, int);
	va_end(arguments);
	return call(number, a, b, 0, 0, 0);
}

/* As the kernel takes it, for handlers that are none: the default, and to ignore. */
__sighandler_t signal(int number, __sighandler_t handler)
{
	struct {
		__sighandler_t handler;
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} action = {.handler = handler};
	long status = call(SYS_rt_sigaction, number, (long)&action, 0, sizeof action.mask, 0);
	return status < 0 ? SIG_ERR : SIG_DFL;
}

int strcmp(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return (unsigned char)*a - (unsigned char)*b;
}

/* The compiler calls these two by itself. */
void *memset(void *to, int byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = (char)byte;
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}
