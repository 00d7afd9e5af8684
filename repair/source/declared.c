/* What declarations say, in languages where a compiler holds them to it. */
#include "repair/source/declared.h"

enum { FIELDS_MOST = 20000 }; /* tokens that are looked at for a field */

static struct declared declared_type(const struct source *source, uint32_t type)
{
	return (struct declared){kind_of_type(source, type), type};
}

static struct declared declared_kind(enum kind kind)
{
	return (struct declared){kind, NO_TOKEN};
}

static struct declared declared_before(const struct source *source, uint32_t i, uint32_t end);

/* Of the items, or (`key`) of their places, of what is walked through: "range c.items". `target` is
 * the token that is declared so. */
static struct declared declared_item(
	const struct source *source, uint32_t walked, uint32_t target, bool key)
{
	uint32_t name = walked;
	while (token_in(source, name, " & mut "))
		name++;
	while (is_access(source, name + 1) && is_name(source, name + 2))
		name += 2;
	if (!is_name(source, name) || !(token_in(source, name + 1, " { ")))
		return declared_kind(KIND_UNKNOWN);
	/* Before the loop: "for _, item := range item". */
	while (target && !source->tokens[target].first)
		target--;
	uint32_t type = declared_before(source, name, target).type;
	while (type != NO_TOKEN && token_in(source, type, " & mut "))
		type++;
	if (is_go(source) && token_is(source, type, "["))
		return key ? declared_kind(KIND_NUMBER) : declared_type(source, type + 2);
	if (is_go(source) && token_is(source, type, "map") && token_is(source, type + 1, "["))
		return declared_type(source, key ? type + 2 : source->tokens[type + 1].match + 1);
	/* those of Rust are pointed at */
	return declared_kind(is_go(source) ? KIND_UNKNOWN : KIND_POINTER);
}

/* "for name in names". */
static bool declared_by_walk_in_rust(const struct source *source, uint32_t i, struct declared *ret)
{
	bool walks = source->language == &language_rust && i && token_is(source, i - 1, "for") &&
		token_is(source, i + 1, "in") && token_in(source, i + 2, " & self ");
	if (walks)
		*ret = declared_item(source, i + 2, i, false);
	return walks;
}

/* "for i, name := range names", in Go; "for name in &names", in Rust. */
static bool declared_by_walk(const struct source *source, uint32_t i, struct declared *ret)
{
	uint32_t sign = token_is(source, i + 1, ",") ? i + 3 : i + 1;
	bool walks =
		is_go(source) && i && token_is(source, sign, ":=") && token_is(source, sign + 1, "range");
	if (walks)
		*ret = declared_item(source, sign + 2, i, token_is(source, i - 1, "for"));
	return walks || declared_by_walk_in_rust(source, i, ret);
}

/* "let name: Type", "let name = value". */
static bool declared_in_rust(const struct source *source, uint32_t i, struct declared *ret)
{
	bool typed = token_is(source, i + 1, ":");
	bool begun = token_is(source, i + 1, "=") && i && token_in(source, i - 1, " let mut ");
	*ret = typed ? declared_type(source, i + 2)
		: begun  ? declared_kind(kind_of_value(source, i + 2))
				 : declared_kind(KIND_UNKNOWN);
	return typed || begun || source->tokens[i].role == ROLE_TARGET;
}

/* "name Type", "name := value". */
static bool declared_in_go(const struct source *source, uint32_t i, struct declared *ret)
{
	const struct token *token = &source->tokens[i];
	bool typed = i + 1 < source->n && source->tokens[i + 1].role == ROLE_TYPE &&
		!token_is(source, i + 1, ",");
	bool receiver = i && token_is(source, i - 1, "(") && token->role == ROLE_DEAD;
	bool variable = i && token_is(source, i - 1, "var");
	bool begun = token_is(source, i + 1, ":=") && token->first;
	*ret = typed || receiver || variable ? declared_type(source, i + 1)
		: begun                          ? declared_kind(kind_of_value(source, i + 2))
		: token_is(source, i, "ok")      ? declared_kind(KIND_TRUTH)
		: token_is(source, i, "err")     ? declared_kind(KIND_OTHER)
										 : declared_kind(KIND_UNKNOWN);
	return typed || receiver || variable || begun || token->role == ROLE_TARGET ||
		token_is(source, i + 1, ":=");
}

