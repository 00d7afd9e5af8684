/* A call around an expression or after it, or one less; a value added to it or taken away. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "repair/probe.h"
#include "repair/source/kinds.h"

enum {
	CALLS_MOST = 25,
	SUM = 11,      /* the precedence of '+' */
	NEAR_MOST = 6, /* of them, those of the file */
	WINDOW = 400,  /* tokens on each side in which these are looked for */
	VALUES_MOST = 4,
};

#define NUMBER 2.0   /* what it costs more around a mere number */
#define METHOD 0.2   /* to call a method */
#define RECEIVER 0.5 /* what it costs more to call a function with a part of a chain alone */

/* "f(x)" to "x", "x.f()" to "x": seen at the bracket. */
static void unwrap_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool call = token_is(source, site->at, "(") && token->match != NO_TOKEN && site->at > 1 &&
		!token->first && is_name(source, site->at - 1) &&
		source->tokens[site->at - 1].role != ROLE_DECLARED;
	if (!call || source->tokens[site->at - 1].first || token_is(source, site->at - 2, "::"))
		return;
	uint32_t first = expression_first(source, token->match, ONE_OPERAND);
	if (first == NO_TOKEN || source->tokens[first].first)
		return;
	struct span items[SPAN_MOST], whole = {first, token->match};
	size_t n = bracket_items(source, site->at, items);
	bool method =
		source->tokens[site->at - 1].role == ROLE_METHOD && site->at >= 3 && first <= site->at - 3;
	if (n == 1)
		propose_text(site, 5, whole, span_text(site, items[0]));
	if (method)
		propose_text(site, 5 + (n > 0), whole, site_text(site, first, site->at - 3));
}

MUTATION(unwrap, .least = 5, .rank = CANDIDATE_STRUCTURE);

/* Calls by the texts before and after their operand: "len(" and ")", "" and
 * ".lower()". */
struct calls {
	const char *before[CALLS_MOST], *after[CALLS_MOST];
	size_t n;
};

static void wrap_add_call(struct calls *calls, const char *before, const char *after)
{
	for (size_t i = 0; i < calls->n; i++)
		if (strcmp(calls->before[i], before) == 0 && strcmp(calls->after[i], after) == 0)
			return;
	if (calls->n == CALLS_MOST)
		return;
	calls->before[calls->n] = before;
	calls->after[calls->n++] = after;
}

/* Whether an argument is a function itself: what takes one takes no value. */
static bool wrap_is_function(const struct source *source, struct span span)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (source->tokens[i].role == ROLE_DECLARED)
			return true;
	return false;
}

/* A function or method of one argument, or a method of none, seen at its name. */
static void wrap_add_near(
	struct site *site, uint32_t i, struct calls *functions, struct calls *methods)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[i];
	struct span items[SPAN_MOST];
	bool called = (token->role == ROLE_CALLEE || token->role == ROLE_METHOD) &&
		token->kind == TOKEN_NAME && i + 1 < source->n;
	if (!called)
		return;
	uint32_t close = source->tokens[i + 1].match;
	if (close != NO_TOKEN && token_is(source, i + 1, "(") && changes_its_object(source, close))
		return;
	if (token->role == ROLE_METHOD && close == i + 2 && !token_is(source, i - 1, "::")) {
		if (methods->n < NEAR_MOST)
			wrap_add_call(
				methods, "", arena_printf(site->arena, "%s()", site_text(site, i - 1, i)));
		return;
	}
	if (functions->n == NEAR_MOST || bracket_items(source, i + 1, items) != 1 ||
		wrap_is_function(source, items[0]))
		return;
	uint32_t first = token->role == ROLE_METHOD ? expression_first(source, i, ONE_OPERAND) : i;
	if (first != NO_TOKEN && i - first <= 6)
		wrap_add_call(functions, arena_printf(site->arena, "%s(", site_text(site, first, i)), ")");
}

/* Whether a usual function can be called here: one of a module, "copy.deepcopy", "math.Abs", needs
 * its import. */
static bool wrap_is_known(const struct site *site, const char *call, size_t n)
{
	size_t n_module = strcspn(call, ". ");
	bool imports = is_python(site->source) || is_go(site->source);
	if (!imports || !n_module || n_module >= n)
		return true;
	const struct word *module = words_find(&site->repair->words, call, n_module);
	return module && is_known_here(site, pool_of(site->repair, site->source, site->at), module);
}

