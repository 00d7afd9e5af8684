/*
 * What lines of texts were before. The way goes from the texts to the base, to HEAD, and on from
 * commit to first parent. Of each line of an older version it is known where it stands in the text,
 * if it still does; so what a commit did to lines that were changed again is left out.
 */
#include <string.h>

#include "base/memory.h"
#include "worktree/internal.h"

#define MOST_FILES 1000 /* of a change; a larger one and all before it are left out */
#define NOWHERE SIZE_MAX

/* The way of one text. */
struct trail {
	size_t text; /* its place among the texts */
	size_t *at;  /* by line of the version: its line in the text; last the number of these */
	size_t n;    /* lines of the version */
	bool is_lost;
};

struct past_walk {
	struct repository *repository;
	struct arena *arena;
	struct past *past;
	past_read *read;
	void *owner;       /* of `read` */
	struct map trails; /* by path */
	size_t n_files;    /* of the current change */
};

/* Also one that no newline ends. */
static size_t count_lines(const char *text, size_t n)
{
	return text_count_lines(text, n) + (n && text[n - 1] != '\n');
}

/* Where a run of lines of the version stands in the text; NOWHERE: not as one run. */
static size_t trail_find(const struct trail *trail, size_t first, size_t n)
{
	size_t place = trail->at[first];
	if (place == NOWHERE || (!n && first && trail->at[first - 1] != place - 1) ||
		(!n && !first && place))
		return NOWHERE;
	for (size_t i = 1; i < n; i++)
		if (trail->at[first + i] != place + i)
			return NOWHERE;
	return place;
}

/* Note a hunk of the newest change that was looked at. */
static void trail_add(struct past_walk *walk, const struct trail *trail,
	const struct file_change *change, const struct hunk *hunk)
{
	struct past_text *text = &walk->past->texts[trail->text];
	size_t first = trail_find(trail, hunk->first, hunk->n);
	if (first == NOWHERE)
		return;
	const char *old = text_line(change->old, change->n_old, hunk->old_first);
	size_t left = change->n_old - (size_t)(old - change->old);
	const char *end = text_line(old, left, hunk->n_old);
	ARENA_PUSH(walk->arena, text->hunks, text->n_hunks,
		(struct past_hunk){.change = walk->past->n_changes - 1,
			.first = first,
			.n = hunk->n,
			.old = arena_strndup(walk->arena, old, (size_t)(end - old)),
			.n_old = (size_t)(end - old)});
}

/* Go one version back. */
static void trail_step(struct trail *trail, const struct file_change *change,
	const struct hunk *hunks, size_t n_hunks, struct arena *arena)
{
	size_t n = count_lines(change->old, change->n_old), line = 0, to = 0;
	size_t *at = arena_alloc(arena, (n + 1) * sizeof *at);
	for (size_t i = 0; i < n_hunks; i++) {
		while (to < hunks[i].old_first)
			at[to++] = trail->at[line++];
		for (size_t k = 0; k < hunks[i].n_old; k++)
			at[to++] = NOWHERE;
		line += hunks[i].n;
	}
	while (to <= n)
		at[to++] = trail->at[line++];
	trail->at = at;
	trail->n = n;
}

/* `adds`: its hunks are the change's, not the difference of the text to the base. */
static int trail_follow(struct past_walk *walk, struct trail *trail, struct file_change *change,
	bool adds, struct rondo_error *err)
{
	struct hunk *hunks;
	size_t n;
	change->old_mode = change->mode; /* only lines count here */
	if (file_change_hunks(change, walk->arena, &hunks, &n, err) < 0)
		return -1;
	for (size_t i = 0; adds && i < n; i++)
		trail_add(walk, trail, change, &hunks[i]);
	trail_step(trail, change, hunks, n, walk->arena);
	return 0;
}

/* Begin at the text as it is now and go to the base's version of it, which has not changed
 * since. */
