/* Where a statement can come in. */
#include "repair/gap.h"

static bool is_in_loop(const struct source *source, uint32_t first)
{
	uint32_t owner = source->owner[first], i = first;
	size_t indent = source->tokens[first].start - line_start(source, first);
	for (; i-- > 0 && source->owner[i] == owner && first - i < 600;) {
		const struct token *token = &source->tokens[i];
		if (!token->first || !token_in(source, i, " for while do loop foreach until "))
			continue;
		if (token->start - line_start(source, i) < indent)
			return true;
	}
	return false;
}

bool gap_find(const struct site *site, struct gap *ret_gap)
{
	const struct source *source = site->source;
	struct gap gap = {.last = false};
	if (!statement_at(source, &site->repair->definitions, site->at, &gap.statement) ||
		!gap.statement.alone)
		return false;
	struct statement next;
	uint32_t behind = gap.statement.span.last + 1;
	bool more = statement_at(source, &site->repair->definitions, behind, &next) &&
				source->tokens[behind].start - line_start(source, behind) ==
					source->tokens[site->at].start - line_start(source, site->at);
	gap.last = !more && !token_in(source, site->at, " return break continue raise throw ");
	gap.in_loop = is_in_loop(source, site->at);
	gap.indent = line_indent(source, site->arena, site->at);
	*ret_gap = gap;
	return true;
}

void gap_put(struct site *site, const struct gap *gap, double cost, const char *text)
{
	const struct source *source = site->source;
	const char *what = arena_printf(site->arena, "insert '%s'", text);
	if (!token_in(source, site->at, " else elif elsif elseif except finally catch case default "))
		proposal_insertf(site, propose(site, cost, what), source->tokens[site->at].start, "%s%s%s",
			text, source->line_end, gap->indent);
	if (gap->last) {
		struct proposal *behind = proposef(site, cost, "%s behind", what);
		proposal_insertf(site, behind, line_stop(source, gap->statement.span.last), "%s%s%s",
			source->line_end, gap->indent, text);
	}
}