/* In C, what cuts a number down to its bits: the types of this kind nearby. */
static void wrap_add_casts(struct site *site, struct calls *functions)
{
	const struct source *source = site->source;
	struct outward outward = {.at = site->at, .within = WINDOW};
	if (!language_in(source->language, " c c++ "))
		return;
	for (uint32_t i; outward_next(source, &outward, &i);)
		if (token_in(source, i, " uint8_t uint16_t uint32_t uint64_t int8_t int16_t int64_t "))
			wrap_add_call(functions, arena_printf(site->arena, "(%s)", site_text(site, i, i)), "");
	wrap_add_call(functions, "(unsigned char)", "");
}

/* What a line may call: by what it is called with or on. */
struct wrap_calls {
	struct calls functions, methods, chained, of_numbers;
	struct calls near_functions, near_methods; /* of these, those of the file */
};

/* What copies a list, and what leaves out of it what it has already. */
static void wrap_add_copies(struct site *site, struct wrap_calls *calls)
{
	if (language_in(site->source->language, " javascript typescript "))
		wrap_add_call(&calls->functions, "[...new Set(", ")]");
	if (site->source->language != &language_java)
		return;
	wrap_add_call(&calls->near_functions, "new ArrayList<>(", ")");
	wrap_add_call(&calls->near_functions, "new ArrayList<>(new LinkedHashSet<>(", "))");
}

/* The usual ones of a list. */
static void wrap_add_usual(
	struct site *site, const char *list, struct calls *functions, struct calls *methods)
{
	for (const char *at = list ? list + 1 : ""; *at; at += strcspn(at, " ") + 1) {
		int n = (int)strcspn(at, " ");
		if (!wrap_is_known(site, at, (size_t)n))
			continue;
		if (*at == '.' || *at == ':')
			wrap_add_call(methods, "", arena_printf(site->arena, "%.*s", n, at));
		else
			wrap_add_call(functions,
				arena_printf(site->arena, *at == '(' ? "%.*s" : "%.*s(", n, at),
				*at == '(' ? "" : ")");
	}
}

/* Those nearby in the file, then the usual ones. */
static void wrap_find_calls(struct site *site, struct wrap_calls *calls)
{
	const struct source *source = site->source;
	const struct language *language = source->language;
	struct outward outward = {.at = site->at, .within = WINDOW};
	for (uint32_t i; outward_next(source, &outward, &i);)
		wrap_add_near(site, i, &calls->functions, &calls->methods);
	calls->near_functions = calls->functions;
	calls->near_methods = calls->methods;
	wrap_add_casts(site, &calls->functions);
	wrap_add_usual(site, language->wrappers, &calls->functions, &calls->methods);
	wrap_add_copies(site, calls);
	wrap_add_usual(site, language->chained, &calls->functions, &calls->chained);
	wrap_add_usual(site, language->number_methods, &calls->functions, &calls->of_numbers);
}

/* What an edit may stand around: an operand that is read, and is no part of a longer chain. */
static bool wrap_operand_at(const struct site *site, struct span *ret_span)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	if (!begins_operand(source, site->at) || token->first || token->role == ROLE_TARGET)
		return false;
	*ret_span = span_of(site->at, expression_last(source, site->at, ONE_OPERAND));
	return ret_span->last != NO_TOKEN && can_be_wrapped(source, *ret_span);
}

/* Around all that a value is worked out of: "abs(a - b)", "(int)(a / b)", "(a - b).abs()". */
static void wrap_compound(struct site *site, const struct wrap_calls *calls, double cost)
{
	const struct source *source = site->source;
	bool begins = site->at &&
		(token_in(source, site->at - 1, " = := += return ( , [ => ") ||
			is_of_family(source, site->at - 1, FAMILY_COMPARE) ||
			is_of_family(source, site->at - 1, FAMILY_AND) ||
			is_of_family(source, site->at - 1, FAMILY_OR));
	uint32_t one = expression_last(source, site->at, ONE_OPERAND);
	uint32_t last = begins ? expression_last(source, site->at, SUM) : NO_TOKEN;
	struct span all = {site->at, last};
	if (last == NO_TOKEN || last == one || !can_be_wrapped(source, all) ||
		binary_precedence(source, last + 1) >= SUM || span_is_text(source, site->at, site->at))
		return;
	const char *text = span_text(site, all);
	for (size_t i = 0; i < calls->functions.n; i++) {
		bool casts = !*calls->functions.after[i];
		propose_textf(site, cost + rank_bits(i), all, casts ? "%s(%s)" : "%s%s%s",
			calls->functions.before[i], text, calls->functions.after[i]);
	}
	for (size_t i = 0; i < calls->of_numbers.n; i++)
		propose_textf(site, cost + rank_bits(i), all, "(%s)%s", text, calls->of_numbers.after[i]);
}

