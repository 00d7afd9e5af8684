/*
 * Several candidates in one text. Of a function that candidates change, the text holds the body as
 * it is and behind it one body for each of them; a number that is asked for at run time says which
 * one runs. A program is told one number for all its life, so what a body keeps from call to call
 * (static variables) is as it would be alone. What a compiler finds in a candidate's lines is told
 * by the numbers of these lines, which no other has.
 */
#include "repair/repair.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "repair/blend/blend.h"

/* Bytes of bodies in one blend: more takes compilers longer than it saves. */
enum { VARIANTS_MOST = 192 << 10 };

/* --- Functions --- */

static void read_file(struct blender *blender, struct blended_file *file)
{
	struct source *source = &file->source;
	if (source->file)
		return;
	*source = (struct source){
		.file = file->file, .language = language_of(file->file->path), .words = &blender->words};
	source_lex(source, blender->arena);
	source_find_structure(source, blender->arena, &file->definitions);
}

/* Whether a line, with those that it goes on from, is the preprocessor's. */
static bool is_directive(const struct source *source, uint32_t i)
{
	uint32_t line = source->tokens[i].line;
	while (line > 1 && source->line_first[line] < source->n &&
		   source->tokens[source->line_first[line]].line == line &&
		   source->tokens[source->line_first[line]].continues)
		line--;
	uint32_t first = source->line_first[line];
	return first < source->n && token_is(source, first, "#");
}

static bool has_word(const struct source *source, uint32_t first, uint32_t last, const char *list)
{
	for (uint32_t i = first; i <= last; i++)
		if (token_in(source, i, list))
			return true;
	return false;
}

/* Where the statement that defines a function begins. */
static uint32_t head_of(const struct source *source, const struct definition *function)
{
	uint32_t first = function->first;
	while (first && !token_in(source, first - 1, " ; { } "))
		first--;
	return first;
}

/* Whether a function can hold several bodies. */
static bool is_fit(
	const struct blended_file *file, const struct definition *function, uint32_t open)
{
	const struct source *source = &file->source;
	const struct blend_language *language = file->language;
	uint32_t close = function->last;
	if (!token_is(source, close, "}") || open == NO_TOKEN || open <= function->first ||
		open + 1 == close)
		return false;
	if (is_directive(source, function->first) || is_directive(source, open) ||
		has_word(source, head_of(source, function), open, language->no_head) ||
		has_word(source, open, close, language->no_body))
		return false;
	/* A jump to an address knows no bodies. */
	for (uint32_t i = open; i < close; i++)
		if (token_is(source, i, "goto") && token_is(source, i + 1, "*"))
			return false;
	return true;
}

/* The function that no other one is around, whose body a change lies in. */
static const struct definition *function_around(
	struct blended_file *file, const struct splice *splice)
{
	const struct source *source = &file->source;
	uint32_t i = source_token_at(source, splice->offset),
			 at = i < source->n ? source->owner[i] : NO_TOKEN;
	const struct definition *function = NULL;
	for (; at != NO_TOKEN; at = file->definitions.items[at].parent)
		if (file->definitions.items[at].kind == DEFINITION_FUNCTION)
			function = &file->definitions.items[at];
	if (!function || function->last >= source->n ||
		source->tokens[function->last].match == NO_TOKEN)
		return NULL;
	uint32_t open = source->tokens[function->last].match;
	bool within = splice->offset > source->tokens[open].start &&
				  splice->offset + splice->length <= source->tokens[function->last].start;
	return within && is_fit(file, function, open) ? function : NULL;
}

/* Its place among those of the file, new where it was not there. */
static size_t host_of(
	struct blender *blender, struct blended_file *file, const struct definition *function)
{
	uint32_t open = file->source.tokens[function->last].match;
	for (size_t i = 0; i < file->n; i++)
		if (file->hosts[i].open == open)
			return i;
	struct host host = {.open = open, .close = function->last};
	ARENA_PUSH(blender->arena, file->hosts, file->n, host);
	return file->n - 1;
}

/* --- Bodies --- */

/* Whether all brackets of a body have partners, and the first one is the last one's. */
static bool is_whole(const struct source *body)
{
	if (body->n < 2 || body->tokens[0].match != body->n - 1)
		return false;
	for (size_t i = 0; i < body->n; i++) {
		const struct token *token = &body->tokens[i];
		if ((token->kind == TOKEN_OPEN || token->kind == TOKEN_CLOSE) && token->match == NO_TOKEN)
			return false;
	}
	return true;
}

/* The body with the changes that lie in it; false where it could not be told from what is around
 * it. */
