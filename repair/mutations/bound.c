/* A value that is kept in bounds: "x = e" to "x = max(x, e)", or to "x = max(0, e)". */
#include "base/memory.h"
#include "repair/search.h"

/* The larger or the smaller of two values; NULL where a language has no usual way. */
static const char *bound_phrase(
	const struct site *site, const char *word, const char *a, const char *b)
{
	static const struct {
		const char *languages, *owner;
	} ways[] = {{" python php go ", ""}, {" javascript typescript java ", "Math."},
		{" lua ", "math."}, {" c++ ", "std::"}};
	const struct language *language = site->source->language;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		if (language_in(language, ways[i].languages))
			return arena_printf(site->arena, "%s%s(%s, %s)", ways[i].owner, word, a, b);
	return language_in(language, " ruby ") ? arena_printf(site->arena, "[%s, %s].%s", a, b, word)
										   : NULL;
}

static void bound_put(struct site *site, double cost, struct span value, const char *other)
{
	static const char *const words[] = {"max", "min"};
	const char *text = span_text(site, value);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *bound = bound_phrase(site, words[i], other, text);
		if (bound)
			propose_text(site, cost + 0.5 * (double)i, value, bound);
	}
}

static void bound_propose(struct site *site)
{
	const struct source *source = site->source;
	struct statement statement;
	if (!source->tokens[site->at].first || !statement_at(source, site->at, &statement))
		return;
	uint32_t at = statement_assigns(source, &statement);
	if (at == NO_TOKEN || at == statement.span.last)
		return;
	struct span value = span_without_semicolon(source, span_of(at + 1, statement.span.last));
	if (expression_last(source, value.first, 1) != value.last ||
		source->tokens[value.first].kind == TOKEN_STRING)
		return;
	bool is_plain = value.first == value.last;
	bound_put(site, is_plain ? 6.5 : 6, value, site_text(site, statement.span.first, at - 1));
	if (!is_plain)
		bound_put(site, 6.8, value, "0");
}

MUTATION(bound, .least = 6, .rank = CANDIDATE_STRUCTURE, .once = true);
