#include "repair/kinds.h"

#include <ctype.h>
#include <string.h>

enum { FIELDS_MOST = 20000 }; /* tokens that are looked at for a field */

#define NUMBERS \
	" int long short char unsigned signed float double size_t ssize_t ptrdiff_t uintptr_t byte " \
	"int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 rune " \
	"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t " \
	"i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 "
#define TRUTHS " bool boolean _Bool "
#define TEXTS " string String str "
#define MANIES \
	" map vector set pair deque List Map Set ArrayList HashMap HashSet TreeMap LinkedList Deque " \
	"Vec VecDeque BTreeMap BTreeSet unordered_map unordered_set chan "
#define QUALIFIERS \
	" const static final volatile register mut struct enum union std :: & dyn private "

bool kinds_are_checked(const struct source *source)
{
	return language_in(source->language, " c c++ go rust java ");
}

/* Of a type that begins here, where it stands after its name or alone. */
static enum kind kind_of_type(const struct source *source, uint32_t i)
{
	static const struct {
		const char *words;
		enum kind kind;
	} rows[] = {
		{NUMBERS, KIND_NUMBER},
		{TRUTHS, KIND_TRUTH},
		{TEXTS, KIND_TEXT},
		{MANIES, KIND_MANY},
		{" [ ", KIND_MANY},
		{" * ", KIND_POINTER},
		{" auto var impl ", KIND_UNKNOWN},
	};
	while (token_in(source, i, QUALIFIERS) || (i < source->n && first_byte(source, i) == '\''))
		i++;
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
		if (token_in(source, i, rows[r].words))
			return rows[r].kind;
	/* One letter is a parameter of the type. */
	return i < source->n && is_name(source, i) && source->tokens[i].length > 1 ? KIND_OTHER
																			   : KIND_UNKNOWN;
}

/* "len(x)", "x.size()", "x.length": a number, whatever x is. */
static bool kind_is_length(const struct source *source, uint32_t first, uint32_t last)
{
	bool called = token_is(source, last, ")") && source->tokens[last].match != NO_TOKEN;
	uint32_t name = called ? source->tokens[last].match - 1 : last;
	return name >= first && name < source->n &&
		token_in(source, name, " len size length count strlen ") &&
		(called || source->tokens[name].role == ROLE_ATTRIBUTE);
}

/* Of the value that something is declared with. */
static enum kind kind_of_value(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	uint32_t one = expression_last(source, i, ONE_OPERAND), all = expression_last(source, i, 1);
	if (one == NO_TOKEN)
		return KIND_UNKNOWN;
	for (uint32_t k = one + 1; all != NO_TOKEN && k < all; k++)
		if (token_in(source, k, " / % - * ") && token->around == source->tokens[k].around)
			return KIND_NUMBER;
	if (kind_is_length(source, i, one) || (token->kind == TOKEN_NUMBER && one == i))
		return KIND_NUMBER;
	if (token->kind == TOKEN_STRING && one == i)
		return source->language == &language_rust ? KIND_UNKNOWN : KIND_TEXT;
	if (token_in(source, i, " true false ") && one == i)
		return KIND_TRUTH;
	if (is_go(source) && token_in(source, i, " [ map make append ") && !token_is(source, one, "]"))
		return KIND_MANY;
	if (is_go(source) && token_is(source, i, "&"))
		return KIND_POINTER;
	bool made = token_is(source, i, "new") || (token_is(source, i + 1, "::") && i + 2 < one);
	return made ? kind_of_type(source, i + token_is(source, i, "new")) : KIND_UNKNOWN;
}

/* What a declaration says: a kind, and where its type begins, or NO_TOKEN. */
struct declared {
	enum kind kind;
	uint32_t type;
};

static struct declared declared_type(const struct source *source, uint32_t type)
{
	return (struct declared){kind_of_type(source, type), type};
}

static struct declared declared_kind(enum kind kind)
{
	return (struct declared){kind, NO_TOKEN};
}

