/*
 * A change that somebody else made: a commit against where it branched off, or a patch. Patches
 * come as git prints them, also in a mail, or as diff -u does, which names files and no more.
 */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "worktree/scan.h"

enum { PROPOSAL_PATH = 512 };

int repository_base_at(struct repository *repository, const struct object *commit,
	struct arena *arena, struct base *ret_base, struct rondo_error *err)
{
	git_oid id;
	struct base now;
	AUTO_GIT(commit) *found = NULL;
	if (oid_of(commit, &id, err) < 0 ||
		store_open_commit(&repository->store, &id, &found, err) < 0 ||
		repository_base(repository, BASE_HEAD, arena, &now, err) < 0)
		return -1;
	*ret_base = (struct base){.commit = *commit,
		.tree = object_of(git_commit_tree_id(found)),
		.head = *commit,
		.branch = now.branch,
		.borrowed = now.borrowed,
		.n_borrowed = now.n_borrowed};
	return 0;
}

int repository_merge_base(struct repository *repository, const struct object *a,
	const struct object *b, struct object *ret_commit, struct rondo_error *err)
{
	git_oid one, other, found;
	if (oid_of(a, &one, err) < 0 || oid_of(b, &other, err) < 0)
		return -1;
	if (git_merge_base(&found, repository->store.handle, &one, &other) < 0) {
		error_set(err, RONDO_ERROR_USAGE, "the commits %.10s and %.10s have no common ancestor",
			a->hex, b->hex);
		return error_help(err, "--base names the commit to compare with");
	}
	*ret_commit = object_of(&found);
	return 0;
}

int repository_date_by(
	struct repository *repository, const struct object *tree, struct rondo_error *err)
{
	AUTO_GIT(tree) *from = NULL;
	if (store_open_tree(&repository->store, tree, &from, err) < 0)
		return -1;
	for (size_t i = 0; i < repository->seen.n; i++) {
		struct known_file *file = repository->seen.items[i];
		git_tree_entry *entry = NULL;
		bool is_there = git_tree_entry_bypath(&entry, from, file->path) == 0;
		if (!is_there || !git_oid_equal(git_tree_entry_id(entry), &file->id))
			file->stamp_ns = 0;
		git_tree_entry_free(entry);
	}
	return 0;
}

/* --- Patches --- */

/* The path of a line "--- a/x.c<TAB>2026-11-27 ...", without its first directory if that is a or
 * b; in the arena. */
static const char *proposal_path(const char *line, size_t n, struct arena *arena)
{
	const char *path = line + strlen("--- ");
	n -= strlen("--- ");
	const char *tab = memchr(path, '\t', n);
	n = tab ? (size_t)(tab - path) : n;
	if (n && path[n - 1] == '\r')
		n--;
	if (n > 2 && (path[0] == 'a' || path[0] == 'b') && path[1] == '/')
		path += 2, n -= 2;
	return arena_strndup(arena, path, n);
}

/* The lines that git would have put before "---" and "+++". */
static void proposal_add_heading(struct strbuf *patch, const char *old, const char *new)
{
	bool is_new = strcmp(old, "/dev/null") == 0, is_gone = strcmp(new, "/dev/null") == 0;
	const char *path = is_new ? new : old;
	strbuf_addf(patch, "diff --git a/%s b/%s\n", path, is_gone ? path : new);
	if (is_new || is_gone)
		strbuf_addf(patch, "%s file mode 100644\n", is_new ? "new" : "deleted");
	strbuf_addf(patch, "--- %s%s\n+++ %s%s\n", is_new ? "" : "a/", old, is_gone ? "" : "b/", new);
}

/* A patch as libgit2 reads it: each file with git's heading, nothing before and between. */
static void proposal_normalize(
	struct strbuf *patch, const char *text, size_t n, bool cuts_cr, struct arena *arena)
{
	const char *at = text, *end = text + n, *line;
	bool has_heading = false;
	for (size_t length; (line = text_next_line(&at, end, &length));) {
		const char *after = at;
		size_t next_length = 0;
		const char *next = text_next_line(&after, end, &next_length);
		if (text_n_starts_with(line, length, "diff --git "))
			has_heading = true;
		if (!has_heading && next && text_n_starts_with(line, length, "--- ") &&
			text_n_starts_with(next, next_length, "+++ ")) {
			proposal_add_heading(
				patch, proposal_path(line, length, arena), proposal_path(next, next_length, arena));
			at = after;
			continue;
		}
		if (text_n_starts_with(line, length, "+++ "))
			has_heading = false; /* that of the next file */
		if (cuts_cr && length && line[length - 1] == '\r')
			length--;
		strbuf_add(patch, line, length);
		strbuf_addc(patch, '\n');
	}
}

/* Which file is being patched. */
static int proposal_note_file(const git_diff_delta *delta, void *owner)
{
	utf8_format(owner, PROPOSAL_PATH, "%s", delta->new_file.path);
	return 0;
}

static int proposal_refuse(const char *path, struct rondo_error *err)
{
	const git_error *why = git_error_last();
	return error_set(err, RONDO_ERROR_USAGE, "the patch does not apply%s%s%s%s%s",
		*path ? " to '" : "", path, *path ? "'" : "", why ? ": " : "", why ? why->message : "");
}

static int proposal_apply(struct repository *repository, const struct object *tree,
	const struct strbuf *patch, struct object *ret_tree, struct rondo_error *err)
{
	git_oid id;
	char path[PROPOSAL_PATH] = "";
	AUTO_GIT(tree) *from = NULL;
	AUTO_GIT(diff) *diff = NULL;
	AUTO_GIT(index) *index = NULL;
	git_repository *handle = repository->store.handle;
	const git_apply_options options = {.version = GIT_APPLY_OPTIONS_VERSION,
		.delta_cb = proposal_note_file,
		.payload = path};
	if (store_open_tree(&repository->store, tree, &from, err) < 0)
		return -1;
	if (git_diff_from_buffer(&diff, patch->text, patch->length) < 0)
		return git_failure(err, RONDO_ERROR_USAGE, "this is no patch that can be read");
	if (!git_diff_num_deltas(diff))
		return error_set(err, RONDO_ERROR_USAGE, "this is no patch: it changes no file");
	if (git_apply_to_tree(&index, handle, from, diff, &options) < 0)
		return proposal_refuse(path, err);
	if (git_index_write_tree_to(&id, index, handle) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write the patched tree");
	*ret_tree = object_of(&id);
	return 0;
}

int repository_patch_tree(struct repository *repository, const struct object *tree,
	const char *patch, size_t n, struct object *ret_tree, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error again;
	AUTO_STRBUF plain = STRBUF_INIT(STRBUF_RECORD);
	AUTO_STRBUF cut = STRBUF_INIT(STRBUF_RECORD);
	proposal_normalize(&plain, patch, n, false, &arena);
	if (proposal_apply(repository, tree, &plain, ret_tree, err) == 0)
		return 0;
	/* mail programs and editors change the ends of lines */
	if (!memchr(patch, '\r', n))
		return -1;
	proposal_normalize(&cut, patch, n, true, &arena);
	return proposal_apply(repository, tree, &cut, ret_tree, &again);
}
