/* The rows of a rule: a choice in a pattern, "import|from os", makes one for each of its words. */
#include <string.h>

#include "verify/guard/code.h"

/* The length of "a" in "a|b"; of the operators "|" and "||" their own. */
static size_t rows_choice_length(const char *choice)
{
	const char *quote = *choice == '"' ? strchr(choice + 1, '"') : NULL;
	size_t n = quote ? (size_t)(quote - choice) + 1 : strcspn(choice, " |");
	return n ? n : strcspn(choice, " ");
}

/* The first element of a pattern that is a choice, and its end; NULL: there is none. */
static const char *rows_find_choice(const char *pattern, const char **ret_end)
{
	for (const char *at = pattern, *end; *at; at = end + strspn(end, " ")) {
		end = at + rows_choice_length(at);
		bool is_choice = *end == '|';
		while (*end == '|')
			end += 1 + rows_choice_length(end + 1);
		*ret_end = end;
		if (is_choice)
			return at;
	}
	return NULL;
}

struct rows {
	struct reach *rows;
	size_t n;
};

static void rows_add(struct rows *list, struct arena *arena, struct reach reach)
{
	const char *pattern = reach.pattern, *end;
	const char *choice = rows_find_choice(pattern, &end);
	if (!choice)
		ARENA_PUSH(arena, list->rows, list->n, reach);
	for (const char *at = choice; at && at < end; at += *at == '|') {
		int n = (int)rows_choice_length(at);
		reach.pattern =
			arena_printf(arena, "%.*s%.*s%s", (int)(choice - pattern), pattern, n, at, end);
		rows_add(list, arena, reach);
		at += n;
	}
}

const struct reach *reach_rows(const struct guard_rule *rule, struct arena *arena)
{
	struct rows list = {.n = 0};
	const struct reach *reach = rule->reaches;
	for (; reach && reach->pattern; reach++)
		rows_add(&list, arena, *reach);
	ARENA_PUSH(arena, list.rows, list.n, (struct reach)REACH_END);
	return list.rows;
}
