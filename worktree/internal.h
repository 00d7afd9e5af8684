/*
 * What the files of this folder share. Included only here.
 *
 * A `store` is a handle on rondo's private repository, which sees the user's objects too. Its work
 * directory holds nothing but copies of the .gitignore and .gitattributes files of the tree that it
 * is about, so that libgit2 can apply these rules without ever opening a path in a directory that
 * code under test has written. The repository has one store, each worktree one of its own; so two
 * worktrees of one repository can be used in two threads.
 */
#pragma once
#include <git2.h>
#include <sys/stat.h>

#include "base/map.h"
#include "worktree/worktree.h"

#define DEFINE_GIT_AUTO(type) \
	static inline void type##_auto_free(type **pointer) \
	{ \
		type##_free(*pointer); \
	}
DEFINE_GIT_AUTO(git_commit)
DEFINE_GIT_AUTO(git_config)
DEFINE_GIT_AUTO(git_config_iterator)
DEFINE_GIT_AUTO(git_diff)
DEFINE_GIT_AUTO(git_filter_list)
DEFINE_GIT_AUTO(git_index)
DEFINE_GIT_AUTO(git_odb)
DEFINE_GIT_AUTO(git_odb_stream)
DEFINE_GIT_AUTO(git_patch)
DEFINE_GIT_AUTO(git_refdb)
DEFINE_GIT_AUTO(git_reference)
DEFINE_GIT_AUTO(git_reference_iterator)
DEFINE_GIT_AUTO(git_repository)
DEFINE_GIT_AUTO(git_signature)
DEFINE_GIT_AUTO(git_tree)
#define AUTO_GIT(type) __attribute__((cleanup(git_##type##_auto_free))) git_##type
#define AUTO_GIT_BUF __attribute__((cleanup(git_buf_dispose))) git_buf

/* --- store.c: the private repository's objects --- */

struct store {
	git_repository *handle;
	git_odb *odb;
	const char *objects;   /* the user's directory of them, or NULL; borrowed */
	const char *rules_dir; /* with a slash at the end; NULL: a reader has none */
	struct arena arena;
	struct map rule_files;       /* path -> struct rule_file */
	struct rule_file *rule_list; /* the same, one after the other */
	struct object rules_tree;    /* whose rules are loaded, or "" */
	/* The .gitignore files of one tree count, whatever is written later; "": none counts. */
	bool ignores_fixed;
	struct object ignores;
	git_oid index_tree;          /* what libgit2 is to see as the index, once it looks there */
	bool index_waits;            /* ... which it has not yet */
	size_t n_attribute_files;
	bool filters_always; /* the configuration alone makes content differ from blobs */
	bool smudges;        /* some rule may make a checkout differ from blobs */
	bool drivers;        /* some rule names a filter program */
};

/* Start libgit2, once for the process. */
int library_start(struct rondo_error *err);

/* An error with libgit2's words after it, or where it has none the system's. A full disk is
 * transient whatever `code` says. Returns -1. */
