/*
 * The one thing that is ever written to the user's repository: the objects of a verified fix and a
 * new branch that points at it.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "worktree/internal.h"

#include <git2/sys/repository.h>

/* libgit2 finds the time's zone by mktime, which takes and gives back memory under a lock of its
 * own. Under one that is seen, ThreadSanitizer has nothing to say of two runs that end at a
 * time. */
static pthread_mutex_t dating = PTHREAD_MUTEX_INITIALIZER;

int identity_of(struct repository *repository, git_signature **ret_who, struct rondo_error *err)
{
	int64_t date_ms;
	if (clock_made_ms(&date_ms, err) < 0)
		return -1;
	pthread_mutex_lock(&dating);
	int result = repository->user ? git_signature_default(ret_who, repository->user) : -1;
	if (result < 0)
		result = git_signature_now(ret_who, "rondo", "rondo@localhost");
	pthread_mutex_unlock(&dating);
	if (result < 0)
		return git_failure(err, RONDO_ERROR_INTERNAL, "cannot make an identity");
	if (getenv("SOURCE_DATE_EPOCH"))
		(*ret_who)->when = (git_time){.time = date_ms / 1000, .sign = '+'};
	return 0;
}

static int branch_check_name(const char *name, struct rondo_error *err)
{
	int valid = 0;
	if (git_branch_name_is_valid(&valid, name) == 0 && valid)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "'%s' is not a name for a branch", name);
	return error_help(err,
		"git check-ref-format --branch NAME tells which names are; give one with --branch NAME");
}

static int branch_in_the_way(const char *ref, const char *name, struct rondo_error *err)
{
	const char *other = ref + strlen("refs/heads/");
	if (strcmp(other, name) == 0)
		error_set(err, RONDO_ERROR_USAGE, "there is a branch '%s' already", name);
	else
		error_set(err, RONDO_ERROR_USAGE, "a branch '%s' is in the way of '%s'", other, name);
	return error_help(err, "--branch NAME, or git branch -m '%s' OTHER", other);
}

/* A branch `a` blocks all of `a/...`. A crash can leave a ref as an empty file, which no command of
 * git's removes. */
static int branch_check_ref(
	struct repository *repository, const char *ref, const char *name, struct rondo_error *err)
{
	AUTO_GIT(reference) *found = NULL;
	int result = git_reference_lookup(&found, repository->user, ref);
	if (result == GIT_ENOTFOUND)
		return 0;
	if (result == 0)
		return branch_in_the_way(ref, name, err);
	git_failure(err, RONDO_ERROR_USAGE, "there is a branch '%s' that git cannot read", name);
	if (err->code != RONDO_ERROR_TRANSIENT && strcmp(ref + strlen("refs/heads/"), name) != 0)
		return branch_in_the_way(ref, name, err);
	return error_help(
		err, "--branch NAME, or rm '%s%s'", git_repository_commondir(repository->user), ref);
}

static int branch_check_below(git_repository *user, const char *name, struct rondo_error *err)
{
	AUTO_GIT(reference_iterator) *refs = NULL;
	AUTO_STRBUF below = STRBUF_INIT(STRBUF_LINE);
	const char *ref;
	strbuf_addf(&below, "refs/heads/%s/*", name); /* no name of a branch has a character of globs */
	if (git_reference_iterator_glob_new(&refs, user, below.text) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read the branches");
	return git_reference_next_name(&ref, refs) == 0 ? branch_in_the_way(ref, name, err) : 0;
}

int repository_check_branch(
	struct repository *repository, const char *name, struct rondo_error *err)
{
	if (!repository->user) {
		error_set(err, RONDO_ERROR_USAGE, "'%s' is in no git repository, so there can be no branch",
			repository->root);
		return error_help(err, "--apply, or --patch FILE");
	}
	if (branch_check_name(name, err) < 0)
		return -1;
	AUTO_STRBUF ref = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&ref, "refs/heads/");
	for (const char *at = name;; at++) {
		size_t n = strcspn(at, "/");
		strbuf_add(&ref, at, n);
		if (branch_check_ref(repository, ref.text, name, err) < 0)
			return -1;
		at += n;
		if (!*at)
			return branch_check_below(repository->user, name, err);
		strbuf_addc(&ref, '/');
	}
}

/* The last one first, so that a tree never comes before what it holds. */
static int branch_copy_objects(
	const struct gathering *objects, git_odb *to, struct rondo_error *err)
{
	for (size_t i = objects->n; i-- > 0;) {
		AUTO_STORED object = {0};
		git_oid id = objects->ids[i];
		if (git_odb_exists_ext(to, &id, GIT_ODB_LOOKUP_NO_REFRESH))
			continue;
		if (store_read(objects->store, &id, GIT_OBJECT_ANY, &object, err) < 0)
			return -1;
		if (git_odb_write(&id, to, object.bytes, object.n, object.type) < 0)
			return git_failure(
				err, RONDO_ERROR_CANNOT_JUDGE, "cannot write to the repository's objects");
	}
	return 0;
}

