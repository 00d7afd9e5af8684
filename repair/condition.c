/* A condition replaced by another, or with something more to it: "c and p", "c or p". */
#include <math.h>
#include <string.h>

#include "repair/search.h"

enum {
	REPLACED_MOST = 8,
	EXTENDED_MOST = 10,
	ALSO_MOST = 4,
	ALSO_WINDOW = 200, /* tokens on each side in which other literals are looked for */
};

bool question_at(const struct source *source, uint32_t i, struct span *ret_span)
{
	if (source->tokens[i].kind == TOKEN_KEYWORD &&
		token_in(source, i, " if elif while unless until "))
		return condition_at(source, i, ret_span);
	if (!token_is(source, i, "return") || i + 1 >= source->n || source->tokens[i + 1].first)
		return false;
	*ret_span = (struct span){i + 1, expression_last(source, i + 1, 1)};
	uint32_t sum = expression_last(source, i + 1, 10);
	return ret_span->last != NO_TOKEN && sum != NO_TOKEN && sum < ret_span->last &&
	       (ret_span->last + 1 >= source->n || source->tokens[ret_span->last + 1].first ||
		       token_in(source, ret_span->last + 1, " ; } "));
}

static void condition_propose(struct site *site)
{
	const struct source *source = site->source;
	struct span span;
	if (!question_at(source, site->at, &span))
		return;
	const char *old = tokens_text(source, site->arena, span.first, span.last);
	struct ranking ranking = {.n = 0};
	rank_predicates(site, span, &ranking);
	for (size_t i = 0, tried = 0; i < ranking.n && tried < REPLACED_MOST; i++) {
		if (strcmp(ranking.texts[i], old) == 0)
			continue;
		tried++;
		double cost = 6 + log2((double)tried) + 0.3 * ranking.badness[i];
		propose_text(site, cost > 6 ? cost : 6, span, ranking.texts[i]);
	}
}

const struct mutation condition_mutation = {.name = "condition",
	.least = 6,
	.propose = condition_propose,
	.rank = CANDIDATE_STRUCTURE,
	.once = true};

/* Where the line failed, what is new is asked first: it is what keeps the rest from failing. */
static void extend(
	struct site *site, struct span span, double cost, const char *word, const char *predicate)
{
	const struct source *source = site->source;
	const char *old = tokens_text(source, site->arena, span.first, span.last);
	bool first = source->traced[source->tokens[span.first].line];
	bool mixed = false;
	for (uint32_t i = span.first; i <= span.last; i++)
		mixed |= source->tokens[i].around == source->tokens[span.first].around &&
			 token_in(source, i, " or || ");
	if (mixed && strcmp(word, word_and(source->language)) == 0)
		old = arena_printf(site->arena, "(%s)", old);
	propose_text(site, cost, span,
		first ? arena_printf(site->arena, "%s %s %s", predicate, word, old)
		      : arena_printf(site->arena, "%s %s %s", old, word, predicate));
}

/* "x == 1" to "x == 1 or x == 2", "x != 1" to "x != 1 and x != 2": what else the function compares with, or failing tests say. */
static void ask_also(struct site *site, uint32_t op)
{
	const struct source *source = site->source;
	bool equal = token_in(source, op, " == === "),
	     text = source->tokens[op + 1].kind == TOKEN_STRING;
	struct span left = {operand_left(source, op, true), op - 1};
	if (left.first == NO_TOKEN || !(equal || token_in(source, op, " != !== ")) ||
		!(text || source->tokens[op + 1].kind == TOKEN_NUMBER) ||
		operand_right(source, op) != op + 1)
		return;
	const char *old = tokens_text(source, site->arena, left.first, op + 1),
		   *asked = tokens_text(source, site->arena, left.first, op);
	const char *join = equal ? word_or(source->language) : word_and(source->language);
	bool grouped = left.first && token_in(source, left.first - 1, " ( or || ") &&
		       token_in(source, op + 2, " ) or || ");
	size_t tried = 0;
	for (uint32_t distance = 1; distance < ALSO_WINDOW && tried < ALSO_MOST; distance++) {
		uint32_t places[] = {op + 1 - distance, op + 1 + distance};
		for (size_t side = 0; side < 2 && tried < ALSO_MOST; side++) {
			uint32_t i = places[side];
			if (i >= source->n ||
				source->tokens[i].kind != source->tokens[op + 1].kind ||
				source->tokens[i].role == ROLE_DEAD ||
				source->tokens[i].word == source->tokens[op + 1].word)
				continue;
			const char *other = tokens_text(source, site->arena, i, i);
			propose_text(site, 6 + log2((double)(++tried)),
				(struct span){left.first, op + 1},
				arena_printf(site->arena,
					grouped && equal ? "%s %s %s %s" : "(%s %s %s %s)", old,
					join, asked, other));
		}
	}
}

static void extension_propose(struct site *site)
{
	const struct source *source = site->source;
	struct span span;
	if (source->tokens[site->at].op && source->tokens[site->at].op->family == FAMILY_COMPARE &&
		binary_precedence(source, site->at) && site->at + 1 < source->n)
		ask_also(site, site->at);
	if (!question_at(source, site->at, &span))
		return;
	const char *old = tokens_text(source, site->arena, span.first, span.last);
	struct ranking ranking = {.n = 0};
	rank_predicates(site, span, &ranking);
	for (size_t i = 0, tried = 0; i < ranking.n && tried < EXTENDED_MOST; i++) {
		if (strstr(old, ranking.texts[i]))
			continue;
		tried++;
		double cost = 6.5 + log2((double)tried) +
			      (ranking.badness[i] < 0 ? 1 : 0.3) * ranking.badness[i];
		cost = cost > 5.5 ? cost : 5.5;
		extend(site, span, cost, word_and(source->language), ranking.texts[i]);
		extend(site, span, cost, word_or(source->language), ranking.texts[i]);
		if (strncmp(ranking.texts[i], source->language->word_not,
			    strlen(source->language->word_not)) != 0)
			extend(site, span, cost + 1, word_and(source->language),
				phrase_not(source, site->arena, ranking.texts[i]));
	}
}

const struct mutation extension_mutation = {.name = "extension",
	.least = 5.5,
	.propose = extension_propose,
	.rank = CANDIDATE_STRUCTURE,
	.once = true};
