/* Another name: of a value, an attribute, a function. The likeliest few that are in sight. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum {
	WINDOW = 600,      /* tokens on each side in which a function's names are looked for */
	FAR_WINDOW = 4000, /* the same for a file's attributes and functions */
	NAMES_MOST = 48,   /* that are ranked */
	TRIED_MOST = 8,    /* that are proposed */
};

struct choice {
	const struct word *word;
	double badness;
	uint32_t at;
};

struct choices {
	struct choice items[NAMES_MOST];
	size_t n;
};

/* 0 (nothing in common) to 1: the common beginning and end. */
static double name_likeness(const struct word *a, const struct word *b)
{
	struct likeness found = spelling_likeness(a->text, a->n, b->text, b->n);
	return (double)(found.begins + found.ends) / (double)found.most;
}

static void name_consider(
	struct choices *choices, const struct source *source, uint32_t at, uint32_t other, double doubt)
{
	const struct word *old = source->tokens[at].word, *word = source->tokens[other].word;
	bool other_case =
		isupper((unsigned char)word->text[0]) && !isupper((unsigned char)word->text[word->n - 1]);
	bool own_case =
		isupper((unsigned char)old->text[0]) && !isupper((unsigned char)old->text[old->n - 1]);
	/* Classes are not taken for values, nor is what is thrown away. */
	if (word == old || other_case != own_case || token_is(source, other, "_"))
		return;
	/* What is asked for its parts is not taken for what never is. */
	bool is_indexed = term_of(source->tokens[other].word)->is_indexed;
	bool asked = token_is(source, at + 1, "[") || token_is(source, at + 1, ".") ||
		token_is(source, at + 1, "->");
	if (asked && !is_indexed)
		doubt += 2.5;
	else if (!asked && is_indexed && !term_of(source->tokens[at].word)->is_indexed)
		doubt += 1.5;
	double lines = fabs((double)source->tokens[at].line - (double)source->tokens[other].line);
	double badness = doubt + 0.4 * log2(1 + lines) + 1.2 * (1 - name_likeness(old, word));
	for (size_t i = 0; i < choices->n; i++) {
		if (choices->items[i].word != word)
			continue;
		if (badness < choices->items[i].badness)
			choices->items[i].badness = badness;
		return;
	}
	if (choices->n < NAMES_MOST)
		choices->items[choices->n++] = (struct choice){word, badness, other};
}

