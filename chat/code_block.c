/*
 * md4c finds the fences. It does not say whether a fence was closed, but the code lines that it
 * reports point into the source: the first line with a fence after the last of them may be the
 * closing one. Whether it is (or whether a quote or list ended the block and that line opens
 * another) md4c knows best, so it is asked: the source up to that line, with a word after it,
 * has that word as text only where the block was closed.
 */
#include "chat/code_block.h"

#include <ctype.h>
#include <md4c.h>
#include <string.h>

#include "base/strbuf.h"

#define PROBE_WORD "wasthefenceclosed"
#define MOST_BLOCKS 256 /* each asks md4c once more; what comes beyond counts as cut off */
#define MOST_PROBES 256 /* of lines that seem to close a block and do not */

struct extraction {
	struct arena *arena;
	const char *source, *end;
	const char *seen; /* the end of the last text that md4c reported from the source */
	struct code_block *blocks;
	size_t n, n_probes;
	bool in_block;
	char fence;
	const char *last_code; /* end of the last code line of the open block, or NULL */
	size_t indentation;    /* columns of the line that has begun, as md4c counts them */
	struct strbuf code;
};

/* A line ends as CommonMark says: in LF, CRLF or CR. */
static const char *block_next_line(const struct extraction *x, const char *at)
{
	at += strcspn(at, "\r\n");
	if (at < x->end && *at++ == '\r' && *at == '\n')
		at++;
	return at;
}

static bool block_begins_line(const struct extraction *x, const char *at)
{
	return at == x->source || at[-1] == '\n' || (at[-1] == '\r' && *at != '\n');
}

static bool block_has_fence(const char *at, const char *end, char fence)
{
	size_t run = 0;
	for (; at < end && run < 3; at++)
		run = *at == fence ? run + 1 : 0;
	return run == 3;
}

struct probe {
	size_t n_blocks;
	bool in_block, word_is_text;
};

static int probe_enter(MD_BLOCKTYPE type, void *detail, void *owner)
{
	struct probe *probe = owner;
	if (type == MD_BLOCK_CODE && ((MD_BLOCK_CODE_DETAIL *)detail)->fence_char) {
		probe->n_blocks++;
		probe->in_block = true;
	}
	return 0;
}

static int probe_leave(MD_BLOCKTYPE type, void *detail, void *owner)
{
	(void)detail;
	if (type == MD_BLOCK_CODE)
		((struct probe *)owner)->in_block = false;
	return 0;
}

static int probe_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *owner)
{
	struct probe *probe = owner;
	(void)type;
	if (size == strlen(PROBE_WORD) && memcmp(text, PROBE_WORD, size) == 0)
		probe->word_is_text = !probe->in_block;
	return 0;
}

static int block_ignore_span(MD_SPANTYPE type, void *detail, void *owner)
{
	(void)type, (void)detail, (void)owner;
	return 0;
}

static struct probe probe_up_to(const struct extraction *x, const char *end)
{
	size_t size = (size_t)(end - x->source);
	AUTO_STRBUF text = STRBUF_INIT(size + 64);
	strbuf_add(&text, x->source, size);
	strbuf_adds(&text, "\n" PROBE_WORD "\n");
	struct probe probe = {0};
	MD_PARSER parser = {.enter_block = probe_enter,
		.leave_block = probe_leave,
		.enter_span = block_ignore_span,
		.leave_span = block_ignore_span,
		.text = probe_text};
	md_parse(text.text, (MD_SIZE)text.length, &parser, &probe);
	return probe;
}

/* Behind the closing fence's line of the open block, or NULL where the block was cut off. */
static const char *block_find_closing(struct extraction *x)
{
	const char *at = x->last_code ? block_next_line(x, x->last_code) : x->seen;
	if (x->n > MOST_BLOCKS)
		return NULL;
	for (const char *next; at < x->end; at = next) {
		next = block_next_line(x, at);
		if (!block_has_fence(at, next, x->fence))
			continue;
		struct probe probe = probe_up_to(x, next);
		if (probe.n_blocks > x->n)
			return NULL;
		if (probe.n_blocks == x->n && probe.word_is_text)
			return next;
		if (++x->n_probes > MOST_PROBES)
			return NULL;
	}
	return NULL;
}

/* "# filename: NAME" in whatever comment the language has; blank lines and a shebang may stand
 * before it. */
static const char *block_filename_of(struct arena *arena, const char *code, const char **ret_line)
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
		*ret_line = code;
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

const char *code_block_unnamed(const struct code_block *block, struct arena *arena)
{
	if (!block->naming)
		return block->code;
	const char *end = strchrnul(block->naming, '\n');
	return arena_printf(
		arena, "%.*s%s", (int)(block->naming - block->code), block->code, end + (*end == '\n'));
}

/* The opening fence is the first line with one after what md4c has reported. */
static const char *block_opening_line(const struct extraction *x)
{
	const char *at = x->seen;
	if (!block_begins_line(x, at))
		at = block_next_line(x, at);
	while (at < x->end && !block_has_fence(at, block_next_line(x, at), x->fence))
		at = block_next_line(x, at);
	return at;
}

