/* What a run without a repository wrote, as files in a directory of the user's choice. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/scan.h"

struct export
{
	struct store *store;
	const char *modes, *dir;
	int root; /* dir, open; -1: nothing was written yet */
	size_t n;
};

static int export_open(struct export *export, struct rondo_error *err)
{
	if (export->root >= 0)
		return 0;
	if (!file_is_dir(export->dir) &&
		(file_make_dir(export->dir, 0777, err) < 0 || file_sync_name(export->dir, err) < 0))
		return -1;
	export->root = open(export->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return export->root < 0 ? error_errno(err, RONDO_ERROR_USAGE, "cannot open '%s'", export->dir)
							: 0;
}

static mode_t export_mode(const struct export *export, const char *path, git_filemode_t mode)
{
	AUTO_STRBUF place = STRBUF_INIT(STRBUF_LINE);
	struct stat st;
	if (mode == GIT_FILEMODE_LINK)
		return S_IFLNK | 0777;
	strbuf_addf(&place, "%s/%s", export->modes ? export->modes : "", path);
	if (export->modes && lstat(place.text, &st) == 0 && S_ISREG(st.st_mode))
		return S_IFREG | S_IRUSR | S_IWUSR | (st.st_mode & 0777);
	return S_IFREG | (mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0777 : 0666);
}

static int export_one(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	(void)from;
	struct export *export = owner;
	AUTO_STORED file = {0};
	AUTO_STRBUF place = STRBUF_INIT(STRBUF_LINE);
	if (!to || git_tree_entry_type(to) != GIT_OBJECT_BLOB)
		return 0;
	git_filemode_t mode = git_tree_entry_filemode(to);
	if (export_open(export, err) < 0 ||
		rules_checkout(export->store, path, git_tree_entry_id(to), mode, &file, err) < 0)
		return -1;
	struct replacement item = {.path = path,
		.bytes = file.bytes,
		.n = file.n,
		.mode = export_mode(export, path, mode),
		.durable = true};
	strbuf_addf(&place, "%s/%s", export->dir, path);
	export->n++;
	if (replace_files(export->root, &item, 1, err) < 0)
		return error_prefix(err, "'%s'", export->dir);
	return item.made ? file_sync_up(place.text, export->dir, err) : 0;
}

int repository_export(struct repository *repository, const struct object *from,
	const struct object *tree, const char *modes, const char *dir, size_t *ret_n,
	struct rondo_error *err)
{
	struct store *store = &repository->store;
	struct export export = {.store = store, .modes = modes, .dir = dir, .root = -1};
	if (rules_load(store, tree, err) < 0)
		return -1;
	int result = tree_compare(store, from, tree, export_one, &export, err);
	if (export.root >= 0)
		close(export.root);
	*ret_n = export.n;
	return result;
}

/* --- What would be lost --- */

struct clash {
	struct store *store;
	struct arena *arena;
	int root;
	const char *path;
};

static int clash_look(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	struct clash *clash = owner;
	struct stat st;
	git_oid id;
	if (clash->path || !to || git_tree_entry_type(to) != GIT_OBJECT_BLOB ||
		fstatat(clash->root, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) {
		if (scan_blob(clash->store, clash->root, path, path, &st, &id, err) < 0)
			return -1;
		if (tree_has(from, &id, &st, false) || tree_has(to, &id, &st, false))
			return 0;
	}
	clash->path = arena_strdup(clash->arena, path);
	return 0;
}

int repository_export_clash(struct repository *repository, const struct object *from,
	const struct object *tree, const char *dir, struct arena *arena, const char **ret_path,
	struct rondo_error *err)
{
	struct store *store = &repository->store;
	struct clash clash = {
		.store = store, .arena = arena, .root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	*ret_path = NULL;
	if (clash.root < 0)
		return 0;
	int result = rules_load(store, tree, err) < 0
		? -1
		: tree_compare(store, from, tree, clash_look, &clash, err);
	close(clash.root);
	*ret_path = clash.path;
	return result;
}
