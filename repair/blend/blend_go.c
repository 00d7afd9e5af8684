/*
 * The bodies that a function may have in Go: function literals at its beginning, of which at most
 * one is called. So labels, defers, named results and what is missing at a body's end are each
 * body's own. Parameters become variables of the body, as they are in a function: what it declares
 * beside them is declared in the same block. The body that the function had stays where it was.
 */
#include <string.h>

#include "repair/blend/blend.h"

/* What the package clause is followed by, in its line, and what the file ends with. A package that
 * is not to come to its end does not come to its beginning: a function may not be reached. */
#define IMPORT "; import %s_os \"os\""
#define CHOICE \
	"\n" \
	"var %s = func() (n int) {\n" \
	"	for _, c := range %s_os.Getenv(\"%s\") {\n" \
	"		n = n*10 + int(c-'0')\n" \
	"	}\n" \
	"	for n == %d {\n" \
	"	}\n" \
	"	return\n" \
	"}()\n"

/* --- Heads --- */

struct go_head {
	uint32_t receiver, parameters; /* brackets; NO_TOKEN: it is no method */
};

/* Where the word stands: first in a declaration, last in what a variable is set to. */
static uint32_t go_word(const struct source *source, uint32_t first, uint32_t open)
{
	if (token_is(source, first, "func"))
		return first;
	for (uint32_t i = open; i-- > first;) {
		if (token_is(source, i, "func"))
			return i;
		if (source->tokens[i].kind == TOKEN_CLOSE)
			i = source->tokens[i].match;
		if (i == NO_TOKEN)
			break;
	}
	return NO_TOKEN;
}

/* "func (r R) name[T any](a, b int) (c int, err error) {", "func(a int) {". */
static bool go_read_head(
	const struct source *source, uint32_t first, uint32_t open, struct go_head *ret_head)
{
	uint32_t i = go_word(source, first, open);
	*ret_head = (struct go_head){.receiver = NO_TOKEN};
	if (i == NO_TOKEN)
		return false;
	i++;
	if (token_is(source, i, "(") && is_name(source, source->tokens[i].match + 1) &&
		token_in(source, source->tokens[i].match + 2, " ( [ ")) {
		ret_head->receiver = i;
		i = source->tokens[i].match + 1;
	}
	if (is_name(source, i))
		i++;
	if (token_is(source, i, "["))
		i = source->tokens[i].match + 1;
	ret_head->parameters = i;
	return token_is(source, i, "(") && source->tokens[i].match < open;
}

/* Whether an item of a parameter list is a name and its type. "T[int]" is a type alone. */
static bool go_is_named(const struct source *source, uint32_t first, uint32_t end)
{
	bool is_generic =
		token_is(source, first + 1, "[") && source->tokens[first + 1].match + 1 == end;
	return is_name(source, first) && first + 1 < end && !token_is(source, first + 1, ".") &&
		!is_generic;
}

/* Where the item ends that begins at a token: at its comma or at the list's bracket. */
static uint32_t go_item_end(const struct source *source, uint32_t i, uint32_t close)
{
	for (; i < close && !token_is(source, i, ","); i++)
		if (source->tokens[i].kind == TOKEN_OPEN)
			i = source->tokens[i].match;
	return i;
}

/* Parameters that can be said, ", " between them, and as many "_". */
struct go_names {
	struct strbuf said, blanks;
};

static void go_add_names(
	struct go_names *names, const struct source *source, struct arena *arena, uint32_t open)
{
	uint32_t close = source->tokens[open].match;
	bool named = false;
	for (uint32_t i = open + 1, end; i < close; i = end + 1) {
		end = go_item_end(source, i, close);
		named = named || go_is_named(source, i, end);
	}
	for (uint32_t i = open + 1; named && i < close; i = go_item_end(source, i, close) + 1)
		if (is_name(source, i) && !token_is(source, i, "_")) {
			const char *between = names->said.length ? ", " : "";
			strbuf_addf(&names->said, "%s%s", between, tokens_text(source, arena, i, i));
			strbuf_addf(&names->blanks, "%s_", between);
		}
}

