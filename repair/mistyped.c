/* What a compiler refuses, as far as declarations tell it. */
#include <ctype.h>
#include <string.h>

#include "repair/mutation.h"
#include "repair/pool/pool.h"
#include "repair/source/declared.h"

/* `value`: the value that is spelt so, or NULL. */
static enum kind kind_of_text(
	struct site *site, struct span old, const char *text, const struct piece *value)
{
	bool is_attribute =
		old.first == old.last && site->source->tokens[old.first].role == ROLE_ATTRIBUTE;
	const struct word *word =
		is_attribute ? words_find(site->source->words, text, strlen(text)) : NULL;
	if (word)
		return declared_of_field(site->source, word).kind;
	const struct language *language = site->source->language;
	const struct pool *pool = pool_of(site->repair, site->source, site->at);
	const struct piece *piece = value ? value : pieces_find(&pool->operands, text);
	if (piece)
		return kind_of(site->source, piece->span);
	if (isdigit((unsigned char)*text) && !strpbrk(text, " ."))
		return KIND_NUMBER;
	if (*text == '"' && strchr(text + 1, '"') == text + strlen(text) - 1)
		return language == &language_go || language == &language_java ? KIND_TEXT : KIND_UNKNOWN;
	return strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ? KIND_TRUTH : KIND_UNKNOWN;
}

/* The bracket in which the value is known that a token says: a block, or the call that a closure is
 * given to. NO_TOKEN: the whole function. */
static uint32_t kind_scope(const struct source *source, uint32_t i)
{
	uint32_t open = source->tokens[i].around;
	bool is_parameter = open > 1 && open != NO_TOKEN &&
		token_in(source, open - 2, source->language->function_words);
	bool of_closure = source->language == &language_rust &&
		source->tokens[i].role == ROLE_DECLARED && !is_parameter;
	return open != NO_TOKEN && (of_closure || is_block(source, open)) ? open : NO_TOKEN;
}

/* Whether a value that is declared in the function is known at a place: below one of its
 * declarations, and within the same block. */
static bool kind_is_in_sight(const struct source *source, uint32_t at, const struct word *word)
{
	uint32_t function = outermost_function(source, at);
	if (function == NO_TOKEN)
		return true;
	const struct definition *definition = &source->definitions->items[function];
	bool is_seen = false;
	for (uint32_t i = definition->first; i < definition->last; i++) {
		const struct token *token = &source->tokens[i];
		if (token->word != word || token->role == ROLE_ATTRIBUTE)
			continue;
		if (i >= at)
			return !is_seen && token->role == ROLE_VALUE; /* it comes from without */
		is_seen = true;
		if (token->first && token->line == source->tokens[at].line)
			continue; /* the statement itself declares it */
		uint32_t scope = kind_scope(source, i);
		if (scope == NO_TOKEN || source->tokens[scope].match > at)
			return true;
		i = source->tokens[scope].match;
	}
	return false;
}

bool kind_forbids(struct site *site, struct span span, const char *text)
{
	const struct source *source = site->source;
	if (!kinds_are_checked(source))
		return false;
	enum kind old = kind_of(source, span);
	const struct piece *value = pool_value(pool_of(site->repair, source, site->at), text);
	if (value && value->span.first == value->span.last && is_name(source, value->span.first) &&
		!kind_is_in_sight(source, span.first, source->tokens[value->span.first].word))
		return true;
	if (old == KIND_UNKNOWN)
		return false;
	size_t n = strlen(text);
	if (*text == '!' && text[1] != '=' && !language_in(source->language, " c c++ "))
		return old != KIND_TRUTH;
	if (n > 4 && (strcmp(text + n - 4, " - 1") == 0 || strcmp(text + n - 4, " + 1") == 0))
		return old != KIND_NUMBER && old != KIND_POINTER;
	return kinds_differ(source->language, old, kind_of_text(site, span, text, value));
}
