/*
 * Places that a runner prints: Python's 'File "a.py", line 3', pytest's "a.py:3: in f", node's "at
 * f (/x/a.js:3:9)", gcc's, go's and rustc's "a.c:3", Perl's "at A.pm line 3", PHP's "in a.php on
 * line 3" and "a.php(3)". A path and a number close to each other are enough: a path that is none
 * of our files is dropped.
 */
#include "repair/localise/trace.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool trace_is_path_byte(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_./-+@~%", c)) || (unsigned char)c >= 0x80;
}

/* Whether `path` ends with `end`, at a slash. */
static bool trace_ends_at_slash(const char *path, size_t n, const char *end, size_t end_n)
{
	return end_n && n >= end_n && memcmp(path + n - end_n, end, end_n) == 0 &&
		(n == end_n || path[n - end_n - 1] == '/');
}

struct source *repair_source(struct repair *repair, const char *path, size_t n)
{
	struct source *longest = NULL, *only = NULL;
	size_t shorter = 0; /* how many the path is only the end of */
	if (n > 2 && memcmp(path, "./", 2) == 0) {
		path += 2;
		n -= 2;
	}
	for (size_t i = 0; i < repair->n; i++) {
		struct source *source = &repair->sources[i];
		const char *own = source->file->path;
		size_t own_n = strlen(own);
		if (trace_ends_at_slash(path, n, own, own_n)) {
			if (!longest || own_n > strlen(longest->file->path))
				longest = source;
		} else if (trace_ends_at_slash(own, own_n, path, n)) {
			only = source;
			shorter++;
		}
	}
	return longest ? longest : shorter == 1 ? only : NULL;
}

/* The number of a line after a path that ends here; NULL: there is none. */
static const char *trace_after_path(const char *at)
{
	static const char *const words[] = {"\", line ", " line ", " on line "};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (text_starts_with(at, words[i]))
			return at + strlen(words[i]);
	bool bracketed = *at == '(' && at[1 + strspn(at + 1, "0123456789")] == ')';
	return *at == ':' || bracketed ? at + 1 : NULL;
}

/* Whether a line ends as Unity prints it of a test that passes: its place is no failure's. */
static bool trace_is_of_pass(const char *at)
{
	return text_n_ends_with(at, strcspn(at, "\r\n"), ":PASS");
}

bool trace_next_place(
	struct repair *repair, const char *text, const char **at, struct place *ret_place)
{
	for (; (*at = strpbrk(*at, ":\"( ")); ++*at) {
		const char *end = *at, *start = *at, *number = trace_after_path(*at);
		if (!number)
			continue;
		while (start > text && trace_is_path_byte(start[-1]))
			start--;
		/* A path has a suffix; "12:30" and "error: 3" have none. */
		if (!isdigit((unsigned char)*number) || !memchr(start, '.', (size_t)(end - start)))
			continue;
		struct source *source = repair_source(repair, start, (size_t)(end - start));
		unsigned long line = strtoul(number, NULL, 10);
		if (!source || line < 1 || line > source->n_lines || trace_is_of_pass(number))
			continue;
		*ret_place = (struct place){source, (uint32_t)line};
		++*at;
		return true;
	}
	return false;
}

void repair_trace(struct repair *repair, const char *text)
{
	struct place place;
	for (const char *at = text; trace_next_place(repair, text, &at, &place);)
		place.source->traced[place.line] = true;
}

static void trace_add_name(
	const struct repair *repair, const char **names, size_t *n_names, const char *text, size_t n)
{
	for (size_t i = 0; i < *n_names; i++)
		if (strlen(names[i]) == n && memcmp(names[i], text, n) == 0)
			return;
	if (n > 1 && *n_names < UNKNOWN_MOST)
		names[(*n_names)++] = arena_strndup(repair->arena, text, n);
}

static void trace_blame(struct repair *repair, const char *text, size_t n)
{
	trace_add_name(repair, repair->unknown, &repair->n_unknown, text, n);
	struct term *word = term_of(words_find(&repair->words, text, n));
	if (word)
		word->blamed = true;
}

static size_t trace_name_length(const char *text)
{
	size_t n = *text && strchr("$@%", *text);
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return n;
}

/* A module that is not there, by each part of its path; and what may be meant instead. */
static void trace_find_modules(struct repair *repair, const char *line, size_t n)
{
	static const char *const modules[] = {"No module named '", "Cannot find module '",
		"Cannot find package '", "unresolved import `", "unresolved module or unlinked crate `",
		"package "};
	static const char *const meant[] = {"id you mean '", "id you mean \xe2\x80\x98",
		"id you mean `", "id you mean: '", "similar name exists: `"};
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		const char *at = memmem(line, n, modules[i], strlen(modules[i]));
		bool is_word = text_ends_with(modules[i], " ");
		if (!at || (is_word && !memmem(line, n, " is not in std", 14)))
			continue;
		at += strlen(modules[i]);
		for (const char *end = at + strcspn(at, is_word ? " \n" : "'`\n"); at < end; at++) {
			size_t length = trace_name_length(at);
			length = length < (size_t)(end - at) ? length : (size_t)(end - at);
			trace_add_name(repair, repair->unknown, &repair->n_unknown, at, length);
			at += length;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(meant); i++) {
		const char *at = memmem(line, n, meant[i], strlen(meant[i]));
		if (at)
			trace_add_name(repair, repair->suggested, &repair->n_suggested, at + strlen(meant[i]),
				trace_name_length(at + strlen(meant[i])));
	}
}

