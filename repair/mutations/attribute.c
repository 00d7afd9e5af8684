/* An attribute or index more or less, a call where only its name stands. */
#include <math.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"
#include "repair/source/kinds.h"

enum { ATTRIBUTES_MOST = 6, INDICES_MOST = 3, WINDOW = 600 };

/* "x.y" to "x"; "x.f" to "x.f()", where the file calls it elsewhere; "x.f()" to "x.f". */
static void attribute_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	if (token->kind != TOKEN_NAME || site->at < 2 || site->at + 1 >= source->n ||
		(token->role != ROLE_ATTRIBUTE && token->role != ROLE_METHOD))
		return;
	size_t dot = source->tokens[site->at - 1].start, end = token->start + token->length;
	/* What has parts is none of these. */
	bool may_leave =
		kind_may_be(source, span_of(site->at - 2, site->at), KIND_POINTER | KIND_OTHER);
	if (token->role == ROLE_ATTRIBUTE && !is_self(source, site->at - 2) && may_leave)
		proposal_splice(
			site, proposef(site, 5.5, "without .%s", token->word->text), dot, end - dot, "");
	bool set = token_in(source, site->at + 1, " = += -= ");
	if (token->role == ROLE_ATTRIBUTE && term_of(token->word)->is_called && !set)
		proposal_insert(site, proposef(site, 4, "call %s", token->word->text), end, "()");
	if (token->role == ROLE_METHOD && source->tokens[site->at + 1].match == site->at + 2 &&
		(!kinds_are_checked(source) || site->repair->is_unbuilt))
		proposal_splice(site, proposef(site, 5.5, "do not call %s", token->word->text), end,
			source->tokens[site->at + 2].start + 1 - end, "");
}

MUTATION(attribute, .least = 4, .rank = CANDIDATE_OPERATOR);

/* Attributes that the file asks for nearby. */
static void part_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	struct span value = {site->at, site->at};
	if (token->kind != TOKEN_NAME || token->role != ROLE_VALUE || token->first ||
		has_trait(source, LANGUAGE_SIGILS) || token_in(source, site->at + 1, " . -> = ( [ "))
		return;
	if (!kind_may_be(source, value, KIND_POINTER | KIND_OTHER))
		return;
	struct ranking found = {.n = 0};
	const char *text = span_text(site, value);
	struct outward outward = {.at = site->at, .within = WINDOW};
	for (uint32_t i; found.n < ATTRIBUTES_MOST && outward_next(source, &outward, &i);) {
		if (i > 1 && source->tokens[i].role == ROLE_ATTRIBUTE && is_name(source, i) &&
			!is_self(source, i - 2))
			ranking_append(&found, ATTRIBUTES_MOST, source->tokens[i].word->text);
	}
	for (size_t i = 0; i < found.n; i++)
		propose_textf(site, 6 + rank_bits(i), value, "%s.%s", text, found.texts[i]);
}

MUTATION(part, .least = 6, .rank = CANDIDATE_STRUCTURE, .once = true);

/* "x" to "x[i]": where an index may be missing, and sooner where one is made ready that nothing
 * uses. */
static void item_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	struct span span = {site->at, site->at};
	if (token->kind != TOKEN_NAME || token->role != ROLE_VALUE || token->first ||
		has_trait(source, LANGUAGE_SIGILS) || (site->at && is_access(source, site->at - 1)) ||
		token_in(source, site->at + 1, " . -> ?. :: = ( [ "))
		return;
	const struct term *term = term_of(token->word);
	struct ranking values = rank_values(site, span);
	for (size_t i = 0, tried = 0; i < values.n && tried < INDICES_MOST; i++) {
		bool unused = values.badness[i] < 0;
		const struct piece *value =
			pool_value(pool_of(site->repair, source, site->at), values.texts[i]);
		bool is_index = !value || kind_may_be(source, value->span, KIND_NUMBER | KIND_TEXT);
		if ((!unused && !term->is_indexed && !term->is_many) || !is_index ||
			strcmp(values.texts[i], token->word->text) == 0)
			continue;
		propose_textf(site, (unused ? 4.4 : 6.5) + log2((double)++tried), span, "%s[%s]",
			token->word->text, values.texts[i]);
	}
}

MUTATION(item, .least = 4.4, .rank = CANDIDATE_STRUCTURE, .once = true);
