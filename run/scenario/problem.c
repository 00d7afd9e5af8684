#include "run/scenario/problem.h"

#include <string.h>

#include "base/utf8.h"

#define MOST_PROBLEMS 1000

static bool problem_is_of(const struct problem *problem, const char *origin)
{
	return strcmp(problem->place.origin, origin) == 0;
}

static bool problem_is_before(const struct option_place *a, const struct option_place *b)
{
	return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Where a new one belongs: after all of its origin but those that stand behind it. */
static size_t problem_index(const struct problems *problems, const struct option_place *place)
{
	const struct problem *items = problems->items;
	size_t at = problems->n;
	while (at && !problem_is_of(&items[at - 1], place->origin))
		at--;
	if (!at)
		return problems->n;
	while (at && problem_is_of(&items[at - 1], place->origin) &&
		problem_is_before(place, &items[at - 1].place))
		at--;
	return at;
}

void problems_add(struct problems *problems, struct option_place place, const char *format, ...)
{
	if (problems->n == MOST_PROBLEMS) {
		problems->n_left_out++;
		return;
	}
	char text[1024];
	va_list args;
	va_start(args, format);
	utf8_vformat(text, sizeof text, format, args);
	va_end(args);
	struct problem problem = {place, arena_strdup(problems->arena, text)};
	size_t at = problem_index(problems, &place), n_after = problems->n - at;
	ARENA_PUSH(problems->arena, problems->items, problems->n, problem);
	memmove(&problems->items[at + 1], &problems->items[at], n_after * sizeof problem);
	problems->items[at] = problem;
}

void notices_addv(struct option_strings *notices, struct option_place place, struct arena *arena,
	const char *format, va_list args)
{
	char text[1024];
	utf8_vformat(text, sizeof text, format, args);
	ARENA_PUSH(arena, notices->items, notices->n,
		arena_printf(arena, "%s:%d:%d: %s", place.origin, place.line, place.column, text));
}

void notices_add(struct option_strings *notices, struct option_place place, struct arena *arena,
	const char *format, ...)
{
	va_list args;
	va_start(args, format);
	notices_addv(notices, place, arena, format, args);
	va_end(args);
}

/* As utf8_show, and on one line: keys and file names may hold newlines. */
static void show(struct strbuf *sb, const char *text)
{
	AUTO_STRBUF visible = STRBUF_INIT(STRBUF_LINE);
	utf8_show(&visible, text);
	for (const char *c = visible.text; *c; c++)
		strbuf_add(sb, *c == '\n' ? "\\n" : c, *c == '\n' ? 2 : 1);
}

static void print_one(const struct problem *problem, struct strbuf *sb)
{
	show(sb, problem->place.origin);
	if (problem->place.line)
		strbuf_addf(sb, ":%d:%d", problem->place.line, problem->place.column);
	strbuf_adds(sb, ": ");
	show(sb, problem->text);
	strbuf_addc(sb, '\n');
}

void problems_print(const struct problems *problems, struct strbuf *sb)
{
	for (size_t i = 0; i < problems->n; i++)
		print_one(&problems->items[i], sb);
	if (problems->n_left_out)
		strbuf_addf(sb, "... and %zu more\n", problems->n_left_out);
}

int problems_error(const struct problems *problems, struct rondo_error *err)
{
	const size_t room = sizeof err->message - sizeof "... and 18446744073709551615 more";
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	size_t n = 0;
	for (; n < problems->n; n++) {
		AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
		print_one(&problems->items[n], &line);
		if (n && text.length + line.length > room)
			break;
		strbuf_add(&text, line.text, line.length);
	}
	size_t rest = problems->n - n + problems->n_left_out;
	if (!problems->n)
		return 0;
	if (rest)
		strbuf_addf(&text, "... and %zu more", rest);
	strbuf_rtrim(&text);
	return error_set(
		err, problems->is_transient ? RONDO_ERROR_TRANSIENT : RONDO_ERROR_USAGE, "%s", text.text);
}
