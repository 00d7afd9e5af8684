/*
 * The rules of .gitignore and .gitattributes files. libgit2 finds them in the store's rules
 * directory, where only copies lie that were read safely: a directory that code under test has
 * written may hold a FIFO or a link of that name.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/internal.h"

#include <git2/sys/repository.h>

struct rule_file {
	const char *path;
	git_oid id; /* of its content; all 0: there is none now */
	struct rule_file *next;
};

static bool is_attributes(const char *name)
{
	return strcmp(name, ".gitattributes") == 0;
}

static bool is_rule_file(const char *name)
{
	return strcmp(name, ".gitignore") == 0 || is_attributes(name);
}

static int write_rule_file(
	struct store *store, const char *path, const char *bytes, size_t n, struct rondo_error *err)
{
	AUTO_STRBUF copy = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&copy, "%s%s", store->rules_dir, path);
	if (!bytes && unlink(copy.text) < 0 && errno != ENOENT)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot remove '%s'", copy.text);
	if (!bytes)
		return 0;
	size_t whole = copy.length;
	strbuf_truncate(&copy, whole - strlen(file_name(path)) - 1);
	if (file_make_dir(copy.text, 0700, err) < 0)
		return -1;
	strbuf_addf(&copy, "/%s", file_name(path));
	AUTO_FCLOSE *file = fopen(copy.text, "we");
	if (!file || fwrite(bytes, 1, n, file) != n || fflush(file) != 0)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write '%s'", copy.text);
	return 0;
}

#define ENCODING "working-tree-encoding"

static bool says(const char *bytes, size_t n, const char *word)
{
	return bytes && memmem(bytes, n, word, strlen(word));
}

static void weigh_attributes(struct store *store, const char *bytes, size_t n)
{
	store->drivers = store->drivers || says(bytes, n, "filter") || says(bytes, n, ENCODING);
	store->smudges = store->smudges || says(bytes, n, "crlf");
}

static int take_rule_file(
	struct store *store, const char *path, const char *bytes, size_t n, struct rondo_error *err)
{
	git_oid id = {0};
	if (bytes && git_odb_hash(&id, bytes, n, GIT_OBJECT_BLOB) < 0)
		return git_failure(err, RONDO_ERROR_INTERNAL, "cannot hash '%s'", path);
	struct rule_file *file = map_get(&store->rule_files, path);
	if (file ? git_oid_equal(&file->id, &id) : !bytes)
		return 0;
	if (write_rule_file(store, path, bytes, n, err) < 0)
		return -1;
	if (!file) {
		file = arena_alloc(&store->arena, sizeof *file);
		file->path = arena_strdup(&store->arena, path);
		file->next = store->rule_list;
		store->rule_list = file;
		map_put(&store->rule_files, &store->arena, file->path, file);
	}
	if (is_attributes(file_name(path))) {
		store->n_attribute_files += bytes && git_oid_is_zero(&file->id);
		store->n_attribute_files -= !bytes;
		weigh_attributes(store, bytes, n);
	}
	file->id = id;
	store->rules_tree.hex[0] = '\0';
	git_attr_cache_flush(store->handle);
	return 0;
}

static bool is_fixed(const struct store *store, const char *path)
{
	return store->ignores_fixed && !is_attributes(file_name(path));
}

int rules_set(
	struct store *store, const char *path, const char *bytes, size_t n, struct rondo_error *err)
{
	return is_fixed(store, path) ? 0 : take_rule_file(store, path, bytes, n, err);
}

struct loading {
	struct store *store;
	bool fixed; /* those that are fixed, else the others */
};

static int load_one(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *entry, struct rondo_error *err)
{
	(void)from;
	const struct loading *loading = owner;
	git_filemode_t mode = git_tree_entry_filemode(entry);
	if (!is_rule_file(file_name(path)) || is_fixed(loading->store, path) != loading->fixed ||
		(mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE))
		return 0;
	AUTO_STORED blob = {0};
	if (store_read(loading->store, git_tree_entry_id(entry), GIT_OBJECT_BLOB, &blob, err) < 0)
		return error_prefix(err, "%s", path);
	return take_rule_file(loading->store, path, blob.bytes, blob.n, err);
}

/* The filter for line ends looks into the index for files that have carriage returns in their blob;
 * most checkouts need no filter. */
static int load_index(struct store *store, struct rondo_error *err)
{
	AUTO_GIT(index) *index = NULL;
	AUTO_GIT(tree) *tree = NULL;
	if (!store->index_waits)
		return 0;
	if (store_tree(store, &store->index_tree, &tree, err) < 0)
		return -1;
	if (git_index_new(&index) < 0 || git_index_read_tree(index, tree) < 0 ||
		git_repository_set_index(store->handle, index) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read tree %s",
			git_oid_tostr_s(&store->index_tree));
	store->index_waits = false;
	return 0;
}

