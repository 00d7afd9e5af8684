/* A change as a patch. */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "chat/edit_text.h"
#include "worktree/patch_binary.h"
#include "worktree/patch_text.h"
#include "worktree/scan.h"

enum { PATCH_PATH = 512 };

/* Where a patch is being applied. */
struct patch_place {
	char path[PATCH_PATH];
	size_t file, hunk; /* counted from 1 */
};

static int patch_note_file(const git_diff_delta *delta, void *owner)
{
	struct patch_place *place = owner;
	utf8_format(place->path, sizeof place->path, "%s", delta->new_file.path);
	place->file++;
	place->hunk = 0;
	return 0;
}

static int patch_note_hunk(const git_diff_hunk *hunk, void *owner)
{
	struct patch_place *place = owner;
	(void)hunk;
	place->hunk++;
	return 0;
}

/* The lines that a hunk expects; and at which line, or 0. */
static size_t patch_expected(git_diff *diff, const struct patch_place *place, struct strbuf *lines)
{
	AUTO_GIT(patch) *patch = NULL;
	const git_diff_hunk *hunk = NULL;
	const git_diff_line *line;
	size_t n;
	if (!place->file || !place->hunk || git_patch_from_diff(&patch, diff, place->file - 1) < 0 ||
		git_patch_get_hunk(&hunk, &n, patch, place->hunk - 1) < 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (git_patch_get_line_in_hunk(&line, patch, place->hunk - 1, i) == 0 &&
			line->origin != GIT_DIFF_LINE_ADDITION)
			strbuf_add(lines, line->content, line->content_len);
	return (size_t)hunk->old_start;
}

/* Say which lines were not found, and where others are like them. */
static int patch_refuse(struct repository *repository, const struct object *tree, git_diff *diff,
	const struct patch_place *place, struct rondo_error *err)
{
	const git_error *why = git_error_last();
	struct rondo_error absent;
	AUTO_STRBUF lines = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	error_set(err, RONDO_ERROR_USAGE, "the patch does not apply%s%s%s: %s",
		*place->path ? " to '" : "", place->path, *place->path ? "'" : "",
		why ? why->message : "libgit2 says no more");
	size_t expected = patch_expected(diff, place, &lines);
	if (!expected || repository_file(repository, tree, place->path, &text, &absent) < 0)
		return -1;
	size_t nearest = edit_nearest_line(text.text, lines.text);
	if (!nearest)
		return error_set(err, RONDO_ERROR_USAGE,
			"the patch does not apply: '%s' has no lines like those that it expects at line %zu",
			place->path, expected);
	error_set(err, RONDO_ERROR_USAGE,
		"the patch does not apply: '%s' has other lines at line %zu than it expects", place->path,
		expected);
	return nearest == expected ? -1 : error_help(err, "the nearest are at line %zu", nearest);
}

static int patch_apply(struct repository *repository, const struct object *tree,
	const struct strbuf *patch, struct object *ret_tree, struct rondo_error *err)
{
	git_oid id;
	struct patch_place place = {.file = 0};
	AUTO_GIT(tree) *from = NULL;
	AUTO_GIT(diff) *diff = NULL;
	AUTO_GIT(index) *index = NULL;
	git_repository *handle = repository->store.handle;
	const git_apply_options options = {.version = GIT_APPLY_OPTIONS_VERSION,
		.delta_cb = patch_note_file,
		.hunk_cb = patch_note_hunk,
		.payload = &place};
	if (store_open_tree(&repository->store, tree, &from, err) < 0)
		return -1;
	if (patch_check_binary(patch->text, patch->length, err) < 0)
		return -1;
	if (git_diff_from_buffer(&diff, patch->text, patch->length) < 0)
		return git_failure(err, RONDO_ERROR_USAGE, "this is no patch that can be read");
	if (!git_diff_num_deltas(diff))
		return error_set(err, RONDO_ERROR_USAGE, "this is no patch: it changes no file");
	if (git_apply_to_tree(&index, handle, from, diff, &options) < 0)
		return patch_refuse(repository, tree, diff, &place, err);
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
	/* libgit2 1.5 copies a line up to it, and then reads on to the line's end. */
	const char *nul = memchr(patch, '\0', n);
	if (nul) {
		error_set(err, RONDO_ERROR_USAGE, "the patch has a NUL byte in line %zu",
			text_count_lines(patch, (size_t)(nul - patch)) + 1);
		return error_help(err,
			"say in .gitattributes that the file is binary, and make the patch "
			"again: git diff --binary");
	}
	patch_normalize(&plain, patch, n, false, &arena);
	if (patch_apply(repository, tree, &plain, ret_tree, err) == 0)
		return 0;
	/* mail programs and editors change the ends of lines */
	if (!memchr(patch, '\r', n))
		return -1;
	patch_normalize(&cut, patch, n, true, &arena);
	return patch_apply(repository, tree, &cut, ret_tree, &again);
}
