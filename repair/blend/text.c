/* A file's text with all the bodies that its functions may have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "repair/blend/blend.h"

struct writer {
	struct blender *blender;
	const struct blended_file *file;
	struct strbuf *text;
	char name[64];
};

/* Append what a language says, with what stands for the signs in it. */
static void say(struct writer *writer, const char *words, size_t number)
{
	for (; *words; words++) {
		if (*words == '@')
			strbuf_adds(writer->text, writer->name);
		else if (*words == '~')
			strbuf_addf(writer->text, "%zu", number);
		else if (*words == '?')
			strbuf_adds(writer->text, writer->blender->variable);
		else
			strbuf_addc(writer->text, *words);
	}
}

/* Go on in a new line, which compilers shall call so. */
static void begin_line(struct writer *writer, size_t number)
{
	strbuf_addc(writer->text, '\n');
	say(writer, writer->file->language->line, number);
}

static void copy(struct writer *writer, size_t from, size_t to)
{
	strbuf_add(writer->text, writer->file->file->text + from, to - from);
}

static void write_variant(struct writer *writer, const struct variant *variant)
{
	struct blender *blender = writer->blender;
	const struct blend_language *language = writer->file->language;
	size_t first = blender->line;
	begin_line(writer, first);
	say(writer, language->variant[0], BLEND_FIRST + variant->candidate);
	if (variant->labels)
		strbuf_addf(writer->text, "%s%s; ", language->label, variant->labels);
	strbuf_adds(writer->text, variant->text);
	strbuf_addc(writer->text, '\n');
	say(writer, language->variant[1], 0);
	blender->line += text_count_lines(variant->text, strlen(variant->text)) + 2;
	ARENA_PUSH(blender->arena, blender->blend->lines, blender->blend->n_lines,
		(struct blend_lines){writer->file->file->path, first, blender->line, variant->candidate});
}

/* The whole body of a function, between its braces. */
static void write_host(struct writer *writer, const struct host *host)
{
	const struct blend_language *language = writer->file->language;
	const struct source *source = &writer->file->source;
	const struct token *open = &source->tokens[host->open], *close = &source->tokens[host->close];
	const char *labels =
		blend_labels(writer->blender, writer->file, host, source, host->open, host->close);
	say(writer, language->open, 0);
	if (labels)
		strbuf_addf(writer->text, "%s%s; ", language->label, labels);
	begin_line(writer, open->line);
	copy(writer, open->start + 1, close->start);
	strbuf_addc(writer->text, '\n');
	say(writer, language->hang, 0);
	for (size_t i = 0; i < host->n; i++)
		write_variant(writer, &host->variants[i]);
	say(writer, language->close, 0);
	begin_line(writer, close->line);
}

static int compare_hosts(const void *a, const void *b)
{
	const struct host *x = a, *y = b;
	return x->open < y->open ? -1 : x->open > y->open;
}

void blend_write(struct blender *blender, struct blended_file *file, size_t index)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct writer writer = {.blender = blender, .file = file, .text = &text};
	size_t at = text_starts_with(file->file->text, "\xef\xbb\xbf") ? 3 : 0, variants = 0;
	snprintf(writer.name, sizeof writer.name, "%s_%zu", blender->variable, index);
	qsort(file->hosts, file->n, sizeof *file->hosts, compare_hosts);
	copy(&writer, 0, at);
	say(&writer, file->language->top, 0);
	for (size_t i = 0; i < file->n; i++) {
		const struct token *tokens = file->source.tokens;
		if (!file->hosts[i].n)
			continue;
		variants += file->hosts[i].n;
		copy(&writer, at, tokens[file->hosts[i].open].start + 1);
		write_host(&writer, &file->hosts[i]);
		at = tokens[file->hosts[i].close].start;
	}
	copy(&writer, at, file->file->n);
	if (variants)
		ARENA_PUSH(blender->arena, blender->blend->edit.files, blender->blend->edit.n,
			(struct file_edit){
				.path = file->file->path, .content = arena_strdup(blender->arena, text.text)});
}
