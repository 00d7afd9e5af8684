/*
 * Typical slips of a language: one word or sign for another that compiles, too.
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "repair/search.h"

static bool idiom_is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

struct slip {
	const char *languages, *from, *to;
	double cost;
};

#define C_LIKE " c c++ "
#define SCRIPTS " javascript typescript "
#define ALL NULL

/* clang-format off */
static const struct slip slips[] = {
	{" python ", "is", "==", 3.8}, {" python ", "==", "is", 6}, {" python ", "elif", "if", 4.8},
	{" python ", "if", "elif", 5.2}, {" python ", "return", "yield", 6},
	{" python ", "yield", "return", 5}, {" python ", "yield", "yield from", 5},
	{ALL, "while", "if", 5.2}, {ALL, "if", "while", 5.2}, {ALL, "break", "continue", 4.8},
	{ALL, "continue", "break", 4.8}, {SCRIPTS, "==", "===", 4.2}, {SCRIPTS, "!=", "!==", 4},
	{SCRIPTS, "===", "==", 5.4}, {SCRIPTS, "!==", "!=", 5.4}, {SCRIPTS, "||", "??", 4},
	{SCRIPTS, "var", "let", 4.4}, {SCRIPTS, "const", "let", 6}, {SCRIPTS, "in", "of", 3.8},
	{SCRIPTS, "of", "in", 5.6}, {SCRIPTS, "null", "undefined", 5.3},
	{SCRIPTS, "undefined", "null", 5.3}, {" go ", ":=", "=", 3.6}, {" go ", "=", ":=", 4.5},
	{" rust ", "..", "..=", 3.2}, {C_LIKE, "unsigned", "int", 4.6},
	{C_LIKE, "unsigned", "signed", 5}, {C_LIKE, "int", "long", 4.6},
	{C_LIKE, "int", "double", 4.6}, {C_LIKE, "int", "unsigned", 5.5},
	{C_LIKE, "long", "long long", 5}, {C_LIKE, "float", "double", 4.6}, {C_LIKE, "char", "int", 5},
	{C_LIKE, "char", "unsigned char", 5}, {C_LIKE, "size_t", "int", 5},
	{C_LIKE, "size_t", "long", 5.2}, {C_LIKE, "static", "", 6}, {C_LIKE, ".", "->", 4},
	{C_LIKE, "->", ".", 4}, {" java ", "int", "long", 4.4}, {" java ", "int", "double", 4.6},
	{" java ", "float", "double", 5}, {" go ", "int", "float64", 5},
	{" go ", "int32", "int64", 4.6}, {" rust ", "u32", "i32", 4.8}, {" rust ", "u32", "u64", 4.8},
	{" rust ", "i32", "i64", 4.8}, {" php ", "==", "===", 4.2}, {" php ", "!=", "!==", 4},
	{" php ", "===", "==", 5.4}, {" php ", "!==", "!=", 5.4}, {" php ", "||", "??", 4.2},
	{" php ", "self", "static", 4.8}, {" php ", "static", "self", 5.4},
	{" php ", "and", "&&", 3.6}, {" php ", "or", "||", 3.6}, {" php ", "elseif", "if", 4.8},
	{" php ", "::", "->", 4}, {" php ", "->", "::", 4.8}, {" php ", "->", "?->", 4.4},
	{" perl ", "eq", "==", 3.6}, {" perl ", "==", "eq", 3.6}, {" perl ", "ne", "!=", 3.6},
	{" perl ", "!=", "ne", 3.6}, {" perl ", "lt", "<", 3.6}, {" perl ", "<", "lt", 4},
	{" perl ", "gt", ">", 3.6}, {" perl ", ">", "gt", 4}, {" perl ", "le", "<=", 3.8},
	{" perl ", "<=", "le", 4.2}, {" perl ", "ge", ">=", 3.8}, {" perl ", ">=", "ge", 4.2},
	{" perl ", "cmp", "<=>", 3}, {" perl ", "<=>", "cmp", 3.4}, {" perl ", "or", "||", 3.6},
	{" perl ", "and", "&&", 3.8}, {" perl ", "||", "//", 3.8}, {" perl ", "//", "||", 4.4},
	{" perl ", "||=", "//=", 3.8}, {" perl ", "//=", "||=", 4.4}, {" perl ", "next", "last", 4.6},
	{" perl ", "last", "next", 4.6}, {" perl ", "unless", "if", 4}, {" perl ", "if", "unless", 4.4},
	{" perl ", "until", "while", 4.4}, {" perl ", "=~", "!~", 3.6}, {" perl ", "!~", "=~", 3.6},
	{" perl ", "elsif", "if", 4.8}, {" perl ", "our", "my", 5}, {" perl ", "my", "our", 5.4},
	{" perl ", "next", "return", 5.4}, {" perl ", "warn", "die", 5},
	{" php ", "break", "break 2", 5.6}, {" php ", "continue", "continue 2", 5.6},
};
/* clang-format on */

