/* Whether the disk has room for the checkouts of a run. They are made of what may be gigabytes. */
#include <sys/statvfs.h>

#include "base/memory.h"
#include "run/site/site.h"
#include "run/stages.h"

enum {
	/* The main checkout, the first one for tests, what the sandbox shows as .git, and the gate's,
	 * which is at another path. Further ones for tests link the first one's files. */
	COPIES = 4,
};
#define WORTH_TELLING ((uint64_t)1 << 30) /* bytes; the disk is asked for so many */

static double site_gigabytes(uint64_t n)
{
	return (double)n / 1e9;
}

int site_check_space(const struct site *site, const struct run_env *env, struct rondo_error *err)
{
	struct statvfs st;
	uint64_t n = site->base.n_bytes, needed = COPIES * n;
	if (n < WORTH_TELLING || statvfs(env->paths.work, &st) < 0)
		return 0;
	uint64_t left = (uint64_t)st.f_bavail * st.f_frsize;
	if (left >= needed)
		return 0;
	error_set(err, RONDO_ERROR_TRANSIENT,
		"the files have %.1f GB, and checkouts of them take %.1f GB: the disk of '%s' has %.1f GB "
		"left",
		site_gigabytes(n), site_gigabytes(needed), env->paths.work, site_gigabytes(left));
	return error_help(err, "XDG_CACHE_HOME=DIR names a directory on a larger disk");
}

int site_tell_space(const struct site *site, const struct run_env *env, struct rondo_error *err)
{
	uint64_t n = site->base.n_bytes;
	if (n < WORTH_TELLING || env->order->dry_run)
		return 0;
	return env_notice(env, err,
		"the files have %.1f GB: until the run ends, checkouts of them take up to %.1f GB",
		site_gigabytes(n), site_gigabytes(COPIES * n));
}
