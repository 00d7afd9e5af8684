/* libyaml's errors, which speak of tokens and contexts, in the words of who wrote the file. */
#include "run/scenario/yaml_reader.h"

#include <string.h>

#include "base/memory.h"

#define COLON \
	"unexpected ':'; a text that holds it needs quotes, a key begins where its neighbours begin"

struct fault {
	const char *context, *problem; /* a part of what libyaml says; NULL: anything */
	const char *text;              /* ours; NULL: `sign` begins something that is not read */
	char sign;
	bool at_context;    /* its place is where the context begins; else where libyaml stopped */
	bool names_context; /* the context's line belongs to the text */
};

/* The first that fits counts. */
static const struct fault faults[] = {
	{.context = "directive", .sign = '%', .at_context = true},
	{.problem = "directive", .sign = '%'},
	{.problem = "incompatible YAML document", .sign = '%'},
	{.context = "anchor", .sign = '&', .at_context = true},
	{.context = "alias", .sign = '*', .at_context = true},
	{.context = " tag", .sign = '!', .at_context = true},
	{.problem = " tag handle", .sign = '!', .at_context = true},
	{.problem = "tab character", .text = "a tab cannot indent; use spaces"},
	{.problem = "values are not allowed", .text = COLON},
	{.problem = "found unexpected ':'", .text = COLON},
	{.problem = "keys are not allowed",
		.text = "unexpected '?'; a text that begins with '? ' needs quotes"},
	{.problem = "entries are not allowed",
		.text = "unexpected '-'; a list begins on a line of its own, a text that begins with '- ' "
				"needs quotes"},
	{.problem = "find expected ':'", .text = "expected ':' behind this key", .at_context = true},
	{.context = "quoted scalar",
		.problem = "found unexpected",
		.text = "this quote is never closed",
		.at_context = true},
	{.problem = "unknown escape",
		.text = "unknown escape; in double quotes a backslash is written \\\\"},
	{.problem = "hexdecimal", .text = "expected hexadecimal digits behind \\x, \\u or \\U"},
	{.problem = "comment or line break", .text = "expected the end of the line behind '|' or '>'"},
	{.problem = "indicator equal to 0", .text = "the indentation behind '|' or '>' is 1 to 9"},
	{.problem = "node content", .text = "expected a value"},
	{.problem = "<document start>",
		.text = "unexpected text behind the end of the document; is its indentation right?"},
	{.problem = "expected key", .text = "expected a key of the map", .names_context = true},
	{.problem = "'-' indicator", .text = "expected a '-' of the list", .names_context = true},
	{.problem = "',' or '}'", .text = "expected ',' or '}' in the map", .names_context = true},
	{.problem = "',' or ']'", .text = "expected ',' or ']' in the list", .names_context = true},
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

/* What a glance at the text tells better than libyaml's words. */
static bool add_by_sight(struct yaml_reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	char c = reader->at < reader->end ? *reader->at : '\0';
	if (fits("cannot start any token", parser->problem) && c == '\t')
		problems_add(reader->problems, reader->here, "a tab cannot indent; use spaces");
	else if (fits("cannot start any token", parser->problem))
		problems_add(
			reader->problems, reader->here, "a text that begins with '%c' needs quotes", c);
	else if (c == ':' && reader->here.column > 1024)
		problems_add(reader->problems, reader->here,
			"unexpected ':'; a key is at most 1,024 characters long");
	else if (fits("Unicode character escape", parser->problem))
		problems_add(reader->problems, reader->here,
			"no character has this number; emoji are written \\U0001F600, and only in JSON as "
			"\\ud83d\\ude00%s",
			reader->not_json);
	else if (parser->error == YAML_PARSER_ERROR && is_behind_quote(reader))
		problems_add(reader->problems, reader->here,
			"unexpected text behind a closing quote; in single quotes ' is written ''");
	else if (fits("<document start>", parser->problem) && !reader->n_nodes)
		problems_add(reader->problems, reader->here,
			"expected '---' behind the directives; leave them out, they are not read");
	else
		return false;
	return true;
}

void yaml_add_fault(struct yaml_reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	const struct fault *fault = find_fault(parser);
	yaml_seek(reader, parser->context_mark.index);
	int context_line = reader->here.line;
	if (!fault || !fault->at_context)
		yaml_seek(reader, parser->problem_mark.index);
	if (add_by_sight(reader))
		return;
	if (!fault)
		problems_add(reader->problems, reader->here, "%s",
			parser->problem ? parser->problem : "out of memory");
	else if (!fault->text)
		yaml_refuse_sign(reader, fault->sign);
	else if (fault->names_context)
		problems_add(
			reader->problems, reader->here, "%s that begins in line %d", fault->text, context_line);
	else
		problems_add(reader->problems, reader->here, "%s", fault->text);
}
