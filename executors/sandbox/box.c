/*
 * Why there is a stage before bubblewrap: version 0.8 mounts no overlays, and started by root it
 * would keep root's uid, which can write files of the host such as /proc/sys. So the new process
 * creates a mount namespace, binds every source below a tmpfs that everybody may enter (an
 * unprivileged uid cannot enter /root), overlays what must stay unchanged, makes the root of the
 * box, and gives up root before it executes bwrap. An ordinary user needs a user namespace for that
 * and does without where only bwrap may make one. In this namespace the kernel also counts
 * processes and inotify instances for this box alone.
 */
#include "executors/sandbox/box.h"

#include <fcntl.h>
#include <linux/securebits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/raw.h"

#define STAGE_OPTIONS "mode=755,size=2g,nr_inodes=400k"
#define INOTIFY_INSTANCES "32" /* of the usual 128 of a user */
#define OPEN_FILES 4096
#define LARGEST_FILE ((rlim_t)1 << 30)
#define LOCKED_MEMORY ((rlim_t)8 << 20)

void box_plan(struct box *box, const struct mount *mounts, size_t n, const struct world *world,
	struct arena *arena)
{
	*box = (struct box){.n = n,
		.drop = world->drop,
		.drop_uid = world->uid,
		.drop_gid = world->gid,
		.uid = getuid(),
		.gid = getgid(),
		.stage = world->drop || world->has_overlays,
		.home = world->home};
	box->sources = arena_alloc(arena, n * sizeof *box->sources);
	for (size_t i = 0; i < n; i++)
		box->stage |= mounts[i].kind == MOUNT_PRIVATE;
	for (size_t i = 0; i < n; i++) {
		const struct mount *mount = &mounts[i];
		struct box_source *s = &box->sources[i];
		s->is_dir = file_is_dir(mount->source);
		s->is_overlay = mount->kind == MOUNT_PRIVATE && s->is_dir;
		s->paths[BOX_SOURCE] = mount->source;
		if (s->is_overlay) {
			s->paths[BOX_BENEATH] = mount->beneath;
			s->paths[BOX_LOWEST] = mount->lowest;
		}
		if (s->is_overlay && mount->written) {
			s->paths[BOX_UPPER] = arena_printf(arena, "%s/upper", mount->written);
			s->paths[BOX_WORK] = arena_printf(arena, "%s/work", mount->written);
		}
		snprintf(s->staged, sizeof s->staged, BOX_STAGE "/%zu", i);
		snprintf(s->upper, sizeof s->upper, BOX_STAGE "/u%zu", i);
		snprintf(s->work, sizeof s->work, BOX_STAGE "/w%zu", i);
		for (size_t part = 0; part < ARRAY_SIZE(s->mapped); part++)
			snprintf(s->mapped[part], sizeof s->mapped[part], BOX_STAGE "/m%zu.%zu", i, part);
	}
}

const char *box_source(const struct box *box, size_t i)
{
	return box->stage ? box->sources[i].staged : box->sources[i].paths[BOX_SOURCE];
}

/* "ID ID 1": it stays what it is, and there is no other. */
static void box_put_map(char *at, unsigned long id)
{
	at = stpcpy(raw_put_number(at, id), " ");
	stpcpy(raw_put_number(at, id), " 1");
}

static int box_map_ids(uid_t uid, gid_t gid)
{
	char uids[64], gids[64];
	box_put_map(uids, uid);
	box_put_map(gids, gid);
	if (raw_write("/proc/self/setgroups", "deny") < 0 || raw_write("/proc/self/uid_map", uids) < 0)
		return -1;
	return raw_write("/proc/self/gid_map", gids);
}

