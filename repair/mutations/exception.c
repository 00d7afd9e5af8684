/* Another exception raised or caught: one that the failing tests name, or that the file does. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "repair/localise/trace.h"
#include "repair/pool/gap.h"

enum { KINDS_MOST = 14 };

#define PYTHON_KINDS \
	" ValueError TypeError KeyError IndexError ZeroDivisionError AttributeError RuntimeError" \
	" StopIteration OSError NotImplementedError LookupError Exception "
#define NAMED_OTHERWISE \
	" StopIteration StopAsyncIteration KeyboardInterrupt SystemExit GeneratorExit "
#define SCRIPT_KINDS " Error TypeError RangeError SyntaxError "
#define JAVA_KINDS \
	" IllegalArgumentException IllegalStateException IndexOutOfBoundsException" \
	" NullPointerException "
#define PHP_KINDS \
	" InvalidArgumentException RuntimeException DomainException OutOfBoundsException" \
	" OutOfRangeException UnexpectedValueException LogicException LengthException TypeError" \
	" ValueError Exception "

/* Exceptions by which the callers of a method recognise an end: they expect no others. */
static const struct protocol {
	const char *methods, *kind;
	bool iterates; /* the end is that of the items; Python 2's "next" is a common name now */
} protocols[] = {
	{" __next__ ", "StopIteration", true},
	{" next ", "StopIteration", false},
	{" __anext__ ", "StopAsyncIteration", true},
	{" __getattr__ __getattribute__ __setattr__ __delattr__ __get__ __set__ ", "AttributeError",
		false},
	{" __missing__ popitem __delitem__ ", "KeyError", false},
};

static bool exception_is_kind(const struct source *source, uint32_t i)
{
	const struct word *word = source->tokens[i].word;
	return is_name(source, i) &&
		(names_exception(word->text, word->n) || token_in(source, i, NAMED_OTHERWISE));
}

static void exception_add_usual(struct site *site, struct ranking *kinds)
{
	const char *name = site->source->language->name;
	const char *list = strcmp(name, "python") == 0 ? PYTHON_KINDS
		: strcmp(name, "java") == 0                ? JAVA_KINDS
		: strcmp(name, "php") == 0                 ? PHP_KINDS
		: strstr(name, "script")                   ? SCRIPT_KINDS
												   : " ";
	for (const char *at = list + 1; *at; at += strcspn(at, " ") + 1)
		ranking_append(kinds, KINDS_MOST, arena_strndup(site->arena, at, strcspn(at, " ")));
}

/* What the method around a place takes part in; NULL: nothing. */
static const struct protocol *exception_protocol(const struct site *site)
{
	uint32_t owner = site->source->owner[site->at];
	const struct word *method =
		owner == NO_TOKEN ? NULL : site->source->definitions->items[owner].name;
	for (size_t i = 0; method && is_python(site->source) && i < ARRAY_SIZE(protocols); i++)
		if (words_hold(protocols[i].methods, method->text, method->n))
			return &protocols[i];
	return NULL;
}

const char *gap_exhausted(const struct site *site)
{
	const struct protocol *protocol = exception_protocol(site);
	return protocol && protocol->iterates ? arena_printf(site->arena, "raise %s", protocol->kind)
										  : NULL;
}

/* A handler that an exception has passed by catches it instead of another, or beside it. */
static void handler_put(struct site *site, bool is_typed)
{
	const char *old = site_text(site, site->at, site->at);
	for (size_t i = 0; i < site->repair->n_thrown; i++) {
		const char *thrown = site->repair->thrown[i];
		if (strcmp(thrown, old) == 0)
			continue;
		propose_token(site, 2.2 + rank_bits(i), thrown);
		propose_token(site, 3.2 + rank_bits(i),
			arena_printf(site->arena, is_typed ? "%s | %s" : "(%s, %s)", old, thrown));
	}
}

static void handler_propose(struct site *site)
{
	const struct source *source = site->source;
	uint32_t line = source->tokens[site->at].line, end = source->line_first[line + 1];
	for (site->at++; source->traced[line] && site->at < end; site->at++) {
		uint32_t at = site->at;
		bool is_typed =
			token_is(source, at - 1, "(") && at > 1 && token_is(source, at - 2, "catch");
		bool is_alone = token_is(source, at - 1, "except") && token_in(source, at + 1, " : as ");
		if (exception_is_kind(source, at) && (is_typed || is_alone))
			handler_put(site, is_typed);
	}
}

MUTATION(handler, .least = 2.2, .rank = CANDIDATE_OPERATOR, .printed = true, .once = true,
	.by_line = true);

static void exception_propose(struct site *site)
{
	const struct source *source = site->source;
	if (!exception_is_kind(source, site->at) || !site->at ||
		!token_in(source, site->at - 1, " raise except new throw , ( as catch "))
		return;
	struct ranking kinds = {.n = 0};
	const struct protocol *protocol = exception_protocol(site);
	if (protocol)
		ranking_append(&kinds, KINDS_MOST, protocol->kind);
	for (size_t i = 0; i < site->repair->n_kinds; i++)
		ranking_append(&kinds, KINDS_MOST, site->repair->kinds[i]->text);
	size_t n_named = kinds.n;
	exception_add_usual(site, &kinds);
	for (size_t i = 0, n = 0; i < kinds.n; i++) {
		if (strcmp(kinds.texts[i], source->tokens[site->at].word->text) == 0)
			continue;
		n++;
		propose_token(site, (i < n_named ? 3.2 : 4.8) + log2((double)n), kinds.texts[i]);
	}
}

MUTATION(exception, .least = 3.2, .rank = CANDIDATE_OPERATOR);

/* "if p: raise E" at a function's begin, where a failing test waits for E. */
static void refusal_propose(struct site *site)
{
	const struct source *source = site->source;
	struct gap gap;
	const char *name = source->language->name;
	bool python = strcmp(name, "python") == 0,
		 thrown = strstr(name, "script") || strcmp(name, "java") == 0 || strcmp(name, "php") == 0;
	if (!site->repair->n_kinds || (!python && !thrown) || !gap_find(site, &gap))
		return;
	struct ranking predicates = rank_predicates(site, gap.statement.span);
	for (size_t k = 0; k < site->repair->n_kinds && k < 2; k++) {
		const char *kind = site->repair->kinds[k]->text;
		const char *exit = arena_printf(site->arena, python ? "raise %s" : "throw new %s()", kind);
		for (size_t p = 0; p < predicates.n; p++)
			gap_put(site, &gap, 6.8 + 0.7 * rank_bits(p) + (double)k,
				gap_if(site, &gap, predicates.texts[p], exit));
	}
}

MUTATION(refusal, .least = 6.8, .rank = CANDIDATE_STRUCTURE, .once = true);