static int compare_choices(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;
	if (x->badness != y->badness)
		return x->badness < y->badness ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void name_choices(struct site *site, struct choices *choices, double cost)
{
	qsort(choices->items, choices->n, sizeof *choices->items, compare_choices);
	const char *old = site->source->tokens[site->at].word->text;
	for (size_t i = 0; i < choices->n && i < TRIED_MOST; i++) {
		const char *text = choices->items[i].word->text;
		const char *what = arena_printf(site->arena, "%s to %s", old, text);
		double unlike = 0.4 * choices->items[i].badness;
		struct proposal *proposal = propose(site, cost + unlike + rank_bits(i), what);
		proposal_replace(site, proposal, span_of(site->at, site->at), text);
	}
}

static struct span name_window_around(const struct source *source, uint32_t at, uint32_t size)
{
	uint32_t last = at + size < source->n ? at + size : (uint32_t)source->n - 1;
	return span_of(at > size ? at - size : 0, last);
}

static bool name_is_within(const struct repair *repair, uint32_t owner, uint32_t outer)
{
	while (owner != NO_TOKEN && owner != outer)
		owner = repair->definitions.items[owner].parent;
	return owner == outer;
}

static char name_sigil(const struct source *source, uint32_t i)
{
	char c = first_byte(source, i);
	return c && strchr("$@%&", c) ? c : '\0';
}

/* A type of Python as a value: for another type alone, as in "isinstance(x, int)". */
static bool name_is_type(const struct source *source, uint32_t i)
{
	return is_python(source) &&
		token_in(source, i, " int str float bool bytes list dict set tuple object ");
}

/* A value that is in sight: of the same function, or of the top of the file. */
static void name_consider_values(struct site *site, struct choices *choices)
{
	const struct source *source = site->source;
	uint32_t owner = source->owner[site->at];
	struct span window = name_window_around(source, site->at, WINDOW);
	for (uint32_t i = window.first; i <= window.last; i++) {
		const struct token *token = &source->tokens[i];
		bool value =
			token->role == ROLE_VALUE || token->role == ROLE_TARGET || token->role == ROLE_DECLARED;
		bool own_name = i && token->role == ROLE_DECLARED &&
			token_in(source, i - 1, source->language->function_words);
		if (!value || token->kind != TOKEN_NAME || own_name ||
			name_sigil(source, i) != name_sigil(source, site->at) ||
			(name_is_type(source, i) && !name_is_type(source, site->at)))
			continue;
		bool called = i + 1 < source->n && token_is(source, i + 1, "(");
		/* also of the functions around */
		if (!called &&
			(name_is_within(site->repair, source->owner[i], owner) ||
				(source->owner[i] != NO_TOKEN &&
					name_is_within(site->repair, owner, source->owner[i]) &&
					site->repair->definitions.items[source->owner[i]].kind == DEFINITION_FUNCTION)))
			name_consider(choices, source, site->at, i, 0);
	}
	for (size_t i = 0; i < source->n_definitions && owner != NO_TOKEN; i++) {
		const struct definition *definition =
			&source->definitions->items[source->first_definition + i];
		if (definition->kind != DEFINITION_VALUE)
			continue;
		uint32_t end = definition->first + 4;
		for (uint32_t at = definition->first; at <= definition->last && at < end; at++)
			if (source->tokens[at].word == definition->name)
				name_consider(choices, source, site->at, at, 1);
	}
}

static void name_consider_attributes(struct site *site, struct choices *choices)
{
	const struct source *source = site->source;
	const struct word *object = source->tokens[site->at - 2].word;
	struct span window = name_window_around(source, site->at, FAR_WINDOW);
	for (uint32_t i = window.first; i <= window.last; i++)
		if (i >= 2 && is_name(source, i) && source->tokens[i].role == ROLE_ATTRIBUTE)
			name_consider(
				choices, source, site->at, i, source->tokens[i - 2].word == object ? 0 : 1.5);
}

static bool name_says_attribute(const struct source *source, const struct word *word)
{
	for (uint32_t i = 0; i < source->n; i++)
		if (source->tokens[i].word == word && source->tokens[i].role == ROLE_ATTRIBUTE)
			return true;
	return false;
}

/* What a failing test gives and nothing in the file asks for: the last first, since options come
 * last. */
static void name_keys(struct site *site, double cost)
{
	const struct repair *repair = site->repair;
	struct choices choices = {.n = 0};
	for (size_t k = 0; k < repair->n_keys && choices.n < NAMES_MOST; k++)
		if (!name_says_attribute(site->source, repair->keys[k]))
			choices.items[choices.n++] =
				(struct choice){repair->keys[k], 0.05 * (double)(repair->n_keys - k), site->at};
	name_choices(site, &choices, cost);
}

/* How many arguments or parameters a bracket holds. */
static size_t name_arity(const struct source *source, uint32_t open)
{
	struct span items[SPAN_MOST];
	size_t n = bracket_items(source, open, items);
	return n - (n && token_in(source, items[0].first, " self cls "));
}

static void name_consider_callees(struct site *site, struct choices *choices)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	size_t wanted = name_arity(source, site->at + 1);
	struct span window = name_window_around(source, site->at, FAR_WINDOW);
	for (uint32_t i = window.first; i <= window.last && i + 1 < source->n; i++) {
		const struct token *other = &source->tokens[i];
		bool like = other->role == token->role || other->role == ROLE_DECLARED;
		bool path = token_is(source, site->at - 1, "::") != (i && token_is(source, i - 1, "::"));
		bool callable = other->kind == TOKEN_NAME && like && token_is(source, i + 1, "(") && !path;
		if (callable && name_arity(source, i + 1) == wanted)
			name_consider(choices, source, site->at, i, other->first != token->first ? 1.5 : 0);
	}
}

/* By what the name is for; a cost of 0: not such a one. */
static void propose_names(
	struct site *site, double value_cost, double attribute_cost, double callee_cost)
{
	const struct token *token = &site->source->tokens[site->at];
	struct choices choices = {.n = 0};
	if (token->kind != TOKEN_NAME)
		return;
	/* A package of Go's is none of the function's values. */
	bool is_package = is_go(site->source) && token_is(site->source, site->at + 1, ".") &&
		!pool_value(pool_of(site->repair, site->source, site->at), token->word->text);
	if (token->role == ROLE_VALUE && value_cost > 0 && !is_package) {
		name_consider_values(site, &choices);
		name_choices(site, &choices, value_cost);
	} else if (token->role == ROLE_ATTRIBUTE && site->at >= 2 && attribute_cost > 0) {
		name_consider_attributes(site, &choices);
		name_choices(site, &choices, attribute_cost);
		name_keys(site, attribute_cost + 0.4);
	} else if ((token->role == ROLE_CALLEE || token->role == ROLE_METHOD) && callee_cost > 0) {
		name_consider_callees(site, &choices);
		name_choices(site, &choices, callee_cost);
	}
}

static void name_propose(struct site *site)
{
	propose_names(site, 4, 4.4, 0);
}

MUTATION(name, .least = 4);

static void callee_propose(struct site *site)
{
	propose_names(site, 0, 0, 4.6);
}

MUTATION(callee, .least = 4.6);

/* A name that the runner does not know is surely wrong, on the line where it said so. */
static void unknown_propose(struct site *site)
{
	const struct token *token = &site->source->tokens[site->at];
	if (token->kind == TOKEN_NAME && term_of(token->word)->blamed &&
		site->source->traced[token->line])
		propose_names(site, 2.5, 2.5, 2.5);
}

MUTATION(unknown, .least = 2.5, .printed = true);
