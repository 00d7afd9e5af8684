/* What makes an edit less likely, whichever mutation it is of: what hardly any fix does. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum {
	WINDOW = 200,  /* tokens on each side in which a value's other mention is looked for */
	NEAR = 16,     /* the same for an operator that an edit may leave without a purpose */
	LONGEST = 400, /* bytes of an assignment of a value to itself */
};

#define UNREAD 2.0      /* a value is not used any more */
#define UNREAD_LOOP 4.0 /* the same of a loop's variable */
#define LOOP_LEFT 3.0   /* a loop's variable is used behind the loop */
#define NO_RECURSION 3.0
#define REPEATED 2.0
#define IDLE 3.0     /* an operation that changes nothing is left: "x * 1", "x and x" */
#define SAME_SUM 1.0 /* "x + x" */

static bool doubt_is_written(const struct proposal *proposal, const struct word *word)
{
	for (size_t i = 0; i < proposal->n; i++)
		if (text_says(proposal->splices[i].text, word->text))
			return true;
	return false;
}

/* What it costs that the one place is taken away that reads a value. Who unpacks one, "a, b =
 * pair", often needs only one of its parts. */
static double doubt_of_unread(const struct source *source, uint32_t i)
{
	struct outward outward = {.at = i, .within = WINDOW};
	for (uint32_t k; outward_next(source, &outward, &k);) {
		if (source->tokens[k].word != source->tokens[i].word)
			continue;
		bool has_others = token_is(source, k + 1, ",") || (k && token_is(source, k - 1, ","));
		if (source->tokens[k].role == ROLE_TARGET && has_others)
			return 0;
		if (k && token_is(source, k - 1, "for"))
			return UNREAD_LOOP;
	}
	return UNREAD;
}

static double doubt_leaves_unread(
	struct repair *repair, const struct source *source, const struct proposal *proposal)
{
	double doubt = 0;
	for (size_t s = 0; s < proposal->n; s++) {
		size_t start = proposal->splices[s].offset, end = start + proposal->splices[s].length;
		uint32_t i = start < end ? source_token_at(source, start) : (uint32_t)source->n;
		for (; i < source->n && source->tokens[i].start < end; i++) {
			const struct token *token = &source->tokens[i];
			bool reads = token->kind == TOKEN_NAME && token->role == ROLE_VALUE &&
				source->owner[i] != NO_TOKEN;
			const struct piece *value =
				reads ? pool_value(pool_of(repair, source, i), token->word->text) : NULL;
			if (value && value->said == 2 && !doubt_is_written(proposal, token->word))
				doubt = fmax(doubt, doubt_of_unread(source, i));
		}
	}
	return doubt;
}

/* Whether a call is the only one of a function to itself. */
static bool doubt_is_recursion(const struct repair *repair, const struct source *source, uint32_t i)
{
	const struct word *word = source->tokens[i].word;
	uint32_t owner = source->tokens[i].role == ROLE_CALLEE ? source->owner[i] : NO_TOKEN;
	size_t n = 0;
	while (owner != NO_TOKEN && repair->definitions.items[owner].name != word)
		owner = repair->definitions.items[owner].parent;
	if (owner == NO_TOKEN)
		return false;
	const struct definition *definition = &repair->definitions.items[owner];
	for (uint32_t k = definition->first; k <= definition->last; k++)
		n += source->tokens[k].word == word && source->tokens[k].role == ROLE_CALLEE;
	return n == 1;
}

static bool doubt_ends_recursion(
	const struct repair *repair, const struct source *source, const struct proposal *proposal)
{
	for (size_t s = 0; s < proposal->n; s++) {
		size_t start = proposal->splices[s].offset, end = start + proposal->splices[s].length;
		uint32_t i = start < end ? source_token_at(source, start) : (uint32_t)source->n;
		for (; i < source->n && source->tokens[i].start < end; i++)
			if (doubt_is_recursion(repair, source, i) &&
				!doubt_is_written(proposal, source->tokens[i].word))
				return true;
	}
	return false;
}

