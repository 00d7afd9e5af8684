/* The filter of system calls: what the kernel makes of it, in a process of its own. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "executors/sandbox/box.h"

/* The errno of a call that failed; 0: it did not. */
static int failure(long result)
{
	return result < 0 ? errno : 0;
}

static const struct {
	int error;
	long number, arguments[4];
} cases[] = {
	{0, SYS_getppid, {0}},
	{EPERM, SYS_keyctl, {0, -3, 1}},
	{EPERM, SYS_unshare, {0}},
	{EPERM, SYS_mount_setattr, {0}},
	{EPERM, 467, {0}},
	{EPERM, SYS_ioctl, {0, TIOCSTI}},
	{EPERM, SYS_ioctl, {0, TIOCSTI | 1L << 40}},
	{EBADF, SYS_ioctl, {-1, TIOCGWINSZ}},
	{EPERM, SYS_ptrace, {16, 1}},
	{ESRCH, SYS_ptrace, {16, 1 << 30}},
	{EPERM, SYS_mknodat, {-1, 0, S_IFCHR | 0600, 0}},
	{EFAULT, SYS_mknodat, {-1, 0, S_IFIFO | 0600, 0}},
	{EAFNOSUPPORT, SYS_socket, {AF_VSOCK, SOCK_STREAM, 0}},
	{EAFNOSUPPORT, SYS_socket, {AF_PACKET, SOCK_RAW, 0}},
	{EAFNOSUPPORT, SYS_socket, {AF_VSOCK | 1L << 32, SOCK_STREAM, 0}},
	{EAFNOSUPPORT, SYS_socketpair, {AF_ALG, SOCK_STREAM, 0}},
	{0, SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
	{0, SYS_socket, {AF_INET6, SOCK_STREAM, 0}},
	{0, SYS_socket, {AF_NETLINK, SOCK_RAW, 0}},
};

/* In a process whose calls are filtered. Gives the number of the case that comes out wrong, from 1
 * on; 0: none. */
static int try_all(const void *bytes, size_t n)
{
	struct sock_fprog program = {.len = (unsigned short)(n / sizeof(struct sock_filter)),
		.filter = (struct sock_filter *)(uintptr_t)bytes};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 255;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const long *with = cases[i].arguments;
		if (failure(syscall(cases[i].number, with[0], with[1], with[2], with[3])) != cases[i].error)
			return (int)i + 1;
	}
	return 0;
}

static void refuses_what_it_should_and_nothing_else(void **state)
{
	(void)state;
	struct arena arena = ARENA_INIT;
	struct rondo_error err;
	const void *bytes;
	size_t n;
	int status;
	assert_int_equal(seccomp_filter(&arena, &bytes, &n, &err), 0);
	assert_int_equal(n % sizeof(struct sock_filter), 0);
	assert_in_range(n / sizeof(struct sock_filter), 100, BPF_MAXINSNS);
	pid_t child = fork();
	if (child == 0)
		_exit(try_all(bytes, n));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	arena_release(&arena);
}

UNIT(seccomp)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(refuses_what_it_should_and_nothing_else)};
	return RUN_TESTS(tests);
}
