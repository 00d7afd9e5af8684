/* The examples of doctest in a string: what is typed after ">>> ", and what is expected below it.
 * */
#include <string.h>

#include "verify/suite/program/parts.h"

struct example_line {
	size_t indentation, n; /* n: without the newline */
	bool is_blank;
};

static struct example_line example_line(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	struct example_line line = {.n = (size_t)((newline ? newline : end) - at)};
	while (line.indentation < line.n && strchr(" \t\r\f\v", at[line.indentation]))
		line.indentation++;
	line.is_blank = line.indentation == line.n;
	return line;
}

static bool example_is_prompt(const char *at, const struct example_line *line, const char *prompt)
{
	const char *text = at + line->indentation;
	size_t n = line->n - line->indentation;
	return n >= 3 && memcmp(text, prompt, 3) == 0 && (n == 3 || text[3] == ' ' || text[3] == '\r');
}

/* The end of the example at `at`: a blank line, or the next example. */
static const char *example_end(const char *at, const char *end)
{
	struct example_line line = example_line(at, end);
	const char *after = at + line.n;
	bool typing = true;
	while (after < end) {
		const char *next = after + 1;
		line = example_line(next, end);
		typing = typing && example_is_prompt(next, &line, "...");
		if (!typing && (line.is_blank || example_is_prompt(next, &line, ">>>")))
			break;
		after = next + line.n;
	}
	return after;
}

void program_add_examples(struct program_text *program, uint32_t i)
{
	const struct token *token = &program->list.tokens[i];
	const char *at = program->text + token->start, *end = at + token->length;
	size_t quotes = 0;
	at += strcspn(at, "\"'");
	while (quotes < 3 && at + quotes < end && at[quotes] == *at)
		quotes++;
	if (quotes < 3 || token->length < 6)
		return;
	at += quotes;
	end -= quotes;
	while (at < end) {
		struct example_line line = example_line(at, end);
		const char *after = at + line.n;
		if (example_is_prompt(at, &line, ">>>")) {
			after = example_end(at, end);
			struct program_part *part = program_add(program, PART_EXAMPLE, i, i);
			part->start = (size_t)(at + line.indentation - program->text);
			part->end = (size_t)(after - program->text);
		}
		at = after + 1;
	}
}
