/* What a statement does with its value: assigned to another name, added, kept at all. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "repair/probe.h"
#include "repair/source/kinds.h"

enum { TARGETS_MOST = 5 };

static bool target_is_own(const struct source *source, uint32_t i)
{
	return i >= 2 && is_access(source, i - 1) && is_self(source, i - 2);
}

/* "$x" to "$this->x", where the object has such an attribute. */
static void target_of_this(struct site *site)
{
	const struct word *word = site->source->tokens[site->at].word;
	const struct term *own = term_of(words_find(&site->repair->words, word->text + 1, word->n - 1));
	if (own && own->is_own)
		propose_textf(site, 4, site_span(site), "$this->%s", word->text + 1);
}

/* Whether a name means something without its object. */
static bool target_is_known(const struct site *site, const struct word *word)
{
	const struct pool *pool = pool_of(site->repair, site->source, site->at);
	bool is_rust = site->source->language == &language_rust;
	return is_rust ? pool_value(pool, word->text) != NULL : is_known_here(site, pool, word);
}

/* Whether the function around has an object of its own; where that is a parameter. */
static bool target_has_self(const struct source *source, uint32_t i)
{
	if (!language_in(source->language, " python rust "))
		return true;
	for (uint32_t owner = source->owner[i]; owner != NO_TOKEN;) {
		const struct definition *definition = &source->definitions->items[owner];
		uint32_t open = definition->open,
				 close = open == NO_TOKEN ? open : source->tokens[open].match;
		for (uint32_t k = open; close != NO_TOKEN && k < close; k++)
			if (token_is(source, k, "self"))
				return true;
		owner = definition->parent;
	}
	return false;
}

/* "x" to "self.x", where the object has such an attribute, and back. */
static void target_owner(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool has_signs = has_trait(source, LANGUAGE_VARIABLES);
	if (has_signs && *token->word->text == '$' && token->role != ROLE_ATTRIBUTE) {
		target_of_this(site);
		return;
	}
	bool reads =
		token->role == ROLE_VALUE || token->role == ROLE_TARGET || token->role == ROLE_CALLEE;
	bool says_self = language_in(source->language, " python rust ");
	const char *self = says_self ? "self." : has_signs ? "$this->" : "this.";
	if (reads && term_of(token->word)->is_own && target_has_self(source, site->at) &&
		!(site->at && token_in(source, site->at - 1, " . ?. -> ?-> :: let const var for ")))
		proposal_insert(site,
			proposef(site, 4, "%s to %s%s", token->word->text, self, token->word->text),
			token->start, self);
	if (target_is_own(source, site->at) && token->role == ROLE_ATTRIBUTE &&
		target_is_known(site, token->word))
		propose_text(site, 5.2, span_of(site->at - 2, site->at), token->word->text);
}

/* "xs = append(xs, x)" to "out = append(out, x)": what is read is what is assigned. */
static void target_with_reads(struct site *site, double cost, const char *text)
{
	const struct source *source = site->source;
	const struct word *word = source->tokens[site->at].word;
	struct statement statement;
	if (!statement_at(source, site->at, &statement) || !statement.simple)
		return;
	struct proposal *proposal = NULL;
	for (uint32_t i = site->at + 1; i <= statement.span.last; i++) {
		if (source->tokens[i].word != word || source->tokens[i].role != ROLE_VALUE)
			continue;
		if (!proposal) {
			proposal = proposef(site, cost, "%s to %s, also where it is read", word->text, text);
			proposal_replace(site, proposal, site_span(site), text);
		}
		proposal_replace(site, proposal, span_of(i, i), text);
	}
}

