/*
 * What a function says, collected once: its values, expressions, conditions and statements. What
 * is missing or wrong in a function mostly stands elsewhere in it.
 */
#include "repair/pool/pool.h"

#include <math.h>
#include <string.h>

#include "repair/search.h"

enum {
	PIECES_MOST = 300,  /* of a kind */
	TOKENS_MOST = 6000, /* of a function that are looked at */
	LENGTH_MOST = 24,   /* tokens of an expression */
	STATEMENT_TOKENS_MOST = 48,
};

#define APPENDS " append push add push_back push_str insert appendleft extend "

static void pool_add_piece(struct repair *repair, struct pool *pool, struct pieces *pieces,
	const struct source *source, struct span span)
{
	if (pieces->n == PIECES_MOST)
		return;
	const char *text = tokens_text(source, repair->arena, span.first, span.last);
	if (map_get(&pool->known, text) || strchr(text, '\n'))
		return;
	map_put(&pool->known, repair->arena, text, pool);
	ARENA_PUSH(repair->arena, pieces->items, pieces->n, (struct piece){.text = text, .span = span});
}

/* A name, or an attribute of the object itself. */
bool span_is_value(const struct source *source, struct span span)
{
	bool own = span.last == span.first + 2 && is_self(source, span.first) &&
		is_access(source, span.first + 1);
	uint32_t name = own ? span.last : span.first;
	return (own || span.first == span.last) && is_name(source, name) &&
		source->tokens[name].role != ROLE_CALLEE && source->tokens[name].role != ROLE_METHOD;
}

bool is_cast(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	bool may = token_is(source, i, "(") && token->match != NO_TOKEN && token->match > i + 1 &&
		!(i && token_ends_operand(source, i - 1)) && language_in(source->language, " c c++ java ");
	for (uint32_t k = i + 1; may && k < token->match; k++)
		may = source->tokens[k].role == ROLE_TYPE || token_in(source, k, source->language->types) ||
			token_in(source, k, " const unsigned signed struct * ");
	return may;
}

/* The bracket of a head, "if (", of a type, "Map<>(", of a macro, "vec![", or of a cast; the brace
 * of a block. */
static bool operand_is_bracket(const struct source *source, uint32_t i)
{
	bool heads = !has_trait(source, LANGUAGE_NEWLINES) &&
		token_in(source, i - (i > 0), " if while for switch catch elseif elsif unless until ");
	bool after_type = i && source->tokens[i - 1].role == ROLE_TYPE;
	bool typed = after_type && token_is(source, i - 1, ">");
	return (i && token_is(source, i, "(") && (heads || typed)) ||
		(after_type && token_is(source, i - 1, "!")) || is_cast(source, i) || is_block(source, i);
}

/* "{ name, price }" of a script: a key and its value in one. */
static bool operand_is_member(const struct source *source, uint32_t i)
{
	uint32_t open = source->tokens[i].around;
	return language_is_script(source->language) && i && open != NO_TOKEN &&
		token_is(source, open, "{") && !is_block(source, open) && is_name(source, i) &&
		token_in(source, i - 1, " { , ") && token_in(source, i + 1, " } , ");
}

bool begins_operand(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	if (token->role == ROLE_DEAD || token->role == ROLE_TYPE || token->role == ROLE_KEY ||
		(i && is_access(source, i - 1)))
		return false;
	/* A piece of a string between expressions is no operand, nor is a bracket that holds one. */
	bool in_string = token->around != NO_TOKEN && !strchr("([{", first_byte(source, token->around));
	if (in_string && (token->kind == TOKEN_STRING || token->kind == TOKEN_OPEN))
		return false;
	if (token->kind == TOKEN_OPEN)
		return (!i || token->first || !token_ends_operand(source, i - 1)) &&
			!operand_is_bracket(source, i);
	if (operand_is_member(source, i))
		return false;
	if (token->kind == TOKEN_OPERATOR)
		return token->unary;
	return token->kind != TOKEN_CLOSE && token_ends_operand(source, i);
}

/* Whether a span ends with parameters: of a definition, "add(int a) {", or "(a) =>". */
static bool operand_is_head(const struct source *source, struct span span)
{
	uint32_t open = source->tokens[span.last].match;
	if (!token_is(source, span.last, ")") || !token_in(source, span.last + 1, " { => throws "))
		return false;
	for (uint32_t k = open; k < span.last; k++)
		if (source->tokens[k].around == open && source->tokens[k].role == ROLE_DECLARED)
			return true;
	return false;
}

