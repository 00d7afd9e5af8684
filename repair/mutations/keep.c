/* What a constructor is given and does not keep, although its class asks itself for it:
 * "self.x = x". */
#include "repair/pool/gap.h"
#include "repair/pool/phrase.h"

#define SELVES " self this "

/* Whether a file asks an object for its own attribute; and whether it gives it a value. */
static bool keep_is_missing(const struct source *source, const struct word *word)
{
	bool asked = false;
	for (uint32_t i = 2; i < source->n; i++) {
		if (source->tokens[i].word != word || !is_access(source, i - 1) ||
			!token_in(source, i - 2, SELVES))
			continue;
		/* "self.x: int", and not "if self.x:" */
		bool declares = token_is(source, i + 1, ":") && source->tokens[i - 2].first;
		if (declares || token_in(source, i + 1, " = += := "))
			return false;
		asked = true;
	}
	return asked;
}

/* Whether a statement is one of the function's body itself, and nothing is done to a parameter from
 * there on. */
static bool keep_fits(const struct source *source, const struct definition *function,
	const struct gap *gap, const struct word *word)
{
	uint32_t close = source->tokens[function->open].match, body = close;
	while (body < function->last && !source->tokens[body].first)
		body++;
	if (token_column(source, gap->statement.span.first) != token_column(source, body))
		return false;
	for (uint32_t i = gap->statement.span.first; i <= function->last && i < source->n; i++)
		if (source->tokens[i].word == word && source->tokens[i].role == ROLE_TARGET)
			return false;
	return true;
}

static void keep_propose(struct site *site)
{
	const struct source *source = site->source;
	struct gap gap;
	uint32_t owner = source->owner[site->at];
	if (owner == NO_TOKEN || !source->definitions->items[owner].constructor ||
		source->definitions->items[owner].open == NO_TOKEN || !gap_find(site, &gap))
		return;
	const struct definition *function = &source->definitions->items[owner];
	const char *self = is_python(source) ? "self" : "this";
	uint32_t close = source->tokens[function->open].match;
	for (uint32_t i = function->open + 1; close != NO_TOKEN && i < close; i++) {
		const struct token *token = &source->tokens[i];
		if (token->kind != TOKEN_NAME || token->role != ROLE_DECLARED ||
			!keep_is_missing(source, token->word) ||
			!keep_fits(source, function, &gap, token->word))
			continue;
		const char *text = phrase_statement(source, site->arena,
			arena_printf(site->arena, "%s.%s = %s", self, token->word->text, token->word->text));
		gap_put(site, &gap, 2.5, text);
		if (gap.is_last)
			gap_put_after(site, &gap, 2.5, text);
	}
}

MUTATION(keep, .least = 2.5, .rank = CANDIDATE_STRUCTURE, .once = true);
