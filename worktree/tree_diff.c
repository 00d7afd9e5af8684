/* The difference of two trees, as data and as a patch. */
#include <string.h>

#include "base/memory.h"
#include "worktree/internal.h"

static enum change_status status_of(const git_diff_delta *delta)
{
	if (delta->status == GIT_DELTA_ADDED)
		return CHANGE_ADDED;
	if (delta->status == GIT_DELTA_DELETED)
		return CHANGE_DELETED;
	if (delta->status == GIT_DELTA_RENAMED)
		return CHANGE_RENAMED;
	return git_oid_equal(&delta->old_file.id, &delta->new_file.id) ? CHANGE_MODE : CHANGE_MODIFIED;
}

static int compare(struct store *store, const struct object *from, const struct object *to,
	git_diff **ret_diff, struct rondo_error *err)
{
	AUTO_GIT(tree) *old_tree = NULL;
	AUTO_GIT(tree) *new_tree = NULL;
	if (store_open_tree(store, from, &old_tree, err) < 0 ||
		store_open_tree(store, to, &new_tree, err) < 0)
		return -1;
	git_diff_options options;
	git_diff_find_options find;
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	git_diff_find_options_init(&find, GIT_DIFF_FIND_OPTIONS_VERSION);
	options.flags = GIT_DIFF_SHOW_BINARY;
	options.id_abbrev = GIT_OID_HEXSZ; /* what a binary patch needs */
	find.flags = GIT_DIFF_FIND_RENAMES;
	if (git_diff_tree_to_tree(ret_diff, store->handle, old_tree, new_tree, &options) < 0 ||
		git_diff_find_similar(*ret_diff, &find) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot compare two trees");
	return 0;
}

/* One file's change, and its part of the patch. */
static int read_delta(git_diff *diff, size_t i, struct arena *arena, struct change *change,
	git_buf *ret_text, struct rondo_error *err)
{
	AUTO_GIT(patch) *patch = NULL;
	if (git_patch_from_diff(&patch, diff, i) < 0 || !patch || git_patch_to_buf(ret_text, patch) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot compare two files");
	const git_diff_delta *delta = git_patch_get_delta(patch);
	size_t added, removed;
	git_patch_line_stats(NULL, &added, &removed, patch);
	*change = (struct change){
		.path = arena_strdup(arena, delta->new_file.path),
		.old_path = arena_strdup(arena, delta->old_file.path),
		.status = status_of(delta),
		.binary = delta->flags & GIT_DIFF_FLAG_BINARY,
		.added = added,
		.removed = removed,
	};
	return 0;
}

static bool is_replaced(const git_diff *diff, size_t added)
{
	if (added + 1 >= git_diff_num_deltas(diff))
		return false;
	const git_diff_delta *a = git_diff_get_delta(diff, added),
						 *d = git_diff_get_delta(diff, added + 1);
	return a->status == GIT_DELTA_ADDED && d->status == GIT_DELTA_DELETED &&
		strcmp(a->new_file.path, d->old_file.path) == 0;
}

/* The delta to print as number i. A file that becomes a link is one gone and one added; libgit2
 * sorts them by path only, and git apply wants the file to go first. */
static size_t nth_delta(const git_diff *diff, size_t i)
{
	if (is_replaced(diff, i))
		return i + 1;
	return i > 0 && is_replaced(diff, i - 1) ? i - 1 : i;
}

int repository_diff(struct repository *repository, const struct object *from,
	const struct object *to, struct arena *arena, struct diff *diff, struct rondo_error *err)
{
	AUTO_GIT(diff) *found = NULL;
	if (compare(&repository->store, from, to, &found, err) < 0)
		return -1;
	struct diff result = {0};
	AUTO_STRBUF patch = STRBUF_INIT(STRBUF_RECORD);
	for (size_t i = 0; i < git_diff_num_deltas(found); i++) {
		struct change change;
		AUTO_GIT_BUF text = {0};
		if (read_delta(found, nth_delta(found, i), arena, &change, &text, err) < 0)
			return -1;
		strbuf_add(&patch, text.ptr, text.size);
		ARENA_PUSH(arena, result.changes, result.n, change);
	}
	if (patch.cut)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "the difference is larger than %zu MiB",
			STRBUF_RECORD >> 20);
	result.patch = arena_strndup(arena, patch.text, patch.length);
	result.patch_length = patch.length;
	*diff = result;
	return 0;
}
