/* Kinds of edits: what they look at, and how they propose. Private to repair/ and its tests. */
#pragma once
#include "base/map.h"
#include "base/registry.h"
#include "repair/source/source.h"

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
	bool once;    /* one line at a time is enough */
	bool by_line; /* looks at whole lines, also at those that are not to be touched otherwise */
};

#define MUTATION_SYMBOL(name) name##_mutation
#define MUTATIONS(_) \
	_(syntax), _(misspelt), _(import), _(handler), _(copied), _(unknown), _(head), _(keep), \
	_(arguments), _(idiom), _(symbol), _(constant), _(assign), _(unbound), _(lost), _(absent), \
	_(arity), _(exception), _(operands), _(library), _(default), _(opposite), _(negation), \
	_(branches), _(convert), _(fill), _(pieces), _(offset), _(alien), _(name), _(target), \
	_(reference), _(attribute), _(drop), _(ending), _(pattern), _(brackets), _(item), _(slice), \
	_(otherwise), _(leave), _(callee), _(move), _(member), _(arms), _(donor), _(delegate), \
	_(rewrap), _(places), _(text), _(returned), _(unwrap), _(field), _(force), _(extension), \
	_(literal), _(reset), _(substitute), _(argument), _(recursion), _(wrap), _(part), _(cleanup), \
	_(condition), _(bound), _(insert), _(remove), _(combine), _(refusal), _(guard), _(skip), \
	_(enclose)
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

/* Whether a call may stand around an operand: it is read, and is no part of more. */
bool can_be_wrapped(const struct source *source, struct span span);

/* How many of the best are proposed: more, once all is tried that was proposed first. */
size_t site_most(const struct site *site, size_t most);

/* Whether a text says another one, in whole words. */
bool text_says(const char *text, const char *what);

/* mistyped.c: whether a compiler refuses a text where a run of tokens stands. */
bool kind_forbids(struct site *site, struct span span, const char *text);

/* offset.c: whether a number says where something begins or ends: a range, a slice, a loop, what is
 * more or less. Moved by one, it is no likelier to serve the tests alone than an operator. */
bool number_is_bound(const struct source *source, uint32_t i);
