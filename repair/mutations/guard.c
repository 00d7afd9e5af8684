/* A forgotten case: "if p: return v" in front, or a statement only if p. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "repair/pool/phrase.h"
#include "repair/pool/stated.h"
#include "repair/source/kinds.h"

enum { EXITS_MOST = 8, PREDICATES_MOST = 8, AWAITED_MOST = 2, OWN_MOST = 2 };

/* Whether a failing test has a word. */
static bool guard_is_in_test(const struct site *site, const char *word)
{
	const struct term *term =
		word ? term_of(words_find(&site->repair->words, word, strlen(word))) : NULL;
	return term && term->failing;
}

bool exit_is_awaited(const struct repair *repair, const char *exit)
{
	if (!text_starts_with(exit, "raise ") && !text_starts_with(exit, "throw "))
		return false;
	for (size_t k = 0; k < repair->n_kinds; k++)
		if (strstr(exit, repair->kinds[k]->text))
			return true;
	return false;
}

/* What failing tests wait for, as the function throws it elsewhere, or plainly. */
static void guard_add_awaited(struct site *site, struct ranking *exits)
{
	const struct repair *repair = site->repair;
	const struct language *language = site->source->language;
	const struct pieces *statements = &pool_of(site->repair, site->source, site->at)->statements;
	for (size_t i = 0; i < statements->n && exits->n < AWAITED_MOST; i++)
		if (exit_is_awaited(repair, statements->items[i].text))
			ranking_append(exits, AWAITED_MOST, statements->items[i].text);
	bool throws = language_is_script(language) || language_in(language, " java php ");
	for (size_t k = 0; k < repair->n_kinds && !exits->n && (is_python(site->source) || throws); k++)
		ranking_append(exits, AWAITED_MOST,
			arena_printf(
				site->arena, throws ? "throw new %s()" : "raise %s", repair->kinds[k]->text));
}

/* How the function goes away elsewhere. False where it never gives a value back. */
static bool guard_add_own(struct site *site, struct ranking *exits)
{
	const struct source *source = site->source;
	const struct pieces *statements = &pool_of(site->repair, source, site->at)->statements;
	size_t most = exits->n + OWN_MOST;
	bool gives_back = kind_given_back(source, site->at) != KIND_UNKNOWN;
	for (size_t i = 0; i < statements->n; i++) {
		uint32_t first = statements->items[i].span.first;
		if (source->owner[first] != source->owner[site->at])
			continue;
		gives_back = gives_back ||
			(token_is(source, first, "return") && statements->items[i].span.last > first + 1);
		if (token_in(source, first, " return raise throw "))
			ranking_append(exits, most, statements->items[i].text);
	}
	return gives_back;
}

/* Plain values; `wanted`: those that failing tests say. */
static void guard_add_plain(struct site *site, struct ranking *exits, bool wanted)
{
	const struct language *language = site->source->language;
	bool is_plain = language_in(language, " c c++ go java ");
	const char *const plain[] = {"0", language->word_false, language->word_true,
		language->word_null, "-1", "1", is_plain ? NULL : "[]", "\"\""};
	size_t n = wanted ? ARRAY_SIZE(plain) : 4 + (size_t)language_in(language, " c ");
	for (size_t i = 0; i < n; i++)
		if (plain[i] && guard_is_in_test(site, plain[i] + (*plain[i] == '-')) >= wanted)
			ranking_append(exits, EXITS_MOST, arena_printf(site->arena, "return %s", plain[i]));
}

/* What is awaited and what the function does elsewhere, then the usual ways. */
struct ranking gap_exits(struct site *site, const struct gap *gap)
{
	const struct language *language = site->source->language;
	struct ranking exits = {.n = 0};
	guard_add_awaited(site, &exits);
	const char *exhausted = gap_exhausted(site);
	if (exhausted)
		ranking_append(&exits, EXITS_MOST, exhausted);
	bool gives_back = guard_add_own(site, &exits);
	if (gap->in_loop) {
		if (word_continue(language))
			ranking_append(&exits, EXITS_MOST, word_continue(language));
		ranking_append(&exits, EXITS_MOST, word_break(language));
	}
	if (!gives_back)
		ranking_append(&exits, EXITS_MOST, "return");
	bool may_give = gives_back || !kinds_are_checked(site->source);
	for (int wanted = 1; may_give && wanted >= 0; wanted--)
		guard_add_plain(site, &exits, wanted);
	return exits;
}

static void guard_propose(struct site *site)
{
	struct gap gap;
	if (!gap_find(site, &gap))
		return;
	struct ranking predicates = rank_predicates(site, gap.statement.span);
	struct ranking exits = gap_exits(site, &gap);
	for (size_t e = 0; e < exits.n; e++) {
		struct probe probe = {.kind = FORCED_EXIT, .at = site->at, .exit = exits.texts[e]};
		double cost = 7 + probe_doubt(site, &probe) + 0.7 * rank_bits(e);
		for (size_t p = 0; p < predicates.n && p < site_most(site, PREDICATES_MOST); p++)
			gap_put(site, &gap, cost + 0.7 * rank_bits(p),
				gap_if(site, &gap, predicates.texts[p], exits.texts[e]));
	}
}

MUTATION(guard, .least = 7, .rank = CANDIDATE_CONDITION, .once = true);

