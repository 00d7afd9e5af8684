/*
 * Git, all of it, and the only place that includes <git2.h>.
 *
 * A `repository` is the user's, opened to be read: HEAD, index, files, stash, hooks and config are
 * never written. What rondo makes (snapshots, trees, commits) goes into a private object store in
 * rondo's cache that borrows the user's objects; only repository_publish writes to the user's
 * repository, and only new objects and one new ref.
 *
 * A `worktree` is rondo's own checkout of a tree in a directory of rondo's, without any `.git`.
 * Trees and commits are named by their 40 hexadecimal digits. Paths are the bytes that git has,
 * which need not be UTF-8: who shows one scrubs it. Notes and refusals are text.
 *
 * A repository is used by one thread at a time. Its worktrees are made by that thread; then each
 * may be used by a thread of its own.
 */
#pragma once
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "chat/edit.h"
#include "chat/past.h"

#define OBJECT_SIZE 41

struct object {
	char hex[OBJECT_SIZE];
};

struct repository;

/* Open the repository that holds `dir`, with `private_dir` (made; it must not exist) for what rondo
 * makes. Errors, each with the command that mends it: not a repository, bare, SHA-256, foreign
 * owner. */
int repository_open(const char *dir, const char *private_dir, struct repository **ret_repository,
	struct rondo_error *err);

/* A private repository that holds one file, or all below a directory, of no repository. Its root is
 * the file's directory; nothing is ever published. */
int repository_open_files(const char *path, const char *private_dir,
	struct repository **ret_repository, struct rondo_error *err);

/* One more handle on the same two repositories, for another thread: both may be used at the same
 * time. What one of them has written the other one finds. `number`, from 1, is no other handle's.
 * It is opened while nobody uses `other`, which must outlive it. */
int repository_open_beside(struct repository *other, unsigned number,
	struct repository **ret_repository, struct rondo_error *err);

void repository_close(struct repository *repository);

static inline void repository_auto_close(struct repository **repository)
{
	repository_close(*repository);
}
#define AUTO_REPOSITORY __attribute__((cleanup(repository_auto_close))) struct repository

/* The root of the user's checkout, absolute, without a slash at the end; borrowed. */
const char *repository_root(const struct repository *repository);

/* Where its objects and branches are kept, links resolved, which a file .git may put anywhere; in
 * the arena. */
const char *repository_data(const struct repository *repository, struct arena *arena);

/* Libgit2's version, such as "1.5.1"; static. */
const char *repository_library_version(void);

enum base_mode {
	BASE_SNAPSHOT, /* HEAD and the uncommitted work */
	BASE_HEAD,     /* HEAD alone */
	BASE_REFUSE,   /* an error where there is uncommitted work */
};

/* What a run starts from. Strings in the arena given to repository_base. */
struct base {
	struct object commit; /* HEAD, or the snapshot commit on top of it */
	struct object tree;
	struct object head;
	bool is_snapshot;
	const char *branch; /* HEAD's branch, such as "main"; NULL where HEAD is detached */
	/* The uncommitted work, also where it is left out. */
	size_t n_modified, n_untracked, n_deleted;
	uint64_t n_bytes; /* of the checkout's files that are not ignored; 0: it was not looked at */
	/* What the user should be told: submodules, LFS files, a sparse checkout ... */
	const char **notes;
	size_t n_notes;
	/* Paths whose checked-out content is to be mounted: submodules, LFS files. */
	const char **borrowed;
	size_t n_borrowed;
};

int repository_base(struct repository *repository, enum base_mode mode, struct arena *arena,
	struct base *base, struct rondo_error *err);

/* The first parent of a commit, and that one's tree. False in *ret_found: it has none, or the
 * repository is shallow. */
int repository_parent(struct repository *repository, const struct object *commit,
	struct object *ret_commit, struct object *ret_tree, bool *ret_found, struct rondo_error *err);

/* The base that a commit is, whatever is checked out. */
int repository_base_at(struct repository *repository, const struct object *commit,
	struct arena *arena, struct base *ret_base, struct rondo_error *err);