int rules_load(struct store *store, const struct object *tree, struct rondo_error *err)
{
	if (strcmp(store->rules_tree.hex, tree->hex) == 0)
		return 0;
	if (oid_of(tree, &store->index_tree, err) < 0 || file_remove_tree(store->rules_dir, err) < 0 ||
		file_make_dir(store->rules_dir, 0700, err) < 0)
		return -1;
	store->rule_files = (struct map){0};
	store->rule_list = NULL;
	store->n_attribute_files = 0;
	store->smudges = false;
	store->drivers = false;
	git_attr_cache_flush(store->handle);
	struct loading fixed = {store, true}, others = {store, false};
	if (tree_compare(store, NULL, tree, load_one, &others, err) < 0 ||
		(store->ignores.hex[0] &&
			tree_compare(store, NULL, &store->ignores, load_one, &fixed, err) < 0))
		return -1;
	store->index_waits = true;
	if ((store->filters_always || store->drivers) && load_index(store, err) < 0)
		return -1;
	store->rules_tree = *tree;
	return 0;
}

/* By an index in memory that has nothing but them: libgit2 looks for the files of a work directory
 * again at each path, which takes longer than to write the file. */
int rules_lend(const struct store *store, struct store *reader, struct rondo_error *err)
{
	AUTO_GIT(index) *index = NULL;
	if (git_index_new(&index) < 0)
		return git_failure(err, RONDO_ERROR_INTERNAL, "cannot make an index");
	for (const struct rule_file *file = store->rule_list; file; file = file->next) {
		git_index_entry entry = {.path = file->path, .id = file->id, .mode = GIT_FILEMODE_BLOB};
		if (is_attributes(file_name(file->path)) && !git_oid_is_zero(&file->id) &&
			git_index_add(index, &entry) < 0)
			return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot take '%s'", file->path);
	}
	if (git_repository_set_index(reader->handle, index) < 0)
		return git_failure(err, RONDO_ERROR_INTERNAL, "cannot set an index");
	reader->n_attribute_files = store->n_attribute_files;
	reader->filters_always = store->filters_always;
	reader->smudges = store->smudges;
	return 0;
}

int rules_ignored(struct store *store, const char *path, bool *ret_ignored, struct rondo_error *err)
{
	int ignored;
	if (git_ignore_path_is_ignored(&ignored, store->handle, path) < 0)
		return git_failure(
			err, RONDO_ERROR_CANNOT_JUDGE, "cannot apply the ignore rules to '%s'", path);
	*ret_ignored = ignored;
	return 0;
}

/* Whether a checkout of the file can differ from its blob. Where the configuration says nothing a
 * line ends here as it does there, but for "eol=crlf". That is one look in place of one by each of
 * libgit2's filters, and the system has no attributes, else `filters_always` were set. ("ident"
 * wants the id of a blob, which is not given: "$Id$" stays.) */
static bool is_smudged(struct store *store, const char *path)
{
	git_attr_options options = {
		.version = GIT_ATTR_OPTIONS_VERSION, .flags = GIT_ATTR_CHECK_NO_SYSTEM};
	const char *eol = NULL;
	if (store->filters_always || !store->smudges)
		return store->filters_always;
	if (git_attr_get_ext(&eol, store->handle, &options, path, "eol") < 0)
		return true; /* the filters say why */
	return git_attr_value(eol) == GIT_ATTR_VALUE_STRING && strcmp(eol, "crlf") == 0;
}

int rules_filter(struct store *store, const char *path, git_filter_mode_t mode, const char *bytes,
	size_t n, git_buf *ret_text, bool *ret_same, struct rondo_error *err)
{
	*ret_same = true;
	if (mode == GIT_FILTER_TO_WORKTREE ? !is_smudged(store, path)
									   : !store->filters_always && !store->n_attribute_files)
		return 0;
	if (load_index(store, err) < 0)
		return -1;
	AUTO_GIT(filter_list) *filters = NULL;
	if (git_filter_list_load(&filters, store->handle, NULL, path, mode, GIT_FILTER_ALLOW_UNSAFE) <
			0 ||
		(filters && git_filter_list_apply_to_buffer(ret_text, filters, bytes, n) < 0))
		return git_failure(
			err, RONDO_ERROR_CANNOT_JUDGE, "cannot apply the attributes of '%s'", path);
	*ret_same = !filters;
	return 0;
}

int rules_checkout(struct store *store, const char *path, const git_oid *id, uint32_t mode,
	struct stored *stored, struct rondo_error *err)
{
	bool same = true;
	if (store_read(store, id, GIT_OBJECT_BLOB, stored, err) < 0)
		return error_prefix(err, "%s", path);
	if (mode != GIT_FILEMODE_LINK &&
		rules_filter(store, path, GIT_FILTER_TO_WORKTREE, stored->bytes, stored->n,
			&stored->filtered, &same, err) < 0)
		return -1;
	if (!same) {
		stored->bytes = stored->filtered.ptr;
		stored->n = stored->filtered.size;
	}
	return 0;
}

const char *rules_driver(struct store *store, const char *path, struct arena *arena)
{
	const char *value = NULL;
	if (!store->drivers && !store->filters_always)
		return NULL;
	if (git_attr_get(&value, store->handle, 0, path, "filter") == 0 &&
		git_attr_value(value) == GIT_ATTR_VALUE_STRING)
		return arena_strdup(arena, value);
	/* libgit2 does not know this attribute. */
	if (git_attr_get(&value, store->handle, 0, path, ENCODING) == 0 &&
		git_attr_value(value) == GIT_ATTR_VALUE_STRING && strcasecmp(value, "UTF-8") != 0)
		return arena_printf(arena, ENCODING "=%s", value);
	return NULL;
}
