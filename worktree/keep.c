/*
 * What a run has to keep of its repository to be gone on with when all that lies in the cache is
 * gone: the objects of trees and commits, packed, in a directory of the run's. Objects and not a
 * diff, because they come back byte for byte, whatever they hold.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "worktree/internal.h"

enum {
	SILENCE_MS = 1000, /* of a lock that is empty: nobody is about to write it */
	SILENCE_LOOKS = 20,
};

/* Under its name only when it is whole: that is what its being there means. */
static int put_in_place(const char *dir, const char *draft, const char *tree, size_t i,
	const char *suffix, struct rondo_error *err)
{
	AUTO_STRBUF from = STRBUF_INIT(STRBUF_LINE), to = STRBUF_INIT(STRBUF_LINE);
	char number[32] = "";
	if (i)
		snprintf(number, sizeof number, "-%zu", i);
	strbuf_addf(&from, "%s/%s%s.%s", dir, draft, number, suffix);
	strbuf_addf(&to, "%s/pack-%s%s.%s", dir, tree, number, suffix);
	if (file_sync(from.text, err) < 0)
		return -1;
	return rename(from.text, to.text) == 0
		? 0
		: error_errno(err, RONDO_ERROR_TRANSIENT, "cannot write '%s'", to.text);
}

static bool is_kept(const char *dir, const char *tree)
{
	AUTO_STRBUF index = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&index, "%s/pack-%s.idx", dir, tree);
	return file_exists(index.text);
}

int repository_keep(struct repository *repository, const struct object *tree,
	const struct object *old, const struct object *commit, const char *dir, struct rondo_error *err)
{
	AUTO_GATHERING gathering = {.store = &repository->store};
	git_oid tree_id, old_id, commit_id;
	char draft[16] = "new-";
	if (is_kept(dir, tree->hex))
		return 0;
	hash_random(draft + strlen(draft), 8); /* what a run that died here left is in nobody's way */
	if (oid_of(tree, &tree_id, err) < 0 || (old && oid_of(old, &old_id, err) < 0) ||
		(commit && oid_of(commit, &commit_id, err) < 0) || file_make_dir(dir, 0700, err) < 0 ||
		gathering_add(&gathering, &tree_id, old ? &old_id : NULL, err) < 0)
		return -1;
	if (commit)
		ARENA_PUSH(&gathering.arena, gathering.ids, gathering.n, commit_id);
	size_t n_packs;
	if (pack_write(&repository->store, gathering.ids, gathering.n, LARGEST_PACK, dir, draft,
			&n_packs, err) < 0)
		return -1;
	for (size_t i = n_packs; i-- > 0;) /* the one whose index says that all are there is the last */
		if (put_in_place(dir, draft, tree->hex, i, "pack", err) < 0 ||
			put_in_place(dir, draft, tree->hex, i, "idx", err) < 0)
			return -1;
	return file_sync(dir, err);
}

int repository_keep_base(struct repository *repository, const struct base *base, const char *dir,
	struct rondo_error *err)
{
	AUTO_GIT(commit) *head = NULL;
	git_oid id;
	if (!repository->user)
		return repository_keep(repository, &base->tree, NULL, &base->commit, dir, err);
	if (!base->is_snapshot)
		return 0;
	if (oid_of(&base->head, &id, err) < 0 ||
		store_open_commit(&repository->store, &id, &head, err) < 0)
		return -1;
	struct object tree = object_of(git_commit_tree_id(head));
	return repository_keep(repository, &base->tree, &tree, &base->commit, dir, err);
}

/* Another handle may have taken a pack of the same tree. */
static int take_file(const char *from, const char *to, struct rondo_error *err)
{
	return link(from, to) == 0 || errno == EEXIST ? 0 : file_copy_tree(from, to, err);
}

int repository_take(struct repository *repository, const char *dir, struct rondo_error *err)
{
	DIR *packs = opendir(dir);
	int status = 0;
	for (struct dirent *entry; packs && status == 0 && (entry = readdir(packs));) {
		AUTO_STRBUF from = STRBUF_INIT(STRBUF_LINE), to = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&from, "%s/%s", dir, entry->d_name);
		strbuf_addf(&to, "%s/objects/pack/%s", repository->private_dir, entry->d_name);
		if (text_starts_with(entry->d_name, "pack-"))
			status = take_file(from.text, to.text, err);
	}
	if (packs)
		closedir(packs);
	if (status == 0 && git_odb_refresh(repository->store.odb) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read '%s'", dir);
	return status;
}

int repository_has_commit(
	struct repository *repository, const struct object *commit, struct rondo_error *err)
{
	AUTO_GIT(commit) *found = NULL;
	git_oid id;
	if (oid_of(commit, &id, err) < 0)
		return -1;
	if (git_commit_lookup(&found, repository->store.handle, &id) == 0)
		return 0;
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "commit %s is not in '%s' any more", commit->hex,
		repository->root);
	return error_help(err, "git fetch the branch that it was on, or start over: rondo fix");
}

static bool commit_says(git_repository *handle, const git_oid *id, const char *line)
{
	AUTO_GIT(commit) *commit = NULL;
	return git_commit_lookup(&commit, handle, id) == 0 && strstr(git_commit_message(commit), line);
}

/* Whether the lock is one whose run is dead: see the header. */
static bool is_left_lock(struct repository *repository, const char *lock, const char *line)
{
	const struct timespec moment = {.tv_nsec = SILENCE_MS * 1000000L / SILENCE_LOOKS};
	for (int looks = 0; looks < SILENCE_LOOKS; looks++) {
		struct rondo_error ignored;
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		git_oid id;
		if (file_read(lock, STRBUF_LINE, &text, &ignored) < 0)
			return false;
		strbuf_rtrim(&text);
		if (text.length)
			return text.length == GIT_OID_HEXSZ && git_oid_fromstr(&id, text.text) == 0 &&
				commit_says(repository->user, &id, line);
		nanosleep(&moment, NULL);
	}
	return true;
}

void repository_unlock_branch(struct repository *repository, const char *name, const char *line)
{
	AUTO_STRBUF lock = STRBUF_INIT(STRBUF_LINE);
	if (!repository->user)
		return;
	strbuf_addf(&lock, "%srefs/heads/%s.lock", git_repository_commondir(repository->user), name);
	if (!line || is_left_lock(repository, lock.text, line))
		unlink(lock.text);
}

bool repository_branch_says(
	struct repository *repository, const char *name, const char *line, struct object *ret_commit)
{
	AUTO_STRBUF ref = STRBUF_INIT(STRBUF_LINE);
	git_oid id;
	strbuf_addf(&ref, "refs/heads/%s", name);
	if (!repository->user || git_reference_name_to_id(&id, repository->user, ref.text) < 0 ||
		!commit_says(repository->user, &id, line))
		return false;
	*ret_commit = object_of(&id);
	return true;
}
