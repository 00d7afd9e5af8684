/*
 * A file's text with all the bodies that its functions may have, in C and C++ alike. Nothing is
 * included, so that nothing clashes. No function is called to ask for the number, since tests may
 * replace functions by their own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "repair/blend/blend.h"

/* What a file begins with: a function of this name reads this environment variable. A header may
 * be included again. */
#define TOP \
	"#ifndef %s\n" \
	"#define %s %s\n" \
	"#ifdef __cplusplus\n" \
	"extern \"C\" {\n" \
	"extern char **environ;\n" \
	"}\n" \
	"#else\n" \
	"extern char **environ;\n" \
	"#endif\n" \
	"static int %s(void)\n" \
	"{\n" \
	"	static volatile int chosen = -1;\n" \
	"	static const char name[] = \"%s=\";\n" \
	"	char **variable;\n" \
	"	int number = 0, i;\n" \
	"	if (chosen >= 0)\n" \
	"		return chosen;\n" \
	"	for (variable = environ; variable && *variable; variable++) {\n" \
	"		for (i = 0; name[i] && name[i] == (*variable)[i]; i++)\n" \
	"			;\n" \
	"		if (name[i])\n" \
	"			continue;\n" \
	"		for (; (*variable)[i] >= '0' && (*variable)[i] <= '9'; i++)\n" \
	"			number = number * 10 + (*variable)[i] - '0';\n" \
	"	}\n" \
	"	chosen = number;\n" \
	"	return number;\n" \
	"}\n" \
	"#endif\n" \
	"#line 1\n"

struct writer {
	struct blender *blender;
	const struct blended_file *file;
	struct strbuf *text;
	const char *name; /* of the function that gives the number */
};

static void label_add(struct strbuf *names, const char *name)
{
	if (text_has_word(names->text, name))
		return;
	strbuf_adds(names, names->length ? ", " : "");
	strbuf_adds(names, name);
}

static void label_add_targets(
	struct strbuf *names, struct arena *arena, const struct source *source, struct span span)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (i && is_name(source, i) && token_is(source, i - 1, "goto"))
			label_add(names, tokens_text(source, arena, i, i));
}

const char *blend_labels(struct arena *arena, const struct blended_file *file,
	const struct host *host, const struct source *body, struct span span)
{
	AUTO_STRBUF targets = STRBUF_INIT(STRBUF_LINE), labels = STRBUF_INIT(STRBUF_LINE);
	label_add_targets(&targets, arena, &file->source, span_of(host->open, host->close));
	label_add_targets(&targets, arena, body, span);
	for (uint32_t i = span.first; targets.length && i <= span.last; i++) {
		bool is_label = i && is_name(body, i) && token_is(body, i + 1, ":") &&
			token_in(body, i - 1, " ; { } : ) ");
		const char *name = is_label ? tokens_text(body, arena, i, i) : NULL;
		if (name && text_has_word(targets.text, name))
			label_add(&labels, name);
	}
	return labels.length ? arena_strdup(arena, labels.text) : NULL;
}

/* Labels belong to a whole function, so a function with several bodies would have each of them
 * several times. Compilers know labels of one block as an extension. */
static void writer_declare(struct writer *writer, const char *labels)
{
	if (labels)
		strbuf_addf(writer->text, " __label__ %s; ", labels);
}

/* Begin a line that compilers call by this number. */
static void writer_begin_line(struct writer *writer, size_t number)
{
	strbuf_addf(writer->text, "\n#line %zu\n", number);
}

static void writer_copy(struct writer *writer, size_t from, size_t to)
{
	strbuf_add(writer->text, writer->file->file->text + from, to - from);
}

static void writer_add_variant(struct writer *writer, const struct variant *variant)
{
	struct blender *blender = writer->blender;
	size_t first = blender->line;
	writer_begin_line(writer, first);
	strbuf_addf(writer->text, " case %zu: {", BLEND_FIRST + variant->candidate);
	writer_declare(writer, variant->labels);
	strbuf_adds(writer->text, variant->text);
	strbuf_adds(writer->text, "\n} break;");
	blender->line += text_count_lines(variant->text, strlen(variant->text)) + 2;
	ARENA_PUSH(blender->arena, blender->blend->lines, blender->blend->n_lines,
		(struct blend_lines){writer->file->file->path, first, blender->line, variant->candidate});
}

/* The whole body of a function, between its braces. */
static void writer_add_host(struct writer *writer, const struct host *host)
{
	const struct source *source = &writer->file->source;
	const struct token *open = &source->tokens[host->open], *close = &source->tokens[host->close];
	strbuf_addf(writer->text, " switch (%s()) { default: {", writer->name);
	writer_declare(writer,
		blend_labels(
			writer->blender->arena, writer->file, host, source, span_of(host->open, host->close)));
	writer_begin_line(writer, open->line);
	writer_copy(writer, open->start + 1, close->start);
	strbuf_addf(writer->text, "\n} break; case %d: for (;;) %s();", BLEND_HANG, writer->name);
	for (size_t i = 0; i < host->n; i++)
		writer_add_variant(writer, &host->variants[i]);
	strbuf_adds(writer->text, "}");
	writer_begin_line(writer, close->line);
}

static int compare_hosts(const void *a, const void *b)
{
	const struct host *x = a, *y = b;
	return x->open < y->open ? -1 : x->open > y->open;
}

void blend_write(struct blender *blender, struct blended_file *file, size_t index)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct writer writer = {.blender = blender,
		.file = file,
		.text = &text,
		.name = arena_printf(blender->arena, "%s_%zu", blender->variable, index)};
	size_t at = text_starts_with(file->file->text, "\xef\xbb\xbf") ? 3 : 0, variants = 0;
	qsort(file->hosts, file->n, sizeof *file->hosts, compare_hosts);
	writer_copy(&writer, 0, at);
	strbuf_addf(&text, TOP, writer.name, writer.name, writer.name, writer.name,
		blender->variable);
	for (size_t i = 0; i < file->n; i++) {
		const struct token *tokens = file->source.tokens;
		if (!file->hosts[i].n)
			continue;
		variants += file->hosts[i].n;
		writer_copy(&writer, at, tokens[file->hosts[i].open].start + 1);
		writer_add_host(&writer, &file->hosts[i]);
		at = tokens[file->hosts[i].close].start;
	}
	writer_copy(&writer, at, file->file->n);
	if (variants)
		ARENA_PUSH(blender->arena, blender->blend->edit.files, blender->blend->edit.n,
			(struct file_edit){
				.path = file->file->path, .content = arena_strdup(blender->arena, text.text)});
}
