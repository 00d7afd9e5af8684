/* Where the runner complains that a value lacks what is asked of it: the value may be of another
 * kind, or null, for which a way out is missing. */
#include <string.h>

#include "repair/pool/phrase.h"
#include "repair/probe.h"

enum { QUESTIONS_MOST = 4, WAYS_MOST = 4 };

/* The class around a token, or NULL. */
static const struct word *alien_class(const struct source *source, uint32_t i)
{
	uint32_t owner = source->owner[i];
	while (owner != NO_TOKEN && source->definitions->items[owner].kind != DEFINITION_CLASS)
		owner = source->definitions->items[owner].parent;
	return owner == NO_TOKEN ? NULL : source->definitions->items[owner].name;
}

/* What holds of a value that is not of the kind. `name`: what it lacks. */
static void alien_ask(
	struct site *site, const char *value, const struct word *name, struct ranking *questions)
{
	const struct source *source = site->source;
	const struct word *own = alien_class(source, site->at);
	struct arena *arena = site->arena;
	if (site->repair->is_absent)
		ranking_append(
			questions, QUESTIONS_MOST, phrase_absent(source->language, arena, value, false));
	bool is_own = own && term_of(source->tokens[site->at].word)->is_own;
	if (is_python(source)) {
		if (is_own)
			ranking_append(questions, QUESTIONS_MOST,
				arena_printf(arena, "not isinstance(%s, %s)", value, own->text));
		ranking_append(questions, QUESTIONS_MOST,
			arena_printf(arena, "not hasattr(%s, '%s')", value, name->text));
	} else if (language_is_script(source->language)) {
		if (is_own)
			ranking_append(questions, QUESTIONS_MOST,
				arena_printf(arena, "!(%s instanceof %s)", value, own->text));
		ranking_append(questions, QUESTIONS_MOST, arena_printf(arena, "!%s.%s", value, name->text));
		ranking_append(
			questions, QUESTIONS_MOST, arena_printf(arena, "typeof %s !== 'object'", value));
	}
}

static void alien_put(struct site *site, const struct gap *gap, const struct ranking *questions)
{
	struct ranking exits = gap_exits(site, gap);
	for (size_t q = 0; q < questions->n; q++)
		for (size_t e = 0; e < exits.n && e < WAYS_MOST; e++)
			gap_put(site, gap, 3.8 + 0.7 * rank_bits(q) + 0.7 * rank_bits(e),
				gap_if(site, gap, questions->texts[q], exits.texts[e]));
}

static void alien_propose(struct site *site)
{
	const struct source *source = site->source;
	uint32_t begin = site->at, end = source->line_first[source->tokens[site->at].line + 1];
	struct ranking questions = {.n = 0};
	struct gap gap;
	if (!source->traced[source->tokens[site->at].line])
		return;
	for (; site->at < end; site->at++) {
		const struct token *token = &source->tokens[site->at];
		bool asked = token->kind == TOKEN_NAME && site->at > begin + 1 &&
			(token->role == ROLE_ATTRIBUTE || token->role == ROLE_METHOD) &&
			term_of(token->word)->blamed;
		uint32_t first = asked ? expression_first(source, site->at - 2, ONE_OPERAND) : NO_TOKEN;
		if (first != NO_TOKEN && !is_self(source, site->at - 2))
			alien_ask(site, site_text(site, first, site->at - 2), token->word, &questions);
	}
	site->at = begin;
	if (questions.n && gap_find(site, &gap))
		alien_put(site, &gap, &questions);
}

MUTATION(alien, .least = 3.8, .rank = CANDIDATE_STRUCTURE, .printed = true, .once = true,
	.by_line = true);