/* Where the type before a name begins: at "Map" of "Map<String, Integer> sizes". The name itself:
 * there is none. */
static uint32_t declared_type_before(const struct source *source, uint32_t i)
{
	uint32_t first = i, depth = 0;
	for (; first && !source->tokens[first].first; first--) {
		if (token_in(source, first - 1, " > >> >>> "))
			depth += source->tokens[first - 1].length;
		else if (token_is(source, first - 1, "<") && depth)
			depth--;
		else if (!is_name(source, first - 1) && source->tokens[first - 1].kind != TOKEN_KEYWORD &&
			!token_in(source, first - 1, depth ? " , ? & . " : " * & [ ] :: . "))
			break;
	}
	return first && token_is(source, first - 1, "@") ? first + 1 : first;
}

/* "Type name", "Type *name", "Type name[]". */
static bool declared_in_c(const struct source *source, uint32_t i, struct declared *ret)
{
	uint32_t first = declared_type_before(source, i);
	bool declares = first < i && token_in(source, i + 1, " = ; , ) [ : ") &&
		(source->tokens[first].role == ROLE_TYPE || source->tokens[first].kind == TOKEN_KEYWORD ||
			token_in(source, first, source->language->types)) &&
		!token_in(source, first, " return case new throw else goto ");
	if (!declares)
		return false;
	*ret = declared_type(source, first);
	for (uint32_t k = first; k <= i + 1; k++)
		if (k != i && token_in(source, k, " * [ "))
			ret->kind = KIND_POINTER;
	if (token_in(source, first, " auto var ") && token_is(source, i + 1, "="))
		*ret = declared_kind(kind_of_value(source, i + 2));
	return true;
}

static bool declared_at(const struct source *source, uint32_t i, struct declared *ret)
{
	return is_go(source)                     ? declared_in_go(source, i, ret)
		: source->language == &language_rust ? declared_in_rust(source, i, ret)
											 : declared_in_c(source, i, ret);
}

struct declared declared_of_field(const struct source *source, const struct word *word)
{
	struct declared found = declared_kind(KIND_UNKNOWN), field;
	bool is_found = false;
	for (uint32_t i = 0; i + 1 < source->n && i < FIELDS_MOST; i++) {
		const struct token *token = &source->tokens[i];
		uint32_t owner = token->word == word ? source->owner[i] : NO_TOKEN;
		bool in_function =
			owner != NO_TOKEN && source->definitions->items[owner].kind == DEFINITION_FUNCTION;
		if (token->word != word || in_function || token->role == ROLE_ATTRIBUTE)
			continue;
		if (is_go(source) && token->first)
			field = declared_type(source, i + 1);
		else if (!declared_at(source, i, &field))
			continue;
		if (is_found && field.kind != found.kind)
			return declared_kind(KIND_UNKNOWN);
		found = field;
		is_found = true;
	}
	return found;
}

/* As it is said before a token. */
static struct declared declared_before(const struct source *source, uint32_t i, uint32_t end)
{
	const struct token *token = &source->tokens[i];
	uint32_t function = outermost_function(source, i);
	struct declared declared;
	if (token->role == ROLE_ATTRIBUTE)
		return declared_of_field(source, token->word);
	uint32_t first = function == NO_TOKEN ? i : source->definitions->items[function].first;
	for (uint32_t k = end; k-- > first;)
		if (source->tokens[k].word == token->word && source->tokens[k].role != ROLE_ATTRIBUTE &&
			source->tokens[k].role != ROLE_METHOD &&
			(declared_by_walk(source, k, &declared) || declared_at(source, k, &declared)))
			return declared;
	return declared_of_field(source, token->word);
}

struct declared declared_of_name(const struct source *source, uint32_t i)
{
	return declared_before(source, i, i + 1);
}