static struct declared declared_of_name(const struct source *source, uint32_t i);

/* Of the items, or (`key`) of their places, of what is walked through: "range c.items". */
static struct declared declared_item(const struct source *source, uint32_t walked, bool key)
{
	uint32_t name = walked;
	while (token_in(source, name, " & mut "))
		name++;
	while (is_access(source, name + 1) && is_name(source, name + 2))
		name += 2;
	if (!is_name(source, name) || !(token_in(source, name + 1, " { ")))
		return declared_kind(KIND_UNKNOWN);
	uint32_t type = declared_of_name(source, name).type;
	while (type != NO_TOKEN && token_in(source, type, " & mut "))
		type++;
	if (is_go(source) && token_is(source, type, "["))
		return key ? declared_kind(KIND_NUMBER) : declared_type(source, type + 2);
	if (is_go(source) && token_is(source, type, "map") && token_is(source, type + 1, "["))
		return declared_type(source, key ? type + 2 : source->tokens[type + 1].match + 1);
	/* those of Rust are pointed at */
	return declared_kind(is_go(source) ? KIND_UNKNOWN : KIND_POINTER);
}

/* "let name: Type", "let name = value", "for name in names". */
static bool declared_in_rust(const struct source *source, uint32_t i, struct declared *ret)
{
	bool typed = token_is(source, i + 1, ":");
	bool begun = token_is(source, i + 1, "=") && i && token_in(source, i - 1, " let mut ");
	bool walks = token_is(source, i + 1, "in") && i && token_is(source, i - 1, "for") &&
		(token_is(source, i + 2, "&") || token_is(source, i + 2, "self"));
	*ret = typed ? declared_type(source, i + 2)
		: begun  ? declared_kind(kind_of_value(source, i + 2))
		: walks  ? declared_item(source, i + 2, false)
				 : declared_kind(KIND_UNKNOWN);
	return typed || begun || source->tokens[i].role == ROLE_TARGET;
}

/* "for i, name := range names". */
static bool declared_in_range(const struct source *source, uint32_t i, struct declared *ret)
{
	uint32_t sign = token_is(source, i + 1, ",") ? i + 3 : i + 1;
	if (!token_is(source, sign, ":=") || !token_is(source, sign + 1, "range"))
		return false;
	*ret = declared_item(source, sign + 2, token_is(source, i - 1, "for"));
	return true;
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
	if (i && declared_in_range(source, i, ret))
		return true;
	*ret = typed || receiver || variable ? declared_type(source, i + 1)
		: begun                          ? declared_kind(kind_of_value(source, i + 2))
		: token_is(source, i, "ok")      ? declared_kind(KIND_TRUTH)
		: token_is(source, i, "err")     ? declared_kind(KIND_OTHER)
										 : declared_kind(KIND_UNKNOWN);
	return typed || receiver || variable || begun || token->role == ROLE_TARGET ||
		token_is(source, i + 1, ":=");
}

/* "Type name", "Type *name", "Type name[]". */
static bool declared_before(const struct source *source, uint32_t i, struct declared *ret)
{
	uint32_t first = i;
	while (first && !source->tokens[first].first && !token_in(source, first - 1, " ( , ; "))
		first--;
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
											 : declared_before(source, i, ret);
}

/* A field of what the file declares; where two of that name differ, nobody knows. */
static struct declared declared_of_field(const struct source *source, const struct word *word)
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

static struct declared declared_of_name(const struct source *source, uint32_t i)
{
	const struct token *token = &source->tokens[i];
	uint32_t function = outermost_function(source, i);
	struct declared declared;
	if (token->role == ROLE_ATTRIBUTE)
		return declared_of_field(source, token->word);
	uint32_t first = function == NO_TOKEN ? i : source->definitions->items[function].first;
	for (uint32_t k = i + 1; k-- > first;)
		if (source->tokens[k].word == token->word && source->tokens[k].role != ROLE_ATTRIBUTE &&
			source->tokens[k].role != ROLE_METHOD && declared_at(source, k, &declared))
			return declared;
	return declared_of_field(source, token->word);
}

