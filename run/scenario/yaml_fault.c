/* libyaml's errors, which speak of tokens and contexts, in the words of who wrote the file. */
#include "run/scenario/yaml_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define TAB "a tab cannot indent; use spaces"
#define COLON \
	"unexpected ':'; a text that holds it needs quotes, a key begins where its neighbours begin"

/* Where a fault's place is. */
enum fault_place {
	AT_STOP,    /* where libyaml stopped */
	AT_CONTEXT, /* where the context begins */
	WITH_LINE,  /* where libyaml stopped; the text names the context's line */
};

struct fault {
	const char *context, *problem; /* a part of what libyaml says; NULL: anything */
	enum fault_place place;
	char sign;        /* it begins something that is not read; or 0, and */
	const char *text; /* our words */
};

/* The first that fits counts. */
static const struct fault faults[] = {
	{"directive", NULL, AT_CONTEXT, '%', NULL},
	{NULL, "directive", AT_STOP, '%', NULL},
	{NULL, "incompatible YAML document", AT_STOP, '%', NULL},
	{"anchor", NULL, AT_CONTEXT, '&', NULL},
	{"alias", NULL, AT_CONTEXT, '*', NULL},
	{" tag", NULL, AT_CONTEXT, '!', NULL},
	{NULL, " tag handle", AT_CONTEXT, '!', NULL},
	{NULL, "tab character", AT_STOP, 0, TAB},
	{NULL, "values are not allowed", AT_STOP, 0, COLON},
	{NULL, "found unexpected ':'", AT_STOP, 0, COLON},
	{NULL, "keys are not allowed", AT_STOP, 0,
		"unexpected '?'; a text that begins with '? ' needs quotes"},
	{NULL, "entries are not allowed", AT_STOP, 0,
		"unexpected '-'; a list begins on a line of its own, a text that begins with '- ' needs "
		"quotes"},
	{NULL, "find expected ':'", AT_CONTEXT, 0, "expected ':' after this key"},
	{"quoted scalar", "found unexpected", AT_CONTEXT, 0, "this quote is never closed"},
	{NULL, "unknown escape", AT_STOP, 0,
		"unknown escape; in double quotes a backslash is written \\\\"},
	{NULL, "hexdecimal", AT_STOP, 0, "expected hexadecimal digits after \\x, \\u or \\U"},
	{NULL, "comment or line break", AT_STOP, 0, "expected the end of the line after '|' or '>'"},
	{NULL, "indicator equal to 0", AT_STOP, 0, "the indentation after '|' or '>' is 1 to 9"},
	{NULL, "node content", AT_STOP, 0, "expected a value"},
	{NULL, "<document start>", AT_STOP, 0,
		"unexpected text after the end of the document; is its indentation right?"},
	{NULL, "expected key", WITH_LINE, 0, "expected a key of the map"},
	{NULL, "'-' indicator", WITH_LINE, 0, "expected a '-' of the list"},
	{NULL, "',' or '}'", WITH_LINE, 0, "expected ',' or '}' in the map"},
	{NULL, "',' or ']'", WITH_LINE, 0, "expected ',' or ']' in the list"},
};

static bool fits(const char *part, const char *text)
{
	return !part || (text && strstr(text, part));
}

static const struct fault *find_fault(const yaml_parser_t *parser)
{
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		if (fits(faults[i].context, parser->context) && fits(faults[i].problem, parser->problem))
			return &faults[i];
	return NULL;
}

/* Whether a quoted text has ended on this line just before the cursor, as in 'it's' or "a" b. */
static bool is_behind_quote(const struct yaml_reader *reader)
{
	const char *before = reader->at;
	if (before == reader->end || strchr(",:]}\r\n", *before))
		return false;
	while (before > reader->text && (before[-1] == ' ' || before[-1] == '\t'))
		before--;
	return before > reader->text && (before[-1] == '"' || before[-1] == '\'');
}

/* What a look at the text says better than libyaml's words; NULL: nothing. */
static const char *fault_by_sight(const struct yaml_reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	char c = reader->at < reader->end ? *reader->at : '\0';
	if (fits("cannot start any token", parser->problem))
		return c == '\t'
			? TAB
			: arena_printf(reader->arena, "a text that begins with '%c' needs quotes", c);
	if (c == ':' && reader->here.column > 1024)
		return "unexpected ':'; a key is at most 1,024 characters long";
	if (fits("Unicode character escape", parser->problem))
		return arena_printf(reader->arena,
			"no character has this number; emoji are written \\U0001F600, and only in JSON as "
			"\\ud83d\\ude00%s",
			reader->not_json);
	if (parser->error == YAML_PARSER_ERROR && is_behind_quote(reader))
		return "unexpected text after a closing quote; in single quotes ' is written ''";
	if (fits("<document start>", parser->problem) && !reader->n_nodes)
		return "expected '---' after the directives; leave them out, they are not read";
	return NULL;
}

void yaml_add_fault(struct yaml_reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	if (parser->error == YAML_MEMORY_ERROR)
		abort(); /* as in base/memory.h: it is no fault of the text */
	const struct fault unknown = {.text = parser->problem ? parser->problem : "unknown fault"};
	const struct fault *known = find_fault(parser), *fault = known ? known : &unknown;
	yaml_seek(reader, parser->context_mark.index);
	int context_line = reader->here.line;
	if (fault->place != AT_CONTEXT)
		yaml_seek(reader, parser->problem_mark.index);
	const char *seen = fault_by_sight(reader);
	if (!seen && fault->sign)
		yaml_refuse_sign(reader, fault->sign);
	else if (!seen && fault->place == WITH_LINE)
		problems_add(
			reader->problems, reader->here, "%s that begins in line %d", fault->text, context_line);
	else
		problems_add(reader->problems, reader->here, "%s", seen ? seen : fault->text);
}
