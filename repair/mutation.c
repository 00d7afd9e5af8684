/* The list of mutations, and what they share: how a proposal is put together. */
#include "repair/search.h"

#include <string.h>

#include "base/memory.h"

#define MUTATION_ROW(name) &name##_mutation,
const struct mutation *const mutations[] = {MUTATIONS(MUTATION_ROW)};
#undef MUTATION_ROW
const size_t mutations_n = ARRAY_SIZE(mutations);

struct proposal *propose(struct site *site, double cost, const char *what)
{
	struct proposal *proposal = arena_alloc(site->arena, sizeof *proposal);
	*proposal = (struct proposal){.cost = cost, .what = what, .key = what};
	ARENA_PUSH(site->arena, site->proposals, site->n, proposal);
	return proposal;
}

static bool is_dead(const struct source *source, struct span span)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (source->tokens[i].role == ROLE_DEAD)
			return true;
	return false;
}

void proposal_replace(
	struct site *site, struct proposal *proposal, struct span span, const char *text)
{
	const struct source *source = site->source;
	const struct token *first = &source->tokens[span.first], *last = &source->tokens[span.last];
	const char *old = source->file->text + first->start;
	size_t n = last->start + last->length - first->start, new_n = strlen(text), same = 0;
	if (is_dead(source, span))
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

struct proposal *propose_text(struct site *site, double cost, struct span span, const char *text)
{
	const char *old = tokens_text(site->source, site->arena, span.first, span.last);
	const char *what = arena_printf(site->arena, "'%s' to '%s'", old, text);
	struct proposal *proposal = propose(site, cost, what);
	proposal_replace(site, proposal, span, text);
	return proposal;
}

struct proposal *propose_exchange(
	struct site *site, double cost, struct span a, struct span b, const char *what)
{
	const char *text_a = tokens_text(site->source, site->arena, a.first, a.last);
	const char *text_b = tokens_text(site->source, site->arena, b.first, b.last);
	struct proposal *proposal = propose(site, cost, what);
	proposal->key = arena_printf(site->arena, "%s\n%s", text_a, text_b);
	proposal->loose = what;
	if (strcmp(text_a, text_b) == 0)
		proposal->cost = -1;
	proposal_replace(site, proposal, a, text_b);
	proposal_replace(site, proposal, b, text_a);
	return proposal;
}

size_t mutation_propose(const struct mutation *mutation, struct repair *repair,
	const struct source *source, uint32_t line, struct arena *arena,
	struct proposal ***ret_proposals)
{
	struct site site = {.repair = repair, .source = source, .arena = arena};
	for (site.at = source->line_first[line]; site.at < source->line_first[line + 1]; site.at++) {
		unsigned role = source->tokens[site.at].role;
		if (role != ROLE_DEAD && role != ROLE_TYPE && role != ROLE_DECLARED)
			mutation->propose(&site);
	}
	size_t n = 0;
	for (size_t i = 0; i < site.n; i++)
		if (site.proposals[i]->n && site.proposals[i]->cost >= 0)
			site.proposals[n++] = site.proposals[i];
	*ret_proposals = site.proposals;
	return n;
}
