/*
 * Opening: the user's repository to read, and a private one to write. libgit2 never sees the user's
 * index here: it refuses those of sparse and split checkouts.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/scan.h"

#define WORKTREES_MOST 1000000u /* of one handle */

const char *repository_root(const struct repository *repository)
{
	return repository->root;
}

const char *repository_data(const struct repository *repository, struct arena *arena)
{
	struct rondo_error err;
	const char *path = git_repository_commondir(repository->user);
	const char *real = file_real_path(arena, path, &err);
	return real ? real : arena_strdup(arena, path);
}

void repository_close(struct repository *repository)
{
	if (!repository)
		return;
	store_release(&repository->store);
	git_repository_free(repository->user);
	known_release(&repository->seen);
	known_release(&repository->given);
	arena_release(&repository->arena);
	free(repository);
}

/* libgit2 1.5 refuses SHA-256 as one of the extensions that it does not know. */
static bool is_sha256(const char *git_dir)
{
	AUTO_GIT(config) *config = NULL;
	AUTO_GIT_BUF format = {0};
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/config", git_dir);
	return git_config_open_ondisk(&config, path.text) == 0 &&
		git_config_get_string_buf(&format, config, "extensions.objectformat") == 0 &&
		strcmp(format.ptr, "sha256") == 0;
}

/* Whether the user's configuration, not the repository's, says that others' files may be trusted.
 */
static bool is_declared_safe(const char *root)
{
	AUTO_GIT(config) *config = NULL;
	AUTO_GIT(config_iterator) *entries = NULL;
	bool safe = false;
	if (git_config_open_default(&config) < 0 ||
		git_config_multivar_iterator_new(&entries, config, "safe.directory", NULL) < 0)
		return false;
	for (git_config_entry *entry; git_config_next(&entry, entries) == 0;) {
		if (!*entry->value)
			safe = false;
		else if (strcmp(entry->value, "*") == 0 || strcmp(entry->value, root) == 0)
			safe = true;
	}
	return safe;
}

static int explain_open(
	int result, const char *dir, const char *git_dir, const char *root, struct rondo_error *err)
{
	if (!git_dir) {
		error_set(err, RONDO_ERROR_USAGE, "'%s' is not in a git repository", dir);
		return error_help(err, "git init makes it one; rondo fix FILE needs none");
	}
	/* libgit2 1.5.1 says "not found" of an owner's check where nothing is configured. */
	if (result == GIT_EOWNER ||
		(git_error_last() && strstr(git_error_last()->message, "safe.directory"))) {
		error_set(err, RONDO_ERROR_USAGE, "the repository at '%s' belongs to another user", root);
		return error_help(err, "git config --global --add safe.directory '%s'", root);
	}
	if (is_sha256(git_dir)) {
		error_set(err, RONDO_ERROR_USAGE,
			"the repository at '%s' uses SHA-256, which rondo cannot read", root);
		return error_help(err, "git init --object-format=sha1 COPY, and put the files there");
	}
	git_failure(err, RONDO_ERROR_USAGE, "cannot open the repository at '%s'", root);
	return error_help(err, "git -C '%s' status", root);
}

/* libgit2 1.5.1 does not know "*" as a safe directory, which containers are full of. */
static int open_declared_safe(git_repository **ret_user, const char *git_dir, const char *root)
{
	AUTO_GIT(repository) *user = NULL;
	if (!text_ends_with(git_dir, "/.git") || !is_declared_safe(root) ||
		git_repository_open_bare(&user, git_dir) < 0 ||
		git_repository_set_workdir(user, root, 0) < 0)
		return -1;
	*ret_user = STEAL(&user);
	return 0;
}

static int open_user(struct repository *repository, const char *dir, struct rondo_error *err)
{
	struct arena *arena = &repository->arena;
	AUTO_GIT_BUF found = {0};
	const char *real = file_real_path(arena, dir, err), *git_dir = NULL, *root = real;
	if (!real)
		return -1;
	if (git_repository_discover(&found, real, 0, NULL) == 0) {
		git_dir = arena_strndup(arena, found.ptr, found.size - 1);
		if (text_ends_with(git_dir, "/.git"))
			root = arena_strndup(arena, git_dir, strlen(git_dir) - strlen("/.git"));
	}
	int result = git_repository_open_ext(&repository->user, real, 0, NULL);
	if (result < 0 && (!git_dir || open_declared_safe(&repository->user, git_dir, root) < 0)) {
		result = git_repository_open_ext(&repository->user, real, 0, NULL); /* for its words */
		if (result < 0)
			return explain_open(result, real, git_dir, root, err);
	}
	const char *work_dir = git_repository_workdir(repository->user);
	if (!work_dir) {
		error_set(err, RONDO_ERROR_USAGE, "the repository at '%s' is bare: it has no files to test",
			real);
		return error_help(err, "git clone '%s' CHECKOUT", real);
	}
	size_t n = strlen(work_dir);
	repository->root = arena_strndup(arena, work_dir, n > 1 ? n - 1 : n);
	repository->objects =
		arena_printf(arena, "%sobjects", git_repository_commondir(repository->user));
	return 0;
}

