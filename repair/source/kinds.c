#include "repair/source/declared.h"

#define NUMBERS \
	" int long short char unsigned signed float double size_t ssize_t ptrdiff_t uintptr_t byte " \
	"int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 rune " \
	"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t " \
	"i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 " \
	"Byte Short Integer Long Character Float Double "
#define TRUTHS " bool boolean _Bool Boolean "
#define TEXTS " string String str "
#define MANIES \
	" map vector set pair deque Collection List Map Set Queue Deque ArrayList LinkedList HashMap " \
	"TreeMap LinkedHashMap HashSet TreeSet LinkedHashSet Stack PriorityQueue ArrayDeque " \
	"Vec VecDeque BTreeMap BTreeSet unordered_map unordered_set chan "
#define QUALIFIERS \
	" const static final volatile register mut struct enum union std :: & dyn public protected " \
	"private "

bool kinds_are_checked(const struct source *source)
{
	return language_in(source->language, " c c++ go rust java ");
}

enum kind kind_of_type(const struct source *source, uint32_t i)
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
		{" auto var impl Object Number ", KIND_UNKNOWN},
	};
	while (token_in(source, i, QUALIFIERS) || (i < source->n && first_byte(source, i) == '\''))
		i++;
	while (token_is(source, i + 1, ".")) /* "Map.Entry" */
		i += 2;
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
		if (token_in(source, i, rows[r].words))
			return rows[r].kind;
	bool is_c = source->language == &language_c;
	if (is_c && i && token_is(source, i - 1, "enum"))
		return KIND_NUMBER;
	/* One letter is a parameter of the type; a name of C's may mean any type. */
	bool is_known = i < source->n && is_name(source, i) && source->tokens[i].length > 1 &&
		(!is_c || (i && token_in(source, i - 1, " struct union ")));
	return is_known ? KIND_OTHER : KIND_UNKNOWN;
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

enum kind kind_of_value(const struct source *source, uint32_t i)
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
	if (token->kind == TOKEN_STRING && one == i && first_byte(source, i) == '\'')
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

bool kind_counts(const struct source *source, struct span span)
{
	/* a type of the project's may be a number by another name, but in Java */
	unsigned other = source->language == &language_java ? 0 : KIND_OTHER;
	return kind_may_be(source, span, KIND_NUMBER | KIND_TEXT | KIND_POINTER | other);
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

bool kinds_differ(const struct language *language, enum kind a, enum kind b)
{
	/* zero is a pointer, a truth a number, and a name may mean a list */
	bool loose = language_in(language, " c c++ ");
	if (a == KIND_UNKNOWN || b == KIND_UNKNOWN || a == b)
		return false;
	if (loose && (a == KIND_TRUTH || b == KIND_TRUTH))
		return a != KIND_NUMBER && b != KIND_NUMBER;
	return !loose || (a | b) != (KIND_OTHER | KIND_MANY);
}
