/* A file's text with all the bodies that its functions may have, whatever its language. */
#include <stdlib.h>
#include <string.h>

#include "repair/blend/blend.h"

const struct blend_form *blend_form_of(const struct language *language)
{
	static const struct blend_form *const forms[] = {
		&blend_form_c, &blend_form_cpp, &blend_form_go, &blend_form_java, &blend_form_rust};
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i]->language == language)
			return forms[i];
	return NULL;
}

uint32_t function_head(const struct source *source, uint32_t first)
{
	while (first && !token_in(source, first - 1, " ; { } "))
		first--;
	return first;
}

void writer_copy(struct writer *writer, size_t from, size_t to)
{
	strbuf_add(writer->text, writer->file->file->text + from, to - from);
}

void writer_copy_body(struct writer *writer, const struct host *host)
{
	const struct token *tokens = writer->file->source.tokens;
	writer_copy(writer, tokens[host->open].start + 1, tokens[host->close].start);
}

size_t writer_line(struct writer *writer)
{
	const struct strbuf *text = writer->text;
	for (; writer->n_counted < text->length; writer->n_counted++)
		writer->line += text->text[writer->n_counted] == '\n';
	return writer->line;
}

void writer_note_lines(
	struct writer *writer, const struct variant *variant, size_t first, size_t end)
{
	struct blender *blender = writer->blender;
	ARENA_PUSH(blender->arena, blender->blend->lines, blender->blend->n_lines,
		(struct blend_lines){writer->file->file->path, first, end, variant->candidate});
}

size_t writer_take_lines(struct writer *writer, const struct variant *variant)
{
	struct blender *blender = writer->blender;
	size_t first = blender->line;
	blender->line += text_count_lines(variant->text, strlen(variant->text)) + 2;
	writer_note_lines(writer, variant, first, blender->line);
	return first;
}

static int compare_hosts(const void *a, const void *b)
{
	const struct host *x = a, *y = b;
	return x->open < y->open ? -1 : x->open > y->open;
}

void blend_write(struct blender *blender, struct blended_file *file, size_t index)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const struct blend_form *form = blend_form_of(file->source.language);
	struct writer writer = {.blender = blender,
		.file = file,
		.text = &text,
		.name = arena_printf(blender->arena, "%s_%zu", blender->variable, index),
		.line = 1};
	const struct token *tokens = file->source.tokens;
	size_t at = 0, variants = 0;
	qsort(file->hosts, file->n, sizeof *file->hosts, compare_hosts);
	for (size_t i = 0; i < file->n; i++) {
		if (!file->hosts[i].n)
			continue;
		if (!variants && form->begin)
			at = form->begin(&writer);
		variants += file->hosts[i].n;
		writer_copy(&writer, at, tokens[file->hosts[i].open].start + 1);
		form->write(&writer, &file->hosts[i]);
		at = tokens[file->hosts[i].close].start;
	}
	writer_copy(&writer, at, file->file->n);
	if (variants && form->end)
		form->end(&writer);
	if (variants)
		ARENA_PUSH(blender->arena, blender->blend->edit.files, blender->blend->edit.n,
			(struct file_edit){
				.path = file->file->path, .content = arena_strdup(blender->arena, text.text)});
}