static bool config_bool(git_config *config, const char *key, bool fallback)
{
	int value;
	return git_config_get_bool(&value, config, key) == 0 ? value : fallback;
}

/* The configuration of one of several checkouts, which libgit2 1.5 does not look for. */
static void add_worktree_config(struct repository *repository, git_config *config)
{
	if (!config_bool(config, "extensions.worktreeconfig", false))
		return;
	const char *path = arena_printf(
		&repository->arena, "%sconfig.worktree", git_repository_path(repository->user));
	if (file_exists(path))
		git_config_add_file_ondisk(config, path, GIT_CONFIG_LEVEL_APP, repository->user, 1);
}

static int take_drivers(struct repository *repository, git_config *config, struct rondo_error *err)
{
	/* Not with a pattern: libgit2 1.5 leaks memory for each name that one does not match. */
	AUTO_GIT(config_iterator) *entries = NULL;
	if (git_config_iterator_new(&entries, config) < 0)
		return git_failure(err, RONDO_ERROR_USAGE, "cannot read git's configuration");
	for (git_config_entry *entry; git_config_next(&entry, entries) == 0;) {
		const char *name = entry->name + strlen("filter."), *dot = strrchr(entry->name, '.');
		if (text_starts_with(entry->name, "filter.") && dot >= name)
			ARENA_PUSH(&repository->arena, repository->drivers, repository->n_drivers,
				arena_strndup(&repository->arena, name, (size_t)(dot - name)));
	}
	return 0;
}

/* What line ends, modes and ignore rules depend on is as the user has it; nothing else is taken
 * over. */
static int take_config(
	struct repository *repository, git_config *from, git_config *to, struct rondo_error *err)
{
	static const char *const keys[] = {"core.autocrlf", "core.eol", "core.ignorecase",
		"core.precomposeunicode", "core.excludesfile", "core.attributesfile"};
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		AUTO_GIT_BUF value = {0};
		bool is_path = text_ends_with(keys[i], "file");
		int result = is_path ? git_config_get_path(&value, from, keys[i])
							 : git_config_get_string_buf(&value, from, keys[i]);
		if (result == GIT_ENOTFOUND)
			continue;
		const char *text = value.ptr;
		if (result == 0 && is_path && text[0] != '/')
			text = arena_printf(&repository->arena, "%s/%s", repository->root, text);
		if (result < 0 || git_config_set_string(to, keys[i], text) < 0)
			return git_failure(
				err, RONDO_ERROR_USAGE, "cannot take over git's setting %s", keys[i]);
	}
	repository->filemode = config_bool(from, "core.filemode", true);
	repository->sparse = config_bool(from, "core.sparsecheckout", false);
	return take_drivers(repository, from, err);
}

/* The rules that no tree holds: .git/info/exclude and attributes, which may be links. */
static int take_info(struct repository *repository, const char *name, struct rondo_error *err)
{
	struct arena *arena = &repository->arena;
	const char *from =
		arena_printf(arena, "%sinfo/%s", git_repository_commondir(repository->user), name);
	const char *to = arena_printf(arena, "%s/info/%s", repository->private_dir, name);
	if (access(from, F_OK) < 0)
		return 0;
	const char *real = file_real_path(arena, from, err);
	return real && file_remove_tree(to, err) == 0 ? file_copy_tree(real, to, err) : -1;
}

/* Whether files can differ from their blobs although no .gitattributes file says so. */
static bool has_other_attributes(struct repository *repository, git_config *config)
{
	AUTO_GIT_BUF text = {0};
	if (git_config_get_string_buf(&text, config, "core.autocrlf") == 0 &&
		strcmp(text.ptr, "false") != 0)
		return true;
	git_buf_dispose(&text);
	if (git_config_get_string_buf(&text, config, "core.eol") == 0 &&
		strcasecmp(text.ptr, "crlf") == 0)
		return true;
	git_buf_dispose(&text);
	if (git_config_get_path(&text, config, "core.attributesfile") == 0 && file_exists(text.ptr))
		return true;
	const char *info =
		arena_printf(&repository->arena, "%s/info/attributes", repository->private_dir);
	const char *home = getenv("HOME"), *config_home = getenv("XDG_CONFIG_HOME");
	const char *user = arena_printf(&repository->arena, "%s%s/git/attributes",
		config_home ? config_home
			: home  ? home
					: "",
		config_home ? "" : "/.config");
	return file_exists(info) || file_exists(user) || file_exists("/etc/gitattributes");
}

