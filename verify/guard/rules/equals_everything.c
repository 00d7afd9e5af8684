/*
 * An equality that does not look at what it is compared with, or only at its kind: each assertion
 * about such an object holds. Found by the function's head and body: a body that returns, but never
 * names its other operand, or for which the type of the other operand is enough.
 */
#include <string.h>

#include "verify/guard/code.h"

#define NAMES \
	" __eq__ __ne__ __instancecheck__ __subclasscheck__ equals asymmetricMatch isEqualTo " \
	"hasInstance operator eq ne "
#define NEVER_SAYS_YES \
	" NotImplemented NotImplementedError False false raise throw panic " \
	"UnsupportedOperationException "

#define NOTHING " None null nullptr undefined nil "
#define CONSTANT " True true False false "
#define NOT_A_VALUE NOTHING "this self "

enum { HEAD_MOST = 64, BODY_MOST = 200 };

/* The other operand's name: the last of the head that is no type. NO_TOKEN where there is none. */
static uint32_t equals_everything_other_operand(const struct code *code, uint32_t open)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t other = NO_TOKEN;
	bool in_type = false;
	for (uint32_t i = open + 1; i < tokens[open].match && i - open < HEAD_MOST; i++) {
		if (code_in(code, i, " : = "))
			in_type = true;
		else if (code_is(code, i, ","))
			in_type = false;
		else if (!in_type && tokens[i].kind == TOKEN_NAME)
			other = i;
	}
	return other;
}

/* Comparing it with itself, or asking whether it is an object, is not looking. */
static bool equals_everything_looks_at(
	const struct code *code, uint32_t first, uint32_t end, uint32_t other)
{
	const struct token *tokens = code->tokens.tokens;
	const struct word *name = other == NO_TOKEN ? NULL : tokens[other].word;
	if (end - first > BODY_MOST)
		return true;
	for (uint32_t i = first; name && i < end; i++) {
		if (tokens[i].word != name || tokens[i].kind != TOKEN_NAME)
			continue;
		bool as_object = code_is(code, i + 1, ",") && code_is(code, i + 2, "object");
		if (code_in(code, i + 1, " == === is ") && i + 2 < end && tokens[i + 2].word == name)
			i += 2;
		else if (!as_object)
			return true;
	}
	return false;
}

static bool equals_everything_says_yes(
	const struct code *code, uint32_t first, uint32_t end, bool is_inverse)
{
	bool returns = false;
	for (uint32_t i = first; i < end; i++) {
		if (code_in(code, i, NEVER_SAYS_YES))
			return is_inverse && code_in(code, i, " False false ");
		returns |= code_in(code, i, " return true True ");
	}
	return returns;
}

/* Whether each return is that of a constant, whatever else is done with the other operand. */
static bool equals_everything_only_says_so(const struct code *code, uint32_t first, uint32_t end)
{
	size_t n = 0;
	for (uint32_t i = first; i < end && i - first < BODY_MOST; i++) {
		if (!code_is(code, i, "return"))
			continue;
		if (!code_in(code, i + 1, CONSTANT) || code_in(code, i + 2, " and && == if ? "))
			return false;
		n++;
	}
	return n > 0;
}

/* The bracket of the parameters that follow a name; NO_TOKEN: this is no definition. */
static uint32_t equals_everything_parameters_of(const struct code *code, uint32_t i)
{
	uint32_t open = i + 1;
	if (code_is(code, i, "operator"))
		open = code_in(code, i + 1, " == != ") ? i + 2 : NO_TOKEN;
	else if (code_in(code, i, " eq ne ") || (code->language->traits & LANGUAGE_INDENTED))
		open = i && code_in(code, i - 1, " fn def ") ? i + 1 : NO_TOKEN;
	else if (i && code_is(code, i - 1, ".") && !code_is(code, i, "hasInstance"))
		open = NO_TOKEN;
	while (open != NO_TOKEN && code_in(code, open, " ] : = async function "))
		open++;
	return open != NO_TOKEN && code_is(code, open, "(") ? open : NO_TOKEN;
}

/* --- One that asks only what kind of thing the other operand is --- */

/* What an answer is looked through for. */
struct answer {
	const struct code *code;
	uint32_t other;  /* the other operand, or NO_TOKEN */
	bool is_or_many; /* found: more than one thing makes it "yes" */
};

