/*
 * md4c finds the fences. It does not tell whether a fence was closed, but the code lines that it
 * reports point into the source, so the closing fence is looked for behind the last of them.
 */
#include "chat/code_block.h"

#include <ctype.h>
#include <md4c.h>
#include <string.h>

#include "base/strbuf.h"

struct extraction {
	struct arena *arena;
	const char *source, *end;
	const char *seen; /* behind the last text that md4c reported from the source */
	struct code_block *blocks;
	size_t n;
	bool in_block;
	char fence;
	const char *first_code, *last_code; /* in the open block: first text, end of the last */
	struct strbuf code;
};

static const char *line_end(const struct extraction *x, const char *at)
{
	const char *newline = memchr(at, '\n', (size_t)(x->end - at));
	return newline ? newline : x->end;
}

static const char *next_line(const struct extraction *x, const char *at)
{
	const char *end = line_end(x, at);
	return end < x->end ? end + 1 : x->end;
}

static const char *line_start(const struct extraction *x, const char *at)
{
	while (at > x->source && at[-1] != '\n')
		at--;
	return at;
}

/* Behind the marks of quotes around a line, and of list items too where `markers` is set. */
static const char *inside_containers(const char *at, const char *end, bool markers)
{
	while (at < end) {
		const char *digits = at;
		while (markers && digits < end && isdigit((unsigned char)*digits))
			digits++;
		if (strchr(" \t>", *at) && *at)
			at++;
		else if (markers && strchr("-+*", *at) && *at && at + 1 < end && strchr(" \t", at[1]))
			at += 2;
		else if (digits > at && digits + 1 < end && strchr(".)", *digits))
			at = digits + 1;
		else
			break;
	}
	return at;
}

static size_t fence_length(const char *at, const char *end, char fence)
{
	size_t n = 0;
	while (at + n < end && at[n] == fence)
		n++;
	return n;
}

/* The opening fence's line: upwards from the first code line, or down from what was seen before. */
static const char *find_opening(const struct extraction *x, size_t *length)
{
	const char *at = line_start(x, x->first_code ? x->first_code : x->seen);
	while (at < x->end) {
		const char *end = line_end(x, at);
		const char *mark = inside_containers(at, end, true);
		*length = fence_length(mark, end, x->fence);
		bool above = !x->first_code || at < line_start(x, x->first_code);
		if (*length >= 3 && above)
			return at;
		if (x->first_code && at == x->source)
			break;
		at = x->first_code ? line_start(x, at - 1) : next_line(x, at);
	}
	return NULL;
}

/* Behind the closing fence's line, or NULL where the block was cut off. */
static const char *find_closing(const struct extraction *x)
{
	size_t length = 0;
	const char *opening = find_opening(x, &length);
	if (!opening)
		return NULL;
	const char *at = next_line(x, x->last_code ? x->last_code : opening);
	for (; at < x->end; at = next_line(x, at)) {
		const char *end = line_end(x, at);
		const char *mark = inside_containers(at, end, false);
		while (end > mark && isspace((unsigned char)end[-1]))
			end--;
		size_t n = fence_length(mark, end, x->fence);
		if (mark < end)
			return n >= length && mark + n == end ? next_line(x, at) : NULL;
	}
	return NULL;
}

/* "# filename: NAME" in whatever comment the language has; blank lines and a shebang may stand before it. */
static const char *filename_of(struct arena *arena, const char *code)
{
	static const char *const openings[] = {"#", "//", "/*", "<!--", "--", ";", "%"};
	while (*code == '\n' || (code[0] == '#' && code[1] == '!'))
		code += strcspn(code, "\n") + (code[strcspn(code, "\n")] == '\n');
	size_t n = strcspn(code, "\r\n");
	for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
		if (!text_starts_with(code, openings[i]))
			continue;
		const char *at = code + strlen(openings[i]), *end = code + n;
		at += strspn(at, " \t");
		if (!text_starts_with(at, "filename:"))
			continue;
		at += strlen("filename:");
		at += strspn(at, " \t");
		if (end - at >= 2 && memcmp(end - 2, "*/", 2) == 0)
			end -= 2;
		if (end - at >= 3 && memcmp(end - 3, "-->", 3) == 0)
			end -= 3;
		while (end > at && isspace((unsigned char)end[-1]))
			end--;
		return end > at ? arena_strndup(arena, at, (size_t)(end - at)) : NULL;
	}
	return NULL;
}

static const char *language_of(struct arena *arena, const MD_ATTRIBUTE *lang)
{
	char *text = arena_strndup(arena, lang->text ? lang->text : "", lang->text ? lang->size : 0);
	for (char *c = text; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return text;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *owner)
{
	struct extraction *x = owner;
	const MD_BLOCK_CODE_DETAIL *code = detail;
	if (type != MD_BLOCK_CODE || !code->fence_char)
		return 0;
	x->in_block = true;
	x->fence = code->fence_char;
	x->first_code = x->last_code = NULL;
	strbuf_reset(&x->code);
	ARENA_PUSH(x->arena, x->blocks, x->n,
		(struct code_block){.language = language_of(x->arena, &code->lang)});
	return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *owner)
{
	struct extraction *x = owner;
	(void)detail;
	if (type != MD_BLOCK_CODE || !x->in_block)
		return 0;
	struct code_block *block = &x->blocks[x->n - 1];
	block->code = arena_strndup(x->arena, x->code.text, x->code.length);
	block->filename = filename_of(x->arena, block->code);
	const char *closing = find_closing(x);
	block->cut_off = !closing;
	if (closing)
		x->seen = closing;
	x->in_block = false;
	return 0;
}

static int take_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *owner)
{
	struct extraction *x = owner;
	bool from_source = text >= x->source && text < x->end;
	(void)type;
	if (x->in_block) {
		strbuf_add(&x->code, text, size);
		if (from_source && !x->first_code)
			x->first_code = text;
		if (from_source)
			x->last_code = text + size;
	}
	if (from_source)
		x->seen = text + size;
	return 0;
}

static int ignore_span(MD_SPANTYPE type, void *detail, void *owner)
{
	(void)type, (void)detail, (void)owner;
	return 0;
}

struct code_block *code_blocks_extract(struct arena *arena, const char *markdown, size_t *ret_n)
{
	size_t size = strlen(markdown);
	struct extraction x = {.arena = arena, .source = markdown, .end = markdown + size,
		.seen = markdown, .code = STRBUF_INIT(size + 1)};
	MD_PARSER parser = {.enter_block = enter_block, .leave_block = leave_block,
		.enter_span = ignore_span, .leave_span = ignore_span, .text = take_text};
	md_parse(markdown, (MD_SIZE)size, &parser, &x);
	strbuf_release(&x.code);
	*ret_n = x.n;
	return x.blocks;
}
