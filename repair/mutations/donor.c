/* A statement more that stands elsewhere at the like place: between neighbours like these, with the
 * names of this place. */
#include <string.h>

#include "repair/pool/stated.h"

enum { DONORS_MOST = 12, DONOR_TOKENS = 60 };

#define LEAST_ALIKE 0.9

struct donor {
	const char *text;
	double alike;
};

struct donors {
	struct donor items[DONORS_MOST];
	size_t n;
};

static void donors_add(struct donors *donors, const char *text, double alike)
{
	for (size_t i = 0; i < donors->n; i++)
		if (strcmp(donors->items[i].text, text) == 0)
			return;
	size_t at = donors->n < DONORS_MOST ? donors->n++ : DONORS_MOST;
	for (; at > 0 && alike > donors->items[at - 1].alike; at--)
		if (at < DONORS_MOST)
			donors->items[at] = donors->items[at - 1];
	if (at < DONORS_MOST)
		donors->items[at] = (struct donor){text, alike};
}

/* Whether a statement can be copied: a simple one, or a condition with little in it. What gives a
 * value back comes last. */
static bool donor_gives(const struct source *source, const struct stated *stated, bool is_last)
{
	struct span span = stated->statement.span;
	bool guard = token_is(source, span.first, "if") &&
		!token_in(source, span.last + 1, " else elif elsif elseif ");
	return stated->statement.alone && span.last - span.first < DONOR_TOKENS &&
		(stated->statement.simple || guard) &&
		(is_last || !token_is(source, span.first, "return")) &&
		!token_in(source, span.first, " case default let const var else elif ");
}

/* How alike what stands beside two places is. Both at the end or the begin of a block are a little
 * alike. */
static double donor_side(struct site *site, const struct stated *here, const struct stated *there,
	struct renaming *renaming)
{
	if (!here || !there)
		return !here && !there ? 0.4 : 0;
	return spans_alike(&site->repair->sources[here->source], here->head,
		&site->repair->sources[there->source], there->head, renaming);
}

static const struct stated *stated_or_null(const struct stated *all, uint32_t place)
{
	return place == NO_TOKEN ? NULL : &all[place];
}

static void donor_find(struct site *site, const struct stated *before, const struct stated *after,
	const char *indent, struct donors *donors)
{
	size_t n;
	const struct stated *all = stated_all(site->repair, &n);
	for (size_t i = 0; i < n; i++) {
		const struct source *source = &site->repair->sources[all[i].source];
		struct renaming renaming = {.n = 0};
		if (source->language != site->source->language || !donor_gives(source, &all[i], !after) ||
			&all[i] == before || &all[i] == after)
			continue;
		double alike = donor_side(site, after, stated_or_null(all, all[i].after), &renaming) +
			donor_side(site, before, stated_or_null(all, all[i].before), &renaming);
		const char *text =
			alike >= LEAST_ALIKE ? stated_renamed(site, &all[i], &renaming, indent) : NULL;
		if (text)
			donors_add(donors, text, alike);
	}
}

static bool donor_stands(const struct site *site, const struct stated *stated, const char *text)
{
	return stated && strcmp(span_text(site, stated->statement.span), text) == 0;
}

static void donor_put(struct site *site, const struct gap *gap, const struct stated *before,
	const struct stated *after, bool is_last)
{
	struct donors donors = {.n = 0};
	donor_find(site, before, after, gap->indent, &donors);
	for (size_t i = 0, tried = 0; i < donors.n; i++) {
		const char *text = donors.items[i].text;
		if (donor_stands(site, before, text) || donor_stands(site, after, text))
			continue;
		double cost = 4.8 + 1.6 * (2 - donors.items[i].alike) + 0.7 * rank_bits(tried++);
		if (is_last)
			gap_put_after(site, gap, cost, text);
		else
			gap_put(site, gap, cost, text);
	}
}

static void donor_propose(struct site *site)
{
	struct gap gap;
	const struct stated *here;
	size_t n;
	if (!gap_find(site, &gap) || !(here = stated_at(site->repair, site->source, site->at)))
		return;
	const struct stated *all = stated_all(site->repair, &n);
	donor_put(site, &gap, stated_or_null(all, here->before), here, false);
	if (gap.is_last)
		donor_put(site, &gap, here, NULL, true);
}

MUTATION(donor, .least = 4.8, .rank = CANDIDATE_STRUCTURE, .once = true);