static void wrap_put_calls(
	struct site *site, struct span span, const struct calls *calls, double cost)
{
	const char *text = span_text(site, span);
	bool is_cast = token_is(site->source, span.last - 1, "as");
	for (size_t i = 0; i < calls->n; i++) {
		size_t before = strlen(calls->before[i]), after = strlen(calls->after[i]), n = strlen(text);
		bool twice = before ? strncmp(text, calls->before[i], before) == 0
							: n > after && strcmp(text + n - after, calls->after[i]) == 0;
		if (!twice && (before || !is_cast))
			propose_textf(
				site, cost + rank_bits(i), span, "%s%s%s", calls->before[i], text, calls->after[i]);
	}
}

/* "v.strip()" to "str(v).strip()": what a method is called on. */
static bool wrap_find_receiver(const struct source *source, struct span span, struct span *ret)
{
	uint32_t open = token_is(source, span.last, ")") ? source->tokens[span.last].match : NO_TOKEN;
	if (open == NO_TOKEN || open < span.first + 3 || !is_access(source, open - 2) ||
		source->tokens[open - 1].role != ROLE_METHOD)
		return false;
	*ret = span_of(span.first, open - 3);
	return true;
}

/* Whether a span is a variable that its function gives a value, or a parameter: no module, and no
 * class. */
static bool wrap_is_variable(const struct source *source, struct span span)
{
	struct outward outward = {.at = span.first, .within = WINDOW};
	if (span.first != span.last || !is_name(source, span.first))
		return false;
	for (uint32_t i; outward_next(source, &outward, &i);) {
		const struct token *token = &source->tokens[i];
		if (token->word == source->tokens[span.first].word &&
			(token->role == ROLE_DECLARED || token->role == ROLE_TARGET))
			return true;
	}
	return false;
}

/* Whether a kind is of objects for which Java's usual calls are not made. */
static bool wrap_is_object(const struct source *source, enum kind kind)
{
	return source->language == &language_java && kind & (KIND_MANY | KIND_OTHER);
}

/* Functions that may be called with what a span is. */
static void wrap_put_functions(struct site *site, struct span span, enum kind kind,
	const struct wrap_calls *calls, double cost)
{
	bool number = site->source->tokens[span.last].kind == TOKEN_NUMBER;
	if (wrap_is_object(site->source, kind))
		wrap_put_calls(site, span, &calls->near_functions, cost);
	else if (kind != KIND_TRUTH)
		wrap_put_calls(site, span, &calls->functions, cost + (number ? NUMBER : 0));
}

/* Methods of what a span is, as far as it is known. */
static void wrap_put_methods(struct site *site, struct span span, enum kind kind,
	const struct wrap_calls *calls, double cost)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[span.first];
	if (kind == KIND_NUMBER)
		wrap_put_calls(site, span, &calls->of_numbers, cost);
	else if (wrap_is_object(source, kind))
		wrap_put_calls(site, span, &calls->near_methods, cost);
	else if (token->kind != TOKEN_NUMBER && token->kind != TOKEN_OPERATOR && kind != KIND_TRUTH &&
		source->tokens[span.last].kind != TOKEN_NUMBER)
		wrap_put_calls(site, span, &calls->methods, cost);
}

/* A whole line, since all of it has the same calls nearby. */
static void wrap_line(struct site *site, double cost)
{
	const struct source *source = site->source;
	uint32_t end = source->line_first[source->tokens[site->at].line + 1];
	struct wrap_calls calls = {.functions.n = 0};
	wrap_find_calls(site, &calls);
	for (; site->at < end; site->at++) {
		const struct token *token = &source->tokens[site->at];
		struct span span, receiver;
		if (token->role == ROLE_DEAD || token->role == ROLE_TYPE || token->role == ROLE_DECLARED ||
			token->kind == TOKEN_STRING || !wrap_operand_at(site, &span))
			continue;
		wrap_compound(site, &calls, cost + 0.4);
		enum kind kind = kind_of(source, span);
		wrap_put_functions(site, span, kind, &calls, cost);
		bool is_called = wrap_find_receiver(source, span, &receiver);
		if (is_called)
			wrap_put_calls(site, receiver, &calls.functions, cost + RECEIVER);
		if (is_called && wrap_is_variable(source, receiver))
			wrap_put_calls(site, receiver, &calls.methods, cost + RECEIVER + METHOD);
		else if (is_called && token_is(source, receiver.last, ")"))
			wrap_put_calls(site, receiver, &calls.chained, cost + RECEIVER + METHOD);
		wrap_put_methods(site, span, kind, &calls, cost + METHOD);
	}
}

