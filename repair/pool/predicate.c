/* The condition at a place, and conditions that may belong there: those of its function, and
 * simple ones on values in sight. */
#include <math.h>
#include <string.h>

#include "repair/pool/phrase.h"
#include "repair/pool/pool.h"
#include "repair/search.h"
#include "repair/source/kinds.h"

enum {
	ASKED_MOST = 5, /* values that simple questions are asked of */
	WINDOW = 400,   /* tokens on each side in which a value's mentions are looked for */
};

/* A value that is declared and never used is probably missing. */
#define UNUSED_BONUS 2.0

/* Behind what a head of Go begins with: "if v, ok := m[k]; ok {", "for i := 0; i < n; i++ {". */
static uint32_t condition_after_begin(const struct source *source, uint32_t first)
{
	for (uint32_t i = first; i < source->n && !is_block(source, i); i++)
		if (source->tokens[i].kind == TOKEN_OPEN && source->tokens[i].match != NO_TOKEN)
			i = source->tokens[i].match;
		else if (token_is(source, i, ";"))
			return i + 1;
	return first;
}

bool condition_at(const struct source *source, uint32_t keyword, struct span *ret_condition)
{
	uint32_t first = is_go(source) ? condition_after_begin(source, keyword + 1) : keyword + 1;
	if (first >= source->n)
		return false;
	const struct token *open = &source->tokens[first];
	/* "return 1 if ($a) || $b;": the word comes after its statement. */
	bool modifies = !source->tokens[keyword].first && has_trait(source, LANGUAGE_BRACED_KEYS);
	bool bracketed = token_is(source, first, "(") && open->match != NO_TOKEN &&
		open->match > first + 1 && !has_trait(source, LANGUAGE_NEWLINES) && !modifies;
	*ret_condition = bracketed ? span_of(first + 1, open->match - 1)
							   : span_of(first, expression_last(source, first, 1));
	if (ret_condition->last == NO_TOKEN)
		return false;
	uint32_t end = ret_condition->last + 1;
	bool ends_line = has_trait(source, LANGUAGE_NEWLINES) &&
		(token_in(source, end, " : { then do ] ) else => ") || end >= source->n ||
			source->tokens[end].first);
	bool may_follow = modifies || (is_go(source) && first > keyword + 1);
	return bracketed || ends_line || token_is(source, end, "{") ||
		(may_follow && token_is(source, end, ";"));
}

/* "for (int i = 0; i < n; i++)", and a loop of Go. */
static bool question_of_loop(const struct source *source, uint32_t i, struct span *ret_span)
{
	uint32_t open = i + 1, first = NO_TOKEN;
	if (!token_is(source, i, "for") || source->tokens[i].kind != TOKEN_KEYWORD)
		return false;
	if (is_go(source))
		return condition_at(source, i, ret_span) && span_asks(source, *ret_span);
	if (!token_is(source, open, "(") || source->tokens[open].match == NO_TOKEN)
		return false;
	for (uint32_t k = open + 1; k < source->tokens[open].match; k++) {
		if (!token_is(source, k, ";") || source->tokens[k].around != open)
			continue;
		*ret_span = span_of(first, k - 1);
		if (first != NO_TOKEN)
			return k > first;
		first = k + 1;
	}
	return false;
}

/* What is asked behind a sign, "x => x > 1", "is_new = a > b", or before one, "a > b ? c : d". */
static bool question_of_sign(const struct source *source, uint32_t i, struct span *ret_span)
{
	if (source->tokens[i].kind != TOKEN_OPERATOR || !i || i + 1 >= source->n)
		return false;
	bool branches = token_is(source, i, "?") && token_ends_operand(source, i - 1);
	bool begins = token_in(source, i, " = => := ") ||
		(token_is(source, i, "->") && source->language == &language_java);
	if (!branches && !begins)
		return false;
	*ret_span = branches ? span_of(expression_first(source, i - 1, 1), i - 1)
						 : span_of(i + 1, expression_last(source, i + 1, 1));
	return ret_span->first != NO_TOKEN && ret_span->last != NO_TOKEN &&
		!token_in(source, ret_span->last + 1, " ? if ") && span_asks(source, *ret_span);
}