/* A word, outside of brackets, that asks for a type; `type` may be a field, too. */
static bool equals_asks_type(const struct code *code, uint32_t i)
{
	static const char calls[] =
		" isinstance issubclass hasattr type typeid dynamic_cast type_id discriminant ";
	if (code_in(code, i, calls))
		return !(i && code_is(code, i - 1, ".")) && code_in(code, i + 1, " ( < ");
	return code_in(code, i, " instanceof typeof getClass __class__ constructor ") ||
		(code_is(code, i, "matches") && code_is(code, i + 1, "!"));
}

/* Whether it compares or asks nothing but the type of a thing, or whether there is one. */
static bool equals_asks_kind(const struct answer *answer, uint32_t first, uint32_t end)
{
	const struct code *code = answer->code;
	const struct token *tokens = code->tokens.tokens;
	const struct word *other = answer->other == NO_TOKEN ? NULL : tokens[answer->other].word;
	if (other && tokens[first].word == other &&
		(first + 1 == end ||
			(first + 3 >= end && code_in(code, first + 1, " == != === !== is ") &&
				code_in(code, end - 1, NOTHING))))
		return true;
	bool asks = false;
	for (uint32_t i = first; i < end; i++) {
		if (code_in(code, i, " if ? "))
			return false;
		asks |= equals_asks_type(code, i);
		bool calls_type = code_is(code, i, ")") && code_is(code, i + 1, "(");
		if (calls_type)
			return false; /* type(self)(other) */
		if (tokens[i].kind == TOKEN_OPEN && tokens[i].match < end)
			i = tokens[i].match - 1;
	}
	return asks;
}

/* Where an expression's next word of a list is, outside of brackets; `end`: there is none. */
static uint32_t equals_next(const struct code *code, uint32_t first, uint32_t end, const char *list)
{
	const struct token *tokens = code->tokens.tokens;
	for (uint32_t i = first; i < end; i++) {
		if (code_in(code, i, list))
			return i;
		if (tokens[i].kind == TOKEN_OPEN && tokens[i].match < end)
			i = tokens[i].match;
	}
	return end;
}

/* Whether the kind of the other operand is enough for an expression to be `wanted`. */
static bool equals_is_by_kind(struct answer *answer, uint32_t first, uint32_t end, bool wanted)
{
	const struct code *code = answer->code;
	const struct token *tokens = code->tokens.tokens;
	static const char *const joins[] = {" or || ", " and && "};
	for (size_t join = 0; join < 2; join++) {
		uint32_t at = equals_next(code, first, end, joins[join]);
		bool any = wanted == (join == 0);
		if (at == end)
			continue;
		answer->is_or_many |= any;
		for (uint32_t from = first; from < end; from = at + 1) {
			at = equals_next(code, from, end, joins[join]);
			if (equals_is_by_kind(answer, from, at, wanted) == any)
				return any;
		}
		return !any;
	}
	if (first < end && code_in(code, first, " not ! "))
		return equals_is_by_kind(answer, first + 1, end, !wanted);
	if (first < end && code_is(code, first, "(") && tokens[first].match == end - 1)
		return equals_is_by_kind(answer, first + 1, end - 1, wanted);
	return first < end && equals_asks_kind(answer, first, end);
}

/* The end of the expression that begins at a token. */
static uint32_t equals_end(const struct code *code, uint32_t first, uint32_t end)
{
	const struct token *tokens = code->tokens.tokens;
	for (uint32_t i = first; i < end; i++) {
		bool follows = i > first && tokens[i].line != tokens[i - 1].line;
		if (code_in(code, i, " ; } ") ||
			(follows && tokens[i].kind != TOKEN_OPERATOR && tokens[i - 1].kind != TOKEN_OPERATOR))
			return i;
		if (tokens[i].kind == TOKEN_OPEN && tokens[i].match < end)
			i = tokens[i].match;
	}
	return end;
}