/* Put a patch on top of a base, as repository_patch_tree reads it. */
int repository_base_patch(struct repository *repository, const char *patch, size_t n,
	struct base *base, struct rondo_error *err);

/* The best common ancestor of two commits. An error where they have none. */
int repository_merge_base(struct repository *repository, const struct object *a,
	const struct object *b, struct object *ret_commit, struct rondo_error *err);

/* In new checkouts, only files that are as in this tree keep the times that they have in the
 * user's: builds then see that others have changed, also where the user's files are judged. */
int repository_date_by(
	struct repository *repository, const struct object *tree, struct rondo_error *err);

/* The tree with a patch: as git prints it (also binary, also of git format-patch, one mail or
 * several), or as diff -u does. All of it or nothing; an error names the file that it does not fit.
 * Ends of lines may be CR LF where the file's are not. */
int repository_patch_tree(struct repository *repository, const struct object *tree,
	const char *patch, size_t n, struct object *ret_tree, struct rondo_error *err);

/* Give the text of a file as it is now; false: what it was does not matter. */
typedef bool past_read(void *owner, const char *path, struct past_text *ret_text);

/* What texts were before. Looked at are the uncommitted work and at most `most` commits, HEAD and
 * its first parents, of these only those that `since` (may be NULL) has not. `read` is asked for
 * each file that one of them changed. What cannot be read is left out. In the arena. */
void repository_past(struct repository *repository, const struct base *base,
	const struct object *since, size_t most, past_read *read, void *owner, struct arena *arena,
	struct past *ret_past);

/* The commit that a revision of the user's names: a branch, a tag, HEAD~3 ... */
int repository_find_commit(struct repository *repository, const char *revision,
	struct object *ret_commit, struct rondo_error *err);

/* The paths of files that are not the same in two trees, sorted; in the arena. No file is read. */
int repository_changed_paths(struct repository *repository, const struct object *from,
	const struct object *to, struct arena *arena, const char ***ret_paths, size_t *ret_n,
	struct rondo_error *err);

/* Whether refs/heads/<name> could be made now. Errors: not a valid name, there already, or blocked
 * by another branch (`rondo` blocks `rondo/x`), each with the command that mends it. */
int repository_check_branch(
	struct repository *repository, const char *name, struct rondo_error *err);

/* What the suite needs of the checkout and is in no tree, relative to the root: directories and
 * files of the given names (node_modules, .venv, .pnp.cjs ...) beside tracked files at any depth,
 * and `extra` paths. Of these names, git has to ignore those that are not always dependencies. A
 * link is taken only if it leads to one that always is. A name with a star is a glob of ignored
 * files; then virtual environments of any name are found, too. An extra path that leaves the
 * checkout, also through a link, is an error. */
int repository_dependencies(struct repository *repository, const struct base *base,
	const char *const *names, size_t n_names, const char *const *extra, size_t n_extra,
	struct arena *arena, const char ***ret_paths, size_t *ret_n, struct rondo_error *err);

/* The paths of a tree's files and links, sorted; in the arena. Submodules are not among them. */
int repository_list(struct repository *repository, const struct object *tree, struct arena *arena,
	const char ***ret_paths, size_t *ret_n, struct rondo_error *err);

/* From now on the .gitignore files of this tree (NULL: of none) count, and none that a program
 * writes. */
void repository_fix_ignores(struct repository *repository, const struct object *tree);

/* A file in the directory that repository_export would replace although it is as neither tree has
 * it. ret_path: its path in the tree, in the arena; NULL: there is none. */
int repository_export_clash(struct repository *repository, const struct object *from,
	const struct object *tree, const char *dir, struct arena *arena, const char **ret_path,
	struct rondo_error *err);

/* Write the files of `tree` that are not the same in `from` into a directory, which is made for
 * the first one: as a checkout would, links and programs too. Files of the same names are replaced.
 * `modes`: a checkout of `tree` whose permissions they get, as far as the umask allows; NULL: a
 * tree only tells programs from other files. They are on disk when this returns. ret_n: how many
 * there are. */
int repository_export(struct repository *repository, const struct object *from,
	const struct object *tree, const char *modes, const char *dir, size_t *ret_n,
	struct rondo_error *err);

