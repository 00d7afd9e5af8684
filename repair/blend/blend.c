/*
 * Several candidates in one text. Of a function that candidates change, the text holds the body as
 * it is, and one body for each candidate. A number that the program asks for at run time selects
 * one. A program gets one number for all its life, so what a body keeps from call to call (static
 * variables) is as it would be alone. No line belongs to two candidates, so that a compiler's
 * errors are assigned to them by lines.
 */
#include <string.h>

#include "repair/blend/blend.h"

/* Bytes of bodies in one blend: more takes compilers longer than it saves. */
enum { VARIANTS_MOST = 192 << 10 };

bool blend_knows(const char *path)
{
	const struct language *language = language_of(path);
	return language && blend_form_of(language);
}

/* --- Functions --- */

static void file_read_source(struct blender *blender, struct blended_file *file)
{
	struct source *source = &file->source;
	if (source->file)
		return;
	const struct repair_file *own = file->file;
	*source = (struct source){.file = own,
		.language = language_of_text(own->path, own->text, own->n),
		.words = &blender->words};
	source_lex(source, blender->arena);
	source_find_structure(source, blender->arena, &file->definitions);
}

/* Whether a line, with those that it continues, is the preprocessor's. */
static bool is_directive(const struct source *source, uint32_t i)
{
	uint32_t line = source->tokens[i].line, first = source->line_first[line];
	while (line > 1 && first < source->n && source->tokens[first].line == line &&
		source->tokens[first].continues)
		first = source->line_first[--line];
	return token_is(source, first, "#");
}

static bool span_has_word(const struct source *source, struct span span, const char *list)
{
	for (uint32_t i = span.first; i <= span.last; i++)
		if (token_in(source, i, list))
			return true;
	return false;
}

/* Whether a function can hold several bodies. */
static bool function_is_fit(
	const struct source *source, const struct definition *function, uint32_t open)
{
	const struct blend_form *form = blend_form_of(source->language);
	uint32_t close = function->last;
	return token_is(source, close, "}") && open > function->first && open + 1 < close &&
		!(has_trait(source, LANGUAGE_PREPROCESSED) &&
			(is_directive(source, function->first) || is_directive(source, open))) &&
		!span_has_word(
			source, span_of(function_head(source, function->first), open), form->no_head) &&
		!span_has_word(source, span_of(open, close), form->no_body) &&
		form->fits(source, function, open);
}

/* The outermost function whose body contains a change. */
static const struct definition *function_around(
	const struct blended_file *file, const struct splice *splice)
{
	const struct source *source = &file->source;
	uint32_t i = source_token_at(source, splice->offset);
	uint32_t at = i < source->n ? outermost_function(source, i) : NO_TOKEN;
	const struct definition *function = at == NO_TOKEN ? NULL : &file->definitions.items[at];
	if (!function || function->last >= source->n ||
		source->tokens[function->last].match == NO_TOKEN)
		return NULL;
	uint32_t open = source->tokens[function->last].match;
	bool within = splice->offset > source->tokens[open].start &&
		splice->offset + splice->length <= source->tokens[function->last].start;
	return within && function_is_fit(source, function, open) ? function : NULL;
}

/* Its place among those of the file, new where it was not there. */
static size_t function_host(
	struct blender *blender, struct blended_file *file, const struct definition *function)
{
	uint32_t open = file->source.tokens[function->last].match;
	for (size_t i = 0; i < file->n; i++)
		if (file->hosts[i].open == open)
			return i;
	ARENA_PUSH(blender->arena, file->hosts, file->n,
		(struct host){.first = function->first, .open = open, .close = function->last});
	return file->n - 1;
}

/* --- Bodies --- */

/* Whether all brackets of a body have partners, and the first one is the last one's. */
static bool body_is_whole(const struct source *body)
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

/* The body with the changes that lie in it. False where it cannot be separated from its
 * surroundings. */
