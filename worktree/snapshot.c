/*
 * The base of a run: HEAD, or a commit on top of it that holds the uncommitted work. HEAD is read
 * from the objects; the user's index is a help where libgit2 can read it: for staged files that an
 * ignore rule hides, for files that are meant to be absent, and for what surely did not change.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/scan.h"

static int head_failure(git_repository *user, const char *root, int result, struct rondo_error *err)
{
	AUTO_GIT(reference) *head = NULL;
	if (result == GIT_EUNBORNBRANCH || result == GIT_ENOTFOUND) {
		const char *name = "HEAD";
		if (git_reference_lookup(&head, user, "HEAD") == 0 && git_reference_symbolic_target(head))
			name = git_reference_symbolic_target(head);
		error_set(err, RONDO_ERROR_USAGE, "the repository at '%s' has no commit yet on %s", root,
			text_starts_with(name, "refs/heads/") ? name + strlen("refs/heads/") : name);
		return error_help(err, "git add . && git commit -m 'first commit'");
	}
	git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read HEAD of '%s'", root);
	return error_help(err, "git fsck");
}

static int read_head(struct repository *repository, struct arena *arena, git_oid *ret_head,
	const char **ret_branch, struct rondo_error *err)
{
	AUTO_GIT(reference) *head = NULL;
	int result = git_repository_head(&head, repository->user);
	if (result < 0)
		return head_failure(repository->user, repository->root, result, err);
	*ret_head = *git_reference_target(head);
	const char *name = git_reference_name(head);
	if (text_starts_with(name, "refs/heads/"))
		*ret_branch = arena_strdup(arena, name + strlen("refs/heads/"));
	return 0;
}

/* libgit2 makes room for as many entries as the header counts, and waits for what is no file. */
static bool index_holds_entries(const char *path, const struct stat *st)
{
	enum { HEAD = 12, COUNT_AT = 8, LEAST_ENTRY = 62 };
	unsigned char head[HEAD];
	AUTO_CLOSE fd = S_ISREG(st->st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0 || pread(fd, head, HEAD, 0) != HEAD)
		return false;
	uint64_t n = 0;
	for (size_t i = COUNT_AT; i < HEAD; i++)
		n = n << 8 | head[i];
	return n <= (uint64_t)st->st_size / LEAST_ENTRY;
}

/* What the user's index knows, where it can be read. */
static void read_index(struct repository *repository, struct scan *scan, git_index **ret_index)
{
	const char *path =
		arena_printf(&repository->arena, "%sindex", git_repository_path(repository->user));
	struct stat st;
	if (stat(path, &st) < 0)
		return;
	bool holds = index_holds_entries(path, &st);
	if (!holds || git_index_open(ret_index, path) < 0) {
		const git_error *last = holds ? git_error_last() : NULL;
		scan_say(scan, "the index cannot be read (%s): staged files that are ignored are left out",
			!holds     ? "it is no file with as many entries as it says"
				: last ? last->message
					   : "unknown reason");
		return;
	}
	scan->index = *ret_index;
	for (size_t i = 0; i < git_index_entrycount(*ret_index); i++) {
		const git_index_entry *entry = git_index_get_byindex(*ret_index, i);
		struct known_file *known = known_add(scan->known, entry->path);
		if (git_index_entry_stage(entry) != 0)
			continue;
		*known = (struct known_file){
			.path = known->path,
			.id = entry->id,
			.mode = entry->mode,
			.mtime_ns = (int64_t)entry->mtime.seconds * 1000000000 + entry->mtime.nanoseconds,
			.ctime_ns = (int64_t)entry->ctime.seconds * 1000000000 + entry->ctime.nanoseconds,
			.size = entry->file_size,
			.inode = entry->ino,
			.stamp_ns = stat_mtime_ns(&st),
			.skip = (entry->flags & GIT_INDEX_ENTRY_VALID) ||
				(entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE),
		};
	}
}

static void note_state(struct repository *repository, struct scan *scan)
{
	static const char *const states[] = {
		[GIT_REPOSITORY_STATE_MERGE] = "a merge",
		[GIT_REPOSITORY_STATE_REVERT] = "a revert",
		[GIT_REPOSITORY_STATE_REVERT_SEQUENCE] = "a revert",
		[GIT_REPOSITORY_STATE_CHERRYPICK] = "a cherry-pick",
		[GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE] = "a cherry-pick",
		[GIT_REPOSITORY_STATE_BISECT] = "a bisect",
		[GIT_REPOSITORY_STATE_REBASE] = "a rebase",
		[GIT_REPOSITORY_STATE_REBASE_INTERACTIVE] = "a rebase",
		[GIT_REPOSITORY_STATE_REBASE_MERGE] = "a rebase",
		[GIT_REPOSITORY_STATE_APPLY_MAILBOX] = "a rebase",
		[GIT_REPOSITORY_STATE_APPLY_MAILBOX_OR_REBASE] = "a rebase",
	};
	size_t state = (size_t)git_repository_state(repository->user);
	if (state < ARRAY_SIZE(states) && states[state])
		scan_say(scan, "%s is in progress: the files count as they are", states[state]);
	if (scan->sparse)
		scan_say(scan, "the checkout is sparse: files outside it count as in HEAD");
}

