/* Where the runner complains of null in place of a value: the values on its line are checked. */
#include <math.h>
#include <string.h>

#include "repair/pool/gap.h"
#include "repair/pool/phrase.h"
#include "repair/probe.h"

enum { ASKED_MOST = 6, EXITS_MOST = 4 };

/* What may be nothing: "x", "self.x", "a.b" before ".c". */
struct asked {
	struct ranking texts;
	struct span spans[ASKED_MOST];
};

static void absent_asked_add(const struct site *site, struct asked *asked, struct span span)
{
	size_t n = asked->texts.n;
	ranking_append(&asked->texts, ASKED_MOST, span_text(site, span));
	if (asked->texts.n > n)
		asked->spans[n] = span;
}

static void absent_find_asked(struct site *site, uint32_t end, struct asked *asked)
{
	const struct source *source = site->source;
	for (uint32_t i = site->at; i < end; i++) {
		const struct token *token = &source->tokens[i];
		bool name = token->kind == TOKEN_NAME &&
			(token->role == ROLE_VALUE || token->role == ROLE_ATTRIBUTE);
		uint32_t first = name ? expression_first(source, i, ONE_OPERAND) : NO_TOKEN;
		if (first == NO_TOKEN || i - first > 6)
			continue;
		/* A value of which something is asked is likelier null than one that is assigned. */
		if (is_access(source, i + 1) || token_is(source, i + 1, "[") ||
			!token_is(source, i + 1, "="))
			absent_asked_add(site, asked, span_of(first, i));
	}
}

static const char *absent_is_nothing(const struct site *site, const char *text, bool there)
{
	const struct language *language = site->source->language;
	if (language_is_script(language))
		return arena_printf(site->arena, there ? "%s" : "!%s", text);
	return phrase_absent(language, site->arena, text, there);
}

/* Null is no value of any type in C. */
static struct ranking absent_exits(struct site *site, const struct gap *gap)
{
	if (has_trait(site->source, LANGUAGE_PREPROCESSED))
		return gap_exits(site, gap);
	struct ranking exits = {.n = 0};
	const char *exhausted = gap_exhausted(site);
	ranking_append(&exits, EXITS_MOST,
		exhausted ? exhausted
				  : arena_printf(site->arena, "return %s", site->source->language->word_null));
	return exits;
}

static void absent_guard_statement(struct site *site, const struct asked *asked)
{
	struct gap gap;
	if (!gap_find(site, &gap))
		return;
	const struct source *source = site->source;
	struct span span = gap.statement.span;
	const char *text = gap_text(site, &gap);
	bool encloses = gap.statement.simple && !strchr(text, '\n') &&
		!token_in(source, span.first, " let const var return ");
	struct ranking exits = absent_exits(site, &gap);
	for (size_t i = 0; i < asked->texts.n; i++) {
		double cost = 3.6 + rank_bits(i);
		const char *nothing = absent_is_nothing(site, asked->texts.texts[i], false);
		if (gap.in_loop && word_continue(source->language))
			gap_put(site, &gap, cost, gap_if(site, &gap, nothing, word_continue(source->language)));
		for (size_t e = 0; e < exits.n && e < EXITS_MOST; e++)
			gap_put(
				site, &gap, cost + 0.4 + rank_bits(e), gap_if(site, &gap, nothing, exits.texts[e]));
		if (encloses)
			proposal_replace(site,
				proposef(site, cost, "only if there is %s", asked->texts.texts[i]), span,
				gap_if(site, &gap, absent_is_nothing(site, asked->texts.texts[i], true), text));
	}
}

/* "x > y" to "x is not None and x > y", seen at what asks. */
static void absent_extend_question(struct site *site, const struct asked *asked)
{
	const struct source *source = site->source;
	struct span question;
	if (!question_at(source, site->at, &question))
		return;
	const char *old = span_text(site, question);
	bool joined = expression_last(source, question.first, 5) != question.last;
	for (size_t i = 0; i < asked->texts.n; i++) {
		if (asked->spans[i].first < question.first || asked->spans[i].last > question.last)
			continue;
		double cost = 3 + rank_bits(i);
		propose_textf(site, cost, question, joined ? "%s %s (%s)" : "%s %s %s",
			absent_is_nothing(site, asked->texts.texts[i], true), word_and(source->language), old);
		propose_textf(site, cost + 0.3, question, "%s %s %s",
			absent_is_nothing(site, asked->texts.texts[i], false), word_or(source->language), old);
	}
}

/* "x.y" to "x?.y", "x" to "(x || [])": at the place of what may be nothing. */
static void absent_in_place(struct site *site, const struct asked *asked)
{
	const struct source *source = site->source;
	bool is_script = language_is_script(source->language);
	if (!is_script && !is_python(source))
		return;
	for (size_t i = 0; i < asked->texts.n; i++) {
		struct span span = asked->spans[i];
		const char *text = asked->texts.texts[i];
		bool asks = token_is(source, span.last + 1, ".");
		if (span.first != site->at)
			continue;
		if (asks && is_script)
			proposal_insert(site, proposef(site, 3.4 + rank_bits(i), "'?.' after %s", text),
				token_end(source, span.last), "?");
		else if (!asks && can_be_wrapped(source, span))
			propose_textf(
				site, 4.2 + rank_bits(i), span, is_script ? "(%s || [])" : "(%s or [])", text);
	}
}

static void absent_propose(struct site *site)
{
	const struct source *source = site->source;
	uint32_t line = source->tokens[site->at].line, end = source->line_first[line + 1];
	struct asked asked = {.texts.n = 0};
	if (!site->repair->is_absent || !source->traced[line] || !source->language->word_null)
		return;
	absent_find_asked(site, end, &asked);
	for (; site->at < end; site->at++) {
		if (source->tokens[site->at].role == ROLE_DEAD)
			continue;
		absent_extend_question(site, &asked);
		absent_in_place(site, &asked);
		if (source->tokens[site->at].first)
			absent_guard_statement(site, &asked);
	}
}

MUTATION(absent, .least = 3, .rank = CANDIDATE_STRUCTURE, .printed = true, .once = true,
	.by_line = true);
