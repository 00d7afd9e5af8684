/*
 * Operands without a tree: from an operator, scan to both sides over whole operands and over the
 * operators that bind as tightly as asked. Loops instead of recursion: any nesting is possible.
 */
#include <string.h>

#include "repair/source/source.h"

#define PREFIX_WORDS " await typeof new sizeof mut ref delete "

void source_lex(struct source *source, struct arena *arena)
{
	struct token_list list;
	tokens_read(source->language, source->file->text, source->file->n, source->words, arena, &list);
	source->tokens = list.tokens;
	source->n = list.n;
	source->line_first = list.line_first;
	source->n_lines = list.n_lines;
}

uint32_t source_token_at(const struct source *source, size_t offset)
{
	uint32_t low = 0, high = (uint32_t)source->n;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if ((size_t)token_end(source, middle) <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool token_in(const struct source *source, uint32_t i, const char *list)
{
	return i < source->n &&
		words_hold(list, source->file->text + source->tokens[i].start, source->tokens[i].length);
}

const char *tokens_text(
	const struct source *source, struct arena *arena, uint32_t first, uint32_t last)
{
	const struct token *a = &source->tokens[first], *b = &source->tokens[last];
	return arena_strndup(arena, source->file->text + a->start, b->start + b->length - a->start);
}

bool token_ends_operand(const struct source *source, uint32_t i)
{
	return token_may_end_operand(source->language, source->file->text, &source->tokens[i]);
}

static bool expression_is_word_not(const struct token *token)
{
	return token->op && token->op->family == FAMILY_NOT && token->op->text[0] == 'n';
}

int binary_precedence(const struct source *source, uint32_t i)
{
	if (i >= source->n || i == 0)
		return 0;
	const struct token *token = &source->tokens[i];
	if (!token->op || token->first || token->unary || token->role == ROLE_TYPE)
		return 0;
	/* "not in" compares. */
	if (expression_is_word_not(token) && token_is(source, i + 1, "in") &&
		source->tokens[i + 1].op && token_ends_operand(source, i - 1))
		return source->tokens[i + 1].op->precedence;
	return token->op->precedence;
}

/* After an operator of one word or two. */
static uint32_t expression_after_operator(const struct source *source, uint32_t op)
{
	return op + (expression_is_word_not(&source->tokens[op]) ? 2 : 1);
}

static bool expression_is_prefix(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	if (token->kind == TOKEN_KEYWORD)
		return token_in(source, i, PREFIX_WORDS);
	/* "lc $x": a function without brackets. */
	if (token->kind == TOKEN_NAME && token->role == ROLE_CALLEE)
		return has_trait(source, LANGUAGE_BRACED_KEYS) && i + 1 < source->n &&
			!token_is(source, i + 1, "(");
	return token->kind == TOKEN_OPERATOR && token->op &&
		(token->unary || token->op->family == FAMILY_NOT || token->op->family == FAMILY_STEP);
}

static bool expression_begins_with(const struct source *source, uint32_t i, const char *brackets)
{
	const struct token *token = &source->tokens[i];
	return token->length == 1 && strchr(brackets, source->file->text[token->start]);
}

/* How many types a token opens, or closes: below 0. */
static int expression_type_depth(const struct source *source, uint32_t i)
{
	return source->tokens[i].role != ROLE_TYPE ? 0
		: token_is(source, i, "<")             ? 1
		: token_is(source, i, ">>")            ? -2
											   : -token_is(source, i, ">");
}

/* Over the types after a name, "::<f32>", and over those before a bracket, or a macro's sign.
 * Either gives the same token where there are none. */
static uint32_t expression_types_last(const struct source *source, uint32_t last)
{
	uint32_t i = last + 1;
	i += token_is(source, i, "::") && source->tokens[i].role == ROLE_TYPE;
	int depth = i < source->n ? expression_type_depth(source, i) : 0;
	for (; depth > 0 && i + 1 < source->n; depth += expression_type_depth(source, i))
		i++;
	return i > last + 1 && depth == 0 ? i : last;
}

static uint32_t expression_types_first(const struct source *source, uint32_t first)
{
	uint32_t i = first - (first > 0);
	int depth = -expression_type_depth(source, i);
	if (depth <= 0)
		return token_is(source, i, "!") && source->tokens[i].role == ROLE_TYPE ? i : first;
	for (; depth > 0 && i > 0; depth -= expression_type_depth(source, i))
		i--;
	return i - (i && token_is(source, i - 1, "::") && source->tokens[i - 1].role == ROLE_TYPE);
}

/* The last token of a conversion after an operand, "as f32"; else the same token. */
static uint32_t expression_cast_last(const struct source *source, uint32_t last)
{
	bool casts = source->language == &language_rust && token_is(source, last + 1, "as") &&
		!source->tokens[last + 1].first && is_name(source, last + 2);
	while (casts && token_is(source, last + 3, "::") && is_name(source, last + 4))
		last += 2;
	return casts ? expression_types_last(source, last + 2) : last;
}

/* Over calls, indices and attributes after an operand that ends at `last`. */
static uint32_t expression_suffixes_last(const struct source *source, uint32_t last)
{
	const struct token *tokens = source->tokens;
	while (last + 1 < source->n && !tokens[last + 1].first) {
		last = expression_types_last(source, last);
		const struct token *next = &tokens[last + 1];
		bool access = is_access(source, last + 1) && last + 2 < source->n;
		if (next->kind == TOKEN_OPEN && next->match != NO_TOKEN &&
			(expression_begins_with(source, last + 1, "([") || is_subscript(source, last + 1)))
			last = next->match;
		else if (access && tokens[last + 2].kind == TOKEN_OPEN &&
			tokens[last + 2].match != NO_TOKEN)
			last = tokens[last + 2].match;
		else if (access &&
			(tokens[last + 2].kind == TOKEN_NAME || tokens[last + 2].kind == TOKEN_KEYWORD))
			last += 2;
		else if ((next->op && next->op->family == FAMILY_STEP && next->line == tokens[last].line) ||
			(next->role == ROLE_TYPE && next->kind == TOKEN_OPERATOR))
			last++;
		else
			break;
	}
	return last;
}

static uint32_t expression_with_cast(const struct source *source, uint32_t last)
{
	uint32_t cast = last = expression_suffixes_last(source, last);
	while ((cast = expression_cast_last(source, last)) != last)
		last = cast;
	return last;
}

/* The last token of the operand, prefixes included, that begins at `first`. */
static uint32_t expression_operand_last(const struct source *source, uint32_t first)
{
	uint32_t i = first;
	while (i < source->n && expression_is_prefix(source, i))
		i++;
	if (i >= source->n)
		return NO_TOKEN;
	const struct token *token = &source->tokens[i];
	if (token->kind == TOKEN_OPEN)
		return token->match == NO_TOKEN ? NO_TOKEN : expression_with_cast(source, token->match);
	if (token->kind == TOKEN_CLOSE || !token_ends_operand(source, i))
		return NO_TOKEN;
	while (token->kind == TOKEN_STRING && i + 1 < source->n && !source->tokens[i + 1].first &&
		source->tokens[i + 1].kind == TOKEN_STRING)
		i++;
	return expression_with_cast(source, i);
}

/* Back over what stands before an operand and is a part of it. */
static uint32_t expression_prefixes_first(const struct source *source, uint32_t i)
{
	const struct token *tokens = source->tokens;
	while (i != NO_TOKEN && i > 0 && !tokens[i].first && expression_is_prefix(source, i - 1) &&
		!expression_is_word_not(&tokens[i - 1]))
		i--;
	return i;
}

/* What ends before `i`, where a part of an operand begins, and is a part of it, too. NO_TOKEN:
 * nothing does. `last`: where that part ends. */
static uint32_t expression_part_before(const struct source *source, uint32_t i, uint32_t last)
{
	const struct token *tokens = source->tokens, *token = &tokens[last];
	if (source->language == &language_rust && token_is(source, i - 1, "as") && i >= 2)
		return i - 2;
	uint32_t head = tokens[i].kind == TOKEN_OPEN ? expression_types_first(source, i) : i;
	bool accessed =
		(token->kind != TOKEN_CLOSE || tokens[i].kind == TOKEN_OPEN) && is_access(source, i - 1);
	bool called = token->kind == TOKEN_CLOSE &&
		(expression_begins_with(source, i, "([") || is_subscript(source, i)) && head &&
		token_ends_operand(source, head - 1);
	bool continued = token->kind == TOKEN_STRING && head && tokens[head - 1].kind == TOKEN_STRING;
	if (accessed && i >= 2)
		return i - 2;
	return called || continued ? head - 1 : NO_TOKEN;
}

/* The first token of the operand that ends at `last`, prefixes included. */
static uint32_t expression_operand_first(const struct source *source, uint32_t last)
{
	const struct token *tokens = source->tokens;
	uint32_t i = last;
	while (i < source->n) {
		const struct token *token = &tokens[i];
		bool step = token->op && token->op->family == FAMILY_STEP;
		if (step && i && token_ends_operand(source, i - 1) && !token->first) {
			i--;
			continue;
		}
		if (!token_ends_operand(source, i) || step)
			return NO_TOKEN;
		uint32_t end = i;
		if (token->kind == TOKEN_CLOSE)
			i = token->match;
		if (i == NO_TOKEN || i == 0 || tokens[i].first)
			break;
		uint32_t before = expression_part_before(source, i, end);
		if (before == NO_TOKEN)
			break;
		i = before;
	}
	return expression_prefixes_first(source, i);
}

uint32_t expression_first(const struct source *source, uint32_t last, int precedence)
{
	uint32_t first = expression_operand_first(source, last);
	while (first != NO_TOKEN && first > 1 && !source->tokens[first].first) {
		uint32_t before = first - 1;
		if (expression_is_word_not(&source->tokens[before - 1]) && token_is(source, before, "in"))
			before--;
		int joins = binary_precedence(source, before);
		if (!joins || joins < precedence)
			break;
		uint32_t further = expression_operand_first(source, before - 1);
		if (further == NO_TOKEN)
			break;
		first = further;
	}
	return first;
}

uint32_t operand_left(const struct source *source, uint32_t op, bool near)
{
	return op ? expression_first(source, op - 1, binary_precedence(source, op) + near) : NO_TOKEN;
}

uint32_t operand_right(const struct source *source, uint32_t op)
{
	bool right_first = source->tokens[op].op->family == FAMILY_POWER;
	return expression_last(source, expression_after_operator(source, op),
		binary_precedence(source, op) + !right_first);
}

uint32_t expression_last(const struct source *source, uint32_t first, int precedence)
{
	uint32_t last = expression_operand_last(source, first);
	while (last != NO_TOKEN) {
		int joins = binary_precedence(source, last + 1);
		if (!joins || joins < precedence)
			break;
		uint32_t further =
			expression_operand_last(source, expression_after_operator(source, last + 1));
		if (further == NO_TOKEN)
			break;
		last = further;
	}
	return last;
}

/* Whether a token opens or closes the parameters of a closure in Rust. */
static bool expression_is_closure_sign(const struct source *source, uint32_t i)
{
	return source->language == &language_rust && token_is(source, i, "|") &&
		source->tokens[i].role == ROLE_TYPE;
}

size_t bracket_items(const struct source *source, uint32_t open, struct span items[SPAN_MOST])
{
	uint32_t close = source->tokens[open].match;
	if (close == NO_TOKEN || close <= open + 1)
		return 0;
	size_t n = 0;
	uint32_t first = open + 1;
	for (uint32_t i = open + 1; i <= close; i++) {
		if (source->tokens[i].kind == TOKEN_OPEN && source->tokens[i].match != NO_TOKEN)
			i = source->tokens[i].match;
		else if (expression_is_closure_sign(source, i))
			for (i++; i < close && !expression_is_closure_sign(source, i); i++)
				;
		else if (i == close || token_is(source, i, ",")) {
			if (i == first) /* a comma before the closing bracket ends the last item */
				return i == close ? n : 0;
			if (n == SPAN_MOST)
				return 0;
			items[n++] = span_of(first, i - 1);
			first = i + 1;
		}
	}
	return n;
}

bool span_is_text(const struct source *source, uint32_t first, uint32_t last)
{
	const struct token *token = &source->tokens[first];
	char initial = source->file->text[token->start];
	bool named = first == last && token->kind == TOKEN_NAME && term_of(token->word)->is_text;
	return named || token->kind == TOKEN_STRING ||
		(token->kind == TOKEN_OPEN && !strchr("([{$", initial)) ||
		token_in(source, first, " str String repr chr ") ||
		(last > first + 2 && token_in(source, last - 2, " toString join String Itoa "));
}

bool adds_to_text(const struct source *source, uint32_t i)
{
	uint32_t first = i;
	while (first && !source->tokens[first].first)
		first--;
	const struct token *token = &source->tokens[first];
	return token->kind == TOKEN_NAME && term_of(token->word)->is_text &&
		token->around == source->tokens[i].around && token_in(source, first + 1, " += = ");
}

bool span_asks(const struct source *source, struct span span)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (source->tokens[i].around == source->tokens[span.first].around &&
			(is_of_family(source, i, FAMILY_COMPARE) || is_of_family(source, i, FAMILY_AND) ||
				is_of_family(source, i, FAMILY_OR)))
			return true;
	return false;
}
