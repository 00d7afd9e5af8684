/* What stands elsewhere for a method or a member: a function of the project's own that is named
 * like the method, or a method of the object's own that calls it, and does a little more; a method
 * that works out what the member holds; the function itself. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum { LEAST_NAME = 4, FUNCTIONS_MOST = 6, METHODS_MOST = 6, LONGEST_BODY = 400 };

#define FUNCTION_COST 4.8
#define MEMBER_COST 5.0

/* The word of a name that begins at `at`, or after a '_' there: "To" of "ToSql". Gives its length;
 * 0: there is none. */
static size_t delegate_word(const char **at)
{
	*at += strspn(*at, "_");
	size_t n = **at != '\0';
	bool upper = n && isupper((unsigned char)(*at)[1]); /* as in "URLPath" */
	while (n && (*at)[n] && (*at)[n] != '_' && !isupper((unsigned char)(*at)[n]) == !upper)
		n++;
	return n;
}

/* Whether a name has the words of another one, in their order: "hasProperPrefix" has "HasPrefix".
 */
static bool delegate_is_like(const struct word *name, const struct word *other)
{
	const char *at = name->text, *part = other->text;
	size_t n, length;
	if (name == other || other->n < LEAST_NAME)
		return false;
	for (; (n = delegate_word(&part)); part += n, at += n) {
		while ((length = delegate_word(&at)) && (length != n || strncasecmp(at, part, n) != 0))
			at += length;
		if (!length)
			return false;
	}
	return true;
}

/* Functions and methods that can be named from here without an import: those of the file, in Go of
 * its directory. */
static bool delegate_is_near(const struct source *source, const struct source *other)
{
	const char *path = source->file->path, *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) + 1 : 0;
	if (!is_go(source) || other->language != source->language)
		return source == other;
	return strncmp(path, other->file->path, n) == 0 && !strchr(other->file->path + n, '/');
}

static bool delegate_is_method(const struct definition *definition)
{
	const struct source *source = definition->source;
	if (is_go(source))
		return token_is(source, definition->first + 1, "(");
	return definition->parent != NO_TOKEN &&
		source->definitions->items[definition->parent].kind == DEFINITION_CLASS;
}

/* Parameters, without the object itself. */
static size_t delegate_arity(const struct definition *definition)
{
	struct span items[SPAN_MOST];
	size_t n = bracket_items(definition->source, definition->open, items);
	return n - (n && token_in(definition->source, items[0].first, " self cls & "));
}

/* A definition that can be called here, and is not the one around the site. */
static bool delegate_can_call(const struct site *site, size_t i)
{
	const struct definition *definition = &site->repair->definitions.items[i];
	return definition->kind == DEFINITION_FUNCTION && definition->open != NO_TOKEN &&
		definition->source->file->editable && !definition->constructor &&
		site->source->owner[site->at] != i && delegate_is_near(site->source, definition->source);
}

/* --- A function for a method --- */

/* A call of a method, in parts. */
struct delegated {
	struct span whole, object, items[SPAN_MOST];
	size_t n;
};

static bool delegate_find_call(const struct site *site, struct delegated *ret_call)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	if (token->kind != TOKEN_NAME || token->role != ROLE_METHOD || site->at < 2 ||
		!is_access(source, site->at - 1) || !token_is(source, site->at + 1, "(") ||
		source->tokens[site->at + 1].match == NO_TOKEN)
		return false;
	uint32_t first = expression_first(source, site->at, ONE_OPERAND);
	if (first == NO_TOKEN || first + 2 > site->at)
		return false;
	*ret_call = (struct delegated){.whole = span_of(first, source->tokens[site->at + 1].match),
		.object = span_of(first, site->at - 2)};
	ret_call->n = bracket_items(source, site->at + 1, ret_call->items);
	return ret_call->n || ret_call->whole.last == site->at + 2;
}

static void delegate_put_call(
	struct site *site, const struct delegated *call, const char *name, size_t arity, double cost)
{
	const char *object = span_text(site, call->object);
	const char *arguments =
		call->n ? site_text(site, call->items[0].first, call->items[call->n - 1].last) : "";
	if (arity == call->n + 1)
		propose_textf(
			site, cost, call->whole, "%s(%s%s%s)", name, object, call->n ? ", " : "", arguments);
	if (arity != call->n)
		return;
	propose_textf(site, cost, call->whole, "%s(%s)", name, arguments);
	if (arity == 2)
		propose_textf(site, cost + 1, call->whole, "%s(%s, %s)", name,
			span_text(site, call->items[1]), span_text(site, call->items[0]));
}

/* A value in sight that is named like the method is a function, too. */
static void delegate_value(struct site *site, const struct delegated *call)
{
	const struct source *source = site->source;
	const struct pool *pool = pool_of(site->repair, source, site->at);
	for (size_t i = 0; i < pool->values.n; i++) {
		struct span span = pool->values.items[i].span;
		if (span.first == span.last && source->tokens[span.first].word &&
			delegate_is_like(source->tokens[span.first].word, source->tokens[site->at].word))
			delegate_put_call(
				site, call, source->tokens[span.first].word->text, call->n, FUNCTION_COST);
	}
}

