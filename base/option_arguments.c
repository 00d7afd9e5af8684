/* Option tables on a command line: reading its words, and help. */
#include <stdio.h>
#include <string.h>

#include "base/option.h"

static const struct option *by_letter(
	const struct option *table, const char *word, struct rondo_error *err)
{
	for (const struct option *option = table; option->name; option++)
		if (option->letter && option->letter == word[1] && (!word[2] || option->kind != OPTION_BOOL))
			return option;
	error_set(err, RONDO_ERROR_USAGE, "unknown option '%s'", word);
	return NULL;
}

/* One option at arguments[*at]; moves *at to the last word that it took. */
static int read_option(const struct option *table, void *state, struct arena *arena,
	const char *const *arguments, size_t n, size_t *at, struct rondo_error *err)
{
	const char *word = arguments[*at], *value = NULL;
	const struct option *option;
	if (word[1] == '-') {
		const char *equals = strchr(word, '=');
		size_t size = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
		option = option_find(table, arena_strndup(arena, word + 2, size), "option", err);
		value = equals ? equals + 1 : NULL;
	} else {
		option = by_letter(table, word, err);
		value = word[2] ? word + 2 : NULL; /* -j4 */
	}
	if (!option)
		return -1;
	if (!value && option->kind == OPTION_BOOL)
		value = "true";
	if (!value && *at + 1 == n)
		return error_set(err, RONDO_ERROR_USAGE, "option '%s' needs a value: %s", word,
			option->argument ? option->argument : "VALUE");
	if (!value)
		value = arguments[++*at];
	if (option_set(option, state, arena, value, err) < 0)
		return error_prefix(err, "option '--%s'", option->name);
	return 0;
}

int option_read_arguments(const struct option *table, void *state, struct arena *arena,
	const char *const *arguments, size_t n, struct option_strings *operands,
	struct rondo_error *err)
{
	bool only_operands = false;
	for (size_t i = 0; i < n; i++) {
		const char *word = arguments[i];
		if (!only_operands && strcmp(word, "--") == 0) {
			only_operands = true;
		} else if (!only_operands && word[0] == '-' && word[1]) {
			if (read_option(table, state, arena, arguments, n, &i, err) < 0)
				return -1;
		} else {
			ARENA_PUSH(arena, operands->items, operands->n, word);
		}
	}
	return 0;
}

void option_help(const struct option *table, struct strbuf *sb)
{
	for (const struct option *option = table; option->name; option++) {
		char names[64], letter[8] = "    ";
		if (option->letter)
			snprintf(letter, sizeof letter, "-%c, ", option->letter);
		snprintf(names, sizeof names, "%s--%s%s%s", letter, option->name,
			option->argument ? " " : "", option->argument ? option->argument : "");
		strbuf_addf(sb, "  %-24s %s", names, option->help);
		if (option->fallback && option->kind != OPTION_BOOL)
			strbuf_addf(sb, " (default: %s)", option->fallback);
		strbuf_addc(sb, '\n');
	}
}