/* The line of text before the opening fence, which is at `at`. */
static const char *block_lead_of(const struct extraction *x, const char *at)
{
	while (at > x->source && isspace((unsigned char)at[-1]))
		at--;
	const char *start = at;
	while (!block_begins_line(x, start))
		start--;
	while (start < at && isspace((unsigned char)*start))
		start++;
	return arena_strndup(x->arena, start, (size_t)(at - start));
}

static const char *block_language_of(struct arena *arena, const MD_ATTRIBUTE *lang)
{
	char *text = arena_strndup(arena, lang->text ? lang->text : "", lang->text ? lang->size : 0);
	for (char *c = text; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return text;
}

static int block_enter(MD_BLOCKTYPE type, void *detail, void *owner)
{
	struct extraction *x = owner;
	const MD_BLOCK_CODE_DETAIL *code = detail;
	if (type != MD_BLOCK_CODE || !code->fence_char)
		return 0;
	x->in_block = true;
	x->fence = code->fence_char;
	x->last_code = NULL;
	strbuf_reset(&x->code);
	const char *opening = block_opening_line(x);
	ARENA_PUSH(x->arena, x->blocks, x->n,
		(struct code_block){.language = block_language_of(x->arena, &code->lang),
			.info = arena_strndup(x->arena, code->info.text ? code->info.text : "",
				code->info.text ? code->info.size : 0),
			.lead = block_lead_of(x, opening),
			.offset = (size_t)(opening - x->source)});
	return 0;
}

static int block_leave(MD_BLOCKTYPE type, void *detail, void *owner)
{
	struct extraction *x = owner;
	(void)detail;
	if (type != MD_BLOCK_CODE || !x->in_block)
		return 0;
	struct code_block *block = &x->blocks[x->n - 1];
	block->code = arena_strndup(x->arena, x->code.text, x->code.length);
	block->filename = block_filename_of(x->arena, block->code, &block->naming);
	const char *closing = block_find_closing(x);
	block->cut_off = !closing;
	x->seen = closing ? closing
					  : block_next_line(x, x->last_code ? x->last_code : x->source + block->offset);
	block->length = (size_t)(x->seen - x->source) - block->offset;
	x->in_block = false;
	return 0;
}

static size_t block_next_column(size_t column, char c)
{
	return c == '\t' ? (column | 3) + 1 : column + 1;
}

/* md4c reports a line's indentation as spaces. The source's own bytes are kept instead, so that
 * tabs stay tabs; of a tab that a list or the fence took a part of, the rest is spaces. */
static void block_add_indentation(struct extraction *x, const char *at)
{
	const char *start = at;
	size_t end = 0, column = 0;
	while (start > x->source && start[-1] != '\n' && start[-1] != '\r')
		start--;
	for (const char *c = start; c < at; c++)
		end = block_next_column(end, *c);
	size_t first = end > x->indentation ? end - x->indentation : 0;
	for (; column < first; start++)
		column = block_next_column(column, *start);
	strbuf_addf(&x->code, "%*s", (int)(column - first), "");
	strbuf_add(&x->code, start, (size_t)(at - start));
	x->indentation = 0;
}

static int block_take_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *owner)
{
	struct extraction *x = owner;
	bool from_source = text >= x->source && text < x->end;
	(void)type;
	if (x->in_block && from_source) {
		if (x->indentation)
			block_add_indentation(x, text);
		strbuf_add(&x->code, text, size);
		x->last_code = text + size;
	} else if (x->in_block && *text == ' ') {
		x->indentation += size;
	} else if (x->in_block) {
		strbuf_addf(&x->code, "%*s%.*s", (int)x->indentation, "", (int)size, text);
		x->indentation = 0;
	}
	if (from_source)
		x->seen = text + size;
	return 0;
}

struct code_block *code_blocks_extract(struct arena *arena, const char *markdown, size_t *ret_n)
{
	size_t size = strlen(markdown);
	struct extraction x = {.arena = arena,
		.source = markdown,
		.end = markdown + size,
		.seen = markdown,
		.code = STRBUF_INIT(4 * size + 1)};
	MD_PARSER parser = {.enter_block = block_enter,
		.leave_block = block_leave,
		.enter_span = block_ignore_span,
		.leave_span = block_ignore_span,
		.text = block_take_text};
	md_parse(markdown, (MD_SIZE)size, &parser, &x);
	strbuf_release(&x.code);
	*ret_n = x.n;
	return x.blocks;
}

static bool block_is_blank_line(const char *line)
{
	return line[strspn(line, " \t\r")] == '\n' || !line[strspn(line, " \t\r")];
}

const char *markdown_dedent(struct arena *arena, const char *markdown)
{
	size_t least = SIZE_MAX;
	for (const char *line = markdown; line && least;
		 line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (!block_is_blank_line(line) && strspn(line, " ") < least)
			least = strspn(line, " ");
	if (!least || least == SIZE_MAX)
		return markdown;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (const char *line = markdown; *line;) {
		size_t n = strcspn(line, "\n"), blanks = strspn(line, " ");
		n += line[n] == '\n';
		size_t cut = blanks < least ? blanks : least;
		strbuf_add(&text, line + cut, n - cut);
		line += n;
	}
	return arena_strndup(arena, text.text, text.length);
}
