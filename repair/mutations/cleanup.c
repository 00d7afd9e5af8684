/* What has to happen also when something is thrown before it: the statements at a block's end go
 * into a "finally". */
#include <string.h>

#include "base/strbuf.h"
#include "repair/pool/stated.h"

enum { ALWAYS_MOST = 3 }; /* statements that go there */

/* Runs of statements that follow each other line by line: what may throw, what is done in any case,
 * and what is given back, where `gives`. */
struct cleanup {
	struct span tried, always, given;
	bool gives;
};

static bool cleanup_may_throw(const struct source *source, struct span span)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (token_is(source, i, "(") && i && is_name(source, i - 1))
			return !token_in(source, span.first, " return throw raise try ");
	return false;
}

/* The statement behind another one, on the next line; NULL: there is none. */
static const struct stated *cleanup_next(
	const struct source *source, const struct stated *all, const struct stated *stated)
{
	const struct stated *next = stated->after == NO_TOKEN ? NULL : &all[stated->after];
	bool follows = next && next->statement.alone &&
		source->tokens[next->statement.span.first].line ==
			source->tokens[stated->statement.span.last].line + 1;
	return follows ? next : NULL;
}

/* What is worked out for a name of the function is no cleaning up. */
static bool cleanup_calculates(const struct source *source, const struct statement *statement)
{
	uint32_t sign = statement_assigns(source, statement);
	return sign == statement->span.first + 1 && sign + 1 < statement->span.last;
}

static bool cleanup_find(struct site *site, struct cleanup *ret_cleanup)
{
	const struct source *source = site->source;
	const struct stated *first = stated_at(site->repair, source, site->at), *last = first;
	size_t n;
	const struct stated *all = stated_all(site->repair, &n);
	if (!first || first->before == NO_TOKEN || !first->statement.alone ||
		cleanup_next(source, all, &all[first->before]) != first)
		return false;
	struct cleanup cleanup = {.tried = all[first->before].statement.span};
	for (n = 1; last && last->statement.simple; n++) {
		if (token_in(source, last->statement.span.first, " return throw raise const let var ") ||
			cleanup_calculates(source, &last->statement))
			break;
		cleanup.always = span_of(first->statement.span.first, last->statement.span.last);
		if (last->after == NO_TOKEN)
			last = NULL;
		else if (!(last = cleanup_next(source, all, last)) || n > ALWAYS_MOST)
			return false;
	}
	cleanup.gives =
		last && last->after == NO_TOKEN && token_is(source, last->statement.span.first, "return");
	cleanup.given = last ? last->statement.span : cleanup.always;
	*ret_cleanup = cleanup;
	return cleanup.always.last && (!last || cleanup.gives) &&
		cleanup_may_throw(source, cleanup.tried);
}

/* The lines of a run one level deeper, each run on lines of its own. */
static void cleanup_add(struct site *site, struct strbuf *sb, const char *indent, struct span span)
{
	const char *inner = arena_printf(site->arena, "%s%s", indent, site->source->indent);
	strbuf_addf(sb, "%s%s", site->source->line_end, lines_reindented(site, span, indent, inner));
}

static void cleanup_propose(struct site *site)
{
	const struct source *source = site->source;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	bool python = is_python(source);
	struct cleanup cleanup;
	if (!language_in(source->language, " python javascript typescript java ") ||
		!source->tokens[site->at].first || !cleanup_find(site, &cleanup))
		return;
	const char *indent = line_indent(source, site->arena, site->at), *end = source->line_end;
	strbuf_addf(&text, "%s%s", indent, python ? "try:" : "try {");
	cleanup_add(site, &text, indent, cleanup.tried);
	if (cleanup.gives)
		cleanup_add(site, &text, indent, cleanup.given);
	strbuf_addf(&text, "%s%s%s", end, indent, python ? "finally:" : "} finally {");
	cleanup_add(site, &text, indent, cleanup.always);
	if (!python)
		strbuf_addf(&text, "%s%s}", end, indent);
	lines_cut(site,
		proposef(site, 6, "'%s' also when something is thrown", span_text(site, cleanup.always)),
		span_of(cleanup.tried.first, cleanup.given.last), arena_strdup(site->arena, text.text));
}

MUTATION(cleanup, .least = 6, .rank = CANDIDATE_STRUCTURE, .once = true);