static bool trace_is_like_unknown(const struct repair *repair, const char *text, size_t n)
{
	for (size_t i = 0; i < repair->n_unknown; i++) {
		const char *name = repair->unknown[i];
		size_t length = strlen(name);
		if ((length == n && memcmp(name, text, n) == 0) || spelling_is_near(text, n, name, length))
			return true;
	}
	return false;
}

bool repair_says_unknown(const struct repair *repair, const struct source *source, uint32_t line)
{
	uint32_t first = source->line_first[line];
	if (!repair->n_unknown || first == source->line_first[line + 1])
		return false;
	const char *at = source->file->text + line_start(source, first);
	const char *end = source->file->text + line_stop(source, first);
	for (size_t n; at < end; at += n + !n) {
		n = name_length(at, (size_t)(end - at));
		if (n && trace_is_like_unknown(repair, at, n))
			return true;
	}
	return false;
}

/* One line of an error message. */
static void trace_blame_line(struct repair *repair, const char *line, size_t n)
{
	static const char *const after[] = {
		" is not defined", " is not a function", " undefined", " undeclared"};
	static const char *const before[] = {"undefined: ", "undefined reference to `",
		"no attribute '", "name '", "local variable '", "cannot import name '",
		"cannot find value `", "cannot find function `",
		"implicit declaration of function \xe2\x80\x98", "implicit declaration of function '",
		"error: \xe2\x80\x98", "symbol:   class ", "symbol:   variable ", "symbol:   method ",
		"global '", "field '", "local '", "upvalue '", "method '", "undefined function ",
		"Undefined variable ", "undefined variable ", "Undefined constant \"",
		"Undefined array key \"", "Undefined subroutine &main::", "Global symbol \"", "Bareword \"",
		"object method \"", "uninitialized value "};
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		const char *at = memmem(line, n, before[i], strlen(before[i]));
		if (at)
			trace_blame(repair, at + strlen(before[i]), trace_name_length(at + strlen(before[i])));
	}
	for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
		const char *end = memmem(line, n, after[i], strlen(after[i])), *start = end;
		if (end && end > line && strchr("'`", end[-1]))
			start = --end;
		while (start && start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
			start--;
		if (end > start)
			trace_blame(repair, start, (size_t)(end - start));
	}
}

bool names_exception(const char *name, size_t n)
{
	static const char *const ends[] = {"Error", "Exception"};
	for (size_t i = 0; isupper((unsigned char)name[0]) && i < ARRAY_SIZE(ends); i++)
		if (text_n_ends_with(name, n, ends[i]))
			return true;
	return false;
}

/* "KeyError: 'x'" and "java.util.NoSuchElementException"; pytest puts an E before. */
static void trace_find_thrown(struct repair *repair, const char *line, size_t n)
{
	const char *at = line, *end = line + n;
	at += strspn(at, " ");
	if (at + 1 < end && at[0] == 'E' && at[1] == ' ')
		at += 1 + strspn(at + 1, " ");
	for (size_t length; at < end; at += length + 1) {
		length = trace_name_length(at);
		if (at + length < end && at[length] == '.')
			continue;
		bool is_whole = at + length == end || at[length] == ':';
		if (is_whole && names_exception(at, length) && !text_starts_with(at, "Assertion"))
			trace_add_name(repair, repair->thrown, &repair->n_thrown, at, length);
		return;
	}
}

void repair_blame(struct repair *repair, const char *text)
{
	static const char *const of_types[] = {"TypeError", "ValueError: invalid literal",
		"is not a function", "is not iterable", "incompatible types", "ClassCastException",
		"mismatched types", "attempt to compare", "attempt to perform arithmetic",
		"attempt to concatenate", "not an integer", "'float' object has no", "'int' object has no",
		"'str' object has no", "'bytes' object has no", "'list' object has no",
		"'tuple' object has no", "'dict' object has no", "'set' object has no", NULL};
	static const char *const of_nothing[] = {"NoneType", "of undefined", "of null",
		"NullPointerException", "nil pointer", "undefined method", "a nil value", " on null",
		"an undefined value", "uninitialized value", NULL};
	static const char *const of_memory[] = {"Segmentation fault", "SIGSEGV", NULL};
	static const char *const of_builds[] = {"mismatched types", "cannot use ",
		"undefined: ", "and not used", "incompatible types", "error[E", ": error: ", NULL};
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		trace_blame_line(repair, text, n);
		trace_find_modules(repair, text, n);
		trace_find_thrown(repair, text, n);
		repair->is_mistyped |= text_n_holds_any(text, n, of_types);
		repair->is_absent |= text_n_holds_any(text, n, of_nothing);
		repair->is_crashed |= text_n_holds_any(text, n, of_memory);
		repair->is_unbuilt |= text_n_holds_any(text, n, of_builds);
	}
}
