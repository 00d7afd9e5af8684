/* Ways forced through the program, which show where a condition is missing: what a condition or an
 * early way out does when it always holds. */
#include <string.h>

#include "repair/pool/phrase.h"
#include "repair/probe.h"

enum {
	LEAVES_MOST = 4, /* ways out that are forced before a statement */
	RUN_MOST = 4,    /* statements that a forgotten condition may be for */
};

/* What holds always. */
static const char *force_truth(const struct language *language)
{
	return language->word_true && !language_in(language, " c ") ? language->word_true : "1";
}

/* "if c" to "if True" and "if False". What loops would not end, or never begin. */
static void force_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct language *language = source->language;
	struct span span;
	bool begins =
		source->tokens[site->at].first || (site->at && token_is(source, site->at - 1, "else"));
	if (!begins || !token_in(source, site->at, " if elif elseif elsif unless ") ||
		!condition_at(source, site->at, &span) || span_is_dead(source, span))
		return;
	const char *words[] = {force_truth(language),
		language->word_false && !language_in(language, " c ") ? language->word_false : "0"};
	for (size_t i = 0; i < 2; i++)
		propose_text(site, 5 + 0.2 * (double)i, span, words[i])->probe = probe_copy(
			site, &(struct probe){.kind = i ? FORCED_FALSE : FORCED_TRUE, .at = site->at});
}

MUTATION(force, .least = 5, .rank = CANDIDATE_REMOVAL, .once = true);

/* Compilers, and Lua, take nothing behind a way out. */
static const char *leave_text(const struct site *site, const struct gap *gap, const char *exit)
{
	const struct language *language = site->source->language;
	if (language_in(language, " python javascript typescript ruby perl php "))
		return phrase_statement(site->source, site->arena, exit);
	return gap_if(site, gap, force_truth(language), exit);
}

static void leave_propose(struct site *site)
{
	struct gap gap;
	if (!gap_find(site, &gap))
		return;
	struct ranking exits = gap_exits(site, &gap);
	const char *next = gap_text(site, &gap);
	for (size_t e = 0; e < exits.n && e < LEAVES_MOST; e++) {
		size_t n = site->n;
		if (strcmp(exits.texts[e], next) == 0)
			continue;
		double cost = exit_is_awaited(site->repair, exits.texts[e]) ? 4.5 : 6;
		gap_put(site, &gap, cost + 0.8 * rank_bits(e), leave_text(site, &gap, exits.texts[e]));
		if (site->n > n)
			site->proposals[n]->probe = probe_copy(
				site, &(struct probe){.kind = FORCED_EXIT, .at = site->at, .exit = exits.texts[e]});
	}
}

MUTATION(leave, .least = 4.5, .rank = CANDIDATE_REMOVAL, .once = true);

/* Several statements left out: a condition for them all may be missing. */
static void skip_propose(struct site *site)
{
	const struct source *source = site->source;
	struct gap gap;
	struct statement next;
	if (!gap_find(site, &gap) || token_in(source, site->at, " return raise throw else elif "))
		return;
	struct span run = gap.statement.span;
	bool only = site->at && token_is(source, site->at - 1, ":");
	for (size_t n = 2; n <= RUN_MOST && statement_at(source, run.last + 1, &next) && next.alone &&
		 token_column(source, next.span.first) == token_column(source, run.first);
		 n++) {
		run.last = next.span.last;
		if (token_in(source, next.span.first, " return raise throw else elif "))
			return;
		struct proposal *proposal =
			proposef(site, 6.2 + 0.5 * (double)n, "remove %zu statements", n);
		lines_cut(site, proposal, run,
			only && is_python(source) ? arena_printf(site->arena, "%spass", gap.indent) : "");
		proposal->probe =
			probe_copy(site, &(struct probe){.kind = FORCED_WITHOUT, .at = site->at, .run = run});
	}
}

MUTATION(skip, .least = 7.2, .rank = CANDIDATE_REMOVAL, .once = true);
