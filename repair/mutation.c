/* The list of mutations, and what they share: how a proposal is put together. */
#include "repair/mutation.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "repair/pool/pool.h"
#include "repair/search.h"
#include "repair/source/kinds.h"

/* Tokens of a line that is data rather than code: no expressions are combined there. */
enum { CROWDED = 300, WIDER = 3 };

REGISTRY_DEFINE(struct mutation, mutations, MUTATIONS(&MUTATION_SYMBOL));

const char *site_text(const struct site *site, uint32_t first, uint32_t last)
{
	return tokens_text(site->source, site->arena, first, last);
}

const char *span_text(const struct site *site, struct span span)
{
	return site_text(site, span.first, span.last);
}

double rank_bits(size_t i)
{
	return log2((double)(i + 1));
}

struct proposal *propose(struct site *site, double cost, const char *what)
{
	struct proposal *proposal = arena_alloc(site->arena, sizeof *proposal);
	*proposal = (struct proposal){.cost = cost, .what = what, .key = what};
	ARENA_PUSH(site->arena, site->proposals, site->n, proposal);
	return proposal;
}

void proposal_replace(
	struct site *site, struct proposal *proposal, struct span span, const char *text)
{
	const struct source *source = site->source;
	const struct token *first = &source->tokens[span.first], *last = &source->tokens[span.last];
	const char *old = source->file->text + first->start;
	size_t n = last->start + last->length - first->start, new_n = strlen(text), same = 0;
	if (span_is_dead(source, span) || kind_forbids(site, span, text))
		proposal->cost = -1;
	while (same < n && same < new_n && old[same] == text[same])
		same++;
	/* Not into the middle of a character. */
	while (same && same < n && ((unsigned char)old[same] & 0xc0) == 0x80)
		same--;
	size_t end = 0;
	while (end < n - same && end < new_n - same && old[n - 1 - end] == text[new_n - 1 - end] &&
		(unsigned char)old[n - 1 - end] < 0x80)
		end++;
	ARENA_PUSH(site->arena, proposal->splices, proposal->n,
		(struct splice){.offset = first->start + same,
			.length = n - same - end,
			.text = arena_strndup(site->arena, text + same, new_n - same - end)});
}

static bool mutation_is_frozen(const struct source *source, size_t start, size_t end)
{
	for (size_t r = 0; r < source->file->n_frozen; r++)
		if (start < source->file->frozen_ends[r] && end > source->file->frozen_starts[r])
			return true;
	return false;
}

/* Whether an insertion directly after a frozen range is on its line: `assert x` and " or y". */
static bool mutation_joins_frozen(const struct source *source, size_t offset, const char *text)
{
	for (size_t r = 0; r < source->file->n_frozen; r++)
		if (offset == source->file->frozen_ends[r])
			return *text != '\n' && *text != ';';
	return false;
}

void proposal_splice(
	struct site *site, struct proposal *proposal, size_t offset, size_t length, const char *text)
{
	if (mutation_is_frozen(site->source, offset, offset + length) ||
		(!length && mutation_joins_frozen(site->source, offset, text)))
		proposal->cost = -1;
	ARENA_PUSH(site->arena, proposal->splices, proposal->n,
		(struct splice){
			.offset = offset, .length = length, .text = arena_strdup(site->arena, text)});
}

void proposal_insert(struct site *site, struct proposal *proposal, size_t offset, const char *text)
{
	proposal_splice(site, proposal, offset, 0, text);
}

bool text_says(const char *text, const char *what)
{
	size_t n = strlen(what);
	for (const char *at = text; (at = strstr(at, what)); at++)
		if ((at == text || !name_length(at - 1, 1)) && !name_length(at + n, 1))
			return true;
	return false;
}

bool can_be_wrapped(const struct source *source, struct span span)
{
	bool goes_on = !source->tokens[span.last + 1].first &&
		token_in(source, span.last + 1, " = += -= => := : ( { ");
	return !goes_on &&
		!token_in(source, span.first - 1, " for let const var new import from as def except ");
}

size_t site_most(const struct site *site, size_t most)
{
	size_t more = site->repair->is_wide ? WIDER * most : most;
	return more < RANKING_MOST ? more : RANKING_MOST;
}

struct proposal *propose_text(struct site *site, double cost, struct span span, const char *text)
{
	const char *old = span_text(site, span);
	const char *what = arena_printf(site->arena, "'%s' to '%s'", old, text);
	struct proposal *proposal = propose(site, cost, what);
	proposal_replace(site, proposal, span, text);
	return proposal;
}

struct proposal *propose_token(struct site *site, double cost, const char *text)
{
	return propose_text(site, cost, site_span(site), text);
}

void propose_before(struct site *site, double cost, const char *text)
{
	proposal_insert(site, proposef(site, cost, "'%s' before it", text),
		site->source->tokens[site->at].start, text);
}

struct proposal *propose_exchange(
	struct site *site, double cost, struct span a, struct span b, const char *what)
{
	const char *text_a = span_text(site, a);
	const char *text_b = span_text(site, b);
	struct proposal *proposal = propose(site, cost, what);
	proposal->key = arena_printf(site->arena, "%s\n%s", text_a, text_b);
	proposal->loose = what;
	if (strcmp(text_a, text_b) == 0)
		proposal->cost = -1;
	proposal_replace(site, proposal, a, text_b);
	proposal_replace(site, proposal, b, text_a);
	return proposal;
}

/* Whether an edit would take away or bring in bytes that are no text. */
static bool mutation_touches_bytes(const struct source *source, const struct proposal *proposal)
{
	for (size_t i = 0; i < proposal->n; i++) {
		const struct splice *splice = &proposal->splices[i];
		const char *old = source->file->text + splice->offset;
		if (utf8_valid_length(old, splice->length) < splice->length ||
			utf8_valid_length(splice->text, strlen(splice->text)) < strlen(splice->text))
			return true;
	}
	return false;
}

size_t mutation_propose(const struct mutation *mutation, struct repair *repair,
	const struct source *source, uint32_t line, struct arena *arena,
	struct proposal ***ret_proposals)
{
	struct site site = {.repair = repair, .source = source, .arena = arena};
	uint32_t first = source->line_first[line], end = source->line_first[line + 1];
	if (mutation->once && !mutation->printed && end - first > CROWDED) {
		*ret_proposals = NULL;
		return 0;
	}
	site.at = first;
	if (mutation->by_line && first < end) /* else the next line would be taken for this one */
		mutation->propose(&site);
	for (; !mutation->by_line && site.at < end; site.at++) {
		unsigned role = source->tokens[site.at].role;
		if (role != ROLE_DEAD && role != ROLE_TYPE && role != ROLE_DECLARED)
			mutation->propose(&site);
	}
	size_t n = 0;
	for (size_t i = 0; i < site.n; i++) {
		struct proposal *proposal = site.proposals[i];
		if (!proposal->n || proposal->cost < 0 ||
			(source->is_foreign && mutation_touches_bytes(source, proposal)))
			continue;
		proposal->cost += proposal_doubt(repair, source, proposal);
		site.proposals[n++] = proposal;
	}
	*ret_proposals = site.proposals;
	return n;
}