void guard_follow(struct site *site, const struct probe *probe)
{
	struct gap gap;
	const char **predicates;
	if (!gap_find(site, &gap))
		return;
	size_t n = predicates_find(site, gap.statement.span, &predicates);
	for (size_t p = 0; p < n; p++) {
		double cost = 0.5 * rank_bits(p);
		gap_put(site, &gap, cost, gap_if(site, &gap, predicates[p], probe->exit));
		gap_put(site, &gap, cost + 1,
			gap_if(site, &gap, phrase_not(site->source, site->arena, predicates[p]), probe->exit));
	}
}

/* "S" to "if p: S", of one statement or several. */
static void enclose_put(
	struct site *site, const char *indent, struct span run, double cost, const char *predicate)
{
	const struct source *source = site->source;
	const char *inner = arena_printf(site->arena, "%s%s", indent, source->indent);
	const char *text = lines_reindented(site, run, indent, inner) + strlen(inner);
	size_t n = strlen(text);
	text = arena_strndup(site->arena, text, n - (n && text[n - 1] == ';'));
	struct proposal *proposal = proposef(site, cost, "only if %s: %s", predicate, text);
	lines_cut(site, proposal, run,
		arena_printf(
			site->arena, "%s%s", indent, phrase_if(source, site->arena, indent, predicate, text)));
}

static bool enclose_can(const struct source *source, struct span run)
{
	for (uint32_t i = run.first; i <= run.last; i++)
		if (source->tokens[i].first &&
			token_in(source, i, " let const var my local else elif elsif case default "))
			return false;
	return true;
}

/* "x = v" may be only for what is beyond v: "if x > v". */
static void enclose_ask_target(struct site *site, struct span run, struct ranking *found)
{
	const struct source *source = site->source;
	for (uint32_t i = run.first; i + 2 <= run.last; i++) {
		bool assigns = source->tokens[i].first && token_is(source, i + 1, "=") &&
			(i + 2 == run.last || source->tokens[i + 3].first || token_is(source, i + 3, ";"));
		static const char *const questions[] = {">", "<", "!="};
		for (size_t q = 0; assigns && q < ARRAY_SIZE(questions); q++)
			ranking_append(found, RANKING_MOST,
				arena_printf(site->arena, "%s %s %s", site_text(site, i, i), questions[q],
					site_text(site, i + 2, i + 2)));
	}
}

static void enclose_propose(struct site *site)
{
	struct gap gap;
	if (!gap_find(site, &gap) || !gap.statement.simple ||
		!enclose_can(site->source, gap.statement.span))
		return;
	struct span run = gap.statement.span;
	struct ranking predicates = rank_predicates(site, run);
	double cost =
		8 + probe_doubt(site, &(struct probe){.kind = FORCED_WITHOUT, .at = site->at, .run = run});
	for (size_t p = 0; p < predicates.n && p < site_most(site, PREDICATES_MOST); p++)
		enclose_put(site, gap.indent, run, cost + rank_bits(p), predicates.texts[p]);
}

MUTATION(enclose, .least = 8, .rank = CANDIDATE_CONDITION, .once = true);

static void enclose_follow_run(struct site *site, struct span run, double cost)
{
	const struct source *source = site->source;
	const char **predicates, *indent = line_indent(source, site->arena, run.first);
	struct ranking first = {.n = 0};
	/* Where a value is given back under a condition alone, nothing is given back else. */
	if (!enclose_can(source, run) || token_is(source, run.first, "return"))
		return;
	enclose_ask_target(site, run, &first);
	for (size_t p = 0; p < first.n; p++)
		enclose_put(site, indent, run, cost + 0.5 * rank_bits(p), first.texts[p]);
	size_t n = predicates_find(site, run, &predicates);
	for (size_t p = 0; p < n; p++) {
		enclose_put(site, indent, run, cost + 0.5 * rank_bits(p), predicates[p]);
		enclose_put(site, indent, run, cost + 0.5 * rank_bits(p) + 1,
			phrase_not(source, site->arena, predicates[p]));
	}
}

/* What is left out, and with the statement before or after it. */
void enclose_follow(struct site *site, const struct probe *probe)
{
	size_t n;
	const struct stated *all = stated_all(site->repair, &n),
						*here = stated_at(site->repair, site->source, probe->at);
	uint32_t before = here ? here->before : NO_TOKEN, after = here ? here->after : NO_TOKEN;
	enclose_follow_run(site, probe->run, 0);
	if (before != NO_TOKEN && all[before].statement.alone)
		enclose_follow_run(site, span_of(all[before].statement.span.first, probe->run.last), 1);
	if (after != NO_TOKEN && all[after].statement.alone &&
		all[after].statement.span.first > probe->run.last)
		enclose_follow_run(site, span_of(probe->run.first, all[after].statement.span.last), 1);
}

/* A block without a head is probably a mistake: "{ S }" to "if (p) { S }". */
static void head_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool bare = token_is(source, site->at, "{") && token->match != NO_TOKEN &&
		token->match > site->at + 1 && site->at && token_in(source, site->at - 1, " ; } { ") &&
		source->owner[site->at] != NO_TOKEN && token->around != NO_TOKEN &&
		is_block(source, token->around);
	if (!bare)
		return;
	struct ranking predicates = rank_predicates(site, span_of(site->at, token->match));
	for (size_t p = 0; p < predicates.n; p++)
		proposal_insertf(site,
			proposef(site, 2.5 + 0.5 * rank_bits(p), "only if %s", predicates.texts[p]),
			token->start, has_trait(source, LANGUAGE_BARE) ? "if %s " : "if (%s) ",
			predicates.texts[p]);
}

MUTATION(head, .least = 2.5, .rank = CANDIDATE_CONDITION, .once = true);