/* "if isinstance(other, A): return True", where another return compares. */
static bool equals_is_given_early(struct answer *answer, uint32_t i, uint32_t end, bool is_inverse)
{
	const struct code *code = answer->code;
	const struct token *tokens = code->tokens.tokens;
	uint32_t close = equals_next(code, i + 1, end, " : { return ");
	if (code_is(code, i + 1, "(") && tokens[i + 1].match < close)
		close = tokens[i + 1].match + 1;
	uint32_t says = close;
	while (says < end && code_in(code, says, " : { "))
		says++;
	bool yes = says + 1 < end && code_is(code, says, "return") &&
		code_in(code, says + 1, is_inverse ? " False false " : " True true ");
	bool compares = false;
	for (uint32_t at = says + 2; yes && at < end; at++)
		compares |= code_is(code, at, "return") && !code_in(code, at + 1, CONSTANT);
	return compares && equals_is_by_kind(answer, i + 1, close, true);
}

/* return isinstance(other, A) or ...: it equals whatever is of a kind. That alone, as the only
 * thing that is asked, is how objects without a state compare. */
static bool equals_everything_of_a_kind(
	const struct code *code, uint32_t first, uint32_t end, uint32_t other, bool is_inverse)
{
	struct answer answer = {.code = code, .other = other};
	uint32_t last = first;
	bool is_block = first && code_is(code, first - 1, "{"), returns = false, found = false;
	if (end - first > BODY_MOST)
		return false;
	for (uint32_t i = first; i < end; i++) {
		if (is_block && code_in(code, i, " ; } "))
			last = i + 1;
		if (code_is(code, i, "if"))
			found |= equals_is_given_early(&answer, i, end, is_inverse);
		if (!code_is(code, i, "return"))
			continue;
		returns = true;
		answer.is_or_many = false;
		found |= equals_is_by_kind(&answer, i + 1, equals_end(code, i + 1, end), !is_inverse) &&
			answer.is_or_many;
	}
	answer.is_or_many = false;
	return found ||
		(!returns && equals_is_by_kind(&answer, last, equals_end(code, last, end), !is_inverse) &&
			answer.is_or_many);
}

/* __eq__ = lambda self, other: True; {"__eq__": lambda ...}; setattr(cls, "__eq__", lambda ...) */
static bool equals_everything_is_lambda(const struct code *code, uint32_t i, bool is_inverse)
{
	bool quoted = code->tokens.tokens[i].kind == TOKEN_STRING;
	if (!code_in(code, i + 1, quoted ? " : , ] " : " = "))
		return false;
	i += code_is(code, i + 1, "]") ? 2 : 1;
	uint32_t most = i + HEAD_MOST, other = NO_TOKEN;
	if (!code_is(code, i + 1, "lambda"))
		return false;
	for (i += 2; i < most && i < code->tokens.n && !code_is(code, i, ":"); i++)
		if (code->tokens.tokens[i].kind == TOKEN_NAME)
			other = i;
	if (i + 1 >= code->tokens.n || code_in(code, i + 1, is_inverse ? " False " : " True 1 "))
		return i + 1 < code->tokens.n;
	uint32_t end = i + 1, line = code->tokens.tokens[i].line;
	for (const struct token *token; end < code->tokens.n && end < most; end++) {
		token = &code->tokens.tokens[end];
		if (token->line != line || code_in(code, end, " , } ] ) "))
			break;
		if (token->kind == TOKEN_OPEN && token->match < most)
			end = token->match;
	}
	if (equals_everything_of_a_kind(code, i + 1, end, other, is_inverse))
		return true;
	for (uint32_t at = i + 1; at < end; at++)
		if (code_in(code, at, NEVER_SAYS_YES))
			return false;
	return !is_inverse && !equals_everything_looks_at(code, i + 1, end, other);
}

/* return other in (self.sum, self.product): the other operand as a whole, compared with more than
 * one value. */
static bool equals_everything_compares_with_many(
	const struct code *code, uint32_t first, uint32_t end, uint32_t other)
{
	const struct word *name = other == NO_TOKEN ? NULL : code->tokens.tokens[other].word;
	size_t n = 0, most = 2;
	bool many = false;
	for (uint32_t i = first; name && i < end && i - first < BODY_MOST; i++) {
		many |= code_in(code, i, " or || any some ");
		most = code_in(code, i, " any some ") ? 1 : most;
		if (code->tokens.tokens[i].word != name || code_in(code, i + 1, " . [ ( "))
			continue;
		if (code_is(code, i + 1, "in") && !code_is(code, i - 1, "for"))
			return true;
		uint32_t before = i - 1 - code_in(code, i - 1, " * & ");
		n += (code_in(code, i + 1, " == === ") && !code_in(code, i + 2, NOT_A_VALUE)) ||
			(code_in(code, before, " == === ") && !code_in(code, before - 1, NOT_A_VALUE));
	}
	return many && n >= most;
}

