/*
 * What each token is for, guessed from its neighbours. A wrong guess only costs a candidate: it
 * does not compile, or is not proposed.
 */
#include <ctype.h>
#include <string.h>

#include "repair/source/source.h"

enum {
	STATEMENT_MOST = 400,  /* tokens of a declaration that is not to be touched */
	PARAMETERS_MOST = 400, /* tokens of a parameter list */
};

#define COUNTS " len sum sorted enumerate reversed max min set list "

static void role_mark(struct source *source, uint32_t first, uint32_t last, enum token_role role)
{
	for (uint32_t i = first; i <= last && i < source->n; i++)
		source->tokens[i].role = (uint8_t)role;
}

/* The last token of the statement that begins at `first`, brackets skipped. */
static uint32_t role_statement_last(const struct source *source, uint32_t first)
{
	uint32_t i = first + 1;
	uint32_t end = first + STATEMENT_MOST;
	while (i < source->n && i < end &&
		!(source->tokens[i].first && source->tokens[i].around == source->tokens[first].around))
		i++;
	return i - 1;
}

static void role_mark_frozen(struct source *source)
{
	const struct repair_file *file = source->file;
	for (size_t r = 0; r < file->n_frozen; r++) {
		uint32_t i = source_token_at(source, file->frozen_starts[r]);
		for (; i < source->n && source->tokens[i].start < file->frozen_ends[r]; i++)
			source->tokens[i].role = ROLE_DEAD;
	}
}

/* "@name.of(decorator)". */
static void role_mark_decorator(struct source *source, uint32_t i)
{
	uint32_t last = i + 1;
	while (last + 2 < source->n && is_access(source, last + 1))
		last += 2;
	if (token_is(source, last + 1, "(") && source->tokens[last + 1].match != NO_TOKEN)
		last = source->tokens[last + 1].match;
	role_mark(source, i, last, ROLE_DEAD);
}

static void role_mark_directive(struct source *source, uint32_t i)
{
	uint32_t last = i;
	while (last + 1 < source->n && !source->tokens[last + 1].first)
		last++;
	bool define = token_is(source, i + 1, "define");
	role_mark(source, i, define ? i + 2 : last, ROLE_DEAD);
}

/* Names in a parameter list, but for the defaults. */
static void role_mark_parameters(struct source *source, uint32_t open)
{
	bool in_default = false;
	uint32_t close = source->tokens[open].match;
	if (close > open + PARAMETERS_MOST)
		return;
	for (uint32_t i = open + 1; i < close; i++) {
		struct token *token = &source->tokens[i];
		if (token->around == open && token->op)
			in_default =
				token->op->family == FAMILY_ASSIGN || (in_default && token->op->text[0] != ',');
		if (!in_default && token->role == ROLE_VALUE)
			token->role = token->kind == TOKEN_NAME ? ROLE_DECLARED : ROLE_TYPE;
	}
}

/* "func (r *R) name(...) (int, error) {": a receiver, a name, results. */
static void role_mark_head(struct source *source, const struct definition *definition)
{
	uint32_t close = source->tokens[definition->open].match, body = close + 1;
	while (body < definition->last && !token_is(source, body, "{")) {
		uint32_t match = token_is(source, body, "(") ? source->tokens[body].match : NO_TOKEN;
		body = (match == NO_TOKEN ? body : match) + 1;
	}
	role_mark(source, definition->first, definition->open - 1, ROLE_DEAD);
	if (is_name(source, definition->open - 1))
		source->tokens[definition->open - 1].role = ROLE_DECLARED;
	if (body > close + 1 && body < definition->last)
		role_mark(source, close + 1, body - 1, ROLE_DEAD);
}

/* "my ($a, @b)". */
static void role_declare_names(struct source *source, uint32_t open)
{
	uint32_t close = source->tokens[open].match;
	for (uint32_t i = open + 1; i < close && close < open + PARAMETERS_MOST; i++)
		if (is_name(source, i))
			source->tokens[i].role = ROLE_DECLARED;
}