/* The bytes of one file of a tree, as a checkout would write them; appended. */
int repository_file(struct repository *repository, const struct object *tree, const char *path,
	struct strbuf *ret_text, struct rondo_error *err);

/* A bare-bones repository at `dir` whose one commit is the base: what code in the sandbox sees as
 * .git. It knows no other commit, no remote, no hook and no configuration of the user's. */
int repository_write_throwaway(struct repository *repository, const struct base *base,
	const char *dir, struct rondo_error *err);

/* What a fix changes. */
enum change_status { CHANGE_ADDED, CHANGE_MODIFIED, CHANGE_DELETED, CHANGE_RENAMED, CHANGE_MODE };

struct change {
	const char *path, *old_path; /* old_path differs only in a rename */
	enum change_status status;
	bool binary;
	size_t added, removed; /* lines */
};

struct diff {
	struct change *changes;
	size_t n;
	const char *patch;   /* as `git diff --binary` prints it: `git apply` takes it */
	size_t patch_length; /* a file that counts as text may hold NULs far after its beginning */
};

/* The difference of two trees; in the arena. Renames are found. A file that becomes a link is two
 * changes. */
int repository_diff(struct repository *repository, const struct object *from,
	const struct object *to, struct arena *arena, struct diff *diff, struct rondo_error *err);

/* A file that is not the same in two trees: its bytes as git has them, followed by a NUL. */
struct file_change {
	const char *path;
	const char *old, *text; /* NULL: not there, or a submodule */
	size_t n_old, n_text;
	/* 0100644, 0100755, 0120000 (a link), 0160000 (a submodule); 0: not there */
	uint32_t old_mode, mode;
};

/* All of them, sorted by path; in the arena. A renamed file is two. */
int repository_changes(struct repository *repository, const struct object *from,
	const struct object *to, struct arena *arena, struct file_change **ret_changes, size_t *ret_n,
	struct rondo_error *err);

/* A run of changed lines: the first ones, from 0, and how many, before and after. */
struct hunk {
	size_t old_first, n_old, first, n;
};

/* Those of a file that is text on both sides; none where it is not, or where its mode changes. */
int file_change_hunks(const struct file_change *change, struct arena *arena,
	struct hunk **ret_hunks, size_t *ret_n, struct rondo_error *err);

/* The tree with other files: each has `text` and `mode`, or goes where it has no text. */
int repository_with_files(struct repository *repository, const struct object *tree,
	const struct file_change *files, size_t n, struct object *ret_tree, struct rondo_error *err);

/* The tree `to`, but with the paths for which `keep` says true as they are in `from` (also absent).
 * It is asked only of paths that differ. */
int repository_merge_tree(struct repository *repository, const struct object *from,
	const struct object *to, bool (*keep)(void *owner, const char *path), void *owner,
	struct object *ret_tree, struct rondo_error *err);

/* Commit `tree` on the base and make refs/heads/<branch> (which must not exist) point at it: HEAD,
 * then the snapshot where there is one, then the fix. Identity from git's configuration, else rondo
 * <rondo@localhost>; the date is SOURCE_DATE_EPOCH, else now; never signed; no hook runs. Objects
 * and ref are on disk when this returns. */
int repository_publish(struct repository *repository, const struct base *base,
	const struct object *tree, const char *branch, const char *message, struct object *ret_commit,
	struct rondo_error *err);

/* Force what a run that was killed has written to the user's repository to disk. That is all of its
 * file system, and can take long. */
int repository_sync(struct repository *repository, struct rondo_error *err);

/* Keep the objects of a tree, but for those that `old` (may be NULL: none) has, and of a commit
 * (may be NULL) in a directory: packs, which repository_take puts into another private repository.
 * They are on disk when this returns. */
int repository_keep(struct repository *repository, const struct object *tree,
	const struct object *old, const struct object *commit, const char *dir,
	struct rondo_error *err);
int repository_take(struct repository *repository, const char *dir, struct rondo_error *err);

/* Keep what the base has beyond the user's own objects; there may be nothing. */
int repository_keep_base(struct repository *repository, const struct base *base, const char *dir,
	struct rondo_error *err);

