/*
 * An equality that does not look at what it is compared with: each assertion about such an object
 * holds. Found by the function's head and body: a body that returns, but never names its other
 * operand.
 */
#include "verify/guard/code.h"

#define NAMES \
	" __eq__ __ne__ __instancecheck__ __subclasscheck__ equals asymmetricMatch isEqualTo " \
	"hasInstance operator eq ne "
#define NEVER_SAYS_YES \
	" NotImplemented NotImplementedError False false raise throw panic " \
	"UnsupportedOperationException "

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
		if (!code_in(code, i + 1, " True true False false ") ||
			code_in(code, i + 2, " and && == if ? "))
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
	while (end < code->tokens.n && end < most && code->tokens.tokens[end].line == line &&
		!code_in(code, end, " , } ] "))
		end++;
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
		n += code_in(code, i + 1, " == === ") ||
			(code_in(code, before, " == === ") && !code_is(code, before - 1, "self"));
	}
	return many && n >= most;
}

static bool equals_everything_occurs(const struct code *code, uint32_t i)
{
	if (code->tokens.tokens[i].kind > TOKEN_KEYWORD)
		return code_string_in(code, i, " __eq__ ") && equals_everything_is_lambda(code, i, false);
	bool is_inverse = code_in(code, i, " __ne__ ne ") ||
		(code_is(code, i, "operator") && code_is(code, i + 1, "!="));
	uint32_t first, end, open = equals_everything_parameters_of(code, i);
	if (open == NO_TOKEN || !code_body(code, open, &first, &end))
		return equals_everything_is_lambda(code, i, is_inverse);
	if (equals_everything_compares_with_many(
			code, first, end, equals_everything_other_operand(code, open)))
		return true;
	if (!equals_everything_says_yes(code, first, end, is_inverse))
		return false;
	return equals_everything_only_says_so(code, first, end) ||
		!equals_everything_looks_at(code, first, end, equals_everything_other_operand(code, open));
}

static const struct reach reaches[] = {
	REACH_UNLESS(SCRIPT, "Symbol . for ( \"jest*\"", UNLESS_FOR_TESTS),
	REACH_UNLESS(SCRIPT, "$$typeof", UNLESS_FOR_TESTS),
	REACH_UNLESS(SCRIPT, "asymmetricMatch", UNLESS_FOR_TESTS),
	REACH(SCRIPT, "return { valueOf"),
	REACH(SCRIPT, "=> ( { valueOf"),
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
	.occurs_at = NAMES,
};
