#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

enum { MOST_RENAMES = 1000 }; /* during one look */

static int beneath_enter(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool beneath_is_up(const char *name, size_t n)
{
	return n == 2 && memcmp(name, "..", 2) == 0;
}

static bool beneath_goes_up(const char *path)
{
	for (const char *name = path;; name++) {
		size_t n = strcspn(name, "/");
		if (beneath_is_up(name, n))
			return true;
		name += n;
		if (!*name)
			return false;
	}
}

static int beneath_make_dir(int dir, const char *name, size_t length, struct beneath_dirs *dirs)
{
	if (mkdirat(dir, name, dirs->mode) < 0) /* somebody else may be faster */
		return errno == EEXIST ? beneath_enter(dir, name) : -1;
	if (!dirs->made)
		dirs->made = length;
	AUTO_CLOSE made = beneath_enter(dir, name);
	if (made < 0 || (dirs->exact_mode && fchmod(made, dirs->mode) < 0) ||
		(dirs->own && fchown(made, dirs->uid, dirs->gid) < 0))
		return -1;
	return STEAL_FD(&made);
}

int beneath_make_parent(int root, const char *path, struct beneath_dirs *dirs)
{
	AUTO_FREE char *copy = memory_strdup(path);
	if (*path == '/' || beneath_goes_up(path)) {
		errno = EXDEV;
		return -1;
	}
	int dir = beneath_enter(root, ".");
	for (char *name = copy, *slash; dir >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		*slash = '\0';
		int next = beneath_enter(dir, *name ? name : ".");
		if (next < 0 && errno == ENOENT && dirs)
			next = beneath_make_dir(dir, name, (size_t)(slash - copy), dirs);
		int saved = errno;
		close(dir);
		errno = saved;
		dir = next;
	}
	return dir;
}

int beneath_open_parent(int root, const char *path)
{
	return beneath_make_parent(root, path, NULL);
}

int beneath_open(int root, const char *path, int flags)
{
	AUTO_CLOSE parent = beneath_open_parent(root, path);
	if (parent < 0)
		return -1;
	const char *name = file_name(path);
	return openat(parent, *name ? name : ".", flags | O_NOFOLLOW | O_CLOEXEC);
}

const char *beneath_link_fault(const char *path, const char *target)
{
	int depth = 0;
	bool named = false, climbs = false;
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++)
		depth++;
	for (const char *part = target; *part && depth >= 0;) {
		size_t n = strcspn(part, "/");
		bool is_name = n && !beneath_is_up(part, n) && !(n == 1 && *part == '.');
		climbs |= named && beneath_is_up(part, n);
		named |= is_name;
		depth += is_name ? 1 : beneath_is_up(part, n) ? -1 : 0;
		part += n + (part[n] == '/');
	}
	if (!*target || *target == '/' || depth < 0)
		return "leads out of the tree";
	return climbs ? "goes up after a name, which may be a link itself" : NULL;
}

bool beneath_leads_out(int root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
	for (int i = 0; i < MOST_RENAMES; i++) {
		AUTO_CLOSE fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
		if (fd >= 0 || errno != EAGAIN) /* a rename elsewhere, which may have been on the way */
			return fd < 0 && errno == EXDEV;
	}
	return true;
}
