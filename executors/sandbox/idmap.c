/*
 * Files of root, shown as those of the user whom programs run as. The kernel maps the ids of a
 * mount by a user namespace (Linux 5.12; beneath overlays 5.19), so a process makes one. It ends as
 * soon as its namespace is open.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/raw.h"
#include "executors/sandbox/box.h"

#define LAST_ID 4294967294UL
#define WAITING_STACK 16384

static char *idmap_put(char *at, unsigned long here, unsigned long there, unsigned long n)
{
	at = stpcpy(raw_put_number(at, here), " ");
	at = stpcpy(raw_put_number(at, there), " ");
	return stpcpy(raw_put_number(at, n), "\n");
}

/* Root and this id change places; all others stay. */
static int idmap_write(pid_t pid, const char *file, unsigned long id)
{
	char path[48] = "/proc/", map[192], *at = map;
	stpcpy(raw_put_number(path + strlen(path), (unsigned long)pid), file);
	at = idmap_put(at, 0, id, 1);
	if (id > 1)
		at = idmap_put(at, 1, 1, id - 1);
	at = idmap_put(at, id, 0, 1);
	idmap_put(at, id + 1, id + 1, LAST_ID - id);
	return raw_write(path, map);
}

/* In the caller's memory, with its errno: only calls that do not fail. */
static int idmap_wait(void *unused)
{
	(void)unused;
	syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
	return 0;
}

int idmap_open(uid_t uid, gid_t gid)
{
	char path[48] = "/proc/";
	int users = -1;
	_Alignas(16) char stack[WAITING_STACK];
	int flags = RAW_IN_PLACE | CLONE_NEWUSER | SIGCHLD;
	pid_t pid = raw_clone(idmap_wait, stack + sizeof stack, flags, NULL);
	if (pid < 0)
		return -1;
	stpcpy(raw_put_number(path + strlen(path), (unsigned long)pid), "/ns/user");
	if (idmap_write(pid, "/uid_map", uid) == 0 && idmap_write(pid, "/gid_map", gid) == 0)
		users = open(path, O_RDONLY | O_CLOEXEC);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return users;
}

/* A copy of the mount that holds a directory, from there on; it is at no path. */
static int idmap_copy(int dir, int users)
{
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_IDMAP, .userns_fd = (uint64_t)users};
	int copy = (int)syscall(SYS_open_tree, dir, "",
		AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
	if (copy < 0)
		return -1;
	if (syscall(SYS_mount_setattr, copy, "", AT_EMPTY_PATH, &attr, sizeof attr) == 0)
		return copy;
	close(copy);
	return -1;
}

int idmap_show(int dir, int users, const char *at)
{
	int copy = idmap_copy(dir, users), shown = -1;
	if (copy < 0)
		return -1;
	if (mkdir(at, 0700) == 0 &&
		syscall(SYS_move_mount, copy, "", AT_FDCWD, at, MOVE_MOUNT_F_EMPTY_PATH) == 0)
		shown = open(at, O_PATH | O_CLOEXEC);
	close(copy);
	return shown;
}

bool idmap_works(const char *path, uid_t uid, gid_t gid)
{
	int dir = open(path, O_PATH | O_CLOEXEC), users = dir < 0 ? -1 : idmap_open(uid, gid);
	int copy = users < 0 ? -1 : idmap_copy(dir, users);
	int fds[] = {dir, users, copy};
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return copy >= 0;
}
