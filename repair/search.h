/*
 * The search: what is suspected, what can be changed, and in which order it is tried. Private to
 * repair/ and its tests.
 */
#pragma once
#include "base/map.h"
#include "repair/source.h"

/* A line that is changed, and what the change costs there without the line's suspicion. */
struct line_cost {
	uint32_t line;
	double cost;
};

/* One way to change a place, with its cost in bits: lower is tried earlier. */
struct proposal {
	double cost;         /* below 0: it is dropped */
	const char *what;    /* for people: "'<' to '<='" */
	const char *key;     /* sites with the same key can be changed alike */
	const char *loose;   /* so too, less likely; or NULL */
	const char *literal; /* a number or text that it brings in, or NULL */
	bool is_whole;       /* and that is all that is left of a value that was worked out */
	struct splice *splices;
	size_t n;
	const struct line_cost *places; /* of one that changes several alike; else NULL */
	size_t n_places;
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
	enum candidate_rank rank;
	bool simple;  /* two slips of this kind are likely enough to be tried together */
	bool printed; /* only at lines that the runner printed */
	bool once;    /* one place at a time is enough */
	bool by_line; /* looks at whole lines, also at those that are not to be touched otherwise */
};

#define MUTATIONS(_) \
	_(syntax) \
	_(import) \
	_(unknown) \
	_(head) \
	_(arguments) \
	_(idiom) \
	_(symbol) \
	_(constant) \
	_(assign) \
	_(unbound) \
	_(lost) \
	_(absent) \
	_(arity) \
	_(exception) \
	_(operands) \
	_(default) \
	_(opposite) \
	_(negation) \
	_(branches) \
	_(convert) \
	_(pieces) _(offset) _(name) _(target) _(attribute) _(drop) _(pattern) _(brackets) _(item) \
		_(slice) _(callee) _(move) _(places) _(text) _(returned) _(unwrap) _(extension) \
			_(substitute) _(literal) _(argument) _(wrap) _(part) _(condition) _(insert) _(remove) \
				_(combine) _(refusal) _(guard) _(enclose)
#define MUTATION_DECLARE(name) extern const struct mutation name##_mutation;
MUTATIONS(MUTATION_DECLARE)
#undef MUTATION_DECLARE
extern const struct mutation *const mutations[];
extern const size_t mutations_n;

/* Define NAME_mutation, which NAME_propose makes the proposals of. */
#define MUTATION(name_, ...) \
	const struct mutation name_##_mutation = { \
		.name = #name_, .propose = name_##_propose, __VA_ARGS__}

/* The text of the tokens of a site's source from one to another; of a run. In the arena. */
const char *site_text(const struct site *site, uint32_t first, uint32_t last);
const char *span_text(const struct site *site, struct span span);

/* The site's token as a run. */
static inline struct span site_span(const struct site *site)
{
	return span_of(site->at, site->at);
}

/* What the i-th of several choices costs, from 0 on: each doubling is a bit. */
double rank_bits(size_t i);

/* A new proposal that changes nothing yet; `what` is its key too. */
struct proposal *propose(struct site *site, double cost, const char *what);
#define proposef(site, cost, ...) propose(site, cost, arena_printf((site)->arena, __VA_ARGS__))

/* Let a proposal replace a run of tokens. A proposal that would touch dead tokens is dropped
 * later. */
void proposal_replace(
	struct site *site, struct proposal *proposal, struct span span, const char *text);

/* Let a proposal insert a text. */
void proposal_insert(struct site *site, struct proposal *proposal, size_t offset, const char *text);
#define proposal_insertf(site, proposal, offset, ...) \
	proposal_insert(site, proposal, offset, arena_printf((site)->arena, __VA_ARGS__))

/* Let a proposal replace bytes by a text. */
void proposal_splice(
	struct site *site, struct proposal *proposal, size_t offset, size_t length, const char *text);

/* A proposal that replaces one run of tokens by a text; said as "'old' to 'new'". */
struct proposal *propose_text(struct site *site, double cost, struct span span, const char *text);
#define propose_textf(site, cost, span, ...) \
	propose_text(site, cost, span, arena_printf((site)->arena, __VA_ARGS__))

/* The same for the site's token. */
struct proposal *propose_token(struct site *site, double cost, const char *text);

/* Exchange two runs of tokens, the first before the second. */
struct proposal *propose_exchange(
	struct site *site, double cost, struct span a, struct span b, const char *what);

/* What a mutation proposes for a line. Gives how many; they lie in the arena. */
size_t mutation_propose(const struct mutation *mutation, struct repair *repair,
	const struct source *source, uint32_t line, struct arena *arena,
	struct proposal ***ret_proposals);

/* --- what a function contains, for edits that combine existing code --- */

enum { ONE_OPERAND = 14 }; /* a precedence above all operators' */

/* An expression, or a statement without its semicolon. */
struct piece {
	const char *text;
	struct span span;
	uint32_t said, assigned; /* of values: how often */
};

struct pieces {
	struct piece *items;
	size_t n;
};

/* The pieces most like a run of tokens, and nearest to it; at most so many. Gives how many. */
size_t pieces_nearest(const struct source *source, const struct pieces *pieces, struct span near,
	const struct piece **found, size_t most);

struct pool {
	struct map known;
	struct pieces values;     /* names, and attributes of the object itself */
	struct pieces operands;   /* calls, indices, attributes, literals */
	struct pieces compounds;  /* operands joined by operators */
	struct pieces conditions; /* comparisons, and what was asked whole by an "if" or "while" */
	struct pieces statements; /* simple ones */
	struct pieces lists;      /* values that something is appended to */
};

/* Whether an operand begins with a token, and is read there. */
bool begins_operand(const struct source *source, uint32_t i);

