/* Where a statement can come in. */
#include "repair/pool/gap.h"

#include <string.h>

#include "base/strbuf.h"
#include "repair/pool/phrase.h"

enum { LOOP_MOST = 600 }; /* tokens that a loop is longer than at most */

static bool gap_is_in_loop(const struct source *source, uint32_t first)
{
	uint32_t owner = source->owner[first], indent = token_column(source, first);
	for (uint32_t i = first; i-- > 0 && first - i < LOOP_MOST;) {
		bool is_around = source->owner[i] == owner && source->tokens[i].first &&
			token_column(source, i) < indent;
		if (!is_around)
			continue;
		if (token_in(source, i, " for while do loop foreach until "))
			return true;
		indent = token_column(source, i);
	}
	return false;
}

bool gap_find(const struct site *site, struct gap *ret_gap)
{
	const struct source *source = site->source;
	struct gap gap = {.in_loop = false};
	struct statement next;
	if (!statement_at(source, site->at, &gap.statement) || !gap.statement.alone)
		return false;
	uint32_t after = gap.statement.span.last + 1;
	bool more = statement_at(source, after, &next) &&
		token_column(source, after) == token_column(source, site->at);
	gap.is_last = !more && !token_in(source, site->at, " return break continue raise throw ");
	gap.in_loop = gap_is_in_loop(source, site->at);
	gap.indent = line_indent(source, site->arena, site->at);
	*ret_gap = gap;
	return true;
}

const char *gap_if(
	const struct site *site, const struct gap *gap, const char *condition, const char *statement)
{
	return phrase_if(site->source, site->arena, gap->indent, condition, statement);
}

const char *gap_text(const struct site *site, const struct gap *gap)
{
	return span_text(site, span_without_semicolon(site->source, gap->statement.span));
}

void gap_put(struct site *site, const struct gap *gap, double cost, const char *text)
{
	const struct source *source = site->source;
	if (!gap->statement.is_body &&
		!token_in(source, site->at, " else elif elsif elseif except finally catch case default "))
		proposal_insertf(site, proposef(site, cost, "insert '%s'", text),
			source->tokens[site->at].start, "%s%s%s", text, source->line_end, gap->indent);
}

void gap_put_after(struct site *site, const struct gap *gap, double cost, const char *text)
{
	const struct source *source = site->source;
	if (!gap->statement.is_body)
		proposal_insertf(site, proposef(site, cost, "insert '%s' after it", text),
			line_stop(source, gap->statement.span.last), "%s%s%s", source->line_end, gap->indent,
			text);
}

const char *lines_reindented(struct site *site, struct span span, const char *old, const char *new)
{
	const struct source *source = site->source;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	size_t old_n = strlen(old);
	const char *at = source->file->text + line_start(source, span.first);
	const char *end = source->file->text + line_stop(source, span.last);
	size_t n;
	for (const char *line; (line = text_next_line(&at, end, &n));) {
		n = (size_t)(at - line);
		bool own = n > old_n && memcmp(line, old, old_n) == 0;
		if (own)
			strbuf_adds(&sb, new);
		strbuf_add(&sb, line + (own ? old_n : 0), n - (own ? old_n : 0));
	}
	return arena_strndup(site->arena, sb.text, sb.length);
}

void lines_cut(struct site *site, struct proposal *proposal, struct span span, const char *instead)
{
	const struct source *source = site->source;
	size_t start = line_start(source, span.first), end = line_stop(source, span.last);
	if (!*instead)
		end += strlen(source->line_end);
	end = end < source->file->n ? end : source->file->n;
	proposal_splice(site, proposal, start, end - start, instead);
}