/* --- What can hold bodies --- */

/* recover does nothing one call deeper. The function must not be a part of another one, and all
 * brackets must have partners. */
static bool go_fits(const struct source *source, const struct definition *function, uint32_t open)
{
	struct go_head head;
	if (!token_is(source, 0, "package") || !go_read_head(source, function->first, open, &head))
		return false;
	for (uint32_t i = function->first; i < function->last; i++) {
		if (source->tokens[i].kind == TOKEN_OPEN && source->tokens[i].match == NO_TOKEN)
			return false;
		if (i > open && token_is(source, i, "func") && token_is(source, i + 1, "(")) {
			while (i < function->last && !token_is(source, i, "{"))
				i++;
			i = i < function->last ? source->tokens[i].match : i - 1;
		} else if (token_is(source, i, "recover")) {
			return false;
		}
	}
	return true;
}

/* --- Bodies --- */

/* Call what follows by this number, where a line begins. Files keep their names. */
static void go_number(struct writer *writer, size_t line, size_t column)
{
	strbuf_addf(writer->text, "/*line :%zu:%zu*/", line, column);
}

/* Go on with the old text as from a byte of it. */
static void go_number_as(struct writer *writer, size_t at, size_t line)
{
	const char *text = writer->file->file->text;
	size_t column = 1;
	while (at > column - 1 && text[at - column] != '\n')
		column++;
	go_number(writer, line, column);
}

static size_t go_begin(struct writer *writer)
{
	size_t at = token_end(&writer->file->source, 1);
	writer_copy(writer, 0, at);
	strbuf_addf(writer->text, IMPORT, writer->name);
	return at;
}

static void go_end(struct writer *writer)
{
	strbuf_addf(
		writer->text, CHOICE, writer->name, writer->name, writer->blender->variable, BLEND_HANG);
}

static void go_add_variant(struct writer *writer, const struct variant *variant,
	const char *results, const struct go_names *names)
{
	const char *said = names->said.text;
	strbuf_addf(writer->text, "\ncase %zu: ", BLEND_FIRST + variant->candidate);
	strbuf_addf(writer->text, "%sfunc() %s {", *results ? "return " : "", results);
	if (*said)
		strbuf_addf(writer->text, "%s := %s; %s = %s;", said, said, names->blanks.text, said);
	go_number(writer, writer_take_lines(writer, variant), 1);
	strbuf_addf(writer->text, "%s\n}()%s", variant->text, *results ? "" : "; return");
}

static void go_write(struct writer *writer, const struct host *host)
{
	struct go_head head;
	struct arena *arena = writer->blender->arena;
	const struct source *source = &writer->file->source;
	struct go_names names = {STRBUF_INIT(STRBUF_LINE), STRBUF_INIT(STRBUF_LINE)};
	go_read_head(source, host->first, host->open, &head);
	if (head.receiver != NO_TOKEN)
		go_add_names(&names, source, arena, head.receiver);
	go_add_names(&names, source, arena, head.parameters);
	uint32_t before = source->tokens[head.parameters].match;
	const char *results =
		before + 1 < host->open ? tokens_text(source, arena, before + 1, host->open - 1) : "";
	strbuf_addf(
		writer->text, " switch %s {\ncase %d: panic(%d)", writer->name, BLEND_FAIL, BLEND_FAIL);
	for (size_t i = 0; i < host->n; i++)
		go_add_variant(writer, &host->variants[i], results, &names);
	strbuf_adds(writer->text, "\n};");
	const struct token *open = &source->tokens[host->open];
	go_number_as(writer, open->start + 1, open->line);
	writer_copy_body(writer, host);
	strbuf_release(&names.said);
	strbuf_release(&names.blanks);
}

const struct blend_form blend_form_go = {
	.language = &language_go,
	.no_head = NULL,
	.no_body = NULL,
	.fits = go_fits,
	.begin = go_begin,
	.write = go_write,
	.end = go_end,
};
