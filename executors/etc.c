/*
 * One directory of rondo's own instead of one mount per file, because each mount costs bubblewrap
 * time. Directories with hundreds of links are mounted, because copying them for each run costs
 * more.
 */
#include "executors/host.h"

#include <glob.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

/* Patterns of glob(3); missing ones are skipped. */
static const char *const mounted[] = {"/etc/alternatives", "/etc/ssl/certs", "/etc/fonts",
	"/etc/java-*"};

static const char *const copied[] = {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	"/etc/localtime", "/etc/timezone", "/etc/ca-certificates", "/etc/pki",
	"/etc/maven", "/etc/mime.types", "/etc/protocols", "/etc/services",
	"/etc/python3*", "/etc/matplotlibrc", "/etc/perl", "/etc/php", "/etc/debian_version",
	"/etc/os-release"};

static const char *etc_place(struct host *host, const char *dir, const char *path)
{
	return arena_printf(host->arena, "%s%s", dir, path + strlen("/etc"));
}

static int etc_write_own_files(struct host *host, const char *dir, bool network,
	struct rondo_error *err)
{
	const char *const files[][2] = {
		{"/etc/passwd",
			"root:x:0:0::/:/bin/sh\nagent:x:1000:1000::" WORLD_HOME ":/bin/sh\n"
			"worker:x:1001:1001::" WORLD_OTHER_HOME ":/bin/sh\n"},
		{"/etc/group", "root:x:0:\nagent:x:1000:\nworker:x:1001:\n"},
		{"/etc/nsswitch.conf", network ? "passwd: files\ngroup: files\nhosts: files dns\n"
						  : "passwd: files\ngroup: files\nhosts: files\n"},
		{"/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (file_create(etc_place(host, dir, files[i][0]), files[i][1], strlen(files[i][1]),
			    0644, err) < 0)
			return -1;
	return 0;
}

/* /etc/java-17 -> DIR/java-17. Files that this user may not read are left out. */
static int etc_copy(struct host *host, const char *dir, const char *path, struct rondo_error *err)
{
	struct rondo_error unreadable;
	if (file_copy_tree(path, etc_place(host, dir, path), &unreadable) < 0 &&
		unreadable.code == RONDO_ERROR_TRANSIENT) {
		*err = unreadable;
		return -1;
	}
	return 0;
}

/* Copy the text of a file that is often a link into /run. */
static int etc_copy_text(struct host *host, const char *dir, const char *path,
	struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (!file_exists(path))
		return 0;
	if (file_read(path, STRBUF_LINE, &text, err) < 0)
		return -1;
	return file_create(etc_place(host, dir, path), text.text, text.length, 0644, err);
}

static int etc_show_directory(struct host *host, const char *dir, const char *path,
	struct rondo_error *err)
{
	if (!file_is_dir(path))
		return 0;
	if (file_make_dir(etc_place(host, dir, path), 0755, err) < 0)
		return -1;
	const char *kept = arena_strdup(host->arena, path);
	host_mount_within(host, kept, kept, MOUNT_READ_ONLY, "system");
	return 0;
}

/* Call `show` for each file that matches one of the patterns. */
static int etc_each(struct host *host, const char *dir, const char *const *patterns, size_t n,
	int (*show)(struct host *host, const char *dir, const char *path, struct rondo_error *err),
	struct rondo_error *err)
{
	for (size_t i = 0; i < n; i++) {
		glob_t found;
		int status = 0;
		if (glob(patterns[i], 0, NULL, &found) == 0)
			for (size_t j = 0; status == 0 && j < found.gl_pathc; j++)
				status = show(host, dir, found.gl_pathv[j], err);
		globfree(&found);
		if (status < 0)
			return -1;
	}
	return 0;
}

int etc_show(struct host *host, const char *dir, bool network, struct rondo_error *err)
{
	if (etc_write_own_files(host, dir, network, err) < 0 ||
		etc_each(host, dir, copied, ARRAY_SIZE(copied), etc_copy, err) < 0)
		return -1;
	if (network && etc_copy_text(host, dir, "/etc/resolv.conf", err) < 0)
		return -1;
	host_mount(host, dir, "/etc", MOUNT_READ_ONLY, "system");
	return etc_each(host, dir, mounted, ARRAY_SIZE(mounted), etc_show_directory, err);
}
