/*
 * What the helper needs of a C library, as bare system calls, so that it is some kilobytes that run in any image: with a library
 * linked in it would be as large as rondo. Where the machine is another one, the Makefile links that library.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
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

/* The stack as the kernel leaves it: how many arguments, the arguments, NULL, the environment, NULL. */
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

int open(const char *path, int flags, ...)
{
	return (int)call(SYS_openat, AT_FDCWD, (long)path, flags, 0, 0);
}

int openat(int dir, const char *path, int flags, ...)
{
	return (int)call(SYS_openat, dir, (long)path, flags, 0, 0);
}

int mkdirat(int dir, const char *path, mode_t mode)
{
	return (int)call(SYS_mkdirat, dir, (long)path, mode, 0, 0);
}

int unlinkat(int dir, const char *path, int flags)
{
	return (int)call(SYS_unlinkat, dir, (long)path, flags, 0, 0);
}

int linkat(int from, const char *old, int to, const char *path, int flags)
{
	return (int)call(SYS_linkat, from, (long)old, to, (long)path, flags);
}

int fchmodat(int dir, const char *path, mode_t mode, int flags)
{
	(void)flags;
	return (int)call(SYS_fchmodat, dir, (long)path, mode, 0, 0);
}

ssize_t readlinkat(int dir, const char *restrict path, char *restrict target, size_t n)
{
	return call(SYS_readlinkat, dir, (long)path, (long)target, (long)n, 0);
}

ssize_t getdents64(int dir, void *list, size_t n)
{
	return call(SYS_getdents64, dir, (long)list, (long)n, 0, 0);
}

int statx(int dir, const char *restrict path, int flags, unsigned mask, struct statx *restrict st)
{
	return (int)call(SYS_statx, dir, (long)path, flags, (long)mask, (long)st);
}

int close(int fd)
{
	return (int)call(SYS_close, fd, 0, 0, 0, 0);
}

ssize_t read(int fd, void *bytes, size_t n)
{
	return call(SYS_read, fd, (long)bytes, (long)n, 0, 0);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	return call(SYS_write, fd, (long)bytes, (long)n, 0, 0);
}

int dup3(int from, int to, int flags)
{
	return (int)call(SYS_dup3, from, to, flags, 0, 0);
}

int dup2(int from, int to)
{
	return from == to ? to : dup3(from, to, 0);
}

int pipe2(int fds[2], int flags)
{
	return (int)call(SYS_pipe2, (long)fds, flags, 0, 0, 0);
}

int fcntl(int fd, int command, ...)
{
	va_list arguments;
	va_start(arguments, command);
	long value = va_arg(arguments, long);
	va_end(arguments);
	return (int)call(SYS_fcntl, fd, command, value, 0, 0);
}

int poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	struct timespec left = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
	return (int)call(SYS_ppoll, (long)fds, (long)n, timeout_ms < 0 ? 0 : (long)&left, 0, 0);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	return (int)call(SYS_clock_gettime, clock, (long)time, 0, 0, 0);
}

pid_t fork(void)
{
	return (pid_t)call(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

int execve(const char *path, char *const *argv, char *const *env)
{
	return (int)call(SYS_execve, (long)path, (long)argv, (long)env, 0, 0);
}

pid_t wait4(pid_t pid, int *status, int flags, struct rusage *usage)
{
	return (pid_t)call(SYS_wait4, pid, (long)status, flags, (long)usage, 0);
}

pid_t waitpid(pid_t pid, int *status, int flags)
{
	return wait4(pid, status, flags, NULL);
}

int kill(pid_t pid, int signal)
{
	return (int)call(SYS_kill, pid, signal, 0, 0, 0);
}

pid_t setsid(void)
{
	return (pid_t)call(SYS_setsid, 0, 0, 0, 0, 0);
}

int prctl(int option, ...)
{
	va_list arguments;
	va_start(arguments, option);
	long value = va_arg(arguments, long);
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
	return call(SYS_rt_sigaction, number, (long)&action, 0, sizeof action.mask, 0) < 0 ? SIG_ERR : SIG_DFL;
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