static void pool_add_operand(
	struct repair *repair, struct pool *pool, const struct source *source, uint32_t i)
{
	if (source->tokens[i].role == ROLE_DECLARED || source->tokens[i].role == ROLE_TARGET) {
		if (is_name(source, i) && !token_is(source, i, "_") && !token_is(source, i + 1, "("))
			pool_add_piece(repair, pool, &pool->values, source, span_of(i, i));
		return;
	}
	struct span one = {i, expression_last(source, i, ONE_OPERAND)};
	if (one.last == NO_TOKEN || one.last > i + LENGTH_MOST || operand_is_head(source, one))
		return;
	bool value = span_is_value(source, one);
	pool_add_piece(repair, pool, value ? &pool->values : &pool->operands, source, one);
	if (!binary_precedence(source, one.last + 1))
		return;
	struct span all = {i, expression_last(source, i, 1)};
	if (all.last != NO_TOKEN && all.last <= i + LENGTH_MOST)
		pool_add_piece(repair, pool, &pool->compounds, source, all);
}

/* A comparison, seen at its operator. */
static void pool_add_comparison(
	struct repair *repair, struct pool *pool, const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	if (!token->op || token->op->family != FAMILY_COMPARE || !binary_precedence(source, i))
		return;
	uint32_t before = i && token_is(source, i, "in") && token_is(source, i - 1, "not") ? i - 1 : i;
	struct span span = {operand_left(source, before, false), operand_right(source, before)};
	if (span.first == NO_TOKEN || span.last == NO_TOKEN || span.last > span.first + LENGTH_MOST ||
		(span.first && token_is(source, span.first - 1, "for")))
		return;
	pool_add_piece(repair, pool, &pool->conditions, source, span);
}

/* What is asked whole, seen at what asks; each part of "a and b". */
static void pool_add_question(
	struct repair *repair, struct pool *pool, const struct source *source, uint32_t i)
{
	struct span whole;
	if (!question_at(source, i, &whole) || whole.last > whole.first + LENGTH_MOST)
		return;
	uint32_t first = whole.first;
	for (uint32_t k = whole.first; k <= whole.last + 1; k++) {
		bool joins = k <= whole.last &&
			source->tokens[k].around == source->tokens[whole.first].around &&
			(is_of_family(source, k, FAMILY_AND) || is_of_family(source, k, FAMILY_OR));
		if (!joins && k <= whole.last)
			continue;
		if (k > first)
			pool_add_piece(repair, pool, &pool->conditions, source, span_of(first, k - 1));
		first = k + 1;
	}
}

static void pool_add_statement(
	struct repair *repair, struct pool *pool, const struct source *source, uint32_t i)
{
	struct statement statement;
	if (!statement_at(source, i, &statement) || !statement.simple ||
		statement.span.last > i + STATEMENT_TOKENS_MOST)
		return;
	pool_add_piece(
		repair, pool, &pool->statements, source, span_without_semicolon(source, statement.span));
}

/* "xs.append(x)", seen at the method. */
static void pool_add_list(
	struct repair *repair, struct pool *pool, const struct source *source, uint32_t i)
{
	if (i < 2 || source->tokens[i].role != ROLE_METHOD || !token_in(source, i, APPENDS))
		return;
	uint32_t first = expression_first(source, i - 2, ONE_OPERAND);
	if (first != NO_TOKEN && span_is_value(source, span_of(first, i - 2)))
		pool_add_piece(repair, pool, &pool->lists, source, span_of(first, i - 2));
}

/* How often the function says its values, and assigns them. */
static void pool_count_values(
	const struct source *source, struct pool *pool, uint32_t first, uint32_t last)
{
	for (size_t v = 0; v < pool->values.n; v++) {
		struct piece *piece = &pool->values.items[v];
		const struct word *word = source->tokens[piece->span.last].word;
		for (uint32_t i = first; i <= last && i < source->n; i++) {
			piece->said += source->tokens[i].word == word;
			piece->assigned +=
				source->tokens[i].word == word && token_in(source, i + 1, " = := += -= ++ -- ");
		}
	}
}

static struct pool *make_pool(
	struct repair *repair, const struct source *source, uint32_t first, uint32_t last)
{
	struct pool *pool = arena_alloc(repair->arena, sizeof *pool);
	if (last - first > TOKENS_MOST)
		last = first + TOKENS_MOST;
	for (uint32_t i = first; i <= last && i < source->n; i++) {
		if (source->tokens[i].first)
			pool_add_statement(repair, pool, source, i);
		if (begins_operand(source, i))
			pool_add_operand(repair, pool, source, i);
	}
	pool_count_values(source, pool, first, last);
	struct pool views = {0}; /* of what is known already, as values and compounds */
	for (uint32_t i = first; i <= last && i < source->n; i++) {
		pool_add_list(repair, &views, source, i);
		pool_add_comparison(repair, &views, source, i);
		pool_add_question(repair, &views, source, i);
	}
	pool->lists = views.lists;
	pool->conditions = views.conditions;
	return pool;
}