/* Whether a token is the variable of a loop, or of a comprehension, around a place. */
static bool doubt_is_loop_around(const struct source *source, uint32_t i, uint32_t at)
{
	struct statement loop;
	uint32_t open = source->tokens[i].around;
	if (source->tokens[i - 1].first)
		return statement_at(source, i - 1, &loop) && at >= loop.span.first && at <= loop.span.last;
	return open != NO_TOKEN && at > open && at < source->tokens[open].match;
}

/* Whether a name is a loop's variable alone, and the place is in no such loop. */
static bool doubt_has_left_loop(
	const struct repair *repair, const struct source *source, uint32_t at, const struct word *word)
{
	uint32_t owner = at < source->n ? source->owner[at] : NO_TOKEN;
	size_t n_loops = 0;
	if (owner == NO_TOKEN)
		return false;
	const struct definition *definition = &repair->definitions.items[owner];
	for (uint32_t i = definition->first + 1; i <= definition->last; i++) {
		if (source->tokens[i].word != word || source->tokens[i].kind != TOKEN_NAME)
			continue;
		bool is_loop = token_is(source, i - 1, "for") && token_is(source, i + 1, "in");
		if (is_loop ? doubt_is_loop_around(source, i, at)
					: source->tokens[i].role == ROLE_DECLARED ||
					token_in(source, i + 1, " = := += -= "))
			return false;
		n_loops += is_loop;
	}
	return n_loops;
}

static bool doubt_uses_left_loop(
	struct repair *repair, const struct source *source, const struct proposal *proposal)
{
	for (size_t s = 0; s < proposal->n; s++) {
		uint32_t at = source_token_at(source, proposal->splices[s].offset);
		const char *text = proposal->splices[s].text;
		for (size_t i = 0, n; text[i]; i += n ? n : 1) {
			n = isdigit((unsigned char)text[i]) ? 0 : name_length(text + i, strlen(text + i));
			const struct word *word = n ? words_find(&repair->words, text + i, n) : NULL;
			if (word && doubt_has_left_loop(repair, source, at, word))
				return true;
		}
	}
	return false;
}

/* Whether a member of a list of literals becomes the same as another one: "(1, 1, 3)". */
static bool doubt_repeats(
	struct repair *repair, const struct source *source, const struct proposal *proposal)
{
	const struct splice *splice = &proposal->splices[0];
	uint32_t i = source_token_at(source, splice->offset);
	struct span items[SPAN_MOST];
	if (proposal->n != 1 || i >= source->n || source->tokens[i].around == NO_TOKEN ||
		(source->tokens[i].kind != TOKEN_NUMBER && source->tokens[i].kind != TOKEN_STRING) ||
		splice->offset < source->tokens[i].start ||
		splice->offset + splice->length > token_end(source, i))
		return false;
	const char *old = source->file->text + source->tokens[i].start;
	size_t before = splice->offset - source->tokens[i].start, after = before + splice->length;
	const char *new = arena_printf(repair->arena, "%.*s%s%.*s", (int)before, old, splice->text,
		(int)(source->tokens[i].length - after), old + after);
	size_t n = bracket_items(source, source->tokens[i].around, items);
	for (size_t k = 0; n > 2 && k < n; k++)
		if (items[k].first == items[k].last && items[k].first != i &&
			token_is(source, items[k].first, new))
			return true;
	return false;
}

/* The operators that a number on their right, or on their left, gives nothing to do. */
static const char *doubt_neutral_of(const char *number, bool is_left)
{
	char *end;
	double value = strtod(number, &end);
	if (end == number || *end)
		return "";
	if (is_left)
		return value == 0 ? " + " : value == 1 ? " * " : "";
	return value == 0 ? " + - | ^ << >> " : value == 1 ? " * / // ** " : "";
}

/* The text from one token to another as a proposal makes it, without its spaces. */
static const char *doubt_side(struct repair *repair, const struct source *source,
	const struct splice *splice, uint32_t first, uint32_t last)
{
	const char *text = source->file->text;
	size_t start = source->tokens[first].start, end = token_end(source, last);
	size_t from = splice->offset, to = from + splice->length;
	bool holds = from >= start && to <= end;
	char *side = holds ? arena_printf(repair->arena, "%.*s%s%.*s", (int)(from - start),
							 text + start, splice->text, (int)(end - to), text + to)
					   : arena_strndup(repair->arena, text + start, end - start);
	size_t n = 0;
	for (const char *at = side; *at; at++)
		if (*at != ' ')
			side[n++] = *at;
	side[n] = '\0';
	return side;
}

