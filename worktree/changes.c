/* What two trees have in a file that is not the same in them: its bytes, its runs of changed lines;
 * and a tree with other files. */
#include <string.h>

#include "base/memory.h"
#include "worktree/internal.h"

struct gathered {
	struct store *store;
	struct arena *arena;
	struct file_change *items;
	size_t n;
};

/* The bytes of one side; a submodule has none. */
static int take_side(struct store *store, const git_tree_entry *entry, struct arena *arena,
	const char **ret_bytes, size_t *ret_n, uint32_t *ret_mode, struct rondo_error *err)
{
	AUTO_STORED blob = {0};
	if (!entry)
		return 0;
	*ret_mode = (uint32_t)git_tree_entry_filemode(entry);
	if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
		return 0;
	if (store_read(store, git_tree_entry_id(entry), GIT_OBJECT_BLOB, &blob, err) < 0)
		return -1;
	*ret_bytes = arena_strndup(arena, blob.bytes, blob.n);
	*ret_n = blob.n;
	return 0;
}

int file_change_read(struct store *store, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct arena *arena, struct file_change *change,
	struct rondo_error *err)
{
	*change = (struct file_change){.path = arena_strdup(arena, path)};
	if (take_side(store, from, arena, &change->old, &change->n_old, &change->old_mode, err) < 0 ||
		take_side(store, to, arena, &change->text, &change->n_text, &change->mode, err) < 0)
		return error_prefix(err, "%s", path);
	return 0;
}

static int gather(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	struct gathered *gathered = owner;
	struct file_change change;
	if (file_change_read(gathered->store, path, from, to, gathered->arena, &change, err) < 0)
		return -1;
	ARENA_PUSH(gathered->arena, gathered->items, gathered->n, change);
	return 0;
}

int repository_changes(struct repository *repository, const struct object *from,
	const struct object *to, struct arena *arena, struct file_change **ret_changes, size_t *ret_n,
	struct rondo_error *err)
{
	struct gathered gathered = {.store = &repository->store, .arena = arena};
	if (tree_compare(&repository->store, from, to, gather, &gathered, err) < 0)
		return -1;
	*ret_changes = gathered.items;
	*ret_n = gathered.n;
	return 0;
}

static bool is_text(const char *bytes, size_t n)
{
	return bytes && !memchr(bytes, '\0', n);
}

int file_change_hunks(const struct file_change *change, struct arena *arena,
	struct hunk **ret_hunks, size_t *ret_n, struct rondo_error *err)
{
	AUTO_GIT(patch) *patch = NULL;
	git_diff_options options;
	struct hunk *hunks = NULL;
	size_t n = 0;
	*ret_hunks = NULL;
	*ret_n = 0;
	if (change->mode != change->old_mode || !is_text(change->old, change->n_old) ||
		!is_text(change->text, change->n_text))
		return 0;
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.context_lines = 0;
	options.flags = GIT_DIFF_FORCE_TEXT;
	if (git_patch_from_buffers(&patch, change->old, change->n_old, change->path, change->text,
			change->n_text, change->path, &options) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot compare '%s'", change->path);
	for (size_t i = 0; i < git_patch_num_hunks(patch); i++) {
		const git_diff_hunk *hunk;
		if (git_patch_get_hunk(&hunk, NULL, patch, i) < 0)
			return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot compare '%s'", change->path);
		/* Git numbers an empty side by the line before it. */
		ARENA_PUSH(arena, hunks, n,
			(struct hunk){.old_first = (size_t)(hunk->old_start - (hunk->old_lines > 0)),
				.n_old = (size_t)hunk->old_lines,
				.first = (size_t)(hunk->new_start - (hunk->new_lines > 0)),
				.n = (size_t)hunk->new_lines});
	}
	*ret_hunks = hunks;
	*ret_n = n;
	return 0;
}

int repository_with_files(struct repository *repository, const struct object *tree,
	const struct file_change *files, size_t n, struct object *ret_tree, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_GIT(tree) *from = NULL;
	struct store *store = &repository->store;
	git_oid id;
	git_tree_update *updates = arena_alloc(&arena, n * sizeof *updates);
	if (store_open_tree(store, tree, &from, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		updates[i] = (git_tree_update){
			.action = files[i].text ? GIT_TREE_UPDATE_UPSERT : GIT_TREE_UPDATE_REMOVE,
			.filemode = (git_filemode_t)files[i].mode,
			.path = files[i].path};
		if (files[i].text &&
			store_write(
				store, files[i].text, files[i].n_text, GIT_OBJECT_BLOB, &updates[i].id, err) < 0)
			return -1;
	}
	if (git_tree_create_updated(&id, store->handle, from, n, updates) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot change a tree");
	*ret_tree = object_of(&id);
	return 0;
}
