/* A condition replaced by another, or with something more to it: "c and p", "c or p". */
#include <math.h>
#include <string.h>

#include "repair/pool/phrase.h"
#include "repair/probe.h"

enum {
	REPLACED_MOST = 8,
	EXTENDED_MOST = 10,
	ALSO_MOST = 8,
	BESIDE_MOST = 3,
	CHAIN = 10,          /* tokens between the literals of "x == a or x == b" and the like */
	ALSO_WINDOW = 200,   /* tokens on each side in which other literals are looked for */
	ASKED_WINDOW = 4000, /* and comparisons of the same value */
};

/* A question, or the truth that is returned in place of one. */
static bool condition_find(const struct source *source, uint32_t i, struct span *ret_span)
{
	const struct language *language = source->language;
	if (question_at(source, i, ret_span))
		return true;
	*ret_span = span_of(i + 1, i + 1);
	return token_is(source, i, "return") && language->word_true && language->word_false &&
		(token_is(source, i + 1, language->word_true) ||
			token_is(source, i + 1, language->word_false));
}

static void condition_propose(struct site *site)
{
	const struct source *source = site->source;
	struct span span;
	if (!condition_find(source, site->at, &span))
		return;
	const char *old = span_text(site, span);
	struct ranking ranking = rank_predicates(site, span);
	for (size_t i = 0, tried = 0; i < ranking.n && tried < site_most(site, REPLACED_MOST); i++) {
		if (strcmp(ranking.texts[i], old) == 0)
			continue;
		tried++;
		double cost = 6 + log2((double)tried) + 0.3 * ranking.badness[i];
		propose_text(site, cost > 6 ? cost : 6, span, ranking.texts[i]);
	}
}

MUTATION(condition, .least = 6, .rank = CANDIDATE_CONDITION, .once = true);

/* Where the line failed, what is new is asked first: it is what keeps the rest from failing. */
static void condition_extend(
	struct site *site, struct span span, double cost, const char *word, const char *predicate)
{
	const struct source *source = site->source;
	const char *old = span_text(site, span);
	bool first = source->traced[source->tokens[span.first].line];
	bool mixed = false, joins = strcmp(word, word_and(source->language)) == 0;
	if (joins && (strstr(predicate, " or ") || strstr(predicate, " || ")))
		predicate = arena_printf(site->arena, "(%s)", predicate);
	for (uint32_t i = span.first; i <= span.last; i++)
		mixed |= source->tokens[i].around == source->tokens[span.first].around &&
			token_in(source, i, " or || ");
	if (mixed && joins)
		old = arena_printf(site->arena, "(%s)", old);
	propose_text(site, cost, span,
		first ? arena_printf(site->arena, "%s %s %s", predicate, word, old)
			  : arena_printf(site->arena, "%s %s %s", old, word, predicate));
}

/* Literals that a value could also be compared with. */
struct others {
	const struct word *words[ALSO_MOST];
	const char *texts[ALSO_MOST];
	size_t n, most;
};

static void condition_add_other(struct site *site, struct others *others, uint32_t op, uint32_t i)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[i];
	if (others->n == others->most || token->kind != source->tokens[op + 1].kind ||
		token->role == ROLE_DEAD || token->word == source->tokens[op + 1].word)
		return;
	for (size_t k = 0; k < others->n; k++)
		if (others->words[k] == token->word)
			return;
	others->words[others->n] = token->word;
	others->texts[others->n++] = site_text(site, i, i);
}

/* Whether the literal of a comparison stands close by another one. */
static bool condition_is_beside(const struct source *source, const struct word *literal, uint32_t i)
{
	for (uint32_t k = i > CHAIN ? i - CHAIN : 0; k < source->n && k < i + CHAIN; k++)
		if (k != i && source->tokens[k].word == literal)
			return true;
	return false;
}

/* Those that the value is compared with elsewhere: in one breath with this one, or at all. */
static void condition_find_compared(
	struct site *site, uint32_t op, struct others *others, bool beside)
{
	const struct source *source = site->source;
	for (uint32_t i = op > ASKED_WINDOW ? op - ASKED_WINDOW : 2;
		 i < source->n && i < op + ASKED_WINDOW; i++)
		if (token_in(source, i - 1, " == === != !== ") &&
			source->tokens[i - 2].word == source->tokens[op - 1].word &&
			(!beside || condition_is_beside(source, source->tokens[op + 1].word, i)))
			condition_add_other(site, others, op, i);
}

