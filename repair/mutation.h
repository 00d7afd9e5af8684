/*
 * Kinds of edits: what they look at, how they propose, and what they find in a function to propose
 * with. Private to repair/ and its tests.
 */
#pragma once
#include "base/map.h"
#include "base/registry.h"
#include "repair/source.h"

/* A line that is changed, and what the change costs there without the line's suspicion. */
struct line_cost {
	uint32_t line;
	double cost;
};

/* What an edit forces, to show whether a condition is missing at its place. */
enum forced {
	FORCED_TRUE, /* a condition */
	FORCED_FALSE,
	FORCED_EXIT,    /* a way out before a statement */
	FORCED_WITHOUT, /* statements that stand below each other are left out */
};

struct probe {
	enum forced kind;
	uint32_t at;      /* the token that it was proposed at */
	const char *exit; /* of FORCED_EXIT: the statement */
	struct span run;  /* of FORCED_WITHOUT: what is left out */
	int64_t id;       /* of its candidate */
	bool helps;       /* it mended the failing tests */
	bool moves;       /* these failed otherwise */
};

/* One way to change a place, with its cost in bits: lower is tried earlier. */
struct proposal {
	double cost;         /* below 0: it is dropped */
	const char *what;    /* for people: "'<' to '<='" */
	const char *key;     /* sites with the same key can be changed alike */
	const char *loose;   /* so too, less likely, and what is done to each then; or NULL */
	const char *literal; /* a number or text that it brings in, or NULL */
	bool is_whole;       /* and that is all that is left of a value that was worked out */
	struct splice *splices;
	size_t n;
	const struct line_cost *places; /* of one that changes several alike; else NULL */
	size_t n_places;
	struct probe *probe; /* of one that forces a way; else NULL */
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

/* A kind of edit. To add one, write a file with MUTATION(NAME, ...) and put its name into
 * MUTATIONS, which is in the order of `least`. */
struct mutation {
	const char *name;
	double least; /* no proposal costs less */
	void (*propose)(struct site *site);
	enum candidate_rank rank;
	bool simple;  /* two slips of this kind are likely enough to be tried together */
	bool printed; /* only at lines that the runner printed */
	bool named;   /* only at lines that say a name that it does not find, or one like it */
	bool once;    /* one place at a time is enough */
	bool by_line; /* looks at whole lines, also at those that are not to be touched otherwise */
};

#define MUTATION_SYMBOL(name) name##_mutation
#define MUTATIONS(_) \
	_(syntax), _(misspelt), _(import), _(handler), _(unknown), _(head), _(keep), _(arguments), \
	_(idiom), _(symbol), _(constant), _(assign), _(unbound), _(lost), _(absent), _(arity), \
	_(exception), _(operands), _(library), _(default), _(opposite), _(negation), _(branches), \
	_(convert), _(fill), _(pieces), _(offset), _(alien), _(name), _(target), _(reference), \
	_(attribute), _(drop), _(ending), _(pattern), _(brackets), _(item), _(slice), _(otherwise), \
	_(leave), _(callee), _(move), _(member), _(donor), _(delegate), _(rewrap), _(places), \
	_(text), _(returned), _(unwrap), _(force), _(extension), _(literal), _(substitute), \
	_(argument), _(wrap), _(part), _(condition), _(bound), _(insert), _(remove), _(combine), \
	_(refusal), _(guard), _(skip), _(enclose)
REGISTRY_DECLARE(struct mutation, mutations, MUTATIONS(MUTATION_SYMBOL));

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

/* A text directly before the site's token. */
void propose_before(struct site *site, double cost, const char *text);

/* Exchange two runs of tokens, the first before the second. */
struct proposal *propose_exchange(
	struct site *site, double cost, struct span a, struct span b, const char *what);

/* What a mutation proposes for a line. Gives how many; they lie in the arena. */
size_t mutation_propose(const struct mutation *mutation, struct repair *repair,
	const struct source *source, uint32_t line, struct arena *arena,
	struct proposal ***ret_proposals);

/* doubt.c: what a proposal costs more than its mutation says. */
double proposal_doubt(
	struct repair *repair, const struct source *source, const struct proposal *proposal);

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

/* Whether a bracket holds a type that what follows is made into: "(unsigned char)c". */
bool is_cast(const struct source *source, uint32_t i);

/* Whether an operand begins with a token, and is read there. */
bool begins_operand(const struct source *source, uint32_t i);

/* Whether a run is a name, or an attribute of the object itself. */
bool span_is_value(const struct source *source, struct span span);

/* The condition after "if" or "while". False where there is none. */
bool condition_at(const struct source *source, uint32_t keyword, struct span *ret_condition);

/* What Rust gives back at the end of a block, seen at its first token. */
bool tail_at(const struct source *source, uint32_t i, struct span *ret_span);

/* The condition at a token: that after "if" or "while", of a loop or a choice, or a truth that is
 * returned or kept. */
bool question_at(const struct source *source, uint32_t i, struct span *ret_span);

/* The pool of the function around a token; of the file's top level where there is none. */
const struct pool *pool_of(struct repair *repair, const struct source *source, uint32_t i);

/* The piece, and the value of a pool, that is spelt so, or NULL. */
const struct piece *pieces_find(const struct pieces *pieces, const char *text);
const struct piece *pool_value(const struct pool *pool, const char *text);

/* The best few texts, each once, the best first. */
enum { RANKING_MOST = 24 };
struct ranking {
	const char *texts[RANKING_MOST];
	double badness[RANKING_MOST];
	size_t n;
};

/* Whether a call may stand around an operand: it is read, and is no part of more. */
bool can_be_wrapped(const struct source *source, struct span span);

/* How many of the best are proposed: more, once all is tried that was proposed first. */
size_t site_most(const struct site *site, size_t most);

void ranking_add(struct ranking *ranking, const char *text, double badness);

/* Put a text last, where there are fewer than `most` and it is not among them. */
void ranking_append(struct ranking *ranking, size_t most, const char *text);

/* Conditions that may belong at a token, likeliest first: those of its function, and simple ones
 * on values in sight. */
struct ranking rank_predicates(struct site *site, struct span near);

/* The values in sight, the nearest first. */
struct ranking rank_values(struct site *site, struct span near);

/* Whether a text says another one, in whole words. */
bool text_says(const char *text, const char *what);

/* Whether a run of tokens says a word. */
bool span_says(const struct source *source, struct span span, const struct word *word);

/* How unlike two runs of tokens are, by the words in them and how far apart they are: 0 to about
 * 4. */
double span_unlikeness(const struct source *source, struct span a, struct span b);

/* Code in the source's language, in the arena. `indent` is that of the line where it will be. */
const char *phrase_statement(const struct source *source, struct arena *arena, const char *text);
const char *phrase_if(const struct source *source, struct arena *arena, const char *indent,
	const char *condition, const char *statement);
const char *phrase_else(const struct source *source, struct arena *arena, const char *indent,
	const char *statement);
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
