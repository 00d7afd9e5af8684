/*
 * What code in the sandbox sees as .git: a repository with the base as its one commit. It shares
 * nothing with the user's, so whatever is done to it is done to nobody.
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/internal.h"

static int write_text(const char *dir, const char *name, const char *text, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/%s", dir, name);
	return file_create(path.text, text, strlen(text), 0644, err);
}

/* How files differ from their blobs is the one thing that is taken over. */
static int write_config(struct repository *repository, const char *dir, struct rondo_error *err)
{
	static const char *const keys[] = {"core.autocrlf", "core.eol"};
	AUTO_GIT(config) *config = NULL;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&text,
		"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
		"\tlogallrefupdates = true\n");
	if (git_repository_config_snapshot(&config, repository->store.handle) < 0)
		return git_failure(err, RONDO_ERROR_INTERNAL, "cannot read rondo's configuration");
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *value;
		if (git_config_get_string(&value, config, keys[i]) == 0)
			strbuf_addf(&text, "\t%s = %s\n", strchr(keys[i], '.') + 1, value);
	}
	/* A submodule's .git file names a directory that the sandbox does not have. */
	strbuf_adds(&text,
		"[diff]\n\tignoreSubmodules = all\n[gc]\n\tauto = 0\n"
		"[user]\n\tname = rondo\n\temail = rondo@localhost\n");
	return write_text(dir, "config", text.text, err);
}

/* The index that fits the tree. What the user's checkout has in place of it is not to look changed.
 */
static int write_index(struct repository *repository, const struct base *base, const char *dir,
	struct rondo_error *err)
{
	AUTO_GIT(tree) *tree = NULL;
	AUTO_GIT(index) *index = NULL;
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/index", dir);
	if (store_open_tree(&repository->store, &base->tree, &tree, err) < 0)
		return -1;
	if (git_index_open(&index, path.text) < 0 || git_index_read_tree(index, tree) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot make an index");
	for (size_t i = 0; i < base->n_borrowed; i++) {
		const git_index_entry *entry = git_index_get_bypath(index, base->borrowed[i], 0);
		if (!entry || entry->mode == GIT_FILEMODE_COMMIT)
			continue;
		git_index_entry borrowed = *entry;
		borrowed.flags |= GIT_INDEX_ENTRY_VALID;
		git_index_add(index, &borrowed);
	}
	if (git_index_write(index) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write '%s'", path.text);
	return 0;
}

static int make_dirs(const char *dir, struct rondo_error *err)
{
	static const char *const names[] = {
		"objects/pack", "objects/info", "refs/heads", "refs/tags", "info"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&path, "%s/%s", dir, names[i]);
		if (file_make_dir(path.text, 0755, err) < 0)
			return -1;
	}
	return 0;
}

/* The commit, as old as the base is. */
static int make_commit(struct repository *repository, const struct base *base, const git_oid *tree,
	git_oid *ret_id, struct rondo_error *err)
{
	AUTO_GIT(commit) *real = NULL;
	AUTO_GIT(signature) *who = NULL;
	git_oid id;
	if (oid_of(&base->commit, &id, err) < 0 ||
		store_open_commit(&repository->store, &id, &real, err) < 0)
		return -1;
	if (git_signature_new(&who, "rondo", "rondo@localhost", git_commit_time(real), 0) < 0)
		return git_failure(err, RONDO_ERROR_INTERNAL, "cannot make an identity");
	return store_commit(&repository->store, tree, NULL, who, "base\n", ret_id, err);
}

int repository_write_throwaway(struct repository *repository, const struct base *base,
	const char *dir, struct rondo_error *err)
{
	AUTO_GATHERING gathering = {.store = &repository->store};
	git_oid tree, commit;
	size_t n_packs;
	if (oid_of(&base->tree, &tree, err) < 0 ||
		make_commit(repository, base, &tree, &commit, err) < 0 ||
		gathering_add(&gathering, &tree, NULL, err) < 0)
		return -1;
	ARENA_PUSH(&gathering.arena, gathering.ids, gathering.n, commit);
	AUTO_STRBUF packs = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF head = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&packs, "%s/objects/pack", dir);
	strbuf_addf(&head, "%s\n", object_of(&commit).hex);
	if (make_dirs(dir, err) < 0 || write_text(dir, "HEAD", "ref: refs/heads/main\n", err) < 0 ||
		write_text(dir, "refs/heads/main", head.text, err) < 0 ||
		write_config(repository, dir, err) < 0 ||
		pack_write(&repository->store, gathering.ids, gathering.n, LARGEST_PACK, packs.text,
			"pack-base", &n_packs, err) < 0)
		return -1;
	return write_index(repository, base, dir, err);
}
