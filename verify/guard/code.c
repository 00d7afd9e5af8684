/* Both texts of each changed file, read once for all rules. */
#include "verify/guard/code.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

enum {
	AROUND_MOST = 48,
	EVIDENCE_MOST = 160,
	COLUMN_MOST = 200,
	HEAD_MOST = 16,
	BLOCK_MOST = 256,
	WORD_MOST = 300
};

/* Whether another file of the change that is no test has the name of this one in it, without its
 * suffix, or of its folder. */
static bool code_is_named(const struct inspection *inspection, const struct changed_file *file)
{
	static const char entries[] = " index __init__ mod main ";
	const char *name = file_name(file->path);
	size_t n = strcspn(name, ".");
	if (name > file->path && words_hold(entries, name, n)) {
		const char *end = name - 1;
		for (name = end; name > file->path && name[-1] != '/';)
			name--;
		n = (size_t)(end - name);
	}
	for (size_t i = 0; i < inspection->n; i++) {
		const struct changed_file *other = &inspection->files[i];
		if (other != file && !other->is_test && other->text &&
			memmem(other->text, other->n_text, name, n))
			return true;
	}
	return false;
}

/* By the words of its path: src/test-utils.ts, testing/helpers.py, mocks/clock.go. What comes with
 * the change could have any path, and is for tests only if the changed product does not name it. */
static bool code_is_for_tests(const struct inspection *inspection, const struct changed_file *file)
{
	static const char words[] =
		" test tests testing testutil testutils spec specs mock mocks fixture fixtures ";
	if (file->is_test)
		return true;
	for (const char *at = file->path; *at;) {
		size_t n = 0;
		while (isalnum((unsigned char)at[n]))
			n++;
		if (n && words_hold(words, at, n))
			return file->old_mode || !code_is_named(inspection, file);
		at += n ? n : 1;
	}
	return false;
}

/* Only the base is asked: a fix could say anything of itself. */
static bool code_is_program(const struct changed_file *file)
{
	static const char *const marks[] = {
		"int main(", "void main(", "func main()", "fn main()", "require.main", "__main__"};
	if (!file->old)
		return false;
	bool found = file->n_old > 2 && memcmp(file->old, "#!", 2) == 0;
	for (size_t i = 0; i < ARRAY_SIZE(marks) && !found; i++)
		found = code_has_text(file->old, file->n_old, marks[i]);
	return found;
}

static void code_read_text(const struct inspection *inspection, struct code *code,
	const struct language *language, struct words *words)
{
	code->language = language;
	if (!language)
		return;
	unsigned index = 0;
	while (languages[index] != code->language)
		index++;
	code->language_bit = 1U << index;
	code->for_tests = code_is_for_tests(inspection, code->file);
	code->is_program = code_is_program(code->file);
	code->says_time = code_has_text(code->text, code->n_text, "time") ||
		code_has_text(code->text, code->n_text, "now") ||
		code_has_text(code->text, code->n_text, "Date");
	code->says_kill = code_has_text(code->text, code->n_text, "kill");
	tokens_read(code->language, code->text, code->n_text, words, inspection->arena, &code->tokens);
}

/* A file whose name says nothing is in the language of the changed code that loads it. Whether it
 * became code. */
static bool code_read_loaded(struct inspection *inspection, size_t i, struct words *words)
{
	struct code *before = &inspection->before[i], *after = &inspection->after[i];
	const struct changed_file *file = after->file;
	const struct language *language = NULL;
	if (before->language || after->language || file->is_test)
		return false;
	for (size_t k = 0; k < inspection->n && !language; k++)
		if (code_loads(&inspection->after[k], file->path))
			language = inspection->after[k].language;
	if (code_is_text(file->old_mode, file->old, file->n_old))
		code_read_text(inspection, before, language, words);
	if (code_is_text(file->mode, file->text, file->n_text))
		code_read_text(inspection, after, language, words);
	return after->language;
}

