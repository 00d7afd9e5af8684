/*
 * Files below a directory in which programs that rondo does not trust may write: reached one name
 * at a time, never through a link, upwards or by an absolute path. `root` is an open directory,
 * paths are relative to it. A function that opens gives a descriptor, or -1 with errno.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Open what `path` names, which is no link either. It is closed on exec. */
int beneath_open(int root, const char *path, int flags);

/* Open the directory that `path` lies in. Its last name need not be there. */
int beneath_open_parent(int root, const char *path);

/* How directories are made where they are missing. */
struct beneath_dirs {
	mode_t mode; /* less the umask, unless it is exact */
	bool exact_mode;
	bool own; /* they belong to uid and gid */
	uid_t uid;
	gid_t gid;
	size_t made; /* set: directories beyond this length of the path are new; 0: none is */
};

/* As beneath_open_parent; directories that are not there are made. */
int beneath_make_parent(int root, const char *path, struct beneath_dirs *dirs);

/* Why a link at `path` may not stay below the root: "a link that FAULT" (static). NULL: it stays,
 * whatever other links there are, provided that each of those stays. The target is taken as text:
 * beneath_leads_out finds a link that leads into one that leads out already. */
const char *beneath_link_fault(const char *path, const char *target);

/* Whether `path` leads out of the root now, with all links on its way followed. What leads nowhere
 * does not. */
bool beneath_leads_out(int root, const char *path);