/* And then those that are near. */
static void condition_find_others(struct site *site, uint32_t op, struct others *others)
{
	others->most = BESIDE_MOST;
	condition_find_compared(site, op, others, true);
	others->most = ALSO_MOST - BESIDE_MOST;
	condition_find_compared(site, op, others, false);
	others->most = ALSO_MOST;
	struct outward outward = {.at = op + 1, .within = ALSO_WINDOW};
	for (uint32_t i; outward_next(site->source, &outward, &i);)
		condition_add_other(site, others, op, i);
}

/* "x == 1" to "x == 1 or x == 2", "x != 1" to "x != 1 and x != 2": what else it is compared
 * with, or the function says. */
static void condition_ask_also(struct site *site, uint32_t op)
{
	const struct source *source = site->source;
	bool equal = token_in(source, op, " == === eq "),
		 text = source->tokens[op + 1].kind == TOKEN_STRING;
	struct span left = {operand_left(source, op, true), op - 1};
	if (left.first == NO_TOKEN || !(equal || token_in(source, op, " != !== ~= ne ")) ||
		!(text || source->tokens[op + 1].kind == TOKEN_NUMBER) ||
		operand_right(source, op) != op + 1)
		return;
	const char *old = site_text(site, left.first, op + 1), *asked = site_text(site, left.first, op);
	const char *join = equal ? word_or(source->language) : word_and(source->language);
	bool grouped = left.first && token_in(source, left.first - 1, " ( or || ") &&
		token_in(source, op + 2, " ) or || ");
	struct others others = {.n = 0};
	condition_find_others(site, op, &others);
	for (size_t i = 0; i < others.n; i++)
		propose_textf(site, 5.2 + rank_bits(i), span_of(left.first, op + 1),
			grouped && equal ? "%s %s %s %s" : "(%s %s %s %s)", old, join, asked, others.texts[i]);
}

/* "x == 1 and x == 2" never holds. */
static bool condition_contradicts(const char *old, const char *predicate)
{
	const char *a = strstr(old, " == "), *b = strstr(predicate, " == ");
	return a && b && a - old == b - predicate && memcmp(old, predicate, (size_t)(a - old)) == 0 &&
		!strpbrk(old, "&|") && !strstr(old, " or ");
}

/* "c and p", "c and not p". */
static void condition_narrow(
	struct site *site, struct span span, double cost, const char *predicate)
{
	const struct source *source = site->source;
	const char *no = source->language->word_not;
	if (!condition_contradicts(span_text(site, span), predicate))
		condition_extend(site, span, cost, word_and(source->language), predicate);
	if (strncmp(predicate, no, strlen(no)) != 0)
		condition_extend(site, span, cost + 1, word_and(source->language),
			phrase_not(source, site->arena, predicate));
}

static void extension_propose(struct site *site)
{
	const struct source *source = site->source;
	struct span span;
	if (is_of_family(source, site->at, FAMILY_COMPARE) && binary_precedence(source, site->at) &&
		site->at + 1 < source->n)
		condition_ask_also(site, site->at);
	if (!question_at(source, site->at, &span))
		return;
	const char *old = span_text(site, span);
	double never = probe_doubt(site, &(struct probe){.kind = FORCED_FALSE, .at = site->at}),
		   always = probe_doubt(site, &(struct probe){.kind = FORCED_TRUE, .at = site->at});
	struct ranking ranking = rank_predicates(site, span);
	for (size_t i = 0, tried = 0; i < ranking.n && tried < site_most(site, EXTENDED_MOST); i++) {
		if (text_says(old, ranking.texts[i]))
			continue;
		tried++;
		double cost =
			6.5 + log2((double)tried) + (ranking.badness[i] < 0 ? 1 : 0.3) * ranking.badness[i];
		cost = cost > 5.5 ? cost : 5.5;
		condition_narrow(site, span, cost + never, ranking.texts[i]);
		condition_extend(site, span, cost + always, word_or(source->language), ranking.texts[i]);
	}
}

MUTATION(extension, .least = 5.2, .rank = CANDIDATE_CONDITION, .once = true);

void condition_follow(struct site *site, const struct probe *probe)
{
	const struct source *source = site->source;
	const char **predicates;
	struct span span;
	if (!condition_at(source, site->at, &span))
		return;
	const char *old = span_text(site, span);
	size_t n = predicates_find(site, span, &predicates);
	for (size_t p = 0; p < n; p++) {
		double cost = 0.5 * rank_bits(p);
		if (strcmp(old, predicates[p]) == 0)
			continue;
		if (probe->kind == FORCED_TRUE)
			condition_extend(site, span, cost, word_or(source->language), predicates[p]);
		else
			condition_narrow(site, span, cost, predicates[p]);
		propose_text(site, cost + 0.5, span, predicates[p]);
	}
}
