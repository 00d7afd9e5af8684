/* Another number, or the other truth. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "repair/search.h"

enum {
	OTHERS_MOST = 16,
	TRIED_MOST = 6,
	WINDOW = 400,     /* tokens on each side in which other numbers are looked for */
	DIGITS_MOST = 17, /* ten times as much must be a number, too */
};

/* One of many in a list: data rather than code. */
static bool constant_is_data(const struct source *source, uint32_t i)
{
	uint32_t around = source->tokens[i].around;
	bool list = around != NO_TOKEN && !token_is(source, around, "(");
	return list && (token_is(source, i + 1, ",") || (i && token_in(source, i - 1, " , - ")));
}

static bool constant_is_whole(const struct token *token, const char *text)
{
	for (uint32_t i = 0; i < token->length; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return token->length <= DIGITS_MOST && (token->length == 1 || text[0] != '0');
}

static void constant_number(struct site *site, double cost, long long number)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool signed_before = site->at && token_in(source, site->at - 1, " - + -- ++ ") &&
		token_end(source, site->at - 1) == token->start;
	if (number < 0 && signed_before)
		return;
	const char *text = arena_printf(site->arena, "%lld", number);
	propose_token(site, cost, text)->literal = text;
}

static void constant_whole(struct site *site, const char *text)
{
	const struct source *source = site->source;
	long long number = strtoll(text, NULL, 10);
	/* "x - 1" to "x - 0" is rather "x": the offset's. */
	bool offset = number == 1 && site->at && !source->tokens[site->at - 1].unary &&
		token_in(source, site->at - 1, " + - ");
	/* A divisor, or the 0 of "x % y == 0", is seldom what is wrong. */
	bool divisor = site->at && token_in(source, site->at - 1, " % / // ");
	bool remainder = site->at > 3 && token_in(source, site->at - 1, " == != === !== ") &&
		token_is(source, site->at - 3, "%");
	double near = divisor || remainder ? 4.3 : number <= 2 ? 3.3 : 4;
	if (constant_is_data(source, site->at))
		near += 1.5;
	bool is_bound = number_is_bound(source, site->at); /* that, too */
	if (!is_bound)
		constant_number(site, near, number + 1);
	if (!offset && !(is_bound && number > 0))
		constant_number(site, near + (number == 0), number - 1);
	static const long long usual[] = {0, 1, 2, -1};
	for (size_t i = 0; i < 4; i++)
		if (llabs(usual[i] - number) > 1)
			constant_number(site, (near > 4.8 ? near : 4.8) + (usual[i] < 0), usual[i]);
	if (number > 2) {
		constant_number(site, 5.3, number * 2);
		constant_number(site, 5.3, number / 2);
		constant_number(site, 5.5, number * 10);
		if (number % 10 == 0)
			constant_number(site, 5, number / 10);
	}
}

struct other {
	const struct word *word;
	double distance;
};

static int compare_others(const void *a, const void *b)
{
	const struct other *x = a, *y = b;
	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return strcmp(x->word->text, y->word->text);
}

static void constant_note_other(
	const struct source *source, uint32_t at, uint32_t place, struct other *others, size_t *n)
{
	const struct word *word = source->tokens[place].word;
	bool old = word == source->tokens[at].word;
	for (size_t i = 0; i < *n; i++)
		old |= others[i].word == word;
	if (old || *n == OTHERS_MOST)
		return;
	double own = strtod(source->tokens[at].word->text, NULL), number = strtod(word->text, NULL);
	bool is_other_type = source->language == &language_rust &&
		!strchr(word->text, '.') != !strchr(source->tokens[at].word->text, '.');
	if (own == number || is_other_type) /* 0 and 0.0 */
		return;
	double most = fabs(own) > fabs(number) ? fabs(own) : fabs(number);
	double unlike = most > 0 ? fabs(own - number) / most : 0;
	bool inside = source->owner[place] == source->owner[at];
	others[(*n)++] = (struct other){word, unlike + (inside ? 0 : 0.4)};
}

/* Numbers that stand nearby, those of about the same size first. */
static void constant_others(struct site *site)
{
	const struct source *source = site->source;
	struct other others[OTHERS_MOST];
	size_t n = 0;
	struct outward outward = {.at = site->at, .within = WINDOW};
	for (uint32_t i; outward_next(source, &outward, &i);)
		if (source->tokens[i].role != ROLE_DEAD && source->tokens[i].kind == TOKEN_NUMBER)
			constant_note_other(source, site->at, i, others, &n);
	qsort(others, n, sizeof *others, compare_others);
	for (size_t i = 0; i < n && i < TRIED_MOST; i++)
		propose_token(
			site, 4.7 + rank_bits(i) + constant_is_data(source, site->at), others[i].word->text)
			->literal = others[i].word->text;
}

/* A fraction for its complement, or ten times more or less: 0.2, 0.8, 2.0, 0.02. */
static void constant_fraction(struct site *site, const char *text)
{
	char *end;
	double number = strtod(text, &end);
	bool is_fraction = strpbrk(text, ".eE") && !strpbrk(text, "xX");
	if (*end || !is_fraction)
		return;
	const double others[] = {
		1 - number, number * 10, number / 10, number * 100, number / 100, number + 1};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i] > 0 && others[i] < 1e9)
			propose_textf(site, 5 + 0.2 * (double)i, site_span(site), "%.10g%s", others[i],
				others[i] == floor(others[i]) ? ".0" : "");
}

static void constant_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct language *language = source->language;
	const struct token *token = &source->tokens[site->at];
	if (token->kind == TOKEN_KEYWORD && language->word_true) {
		if (token_is(source, site->at, language->word_true))
			propose_token(site, 3, language->word_false);
		else if (token_is(source, site->at, language->word_false))
			propose_token(site, 3, language->word_true);
	}
	if (token->kind != TOKEN_NUMBER)
		return;
	if (constant_is_whole(token, token->word->text))
		constant_whole(site, token->word->text);
	else
		constant_fraction(site, token->word->text);
	constant_others(site);
}

MUTATION(constant, .least = 3, .rank = CANDIDATE_LITERAL, .simple = true);
