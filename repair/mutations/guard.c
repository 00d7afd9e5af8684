/* A case that nobody thought of: "if p: return v" in front, or a statement only if p. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "repair/gap.h"

enum { EXITS_MOST = 8, PREDICATES_MOST = 8 };

/* Whether a failing test says a word. */
static bool is_told(const struct site *site, const char *word)
{
	const struct term *term =
		word ? term_of(words_find(&site->repair->words, word, strlen(word))) : NULL;
	return term && term->failing;
}

static void add_exit(const char *exits[EXITS_MOST], size_t *n, const char *text)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(exits[i], text) == 0)
			return;
	if (*n < EXITS_MOST)
		exits[(*n)++] = text;
}

/* Plain values, first those that failing tests say, then what the function gives back elsewhere,
 * then the others. */
static size_t find_exits(struct site *site, const struct gap *gap, const char *exits[EXITS_MOST])
{
	const struct language *language = site->source->language;
	const struct pieces *statements = &pool_of(site->repair, site->source, site->at)->statements;
	const char *const plain[] = {
		"0", language->word_false, language->word_true, language->word_null, "-1", "1"};
	size_t n = 0;
	if (gap->in_loop) {
		if (word_continue(language))
			add_exit(exits, &n, word_continue(language));
		add_exit(exits, &n, word_break(language));
	}
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (is_told(site, plain[i]))
			add_exit(exits, &n, arena_printf(site->arena, "return %s", plain[i]));
	for (size_t i = 0; i < statements->n && n < EXITS_MOST / 2; i++)
		if (token_in(site->source, statements->items[i].span.first, " return raise throw "))
			add_exit(exits, &n, statements->items[i].text);
	for (size_t i = 0; i < ARRAY_SIZE(plain) - 2; i++)
		if (plain[i])
			add_exit(exits, &n, arena_printf(site->arena, "return %s", plain[i]));
	return n;
}

static void guard_propose(struct site *site)
{
	const struct source *source = site->source;
	struct gap gap;
	if (!source->tokens[site->at].first || !gap_find(site, &gap))
		return;
	gap.last = false;
	struct ranking predicates = rank_predicates(site, gap.statement.span);
	const char *exits[EXITS_MOST];
	size_t n = find_exits(site, &gap, exits);
	for (size_t p = 0; p < predicates.n && p < PREDICATES_MOST; p++)
		for (size_t e = 0; e < n; e++)
			gap_put(site, &gap, 7 + 0.7 * rank_bits(p) + 0.7 * rank_bits(e),
				phrase_if(source, site->arena, gap.indent, predicates.texts[p], exits[e]));
}

MUTATION(guard, .least = 7, .rank = CANDIDATE_STRUCTURE, .once = true);

/* "S" to "if p: S". */
static void enclose_propose(struct site *site)
{
	const struct source *source = site->source;
	struct gap gap;
	if (!source->tokens[site->at].first || !gap_find(site, &gap) || !gap.statement.simple)
		return;
	struct span span = gap.statement.span;
	uint32_t last =
		token_is(source, span.last, ";") && span.last > span.first ? span.last - 1 : span.last;
	const char *text = site_text(site, span.first, last);
	bool declares =
		token_in(source, span.first, " let const var else case default ") || strchr(text, '\n');
	if (declares)
		return;
	struct ranking predicates = rank_predicates(site, span);
	for (size_t p = 0; p < predicates.n && p < PREDICATES_MOST; p++) {
		const char *what = arena_printf(site->arena, "only if %s: %s", predicates.texts[p], text);
		struct proposal *proposal = propose(site, 8 + rank_bits(p), what);
		proposal_replace(site, proposal, span,
			phrase_if(source, site->arena, gap.indent, predicates.texts[p], text));
	}
}

MUTATION(enclose, .least = 8, .rank = CANDIDATE_STRUCTURE, .once = true);

/* A block without a head, which hardly anybody writes: "{ S }" to "if (p) { S }". */
static void head_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool bare = token_is(source, site->at, "{") && token->match != NO_TOKEN &&
				token->match > site->at + 1 && site->at &&
				token_in(source, site->at - 1, " ; } { ") && source->owner[site->at] != NO_TOKEN &&
				token->around != NO_TOKEN && is_block(source, token->around);
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