static bool make_variant(struct blender *blender, const struct blended_file *file,
	const struct host *host, const struct file_edit *edit, struct variant *ret_variant)
{
	const struct source *source = &file->source;
	size_t start = source->tokens[host->open].start, end = source->tokens[host->close].start + 1;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	size_t at = start;
	for (size_t i = 0; i < edit->n; i++) {
		const struct splice *splice = &edit->splices[i];
		if (splice->offset <= start || splice->offset >= end)
			continue;
		strbuf_add(&text, source->file->text + at, splice->offset - at);
		strbuf_adds(&text, splice->text);
		at = splice->offset + splice->length;
	}
	strbuf_add(&text, source->file->text + at, end - at);
	struct repair_file whole = {.path = source->file->path, .text = text.text, .n = text.length};
	struct source body = {.file = &whole, .language = source->language, .words = source->words};
	source_lex(&body, blender->arena);
	if (!is_whole(&body) || has_word(&body, 0, (uint32_t)body.n - 1, file->language->no_body))
		return false;
	ret_variant->text = arena_strndup(blender->arena, text.text + 1, text.length - 2);
	ret_variant->labels = blend_labels(blender, file, host, &body, 0, (uint32_t)body.n - 1);
	return true;
}

/* --- Candidates --- */

static struct blended_file *file_named(struct blender *blender, const char *path)
{
	for (size_t i = 0; i < blender->n_files; i++)
		if (strcmp(blender->files[i].file->path, path) == 0)
			return blender->files[i].language ? &blender->files[i] : NULL;
	return NULL;
}

/* A body that a candidate asks for. */
struct wish {
	struct blended_file *file;
	size_t host; /* of the file's */
	struct variant variant;
};

struct wishes {
	struct wish *items;
	size_t n;
};

/* What a candidate does to one file, a body for each function that it changes. False where it
 * cannot be done so. */
static bool wish_file(
	struct blender *blender, const struct file_edit *edit, size_t candidate, struct wishes *wishes)
{
	struct blended_file *file =
		edit->content || edit->remove || !edit->n ? NULL : file_named(blender, edit->path);
	if (!file)
		return false;
	read_file(blender, file);
	uint32_t last = NO_TOKEN;
	for (size_t i = 0; i < edit->n; i++) {
		const struct definition *function = function_around(file, &edit->splices[i]);
		if (!function)
			return false;
		if (function->last == last)
			continue; /* its body has all changes already */
		last = function->last;
		struct wish wish = {.file = file,
			.host = host_of(blender, file, function),
			.variant = {.candidate = candidate}};
		if (!make_variant(blender, file, &file->hosts[wish.host], edit, &wish.variant))
			return false;
		ARENA_PUSH(blender->arena, wishes->items, wishes->n, wish);
	}
	return true;
}

/* All that a candidate changes, or nothing. */
static void take(struct blender *blender, const struct edit *edit, size_t candidate)
{
	struct wishes wishes = {.n = 0};
	for (size_t i = 0; i < edit->n; i++)
		if (!wish_file(blender, &edit->files[i], candidate, &wishes))
			return;
	for (size_t i = 0; i < wishes.n; i++) {
		struct host *host = &wishes.items[i].file->hosts[wishes.items[i].host];
		ARENA_PUSH(blender->arena, host->variants, host->n, wishes.items[i].variant);
		blender->bytes += strlen(wishes.items[i].variant.text);
	}
	blender->blend->holds[candidate] = wishes.n;
	blender->blend->n_held += wishes.n > 0;
}

void blend_make(struct blend *blend, const struct repair_file *files, size_t n_files,
	const struct candidate *candidates, size_t n, const bool *leave_out, const char *variable,
	struct arena *arena)
{
	struct blender blender = {.blend = blend,
		.arena = arena,
		.variable = variable,
		.n_files = n_files,
		.words = {.arena = arena, .size = sizeof(struct term)},
		.line = BLEND_NUMBERED_FROM};
	*blend = (struct blend){.edit = {.description = "several candidates in one build"},
		.holds = arena_alloc(arena, n * sizeof *blend->holds)};
	blender.files = arena_alloc(arena, n_files * sizeof *blender.files);
	for (size_t i = 0; i < n_files; i++) {
		bool is_text = files[i].text && !memchr(files[i].text, '\0', files[i].n);
		blender.files[i] = (struct blended_file){
			.file = &files[i], .language = is_text ? blend_language_of(files[i].path) : NULL};
	}
	for (; blend->n < n && blender.bytes < VARIANTS_MOST; blend->n++)
		if (!leave_out[blend->n])
			take(&blender, &candidates[blend->n].edit, blend->n);
	for (size_t i = 0; i < n_files; i++)
		if (blender.files[i].n)
			blend_write(&blender, &blender.files[i], i);
}
