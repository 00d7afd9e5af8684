/* A directory read as a tree. Included only in this folder. */
#pragma once
#include <dirent.h>

#include "worktree/internal.h"

/* The entry of a path, made where there is none. */
struct known_file *known_add(struct known_files *files, const char *path);
void known_set(struct known_file *file, const git_oid *id, uint32_t mode, const struct stat *st,
	int64_t stamp_ns);

/* Whether the file is surely the one that was looked at. */
bool known_is_fresh(const struct known_file *file, const struct stat *st);
void known_release(struct known_files *files);

/* The time as the kernel stamps files with it, and the stamps of a file. */
int64_t time_of_files_ns(void);
int64_t stat_mtime_ns(const struct stat *st);
int64_t stat_ctime_ns(const struct stat *st);

/* In bytes, of what code under test has written. */
#define LARGEST_FILE ((int64_t)64 << 20)

struct scan {
	struct store *store;
	struct known_files *known;
	struct arena *arena;        /* takes notes and borrowed */
	const char *const *drivers; /* names of the filter programs that the user configured */
	size_t n_drivers;
	const char *const *leave_out;
	size_t n_leave_out;
	git_index *index; /* the user's, or NULL */
	bool hostile;     /* the directory is rondo's, and code under test has written in it */
	bool sparse;      /* an absent file may only be out of the sparse checkout */
	bool filemode;
	int64_t stamp_ns; /* when the scan began */
	/* what was found */
	size_t n_modified, n_untracked, n_deleted;
	uint64_t n_bytes;   /* of all files that count */
	const char **notes; /* what was left out or is special, and why */
	size_t n_notes;
	const char **borrowed; /* what only the user's checkout has */
	size_t n_borrowed;
	size_t n_filtered; /* files that are what a filter program made of them, such as `driver` */
	const char *driver;
	size_t n_absent; /* submodules that are not checked out, such as `absent` */
	const char *absent;
	/* while it runs */
	int root; /* where the directory is open */
	struct strbuf path;
	struct arena names;
	int depth;
};

/* The tree that a directory holds, where `tracked` is the tree it was made from. */
int scan_directory(
	struct scan *scan, int fd, const git_tree *tracked, git_oid *ret_tree, struct rondo_error *err);
void scan_release(struct scan *scan);

/* The blob that a file or link is, filters applied; written. */
int scan_blob(struct store *store, int dir, const char *name, const char *path,
	const struct stat *st, git_oid *ret_id, struct rondo_error *err);

/* Whether a file with this blob is what a tree has as the entry (NULL: nothing). `mode`: whether
 * being a program counts, too. */
bool tree_has(const git_tree_entry *entry, const git_oid *id, const struct stat *st, bool mode);

/* One directory on the way; its `dir` is NULL where only the tracked tree has it. */
struct level {
	DIR *dir;
	const git_tree *tracked;
	const char **names;
	size_t n;
	struct tree_items items;
	bool ignored; /* git ignores it: only what is tracked counts */
	bool changed; /* its tree is not `tracked` */
};

/* Note something, or something of the path that is being looked at: "'PATH' FORMAT". */
void scan_say(struct scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
void scan_note(struct scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
void scan_borrow(struct scan *scan);

void scan_put(
	struct scan *scan, struct level *level, const char *name, const git_oid *id, uint32_t mode);

/* Leave an entry as the tracked tree has it, which may be absent (NULL). Gives 0. */
int scan_keep(struct scan *scan, struct level *level, const git_tree_entry *was);

/* Whether git ignores what is at the path. */
int scan_is_ignored(struct scan *scan, const struct level *level, bool directory, bool *ret_ignored,
	struct rondo_error *err);

/* Look at what is no directory. `was`: the tracked file of that name, or NULL. */
int scan_file(struct scan *scan, struct level *level, const char *name, const git_tree_entry *was,
	const struct stat *st, struct rondo_error *err);

struct worktree {
	struct repository *repository;
	struct store store;
	struct known_files known; /* all that was written here, or was in a tree of it */
	char *dir;
	int fd;
	struct object tree; /* the last one checked out */
	bool owned;
	uid_t uid;
	gid_t gid;
	int64_t last_mtime_ns;
	unsigned round;         /* counts checkouts */
	struct worktree *other; /* has files to link, during the first checkout; or NULL */
};

/* A time for a changed file: beyond all that were given here, and in another second than its old
 * one. */
int64_t worktree_next_time(struct worktree *worktree, int64_t old_mtime_ns);

/* --- write.c --- */

/* Write files whose `path`, `id`, `mode` and `mtime_ns` (0: now) are set where nothing is yet, and
 * look at them. The error is that of the first one that cannot be written. */
int worktree_write(
	struct worktree *worktree, struct known_file **files, size_t n, struct rondo_error *err);

/* Give what was made to the user that the files of the worktree belong to. 0, or -1 with errno. */
int worktree_give(const struct worktree *worktree, int dir, const char *name);