bool tail_at(const struct source *source, uint32_t i, struct span *ret_span)
{
	const struct token *token = &source->tokens[i];
	if (source->language != &language_rust || !token->first || source->owner[i] == NO_TOKEN ||
		!(token_ends_operand(source, i) || token->unary || token->kind == TOKEN_OPEN))
		return false;
	*ret_span = span_of(i, expression_last(source, i, 1));
	return ret_span->last != NO_TOKEN && token_is(source, ret_span->last + 1, "}") &&
		!changes_its_object(source, ret_span->last);
}

bool question_at(const struct source *source, uint32_t i, struct span *ret_span)
{
	if (source->tokens[i].kind == TOKEN_KEYWORD &&
		token_in(source, i, " if elif elseif elsif while unless until "))
		return condition_at(source, i, ret_span);
	if (question_of_loop(source, i, ret_span) || question_of_sign(source, i, ret_span))
		return true;
	if (tail_at(source, i, ret_span))
		return span_asks(source, *ret_span);
	if (!token_is(source, i, "return") || i + 1 >= source->n || source->tokens[i + 1].first)
		return false;
	*ret_span = span_of(i + 1, expression_last(source, i + 1, 1));
	uint32_t sum = expression_last(source, i + 1, 10);
	return ret_span->last != NO_TOKEN && sum != NO_TOKEN && sum < ret_span->last &&
		(ret_span->last + 1 >= source->n || source->tokens[ret_span->last + 1].first ||
			token_in(source, ret_span->last + 1, " ; } "));
}

/* How many lines away each name is mentioned; asked once for all of a line. */
static void predicate_look_around(struct site *site, struct span near)
{
	const struct source *source = site->source;
	uint32_t line = source->tokens[near.first].line;
	if (site->repair->looked == source && site->repair->looked_line == line)
		return;
	site->repair->looked = source;
	site->repair->looked_line = line;
	uint32_t looks = ++site->repair->looks;
	for (uint32_t i = near.first > WINDOW ? near.first - WINDOW : 0;
		 i < source->n && i < near.last + WINDOW; i++) {
		const struct token *token = &source->tokens[i];
		struct term *term = token->kind == TOKEN_NAME ? term_of(token->word) : NULL;
		uint32_t off = token->line > line ? token->line - line : line - token->line;
		if (term && (term->looked != looks || off < term->lines_off))
			term->lines_off = off;
		if (term)
			term->looked = looks;
	}
}

struct ranking rank_values(struct site *site, struct span near)
{
	struct ranking ranking = {.n = 0};
	const struct source *source = site->source;
	const struct pieces *values = &pool_of(site->repair, source, near.first)->values;
	predicate_look_around(site, near);
	for (size_t i = 0; i < values->n; i++) {
		const struct piece *value = &values->items[i];
		const struct term *term = term_of(source->tokens[value->span.last].word);
		uint32_t off = term->looked == site->repair->looks ? term->lines_off : WINDOW;
		double said = span_says(source, near, &term->word) ? 0 : 1.5;
		ranking_add(&ranking, value->text,
			said + 0.3 * log2(1 + (double)off) - (value->said == 1 ? UNUSED_BONUS : 0));
	}
	return ranking;
}

static bool predicate_is_indexed(const struct site *site, const char *value)
{
	const char *name = strrchr(value, '.') ? strrchr(value, '.') + 1 : value;
	const struct term *term = term_of(words_find(&site->repair->words, name, strlen(name)));
	return term && (term->is_indexed || term->is_many);
}

static enum kind predicate_kind(struct site *site, const char *value)
{
	const struct piece *piece = pool_value(pool_of(site->repair, site->source, site->at), value);
	return piece ? kind_of(site->source, piece->span) : KIND_UNKNOWN;
}

