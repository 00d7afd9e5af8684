/* Option tables on a command line: reading its words. */
#include <string.h>

#include "base/option.h"

/* What a word such as "--turns", "--turns=5", "-j" or "-j4" means; or NULL. */
static const struct option *option_of_word(const struct option *table, const char *word)
{
	size_t size = strcspn(word + 2, "=");
	for (const struct option *option = table; option->name; option++) {
		bool has_letter = option->letter == word[1] && (!word[2] || !option_is_flag(option));
		bool has_name = strlen(option->name) == size && strncmp(option->name, word + 2, size) == 0;
		if (word[1] == '-' ? has_name : has_letter)
			return option;
	}
	return NULL;
}

static int option_unknown_word(const struct option_group *groups, const char *word,
	struct arena *arena, struct rondo_error *err)
{
	const char **names = NULL;
	size_t n = 0;
	if (word[1] != '-')
		return error_set(err, RONDO_ERROR_USAGE, "unknown option '%s'", word);
	for (const struct option_group *group = groups; group->table; group++)
		for (const struct option *option = group->table; option->name; option++)
			ARENA_PUSH(arena, names, n, option->name);
	const char *name = arena_strndup(arena, word + 2, strcspn(word + 2, "="));
	const char *near = text_nearest(name, names, n);
	return error_set(err, RONDO_ERROR_USAGE, "unknown option '--%s'%s%s%s", name,
		near ? ", did you mean '--" : "", near ? near : "", near ? "'?" : "");
}

/* The value of an option: in the same word, in the next one, or that it is there. */
static const char *option_value(
	const struct option *option, const char *const *arguments, size_t n, size_t *at)
{
	const char *word = arguments[*at], *equals = strchr(word, '=');
	if (word[1] == '-' ? equals != NULL : word[2] != '\0')
		return word[1] == '-' ? equals + 1 : word + 2;
	if (option_is_flag(option))
		return "true";
	return *at + 1 < n ? arguments[++*at] : NULL;
}

/* One option at arguments[*at]; moves *at to the last word that it took. */
static int option_read_one(const struct option_group *groups, struct arena *arena,
	const char *const *arguments, size_t n, size_t *at, struct rondo_error *err)
{
	const char *word = arguments[*at];
	const struct option *option = NULL;
	const struct option_group *group = groups;
	for (; group->table && !(option = option_of_word(group->table, word)); group++)
		;
	if (!option)
		return option_unknown_word(groups, word, arena, err);
	const char *value = option_value(option, arguments, n, at);
	if (!value)
		return error_set(err, RONDO_ERROR_USAGE, "option '%s' needs a value: %s", word,
			option->argument ? option->argument : "VALUE");
	if (option_set(option, group->state, arena, value, err) < 0)
		return error_prefix(err, "option '--%s'", option->name);
	return 0;
}

int option_read_arguments(const struct option_group *groups, struct arena *arena,
	const char *const *arguments, size_t n, struct option_strings *operands,
	struct rondo_error *err)
{
	bool only_operands = false;
	for (size_t i = 0; i < n; i++) {
		const char *word = arguments[i];
		if (!only_operands && strcmp(word, "--") == 0) {
			only_operands = true;
		} else if (!only_operands && word[0] == '-' && word[1]) {
			if (option_read_one(groups, arena, arguments, n, &i, err) < 0)
				return -1;
		} else {
			ARENA_PUSH(arena, operands->items, operands->n, word);
		}
	}
	return 0;
}
