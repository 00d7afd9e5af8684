/* Where a compiler or interpreter reports that it cannot read on. */
#include <string.h>

#include "base/memory.h"
#include "repair/localise/trace.h"

/* At the end of a file the line is empty: the last one with tokens is meant. */
static void broken_mark(struct repair *repair, struct place place)
{
	struct source *source = place.source;
	uint32_t line = place.line;
	while (line > 1 && source->line_first[line] == source->line_first[line + 1])
		line--;
	if (source->line_first[line] == source->line_first[line + 1])
		return;
	if (!source->broken)
		source->broken = arena_alloc(repair->arena, (source->n_lines + 2) * sizeof *source->broken);
	source->broken[line] = true;
}

/* Complaints of what cannot be read, wherever it stands. */
static const char *const certain[] = {
	"SyntaxError: ", "IndentationError: ", "TabError: ", "syntax error: unexpected ",
	"missing ',' ", "imported and not used", "at end of input", "before ‘}’ token",
	"before '}' token", "missing terminating ", "error: stray ", "contains an unclosed delimiter",
	"unexpected closing delimiter", "error: expected one of ", "error: ';' expected",
	"error: ')' expected", "error: illegal start of ", "reached end of file while parsing",
	"near unexpected token", "syntax error, unexpected ", NULL};

/* What may be one: a message also says what was expected of a value, and of a macro or a type that
 * is elsewhere a compiler says so, too. */
static const char *const likely[] = {"SyntaxError", "IndentationError", "TabError", "syntax error",
	"Syntax error", "error: expected", "ERROR: Expected", "expected ", " expected",
	"Unexpected token", "Unexpected end", "unexpected token", "unterminated", "missing terminating",
	"unclosed delimiter", "error: stray", "before end of", "non-declaration statement",
	"unexpected symbol", "unfinished ", "Unclosed '", "Unmatched '", "Missing right",
	"Unmatched right", "Can't find string terminator", "Bareword \"", "Global symbol \"", NULL};

/* The place and the complaint are on one line, or a few apart in either order. */
void repair_find_broken(struct repair *repair, const char *text)
{
	enum { LINES_APART = 8 };
	struct place last = {NULL, 0};
	int since_place = LINES_APART, since_complaint = LINES_APART;
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		AUTO_FREE char *line = memory_alloc(n + 1);
		memcpy(line, text, n);
		const char *at = line;
		bool placed = trace_next_place(repair, line, &at, &last);
		bool is_certain = text_n_holds_any(line, n, certain);
		bool complains = is_certain || text_n_holds_any(line, n, likely);
		since_place = placed ? 0 : since_place + 1;
		since_complaint = complains ? 0 : since_complaint + 1;
		bool near = (complains && since_place < LINES_APART) || (placed && since_complaint < 3);
		if (near && last.source && (last.source->file->editable || is_certain))
			broken_mark(repair, last);
	}
}