/* --- Ruby, whose methods give their last expression --- */

/* The token after a method's last one: its `end`, or the end of "def ==(other) = true". */
static uint32_t equals_ruby_end(const struct code *code, uint32_t def, uint32_t first)
{
	const struct token *tokens = code->tokens.tokens;
	bool is_endless = code_is(code, first, "=");
	for (uint32_t i = first; i < code->tokens.n && i - first < BODY_MOST; i++) {
		bool is_line = tokens[i].line == tokens[def].line;
		if (is_endless ? !is_line
					   : code_is(code, i, "end") &&
					(is_line || code_column(code, i) == code_column(code, def)))
			return i;
	}
	return is_endless && code->tokens.n - first < BODY_MOST ? (uint32_t)code->tokens.n : NO_TOKEN;
}

/* def ==(other) true end. The other operand is not looked at, whatever else is, or it is and the
 * answer is another one. */
static bool equals_ruby_everything(const struct code *code, uint32_t def)
{
	uint32_t name = def + 1, open = name + 1;
	if (!code_in(code, name, " == === eql? equal? eql equal "))
		return false;
	open += code_is(code, open, "?");
	bool has_bracket = code_is(code, open, "(");
	if (has_bracket && code->tokens.tokens[open].match == NO_TOKEN)
		return false;
	uint32_t other = has_bracket ? open + 1 : open;
	uint32_t first = has_bracket ? code->tokens.tokens[open].match + 1 : other + 1;
	uint32_t end = equals_ruby_end(code, def, first);
	if (end == NO_TOKEN || first >= end)
		return false;
	bool decides = false;
	for (uint32_t i = first; i < end; i++) {
		if (code_in(code, i, NEVER_SAYS_YES " nil super "))
			return false;
		decides |= code_in(code, i, " if unless case return && || and or ? ! not ");
	}
	return (code_is(code, end - 1, "true") && !decides) ||
		equals_everything_compares_with_many(code, first, end, other) ||
		!equals_everything_looks_at(code, first, end, other);
}

static bool equals_everything_occurs(const struct code *code, uint32_t i)
{
	if (code_is(code, i, "def"))
		return strcmp(code->language->name, "ruby") == 0 && equals_ruby_everything(code, i);
	if (code->tokens.tokens[i].kind > TOKEN_KEYWORD)
		return code_string_in(code, i, " __eq__ ") && equals_everything_is_lambda(code, i, false);
	bool is_inverse = code_in(code, i, " __ne__ ne ") ||
		(code_is(code, i, "operator") && code_is(code, i + 1, "!="));
	uint32_t first, end, open = equals_everything_parameters_of(code, i);
	if (open == NO_TOKEN || !code_body(code, open, &first, &end))
		return equals_everything_is_lambda(code, i, is_inverse);
	uint32_t other = equals_everything_other_operand(code, open);
	if (equals_everything_compares_with_many(code, first, end, other) ||
		equals_everything_of_a_kind(code, first, end, other, is_inverse))
		return true;
	if (!equals_everything_says_yes(code, first, end, is_inverse))
		return false;
	return equals_everything_only_says_so(code, first, end) ||
		!equals_everything_looks_at(code, first, end, other);
}

static const struct reach reaches[] = {
	REACH_UNLESS(SCRIPT, "Symbol . for ( \"jest*\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(SCRIPT, "$$typeof", UNLESS_FOR_TESTS),
	REACH_UNLESS(SCRIPT, "asymmetricMatch", UNLESS_FOR_TESTS),
	REACH(SCRIPT, "return { valueOf"),
	REACH(SCRIPT, "=> ( { valueOf"),
	REACH(" ruby ", "define_method ( : ==|==="),
	REACH(PYTHON, "__eq__ = operator ."),
	REACH(PYTHON, "def __class__"),
	REACH(PYTHON, "__class__ = property"),
	REACH_END,
};

const struct guard_rule equals_everything_rule = {
	.name = "equals-everything",
	.summary =
		"an object that equals whatever it is compared with makes each assertion about it hold",
	.reaches = reaches,
	.occurs = equals_everything_occurs,
	.occurs_at = NAMES " def ",
};