enum kind kind_of(const struct source *source, struct span span)
{
	const struct token *token = &source->tokens[span.first];
	if (!kinds_are_checked(source))
		return KIND_UNKNOWN;
	if (kind_is_length(source, span.first, span.last))
		return KIND_NUMBER;
	if (span.first == span.last && !is_name(source, span.first))
		return kind_of_value(source, span.first);
	bool attribute = span.last > span.first + 1 && is_access(source, span.last - 1) &&
		source->tokens[span.last].role == ROLE_ATTRIBUTE;
	if (token_is(source, span.last, ")"))
		return kind_of_value(source, span.first);
	if (attribute || (span.first == span.last && token->kind == TOKEN_NAME))
		return declared_of_name(source, span.last).kind;
	return KIND_UNKNOWN;
}

bool kind_may_be(const struct source *source, struct span span, unsigned kinds)
{
	enum kind kind = kind_of(source, span);
	return kind == KIND_UNKNOWN || kind & kinds;
}

bool kind_has_parts(const struct source *source, uint32_t i)
{
	uint32_t function = outermost_function(source, i);
	if (function == NO_TOKEN || !kinds_are_checked(source))
		return false;
	const struct definition *definition = &source->definitions->items[function];
	for (uint32_t k = definition->first; k < definition->last; k++)
		if (source->tokens[k].word == source->tokens[i].word &&
			source->tokens[k].role == ROLE_VALUE &&
			(is_access(source, k + 1) || token_is(source, k + 1, "[")))
			return source->language != &language_rust || token_is(source, k + 1, "[");
	return false;
}

enum kind kind_given_back(const struct source *source, uint32_t i)
{
	uint32_t owner = source->owner[i];
	const struct definition *definition =
		owner == NO_TOKEN ? NULL : &source->definitions->items[owner];
	uint32_t close = definition && definition->open != NO_TOKEN
		? source->tokens[definition->open].match
		: NO_TOKEN;
	if (close == NO_TOKEN || !language_in(source->language, " go rust "))
		return KIND_UNKNOWN;
	bool arrow = token_is(source, close + 1, "->");
	if (source->language == &language_rust)
		return arrow ? kind_of_type(source, close + 2) : KIND_UNKNOWN;
	return token_in(source, close + 1, " ( { ") ? KIND_UNKNOWN : kind_of_type(source, close + 1);
}

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

/* Whether a value that is declared in the function is known at a place: below its declaration, and
 * within the same block. */
static bool kind_is_in_sight(const struct source *source, uint32_t at, const struct word *word)
{
	uint32_t function = outermost_function(source, at);
	if (function == NO_TOKEN)
		return true;
	uint32_t i = source->definitions->items[function].first,
			 last = source->definitions->items[function].last;
	while (i < last && (source->tokens[i].word != word || source->tokens[i].role == ROLE_ATTRIBUTE))
		i++;
	if (i >= at)
		return source->tokens[i].role == ROLE_VALUE; /* it comes from without */
	if (source->tokens[i].first && source->tokens[i].line == source->tokens[at].line)
		return false; /* the statement itself declares it */
	uint32_t open = source->tokens[i].around;
	return open == NO_TOKEN || !is_block(source, open) || source->tokens[open].match > at;
}

bool kinds_differ(const struct language *language, enum kind a, enum kind b)
{
	bool loose = language_in(language, " c c++ "); /* zero is a pointer, and a truth a number */
	if (a == KIND_UNKNOWN || b == KIND_UNKNOWN || a == b)
		return false;
	if (loose && (a == KIND_TRUTH || b == KIND_TRUTH))
		return a != KIND_NUMBER && b != KIND_NUMBER;
	return true;
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
