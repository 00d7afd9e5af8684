/* Files and trees on the user's disk. Paths are borrowed; errors name them. */
#pragma once
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

/* Append a whole file. One that is larger than `limit` bytes is an error. */
int file_read(const char *path, size_t limit, struct strbuf *sb, struct rondo_error *err);

/* The same of a descriptor, which errors call so. */
int file_read_fd(
	int fd, const char *name, size_t limit, struct strbuf *sb, struct rondo_error *err);

/* read(2), begun anew where a signal cuts it off. */
ssize_t file_read_some(int fd, void *bytes, size_t size);

/* Replace or create a file at once: readers see the old or the new whole text, also after a
 * crash. */
int file_write(const char *path, const void *bytes, size_t n, mode_t mode, struct rondo_error *err);

/* Create a file that must not exist. It does not wait for the disk: for what lives as long as a
 * run. */
int file_create(
	const char *path, const void *bytes, size_t n, mode_t mode, struct rondo_error *err);

/* Force a file or a directory to disk. */
int file_sync(const char *path, struct rondo_error *err);

/* Force the directory that `path` lies in to disk: that there is a file of that name. */
int file_sync_name(const char *path, struct rondo_error *err);

/* Force the directories above `path` to disk, up to and including `top`, which is one of them. */
int file_sync_up(const char *path, const char *top, struct rondo_error *err);

/* Write all bytes to a descriptor. 0, or -1 with errno. */
int file_write_all(int fd, const void *bytes, size_t n);

/* Be the only one with flock(2) on a descriptor; wait so long for another one to let go. 0, or -1
 * with errno. */
int file_lock(int fd, int64_t wait_ms);

/* Whether a path still names the file that is open. */
bool file_is_at(int fd, const char *path);

/* Make a directory and those above it. Existing ones are fine. */
int file_make_dir(const char *path, mode_t mode, struct rondo_error *err);

/* Remove a file or a whole tree without following links, also one made hard to remove
 * (no permissions, deeper than PATH_MAX). What is not there is fine. */
int file_remove_tree(const char *path, struct rondo_error *err);

/* Copy a tree (or file) with modes and links, by reflink where the file system can; owners as they
 * come to be. What is neither file, directory nor link is left out. A tree of more than 1000 levels
 * is an error. */
int file_copy_tree(const char *from, const char *to, struct rondo_error *err);

/* The files below a directory whose paths match a glob (NULL: all), relative to it, sorted; in the
 * arena. Links are not followed, .git and node_modules not entered, at most 100,000 files told. */
int file_find(const char *dir, const char *glob, struct arena *arena, const char ***ret_paths,
	size_t *ret_n, struct rondo_error *err);

/* Open a directory, which is no link, in another one (AT_FDCWD: the working directory). NULL with
 * errno. */
DIR *file_open_dir(int at, const char *name);

/* The next name in a directory but for "." and ".."; NULL after the last. */
const char *file_next_name(DIR *dir);

/* Give a tree to a user and group, links themselves included, never what they point at; what lies
 * deeper than 1000 levels stays whose it is. */
int file_own_tree(const char *path, uid_t uid, gid_t gid, struct rondo_error *err);

bool file_exists(const char *path);
bool file_is_dir(const char *path);

/* The bytes of all files below a directory, as far as 1000 levels down. */
uint64_t file_tree_size(const char *path);

/* `path` made absolute, links resolved; in the arena. NULL with err set where it does not exist. */
const char *file_real_path(struct arena *arena, const char *path, struct rondo_error *err);

/* `path` made absolute as text, from where the program stands; in the arena. NULL of NULL. */
const char *file_absolute(struct arena *arena, const char *path);

/* The first executable called `name` in a colon-separated search path; in the arena, or NULL.
 * A name with a slash is looked up as it is. */
const char *file_search(struct arena *arena, const char *path, const char *name);

/* Whether `path` is `dir` or lies below it, compared as text. */
bool file_is_below(const char *path, const char *dir);

/* The part after the last slash, and the part after the last dot of that ("" where there is
 * none). */
const char *file_name(const char *path);
const char *file_suffix(const char *path);
