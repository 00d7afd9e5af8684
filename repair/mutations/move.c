/* A statement moved out of its block, into the one before it or past its neighbour; or removed. */
#include <string.h>

#include "repair/probe.h"

enum {
	BYTES_MOST = 4000,
	STEPS_MOST = 4,   /* statements that one is moved past */
	SHIFTED_MOST = 3, /* that go into a block or out of it together */
};

#define EACH 0.8 /* what each more of these costs */

static bool move_is_by_indentation(const struct source *source)
{
	return has_trait(source, LANGUAGE_INDENTED);
}

static bool move_is_small(const struct source *source, struct span span)
{
	return line_stop(source, span.last) - line_start(source, span.first) < BYTES_MOST;
}

/* A return in a block makes the loop around it end at once. */
static double move_in_cost(const struct site *site)
{
	return token_is(site->source, site->at, "return") ? 5.6 : 4.6;
}

/* Past a closing brace that stands alone on its line. */
static void move_pass_brace(struct site *site, const struct statement *statement)
{
	const struct source *source = site->source;
	uint32_t first = statement->span.first, close = statement->span.last + 1;
	const char *indent = line_indent(source, site->arena, first);
	bool out = token_is(source, close, "}") &&
		source->line_first[source->tokens[close].line] == close &&
		source->line_first[source->tokens[close].line + 1] == close + 1 && close + 1 < source->n &&
		source->owner[close + 1] == source->owner[first];
	if (out) {
		struct proposal *proposal = propose(site, 4.6, "move out of the block");
		const char *outer = line_indent(source, site->arena, close);
		const char *lines = lines_reindented(site, statement->span, indent, outer);
		lines_cut(site, proposal, statement->span, "");
		proposal_insertf(site, proposal, line_stop(source, close), "%s%s", source->line_end, lines);
	}
	uint32_t before = first ? first - 1 : first;
	if (before < first && token_is(source, before, "}") &&
		source->line_first[source->tokens[before].line] == before) {
		struct proposal *proposal = propose(site, move_in_cost(site), "move into the block before");
		const char *inner = arena_printf(site->arena, "%s%s", indent, source->indent);
		const char *lines = lines_reindented(site, statement->span, indent, inner);
		proposal_insertf(
			site, proposal, line_start(source, before), "%s%s", lines, source->line_end);
		lines_cut(site, proposal, statement->span, "");
	}
}

/* The next statement of the block. After a way out a moved statement would never run. */
static bool move_find_next(
	struct site *site, const struct statement *statement, struct statement *ret_next)
{
	const struct source *source = site->source;
	return statement_at(source, statement->span.last + 1, ret_next) && ret_next->alone &&
		move_is_small(source, ret_next->span) &&
		source->tokens[ret_next->span.first].around == source->tokens[site->at].around &&
		token_column(source, ret_next->span.first) == token_column(source, site->at) &&
		!token_in(source, ret_next->span.first,
			" else elif except finally catch elsif rescue return break continue raise throw ");
}

/* "move into the block before", of several: "move 2 statements into the block before". */
static const char *move_what(struct site *site, int n, const char *where)
{
	return n == 1 ? arena_printf(site->arena, "move %s", where)
				  : arena_printf(site->arena, "move %d statements %s", n, where);
}

static void move_indent(struct site *site, struct span run, int n)
{
	const struct source *source = site->source;
	const char *indent = line_indent(source, site->arena, run.first);
	uint32_t before = run.first ? source->line_first[source->tokens[run.first - 1].line] : 0;
	if (before < run.first && source->tokens[before].first &&
		token_column(source, before) > strlen(indent))
		lines_cut(site,
			propose(site, move_in_cost(site) + EACH * (n - 1),
				move_what(site, n, "into the block before")),
			run, lines_reindented(site, run, indent, line_indent(source, site->arena, before)));
}

static void move_outdent(struct site *site, struct span run, int n)
{
	const struct source *source = site->source;
	const char *indent = line_indent(source, site->arena, run.first);
	uint32_t after = run.last + 1;
	bool last = after >= source->n || token_column(source, after) < strlen(indent);
	bool only = run.first && token_is(source, run.first - 1, ":");
	size_t unit = strlen(source->indent);
	bool inner = strlen(indent) > unit && source->owner[run.first] != NO_TOKEN &&
		strlen(indent) >
			unit + token_column(source, source->definitions->items[source->owner[run.first]].first);
	if (last && !only && inner && text_ends_with(indent, source->indent))
		lines_cut(site, propose(site, 4.6 + EACH * (n - 1), move_what(site, n, "out of the block")),
			run,
			lines_reindented(
				site, run, indent, arena_strndup(site->arena, indent, strlen(indent) - unit)));
}

/* By indentation: to that of the line before, or one level out; alone or with those below. */
static void move_shift_lines(struct site *site, const struct statement *statement)
{
	struct statement last = *statement;
	int n = 1;
	do {
		struct span run = span_of(statement->span.first, last.span.last);
		move_indent(site, run, n);
		move_outdent(site, run, n);
	} while (n++ < SHIFTED_MOST && move_find_next(site, &last, &last));
}

