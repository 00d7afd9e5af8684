/*
 * The search: what is suspected, what can be changed, and in which order it is tried. Private to
 * repair/ and its tests.
 */
#pragma once
#include "repair/source.h"

/* One way to change a place, with its cost in bits: lower is tried earlier. */
struct proposal {
	double cost;
	const char *what;  /* for people: "'<' to '<='" */
	const char *key;   /* sites with the same key can be changed alike */
	const char *loose; /* so too, less likely; or NULL */
	struct splice *splices;
	size_t n;
};

/* A place that a mutation looks at, and where its proposals go. */
struct site {
	struct repair *repair;
	const struct source *source;
	uint32_t at; /* the token */
	struct arena *arena;
	struct proposal **proposals;
	size_t n;
};

/* A kind of edit. Adding one: a const struct mutation NAME##_mutation and a word in MUTATIONS,
 * which is in the order of `least`. */
struct mutation {
	const char *name;
	double least; /* no proposal costs less */
	void (*propose)(struct site *site);
};

#define MUTATIONS(_) \
	_(unknown) _(arguments) _(symbol) _(constant) _(opposite) _(operands) _(negation) \
	_(offset) _(branches) _(pieces) _(name) _(callee) _(places)
#define MUTATION_DECLARE(name) extern const struct mutation name##_mutation;
MUTATIONS(MUTATION_DECLARE)
#undef MUTATION_DECLARE
extern const struct mutation *const mutations[];
extern const size_t mutations_n;

/* A new proposal that changes nothing yet; `what` is its key too. */
struct proposal *propose(struct site *site, double cost, const char *what);

/* Let a proposal replace a run of tokens. One that would touch what is not to be touched is dropped
 * later. */
void proposal_replace(
	struct site *site, struct proposal *proposal, struct span span, const char *text);

/* A proposal that replaces one run of tokens by a text; said as "'old' to 'new'". */
struct proposal *propose_text(struct site *site, double cost, struct span span, const char *text);

/* Exchange two runs of tokens, the first before the second. */
struct proposal *propose_exchange(
	struct site *site, double cost, struct span a, struct span b, const char *what);

/* What a mutation proposes for a line. Gives how many; they lie in the arena. */
size_t mutation_propose(const struct mutation *mutation, struct repair *repair,
	const struct source *source, uint32_t line, struct arena *arena,
	struct proposal ***ret_proposals);

/* --- the queue: everything that may still be tried, cheapest first --- */

/* What several places cost over one, and each of them: one mistake made twice is likelier than two. */
#define SAME_BASE 0.4
#define SAME_EACH 0.4

enum task_kind {
	TASK_LINE,     /* what a mutation, and then the others behind it, propose for a line */
	TASK_SAME,     /* what a mutation proposes alike at several places of a definition or file */
	TASK_PROPOSAL, /* one that can be tried */
};

struct task {
	double cost; /* of a proposal; of the others: no proposal that comes of it costs less */
	uint32_t source, offset;
	uint32_t mutation;
	uint32_t order; /* of tasks equal so far, the earlier goes first */
	uint32_t line;
	uint32_t definition; /* of TASK_SAME; NO_TOKEN: the file */
	enum task_kind kind;
	const struct proposal *proposal;
};

struct queue {
	struct task *tasks;
	size_t n, capacity;
	uint32_t orders;
};

void queue_push(struct queue *queue, struct arena *arena, const struct task *task);

/* Take the cheapest. False when there is none. */
bool queue_pop(struct queue *queue, struct task *task);

/* --- what was tried --- */

struct seen {
	uint64_t *slots;
	size_t n, capacity;
};

/* Note the text that a proposal makes of a source. False where it was noted before, or is the old
 * one. */
bool seen_add(struct seen *seen, struct arena *arena, const struct source *source,
	const struct proposal *proposal);

/* Note a number; false where it was noted before. */
bool seen_add_number(struct seen *seen, struct arena *arena, uint64_t number);

struct repair {
	struct arena *arena;
	struct words words;
	struct source *sources;
	size_t n;
	struct definitions definitions;
	struct queue queue;
	struct seen texts;
	struct seen scheduled; /* the definition and mutation of TASK_SAME */
	int64_t produced;
};

/* Fill in traced and cost of every source's lines. */
void repair_localise(struct repair *repair, const struct test_report *report);

/* Mark the lines that a runner's text names, such as "a/b.py:12", 'File "b.py", line 12'. */
void repair_trace(struct repair *repair, const char *text);

/* Mark the words that error messages quote: "name 'x' is not defined", "undefined: x". */
void repair_blame(struct repair *repair, const char *text);

/* The source of a path as a runner prints it: absolute, relative, or only its end. NULL: none, or
 * several. */
struct source *repair_source(struct repair *repair, const char *path, size_t n);

/* Put what a mutation proposes alike at several places into the queue. */
void repair_propose_same(struct repair *repair, const struct task *task);