static int box_stage_bind(const struct box_source *s)
{
	char from[48] = "/proc/self/fd/";
	raw_put_number(from + strlen(from), (unsigned long)s->fds[BOX_SOURCE]);
	if (s->is_dir) {
		if (mkdir(s->staged, 0755) < 0)
			return -1;
	} else {
		int file = open(s->staged, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (file < 0)
			return -1;
		close(file);
	}
	return mount(from, s->staged, NULL, MS_BIND | MS_REC, NULL);
}

/* Append `name`, then the path, or else the open directory. Returns the new end. */
static char *box_put_option(char *at, const char *name, const char *path, int fd)
{
	at = stpcpy(at, name);
	if (path)
		return stpcpy(at, path);
	return raw_put_number(stpcpy(at, "/proc/self/fd/"), (unsigned long)fd);
}

static int box_stage_overlay(const struct box *box, const struct box_source *s)
{
	char options[256], *at = options;
	struct stat st;
	bool is_kept = s->paths[BOX_UPPER];
	at = box_put_option(at, "upperdir=", is_kept ? NULL : s->upper, s->fds[BOX_UPPER]);
	at = box_put_option(at, ",workdir=", is_kept ? NULL : s->work, s->fds[BOX_WORK]);
	at = stpcpy(at, box->drop ? "" : ",userxattr");
	at = box_put_option(at, ",lowerdir=", NULL, s->fds[BOX_SOURCE]);
	for (size_t part = BOX_BENEATH; part <= BOX_LOWEST; part++)
		if (s->paths[part])
			at = box_put_option(at, ":", NULL, s->fds[part]);
	if (fstat(s->fds[BOX_SOURCE], &st) < 0 || mkdir(s->staged, 0755) < 0)
		return -1;
	if (!is_kept &&
		(mkdir(s->upper, 0755) < 0 || mkdir(s->work, 0755) < 0 ||
			chmod(s->upper, st.st_mode & 0777) < 0 ||
			(box->drop && chown(s->upper, box->drop_uid, box->drop_gid) < 0)))
		return -1;
	return mount("overlay", s->staged, "overlay", MS_NOSUID | MS_NODEV, options);
}

static int box_open_parts(struct box_source *s)
{
	for (size_t i = 0; i < BOX_PARTS; i++) {
		s->fds[i] = s->paths[i] ? open(s->paths[i], O_PATH | O_CLOEXEC) : -1;
		if (s->paths[i] && s->fds[i] < 0)
			return -1;
	}
	return 0;
}

/* Root's files would be read-only for programs: they get them as their own, where the kernel can
 * do that. */
static void box_map_parts(const struct box *box, struct box_source *s, int *users)
{
	for (size_t part = 0; part < ARRAY_SIZE(s->mapped); part++) {
		struct stat st;
		if (s->fds[part] < 0 || fstat(s->fds[part], &st) < 0 || st.st_uid != 0)
			continue;
		if (*users < 0)
			*users = idmap_open(box->drop_uid, box->drop_gid);
		int mapped = *users < 0 ? -1 : idmap_show(s->fds[part], *users, s->mapped[part]);
		if (mapped < 0)
			continue;
		close(s->fds[part]);
		s->fds[part] = mapped;
	}
}

/* Directories are opened first, because the stage hides what lies below it. */
static int box_stage(struct box *box, const char **what)
{
	int users = -1; /* closed by exec */
	*what = "open what is to be mounted";
	for (size_t i = 0; i < box->n; i++)
		if (box_open_parts(&box->sources[i]) < 0)
			return -1;
	*what = "mount a tmpfs";
	if (mount("tmpfs", BOX_STAGE, "tmpfs", MS_NOSUID | MS_NODEV, STAGE_OPTIONS) < 0)
		return -1;
	*what = "make the root of a box";
	if (box_root_make(box) < 0)
		return -1;
	for (size_t i = 0; i < box->n; i++) {
		struct box_source *s = &box->sources[i];
		if (s->is_overlay && box->drop)
			box_map_parts(box, s, &users);
		*what = s->is_overlay ? "mount an overlay" : "bind a mount";
		if ((s->is_overlay ? box_stage_overlay(box, s) : box_stage_bind(s)) < 0)
			return -1;
		for (size_t part = 0; part < BOX_PARTS; part++)
			if (s->fds[part] >= 0)
				close(s->fds[part]);
	}
	return 0;
}

static int box_limit(int resource, rlim_t most)
{
	struct rlimit now;
	if (getrlimit((__rlimit_resource_t)resource, &now) < 0)
		return -1;
	if (now.rlim_max < most)
		most = now.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &(struct rlimit){most, most});
}

