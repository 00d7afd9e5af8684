/*
 * Everything is allowed except calls that tested programs do not need and in which kernel bugs are
 * found: they fail with EPERM. A call of another architecture, which the filter would not know,
 * kills the program. ptrace stays, because LeakSanitizer and debuggers need it; only bwrap, the
 * first process, cannot be traced.
 */
#include "executors/sandbox/box.h"

#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/memory.h"

static const char *const refused[] = {
	/* other roots and namespaces */
	"mount", "umount", "umount2", "pivot_root", "chroot", "setns", "unshare", "open_tree",
		"open_tree_attr", "move_mount",
	"fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
	/* large and young parts of the kernel */
	"bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
		"io_uring_register", "fanotify_init",
	/* what is not namespaced */
	"keyctl", "add_key", "request_key", "syslog", "name_to_handle_at", "open_by_handle_at", "acct",
		"quotactl", "quotactl_fd",
	/* the machine itself */
	"kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module",
		"create_module", "reboot", "swapon",
	"swapoff", "clock_settime", "clock_settime64", "settimeofday", "stime", "adjtimex",
		"clock_adjtime", "clock_adjtime64",
	"iopl", "ioperm", "sethostname", "setdomainname", "vhangup",
	/* other processes */
	"kcmp", "pidfd_getfd", "process_madvise", "move_pages", "migrate_pages",
	/* relics */
	"modify_ldt", "uselib", "sysfs", "ustat", "nfsservctl", "lookup_dcookie", "_sysctl", "vm86",
		"vm86old",
};

/* Newer than the installed libseccomp; these have the same number on all architectures. */
static const struct {
	const char *name;
	int number;
} young[] = {{"open_tree_attr", 467}, {"quotactl_fd", 443}, {"mount_setattr", 442}};

/* Add a rule. A call that this architecture does not have is no error. */
static int filter_refuse(scmp_filter_ctx filter, int error, const char *name, unsigned n,
	const struct scmp_arg_cmp *arguments)
{
	int number = seccomp_syscall_resolve_name(name);
	for (size_t i = 0; number == __NR_SCMP_ERROR && i < ARRAY_SIZE(young); i++)
		if (strcmp(young[i].name, name) == 0)
			number = young[i].number;
	if (number < 0)
		return 0;
	return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO((unsigned)error), number, n, arguments);
}

/* Refuse a call if the low half of an argument (the kernel ignores the rest) has this value under
 * the mask. */
static int filter_refuse_where(scmp_filter_ctx filter, const char *name, unsigned argument,
	unsigned mask, unsigned value)
{
	struct scmp_arg_cmp compare = {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask,
		.datum_b = value};
	return filter_refuse(filter, EPERM, name, 1, &compare);
}

/* Allow address families that have a namespace; some of the others reach the host or its
 * hypervisor. */
static int filter_refuse_families(scmp_filter_ctx filter, const char *name)
{
	struct scmp_arg_cmp compare = {.arg = 0, .op = SCMP_CMP_GT, .datum_a = AF_NETLINK};
	int status = filter_refuse(filter, EAFNOSUPPORT, name, 1, &compare);
	for (unsigned family = 1; status == 0 && family < AF_NETLINK; family++) {
		if (family == AF_UNIX || family == AF_INET || family == AF_INET6)
			continue;
		compare = (struct scmp_arg_cmp){.arg = 0, .op = SCMP_CMP_EQ, .datum_a = family};
		status = filter_refuse(filter, EAFNOSUPPORT, name, 1, &compare);
	}
	return status;
}

static int filter_refuse_by_argument(scmp_filter_ctx filter)
{
	static const struct {
		const char *name;
		unsigned argument, mask, value;
	} rules[] = {
		/* typing into a terminal, and what can be loaded into one */
		{"ioctl", 1, ~0U, TIOCSTI}, {"ioctl", 1, ~0U, TIOCLINUX}, {"ioctl", 1, ~0U, TIOCSETD},
		/* bwrap, which is the box's process 1 */
		{"ptrace", 1, ~0U, 1}, {"process_vm_readv", 0, ~0U, 1}, {"process_vm_writev", 0, ~0U, 1},
		/* devices: anybody may create the one that overlays take for a removed file */
		{"mknod", 1, S_IFMT, S_IFCHR}, {"mknodat", 2, S_IFMT, S_IFCHR},
		{"mknod", 1, S_IFMT, S_IFBLK}, {"mknodat", 2, S_IFMT, S_IFBLK},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (filter_refuse_where(filter, rules[i].name, rules[i].argument, rules[i].mask,
			rules[i].value) < 0)
			return -1;
	return filter_refuse_families(filter, "socket") < 0 ||
		filter_refuse_families(filter, "socketpair") < 0 ? -1 : 0;
}

static int filter_add_rules(scmp_filter_ctx filter)
{
	if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) < 0)
		return -1;
	/* A tree needs fewer comparisons. Older libraries only have a list. */
	(void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (filter_refuse(filter, EPERM, refused[i], 0, NULL) < 0)
			return -1;
	return filter_refuse_by_argument(filter);
}

/* libseccomp 2.5 can only write to a descriptor. */
static int filter_export(scmp_filter_ctx filter, struct arena *arena, const void **ret_bytes,
	size_t *ret_n)
{
	struct stat st;
	AUTO_CLOSE fd = memfd_create("filter", MFD_CLOEXEC);
	if (fd < 0 || seccomp_export_bpf(filter, fd) < 0 || fstat(fd, &st) < 0)
		return -1;
	char *bytes = arena_alloc(arena, (size_t)st.st_size);
	if (pread(fd, bytes, (size_t)st.st_size, 0) != st.st_size)
		return -1;
	*ret_bytes = bytes;
	*ret_n = (size_t)st.st_size;
	return 0;
}

int seccomp_filter(struct arena *arena, const void **ret_bytes, size_t *ret_n,
	struct rondo_error *err)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int status = filter ? filter_add_rules(filter) : -1;
	if (status == 0)
		status = filter_export(filter, arena, ret_bytes, ret_n);
	if (filter)
		seccomp_release(filter);
	if (status < 0)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"libseccomp makes no filter of system calls for this machine");
	return 0;
}
