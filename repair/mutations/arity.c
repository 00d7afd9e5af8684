/* An argument more or less. */
#include <math.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum {
	VALUES_MOST = 5,
	LITERALS_MOST = 5,
	WINDOW = 4000,     /* tokens on each side in which other calls are looked for */
	NEAR_WINDOW = 200, /* and literals */
};

/* How many arguments the other calls of the same function have at most; SIZE_MAX: there are
 * none. */
static size_t arity_count_elsewhere(const struct site *site, uint32_t callee)
{
	const struct source *source = site->source;
	size_t most = SIZE_MAX;
	for (uint32_t i = callee > WINDOW ? callee - WINDOW : 0;
		 i + 1 < source->n && i < callee + WINDOW; i++) {
		struct span items[SPAN_MOST];
		if (i == callee || source->tokens[i].word != source->tokens[callee].word ||
			source->tokens[i].role != source->tokens[callee].role || !token_is(source, i + 1, "("))
			continue;
		size_t n = bracket_items(source, i + 1, items);
		most = n && (most == SIZE_MAX || n > most) ? n : most;
	}
	return most;
}

/* How many arguments a function takes at most; SIZE_MAX: not known, or any number. */
static size_t arity_of_definition(const struct definition *definition)
{
	const struct source *source = definition->source;
	struct span items[SPAN_MOST];
	size_t n = bracket_items(source, definition->open, items), depth = 0;
	uint32_t close = source->tokens[definition->open].match;
	if (!n && close > definition->open + 1)
		return SIZE_MAX;
	for (uint32_t i = definition->open + 1; i < close; i++) {
		bool own = source->tokens[i].around == definition->open;
		depth += token_is(source, i, "<") && source->tokens[i].role == ROLE_TYPE;
		depth -= depth && token_is(source, i, ">") && source->tokens[i].role == ROLE_TYPE;
		if (own && token_in(source, i, " * ** ... ") && source->tokens[i].role != ROLE_TYPE)
			return SIZE_MAX;
		n -= n && depth && own && token_is(source, i, ",");
	}
	uint32_t first = n ? items[0].first : close;
	while (token_in(source, first, " & mut "))
		first++;
	return n - (n && token_in(source, first, " self cls "));
}

/* The only function of a callee's name, or NULL. */
static const struct definition *arity_definition(const struct site *site, uint32_t callee)
{
	const struct term *term = term_of(site->source->tokens[callee].word);
	const struct definition *definition = term && term->n_definitions == 1
		? &site->source->definitions->items[term->definitions[0]]
		: NULL;
	return definition && definition->open != NO_TOKEN ? definition : NULL;
}

/* How many parameters the one definition of a callee has, or else how many arguments other calls
 * have, which is less sure; SIZE_MAX: not known. */
static size_t arity_count_parameters(const struct site *site, uint32_t callee, double *ret_doubt)
{
	const struct definition *definition = arity_definition(site, callee);
	*ret_doubt = definition ? 0 : 1.2;
	if (!definition)
		return arity_count_elsewhere(site, callee);
	return arity_of_definition(definition);
}

static void arity_put_last(
	struct site *site, const struct span *items, size_t n, double cost, const char *text)
{
	const struct source *source = site->source;
	proposal_insertf(site, proposef(site, cost, "one more argument, %s", text),
		token_end(source, n ? items[n - 1].last : site->at), n ? ", %s" : "%s", text);
}

/* Literals that stand nearby, the nearest first, then the commonest numbers, and the truths. */
static void arity_literals(struct site *site, const struct span *items, size_t n, double cost)
{
	const struct source *source = site->source;
	const struct language *language = source->language;
	struct ranking texts = {.n = 0};
	struct outward outward = {.at = site->at, .within = NEAR_WINDOW, .after_first = true};
	for (uint32_t i; texts.n < LITERALS_MOST && outward_next(source, &outward, &i);) {
		const struct token *token = &source->tokens[i];
		bool literal = token->word && token->role != ROLE_DEAD &&
			(token->kind == TOKEN_STRING || token->kind == TOKEN_NUMBER);
		const char *text = literal ? site_text(site, i, i) : NULL;
		if (text && !strchr(text, '\n'))
			ranking_append(&texts, LITERALS_MOST, text);
	}
	ranking_append(&texts, LITERALS_MOST + 2, "1");
	ranking_append(&texts, LITERALS_MOST + 2, "0");
	for (size_t i = 0; i < texts.n; i++)
		arity_put_last(site, items, n, cost + rank_bits(i), texts.texts[i]);
	if (language->word_true)
		arity_put_last(site, items, n, cost + 1, language->word_true);
	if (language->word_false)
		arity_put_last(site, items, n, cost + 1, language->word_false);
}

static void arity_more(struct site *site, const struct span *items, size_t n, double cost)
{
	const struct source *source = site->source;
	struct ranking values = rank_values(site, span_of(site->at, source->tokens[site->at].match));
	for (size_t i = 0; i < values.n && i < VALUES_MOST; i++) {
		double own = cost + rank_bits(i);
		arity_put_last(site, items, n, own, values.texts[i]);
		if (n)
			proposal_insertf(site,
				proposef(site, own + 1, "one more argument, %s, first", values.texts[i]),
				source->tokens[items[0].first].start, "%s, ", values.texts[i]);
	}
	arity_literals(site, items, n, cost + 1);
}