/* A commit and what it has beyond its parent. */
static int branch_gather_commit(
	struct gathering *objects, const git_oid *id, const git_oid *parent_id, struct rondo_error *err)
{
	AUTO_GIT(commit) *commit = NULL;
	AUTO_GIT(commit) *parent = NULL;
	if (store_open_commit(objects->store, id, &commit, err) < 0 ||
		store_open_commit(objects->store, parent_id, &parent, err) < 0)
		return -1;
	ARENA_PUSH(&objects->arena, objects->ids, objects->n, *id);
	return gathering_add(objects, git_commit_tree_id(commit), git_commit_tree_id(parent), err);
}

static int make_ref(struct repository *repository, const char *branch, const git_signature *who,
	const git_oid *commit, const char *message, struct rondo_error *err)
{
	AUTO_GIT(reference) *made = NULL;
	AUTO_STRBUF ref = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF reason = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&ref, "refs/heads/%s", branch);
	strbuf_addf(&reason, "rondo: %.*s", (int)strcspn(message, "\n"), message);
	git_repository_set_ident(repository->user, who->name, who->email);
	pthread_mutex_lock(&dating);
	int result = git_reference_create(&made, repository->user, ref.text, commit, 0, reason.text);
	pthread_mutex_unlock(&dating);
	if (result == 0)
		return 0;
	git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot make the branch '%s'", branch);
	if (result == GIT_EEXISTS) /* somebody else was faster, and the check says it better */
		repository_check_branch(repository, branch, err);
	return -1;
}

int repository_sync(struct repository *repository, struct rondo_error *err)
{
	const char *dir = git_repository_commondir(repository->user);
	AUTO_CLOSE fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || syncfs(fd) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot force '%s' to disk", dir);
	return 0;
}

/* A handle on the user's refs that sees how libgit2's switch stands now. */
static int branch_reopen_refs(git_repository *user, struct rondo_error *err)
{
	AUTO_GIT(refdb) *refs = NULL;
	if (git_refdb_open(&refs, user) == 0 && git_repository_set_refdb(user, refs) == 0)
		return 0;
	return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot open the repository's branches");
}

static int branch_sync_above(
	struct repository *repository, const char *branch, struct rondo_error *err)
{
	AUTO_STRBUF top = STRBUF_INIT(STRBUF_LINE), ref = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&top, "%srefs/heads", git_repository_commondir(repository->user));
	strbuf_addf(&ref, "%s/%s", top.text, branch);
	return file_sync_up(ref.text, top.text, err);
}

/* libgit2 forces a file and its directory to disk, but not those above, which may be new. */
static int branch_write(struct repository *repository, const struct gathering *objects,
	const char *branch, const git_signature *who, const git_oid *commit, const char *message,
	struct rondo_error *err)
{
	AUTO_GIT(odb) *user_odb = NULL;
	if (git_repository_odb(&user_odb, repository->user) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot open the repository's objects");
	if (branch_reopen_refs(repository->user, err) < 0 ||
		branch_copy_objects(objects, user_odb, err) < 0 ||
		file_sync(repository->objects, err) < 0 ||
		make_ref(repository, branch, who, commit, message, err) < 0)
		return -1;
	return branch_sync_above(repository, branch, err);
}

/* libgit2 has one switch for all repositories. It is on only while a branch is made, because
 * rondo's own repository holds nothing that has to survive a crash, and would be slow. */
static void branch_switch_sync(bool on)
{
	static pthread_mutex_t switching = PTHREAD_MUTEX_INITIALIZER;
	if (on)
		pthread_mutex_lock(&switching);
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, on);
	if (!on)
		pthread_mutex_unlock(&switching);
}

int repository_publish(struct repository *repository, const struct base *base,
	const struct object *tree, const char *branch, const char *message, struct object *ret_commit,
	struct rondo_error *err)
{
	AUTO_GIT(signature) *who = NULL;
	git_oid tree_id, base_id, head_id, commit;
	if (repository_check_branch(repository, branch, err) < 0 || oid_of(tree, &tree_id, err) < 0 ||
		oid_of(&base->commit, &base_id, err) < 0 || oid_of(&base->head, &head_id, err) < 0 ||
		identity_of(repository, &who, err) < 0 ||
		store_commit(&repository->store, &tree_id, &base_id, who, message, &commit, err) < 0)
		return -1;
	AUTO_GATHERING objects = {.store = &repository->store};
	if (branch_gather_commit(&objects, &commit, &base_id, err) < 0 ||
		(base->is_snapshot && branch_gather_commit(&objects, &base_id, &head_id, err) < 0))
		return -1;
	branch_switch_sync(true);
	int result = branch_write(repository, &objects, branch, who, &commit, message, err);
	branch_switch_sync(false);
	if (result < 0)
		return -1;
	*ret_commit = object_of(&commit);
	return 0;
}