static int scan_user(struct repository *repository, struct scan *scan, const git_tree *head,
	git_oid *ret_tree, struct rondo_error *err)
{
	AUTO_GIT(index) *index = NULL;
	if (repository->user) {
		read_index(repository, scan, &index);
		note_state(repository, scan);
	}
	if (head) {
		struct object tree = object_of(git_tree_id(head));
		if (rules_load(scan->store, &tree, err) < 0)
			return -1;
	}
	AUTO_CLOSE fd = open(repository->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s'", repository->root);
	if (scan_directory(scan, fd, head, ret_tree, err) < 0)
		return error_prefix(err, "%s", repository->root);
	if (scan->n_filtered)
		scan_say(scan, "%zu files are what a filter such as '%s' made of them: read-only",
			scan->n_filtered, scan->driver);
	if (scan->n_absent)
		scan_say(scan,
			"%zu submodules are not checked out, such as '%s': git submodule update --init",
			scan->n_absent, scan->absent);
	scan->store->rules_tree.hex[0] = '\0'; /* the rules are those of the checkout now */
	return 0;
}

#define AUTO_SCAN __attribute__((cleanup(scan_release))) struct scan

static int refuse_work(const struct scan *scan, struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_USAGE,
		"there is uncommitted work: %zu modified, %zu untracked and %zu deleted files",
		scan->n_modified, scan->n_untracked, scan->n_deleted);
	return error_help(err, "git stash -u, or --head to leave it out");
}

static int commit_snapshot(struct repository *repository, const git_oid *head, const git_oid *tree,
	const char *message, git_oid *ret_commit, struct rondo_error *err)
{
	AUTO_GIT(signature) *who = NULL;
	if (identity_of(repository, &who, err) < 0)
		return -1;
	return store_commit(&repository->store, tree, head, who, message, ret_commit, err);
}

static struct base snapshot_base(
	const struct scan *scan, const git_oid *commit, const git_oid *tree, const git_oid *head)
{
	return (struct base){
		.commit = object_of(commit),
		.tree = object_of(tree),
		.head = object_of(head),
		.is_snapshot = !git_oid_equal(commit, head),
		.n_modified = scan->n_modified,
		.n_untracked = scan->n_untracked,
		.n_deleted = scan->n_deleted,
		.n_bytes = scan->n_bytes,
		.notes = scan->notes,
		.n_notes = scan->n_notes,
		.borrowed = scan->borrowed,
		.n_borrowed = scan->n_borrowed,
	};
}

/* One file of a directory, alone. */
static int scan_only(struct repository *repository, git_oid *ret_tree, struct rondo_error *err)
{
	AUTO_CLOSE fd = open(repository->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	if (fd < 0 || fstatat(fd, repository->only, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(
			err, RONDO_ERROR_USAGE, "cannot read '%s/%s'", repository->root, repository->only);
	if (!S_ISREG(st.st_mode))
		return error_set(
			err, RONDO_ERROR_USAGE, "'%s/%s' is not a file", repository->root, repository->only);
	struct tree_item item = {.name = repository->only,
		.mode = st.st_mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB};
	if (scan_blob(&repository->store, fd, item.name, item.name, &st, &item.id, err) < 0)
		return error_prefix(err, "%s/%s", repository->root, repository->only);
	return tree_write(&repository->store, &(struct tree_items){&item, 1}, ret_tree, err);
}

static int base_of_files(
	struct repository *repository, struct scan *scan, struct base *base, struct rondo_error *err)
{
	git_oid tree, commit;
	int result = repository->only ? scan_only(repository, &tree, err)
								  : scan_user(repository, scan, NULL, &tree, err);
	if (result < 0 ||
		store_commit(&repository->store, &tree, NULL, NULL, "the files as they were found\n",
			&commit, err) < 0)
		return -1;
	scan->n_untracked = 0; /* here nothing is tracked */
	*base = snapshot_base(scan, &commit, &tree, &commit);
	return 0;
}

int repository_base(struct repository *repository, enum base_mode mode, struct arena *arena,
	struct base *base, struct rondo_error *err)
{
	known_release(&repository->seen);
	AUTO_SCAN scan = {
		.store = &repository->store,
		.known = &repository->seen,
		.arena = arena,
		.drivers = repository->drivers,
		.n_drivers = repository->n_drivers,
		.sparse = repository->sparse,
		.filemode = repository->filemode,
	};
	if (!repository->user)
		return base_of_files(repository, &scan, base, err);
	AUTO_GIT(commit) *head_commit = NULL;
	AUTO_GIT(tree) *head = NULL;
	git_oid head_id, tree, commit;
	const char *branch = NULL;
	if (read_head(repository, arena, &head_id, &branch, err) < 0 ||
		store_open_commit(&repository->store, &head_id, &head_commit, err) < 0 ||
		store_tree(&repository->store, git_commit_tree_id(head_commit), &head, err) < 0 ||
		scan_user(repository, &scan, head, &tree, err) < 0)
		return -1;
	bool is_changed = !git_oid_equal(&tree, git_tree_id(head));
	if (mode == BASE_REFUSE && is_changed)
		return refuse_work(&scan, err);
	if (mode == BASE_HEAD)
		tree = *git_tree_id(head);
	commit = head_id;
	if (mode == BASE_SNAPSHOT && is_changed &&
		commit_snapshot(
			repository, &head_id, &tree, "snapshot of uncommitted work\n", &commit, err) < 0)
		return -1;
	*base = snapshot_base(&scan, &commit, &tree, &head_id);
	base->branch = branch;
	return 0;
}

int repository_base_patch(struct repository *repository, const char *patch, size_t n,
	struct base *base, struct rondo_error *err)
{
	git_oid head, tree, commit;
	struct object patched;
	if (repository_patch_tree(repository, &base->tree, patch, n, &patched, err) < 0 ||
		oid_of(&base->head, &head, err) < 0 || oid_of(&patched, &tree, err) < 0 ||
		commit_snapshot(
			repository, &head, &tree, "the patch that this work begins with\n", &commit, err) < 0)
		return -1;
	base->tree = patched;
	base->commit = object_of(&commit);
	base->is_snapshot = true;
	return 0;
}
