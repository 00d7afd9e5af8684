/*
 * For executors whose tree lies elsewhere: what the other side knows of a local directory. Finds
 * what changed here since, and takes over what changed there. Only executors/ and tests include it.
 */
#pragma once
#include "base/map.h"
#include "executors/executor.h"
#include "executors/inside/inside_record.h"

/* A change on the other side. */
struct answer_item {
	enum record_kind kind;
	bool is_executable;
	unsigned root;     /* as in a record */
	const char *path;  /* UTF-8 */
	const char *bytes; /* a file's contents; a link's target with its NUL */
	size_t n;
	const char *why;   /* for RECORD_REFUSED */
};

/* A file, directory or link as it was when it was scanned; or RECORD_GONE. */
struct mirror_entry {
	const char *path; /* below the directory */
	enum record_kind kind;
	bool is_executable;
	const char *target; /* of a link */
	uint64_t inode;
	int64_t size, modified_ns, changed_ns;
	const char *hash; /* if its times may not show the next change; or NULL */
};

struct mirror {
	const struct executor *executor;
	const char *dir;
	/* NULL: everything counts. Otherwise only files at the top, and directories with this
	 * prefix. */
	const char *deep;
	struct arena arena; /* holds what is known */
	struct map known;   /* struct mirror_entry by path */
	const char **paths; /* of all that was ever known */
	size_t n;
};

/* First what is gone; then directories before their contents. */
struct mirror_changes {
	struct mirror_entry *items;
	size_t n;
};

/* Begin with a directory of which the other side has nothing. All arguments are borrowed. */
void mirror_init(struct mirror *mirror, const struct executor *executor, const char *dir,
	const char *deep);
void mirror_release(struct mirror *mirror);

/* Find what is new, changed or gone here; strings lie in the arena. */
int mirror_scan(struct mirror *mirror, struct arena *arena, struct mirror_changes *ret_changes,
	struct rondo_error *err);

/* The other side has it. */
void mirror_accept(struct mirror *mirror, const struct mirror_changes *changes);

/* Whether a path is allowed in the tree. The other side has another system. */
bool mirror_allows_path(const char *path);

/*
 * Repeat a change here: beneath the directory, with modes 644 or 755. An error is a local one, such
 * as a full disk. *ret_refusal says why a change was not taken over, else NULL.
 */
int mirror_take(struct mirror *mirror, const struct answer_item *item, const char **ret_refusal,
	struct rondo_error *err);
