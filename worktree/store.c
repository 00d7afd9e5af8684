/*
 * The private repository: where everything goes that rondo makes. It borrows the user's objects
 * through an alternate that lives in memory only, and before an object is written it is looked up,
 * because libgit2 would otherwise touch the file of one that the user has already.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "worktree/internal.h"

#include <git2/sys/odb_backend.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int started;

static void start(void)
{
	/* Extensions that libgit2 1.5 does not know, and that change nothing in what rondo reads. */
	static const char *extensions[] = {
		"partialclone", "worktreeconfig", "preciousobjects", "relativeworktrees"};
	started = git_libgit2_init();
	if (started > 0)
		git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, ARRAY_SIZE(extensions));
}

int library_start(struct rondo_error *err)
{
	pthread_once(&once, start);
	if (started <= 0)
		return error_set(err, RONDO_ERROR_INTERNAL, "libgit2 does not start");
	return 0;
}

const char *repository_library_version(void)
{
	return LIBGIT2_VERSION;
}

/* As base/error.c says of numbers, which libgit2 gives only as words. */
static bool is_transient(const char *why)
{
	static const int numbers[] = {ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM, EAGAIN, EIO};
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (strstr(why, strerror(numbers[i])))
			return true;
	return strstr(why, "out of memory") || strstr(why, "Out of memory");
}

int git_failure(struct rondo_error *err, enum rondo_error_code code, const char *format, ...)
{
	const char *words = errno ? strerror(errno) : "unknown reason";
	char what[512];
	va_list args;
	va_start(args, format);
	utf8_vformat(what, sizeof what, format, args);
	va_end(args);
	const git_error *last = git_error_last();
	const char *why = last && last->message ? last->message : words;
	if (is_transient(why))
		code = RONDO_ERROR_TRANSIENT;
	return error_set(err, code, "%s: %s", what, why);
}

static int open_handle(struct store *store, const char *dir, struct rondo_error *err)
{
	if (git_repository_open_bare(&store->handle, dir) == 0 &&
		(!store->rules_dir ||
			git_repository_set_workdir(store->handle, store->rules_dir, 0) == 0) &&
		git_repository_odb(&store->odb, store->handle) == 0 &&
		(!store->objects || git_odb_add_disk_alternate(store->odb, store->objects) == 0))
		return 0;
	git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot open rondo's repository '%s'", dir);
	store_release(store);
	return -1;
}

int store_open(struct store *store, const char *dir, const char *objects, const char *name,
	struct rondo_error *err)
{
	*store = (struct store){.objects = objects};
	store->rules_dir = arena_printf(&store->arena, "%s/rules-%s/", dir, name);
	if (file_make_dir(store->rules_dir, 0700, err) < 0)
		return -1;
	return open_handle(store, dir, err);
}

int store_open_reader(const struct store *store, struct store *reader, struct rondo_error *err)
{
	*reader = (struct store){.objects = store->objects};
	if (open_handle(reader, git_repository_path(store->handle), err) < 0)
		return -1;
	if (rules_lend(store, reader, err) == 0)
		return 0;
	store_release(reader);
	return -1;
}

void store_release(struct store *store)
{
	git_odb_free(store->odb);
	git_repository_free(store->handle);
	arena_release(&store->arena);
	*store = (struct store){0};
}

void stored_release(struct stored *stored)
{
	if (stored->data)
		git_odb_backend_data_free(stored->backend, stored->data);
	git_odb_object_free(stored->object);
	git_buf_dispose(&stored->filtered);
}

/* Straight from where it lies. As in git's own checkout, what zlib finds whole is not hashed again,
 * which would take a third of the time. */
static bool read_directly(struct store *store, const git_oid *id, struct stored *stored)
{
	for (size_t i = 0; i < git_odb_num_backends(store->odb); i++) {
		git_odb_backend *backend;
		if (git_odb_get_backend(&backend, store->odb, i) < 0 || !backend->read ||
			backend->read(&stored->data, &stored->n, &stored->type, backend, id) < 0)
			continue;
		stored->backend = backend;
		stored->bytes = stored->data;
		return true;
	}
	stored->data = NULL;
	return false;
}