void code_read(struct inspection *inspection, struct words *words)
{
	struct arena *arena = inspection->arena;
	inspection->before = arena_alloc(arena, (inspection->n + 1) * sizeof *inspection->before);
	inspection->after = arena_alloc(arena, (inspection->n + 1) * sizeof *inspection->after);
	for (size_t i = 0; i < inspection->n; i++) {
		const struct changed_file *file = &inspection->files[i];
		inspection->before[i] =
			(struct code){.file = file, .text = file->old, .n_text = file->n_old};
		inspection->after[i] =
			(struct code){.file = file, .text = file->text, .n_text = file->n_text};
		code_read_text(inspection, &inspection->before[i],
			code_language(file, file->old_mode, file->old, file->n_old), words);
		code_read_text(inspection, &inspection->after[i],
			code_language(file, file->mode, file->text, file->n_text), words);
	}
	for (bool is_more = true; is_more;) {
		is_more = false;
		for (size_t i = 0; i < inspection->n; i++)
			is_more |= code_read_loaded(inspection, i, words);
	}
}

bool code_is(const struct code *code, uint32_t i, const char *text)
{
	if (i >= code->tokens.n)
		return false;
	const struct token *token = &code->tokens.tokens[i];
	return code->text[token->start] == *text && strlen(text) == token->length &&
		memcmp(code->text + token->start, text, token->length) == 0;
}

bool code_in(const struct code *code, uint32_t i, const char *list)
{
	return i < code->tokens.n &&
		words_hold(list, code->text + code->tokens.tokens[i].start, code->tokens.tokens[i].length);
}

bool code_string(const struct code *code, uint32_t i, const char **ret_text, size_t *ret_n)
{
	if (i >= code->tokens.n)
		return false;
	const struct token *token = &code->tokens.tokens[i];
	if (token->kind != TOKEN_STRING && token->kind != TOKEN_OPEN)
		return false;
	const char *text = code->text + token->start, *end = text + token->length;
	while (text < end && isalpha((unsigned char)*text))
		text++;
	bool quoted = text < end && *text && strchr("\"'`", *text);
	if (!quoted)
		return false;
	char quote = *text;
	for (int n = 0; n < 3 && text < end && *text == quote; n++)
		text++;
	while (token->kind == TOKEN_STRING && end > text && end[-1] == quote)
		end--;
	*ret_text = text;
	*ret_n = (size_t)(end - text);
	return true;
}

/* In a shell a word ends at a space or an operator. */
static bool code_shell_word(
	const struct code *code, uint32_t i, const char **ret_text, size_t *ret_n)
{
	const struct token *tokens = code->tokens.tokens;
	const char *text = code->text + tokens[i].start, *end = code->text + code->n_text;
	bool goes_on = i && tokens[i - 1].start + tokens[i - 1].length == tokens[i].start &&
		!code_in(code, i - 1, " < > << >> ( $( ; | & && || = ");
	if (goes_on)
		return false;
	size_t n = 0;
	while (text + n < end && n < WORD_MOST && !strchr(" \t\r\n;|&<>()`", text[n]))
		n++;
	for (; n && strchr("\"'", *text); n--)
		text++;
	while (n && strchr("\"'", text[n - 1]))
		n--;
	*ret_text = text;
	*ret_n = n;
	return n > 0;
}

bool code_path(const struct code *code, uint32_t i, const char **ret_text, size_t *ret_n)
{
	if (i >= code->tokens.n)
		return false;
	const struct token *token = &code->tokens.tokens[i];
	if (code->language->traits & LANGUAGE_SIGILS)
		return code_shell_word(code, i, ret_text, ret_n);
	if (code_string(code, i, ret_text, ret_n))
		return true;
	bool is_piece =
		token->length > 1 && (token->kind == TOKEN_CLOSE || token->kind == TOKEN_STRING);
	const char *text = code->text + token->start, *end = text + token->length;
	if (!is_piece)
		return false;
	text += *text == '}';
	while (end > text && strchr("\"'`", end[-1]))
		end--;
	*ret_text = text;
	*ret_n = (size_t)(end - text);
	return true;
}

bool code_string_in(const struct code *code, uint32_t i, const char *list)
{
	const char *text;
	size_t n;
	return code_string(code, i, &text, &n) && n && words_hold(list, text, n);
}

bool code_expands(const struct code *code, uint32_t i, const char *list)
{
	if (!(code->language->traits & LANGUAGE_SIGILS))
		return false;
	const struct token *token = &code->tokens.tokens[i];
	const char *at = code->text + token->start, *end = at + token->length;
	while ((at = memchr(at, '$', (size_t)(end - at)))) {
		at += end - at > 1 && at[1] == '{' ? 2 : 1;
		size_t n = 0;
		while (at + n < end && (isalnum((unsigned char)at[n]) || at[n] == '_'))
			n++;
		if (n && words_hold(list, at, n))
			return true;
	}
	return false;
}