static struct trail *trail_begin(struct past_walk *walk, const struct file_change *base)
{
	struct past *past = walk->past;
	struct rondo_error ignored;
	struct past_text now = {.path = arena_strdup(walk->arena, base->path)};
	struct trail *trail = arena_alloc(walk->arena, sizeof *trail);
	map_put(&walk->trails, walk->arena, now.path, trail);
	trail->is_lost = !base->text || !walk->read(walk->owner, now.path, &now);
	if (trail->is_lost)
		return trail;
	struct file_change change = {.path = now.path,
		.old = base->text,
		.n_old = base->n_text,
		.text = now.text,
		.n_text = now.n};
	trail->text = past->n_texts;
	ARENA_PUSH(walk->arena, past->texts, past->n_texts, now);
	trail->n = count_lines(now.text, now.n);
	trail->at = arena_alloc(walk->arena, (trail->n + 1) * sizeof *trail->at);
	for (size_t i = 0; i <= trail->n; i++)
		trail->at[i] = i;
	trail->is_lost = trail_follow(walk, trail, &change, false, &ignored) < 0;
	return trail;
}

/* One file that a change made another. What cannot be read ends its way: a partial clone has not
 * all. */
static int walk_file(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	struct past_walk *walk = owner;
	struct trail *trail = map_get(&walk->trails, path);
	struct file_change change;
	struct rondo_error ignored;
	if (++walk->n_files > MOST_FILES)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a change of too many files");
	if ((trail && trail->is_lost) ||
		file_change_read(&walk->repository->store, path, from, to, walk->arena, &change, &ignored) <
			0)
		return 0;
	trail = trail ? trail : trail_begin(walk, &change);
	trail->is_lost = trail->is_lost || !change.old || !change.text ||
		trail_follow(walk, trail, &change, true, &ignored) < 0;
	return 0;
}

/* False where the way ends here. */
static bool walk_change(struct past_walk *walk, const struct object *from, const struct object *to,
	const struct past_change *change)
{
	struct past *past = walk->past;
	struct rondo_error ignored;
	walk->n_files = 0;
	ARENA_PUSH(walk->arena, past->changes, past->n_changes, *change);
	return tree_compare(&walk->repository->store, from, to, walk_file, walk, &ignored) == 0;
}

/* Whether a commit belongs to what lies before `since`. */
static bool is_before(
	const struct repository *repository, const git_oid *commit, const struct object *since)
{
	git_oid id;
	struct rondo_error ignored;
	return since && oid_of(since, &id, &ignored) == 0 &&
		(git_oid_equal(&id, commit) ||
			git_graph_descendant_of(repository->store.handle, &id, commit) == 1);
}

/* The commit's own change, against its first parent. False where the way ends. */
static bool walk_commit(struct past_walk *walk, git_commit *commit, git_commit **ret_parent)
{
	char name[8];
	const char *subject = git_commit_summary(commit);
	/* A shallow repository names parents that it does not have. */
	if (!git_commit_parentcount(commit) || git_commit_parent(ret_parent, commit, 0) < 0)
		return false;
	git_oid_tostr(name, sizeof name, git_commit_id(commit));
	struct past_change change = {.commit = arena_strdup(walk->arena, name),
		.subject = arena_strdup(walk->arena, subject ? subject : "")};
	struct object from = object_of(git_commit_tree_id(*ret_parent));
	struct object to = object_of(git_commit_tree_id(commit));
	return walk_change(walk, &from, &to, &change);
}

static void walk_commits(
	struct past_walk *walk, const struct base *base, const struct object *since, size_t most)
{
	struct rondo_error ignored;
	git_oid id;
	git_commit *commit = NULL, *parent = NULL;
	if (oid_of(&base->head, &id, &ignored) < 0 ||
		store_open_commit(&walk->repository->store, &id, &commit, &ignored) < 0)
		return; /* there is none yet */
	struct object tree = object_of(git_commit_tree_id(commit));
	bool goes_on = !base->is_snapshot ||
		walk_change(walk, &tree, &base->tree, &(struct past_change){.commit = NULL});
	for (; goes_on && most && !is_before(walk->repository, git_commit_id(commit), since); most--) {
		goes_on = walk_commit(walk, commit, &parent);
		if (!parent)
			break;
		git_commit_free(commit);
		commit = parent;
		parent = NULL;
	}
	git_commit_free(commit);
}

void repository_past(struct repository *repository, const struct base *base,
	const struct object *since, size_t most, past_read *read, void *owner, struct arena *arena,
	struct past *ret_past)
{
	struct past_walk walk = {
		.repository = repository, .arena = arena, .past = ret_past, .read = read, .owner = owner};
	*ret_past = (struct past){.n_changes = 0};
	walk_commits(&walk, base, since, most);
}