/* By libgit2, which looks again for packs that are new, and has words for what is wrong. */
static int read_carefully(
	struct store *store, const git_oid *id, struct stored *stored, struct rondo_error *err)
{
	int result = git_odb_read(&stored->object, store->odb, id);
	if (result == GIT_ENOTFOUND) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "object %s is missing from the repository",
			git_oid_tostr_s(id));
		return error_help(err, "git fetch --refetch --no-filter, or git fsck");
	}
	if (result < 0) {
		git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read object %s", git_oid_tostr_s(id));
		return error_help(err, "git fsck");
	}
	stored->bytes = git_odb_object_data(stored->object);
	stored->n = git_odb_object_size(stored->object);
	stored->type = git_odb_object_type(stored->object);
	return 0;
}

int store_read(struct store *store, const git_oid *id, git_object_t type, struct stored *stored,
	struct rondo_error *err)
{
	if (!read_directly(store, id, stored) && read_carefully(store, id, stored, err) < 0)
		return -1;
	if (type == GIT_OBJECT_ANY || stored->type == type)
		return 0;
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "object %s is not a %s", git_oid_tostr_s(id),
		git_object_type2string(type));
	return error_help(err, "git fsck");
}

int store_write(struct store *store, const void *bytes, size_t n, git_object_t type,
	git_oid *ret_id, struct rondo_error *err)
{
	git_oid id;
	if (git_odb_hash(&id, bytes, n, type) < 0 ||
		(!git_odb_exists_ext(store->odb, &id, GIT_ODB_LOOKUP_NO_REFRESH) &&
			git_odb_write(&id, store->odb, bytes, n, type) < 0))
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write an object");
	*ret_id = id;
	return 0;
}

int store_tree(struct store *store, const git_oid *id, git_tree **ret_tree, struct rondo_error *err)
{
	if (git_tree_lookup(ret_tree, store->handle, id) == 0)
		return 0;
	AUTO_STORED object = {0};
	if (store_read(store, id, GIT_OBJECT_TREE, &object, err) < 0)
		return -1;
	return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read tree %s", git_oid_tostr_s(id));
}

int store_open_tree(
	struct store *store, const struct object *object, git_tree **ret_tree, struct rondo_error *err)
{
	git_oid id;
	return oid_of(object, &id, err) < 0 ? -1 : store_tree(store, &id, ret_tree, err);
}

int store_open_commit(
	struct store *store, const git_oid *id, git_commit **ret_commit, struct rondo_error *err)
{
	if (git_commit_lookup(ret_commit, store->handle, id) == 0)
		return 0;
	AUTO_STORED object = {0};
	if (store_read(store, id, GIT_OBJECT_COMMIT, &object, err) < 0)
		return -1;
	return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read commit %s", git_oid_tostr_s(id));
}

int store_commit(struct store *store, const git_oid *tree_id, const git_oid *parent_id,
	const git_signature *who, const char *message, git_oid *ret_id, struct rondo_error *err)
{
	AUTO_GIT(tree) *tree = NULL;
	AUTO_GIT(commit) *parent = NULL;
	AUTO_GIT(signature) *rondo = NULL;
	AUTO_GIT_BUF text = {0};
	if (store_tree(store, tree_id, &tree, err) < 0 ||
		(parent_id && store_open_commit(store, parent_id, &parent, err) < 0))
		return -1;
	const git_commit *parents[] = {parent};
	if ((!who && git_signature_new(&rondo, "rondo", "rondo@localhost", 0, 0) < 0) ||
		git_commit_create_buffer(&text, store->handle, who ? who : rondo, who ? who : rondo, NULL,
			message, tree, parent ? 1 : 0, parents) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot make a commit");
	return store_write(store, text.ptr, text.size, GIT_OBJECT_COMMIT, ret_id, err);
}

int oid_of(const struct object *object, git_oid *ret_id, struct rondo_error *err)
{
	if (strlen(object->hex) == GIT_OID_HEXSZ && git_oid_fromstr(ret_id, object->hex) == 0)
		return 0;
	return error_set(err, RONDO_ERROR_INTERNAL, "'%s' names no object", object->hex);
}

struct object object_of(const git_oid *id)
{
	struct object object;
	git_oid_tostr(object.hex, sizeof object.hex, id);
	return object;
}