/* An error where the commit is neither the user's nor was taken. */
int repository_has_commit(
	struct repository *repository, const struct object *commit, struct rondo_error *err);

/* Whether there is a branch of that name whose commit's message holds the line; ret_commit is then
 * that commit. */
bool repository_branch_says(
	struct repository *repository, const char *name, const char *line, struct object *ret_commit);

/* Remove the lock that a run which was killed left of a branch. `line` NULL: the name is that run's
 * alone. Else another program may hold it, and it goes only if it names a commit whose message has
 * the line, or says nothing for a second: who lives writes at once. */
void repository_unlock_branch(struct repository *repository, const char *name, const char *line);

/* Bring the difference of base and tree into the user's files, all of it or nothing: refused, with
 * each of them named, where some are neither as in the base nor as in the tree. Files that are as
 * in the tree are left alone; so after a kill meanwhile, the same again completes it. What
 * somebody writes there at the same time is not lost. Index and HEAD stay. */
int repository_apply(struct repository *repository, const struct base *base,
	const struct object *tree, struct rondo_error *err);

struct worktree;

/* Check `tree` out in `dir` (made; it must not exist). The repository must outlive the worktree. */
int worktree_new(struct repository *repository, const struct object *tree, const char *dir,
	struct worktree **ret_worktree, struct rondo_error *err);

/* The same beside another worktree, with the same owner. Files that are the same there are linked
 * and not written once more. So no program may write to either of them from now on, only rondo. */
int worktree_new_beside(struct worktree *other, const struct object *tree, const char *dir,
	struct worktree **ret_worktree, struct rondo_error *err);

/* Remove the directory and forget it. NULL is fine. */
void worktree_free(struct worktree *worktree);

static inline void worktree_auto_free(struct worktree **worktree)
{
	worktree_free(*worktree);
}
#define AUTO_WORKTREE __attribute__((cleanup(worktree_auto_free))) struct worktree

/* Where it lies, absolute; valid as long as the worktree. */
const char *worktree_dir(const struct worktree *worktree);

/* Files that are made or changed here belong to this user from now on, and all that is there
 * already. */
int worktree_own(struct worktree *worktree, uid_t uid, gid_t gid, struct rondo_error *err);

/* Make the files be those of another tree. Only what is not right is written; what was in the last
 * tree, or in one that worktree_tree gave, or was made by worktree_apply goes; what else lies there
 * stays. */
int worktree_checkout(
	struct worktree *worktree, const struct object *tree, struct rondo_error *err);

/* The tree that the directory holds now: tracked files and new ones that git does not ignore.
 * `leave_out` (dependencies, paths as repository_dependencies gives them) and all that is refused
 * stay as in the checked-out tree: devices, sockets, FIFOs, nested repositories, names that git
 * refuses, links out of the tree, .gitmodules, files above 64 MiB. Never follows a link. */
int worktree_tree(struct worktree *worktree, const char *const *leave_out, size_t n,
	struct arena *arena, struct object *ret_tree, const char ***ret_refused, size_t *ret_n_refused,
	struct rondo_error *err);

/* The bytes of one file as it is now, followed by a NUL; in the arena. NULL where there is
 * none. Never through a link; what is no file, or larger than an edit may be, is an error. */
int worktree_file(struct worktree *worktree, const char *path, struct arena *arena,
	const char **ret_bytes, size_t *ret_n, struct rondo_error *err);

/* Apply an edit to the files. All of it or nothing. Never through a link. Times of changed files
 * rise strictly, each to another second, so that builds and bytecode caches see each change. */
int worktree_apply(struct worktree *worktree, const struct edit *edit, struct rondo_error *err);

/* Let files whose times lie in the future, as changes so quickly after each other have it, be of
 * now: for builds, which compare them with what they make. `edit`: only its files; NULL: all. */
int worktree_date_now(struct worktree *worktree, const struct edit *edit, struct rondo_error *err);

/* Put the files that an edit touched back to what the last checked-out tree has. */
int worktree_revert(struct worktree *worktree, const struct edit *edit, struct rondo_error *err);