void code_around(const struct code *code, uint32_t i, uint32_t *ret_first, uint32_t *ret_end)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t first = i, end = i + 1;
	while (first && i - first < AROUND_MOST && tokens[first - 1].line == tokens[i].line)
		first--;
	while (end < code->tokens.n && end - i < AROUND_MOST && tokens[end].line == tokens[i].line)
		end++;
	*ret_first = first;
	*ret_end = end;
}

bool code_around_in(const struct code *code, uint32_t i, const char *list)
{
	uint32_t first, end;
	code_around(code, i, &first, &end);
	for (; first < end; first++)
		if (code_in(code, first, list))
			return true;
	return false;
}

bool code_around_says(const struct code *code, uint32_t i, const char *const *texts)
{
	uint32_t first, end;
	bool shell = code->language->traits & LANGUAGE_SIGILS;
	code_around(code, i, &first, &end);
	for (; first < end; first++) {
		const struct token *token = &code->tokens.tokens[first];
		const char *text = code->text + token->start;
		size_t n = token->length;
		bool says =
			token->kind == TOKEN_STRING || token->kind == TOKEN_OPEN || token->kind == TOKEN_CLOSE;
		if (shell && !says)
			says = code_shell_word(code, first, &text, &n);
		for (const char *const *at = texts; says && *at; at++)
			if (code_has_text(text, n, *at))
				return true;
	}
	return false;
}

uint32_t code_column(const struct code *code, uint32_t i)
{
	const char *token = code->text + code->tokens.tokens[i].start, *at = token;
	while (at > code->text && at[-1] != '\n' && token - at < COLUMN_MOST)
		at--;
	return (uint32_t)(token - at);
}

/* By indentation: the rest of the line, or the lines that begin to the right of the head's. */
uint32_t code_end_of_block(const struct code *code, uint32_t head, uint32_t first)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t start = code->tokens.line_first[tokens[head].line], column = code_column(code, start),
			 end = first;
	bool same_line = first < code->tokens.n && tokens[first].line == tokens[first - 1].line;
	for (; end < code->tokens.n && end - first < BLOCK_MOST; end++)
		if (tokens[end].line != tokens[end - 1].line &&
			(same_line || code_column(code, end) <= column))
			break;
	return end;
}

bool code_body(const struct code *code, uint32_t open, uint32_t *ret_first, uint32_t *ret_end)
{
	const struct token *tokens = code->tokens.tokens;
	if (tokens[open].match == NO_TOKEN)
		return false;
	bool indented = code->language->traits & LANGUAGE_INDENTED;
	uint32_t i = tokens[open].match + 1, most = i + HEAD_MOST;
	while (i < most && i < code->tokens.n &&
		!code_in(code, i, indented ? " : ; , ) " : " { => = ; , ) "))
		i++;
	if (i >= most || i >= code->tokens.n || code_in(code, i, " ; , ) "))
		return false;
	*ret_first = i + 1;
	if (code_is(code, i, "=>") && code_is(code, i + 1, "{"))
		*ret_first = ++i + 1;
	if (!code_is(code, i, "{"))
		*ret_end = code_end_of_block(code, open, i + 1);
	else if (tokens[i].match != NO_TOKEN)
		*ret_end = tokens[i].match;
	else
		return false;
	return true;
}

/* The token's line without its indentation; of a long one the part that begins near the token. */
static const char *code_line_of(const struct code *code, uint32_t i, size_t *ret_n)
{
	const char *token = code->text + code->tokens.tokens[i].start, *start = token;
	while (start > code->text && start[-1] != '\n' && token - start < EVIDENCE_MOST / 2)
		start--;
	while (start < token && isspace((unsigned char)*start))
		start++;
	size_t left = (size_t)(code->text + code->n_text - start), n = 0;
	while (n < left && n < EVIDENCE_MOST && start[n] != '\n' && start[n] != '\r')
		n++;
	*ret_n = n;
	return start;
}

void guard_find_code(struct inspection *inspection, const struct guard_rule *rule,
	const struct code *code, uint32_t i)
{
	size_t n;
	const char *text = code_line_of(code, i, &n);
	const char *line = arena_strndup(inspection->arena, text, n);
	guard_find(inspection, rule, code->file, (int)code->tokens.tokens[i].line, line);
}
