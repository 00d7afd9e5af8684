/*
 * For executors whose tree lies elsewhere: what the other side knows of a directory of this
 * machine. It says what changed here since, and takes over what changed there. Inside executors/
 * and its tests.
 */
#pragma once
#include "base/map.h"
#include "executors/executor.h"
#include "executors/inside/record.h"

/* What became of something on the other side. */
struct answer_item {
	enum record_kind kind;
	bool is_executable;
	unsigned root;     /* as in a record */
	const char *path;  /* UTF-8 */
	const char *bytes; /* of a file; of a link, where it points, with a NUL behind it */
	size_t n;
	const char *why;   /* of RECORD_REFUSED */
};

/* A file, directory or link as it was when it was looked at; or RECORD_GONE. */
struct mirror_entry {
	const char *path; /* below the directory */
	enum record_kind kind;
	bool is_executable;
	const char *target; /* of a link */
	uint64_t inode;
	int64_t size, modified_ns, changed_ns;
	const char *hash; /* where its times may not tell of the next change; or NULL */
};

struct mirror {
	const struct executor *executor;
	const char *dir;
	/* NULL: all of it counts. Else files at its top, and all in directories that are named so. */
	const char *deep;
	struct arena arena; /* holds what is known */
	struct map known;   /* struct mirror_entry by path */
	const char **paths; /* of all that was ever known */
	size_t n;
};

/* Those that are gone first, then directories before what lies in them. */
struct mirror_changes {
	struct mirror_entry *items;
	size_t n;
};

/* Of a directory, nothing of which is known elsewhere. All arguments are borrowed. */
void mirror_init(struct mirror *mirror, const struct executor *executor, const char *dir,
	const char *deep);
void mirror_release(struct mirror *mirror);

/* What is new, other or gone here; strings lie in the arena. */
int mirror_scan(struct mirror *mirror, struct arena *arena, struct mirror_changes *ret_changes,
	struct rondo_error *err);

/* The other side has it. */
void mirror_accept(struct mirror *mirror, const struct mirror_changes *changes);

/* Whether a path may be one of the tree: the other side has another system. */
bool mirror_allows_path(const char *path);

/*
 * Do here what was done there: beneath the directory, with modes of 644 or 755. An error is one of
 * this machine, such as a full disk. Why something is not taken over is in *ret_refusal, else NULL.
 */
int mirror_take(struct mirror *mirror, const struct answer_item *item, const char **ret_refusal,
	struct rondo_error *err);