/* "a, b = ..." and "for a, b in": the names before the sign. */
static void role_mark_targets(struct source *source, uint32_t i)
{
	uint32_t last = i;
	while (last + 2 < source->n && is_name(source, last) && token_is(source, last + 1, ",") &&
		!source->tokens[last + 2].first)
		last += 2;
	bool assigned = token_in(source, last + 1, " = := in of ");
	if (assigned && is_name(source, last))
		for (uint32_t at = i; at <= last; at += 2)
			source->tokens[at].role = ROLE_TARGET;
}

/* "Name<Type, ...>" before what cannot follow a comparison. Gives the last token, or NO_TOKEN. */
static uint32_t role_generic_last(const struct source *source, uint32_t i)
{
	char initial = first_byte(source, i - 1);
	bool type = isupper((unsigned char)initial) ||
		token_in(source, i - 1, source->language->types) || token_is(source, i - 1, "::");
	int depth = 0;
	for (uint32_t at = i; at < source->n && at < i + 24; at++) {
		const struct token *token = &source->tokens[at];
		depth +=
			token_is(source, at, "<") - token_is(source, at, ">") - 2 * token_is(source, at, ">>");
		if (depth <= 0)
			return type || token_is(source, at + 1, "(") ? at : NO_TOKEN;
		bool part = token->kind == TOKEN_NAME || token->kind == TOKEN_KEYWORD || !token->op ||
			token_in(source, at, " < , . ? & :: | * => ");
		if (!part || token->first)
			return NO_TOKEN;
	}
	return NO_TOKEN;
}

static void role_mark_generics(struct source *source)
{
	for (uint32_t i = 1; i < source->n; i++) {
		uint32_t last = NO_TOKEN;
		bool follows = is_name(source, i - 1) || is_access(source, i - 1);
		if (follows && token_is(source, i, "<"))
			last = role_generic_last(source, i);
		if (last == NO_TOKEN)
			continue;
		role_mark(source, i - token_is(source, i - 1, "::"), last, ROLE_TYPE);
		i = last;
	}
}

/* Whether a shell's token stands in $((...)) or ((...)). */
static bool role_in_arithmetic(const struct source *source, uint32_t i)
{
	uint32_t around = source->tokens[i].around;
	for (int depth = 0; depth < 4 && around != NO_TOKEN && around > 0; depth++) {
		const struct token *open = &source->tokens[around], *before = open - 1;
		if (before->kind == TOKEN_OPEN && before->start + before->length == open->start)
			return true;
		around = open->around;
	}
	return false;
}

static enum token_role shell_role(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	bool sigil = source->file->text[token->start] == '$';
	if (token->kind == TOKEN_NAME)
		return token_is(source, i + 1, "=")          ? ROLE_TARGET
			: sigil || role_in_arithmetic(source, i) ? ROLE_VALUE
													 : ROLE_DEAD;
	if (token->kind != TOKEN_OPERATOR || !token->op || token->op->precedence < 5)
		return ROLE_VALUE;
	bool word = token->length == 3 && token->op->text[0] == '-';
	bool test = token_is(source, i, "!=") || token_is(source, i, "==");
	return word || test || role_in_arithmetic(source, i) ? ROLE_VALUE : ROLE_DEAD;
}

/* A name whose neighbours say that it is a type. */
static bool role_is_type(const struct source *source, uint32_t i)
{
	const struct token *next = i + 1 < source->n ? &source->tokens[i + 1] : NULL;
	if (!next || token_is(source, i + 1, "("))
		return false;
	if (token_in(source, i, source->language->types))
		return true;
	bool capital = isupper((unsigned char)first_byte(source, i));
	if (has_trait(source, LANGUAGE_GENERICS) && capital && i && token_is(source, i - 1, ":"))
		return true;
	bool declares =
		has_trait(source, LANGUAGE_SHAPED) && !has_trait(source, LANGUAGE_SIGILS) && !next->first;
	return declares &&
		(next->kind == TOKEN_NAME ||
			(next->unary && token_is(source, i + 1, "*") && is_name(source, i + 2)));
}