static int make_private(struct repository *repository, struct rondo_error *err)
{
	AUTO_GIT(repository) *made = NULL;
	AUTO_GIT(config) *config = NULL;
	AUTO_GIT(config) *user_config = NULL;
	if (mkdir(repository->private_dir, 0700) < 0)
		return error_errno(
			err, RONDO_ERROR_CANNOT_JUDGE, "cannot make directory '%s'", repository->private_dir);
	if (git_repository_init(&made, repository->private_dir, true) < 0 ||
		git_repository_config(&config, made) < 0 ||
		git_config_set_bool(config, "core.safecrlf", false) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot make a repository in '%s'",
			repository->private_dir);
	repository->filemode = true;
	if (repository->user) {
		if (git_repository_config(&user_config, repository->user) < 0)
			return git_failure(err, RONDO_ERROR_USAGE, "cannot read git's configuration");
		add_worktree_config(repository, user_config);
		if (take_config(repository, user_config, config, err) < 0 ||
			take_info(repository, "exclude", err) < 0 ||
			take_info(repository, "attributes", err) < 0)
			return -1;
	}
	if (store_open(&repository->store, repository->private_dir, repository->objects, "base", err) <
		0)
		return -1;
	repository->store.filters_always = has_other_attributes(repository, config);
	return 0;
}

int repository_open(const char *dir, const char *private_dir, struct repository **ret_repository,
	struct rondo_error *err)
{
	if (library_start(err) < 0)
		return -1;
	AUTO_REPOSITORY *repository = memory_alloc(sizeof *repository);
	repository->private_dir = arena_strdup(&repository->arena, private_dir);
	if (open_user(repository, dir, err) < 0 || make_private(repository, err) < 0)
		return -1;
	*ret_repository = STEAL(&repository);
	return 0;
}

int repository_open_files(const char *path, const char *private_dir,
	struct repository **ret_repository, struct rondo_error *err)
{
	if (library_start(err) < 0)
		return -1;
	AUTO_REPOSITORY *repository = memory_alloc(sizeof *repository);
	struct arena *arena = &repository->arena;
	repository->private_dir = arena_strdup(arena, private_dir);
	const char *real = file_real_path(arena, path, err);
	if (!real)
		return -1;
	repository->root = real;
	if (!file_is_dir(real)) {
		size_t n = (size_t)(file_name(real) - real);
		repository->only = arena_strdup(arena, file_name(real));
		repository->root = arena_strndup(arena, real, n > 1 ? n - 1 : n);
	}
	if (make_private(repository, err) < 0)
		return -1;
	*ret_repository = STEAL(&repository);
	return 0;
}

static void take_known(struct known_files *to, const struct known_files *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct known_file *file = known_add(to, from->items[i]->path);
		const char *path = file->path;
		*file = *from->items[i];
		file->path = path;
	}
}

/* Two handles count the directories of their worktrees' rules apart. */
int repository_open_beside(struct repository *other, unsigned number,
	struct repository **ret_repository, struct rondo_error *err)
{
	AUTO_REPOSITORY *repository = memory_alloc(sizeof *repository);
	const struct store *store = &other->store;
	char name[32];
	snprintf(name, sizeof name, "beside-%u", number);
	repository->root = other->root;
	if (other->user && open_user(repository, other->root, err) < 0)
		return -1;
	repository->private_dir = other->private_dir;
	repository->only = other->only;
	repository->drivers = other->drivers;
	repository->n_drivers = other->n_drivers;
	repository->filemode = other->filemode;
	repository->sparse = other->sparse;
	repository->n_worktrees = number * WORKTREES_MOST;
	take_known(&repository->seen, &other->seen);
	take_known(&repository->given, &other->given);
	if (store_open(&repository->store, other->private_dir, repository->objects, name, err) < 0)
		return -1;
	repository->store.filters_always = store->filters_always;
	repository->store.ignores_fixed = store->ignores_fixed;
	repository->store.ignores = store->ignores;
	*ret_repository = STEAL(&repository);
	return 0;
}

void repository_fix_ignores(struct repository *repository, const struct object *tree)
{
	repository->store.ignores_fixed = true;
	repository->store.ignores = tree ? *tree : (struct object){""};
	repository->store.rules_tree.hex[0] = '\0';
}

int repository_file(struct repository *repository, const struct object *tree, const char *path,
	struct strbuf *ret_text, struct rondo_error *err)
{
	struct store *store = &repository->store;
	AUTO_GIT(tree) *root = NULL;
	AUTO_STORED file = {0};
	git_tree_entry *entry;
	if (store_open_tree(store, tree, &root, err) < 0)
		return -1;
	if (git_tree_entry_bypath(&entry, root, path) < 0)
		return error_set(err, RONDO_ERROR_USAGE, "there is no '%s' in the base", path);
	int result = rules_load(store, tree, err) < 0
		? -1
		: rules_checkout(
			  store, path, git_tree_entry_id(entry), git_tree_entry_filemode(entry), &file, err);
	git_tree_entry_free(entry);
	if (result == 0)
		strbuf_add(ret_text, file.bytes, file.n);
	return result;
}
