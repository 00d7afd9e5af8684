/* A forgotten case: "if p: return v" in front, or a statement only if p. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "repair/gap.h"

enum { EXITS_MOST = 8, PREDICATES_MOST = 8 };

/* Whether a failing test has a word. */
static bool guard_is_in_test(const struct site *site, const char *word)
{
	const struct term *term =
		word ? term_of(words_find(&site->repair->words, word, strlen(word))) : NULL;
	return term && term->failing;
}

/* Plain values, first those that failing tests say, then those that the function returns
 * elsewhere, then the others. */
static struct ranking guard_find_exits(struct site *site, const struct gap *gap)
{
	const struct language *language = site->source->language;
	const struct pieces *statements = &pool_of(site->repair, site->source, site->at)->statements;
	const char *const plain[] = {
		"0", language->word_false, language->word_true, language->word_null, "-1", "1"};
	struct ranking exits = {.n = 0};
	if (gap->in_loop) {
		if (word_continue(language))
			ranking_append(&exits, EXITS_MOST, word_continue(language));
		ranking_append(&exits, EXITS_MOST, word_break(language));
	}
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (guard_is_in_test(site, plain[i]))
			ranking_append(&exits, EXITS_MOST, arena_printf(site->arena, "return %s", plain[i]));
	for (size_t i = 0; i < statements->n && exits.n < EXITS_MOST / 2; i++)
		if (token_in(site->source, statements->items[i].span.first, " return raise throw "))
			ranking_append(&exits, EXITS_MOST, statements->items[i].text);
	for (size_t i = 0; i < ARRAY_SIZE(plain) - 2; i++)
		if (plain[i])
			ranking_append(&exits, EXITS_MOST, arena_printf(site->arena, "return %s", plain[i]));
	return exits;
}

static void guard_propose(struct site *site)
{
	struct gap gap;
	if (!gap_find(site, &gap))
		return;
	struct ranking predicates = rank_predicates(site, gap.statement.span);
	struct ranking exits = guard_find_exits(site, &gap);
	for (size_t p = 0; p < predicates.n && p < PREDICATES_MOST; p++)
		for (size_t e = 0; e < exits.n; e++)
			gap_put(site, &gap, 7 + 0.7 * rank_bits(p) + 0.7 * rank_bits(e),
				gap_if(site, &gap, predicates.texts[p], exits.texts[e]));
}

MUTATION(guard, .least = 7, .rank = CANDIDATE_STRUCTURE, .once = true);

/* "S" to "if p: S". */
static void enclose_propose(struct site *site)
{
	const struct source *source = site->source;
	struct gap gap;
	if (!gap_find(site, &gap) || !gap.statement.simple)
		return;
	struct span span = gap.statement.span;
	const char *text = gap_text(site, &gap);
	bool declares =
		token_in(source, span.first, " let const var else case default ") || strchr(text, '\n');
	if (declares)
		return;
	struct ranking predicates = rank_predicates(site, span);
	for (size_t p = 0; p < predicates.n && p < PREDICATES_MOST; p++) {
		const char *what = arena_printf(site->arena, "only if %s: %s", predicates.texts[p], text);
		struct proposal *proposal = propose(site, 8 + rank_bits(p), what);
		proposal_replace(site, proposal, span, gap_if(site, &gap, predicates.texts[p], text));
	}
}

MUTATION(enclose, .least = 8, .rank = CANDIDATE_STRUCTURE, .once = true);

/* A block without a head is probably a mistake: "{ S }" to "if (p) { S }". */
static void head_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool bare = token_is(source, site->at, "{") && token->match != NO_TOKEN &&
		token->match > site->at + 1 && site->at && token_in(source, site->at - 1, " ; } { ") &&
		source->owner[site->at] != NO_TOKEN && token->around != NO_TOKEN &&
		is_block(source, token->around);
	if (!bare)
		return;
	struct ranking predicates = rank_predicates(site, span_of(site->at, token->match));
	for (size_t p = 0; p < predicates.n; p++)
		proposal_insertf(site,
			proposef(site, 2.5 + 0.5 * rank_bits(p), "only if %s", predicates.texts[p]),
			token->start, has_trait(source, LANGUAGE_BARE) ? "if %s " : "if (%s) ",
			predicates.texts[p]);
}

MUTATION(head, .least = 2.5, .rank = CANDIDATE_STRUCTURE, .once = true);
