/* The search: what is suspected, what was tried, and what comes next. Private to repair/ and its
 * tests. */
#pragma once
#include "repair/mutation.h"

/* --- the queue: everything that may still be tried, cheapest first --- */

/* What several places cost over one, and each of them: one mistake made twice is likelier than
 * two. */
#define SAME_BASE 0.4
#define SAME_EACH 0.4

enum task_kind {
	TASK_LINE,     /* what a mutation and those after it propose for a line */
	TASK_SAME,     /* what a mutation proposes alike at several places */
	TASK_PROPOSAL, /* one that can be tried */
	TASK_PAIR,     /* two that were tried, together; then the next two */
};

struct task {
	double cost; /* of a proposal; of the others: no proposal that comes of it costs less */
	uint32_t source, offset;
	uint32_t mutation;
	uint32_t order; /* of tasks equal so far, the earlier goes first */
	uint32_t line;
	uint32_t definition; /* of TASK_SAME; NO_TOKEN: the file */
	uint32_t pairing;    /* of TASK_PAIR */
	enum task_kind kind;
	bool is_wide; /* of TASK_LINE, and what comes of it */
	bool in_line; /* of TASK_SAME: its line alone */
	const struct proposal *proposal;
};

/* An edit that was returned as a candidate. */
struct attempt {
	const struct proposal *proposal;
	uint32_t source, line, mutation;
	double cost;
	int64_t id;
};

enum pairing_kind {
	PAIRING_PROGRESS, /* it made progress, and is tried with all attempts */
	PAIRING_SIMPLE,   /* a simple one, with the simple ones of its function that came before */
	PAIRING_SAME,     /* with one of these, which is the same slip */
};

/* An edit that is tried again together with others, in their order. */
struct pairing {
	enum pairing_kind kind;
	uint32_t attempt;
	const struct simple *among; /* the simple ones; NULL: all attempts */
	uint32_t next;              /* the one that it is tried with next */
	uint32_t end;               /* of the simple ones: those before itself */
	bool waiting;               /* for one more attempt */
	double begun;               /* the cost at which progress was made */
	double late;                /* by how much its pairs come later */
};

/* The first simple attempts of a function. */
struct simple {
	uint32_t *attempts;
	size_t n;
};

enum { PROGRESS_MOST = 8 }; /* pairings that made progress */

struct queue {
	struct task *tasks;
	size_t n, most; /* and how many there ever were */
	uint32_t orders;
	uint64_t seed; /* of what is added to the costs of proposals; 0: nothing */
};

/* Whether a task goes before another; of two that differ in order alone the earlier. */
bool task_is_before(const struct task *a, const struct task *b);

void queue_push(struct queue *queue, struct arena *arena, const struct task *task);

/* Put all in order again after their costs changed. */
void queue_reorder(struct queue *queue);

/* Take the cheapest. False when there is none. */
bool queue_pop(struct queue *queue, struct task *task);

/* --- what was tried --- */

/* Note the text that a proposal makes of a source. False where it was noted before, or is the old
 * one. */
bool seen_add(struct map *seen, struct arena *arena, const struct source *source,
	const struct proposal *proposal);

/* Note a number; false where it was noted before. */
bool seen_add_number(struct map *seen, struct arena *arena, uint64_t number);

/* What stands in one of two texts where the other one has something else, or nothing: failing tests
 * compare them. */
struct difference {
	const char *a, *b; /* not longer than b */
};

/* A file that is not searched, and why. */
struct skipped {
	const char *path, *why;
};

enum { UNKNOWN_MOST = 16 };

struct repair {
	struct arena *arena;
	struct words words;
	struct source *sources;
	size_t n;
	struct definitions definitions;
	struct skipped *skipped;
	size_t n_skipped;
	struct queue queue;
	struct queue progress_queue; /* the pairs of what made progress */
	int64_t progress_since;      /* what was produced before the first of these, */
	int64_t progress_given;      /* and how many of these were */
	bool is_wide;                /* mutations propose more than the best that they know */
	struct map texts;
	struct map scheduled;       /* the definition and mutation of TASK_SAME */
	const struct word **quoted; /* texts in failing tests */
	size_t n_quoted;
	struct difference *differences;
	size_t n_differences;
	const struct word **keys; /* names of arguments and members in failing tests */
	size_t n_keys;
	const struct word **kinds; /* exceptions in failing tests */
	size_t n_kinds;
	const char *unknown[UNKNOWN_MOST]; /* names that the runner does not find */
	size_t n_unknown;
	const char *suggested[UNKNOWN_MOST]; /* what it says may be meant */
	size_t n_suggested;
	const char *thrown[UNKNOWN_MOST]; /* kinds of exceptions that ended failing tests */
	size_t n_thrown;
	bool is_mistyped;    /* the runner complains of a value's type */
	bool is_absent;      /* it complains of null where a value should be */
	bool is_crashed;     /* a program had no right to the memory that it asked for */
	bool is_unbuilt;     /* it is a compiler that complains */
	struct pool **pools; /* by definition; then by source: its top level; NULL: not made */
	struct attempt *attempts;
	size_t n_attempts;
	struct pairing *pairings;
	size_t n_pairings;
	uint32_t progress[PROGRESS_MOST]; /* pairings */
	size_t n_progress;
	struct simple *simple; /* by definition; after these by source: of its top level */
	struct map paired;     /* two attempts */
	struct map probes;     /* by what they force and where */
	struct stated *stated; /* all statements; once they are known */
	size_t n_stated;
	bool is_stated;
	size_t n_hits;  /* probes that helped */
	int64_t judged; /* candidates up to this one were tried, and what they showed is known */
	uint32_t looks; /* how often mentions were looked for; around which line last */
	const struct source *looked;
	uint32_t looked_line;
	int64_t produced;
};

/* Note the candidate that a task became, and what may be tried together with it. */
void repair_note_attempt(struct repair *repair, const struct task *task, int64_t id);

/* The attempt of a candidate, or the first after it. */
uint32_t repair_find_attempt(const struct repair *repair, int64_t id);

/* Work out again what the pairs in the queues cost, after the attempts' costs changed. */
void repair_price_pairs(struct repair *repair);

/* Two edits in one: the parts in the order of their places; of one file joined in one. */
struct pair {
	struct proposal joined[2];
	uint32_t sources[2];
	size_t n;
	uint32_t mutations[2];
	const struct proposal *proposals[2];
	double cost; /* of both */
};

/* The next pair of a pairing, whose task goes back into the queue. False where the two do not go
 * together, or were tried. */
bool repair_next_pair(struct repair *repair, const struct task *task, struct pair *ret_pair);

/* Read the files that can be searched, and note why others cannot. */
struct repair *repair_read(struct arena *arena, const struct repair_file *files, size_t n);

/* Make the candidate of a task, or of a pair. */
void repair_fill(struct repair *repair, const struct task *task, struct candidate *ret_candidate);
void repair_fill_pair(
	struct repair *repair, const struct pair *pair, struct candidate *ret_candidate);

/* Set `recent` of the lines of sources whose past is known. */
void repair_find_recent(struct repair *repair);

/* Set `traced` and `cost` of the lines of every source. */
void repair_localise(struct repair *repair, const struct test_report *report);

/* Queue equal proposals of a mutation at several places as one edit. */
void repair_propose_same(struct repair *repair, const struct task *task);