/* Whether a name after an access is that of a function that is defined: "function M.name(". */
static bool role_names_function(const struct source *source, uint32_t i)
{
	uint32_t first = i;
	while (first >= 2 && i - first < 8 && is_access(source, first - 1))
		first -= 2;
	return first && source->tokens[first - 1].kind == TOKEN_KEYWORD &&
		token_in(source, first - 1, source->language->function_words);
}

static bool role_is_variable(const struct source *source, uint32_t i)
{
	return is_name(source, i) && strchr("$@%&", first_byte(source, i));
}

/* What a function's name without brackets may be followed by. */
static bool role_is_argument(const struct source *source, uint32_t i)
{
	if (i >= source->n || source->tokens[i].first)
		return false;
	const struct token *token = &source->tokens[i];
	bool block = token_is(source, i, "{") && !token_is(source, i + 1, "}");
	bool braced = token->kind == TOKEN_OPEN && token->length > 1;
	return role_is_variable(source, i) || token->kind == TOKEN_STRING ||
		token->kind == TOKEN_NUMBER || block || braced || token_in(source, i, " \\ @ ");
}

/* What the neighbours say of a name where those of variables begin with a sign; ROLE_DEAD: they
 * say no more than elsewhere. */
static enum token_role role_by_sign(const struct source *source, uint32_t i)
{
	bool variable = role_is_variable(source, i), begins = source->tokens[i].first;
	bool after = i && !begins, capital = isupper((unsigned char)first_byte(source, i));
	if (variable && after && is_access(source, i - 1))
		return ROLE_ATTRIBUTE;
	if (variable) {
		bool target = token_is(source, i + 1, "=") ||
			(after && token_in(source, i - 1, " as foreach my our state "));
		bool value =
			after && i > 2 && token_is(source, i - 1, "=>") && token_is(source, i - 3, "as");
		return target || value ? ROLE_TARGET : ROLE_VALUE;
	}
	bool key = after && token_is(source, i - 1, "{") && token_is(source, i + 1, "}");
	if (token_in(source, i, source->language->types) && !token_is(source, i + 1, "("))
		return ROLE_TYPE;
	if (token_is(source, i + 1, "=>") || (key && is_subscript(source, i - 1)))
		return ROLE_KEY;
	bool typed = role_is_variable(source, i + 1) && !source->tokens[i + 1].first;
	if (role_is_argument(source, i + 1) && has_trait(source, LANGUAGE_BRACED_KEYS))
		return ROLE_CALLEE;
	if (typed && capital)
		return ROLE_TYPE;
	return typed ? ROLE_CALLEE : ROLE_DEAD;
}

/* By what stands beside it: a key, what is assigned, or a value. */
static enum token_role plain_role(const struct source *source, uint32_t i)
{
	uint32_t around = source->tokens[i].around;
	if (token_is(source, i + 1, "="))
		return around != NO_TOKEN && token_is(source, around, "(") ? ROLE_KEY : ROLE_TARGET;
	bool opens_item = i && (token_is(source, i - 1, "{") || token_is(source, i - 1, ","));
	if (token_is(source, i + 1, ":") && !is_access(source, i + 1) && opens_item &&
		!is_python(source))
		return ROLE_KEY;
	bool is_let = i > 1 && token_is(source, i - 1, "mut") && token_is(source, i - 2, "let");
	return is_let || (i && token_in(source, i - 1, " let const var for local ")) ? ROLE_TARGET
																				 : ROLE_VALUE;
}

