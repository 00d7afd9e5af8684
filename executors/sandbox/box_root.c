/*
 * The root of a box, with all that does not depend on the command. bubblewrap would look at the
 * whole list of mounts for each of these; so it gets them as one.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "executors/sandbox/box.h"

/* For bwrap, which makes further mount points in it. */
static int box_root_own(const struct box *box, const char *path)
{
	return box->drop ? chown(path, box->drop_uid, box->drop_gid) : 0;
}

static int box_root_make_dir(const struct box *box, const char *path, mode_t mode)
{
	return mkdir(path, mode) < 0 && errno != EEXIST ? -1 : box_root_own(box, path);
}

/* Make a directory of the root, whose path in the box is absolute, with those above it. */
static int box_root_make_path(const struct box *box, const char *inside, char *path, size_t size)
{
	if (strlen(BOX_ROOT) + strlen(inside) >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	stpcpy(stpcpy(path, BOX_ROOT), inside);
	for (char *slash = path + strlen(BOX_ROOT "/"); (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		int status = box_root_make_dir(box, path, 0755);
		*slash = '/';
		if (status < 0)
			return -1;
	}
	return box_root_make_dir(box, path, 0755);
}

/* In one tmpfs, which has limits; the root is read-only later. */
static int box_root_add_scratches(const struct box *box)
{
	const struct {
		const char *kept, *inside;
		mode_t mode;
	} scratches[] = {{BOX_STAGE "/tmp", "/tmp", 01777}, {BOX_STAGE "/shm", "/dev/shm", 01777},
		{BOX_STAGE "/home", box->home, 0755}, {BOX_STAGE "/run", "/run", 0755}};
	char path[PATH_MAX];
	for (size_t i = 0; i < ARRAY_SIZE(scratches); i++)
		if (box_root_make_dir(box, scratches[i].kept, scratches[i].mode) < 0 ||
			box_root_make_path(box, scratches[i].inside, path, sizeof path) < 0 ||
			mount(scratches[i].kept, path, NULL, MS_BIND, NULL) < 0)
			return -1;
	return 0;
}

static int box_root_add_device(const char *from, const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
	if (file < 0)
		return -1;
	close(file);
	return mount(from, path, NULL, MS_BIND, NULL);
}

/* The same as by --dev of bwrap. */
static int box_root_add_devices(const struct box *box)
{
	static const char *const devices[][2] = {{"/dev/null", BOX_ROOT "/dev/null"},
		{"/dev/zero", BOX_ROOT "/dev/zero"}, {"/dev/full", BOX_ROOT "/dev/full"},
		{"/dev/random", BOX_ROOT "/dev/random"}, {"/dev/urandom", BOX_ROOT "/dev/urandom"},
		{"/dev/tty", BOX_ROOT "/dev/tty"}};
	static const char *const links[][2] = {{"/proc/self/fd", BOX_ROOT "/dev/fd"},
		{"/proc/self/fd/0", BOX_ROOT "/dev/stdin"}, {"/proc/self/fd/1", BOX_ROOT "/dev/stdout"},
		{"/proc/self/fd/2", BOX_ROOT "/dev/stderr"}, {"/proc/kcore", BOX_ROOT "/dev/core"},
		{"pts/ptmx", BOX_ROOT "/dev/ptmx"}};
	if (box_root_make_dir(box, BOX_ROOT "/dev", 0755) < 0 ||
		box_root_make_dir(box, BOX_ROOT "/dev/pts", 0755) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		if (box_root_add_device(devices[i][0], devices[i][1]) < 0)
			return -1;
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (symlink(links[i][0], links[i][1]) < 0)
			return -1;
	return mount("devpts", BOX_ROOT "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
		"newinstance,ptmxmode=0666,mode=620");
}

int box_root_make(const struct box *box)
{
	mode_t was = umask(0);
	int status = box_root_make_dir(box, BOX_ROOT, 0755) < 0 || box_root_add_devices(box) < 0 ||
			box_root_add_scratches(box) < 0
		? -1
		: 0;
	umask(was);
	return status;
}