/* In the stage's user namespace the box has its own count of these. */
static int box_set_own_limits(const struct box *box)
{
	/* In a container /proc/sys may be read-only; then the container's limit applies. */
	(void)raw_write("/proc/sys/user/max_inotify_instances", INOTIFY_INSTANCES);
	return box->processes ? box_limit(RLIMIT_NPROC, (rlim_t)box->processes) : 0;
}

static int box_set_limits(void)
{
	if (box_limit(RLIMIT_CORE, 0) < 0 || box_limit(RLIMIT_NOFILE, OPEN_FILES) < 0)
		return -1;
	if (box_limit(RLIMIT_FSIZE, LARGEST_FILE) < 0 || box_limit(RLIMIT_MEMLOCK, LOCKED_MEMORY) < 0)
		return -1;
	if (box_limit(RLIMIT_NICE, 0) < 0 || box_limit(RLIMIT_RTPRIO, 0) < 0)
		return -1;
	return box_limit(RLIMIT_MSGQUEUE, 0);
}

/* Past the library, which would have all threads of this memory do the same: they are rondo's. */
static int box_become(uid_t uid, gid_t gid)
{
#ifdef SYS_setresuid32 /* else it takes ids of 16 bits there */
	enum { SETGROUPS = SYS_setgroups32, SETRESGID = SYS_setresgid32, SETRESUID = SYS_setresuid32 };
#else
	enum { SETGROUPS = SYS_setgroups, SETRESGID = SYS_setresgid, SETRESUID = SYS_setresuid };
#endif
	if (syscall(SETGROUPS, 0, NULL) < 0 || syscall(SETRESGID, gid, gid, gid) < 0)
		return -1;
	return (int)syscall(SETRESUID, uid, uid, uid);
}

/* In a user namespace of the user's whose programs run. Until it is made, capabilities are kept,
 * since not everybody may make one; and root's fsuid opens /proc/self, which is root's then. */
static int box_give_up_root(const struct box *box)
{
	(void)prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP);
	if (box_become(box->drop_uid, box->drop_gid) < 0)
		return -1;
	setfsuid(0);
	if (unshare(CLONE_NEWUSER) < 0 || box_map_ids(box->drop_uid, box->drop_gid) < 0)
		return -1;
	setfsuid(box->drop_uid);
	return 0;
}

/* An ordinary user may only mount in a user namespace. */
static int box_make_namespaces(const struct box *box, const char **what)
{
	*what = "make a mount namespace";
	if (unshare(CLONE_NEWNS | (box->drop ? 0 : CLONE_NEWUSER)) < 0)
		return -1;
	*what = "map the user into a namespace";
	if (!box->drop && box_map_ids(box->uid, box->gid) < 0)
		return -1;
	*what = "make mounts private";
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

int box_enter(void *payload, const char **what)
{
	struct box *box = payload;
	/* If memory runs short, the kernel kills programs of the box first. */
	(void)raw_write("/proc/self/oom_score_adj", "1000");
	if (box->stage && (box_make_namespaces(box, what) < 0 || box_stage(box, what) < 0))
		return -1;
	*what = "give up root";
	if (box->drop && box_give_up_root(box) < 0)
		return -1;
	*what = "set resource limits";
	if (box->stage && box_set_own_limits(box) < 0)
		return -1;
	return box_set_limits();
}