static void arity_fewer(struct site *site, const struct span *items, size_t n, double cost)
{
	const struct source *source = site->source;
	for (size_t i = n; i-- > 0;) {
		const char *old = span_text(site, items[i]);
		struct proposal *proposal = proposef(site, cost, "without the argument %s", old);
		size_t start =
			i ? token_end(source, items[i - 1].last) : source->tokens[items[i].first].start;
		size_t end =
			i || n == 1 ? token_end(source, items[i].last) : source->tokens[items[1].first].start;
		proposal_splice(site, proposal, start, end - start, "");
	}
}

static bool arity_find_arguments(
	const struct site *site, struct span items[SPAN_MOST], size_t *ret_n)
{
	const struct source *source = site->source;
	uint32_t at = site->at;
	const struct token *token = &source->tokens[at];
	bool call = token_is(source, at, "(") && token->match != NO_TOKEN && at && !token->first &&
		(source->tokens[at - 1].role == ROLE_CALLEE || source->tokens[at - 1].role == ROLE_METHOD);
	if (!call)
		return false;
	*ret_n = bracket_items(source, at, items);
	return *ret_n || token->match == at + 1;
}

/* "a, b = text.split(sign)" to "text.split(sign, 1)", where the runner printed the line: there are
 * more parts than names. */
static void arity_limit_split(struct site *site, const struct span *items, size_t n)
{
	const struct source *source = site->source;
	uint32_t line = source->tokens[site->at].line, i = source->line_first[line];
	int n_commas = 0;
	if (!is_python(source) || !source->traced[line] || n != 1 ||
		!token_in(source, site->at - 1, " split rsplit "))
		return;
	for (; i < site->at && !token_is(source, i, "="); i++)
		n_commas += token_is(source, i, ",");
	if (i < site->at && n_commas)
		arity_put_last(site, items, n, 3.2, arena_printf(site->arena, "%d", n_commas));
}

static bool arity_passes(
	const struct source *source, const struct span *items, size_t n, const struct word *name)
{
	for (size_t i = 0; i < n; i++)
		if (source->tokens[items[i].first].word == name &&
			(items[i].first == items[i].last || token_is(source, items[i].first + 1, "=")))
			return true;
	return false;
}

/* A parameter that is not given, where there is a value of its name. */
static void arity_named(struct site *site, const struct span *items, size_t n)
{
	const struct definition *definition = arity_definition(site, site->at - 1);
	struct span parameters[SPAN_MOST];
	if (!definition || !is_python(site->source) || definition->source->language != &language_python)
		return;
	size_t most = bracket_items(definition->source, definition->open, parameters);
	size_t first = most && token_in(definition->source, parameters[0].first, " self cls ");
	const struct pool *pool = pool_of(site->repair, site->source, site->at);
	for (size_t i = first + n; i < most; i++) {
		const struct word *name = definition->source->tokens[parameters[i].first].word;
		if (!is_name(definition->source, parameters[i].first) ||
			arity_passes(site->source, items, n, name))
			continue;
		const char *own = arena_printf(site->arena, "self.%s", name->text);
		const char *value = pool_value(pool, name->text) ? name->text : own;
		if (pool_value(pool, value))
			arity_put_last(site, items, n, 3.2 + 0.2 * rank_bits(i - first - n),
				arena_printf(site->arena, "%s=%s", name->text, value));
	}
}

/* Whether a compiler was content with the number of arguments, and would be with no other. */
static bool arity_is_checked(const struct site *site)
{
	return language_in(site->source->language, " c go rust ") && !site->repair->is_unbuilt;
}

/* A call that does not fit the only function of its name. */
static void arity_propose(struct site *site)
{
	struct span items[SPAN_MOST];
	size_t n, wanted;
	double doubt;
	if (!arity_find_arguments(site, items, &n) || arity_is_checked(site))
		return;
	arity_limit_split(site, items, n);
	arity_named(site, items, n);
	wanted = arity_count_parameters(site, site->at - 1, &doubt);
	if (wanted == SIZE_MAX)
		return;
	if (n < wanted)
		arity_more(site, items, n, 3.6 + doubt);
	if (n > wanted)
		arity_fewer(site, items, n, 3.2 + 2 * doubt);
}

MUTATION(arity, .least = 3.2, .rank = CANDIDATE_STRUCTURE);

static void argument_propose(struct site *site)
{
	struct span items[SPAN_MOST];
	size_t n;
	if (!arity_find_arguments(site, items, &n) || arity_is_checked(site))
		return;
	double doubt;
	arity_count_parameters(site, site->at - 1, &doubt);
	if (doubt > 0)
		arity_more(site, items, n, 6);
	if (n > 1 || (n && doubt > 0))
		arity_fewer(site, items, n, 5.5);
}

MUTATION(argument, .least = 5.5, .rank = CANDIDATE_STRUCTURE, .once = true);