static enum token_role name_role(const struct source *source, uint32_t i)
{
	const struct language *language = source->language;
	if (has_trait(source, LANGUAGE_VARIABLES)) {
		enum token_role role = role_by_sign(source, i);
		if (role != ROLE_DEAD)
			return role;
	}
	bool called = token_is(source, i + 1, "(") && !source->tokens[i + 1].first;
	if (i && is_access(source, i - 1) && !source->tokens[i].first)
		return role_names_function(source, i) ? ROLE_DECLARED
			: called                          ? ROLE_METHOD
											  : ROLE_ATTRIBUTE;
	if (i && source->tokens[i - 1].kind == TOKEN_KEYWORD &&
		(token_in(source, i - 1, language->function_words) ||
			token_in(source, i - 1, language->class_words)))
		return ROLE_DECLARED;
	if (role_is_type(source, i))
		return ROLE_TYPE;
	return called ? ROLE_CALLEE : plain_role(source, i);
}

/* Parameters of a function without a name: "(a, b) =>", "x =>", "lambda a, b:", "function (a)". */
static void role_mark_anonymous(struct source *source, uint32_t i)
{
	if (token_is(source, i, "=>") && i &&
		!has_trait(source, LANGUAGE_INDENTED | LANGUAGE_VARIABLES)) {
		struct token *before = &source->tokens[i - 1];
		if (before->kind == TOKEN_CLOSE && before->match != NO_TOKEN &&
			token_is(source, before->match, "("))
			role_mark_parameters(source, before->match);
		else if (before->kind == TOKEN_NAME)
			before->role = ROLE_DECLARED;
	} else if (token_is(source, i, "lambda")) {
		uint32_t end = i + PARAMETERS_MOST;
		for (uint32_t at = i + 1; at < source->n && at < end && !token_is(source, at, ":") &&
			 !token_is(source, at, "lambda");
			 at++)
			if (is_name(source, at) && !token_is(source, at - 1, "="))
				source->tokens[at].role = ROLE_DECLARED;
	} else if (token_in(source, i, " function fn ") && token_is(source, i + 1, "(") &&
		source->tokens[i + 1].match != NO_TOKEN) {
		role_mark_parameters(source, i + 1);
	}
}

/* What the use of a name says of its kind; and a '|' between types. */
static void role_note_kind(struct source *source, uint32_t i)
{
	struct token *tokens = source->tokens;
	bool inner = i && i + 1 < source->n;
	if (inner && token_in(source, i, " = := ") && is_name(source, i - 1) &&
		(tokens[i + 1].kind == TOKEN_STRING ||
			(tokens[i + 1].kind == TOKEN_OPEN && !strchr("([{$", first_byte(source, i + 1)))))
		term_of(tokens[i - 1].word)->is_text = true;
	if (inner && has_trait(source, LANGUAGE_GENERICS) && token_is(source, i, "|") &&
		(tokens[i - 1].role == ROLE_TYPE || token_in(source, i + 1, " null undefined ")))
		tokens[i].role = ROLE_TYPE;
	if (!is_name(source, i))
		return;
	struct term *term = term_of(tokens[i].word);
	term->is_indexed |= i + 1 < source->n && !tokens[i + 1].first &&
		(token_is(source, i + 1, "[") || is_access(source, i + 1));
	term->is_many |= strchr("@%", first_byte(source, i)) ||
		(i && token_in(source, i - 1, " in of range ")) ||
		(i > 1 && token_is(source, i - 1, "(") && token_in(source, i - 2, COUNTS));
	term->is_called |= tokens[i].role == ROLE_METHOD || tokens[i].role == ROLE_CALLEE;
	term->is_own |= i > 1 && is_access(source, i - 1) && is_self(source, i - 2);
}

/* "vec![a, b]": what names a macro is no value. */
static void role_mark_macro(struct source *source, uint32_t i)
{
	if (is_name(source, i) && token_is(source, i + 1, "!") && token_in(source, i + 2, " ( [ { "))
		role_mark(source, i, i + 1, ROLE_TYPE);
}

