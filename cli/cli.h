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
	const char *usage;     /* behind the name: "[DIR|FILE] [options]" */
	const char *details;   /* paragraphs for its help, with examples */
	size_t state_size;
	const struct option *options; /* NULL: none */
	const char *needs; /* the operand that it cannot do without: "a scenario file"; NULL: none */
	size_t most_operands;
	/* Carry it out; `state` is filled from the options. Gives the exit code, or -1 with err. */
	int (*run)(void *state, const struct option_strings *operands, struct arena *arena,
		struct rondo_error *err);
};

#define CLI_COMMANDS(_) _(fix) _(run) _(resume) _(test) _(check) _(init) _(schema) _(list) _(prompt) _(show) _(doctor) _(gc) _(completion)
#define CLI_DECLARE(name) extern const struct cli_command name##_command;
CLI_COMMANDS(CLI_DECLARE)
#undef CLI_DECLARE
extern const struct cli_command *const cli_commands[];
extern const size_t cli_commands_n;
extern const struct option cli_options[]; /* what every command can be told */

/* Print what the types of that name can be told; false: there is none. */
bool list_type(const char *name);

/* --- The screen --- */

enum screen_glyph { GLYPH_DONE, GLYPH_FAILED, GLYPH_LOOK, GLYPH_NEUTRAL, GLYPH_NONE };

struct screen {
	bool terminal; /* standard output is one: a live line may be drawn */
	bool colour, unicode;
	size_t columns;
	bool live;     /* a live line stands there now */
	int64_t drawn_at_ms;
};

/* Before anything is printed. */
void screen_init(struct screen *screen);

/* One line: glyph and text. What agents and programs said is shown with escape sequences made visible. */
void screen_line(struct screen *screen, enum screen_glyph glyph, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What agents and programs said, with all that would steer a terminal made visible. In the arena. */
const char *screen_visible(struct arena *arena, const char *text);

/* Names bold, times dim, a diff's lines green and red; the text as it is where there is no colour. In the arena. */
const char *screen_bold(const struct screen *screen, struct arena *arena, const char *text);
const char *screen_dim(const struct screen *screen, struct arena *arena, const char *text);
const char *screen_diff_line(const struct screen *screen, struct arena *arena, const char *line);

/* A name in a colour of its own, as far as there are some; the same name always in the same. In the arena. */
const char *screen_speaker(const struct screen *screen, struct arena *arena, const char *name);

/* Print a diff line by line, on a terminal in colour and with what would steer it made visible. */
void screen_diff(struct screen *screen, const char *diff);

/* The columns of a line that begins at column `indent`; at least 20: a narrow window wraps it. */
size_t screen_room(const struct screen *screen, size_t indent);

/* The bytes of text that fit into so many columns. */
size_t screen_fitting(const char *text, size_t columns);

/* How many bytes of text go on a line that begins at column `indent`: up to a newline, else up to a space. */
size_t screen_fold(const struct screen *screen, const char *text, size_t indent);

/* The line below the last finished one: at most ten times a second, only on a terminal. */
void screen_live(struct screen *screen, const char *text);
void screen_live_end(struct screen *screen);

/* An error on standard error: what was found, and the command that helps. */
void screen_error(const struct rondo_error *err);

/* A path as a person would write it: relative to here, or with ~. In the arena. */
const char *screen_path(struct arena *arena, const char *path);