static bool variant_make(struct blender *blender, const struct blended_file *file,
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
	struct span all = span_of(0, (uint32_t)body.n - 1);
	const char *no_body = blend_form_of(source->language)->no_body;
	if (!body_is_whole(&body) || span_has_word(&body, all, no_body))
		return false;
	ret_variant->text = arena_strndup(blender->arena, text.text + 1, text.length - 2);
	ret_variant->labels = blend_labels(blender->arena, file, host, &body, all);
	return true;
}

/* --- Candidates --- */

static struct blended_file *file_named(struct blender *blender, const char *path)
{
	for (size_t i = 0; i < blender->n_files; i++) {
		const struct repair_file *file = blender->files[i].file;
		if (strcmp(file->path, path) == 0)
			return blend_knows(path) && file->text && !memchr(file->text, '\0', file->n)
				? &blender->files[i]
				: NULL;
	}
	return NULL;
}

/* A body that a candidate asks for. */
struct request {
	struct blended_file *file;
	size_t host; /* of the file's */
	struct variant variant;
};

struct requests {
	struct request *items;
	size_t n;
};

/* What a candidate does to one file, a body for each function that it changes. False where it
 * changes anything else. */
static bool requests_add_file(struct requests *requests, struct blender *blender,
	const struct file_edit *edit, size_t candidate)
{
	struct blended_file *file =
		edit->content || edit->remove || !edit->n ? NULL : file_named(blender, edit->path);
	if (!file)
		return false;
	file_read_source(blender, file);
	uint32_t last = NO_TOKEN;
	for (size_t i = 0; i < edit->n; i++) {
		const struct definition *function = function_around(file, &edit->splices[i]);
		if (!function)
			return false;
		if (function->last == last)
			continue; /* its body has all changes already */
		last = function->last;
		struct request request = {.file = file,
			.host = function_host(blender, file, function),
			.variant.candidate = candidate};
		if (!variant_make(blender, file, &file->hosts[request.host], edit, &request.variant))
			return false;
		ARENA_PUSH(blender->arena, requests->items, requests->n, request);
	}
	return true;
}

/* All that a candidate changes, or nothing. */
static void blend_add(struct blender *blender, const struct edit *edit, size_t candidate)
{
	struct requests requests = {.n = 0};
	for (size_t i = 0; i < edit->n; i++)
		if (!requests_add_file(&requests, blender, &edit->files[i], candidate))
			return;
	for (size_t i = 0; i < requests.n; i++) {
		struct host *host = &requests.items[i].file->hosts[requests.items[i].host];
		ARENA_PUSH(blender->arena, host->variants, host->n, requests.items[i].variant);
		blender->bytes += strlen(requests.items[i].variant.text);
	}
	blender->blend->holds[candidate] = requests.n;
	blender->blend->n_held += requests.n > 0;
}

/* Lines of candidates have numbers of their own, where compilers let us number them. They are no
 * larger than need be, since C90 has none above 32767, and some projects are strict. */
static void blend_number(struct blender *blender)
{
	for (size_t i = 0; i < blender->n_files; i++) {
		const struct blended_file *file = &blender->files[i];
		size_t after = file->n ? text_count_lines(file->file->text, file->file->n) + 2 : 0;
		blender->line = after > blender->line ? after : blender->line;
	}
}

void blend_make(struct blend *blend, const struct repair_file *files, size_t n_files,
	const struct candidate *candidates, size_t n, const bool *leave_out, const char *variable,
	struct arena *arena)
{
	struct blender blender = {.blend = blend,
		.arena = arena,
		.variable = variable,
		.files = arena_alloc(arena, n_files * sizeof *blender.files),
		.n_files = n_files,
		.words = {.arena = arena, .size = sizeof(struct term)}};
	*blend = (struct blend){.edit = {.description = "several candidates in one build"},
		.holds = arena_alloc(arena, n * sizeof *blend->holds)};
	for (size_t i = 0; i < n_files; i++)
		blender.files[i].file = &files[i];
	for (; blend->n < n && blender.bytes < VARIANTS_MOST; blend->n++)
		if (!leave_out[blend->n])
			blend_add(&blender, &candidates[blend->n].edit, blend->n);
	blend_number(&blender);
	for (size_t i = 0; i < n_files; i++)
		if (blender.files[i].n)
			blend_write(&blender, &blender.files[i], i);
}