static void delegate_function(struct site *site)
{
	struct delegated call;
	const struct definitions *definitions = &site->repair->definitions;
	if (!delegate_find_call(site, &call))
		return;
	delegate_value(site, &call);
	for (size_t i = 0, tried = 0; i < definitions->n && tried < FUNCTIONS_MOST; i++) {
		const struct definition *definition = &definitions->items[i];
		if (!delegate_can_call(site, i) || delegate_is_method(definition) ||
			!delegate_is_like(definition->name, site->source->tokens[site->at].word))
			continue;
		delegate_put_call(site, &call, definition->name->text, delegate_arity(definition),
			FUNCTION_COST + 0.4 * (double)tried++);
	}
}

/* --- A method of the object's own for what it does, too --- */

/* Whether a method has the same call elsewhere: "this.values.delete(". */
static bool delegate_does(
	const struct definition *definition, const struct source *source, const struct delegated *call)
{
	uint32_t n = call->object.last - call->object.first + 3, end = definition->last;
	for (uint32_t i = definition->open; i + n <= end && i < definition->first + LONGEST_BODY; i++)
		if (i != call->whole.first && tokens_are_alike(source, i, call->whole.first, n))
			return true;
	return false;
}

static void delegate_own_method(struct site *site)
{
	const struct source *source = site->source;
	struct delegated call;
	uint32_t function = outermost_function(source, site->at);
	if (function == NO_TOKEN || !delegate_find_call(site, &call) ||
		!is_self(source, call.object.first) || call.object.last == call.object.first)
		return;
	for (size_t i = source->first_definition, tried = 0;
		 i < source->first_definition + source->n_definitions && tried < METHODS_MOST; i++) {
		const struct definition *definition = &source->definitions->items[i];
		bool is_own = definition->kind == DEFINITION_FUNCTION && definition->open != NO_TOKEN &&
			definition->parent == source->definitions->items[function].parent &&
			!definition->constructor;
		if (!is_own || delegate_arity(definition) != call.n ||
			!delegate_does(definition, source, &call))
			continue;
		propose_textf(site, FUNCTION_COST + rank_bits(tried++), call.whole, "%s.%s(%s)",
			site_text(site, call.object.first, call.object.first), definition->name->text,
			call.n ? site_text(site, call.items[0].first, call.items[call.n - 1].last) : "");
	}
}

/* --- A method for a member --- */

/* Whether a method asks for a member in its body. */
static bool delegate_asks_for(const struct definition *definition, const struct word *member)
{
	const struct source *source = definition->source;
	uint32_t end = definition->first + LONGEST_BODY;
	for (uint32_t i = definition->open; i <= definition->last && i < end; i++)
		if (source->tokens[i].word == member && source->tokens[i].role == ROLE_ATTRIBUTE)
			return true;
	return false;
}

static void delegate_member(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	const struct definitions *definitions = &site->repair->definitions;
	if (token->kind != TOKEN_NAME || token->role != ROLE_ATTRIBUTE || site->at < 2 ||
		token_in(source, site->at + 1, " = += -= ++ -- := "))
		return;
	for (size_t i = 0, tried = 0; i < definitions->n && tried < METHODS_MOST; i++) {
		const struct definition *definition = &definitions->items[i];
		if (!delegate_can_call(site, i) || !delegate_is_method(definition) ||
			delegate_arity(definition) || !delegate_asks_for(definition, token->word))
			continue;
		propose_textf(site, MEMBER_COST + rank_bits(tried++), site_span(site), "%s()",
			definition->name->text);
	}
}

static void delegate_propose(struct site *site)
{
	delegate_function(site);
	delegate_own_method(site);
	delegate_member(site);
}

MUTATION(delegate, .least = 4.8, .rank = CANDIDATE_STRUCTURE, .once = true);

/* What does to a part what its function does to the whole: "assign(a.x, b)" to "patch(a.x, b)". */
static void recursion_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	uint32_t function = outermost_function(source, site->at), open = site->at + 1;
	struct span items[SPAN_MOST];
	bool called = token->kind == TOKEN_NAME &&
		(token->role == ROLE_METHOD || token->role == ROLE_CALLEE) && token_is(source, open, "(");
	if (!called || function == NO_TOKEN || source->tokens[open].match == NO_TOKEN)
		return;
	const struct definition *own = &source->definitions->items[function];
	uint32_t first = expression_first(source, source->tokens[open].match, ONE_OPERAND);
	size_t n = bracket_items(source, open, items);
	if (own->open == NO_TOKEN || first == NO_TOKEN || !n || delegate_is_method(own) ||
		own->name == token->word || n != delegate_arity(own))
		return;
	propose_textf(site, 5.6, span_of(first, source->tokens[open].match), "%s(%s)", own->name->text,
		site_text(site, items[0].first, items[n - 1].last));
}

MUTATION(recursion, .least = 5.6, .rank = CANDIDATE_CONDITION, .once = true);