/* What it costs that an operator is left without a purpose. */
static double doubt_of_operator(
	struct repair *repair, const struct source *source, const struct splice *splice, uint32_t op)
{
	uint32_t first = operand_left(source, op, true), last = operand_right(source, op);
	size_t start = source->tokens[op].start, end = token_end(source, op);
	if (first == NO_TOKEN || last == NO_TOKEN || last >= source->n)
		return 0;
	const char *left = doubt_side(repair, source, splice, first, op - 1);
	const char *right = doubt_side(repair, source, splice, op + 1, last);
	bool is_it = splice->offset == start && splice->length == end - start;
	const char *text = is_it ? splice->text : tokens_text(source, repair->arena, op, op);
	bool is_right = splice->offset >= start, is_left = is_it || !is_right;
	if ((is_right && words_hold(doubt_neutral_of(right, false), text, strlen(text))) ||
		(is_left && words_hold(doubt_neutral_of(left, true), text, strlen(text))))
		return IDLE;
	return is_it || strcmp(left, right) != 0 ? 0
		: token_in(source, op, " + * .. . ") ? SAME_SUM
											 : IDLE;
}

/* Whether what is left is "x = x": short, however long what was there is. */
static bool doubt_assigns_itself(
	struct repair *repair, const struct source *source, const struct splice *splice, uint32_t at)
{
	struct statement statement;
	for (size_t n = 0; at && n < WINDOW && !source->tokens[at].first; n++)
		at--;
	uint32_t sign =
		statement_at(source, at, &statement) ? statement_assigns(source, &statement) : NO_TOKEN;
	if (sign == NO_TOKEN)
		return false;
	struct span value = span_without_semicolon(source, span_of(sign + 1, statement.span.last));
	size_t n = token_end(source, statement.span.last) - source->tokens[at].start;
	return value.last >= value.first && n + strlen(splice->text) <= LONGEST + splice->length &&
		strcmp(doubt_side(repair, source, splice, at, sign - 1),
			doubt_side(repair, source, splice, value.first, value.last)) == 0;
}

/* Whether nothing is left of what is pushed. */
static bool doubt_pushes_nothing(
	const struct source *source, const struct splice *splice, uint32_t at)
{
	uint32_t open = source->tokens[at].around;
	return !*splice->text && open != NO_TOKEN && open + 1 == at && open &&
		source->tokens[open].match < source->n &&
		splice->offset + splice->length == source->tokens[source->tokens[open].match].start &&
		token_in(source, open - 1, " push unshift ");
}

static double doubt_leaves_idle(
	struct repair *repair, const struct source *source, const struct proposal *proposal)
{
	const struct splice *splice = &proposal->splices[0];
	uint32_t at = source_token_at(source, splice->offset);
	if (proposal->n != 1 || at >= source->n || strchr(splice->text, '\n'))
		return 0;
	uint32_t line = source->tokens[at].line, end = source->line_first[line + 1];
	double doubt = 0;
	for (uint32_t i = source->line_first[line] + 1; i + 1 < end && doubt <= 0; i++)
		if (i + NEAR > at && i < at + NEAR && binary_precedence(source, i))
			doubt = doubt_of_operator(repair, source, splice, i);
	if (doubt <= 0 &&
		(doubt_assigns_itself(repair, source, splice, at) ||
			doubt_pushes_nothing(source, splice, at)))
		doubt = IDLE;
	return doubt;
}

double proposal_doubt(
	struct repair *repair, const struct source *source, const struct proposal *proposal)
{
	double doubt = doubt_leaves_unread(repair, source, proposal);
	if (doubt_ends_recursion(repair, source, proposal))
		doubt += NO_RECURSION;
	if (doubt_repeats(repair, source, proposal))
		doubt += REPEATED;
	doubt += doubt_leaves_idle(repair, source, proposal);
	if (is_python(source) && doubt_uses_left_loop(repair, source, proposal))
		doubt += LOOP_LEFT;
	return doubt;
}
