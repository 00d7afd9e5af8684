/*
 * The bodies that a method may have in Java: methods of their own beside it, under other names, to
 * one of which it hands on. So what a body returns, throws or leaves unset is looked at for each
 * alone, as compilers do. The body that the method had stays where it was. A class at the end of
 * the file asks for the number. Lines are the text's, since nothing numbers them.
 */
#include <string.h>

#include "repair/blend/blend.h"

#define CHOICE \
	"\n" \
	"final class %s {\n" \
	"	static final int CHOICE = choose();\n" \
	"	private static int choose() {\n" \
	"		java.lang.String name = \"%s\", text = java.lang.System.getProperty(name);\n" \
	"		text = text == null ? java.lang.System.getenv(name) : text;\n" \
	"		int n = text == null || text.isEmpty() ? 0 : java.lang.Integer.parseInt(text);\n" \
	"		while (n == %d) {\n" \
	"		}\n" \
	"		if (n == %d)\n" \
	"			throw new java.lang.AssertionError();\n" \
	"		return n;\n" \
	"	}\n" \
	"}\n"

#define MODIFIERS \
	" public protected private static final abstract synchronized native strictfp default "

struct java_head {
	uint32_t first, name; /* of what a further method repeats: its annotations are left out */
	uint32_t open;        /* the bracket of its parameters */
};

static uint32_t java_after_annotations(const struct source *source, uint32_t i)
{
	while (token_is(source, i, "@") && is_name(source, i + 1)) {
		i += 2;
		while (token_is(source, i, ".") && is_name(source, i + 1))
			i += 2;
		if (token_is(source, i, "(") && source->tokens[i].match != NO_TOKEN)
			i = source->tokens[i].match + 1;
	}
	return i;
}

/* "@Override public static <T> List<T> name(T a, int[] b) throws E". A constructor has no type
 * before its name. */
static bool java_read_head(
	const struct source *source, uint32_t first, uint32_t open, struct java_head *ret_head)
{
	uint32_t i = java_after_annotations(source, first), types = 0;
	*ret_head = (struct java_head){.first = i};
	for (; i < open && !token_is(source, i, "("); i++) {
		if (token_is(source, i, "@") || token_is(source, i, "{"))
			return false;
		types += !token_in(source, i, MODIFIERS);
	}
	*ret_head = (struct java_head){.first = ret_head->first, .name = i - 1, .open = i};
	return types > 1 && i < open && is_name(source, i - 1) && source->tokens[i].match < open;
}

/* Kotlin and C# are read by the same table. */
static bool java_fits(const struct source *source, const struct definition *function, uint32_t open)
{
	struct java_head head;
	return text_ends_with(source->file->path, ".java") &&
		java_read_head(source, function_head(source, function->first), open, &head);
}

/* The names of the parameters, ", " between them: of each the last one. */
static void java_add_names(const struct writer *writer, const struct java_head *head)
{
	const struct source *source = &writer->file->source;
	uint32_t close = source->tokens[head->open].match, name = NO_TOKEN;
	int depth = 0;
	bool any = false;
	for (uint32_t i = head->open + 1; i <= close; i++) {
		depth +=
			token_is(source, i, "<") - token_is(source, i, ">") - 2 * token_is(source, i, ">>");
		if (depth == 0 && is_name(source, i))
			name = i;
		if (name == NO_TOKEN || depth || (i < close && !token_is(source, i, ",")))
			continue;
		strbuf_adds(writer->text, any ? ", " : "");
		strbuf_add(writer->text, source->file->text + source->tokens[name].start,
			source->tokens[name].length);
		any = true;
	}
}

static void java_add_name(
	const struct writer *writer, const struct host *host, const struct variant *variant)
{
	strbuf_addf(writer->text, "%s_%u_%zu", writer->name, host->open, variant->candidate);
}

/* Where the method hands on to another one. */
static void java_add_choice(const struct writer *writer, const struct host *host,
	const struct java_head *head, const struct variant *variant)
{
	bool returns = !token_is(&writer->file->source, head->name - 1, "void");
	strbuf_addf(writer->text, " if (%s.CHOICE == %zu) { %s", writer->name,
		BLEND_FIRST + variant->candidate, returns ? "return " : "");
	java_add_name(writer, host, variant);
	strbuf_adds(writer->text, "(");
	java_add_names(writer, head);
	strbuf_adds(writer->text, returns ? "); }" : "); return; }");
}

/* Close the method before it; then all of this one but its last brace, which may be what a compiler
 * names. */
static void java_add_method(struct writer *writer, const struct host *host,
	const struct java_head *head, const struct variant *variant)
{
	const struct source *source = &writer->file->source;
	strbuf_adds(writer->text, "}\n");
	size_t first = writer_line(writer);
	writer_copy(writer, source->tokens[head->first].start, source->tokens[head->name].start);
	java_add_name(writer, host, variant);
	writer_copy(writer, token_end(source, head->name), token_end(source, host->open));
	strbuf_addf(writer->text, "%s\n", variant->text);
	writer_note_lines(writer, variant, first, writer_line(writer) + 1);
}

static void java_write(struct writer *writer, const struct host *host)
{
	struct java_head head;
	const struct source *source = &writer->file->source;
	java_read_head(source, function_head(source, host->first), host->open, &head);
	for (size_t i = 0; i < host->n; i++)
		java_add_choice(writer, host, &head, &host->variants[i]);
	writer_copy_body(writer, host);
	strbuf_adds(writer->text, "\n");
	for (size_t i = 0; i < host->n; i++)
		java_add_method(writer, host, &head, &host->variants[i]);
}

static void java_end(struct writer *writer)
{
	strbuf_addf(
		writer->text, CHOICE, writer->name, writer->blender->variable, BLEND_HANG, BLEND_FAIL);
}

const struct blend_form blend_form_java = {
	.language = &language_java,
	.fits = java_fits,
	.write = java_write,
	.end = java_end,
};