static void propose_other_target(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool augmented = site->at + 1 < source->n && is_of_family(source, site->at + 1, FAMILY_AUGMENT);
	if (token->role != ROLE_TARGET && !(augmented && token->role == ROLE_VALUE))
		return;
	struct ranking values = rank_values(site, span_of(site->at, site->at));
	for (size_t i = 0, n = 0; i < values.n && n < site_most(site, TARGETS_MOST); i++) {
		if (strcmp(values.texts[i], token->word->text) == 0)
			continue;
		n++;
		propose_token(site, 6 + log2((double)n), values.texts[i]);
		target_with_reads(site, 5.5 + log2((double)n), values.texts[i]);
	}
}

static void target_propose(struct site *site)
{
	if (site->source->tokens[site->at].kind != TOKEN_NAME ||
		has_trait(site->source, LANGUAGE_SIGILS))
		return;
	target_owner(site);
	propose_other_target(site);
}

MUTATION(target, .least = 4, .rank = CANDIDATE_OPERATOR);

/* "x.strip()" to "x = x.strip()": a value that is made and lost. "x == 1" to "x = 1". */
static void target_kept(struct site *site, const struct statement *statement)
{
	const struct source *source = site->source;
	struct span span = statement->span;
	uint32_t last = expression_last(source, span.first, ONE_OPERAND);
	bool call = last != NO_TOKEN && token_is(source, last, ")") && last > span.first + 2 &&
		(last == span.last || token_is(source, last + 1, ";"));
	bool method = is_name(source, span.first) && token_is(source, span.first + 1, ".");
	if (call && method && !changes_its_object(source, last))
		proposal_insertf(site, propose(site, 5.5, "keep the value"),
			source->tokens[span.first].start, "%s = ", source->tokens[span.first].word->text);
	if (last != NO_TOKEN && token_is(source, last + 1, "=="))
		propose_text(site, 3, span_of(last + 1, last + 1), "=");
}

/* "x = e" to "x += e". */
static void target_added(struct site *site, const struct statement *statement)
{
	uint32_t at = statement_assigns(site->source, statement);
	if (at == NO_TOKEN)
		return;
	static const struct {
		char sign;
		double cost;
	} ways[] = {{'+', 4.5}, {'-', 5.5}, {'*', 6}};
	const char *target = site_text(site, statement->span.first, at - 1);
	bool augments = language_operator(site->source->language, "+=");
	if (!kind_counts(site->source, span_of(statement->span.first, at - 1)))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		propose_text(site, ways[i].cost, span_of(at, at),
			augments ? arena_printf(site->arena, "%c=", ways[i].sign)
					 : arena_printf(site->arena, "= %s %c", target, ways[i].sign));
}

/* "a[i] = min(x, b[i])" to "b[i] = min(x, b[i])": what is made of a place often goes back there. */
static void target_from_value(struct site *site, const struct statement *statement)
{
	const struct source *source = site->source;
	uint32_t at = statement_assigns(source, statement);
	if (at == NO_TOKEN)
		return;
	struct span target = {statement->span.first, at - 1};
	const char *old = span_text(site, target);
	size_t n = 0;
	for (uint32_t i = at + 1; i <= statement->span.last && n < site_most(site, TARGETS_MOST); i++) {
		if (!begins_operand(source, i))
			continue;
		uint32_t last = expression_last(source, i, ONE_OPERAND);
		bool place = last != NO_TOKEN && last > i && last <= statement->span.last &&
			(token_is(source, last, "]") || source->tokens[last].role == ROLE_ATTRIBUTE);
		const char *text = place ? site_text(site, i, last) : old;
		if (strcmp(text, old) == 0)
			continue;
		propose_text(site, 6 + rank_bits(n++), target, text);
	}
}

static void assign_propose(struct site *site)
{
	struct statement statement;
	if (!site->source->tokens[site->at].first ||
		!statement_at(site->source, site->at, &statement) || !statement.simple)
		return;
	target_kept(site, &statement);
	target_added(site, &statement);
	target_from_value(site, &statement);
}

MUTATION(assign, .least = 3, .rank = CANDIDATE_OPERATOR);
