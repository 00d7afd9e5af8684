/*
 * The assertion statements of a program that is its own test: Python's `assert`, and calls of
 * `console.assert`, `assert` and `assert.x` in JavaScript and TypeScript. A statement is found by
 * its first word outside strings, comments, templates and regular expressions, and ends where its
 * brackets do.
 */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "suite/suite.h"

enum language { LANGUAGE_OTHER, LANGUAGE_PYTHON, LANGUAGE_SCRIPT };

enum { DEEPEST = 64 }; /* templates within templates */

struct scan {
	enum language language;
	const char *text;
	size_t at;
	bool operand; /* what stands before is a value: then a slash divides */
	int depth;
};

static enum language language_of(const char *path)
{
	static const char *const script[] = {"js", "mjs", "cjs", "ts", "mts", "cts"};
	const char *suffix = file_suffix(path);
	if (strcmp(suffix, "py") == 0)
		return LANGUAGE_PYTHON;
	for (size_t i = 0; i < ARRAY_SIZE(script); i++)
		if (strcmp(suffix, script[i]) == 0)
			return LANGUAGE_SCRIPT;
	return LANGUAGE_OTHER;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static void step(struct scan *scan);

static void skip_line(struct scan *scan)
{
	scan->at += strcspn(scan->text + scan->at, "\n");
}

/* A string in `n` quotes; one in single quotes ends with its line. */
static void skip_string(struct scan *scan, size_t n)
{
	char quote[4] = "";
	memcpy(quote, scan->text + scan->at, n);
	for (scan->at += n; scan->text[scan->at]; scan->at++) {
		const char *at = scan->text + scan->at;
		if (*at == '\\' && at[1]) {
			scan->at++;
		} else if (n == 1 && *at == '\n') {
			return;
		} else if (strncmp(at, quote, n) == 0) {
			scan->at += n;
			return;
		}
	}
}

static void skip_template(struct scan *scan)
{
	scan->at++;
	while (scan->text[scan->at] && scan->text[scan->at] != '`') {
		const char *at = scan->text + scan->at;
		if (*at == '\\' && at[1]) {
			scan->at += 2;
		} else if (at[0] == '$' && at[1] == '{' && scan->depth < DEEPEST) {
			scan->at += 2;
			scan->depth++;
			for (int braces = 1; scan->text[scan->at];) {
				char c = scan->text[scan->at];
				braces += c == '{' ? 1 : c == '}' ? -1 : 0;
				if (!braces)
					break;
				step(scan);
			}
			scan->depth--;
		} else {
			scan->at++;
		}
	}
	scan->at += scan->text[scan->at] == '`';
}

static void skip_regex(struct scan *scan)
{
	bool in_set = false;
	for (scan->at++; scan->text[scan->at] && scan->text[scan->at] != '\n'; scan->at++) {
		char c = scan->text[scan->at];
		if (c == '\\' && scan->text[scan->at + 1])
			scan->at++;
		else if (c == '[' || c == ']')
			in_set = c == '[';
		else if (c == '/' && !in_set)
			break;
	}
	scan->at += scan->text[scan->at] == '/';
}

static void skip_word(struct scan *scan)
{
	static const char *const keywords[] = {"return", "typeof", "case", "in", "of", "delete",
		"void", "throw", "new", "else", "await"};
	const char *start = scan->text + scan->at;
	while (is_word(scan->text[scan->at]))
		scan->at++;
	size_t n = (size_t)(scan->text + scan->at - start);
	scan->operand = true;
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (strlen(keywords[i]) == n && memcmp(keywords[i], start, n) == 0)
			scan->operand = false;
}

static bool skip_comment(struct scan *scan)
{
	const char *at = scan->text + scan->at;
	bool python = scan->language == LANGUAGE_PYTHON;
	if (python ? *at == '#' : text_starts_with(at, "//")) {
		skip_line(scan);
		return true;
	}
	if (python || !text_starts_with(at, "/*"))
		return false;
	const char *end = strstr(at + 2, "*/");
	scan->at = end ? (size_t)(end + 2 - scan->text) : strlen(scan->text);
	return true;
}

/* Past one token: a comment, a string, a word, or a single character. */
static void step(struct scan *scan)
{
	const char *at = scan->text + scan->at;
	if (skip_comment(scan))
		return;
	if (*at == '"' || *at == '\'') {
		bool tripled = scan->language == LANGUAGE_PYTHON && at[1] == *at && at[2] == *at;
		skip_string(scan, tripled ? 3 : 1);
		scan->operand = true;
	} else if (*at == '`' && scan->language == LANGUAGE_SCRIPT) {
		skip_template(scan);
		scan->operand = true;
	} else if (*at == '/' && scan->language == LANGUAGE_SCRIPT && !scan->operand) {
		skip_regex(scan);
		scan->operand = true;
	} else if (is_word(*at)) {
		skip_word(scan);
	} else {
		scan->at++;
		if (!isspace((unsigned char)*at))
			scan->operand = *at == ')' || *at == ']' || *at == '}';
	}
}

static bool starts_word(const struct scan *scan, const char *word)
{
	const char *at = scan->text + scan->at;
	return text_starts_with(at, word) && !is_word(at[strlen(word)]) &&
	       (!scan->at || (!is_word(at[-1]) && at[-1] != '.'));
}

/* Behind Python's statement: at the end of its logical line, without what follows it there. */
static void end_python(struct scan *scan)
{
	size_t end = scan->at;
	for (int depth = 0; scan->text[scan->at];) {
		char c = scan->text[scan->at];
		if ((c == '\n' || c == ';' || c == '#') && depth <= 0)
			break;
		depth += strchr("([{", c) ? 1 : strchr(")]}", c) ? -1 : 0;
		if (c == '\\' && scan->text[scan->at + 1] == '\n')
			scan->at++;
		step(scan);
		if (!isspace((unsigned char)c) && c != '#' && c != '\\')
			end = scan->at;
	}
	scan->at = end;
}

/* Behind the call of `console.assert`, `assert` or `assert.x`; false where it is none. */
static bool end_script(struct scan *scan)
{
	struct scan ahead = *scan;
	const char *text = scan->text;
	if (starts_word(scan, "console")) {
		if (!text_starts_with(text + scan->at, "console.assert"))
			return false;
		ahead.at += strlen("console.");
	}
	ahead.at += strlen("assert");
	while (text[ahead.at] == '.' || is_word(text[ahead.at]))
		ahead.at++;
	ahead.at += strspn(text + ahead.at, " \t");
	if (text[ahead.at] != '(')
		return false;
	int depth = 0;
	do {
		char c = text[ahead.at];
		depth += c == '(' ? 1 : c == ')' ? -1 : 0;
		step(&ahead);
	} while (depth > 0 && text[ahead.at]);
	ahead.at += text[ahead.at] == ';';
	*scan = ahead;
	return true;
}

/* Whether the word before is `function`: then `assert` is being made here, not called. */
static bool is_definition(const char *text, size_t at)
{
	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	return at >= 8 && memcmp(text + at - 8, "function", 8) == 0;
}

size_t program_assertions(const char *path, const char *text, struct arena *arena,
	size_t **ret_starts, size_t **ret_ends)
{
	struct scan scan = {.language = language_of(path), .text = text};
	size_t *starts = NULL, *ends = NULL, n = 0;
	while (scan.language != LANGUAGE_OTHER && text[scan.at]) {
		size_t start = scan.at;
		bool found = false;
		if (scan.language == LANGUAGE_PYTHON && starts_word(&scan, "assert")) {
			end_python(&scan);
			found = true;
		} else if (scan.language == LANGUAGE_SCRIPT && !is_definition(text, start) &&
			   (starts_word(&scan, "console") || starts_word(&scan, "assert"))) {
			found = end_script(&scan);
		}
		if (!found) {
			step(&scan);
			continue;
		}
		size_t count = n;
		ARENA_PUSH(arena, starts, n, start);
		ARENA_PUSH(arena, ends, count, scan.at);
	}
	*ret_starts = starts;
	*ret_ends = ends;
	return n;
}

/* Python's indentation belongs to the statement: further in, it would run under a condition. */
static size_t with_indentation(const char *path, const char *text, size_t start)
{
	size_t at = start;
	while (at && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	bool is_first = !at || text[at - 1] == '\n';
	return language_of(path) == LANGUAGE_PYTHON && is_first ? at : start;
}

bool program_keeps_assertions(const char *path, const char *old, const char *fixed,
	struct arena *arena, const char **ret_missing)
{
	size_t *starts, *ends, *fixed_starts, *fixed_ends, next = 0;
	size_t n = program_assertions(path, old, arena, &starts, &ends);
	size_t n_fixed = program_assertions(path, fixed, arena, &fixed_starts, &fixed_ends);
	for (size_t i = 0; i < n; i++) {
		const char *statement = old + with_indentation(path, old, starts[i]);
		size_t length = (size_t)(old + ends[i] - statement);
		for (; next < n_fixed; next++) {
			size_t start = with_indentation(path, fixed, fixed_starts[next]);
			const char *other = fixed + start;
			if (fixed_ends[next] - start == length &&
				memcmp(other, statement, length) == 0)
				break;
		}
		if (next++ < n_fixed)
			continue;
		*ret_missing = arena_strndup(arena, old + starts[i], ends[i] - starts[i]);
		return false;
	}
	return true;
}

const char *program_with_token(
	const char *path, const char *text, const char *token, struct arena *arena)
{
	switch (language_of(path)) {
	case LANGUAGE_PYTHON:
		return arena_printf(arena, "%s\nprint('%s')\n", text, token);
	case LANGUAGE_SCRIPT:
		return arena_printf(arena, "%s\n;console.log('%s');\n", text, token);
	case LANGUAGE_OTHER:
		break;
	}
	return NULL;
}