int git_failure(struct rondo_error *err, enum rondo_error_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A handle on the private repository in `dir`; `objects`: the user's objects directory, or NULL.
 * `name` is that of its rules directory, which is made. */
int store_open(struct store *store, const char *dir, const char *objects, const char *name,
	struct rondo_error *err);
void store_release(struct store *store);

/* A second handle, for another thread to read blobs by: store_read and rules_checkout, with the
 * rules that `store` has now, and nothing else. Both may be used at the same time. */
int store_open_reader(const struct store *store, struct store *reader, struct rondo_error *err);

/* An object's bytes, and who has to take them back. */
struct stored {
	const char *bytes;
	size_t n;
	git_object_t type;
	git_odb_backend *backend;
	void *data;
	git_odb_object *object;
	git_buf filtered;
};

void stored_release(struct stored *stored);
#define AUTO_STORED __attribute__((cleanup(stored_release))) struct stored

/* An object's bytes (GIT_OBJECT_ANY: of whatever type). Where it is missing or damaged the run
 * cannot judge, and the error says what mends it. */
int store_read(struct store *store, const git_oid *id, git_object_t type, struct stored *stored,
	struct rondo_error *err);

/* Write an object where neither rondo nor the user has it. Nothing of the user's is touched. */
int store_write(struct store *store, const void *bytes, size_t n, git_object_t type,
	git_oid *ret_id, struct rondo_error *err);

/* A tree or a commit, parsed; the caller's. */
int store_tree(
	struct store *store, const git_oid *id, git_tree **ret_tree, struct rondo_error *err);
int store_open_tree(
	struct store *store, const struct object *object, git_tree **ret_tree, struct rondo_error *err);
int store_open_commit(
	struct store *store, const git_oid *id, git_commit **ret_commit, struct rondo_error *err);

/* Write a commit of `tree` on `parent` (NULL: none) by `who` (NULL: rondo, at no time). */
int store_commit(struct store *store, const git_oid *tree, const git_oid *parent,
	const git_signature *who, const char *message, git_oid *ret_id, struct rondo_error *err);

/* The public name of an object and libgit2's. */
int oid_of(const struct object *object, git_oid *ret_id, struct rondo_error *err);
struct object object_of(const git_oid *id);

/* --- dependencies.c --- */

/* Whether an untracked directory holds dependencies whether git ignores it or not: node_modules, or
 * an environment of Python. */
bool dependency_is(int fd, const char *name);
/* Whether a link in a directory leads to one that is, wherever it lies. */
bool dependency_is_link(int dir, const char *name);

/* --- rules.c: ignore rules, attributes, filters --- */

#define LARGEST_RULES \
	((off_t)1 << 20) /* a larger .gitignore or .gitattributes file is passed over */

/* Take the content of one .gitignore or .gitattributes file; NULL: there is none. */
int rules_set(
	struct store *store, const char *path, const char *bytes, size_t n, struct rondo_error *err);

/* Take the rules of a whole tree and forget all others. Cheap where it is the same tree again. */
int rules_load(struct store *store, const struct object *tree, struct rondo_error *err);

/* Give the attributes of a store to a reader of it. */
int rules_lend(const struct store *store, struct store *reader, struct rondo_error *err);

/* Whether git ignores a path; that of a directory ends in a slash. */
int rules_ignored(
	struct store *store, const char *path, bool *ret_ignored, struct rondo_error *err);

/* Make of what a checkout has what is in its blob, or the other way round. `ret_text` stays empty
 * and *ret_same is true where both are the same bytes. */
int rules_filter(struct store *store, const char *path, git_filter_mode_t mode, const char *bytes,
	size_t n, git_buf *ret_text, bool *ret_same, struct rondo_error *err);

/* What a checkout writes for a blob: a file's bytes, filters applied, or a link's target. */
int rules_checkout(struct store *store, const char *path, const git_oid *id, uint32_t mode,
	struct stored *stored, struct rondo_error *err);

/* The filter program that attributes name for a path (such as "lfs"), or what git makes of it and
 * libgit2 cannot ("working-tree-encoding=UTF-16"); in the arena, or NULL. */
const char *rules_driver(struct store *store, const char *path, struct arena *arena);

/* --- trees.c: trees as data --- */

struct tree_item {
	const char *name;
	git_oid id;
	uint32_t mode;
};

struct tree_items {
	struct tree_item *items;
	size_t n;
};

/* Sort as git does and write. */
int tree_write(
	struct store *store, struct tree_items *items, git_oid *ret_id, struct rondo_error *err);

/* Call `visit` for each file, link and gitlink that is not the same in two trees, sorted by path,
 * until it returns -1. `from` may be NULL: then it is called for all of `to`. An entry is NULL
 * where it is absent. */
typedef int tree_visit(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err);
int tree_compare(struct store *store, const struct object *from, const struct object *to,
	tree_visit *visit, void *owner, struct rondo_error *err);

/* Whether git would refuse this name in a tree: empty, ".", "..", with a slash, or one that some
 * file system takes for ".git". */
bool tree_name_is_refused(const char *name);

/* --- changes.c --- */

/* What a file is in two trees, by its entries there; NULL: it is absent. In the arena. */
int file_change_read(struct store *store, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct arena *arena, struct file_change *change,
	struct rondo_error *err);

/* --- blob.c: files read --- */

/* The bytes of a file in a directory, which no link is followed to; the caller's to free(). NULL
 * with errno where there is none, it is no regular file, or is larger than `most`. `ret_st` is what
 * it was when it was opened. */
int read_file_at(int dir, const char *name, off_t most, struct stat *ret_st, char **ret_bytes,
	size_t *ret_n, struct rondo_error *err);

/* --- replace.c: several files changed, all or none --- */

#define TEMPORARY_SIZE 24

struct replacement {
	const char *path;
	const char *bytes; /* what it becomes; NULL: it goes */
	size_t n;
	mode_t mode;     /* S_IFLNK: `bytes` is the target */
	const char *old; /* what it is; NULL: it is not there */
	size_t n_old;
	mode_t old_mode;
	bool exact_mode; /* the mode is set as given; else the umask counts */
	bool own;        /* uid and gid count */
	uid_t uid;
	gid_t gid;
	int64_t mtime_ns; /* 0: now */
	/* The file and its directory are forced to disk, but not those above, which may be new. */
	bool durable;
	/* Where somebody else may write at the same time: the name beside it under which `bytes` wait,
	 * and then what they replace until all is done. Nothing but `old` is then ever replaced. NULL:
	 * nobody else writes. */
	const char *beside;
	/* while it is made */
	int dir;
	size_t made; /* directories beyond this length of the path are new; 0: none is */
	char temporary[TEMPORARY_SIZE]; /* what is there beside it now; "": nothing */
	bool displaced;                 /* that is what was there before */
	bool changed;                   /* what was there is not `old` */
};

/* Change all, or none; the error names the one that did not go. Paths lie below `root` and have
 * been checked. */
int replace_files(int root, struct replacement *items, size_t n, struct rondo_error *err);

/* Make the file or link of a replacement under a name at which nothing is yet, and look at it. 0,
 * or -1 with errno; *ret_created says whether something is there now. */
int replace_create(const struct replacement *item, int dir, const char *name, struct stat *ret_st,
	bool *ret_created);

/* Remove a file and the directories that become empty by it, down to the root. What is not there is
 * fine. */
int remove_file(int root, const char *path);

/* --- pack.c: objects by themselves, without what is around them --- */

struct gathering {
	struct store *store;
	struct arena arena;
	git_oid *ids;
	size_t n;
};

static inline void gathering_release(struct gathering *gathering)
{
	arena_release(&gathering->arena);
}
#define AUTO_GATHERING __attribute__((cleanup(gathering_release))) struct gathering

/* Gather the objects of a tree, but for those that `old` (may be NULL) has at the same path. */
int gathering_add(
	struct gathering *gathering, const git_oid *tree, const git_oid *old, struct rondo_error *err);

#define LARGEST_PACK ((uint64_t)1 << 31) /* bytes; an index can say twice as much */

/* Write the given objects and an index as <name>.pack and, last, <name>.idx into a directory. What
 * would begin after `largest` bytes goes into <name>-1 and so on. Ids are sorted and made unique in
 * place. ret_n: how many packs there are. */
int pack_write(struct store *store, git_oid *ids, size_t n, uint64_t largest, const char *dir,
	const char *name, size_t *ret_n, struct rondo_error *err);

/* --- repository.c: the user's repository and rondo's --- */

/* What is known of a file since it was last looked at: see known.c. */
struct known_file {
	const char *path;
	git_oid id;
	uint32_t mode; /* 0: it was never written by rondo, nor in a tree that was given out */
	int64_t mtime_ns;
	int64_t ctime_ns; /* 0: it is linked from elsewhere, which changes this time */
	int64_t stamp_ns; /* when it was looked at; 0: nothing is known of its content */
	uint64_t size, inode;
	bool skip;      /* the user's index says: take it for unchanged */
	unsigned round; /* the last checkout that wrote it or found it right */
};

struct known_files {
	struct arena arena;
	struct map by_path;
	struct known_file **items;
	size_t n;
};

struct repository {
	git_repository *user; /* NULL: files of no repository */
	struct store store;
	struct arena arena;
	const char *root, *private_dir;
	const char *objects;  /* the user's objects directory, or NULL */
	const char *only;     /* the one file that counts, or NULL: all */
	const char **drivers; /* filter programs that are configured */
	size_t n_drivers;
	bool filemode, sparse;
	unsigned n_worktrees;
	struct known_files seen;  /* the user's files, when the base was found */
	struct known_files given; /* the times of others, in the last new checkout that has them */
};

/* --- branch.c: what is published --- */

/* Who commits: as git's configuration says, else rondo. */
int identity_of(struct repository *repository, git_signature **ret_who, struct rondo_error *err);
