/* A name that its function reads and nothing gives a value: the statement that does so elsewhere
 * in the file is missing here. */
#include <math.h>

#include "repair/pool/gap.h"

enum {
	FILE_MOST = 20000, /* tokens of a file that is searched for such statements */
	COPIES_MOST = 3,
};

static bool unbound_is_bound_at(const struct source *source, uint32_t i)
{
	return source->tokens[i].role == ROLE_TARGET || source->tokens[i].role == ROLE_DECLARED;
}

/* Where other functions give a name its value, in simple statements that begin so. Gives how
 * many; none where its own function or the file's top binds it, too. */
static size_t unbound_find_bindings(
	const struct site *site, const struct word *word, uint32_t *found)
{
	const struct source *source = site->source;
	uint32_t own = outermost_function(source, site->at);
	size_t n = 0;
	for (uint32_t i = 0; i < source->n; i++) {
		if (source->tokens[i].word != word || !unbound_is_bound_at(source, i))
			continue;
		uint32_t function = outermost_function(source, i);
		if (function == own || function == NO_TOKEN)
			return 0;
		if (source->tokens[i].first && token_is(source, i + 1, "=") && n < COPIES_MOST)
			found[n++] = i;
	}
	return n;
}

static void unbound_put_bindings(struct site *site, const struct gap *gap, struct word *word)
{
	const struct source *source = site->source;
	uint32_t found[COPIES_MOST];
	size_t n = unbound_find_bindings(site, word, found);
	for (size_t i = 0; i < n; i++) {
		struct statement statement;
		if (!statement_at(source, found[i], &statement) || !statement.simple)
			continue;
		const char *text = span_text(site, statement.span);
		gap_put(site, gap, (term_of(word)->blamed ? 3 : 4) + rank_bits(i), text);
	}
}

static void unbound_propose(struct site *site)
{
	const struct source *source = site->source;
	struct gap gap;
	if (source->n > FILE_MOST || !gap_find(site, &gap))
		return;
	uint32_t end = source->line_first[source->tokens[site->at].line + 1];
	for (uint32_t i = site->at; i < end; i++) {
		const struct token *token = &source->tokens[i];
		bool read = token->kind == TOKEN_NAME && token->role == ROLE_VALUE &&
			!(i && is_access(source, i - 1)) && !is_own_name(source, i);
		if (read)
			unbound_put_bindings(site, &gap, token->word);
	}
}

MUTATION(unbound, .least = 3, .rank = CANDIDATE_STRUCTURE, .once = true);