static void move_swap_neighbours(struct site *site, const struct statement *statement)
{
	struct statement next;
	if (!move_find_next(site, statement, &next) || (!statement->simple && !next.simple))
		return;
	struct proposal *proposal = propose_exchange(site, statement->simple && next.simple ? 4.9 : 5.3,
		statement->span, next.span, "swap the statement and the one below");
	proposal->key = proposal->loose = proposal->what;
}

/* Past several others, down, and the last of them up. */
static void move_far(struct site *site, const struct statement *statement)
{
	const struct source *source = site->source;
	struct statement next, last = *statement;
	const char *lines = lines_reindented(site, statement->span, "", "");
	for (int steps = 1; steps <= STEPS_MOST && move_find_next(site, &last, &next); steps++) {
		last = next;
		if (steps == 1)
			continue;
		double cost = 5.2 + 0.4 * steps;
		if (statement->simple) {
			struct proposal *down = proposef(site, cost, "move %d statements down", steps);
			lines_cut(site, down, statement->span, "");
			proposal_insertf(
				site, down, line_stop(source, last.span.last), "%s%s", source->line_end, lines);
		}
		if (last.simple) {
			struct proposal *up = proposef(site, cost, "move %d statements up", steps);
			proposal_insertf(site, up, line_start(source, statement->span.first), "%s%s",
				lines_reindented(site, last.span, "", ""), source->line_end);
			lines_cut(site, up, last.span, "");
		}
	}
}

/* Where a brace and a statement share a line: the brace goes to its other side. */
static void move_pass_statement(struct site *site, struct span span)
{
	const struct source *source = site->source;
	uint32_t close = span.last + 1;
	size_t end = token_end(source, span.last);
	if (token_is(source, close, "}") &&
		source->tokens[close].line == source->tokens[span.last].line &&
		source->tokens[close].match + 1 != span.first) {
		struct proposal *out = propose(site, 4.6, "move out of the block");
		proposal_insert(site, out, source->tokens[span.first].start, "} ");
		proposal_splice(site, out, end, source->tokens[close].start + 1 - end, "");
	}
	uint32_t before = span.first - 1;
	if (span.first && token_is(source, before, "}") &&
		source->tokens[before].line == source->tokens[span.first].line) {
		struct proposal *in = propose(site, move_in_cost(site), "move into the block before");
		proposal_splice(site, in, source->tokens[before].start,
			source->tokens[span.first].start - source->tokens[before].start, "");
		proposal_insert(site, in, end, " }");
	}
}

static bool move_find_statement(struct site *site, struct statement *statement)
{
	return site->source->tokens[site->at].first &&
		statement_at(site->source, site->at, statement) &&
		move_is_small(site->source, statement->span);
}

static void move_propose(struct site *site)
{
	struct statement statement;
	/* These statements belong to their blocks. */
	bool bound = token_in(site->source, site->at,
		" else elif except finally catch case default let const break continue raise throw ");
	if (bound || !move_find_statement(site, &statement) || statement.is_body)
		return;
	if (!move_is_by_indentation(site->source))
		move_pass_statement(site, statement.span);
	if (!statement.alone)
		return;
	move_swap_neighbours(site, &statement);
	move_far(site, &statement);
	if (move_is_by_indentation(site->source))
		move_shift_lines(site, &statement);
	else
		move_pass_brace(site, &statement);
}

MUTATION(move, .least = 4.6, .rank = CANDIDATE_STRUCTURE, .once = true);

/* The statement that follows depends on this one's head: "if" before "else". */
static bool move_is_needed(const struct source *source, const struct statement *statement)
{
	return token_in(
		source, statement->span.last + 1, " else elif except finally catch elsif rescue ");
}

static void remove_propose(struct site *site)
{
	const struct source *source = site->source;
	struct statement statement;
	if (!move_find_statement(site, &statement) || !statement.alone ||
		move_is_needed(source, &statement))
		return;
	struct span span = statement.span;
	uint32_t after = span.last + 1;
	size_t indent = token_column(source, span.first);
	bool only = move_is_by_indentation(source) && span.first &&
		token_is(source, span.first - 1, ":") &&
		(after >= source->n || token_column(source, after) < indent);
	const char *what = arena_printf(site->arena, "remove '%s'", span_text(site, span));
	const char *nothing = arena_printf(site->arena, "%s%s",
		line_indent(source, site->arena, span.first), statement.is_body ? ";" : "pass");
	struct proposal *proposal = propose(site, statement.simple ? 6.5 : 7, what);
	proposal->probe =
		probe_copy(site, &(struct probe){.kind = FORCED_WITHOUT, .at = site->at, .run = span});
	lines_cut(site, proposal, span, only || statement.is_body ? nothing : "");
}

MUTATION(remove, .least = 6.5, .rank = CANDIDATE_REMOVAL, .once = true);
