/*
 * Trees as data: written, compared, merged. Two trees are gone through side by side in git's order,
 * where a directory stands as if its name ended in a slash; so a file and a directory of one name
 * are two entries and need no case of their own.
 */
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "worktree/internal.h"

enum { DEEPEST = 512 }; /* a tree of more levels was made to exhaust the stack */

static int compare_names(const char *a, bool a_is_dir, const char *b, bool b_is_dir)
{
	size_t i = 0;
	while (a[i] && a[i] == b[i])
		i++;
	int next_a = a[i] ? (unsigned char)a[i] : a_is_dir ? '/' : 0;
	int next_b = b[i] ? (unsigned char)b[i] : b_is_dir ? '/' : 0;
	return next_a - next_b;
}

static int compare_items(const void *a, const void *b)
{
	const struct tree_item *first = a, *second = b;
	return compare_names(first->name, first->mode == GIT_FILEMODE_TREE, second->name,
		second->mode == GIT_FILEMODE_TREE);
}

int tree_write(
	struct store *store, struct tree_items *items, git_oid *ret_id, struct rondo_error *err)
{
	if (items->n)
		qsort(items->items, items->n, sizeof *items->items, compare_items);
	AUTO_STRBUF bytes = STRBUF_INIT(STRBUF_RECORD);
	for (size_t i = 0; i < items->n; i++) {
		const struct tree_item *item = &items->items[i];
		strbuf_addf(&bytes, "%o ", item->mode);
		strbuf_add(&bytes, item->name, strlen(item->name) + 1);
		strbuf_add(&bytes, item->id.id, sizeof item->id.id);
	}
	if (bytes.cut)
		return error_set(
			err, RONDO_ERROR_CANNOT_JUDGE, "a directory has too many files: %zu", items->n);
	return store_write(store, bytes.text, bytes.length, GIT_OBJECT_TREE, ret_id, err);
}

/* HFS+ takes names for the same that differ only in U+200C..200F, 202A..202E, 206A..206F, FEFF. */
static bool is_invisible(const char *at)
{
	const unsigned char *c = (const unsigned char *)at;
	if (c[0] == 0xe2 && c[1] == 0x80)
		return (c[2] >= 0x8c && c[2] <= 0x8f) || (c[2] >= 0xaa && c[2] <= 0xae);
	if (c[0] == 0xe2 && c[1] == 0x81)
		return c[2] >= 0xaa && c[2] <= 0xaf;
	return c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf;
}

bool tree_name_is_refused(const char *name)
{
	if (!*name || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return true;
	/* NTFS ends a name at a stream's colon and drops dots and spaces there. */
	AUTO_STRBUF plain = STRBUF_INIT(STRBUF_LINE);
	for (const char *at = name; *at && *at != ':' && *at != '\\'; at++) {
		if (is_invisible(at))
			at += 2;
		else
			strbuf_addc(&plain, *at);
	}
	while (plain.length && strchr(". ", plain.text[plain.length - 1]))
		strbuf_truncate(&plain, plain.length - 1);
	return strcasecmp(plain.text, ".git") == 0 || strcasecmp(plain.text, "git~1") == 0;
}

static bool is_dir(const git_tree_entry *entry)
{
	return git_tree_entry_type(entry) == GIT_OBJECT_TREE;
}

static bool is_same(const git_tree_entry *a, const git_tree_entry *b)
{
	return a && b && git_tree_entry_filemode(a) == git_tree_entry_filemode(b) &&
		git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b));
}

/* Two trees side by side; each may be NULL. */
struct pair {
	git_tree *from, *to;
	size_t next_from, next_to;
	const git_tree_entry *f, *t; /* the entries of one name, or NULL where a side has none */
};

static bool pair_next(struct pair *pair)
{
	const git_tree_entry *f =
		pair->from ? git_tree_entry_byindex(pair->from, pair->next_from) : NULL;
	const git_tree_entry *t = pair->to ? git_tree_entry_byindex(pair->to, pair->next_to) : NULL;
	int order = 0;
	if (f && t)
		order = compare_names(git_tree_entry_name(f), is_dir(f), git_tree_entry_name(t), is_dir(t));
	pair->f = order <= 0 ? f : NULL;
	pair->t = order >= 0 ? t : NULL;
	pair->next_from += pair->f != NULL;
	pair->next_to += pair->t != NULL;
	return pair->f || pair->t;
}

static void pair_release(struct pair *pair)
{
	git_tree_free(pair->from);
	git_tree_free(pair->to);
}

#define AUTO_PAIR __attribute__((cleanup(pair_release))) struct pair

static int pair_open(struct store *store, const git_tree_entry *f, const git_tree_entry *t,
	struct pair *pair, struct rondo_error *err)
{
	if (f && store_tree(store, git_tree_entry_id(f), &pair->from, err) < 0)
		return -1;
	return t ? store_tree(store, git_tree_entry_id(t), &pair->to, err) : 0;
}

struct walk {
	struct store *store;
	void *owner;
	tree_visit *visit;
	bool (*keep)(void *owner, const char *path);
	struct arena arena;
	struct strbuf path;
	int depth;
};

static void walk_release(struct walk *walk)
{
	arena_release(&walk->arena);
	strbuf_release(&walk->path);
}

#define AUTO_WALK __attribute__((cleanup(walk_release))) struct walk