static void wrap_propose(struct site *site)
{
	wrap_line(site, 5.6);
}

MUTATION(wrap, .least = 5.6, .rank = CANDIDATE_STRUCTURE, .once = true, .by_line = true);

/* Where the runner complains of a type, its line lacks a conversion. */
static void convert_propose(struct site *site)
{
	if (site->repair->is_mistyped && site->source->traced[site->source->tokens[site->at].line])
		wrap_line(site, 3.6);
}

MUTATION(convert, .least = 3.6, .rank = CANDIDATE_STRUCTURE, .printed = true, .once = true,
	.by_line = true);

/* What is assigned or returned, worked on with a number that the function says: "(a - b) / 10". */
static void combine_whole(struct site *site)
{
	static const char *const joins[] = {"/", "%", "*"};
	const struct source *source = site->source;
	if (!site->at || !token_in(source, site->at - 1, " = := return ") ||
		source->tokens[site->at].first)
		return;
	uint32_t last = expression_last(source, site->at, 1);
	if (last == NO_TOKEN || last == expression_last(source, site->at, ONE_OPERAND) ||
		span_asks(source, span_of(site->at, last)))
		return;
	const struct pieces *operands = &pool_of(site->repair, source, site->at)->operands;
	const char *text = site_text(site, site->at, last);
	for (size_t i = 0, tried = 0; i < operands->n && tried < VALUES_MOST; i++) {
		uint32_t at = operands->items[i].span.first;
		if (source->tokens[at].kind != TOKEN_NUMBER || token_in(source, at, " 0 1 "))
			continue;
		double cost = 7 + rank_bits(tried++);
		for (size_t k = 0; k < ARRAY_SIZE(joins); k++)
			propose_textf(site, cost + 0.4 * (double)k, span_of(site->at, last), "(%s) %s %s", text,
				joins[k], operands->items[i].text);
	}
}

static void combine_propose(struct site *site)
{
	const struct source *source = site->source;
	struct span span;
	combine_whole(site);
	if (!wrap_operand_at(site, &span) || source->tokens[site->at].kind == TOKEN_STRING ||
		source->tokens[site->at].kind == TOKEN_NUMBER || !kind_counts(source, span))
		return;
	const char *text = span_text(site, span);
	bool is_factor = binary_precedence(source, span.last + 1) > SUM ||
		binary_precedence(source, span.first - 1) > SUM;
	static const char *const usual[] = {"- 1", "+ 1", "* 2", "/ 2", "* -1"};
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		propose_textf(site, 6.8 + 0.4 * (double)i, span, is_factor && i < 2 ? "(%s %s)" : "%s %s",
			text, usual[i]);
	if (language_operator(source->language, "**"))
		propose_textf(site, 7.2, span, "%s ** 2", text);
	struct ranking values = rank_values(site, span);
	static const char *const joins[] = {"-", "+", "*", "/", "%"};
	for (size_t v = 0; v < values.n && v < site_most(site, VALUES_MOST); v++)
		for (size_t i = 0; i < sizeof joins / sizeof *joins && strcmp(values.texts[v], text) != 0;
			 i++)
			propose_textf(site, 6.8 + rank_bits(v) + 0.4 * (double)i, span,
				is_factor && i < 2 ? "(%s %s %s)" : "%s %s %s", text, joins[i], values.texts[v]);
	for (size_t v = 0; v < values.n && v < site_most(site, VALUES_MOST); v++)
		if (strcmp(values.texts[v], text) != 0)
			propose_textf(site, 7.2 + rank_bits(v), span, is_factor ? "(%s + %s)" : "%s + %s",
				values.texts[v], text);
}

MUTATION(combine, .least = 6.8, .rank = CANDIDATE_STRUCTURE, .once = true);
