/*
 * The command line: one file a command. Only this floor prints. Commands are types: a table entry
 * gives reading of arguments, help and completions.
 */
#pragma once
#include "base/option.h"
#include "run/run.h"

struct cli_command {
	const char *name;
	const char *summary;
	const char *usage;   /* after the name: "[DIR|FILE] [options]"; NULL: one of `words` */
	const char *details; /* paragraphs for its help, with examples */
	size_t state_size;
	const struct option *options; /* NULL: none */
	const char *needs;    /* the operand that it cannot do without: "a scenario file"; NULL: none */
	const char *fallback; /* the operand where there is none; NULL: none */
	size_t most_operands;
	bool takes_run; /* the first operand is a run's id */
	/* What else it can be, for completions: appended, each word after a space. NULL: a file, or
	 * nothing. */
	void (*words)(struct strbuf *sb);
	/* Carry it out; `state` is filled from the options. Gives the exit code, or -1 with err. */
	int (*run)(void *state, const struct option_strings *operands, struct arena *arena,
		struct rondo_error *err);
};

/* Begins what `run` of a command is: NAME_run, with these parameters. */
#define CLI_UNUSED __attribute__((unused))
#define CLI_RUN(name) \
	static int name##_run(CLI_UNUSED void *state, \
		CLI_UNUSED const struct option_strings *operands, CLI_UNUSED struct arena *arena, \
		CLI_UNUSED struct rondo_error *err)

#define CLI_SYMBOL(name) name##_command
#define CLI_COMMANDS(_) \
	_(fix), _(verify), _(batch), _(mcp), _(run), _(resume), _(test), _(check), _(init), _(schema), \
		_(list), _(prompt), _(show), _(doctor), _(gc), _(completion), _(help)
REGISTRY_DECLARE(struct cli_command, cli_commands, CLI_COMMANDS(CLI_SYMBOL));
extern const struct option cli_options[]; /* the options of every command */

/* The command of that name, or NULL with err. */
const struct cli_command *cli_find(const char *name, struct rondo_error *err);

/* What an option takes and means: its own row, or that of the key which it sets. */
const struct option *cli_meaning(const struct option *option);
const char *cli_help(const struct option *option);

/* Print what rondo does; and what a command does, with its options. */
void help_front(void);
void help_command_options(const struct cli_command *command);

/* --- The screen --- */

enum screen_glyph { GLYPH_DONE, GLYPH_FAILED, GLYPH_LOOK, GLYPH_NEUTRAL, GLYPH_NONE };

enum { LIVE_LINES_MOST = 6 };

struct screen {
	bool terminal; /* standard output is one: a live line may be drawn */
	bool is_read;  /* so, too, or a pager on one: by a person, not by a program */
	bool colour, unicode;
	size_t columns;
	size_t n_live;                        /* so many live lines stand there now, */
	size_t live_columns[LIVE_LINES_MOST]; /* and are so wide */
	int64_t drawn_at_ms;
	struct arena arena; /* holds the texts that the functions below give */
};
#define AUTO_SCREEN __attribute__((cleanup(screen_release))) struct screen

/* For all screens: when there is colour, one of screen_colours (NULL: "auto"), which comes before
 * NO_COLOR; and that a pager shows what is printed from here on. Both before screen_init. */
extern const char *const screen_colours[];
void screen_choose_colour(const char *when);
void screen_set_paged(void);

/* Before anything is printed. And forget the texts; the screen can be used on. */
void screen_init(struct screen *screen);

/* The columns may be others by now. */
void screen_measure(struct screen *screen);
void screen_release(struct screen *screen);

#define SCREEN_DIM "\016"

/* One line: glyph and text, made visible; what follows SCREEN_DIM is dim. */
void screen_line(struct screen *screen, enum screen_glyph glyph, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void screen_blank(struct screen *screen);

/* A row below the last line: a label of at most 8 columns, and a text, also of many lines. Without
 * a label where that is NULL; nothing at all where the text is NULL. */
void screen_row(struct screen *screen, const char *label, const char *text);

/* What agents and programs said, with all that would steer a terminal made visible. */
const char *screen_visible(struct screen *screen, const char *text);

/* So too, where there is colour: as "1", "31" and the like say it; a line of a diff in its colour;
 * and a speaker in one that is always the same. */
const char *screen_styled(struct screen *screen, const char *style, const char *text);
const char *screen_diff_line(struct screen *screen, const char *line);
const char *screen_speaker(struct screen *screen, const char *name);

/* "0.4 s"; and a path as a person would write it: relative to here, or with ~; NULL for NULL. */
const char *screen_time(struct screen *screen, int64_t duration_ms);
const char *screen_path(struct screen *screen, const char *path);

/* The columns of a line that begins at column `indent`; at least 20: a narrow window wraps it. */
size_t screen_room(const struct screen *screen, size_t indent);

/* How many bytes of text go on a line that begins at column `indent`: up to a newline, else up to a
 * space. */
size_t screen_fold(const struct screen *screen, const char *text, size_t indent);

/* Whether what is done now may be said again: on a terminal ten times a second, on the one line
 * that is rewritten; else as a line of its own, each ten seconds. */
#define SCREEN_REDRAW_MS 100
#define SCREEN_PIPED_MS 10000
static inline bool screen_is_due(const struct screen *screen, int64_t now_ms)
{
	int64_t rest_ms = screen->terminal ? SCREEN_REDRAW_MS : SCREEN_PIPED_MS;
	bool is_first = screen->terminal && !screen->n_live;
	return is_first || now_ms - screen->drawn_at_ms >= rest_ms;
}

/* What is done now, where that is due; above it, on a terminal, the last lines of a text. */
void screen_live(struct screen *screen, const char *above, const char *text);
void screen_live_end(struct screen *screen);

/* An error on standard error: what was found, and the command that helps. */
void screen_error(const struct rondo_error *err);