/* Append an entry's name to the path; gives the length to go back to. */
static size_t walk_enter(struct walk *walk, const struct pair *pair)
{
	size_t length = walk->path.length;
	if (length)
		strbuf_addc(&walk->path, '/');
	strbuf_adds(&walk->path, git_tree_entry_name(pair->f ? pair->f : pair->t));
	return length;
}

static int compare_level(struct walk *walk, struct pair *pair, struct rondo_error *err)
{
	if (walk->depth > DEEPEST)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a tree has more than %d levels", DEEPEST);
	while (pair_next(pair)) {
		if (is_same(pair->f, pair->t))
			continue;
		size_t length = walk_enter(walk, pair);
		if (is_dir(pair->f ? pair->f : pair->t)) {
			AUTO_PAIR below = {0};
			walk->depth++;
			if (pair_open(walk->store, pair->f, pair->t, &below, err) < 0 ||
				compare_level(walk, &below, err) < 0)
				return -1;
			walk->depth--;
		} else if (walk->visit(walk->owner, walk->path.text, pair->f, pair->t, err) < 0) {
			return -1;
		}
		strbuf_truncate(&walk->path, length);
	}
	return 0;
}

int tree_compare(struct store *store, const struct object *from, const struct object *to,
	tree_visit *visit, void *owner, struct rondo_error *err)
{
	AUTO_WALK walk = {
		.store = store, .owner = owner, .visit = visit, .path = STRBUF_INIT(STRBUF_LINE)};
	AUTO_PAIR pair = {0};
	if ((from && store_open_tree(store, from, &pair.from, err) < 0) ||
		store_open_tree(store, to, &pair.to, err) < 0)
		return -1;
	return compare_level(&walk, &pair, err);
}

static void add_item(
	struct walk *walk, struct tree_items *items, const char *name, const git_oid *id, uint32_t mode)
{
	ARENA_PUSH(&walk->arena, items->items, items->n,
		(struct tree_item){arena_strdup(&walk->arena, name), *id, mode});
}

/* A file and a directory want one name: what is kept as in `from` wins. */
static void add_dir(
	struct walk *walk, struct tree_items *items, const struct pair *pair, const git_oid *id)
{
	const char *name = git_tree_entry_name(pair->f ? pair->f : pair->t);
	for (size_t i = 0; i < items->n; i++) {
		if (strcmp(items->items[i].name, name) != 0)
			continue;
		if (!pair->t)
			items->items[i] = (struct tree_item){items->items[i].name, *id, GIT_FILEMODE_TREE};
		return;
	}
	add_item(walk, items, name, id, GIT_FILEMODE_TREE);
}

static int merge_level(
	struct walk *walk, struct pair *pair, git_oid *ret_id, size_t *ret_n, struct rondo_error *err)
{
	struct tree_items items = {0};
	if (walk->depth > DEEPEST)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a tree has more than %d levels", DEEPEST);
	while (pair_next(pair)) {
		const git_tree_entry *entry = pair->f ? pair->f : pair->t;
		size_t length = walk_enter(walk, pair), n = 0;
		git_oid id;
		if (is_dir(entry) && !is_same(pair->f, pair->t)) {
			AUTO_PAIR below = {0};
			walk->depth++;
			if (pair_open(walk->store, pair->f, pair->t, &below, err) < 0 ||
				merge_level(walk, &below, &id, &n, err) < 0)
				return -1;
			walk->depth--;
			if (n)
				add_dir(walk, &items, pair, &id);
		} else {
			bool keep = !is_same(pair->f, pair->t) && walk->keep(walk->owner, walk->path.text);
			entry = keep ? pair->f : pair->t;
			if (entry)
				add_item(walk, &items, git_tree_entry_name(entry), git_tree_entry_id(entry),
					git_tree_entry_filemode_raw(entry));
		}
		strbuf_truncate(&walk->path, length);
	}
	*ret_n = items.n;
	return tree_write(walk->store, &items, ret_id, err);
}

int repository_merge_tree(struct repository *repository, const struct object *from,
	const struct object *to, bool (*keep)(void *owner, const char *path), void *owner,
	struct object *ret_tree, struct rondo_error *err)
{
	struct store *store = &repository->store;
	AUTO_WALK walk = {
		.store = store, .owner = owner, .keep = keep, .path = STRBUF_INIT(STRBUF_LINE)};
	AUTO_PAIR pair = {0};
	git_oid id;
	size_t n;
	if (store_open_tree(store, from, &pair.from, err) < 0 ||
		store_open_tree(store, to, &pair.to, err) < 0 ||
		merge_level(&walk, &pair, &id, &n, err) < 0)
		return -1;
	*ret_tree = object_of(&id);
	return 0;
}

struct listing {
	struct arena *arena;
	const char **paths;
	size_t n;
};

static int list_one(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	(void)from, (void)err;
	struct listing *listing = owner;
	if (git_tree_entry_type(to) == GIT_OBJECT_BLOB)
		ARENA_PUSH(listing->arena, listing->paths, listing->n, arena_strdup(listing->arena, path));
	return 0;
}

int repository_list(struct repository *repository, const struct object *tree, struct arena *arena,
	const char ***ret_paths, size_t *ret_n, struct rondo_error *err)
{
	struct listing listing = {.arena = arena};
	if (tree_compare(&repository->store, NULL, tree, list_one, &listing, err) < 0)
		return -1;
	*ret_paths = listing.paths;
	*ret_n = listing.n;
	return 0;
}