/* "|a, b: i32| a + b". */
static void role_mark_closure(struct source *source, uint32_t i)
{
	uint32_t around = source->tokens[i].around, last = i + token_is(source, i, "|");
	bool ends = i && (source->tokens[i].role == ROLE_TYPE || token_ends_operand(source, i - 1));
	if (!token_in(source, i, " | || ") || ends)
		return;
	while (last > i && !token_is(source, last, "|"))
		if (++last >= source->n || last > i + PARAMETERS_MOST)
			return;
	bool in_type = false;
	for (uint32_t at = i; at <= last; at++) {
		if (source->tokens[at].around == around && source->tokens[at].op)
			in_type = token_is(source, at, ":") || (in_type && !token_is(source, at, ","));
		source->tokens[at].role = is_name(source, at) && !in_type ? ROLE_DECLARED : ROLE_TYPE;
	}
}

/* Of PHP and of Rust. */
static void role_mark_attribute(struct source *source, uint32_t i)
{
	uint32_t open = token_is(source, i, "#[") ? i : attribute_open(source, i);
	if (open != NO_TOKEN && source->tokens[open].match != NO_TOKEN)
		role_mark(source, i, source->tokens[open].match, ROLE_DEAD);
}

/* A statement that is a text: what documents a function, or "use strict". */
static bool role_is_lone_text(const struct source *source, uint32_t i)
{
	uint32_t next = i + 1 + token_is(source, i + 1, ";");
	return source->tokens[i].kind == TOKEN_STRING &&
		(next >= source->n || source->tokens[next].first);
}

static void role_mark_statement(struct source *source, uint32_t i)
{
	if (has_trait(source, LANGUAGE_PREPROCESSED) && token_is(source, i, "#"))
		role_mark_directive(source, i);
	else if (role_is_lone_text(source, i))
		role_mark(source, i, i, ROLE_DEAD);
	else if (token_is(source, i, "use") && token_is(source, i + 1, "constant")) {
		bool named = is_name(source, i + 2);
		role_mark(source, i, i + 1 + named, ROLE_DEAD);
	} else if (token_is(source, i, "@") && !has_trait(source, LANGUAGE_VARIABLES))
		role_mark_decorator(source, i);
	else if (token_in(source, i, source->language->import_words)) {
		uint32_t last = role_statement_last(source, i);
		/* "import { a } from 'b'": a new statement seems to begin after the brace. */
		if (token_is(source, last + 1, "from"))
			last = role_statement_last(source, last + 1);
		role_mark(source, i, last, ROLE_DEAD);
	} else
		role_mark_targets(source, i);
}

void source_find_roles(struct source *source)
{
	if (has_trait(source, LANGUAGE_GENERICS))
		role_mark_generics(source);
	for (uint32_t i = 0; i < source->n; i++) {
		struct token *token = &source->tokens[i];
		if (token->first)
			role_mark_statement(source, i);
		bool declares = has_trait(source, LANGUAGE_BRACED_KEYS) &&
			token_in(source, i, " my our state ") && token_is(source, i + 1, "(");
		if (declares && source->tokens[i + 1].match != NO_TOKEN)
			role_declare_names(source, i + 1);
		role_mark_attribute(source, i);
		if (source->language == &language_rust) {
			role_mark_macro(source, i);
			role_mark_closure(source, i);
		}
		if (token->kind == TOKEN_KEYWORD && token_is(source, i, "for"))
			role_mark_targets(source, i + 1);
		if (token->role != ROLE_VALUE)
			continue;
		if (has_trait(source, LANGUAGE_SIGILS))
			token->role = (uint8_t)shell_role(source, i);
		else if (token->kind == TOKEN_NAME)
			token->role = (uint8_t)name_role(source, i);
	}
	for (size_t d = 0; d < source->n_definitions; d++) {
		const struct definition *definition =
			&source->definitions->items[source->first_definition + d];
		if (definition->open == NO_TOKEN)
			continue;
		role_mark_parameters(source, definition->open);
		if (is_go(source))
			role_mark_head(source, definition);
	}
	for (uint32_t i = 0; i < source->n; i++) {
		role_mark_anonymous(source, i);
		role_note_kind(source, i);
	}
	role_mark_frozen(source);
}
