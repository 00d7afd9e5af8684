#include "verify/suite/runners/blocks.h"

#include "base/strbuf.h"
#include "verify/suite/runners/command_line.h"

/* By the Makefile. */
extern const char blocks_note_c[], blocks_verdict_h[], blocks_collect_c[], blocks_places_awk[],
	blocks_cover_sh[];

/* The part of the time that is left for reading what programs are made of. */
enum { LOOKING = 3 };

const char *blocks_line(const struct suite *suite, const struct cover_tests *tests,
	const char *values, const char *text, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	int64_t ms = tests->limit_ms - tests->limit_ms / LOOKING;
	strbuf_addf(&line, "seconds=%d.%d\nsignal=%s\n", (int)(ms / 1000), (int)(ms % 1000 / 100),
		suite->n_hung ? "TERM" : "KILL");
	strbuf_addf(&line, "note=%s\nverdict=%s\ncollect=%s\nplaces=%s\n%s%s%s",
		command_quote(blocks_note_c, arena), command_quote(blocks_verdict_h, arena),
		command_quote(blocks_collect_c, arena), command_quote(blocks_places_awk, arena), values,
		blocks_cover_sh, text);
	return command_bounded(&line, arena);
}

const char *blocks_cover_c(
	const struct suite *suite, const struct cover_tests *tests, struct arena *arena)
{
	const struct suite_type *type = suite->type;
	const char *command = type->structured ? type->structured(suite, NULL, arena) : suite->command;
	const char *values = arena_printf(arena, "command=%s\ndir=%s\n", command_quote(command, arena),
		command_quote(suite->dir ? suite->dir : "", arena));
	return blocks_line(suite, tests, values, blocks_cover_c_sh, arena);
}