const struct pool *pool_of(struct repair *repair, const struct source *source, uint32_t i)
{
	uint32_t function = outermost_function(source, i);
	if (!repair->pools)
		repair->pools =
			arena_alloc(repair->arena, (repair->definitions.n + repair->n) * sizeof *repair->pools);
	struct pool **pool =
		&repair->pools[function == NO_TOKEN ? repair->definitions.n + source->index : function];
	if (*pool)
		return *pool;
	const struct definition *definition =
		function == NO_TOKEN ? NULL : &repair->definitions.items[function];
	*pool = definition ? make_pool(repair, source, definition->first, definition->last)
					   : make_pool(repair, source, 0, source->n ? (uint32_t)source->n - 1 : 0);
	return *pool;
}

const struct piece *pieces_find(const struct pieces *pieces, const char *text)
{
	for (size_t i = 0; i < pieces->n; i++)
		if (strcmp(pieces->items[i].text, text) == 0)
			return &pieces->items[i];
	return NULL;
}

const struct piece *pool_value(const struct pool *pool, const char *text)
{
	return pieces_find(&pool->values, text);
}

/* Put a text into its place; what was at `i` is no more. */
static void ranking_move(struct ranking *ranking, size_t i, const char *text, double badness)
{
	for (; i > 0 && badness < ranking->badness[i - 1]; i--) {
		ranking->texts[i] = ranking->texts[i - 1];
		ranking->badness[i] = ranking->badness[i - 1];
	}
	ranking->texts[i] = text;
	ranking->badness[i] = badness;
}

/* Where a text is; n where it is not. */
static size_t ranking_find(const struct ranking *ranking, const char *text)
{
	size_t i = 0;
	while (i < ranking->n && strcmp(ranking->texts[i], text) != 0)
		i++;
	return i;
}

bool ranking_has(const struct ranking *ranking, const char *text)
{
	return ranking_find(ranking, text) < ranking->n;
}

void ranking_add(struct ranking *ranking, const char *text, double badness)
{
	size_t i = ranking_find(ranking, text);
	if (i < ranking->n) {
		if (badness < ranking->badness[i])
			ranking_move(ranking, i, text, badness);
		return;
	}
	if (i == RANKING_MOST && badness >= ranking->badness[i - 1])
		return;
	if (i < RANKING_MOST)
		ranking->n++;
	else
		i--;
	ranking_move(ranking, i, text, badness);
}

void ranking_count(struct ranking *ranking, const char *text, double weight)
{
	size_t i = ranking_find(ranking, text);
	ranking_add(ranking, text, (i < ranking->n ? ranking->badness[i] : 0) - weight);
}

void ranking_append(struct ranking *ranking, size_t most, const char *text)
{
	if (!ranking_has(ranking, text) && ranking->n < most && ranking->n < RANKING_MOST)
		ranking->texts[ranking->n++] = text;
}

const struct source *source_walk_next(const struct site *site, struct source_walk *walk)
{
	while (walk->next < site->repair->n) {
		const struct source *source = &site->repair->sources[walk->next++];
		if (!source->file->editable || source->language != site->source->language ||
			source->n > walk->left)
			continue;
		walk->left -= source->n;
		return source;
	}
	return NULL;
}

bool span_says(const struct source *source, struct span span, const struct word *word)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (source->tokens[i].word == word)
			return true;
	return false;
}

double span_unlikeness(const struct source *source, struct span a, struct span b)
{
	double same = 0, all = 0;
	for (uint32_t i = b.first; i <= b.last; i++) {
		const struct token *token = &source->tokens[i];
		if (!token->word || (token->kind != TOKEN_NAME && token->kind != TOKEN_STRING))
			continue;
		all++;
		same += span_says(source, a, token->word);
	}
	double lines =
		fabs((double)source->tokens[a.first].line - (double)source->tokens[b.first].line);
	return 1.5 * (1 - (all > 0 ? same / all : 0)) + 0.3 * log2(1 + lines);
}

size_t pieces_nearest(const struct source *source, const struct pieces *pieces, struct span near,
	const struct piece **found, size_t most)
{
	double badness[RANKING_MOST] = {0};
	size_t n = 0;
	most = most < RANKING_MOST ? most : RANKING_MOST;
	for (size_t i = 0; i < pieces->n; i++) {
		double own = span_unlikeness(source, near, pieces->items[i].span);
		if (n == most && own >= badness[n - 1])
			continue;
		size_t at = n < most ? n++ : n - 1;
		for (; at > 0 && own < badness[at - 1]; at--) {
			badness[at] = badness[at - 1];
			found[at] = found[at - 1];
		}
		badness[at] = own;
		found[at] = &pieces->items[i];
	}
	return n;
}
