/*
 * The same name in another spelling: Python takes "ｅxit" for "exit", JavaScript and Java
 * "\u0065xit", C continues a name after a backslash at a line's end, and a declared encoding can
 * make anything of anything. Whoever reads such a name does not see it.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "verify/guard/code.h"

/* Full-width and mathematical letters, letter-like signs, ligatures. */
static bool disguised_name_has_compatible_letter(const unsigned char *at, size_t n)
{
	for (; n > 2; at++, n--) {
		bool wide =
			at[0] == 0xef && ((at[1] == 0xbc && at[2] >= 0xa1) || (at[1] == 0xbd && at[2] <= 0x9a));
		bool mathematical = at[0] == 0xf0 && at[1] == 0x9d && at[2] >= 0x90 && at[2] <= 0x9f;
		bool sign =
			(at[0] == 0xe2 && at[1] == 0x84) || (at[0] == 0xef && at[1] == 0xac && at[2] <= 0x86);
		if (wide || mathematical || sign)
			return true;
	}
	return false;
}

static bool disguised_name_goes_on_behind_line(const struct code *code, const struct token *token)
{
	size_t end = (size_t)token->start + token->length;
	const char *at = code->text + end;
	size_t left = code->n_text - end, newline = left > 2 && at[1] == '\r' ? 2 : 1;
	return (code->language->traits & LANGUAGE_PREPROCESSED) && left > newline + 1 &&
		at[0] == '\\' && at[newline] == '\n' &&
		(isalnum((unsigned char)at[newline + 1]) || at[newline + 1] == '_');
}

static bool disguised_name_is_escaped(const struct code *code, uint32_t i)
{
	const struct token *token = &code->tokens.tokens[i];
	const char *name = code->text + token->start;
	bool hex = token->length > 4 && *name == 'u' && isxdigit((unsigned char)name[1]) &&
		isxdigit((unsigned char)name[4]);
	bool braced = token->length == 1 && *name == 'u' && code_is(code, i + 1, "{");
	return (hex || braced) &&
		words_hold(SCRIPT JAVA, code->language->name, strlen(code->language->name)) && i &&
		code_is(code, i - 1, "\\") && token[-1].start + 1 == token->start;
}

static bool disguised_name_occurs(const struct code *code, uint32_t i)
{
	const struct token *token = &code->tokens.tokens[i];
	if (token->kind != TOKEN_NAME && token->kind != TOKEN_KEYWORD)
		return false;
	const unsigned char *name = (const unsigned char *)code->text + token->start;
	return disguised_name_has_compatible_letter(name, token->length) ||
		disguised_name_goes_on_behind_line(code, token) || disguised_name_is_escaped(code, i);
}

/* What "coding: NAME" in the first two lines declares; its length, or 0. */
static size_t disguised_name_find_encoding(const char *text, size_t n, const char **ret_name)
{
	const char *end = n ? memchr(text, '\n', n) : NULL;
	const char *second = end ? memchr(end + 1, '\n', n - (size_t)(end + 1 - text)) : NULL;
	size_t head = second ? (size_t)(second - text) : n < 400 ? n : 400;
	const char *coding = memmem(text, head, "coding", 6), *comment = memchr(text, '#', head);
	if (!coding || !comment || coding > comment + 200 || (coding[6] != ':' && coding[6] != '='))
		return 0;
	const char *name = coding + 7;
	size_t length = 0;
	while (name < text + head && *name == ' ')
		name++;
	while (name + length < text + head &&
		(isalnum((unsigned char)name[length]) || strchr("-_.", name[length])))
		length += name[length] ? 1 : 0;
	*ret_name = name;
	return length;
}

static bool disguised_name_is_strange_encoding(const char *text, size_t n)
{
	static const char *const plain[] = {"utf-8", "utf8", "utf_8", "latin", "iso", "ascii",
		"us-ascii", "cp", "windows", "gb", "euc", "shift", "sjis", "koi8", "big5", "mac", "tis"};
	const char *name;
	size_t length = text ? disguised_name_find_encoding(text, n, &name) : 0;
	if (!length)
		return false;
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (length >= strlen(plain[i]) && strncasecmp(name, plain[i], strlen(plain[i])) == 0)
			return false;
	return true;
}

static void disguised_name_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	for (size_t i = 0; i < inspection->n; i++) {
		const struct changed_file *file = &inspection->files[i];
		const struct language *language = file->text ? language_of(file->path) : NULL;
		if (language && file->n_text > CODE_MOST && file->n_old <= CODE_MOST)
			guard_find(inspection, rule, file, 0, "a source that is too large to be read");
		if (language && strcmp(language->name, "python") == 0 &&
			disguised_name_is_strange_encoding(file->text, file->n_text) &&
			!disguised_name_is_strange_encoding(file->old, file->n_old))
			guard_find(inspection, rule, file, 1,
				"declares an encoding that makes other code of the text");
	}
}

const struct guard_rule disguised_name_rule = {
	.name = "disguised-name",
	.summary =
		"a name in a spelling that people read differently from the machine hides what is reached",
	.occurs = disguised_name_occurs,
	.inspect = disguised_name_inspect,
};