/* Whether a run is a name, or an attribute of the object itself. */
bool span_is_value(const struct source *source, struct span span);

/* The condition after "if" or "while". False where there is none. */
bool condition_at(const struct source *source, uint32_t keyword, struct span *ret_condition);

/* The condition at a token: that after "if" or "while", or a truth that is returned. */
bool question_at(const struct source *source, uint32_t i, struct span *ret_span);

/* The pool of the function around a token; of the file's top level where there is none. */
const struct pool *pool_of(struct repair *repair, const struct source *source, uint32_t i);

/* The value of a pool that is spelt so, or NULL. */
const struct piece *pool_value(const struct pool *pool, const char *text);

/* The best few texts, the best first. */
enum { RANKING_MOST = 24 };
struct ranking {
	const char *texts[RANKING_MOST];
	double badness[RANKING_MOST];
	size_t n;
};

void ranking_add(struct ranking *ranking, const char *text, double badness);

/* Put a text last, where there are fewer than `most` and it is not among them. */
void ranking_append(struct ranking *ranking, size_t most, const char *text);

/* Conditions that may belong at a token, likeliest first: those of its function, and simple ones
 * on values in sight. */
struct ranking rank_predicates(struct site *site, struct span near);

/* The values in sight, the nearest first. */
struct ranking rank_values(struct site *site, struct span near);

/* Whether a run of tokens says a word. */
bool span_says(const struct source *source, struct span span, const struct word *word);

/* How unlike two runs of tokens are, by the words in them and how far apart they are: 0 to about
 * 4. */
double span_unlikeness(const struct source *source, struct span a, struct span b);

/* Code in the source's language, in the arena. `indent` is that of the line where it will be. */
const char *phrase_statement(const struct source *source, struct arena *arena, const char *text);
const char *phrase_if(const struct source *source, struct arena *arena, const char *indent,
	const char *condition, const char *statement);
const char *phrase_not(const struct source *source, struct arena *arena, const char *condition);
/* A question whether a value is null, or (`there`) is not. */
const char *phrase_absent(
	const struct language *language, struct arena *arena, const char *value, bool there);
const char *word_and(const struct language *language);
const char *word_or(const struct language *language);

/* The operator of what is not equal. */
const char *word_unequal(const struct language *language);

/* The statement that continues a loop, NULL: there is none; and the one that leaves it. */
const char *word_continue(const struct language *language);
const char *word_break(const struct language *language);

/* "target += value", where the language has that, else "target = target + value". */
const char *phrase_augmented(const struct source *source, struct arena *arena, const char *target,
	char sign, const char *value);

/* --- the queue: everything that may still be tried, cheapest first --- */

/* What several places cost over one, and each of them: one mistake made twice is likelier than
 * two. */
#define SAME_BASE 0.4
#define SAME_EACH 0.4

enum task_kind {
	TASK_LINE,     /* what a mutation and those after it propose for a line */
	TASK_SAME,     /* what a mutation proposes alike at several places of a definition or file */
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

/* A file that is not searched, and why. */
struct skipped {
	const char *path, *why;
};

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
	struct map texts;
	struct map scheduled;       /* the definition and mutation of TASK_SAME */
	const struct word **quoted; /* texts in failing tests */
	size_t n_quoted;
	const struct word **keys; /* names of arguments and members in failing tests */
	size_t n_keys;
	const struct word **kinds; /* exceptions in failing tests */
	size_t n_kinds;
	bool is_mistyped;    /* the runner complains of a value's type */
	bool is_absent;      /* it complains of null where a value should be */
	struct pool **pools; /* by definition; then by source: its top level; NULL: not made */
	struct attempt *attempts;
	size_t n_attempts;
	struct pairing *pairings;
	size_t n_pairings;
	uint32_t progress[PROGRESS_MOST]; /* pairings */
	size_t n_progress;
	struct simple *simple; /* by definition; after these by source: of its top level */
	struct map paired;     /* two attempts */
	uint32_t looks;        /* how often mentions were looked for; around which line last */
	const struct source *looked;
	uint32_t looked_line;
	int64_t produced;
};

/* Note the candidate that a task became, and what may be tried together with it. */
void repair_note_attempt(struct repair *repair, const struct task *task, int64_t id);

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
void repair_read_sources(struct repair *repair, const struct repair_file *files, size_t n);

/* Make the candidate of a task, or of a pair. */
void repair_fill(struct repair *repair, const struct task *task, struct candidate *ret_candidate);
void repair_fill_pair(
	struct repair *repair, const struct pair *pair, struct candidate *ret_candidate);

/* Whether a word is named like an exception. */
bool names_exception(const struct word *word);

/* Whether n bytes of text hold one of the texts, which NULL ends. */
bool text_holds_any(const char *text, size_t n, const char *const *texts);

/* How much more often failing tests than passing ones reach something: 0 to 1. */
double ochiai(size_t failing, size_t passing, size_t all_failing);

/* Set `traced` and `cost` of the lines of every source. */
void repair_localise(struct repair *repair, const struct test_report *report);

/* Mark the lines that a runner's text names, such as "a/b.py:12", 'File "b.py", line 12'. */
void repair_trace(struct repair *repair, const char *text);

/* Mark the lines at which a compiler or interpreter reports that it could not parse. */
void repair_find_broken(struct repair *repair, const char *text);

/* Mark the words that error messages quote: "name 'x' is not defined", "undefined: x". Note
 * whether they complain of types or of missing values. */
void repair_blame(struct repair *repair, const char *text);

/* The source of a path as a runner prints it: absolute, relative, or only its end. NULL: none, or
 * several. */
struct source *repair_source(struct repair *repair, const char *path, size_t n);

/* Queue equal proposals of a mutation at several places as one edit. */
void repair_propose_same(struct repair *repair, const struct task *task);