static bool idiom_slip_is_of(const struct slip *slip, const struct language *language)
{
	/* "then" follows "if" and "do" follows "while": both would have to change. */
	if (slip->languages == ALL)
		return !(language->traits & LANGUAGE_ENDED);
	return words_hold(slip->languages, language->name, strlen(language->name));
}

/* The "if" of a conditional or comprehension, and the "in" of a test, are other things. */
static bool idiom_begins_where_it_must(const struct source *source, uint32_t i)
{
	return !token_in(source, i, " if while elif return ") || source->tokens[i].first;
}

/* Whether the block of an "if" has an "else" behind it. */
static bool idiom_has_else(const struct source *source, uint32_t i)
{
	uint32_t k = i + 1;
	while (k < source->n && !source->tokens[k].first && !is_block(source, k))
		k++;
	uint32_t close = k < source->n && is_block(source, k) ? source->tokens[k].match : NO_TOKEN;
	return close != NO_TOKEN && token_is(source, close + 1, "else");
}

/* Whether the function has given one of the names before ":=" a value before. */
static bool idiom_is_declared_before(const struct source *source, uint32_t sign)
{
	for (uint32_t i = sign; i-- > 0 && source->owner[i] == source->owner[sign];) {
		const struct token *token = &source->tokens[i];
		bool names = token->role == ROLE_TARGET || token->role == ROLE_DECLARED;
		for (uint32_t k = sign; names && k-- > i + 1 && !source->tokens[k + 1].first;)
			if (source->tokens[k].word == token->word && token->kind == TOKEN_NAME)
				return true;
	}
	return false;
}

/* What a compiler refuses where it was content before. */
static bool idiom_is_refused(const struct site *site, const struct slip *slip)
{
	const struct source *source = site->source;
	uint32_t i = site->at;
	if (strcmp(slip->to, "while") == 0 && !is_python(source))
		return is_go(source) || idiom_has_else(source, i);
	if (strcmp(slip->from, "unsigned") == 0)
		return token_in(source, i + 1, source->language->types);
	if (strcmp(slip->to, "unsigned char") == 0)
		return i && token_is(source, i - 1, "unsigned");
	if (strcmp(slip->from, ":=") == 0)
		return !site->repair->is_unbuilt && !idiom_is_declared_before(source, i);
	bool access = token_in(source, i, " -> . ") && language_in(source->language, C_LIKE);
	return (access || strcmp(slip->to, ":=") == 0) && !site->repair->is_unbuilt;
}

static void idiom_slips(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	char initial = source->file->text[token->start];
	if (token->kind == TOKEN_STRING || token->kind == TOKEN_NUMBER ||
		(token->kind == TOKEN_NAME && token->role != ROLE_TYPE))
		return;
	for (size_t s = 0; s < ARRAY_SIZE(slips); s++)
		if (slips[s].from[0] == initial && token_is(source, site->at, slips[s].from) &&
			idiom_slip_is_of(&slips[s], source->language) &&
			idiom_begins_where_it_must(source, site->at) && !idiom_is_refused(site, &slips[s]))
			propose_token(site, slips[s].cost, slips[s].to);
}

/* The variables of a name that are said somewhere. */
static void idiom_put_signed(struct site *site, double cost, const char *name)
{
	for (const char *sign = "$@%"; *sign; sign++) {
		const char *text = arena_printf(site->arena, "%c%s", *sign, name);
		bool is_new = !token_is(site->source, site->at, text);
		if (is_new && words_find(&site->repair->words, text, strlen(text)))
			propose_token(site, cost, text);
	}
}

/* The sign of a variable that is missing, or wrong after an arrow. */
static void idiom_sign(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	if (!has_trait(source, LANGUAGE_VARIABLES) || token->kind != TOKEN_NAME)
		return;
	const struct word *word = token->word;
	if (token->role == ROLE_ATTRIBUTE && *word->text == '$' && site->at &&
		token_is(source, site->at - 1, "->"))
		propose_token(site, 3, word->text + 1);
	if ((token->role != ROLE_VALUE && token->role != ROLE_TARGET) ||
		!idiom_is_name_start(*word->text))
		return;
	idiom_put_signed(site, 3, word->text);
}

/* The same variable of another kind, or what it refers to: "$list" for "@list", "@list" for
 * "@$list". */
static void idiom_other_sign(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool variable = has_trait(source, LANGUAGE_BRACED_KEYS) && token->kind == TOKEN_NAME &&
		token->word->n > 1 && strchr("$@%", *token->word->text) &&
		!token_in(source, site->at + 1, " [ { ");
	if (!variable)
		return;
	const char *name = token->word->text + 1, *reference = arena_printf(site->arena, "$%s", name);
	if (*token->word->text != '$' && words_find(&site->repair->words, reference, strlen(reference)))
		propose_textf(site, 3.2, site_span(site), "%c%s", *token->word->text, reference);
	idiom_put_signed(site, 3.6, name);
}