/* Whether a value may be of one of these kinds; C and C++ ask anything anyhow. */
static bool predicate_fits(struct site *site, const char *value, unsigned kinds)
{
	enum kind kind = predicate_kind(site, value);
	return kind == KIND_UNKNOWN || kind & kinds || language_in(site->source->language, " c c++ ");
}

/* Questions to one value. */
static void predicate_ask_one(
	struct site *site, struct ranking *ranking, const char *value, double badness, bool unused)
{
	const struct language *language = site->source->language;
	bool many = predicate_is_indexed(site, value);
	if (predicate_fits(site, value, KIND_MANY | KIND_TEXT | KIND_POINTER))
		ranking_add(ranking,
			arena_printf(site->arena, "%s%s%s", language->empty[0], value, language->empty[1]),
			badness + (many ? 0.2 : 1));
	if (language->traits & LANGUAGE_REGEX)
		ranking_add(
			ranking, arena_printf(site->arena, "%s%s", language->word_not, value), badness + 0.3);
	if (predicate_fits(site, value, KIND_TRUTH))
		ranking_add(ranking, value, badness + (unused ? 0 : 0.8));
	if (language->word_null && predicate_fits(site, value, KIND_MANY | KIND_POINTER | KIND_OTHER))
		ranking_add(ranking, phrase_absent(language, site->arena, value, false), badness + 0.9);
	const char *const questions[] = {"== 0", "< 0", "<= 0", "> 0", "== 1",
		arena_printf(site->arena, "%s 0", word_unequal(language))};
	many = many || !predicate_fits(site, value, KIND_NUMBER);
	for (size_t i = 0; i < sizeof questions / sizeof *questions && !many; i++)
		ranking_add(ranking, arena_printf(site->arena, "%s %s", value, questions[i]),
			badness + 0.7 + 0.2 * (double)i);
}

/* Questions to two values. */
static void predicate_ask_two(
	struct site *site, struct ranking *ranking, const char *a, const char *b, double badness)
{
	const char *const questions[] = {
		"<", "==", ">", word_unequal(site->source->language), "<=", ">="};
	bool many_a = predicate_is_indexed(site, a), many_b = predicate_is_indexed(site, b);
	enum kind kind_a = predicate_kind(site, a), kind_b = predicate_kind(site, b);
	if (kinds_differ(site->source->language, kind_a, kind_b) || (kind_a | kind_b) & KIND_TRUTH)
		return;
	if (many_a == many_b)
		for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
			ranking_add(ranking, arena_printf(site->arena, "%s %s %s", a, questions[i], b),
				badness + 0.3 * (double)i);
	if (many_a == many_b || !language_operator(site->source->language, "in"))
		return;
	const char *one = many_a ? b : a, *all = many_a ? a : b;
	ranking_add(ranking, arena_printf(site->arena, "%s in %s", one, all), badness);
	ranking_add(ranking, arena_printf(site->arena, "%s not in %s", one, all), badness + 0.1);
}

struct ranking rank_predicates(struct site *site, struct span near)
{
	struct ranking ranking = {.n = 0};
	const struct pool *pool = pool_of(site->repair, site->source, near.first);
	for (size_t i = 0; i < pool->conditions.n; i++)
		ranking_add(&ranking, pool->conditions.items[i].text,
			span_unlikeness(site->source, near, pool->conditions.items[i].span));
	struct ranking values = rank_values(site, near);
	for (size_t a = 0; a < values.n && a < site_most(site, ASKED_MOST); a++) {
		bool unused = values.badness[a] < 0; /* only the bonus brings it there */
		predicate_ask_one(site, &ranking, values.texts[a], values.badness[a] + 0.5, unused);
		for (size_t b = a + 1; b < values.n && b < site_most(site, ASKED_MOST); b++) {
			/* "i < n": what is declared later is what moves. */
			bool later = pool_value(pool, values.texts[b])->span.first >
				pool_value(pool, values.texts[a])->span.first;
			predicate_ask_two(site, &ranking, values.texts[later ? b : a],
				values.texts[later ? a : b], 0.5 * (values.badness[a] + values.badness[b]) + 0.8);
		}
	}
	return ranking;
}