/* "a = b" where a condition stands. */
static void idiom_comparison(struct site *site)
{
	const struct source *source = site->source;
	uint32_t around = source->tokens[site->at].around;
	if (token_is(source, site->at, "=") && around != NO_TOKEN && around > 0 &&
		token_is(source, around, "(") && token_in(source, around - 1, " if while "))
		propose_token(site, 2.8, "==");
}

static bool idiom_is_in_async(const struct site *site)
{
	const struct source *source = site->source;
	uint32_t owner = source->owner[site->at];
	if (owner == NO_TOKEN)
		return false;
	uint32_t first = site->source->definitions->items[owner].first;
	for (uint32_t i = first ? first - 1 : 0; i < first + 4; i++)
		if (token_is(source, i, "async"))
			return true;
	return false;
}

/* Whether the file awaits another call of the same function or object: "await this.store.get(". */
static bool idiom_is_awaited_elsewhere(const struct source *source, uint32_t first, uint32_t last)
{
	uint32_t name = source->tokens[last].match - 1, n = name > first ? name - first : 1;
	for (uint32_t i = 0; i + n < source->n; i++)
		if (token_is(source, i, "await") && tokens_are_alike(source, i + 1, first, n) &&
			token_is(source, i + 1 + n + (name > first), "("))
			return true;
	return false;
}

/* "f(x)" to "await f(x)"; "foreach ($xs as $x)" to "as &$x". */
static void idiom_marks(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool names = token->kind == TOKEN_NAME && token->role != ROLE_ATTRIBUTE &&
		token->role != ROLE_METHOD && token->role != ROLE_DECLARED;
	if (!names && !is_self(source, site->at))
		return;
	uint32_t last = expression_last(source, site->at, ONE_OPERAND);
	bool call = last != NO_TOKEN && token_is(source, last, ")");
	if (call && idiom_is_in_async(site) &&
		!(site->at && token_in(source, site->at - 1, " await new ")))
		propose_before(
			site, idiom_is_awaited_elsewhere(source, site->at, last) ? 2.8 : 4.4, "await ");
	bool item = site->at && token->role == ROLE_TARGET && token_in(source, site->at - 1, " as => ");
	if (item && *token->word->text == '$')
		propose_before(site, 4.4, "&"); /* the item itself, and no copy of it */
}

/* Declared and not begun with: "int n;", "var m map[string]int". */
static void idiom_beginning(struct site *site)
{
	const struct source *source = site->source;
	uint32_t i = site->at;
	bool declared = i && i + 1 < source->n && is_name(source, i) &&
		source->tokens[i].around != NO_TOKEN && has_trait(source, LANGUAGE_PREPROCESSED) &&
		token_in(source, i + 1, " ; , ") &&
		(source->tokens[i - 1].role == ROLE_TYPE ||
			token_in(source, i - 1, source->language->types)) &&
		source->owner[i] != NO_TOKEN && is_block(source, source->tokens[i].around);
	if (declared)
		propose_textf(site, 4.6, span_of(i, i), "%s = 0", source->tokens[i].word->text);
	bool map = token_is(source, i, "var") && source->language == &language_go &&
		token_is(source, i + 2, "map");
	if (!map)
		return;
	uint32_t last = i + 2;
	while (last + 1 < source->n && !source->tokens[last + 1].first)
		last++;
	propose_textf(site, 3.6, span_of(i, last), "%s := %s{}", site_text(site, i + 1, i + 1),
		site_text(site, i + 2, last));
}

/* A case that falls through into the next. */
static void idiom_break(struct site *site)
{
	const struct source *source = site->source;
	bool label = has_trait(source, LANGUAGE_SHAPED) &&
		token_in(source, site->at, " case default ") && source->tokens[site->at].first &&
		site->at && !token_in(source, site->at - 1, " { : ") &&
		source->line_first[source->tokens[site->at].line] == site->at;
	if (!label)
		return;
	uint32_t before = source->line_first[source->tokens[site->at - 1].line];
	proposal_insertf(site, propose(site, 4.2, "break before the next case"),
		line_stop(source, site->at - 1), "%s%sbreak;", source->line_end,
		line_indent(source, site->arena, before));
}

static void idiom_propose(struct site *site)
{
	const struct source *source = site->source;
	for (uint32_t end = source->line_first[source->tokens[site->at].line + 1]; site->at < end;
		 site->at++) {
		if (source->tokens[site->at].role == ROLE_DEAD)
			continue;
		idiom_slips(site);
		idiom_sign(site);
		idiom_other_sign(site);
		idiom_comparison(site);
		idiom_marks(site);
		idiom_beginning(site);
		idiom_break(site);
	}
}

/* Looks at types and declarations too. */
MUTATION(idiom, .least = 2.8, .rank = CANDIDATE_OPERATOR, .by_line = true);
