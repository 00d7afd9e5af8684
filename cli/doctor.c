/* rondo doctor: what works on this machine, and the command that mends what does not, on one
 * screen. */
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "cli/cli.h"

#define INDENT 13
#define COLUMNS 80 /* also in a wider window, or in none: what stands here is shown to others */

struct doctor_command {
	bool json;
	const char *model, *env_file;
};

#define AT(member) offsetof(struct doctor_command, member)

static const struct option options[] = {
	OPTION("model", STRING, AT(model), "ask this model one short question, and say what works",
		.argument = "NAME"),
	OPTION("env-file", STRING, AT(env_file),
		"keys (NAME_API_KEY=...), beside those of the environment", .argument = "FILE"),
	OPTION("json", BOOL, AT(json), "a JSON object a line, one for each thing"),
	OPTION_END,
};

/* How many bytes go on a line: up to two spaces, which part what is listed, else up to one, however
 * far that is. */
static size_t doctor_fold(const struct screen *screen, const char *text)
{
	size_t n = utf8_fitting(text, screen_room(screen, INDENT)), best = n;
	for (size_t i = n; text[n] && i > 0; i--) {
		if (text[i] != ' ')
			continue;
		if (text[i - 1] == ' ')
			return i - 1;
		best = best == n ? i : best;
	}
	return best;
}

static void doctor_print_folded(
	struct screen *screen, enum screen_glyph glyph, const char *name, const char *text)
{
	text = screen_visible(screen, text);
	for (size_t n; *text; text += n + strspn(text + n, " \n"), glyph = GLYPH_NONE, name = "") {
		n = doctor_fold(screen, text);
		screen_line(screen, glyph, "%-10s %.*s", name, (int)n, text);
	}
}

/* Of several things, each of which may be missing. */
static bool doctor_is_list(const struct doctor_line *line)
{
	return strcmp(line->name, "languages") == 0 || strcmp(line->name, "coders") == 0;
}

/* What is there, but does not work, is to be looked at; what nobody installed is not, where runs go
 * without it. */
static enum screen_glyph doctor_glyph(const struct doctor_line *line)
{
	if (line->works)
		return doctor_is_list(line) ? GLYPH_NEUTRAL : GLYPH_DONE;
	return line->needed || *line->found ? GLYPH_LOOK : GLYPH_NEUTRAL;
}

/* What was found, with paths as people write them; "FOUND: WHY", or the reason alone where it names
 * what was found. */
static const char *doctor_text(struct screen *screen, const struct doctor_line *line)
{
	if (line->works)
		return screen_path(screen, line->found);
	if (!*line->found || strstr(line->why, line->found))
		return line->why;
	return arena_printf(&screen->arena, "%s: %s", line->found, line->why);
}

static void doctor_print_line(struct screen *screen, const struct doctor_line *line)
{
	doctor_print_folded(screen, doctor_glyph(line), line->name, doctor_text(screen, line));
	if (line->help && *line->help)
		doctor_print_folded(
			screen, GLYPH_NONE, "", arena_printf(&screen->arena, "help: %s", line->help));
}

static void doctor_print_json(const struct doctor_line *line)
{
	AUTO_JSON *json = json_object();
	json_add_string(json, "name", line->name);
	json_add_bool(json, "works", line->works);
	json_add_bool(json, "needed", line->needed);
	json_add_string(json, "found", line->found);
	json_add_string(json, "why", line->why);
	json_add_string(json, "help", line->help && *line->help ? line->help : NULL);
	AUTO_FREE char *text = json_print(json);
	puts(text);
}

static void doctor_print_screen(const struct doctor_line *lines, size_t n, bool is_machine)
{
	AUTO_SCREEN screen;
	screen_init(&screen);
	if (!screen.terminal || screen.columns > COLUMNS)
		screen.columns = COLUMNS;
	if (is_machine)
		printf("rondo %s   %s\n\n", rondo_version(), run_library_versions(&screen.arena));
	for (size_t i = 0; i < n; i++) {
		if (strcmp(lines[i].name, "languages") == 0)
			putchar('\n');
		doctor_print_line(&screen, &lines[i]);
	}
}

CLI_RUN(doctor)
{
	const struct doctor_command *command = state;
	const struct context ctx = {0};
	struct doctor_line *lines;
	size_t n;
	bool well = true;
	int status = 0;
	const char *dir = operands->n ? operands->items[0] : NULL;
	if (command->model && dir)
		return error_set(
			err, RONDO_ERROR_USAGE, "rondo doctor takes a directory or --model, not both");
	if (command->model)
		status = run_doctor_model(command->model, command->env_file, &ctx, arena, &lines, &n, err);
	else if (dir)
		status = run_doctor_repository(dir, arena, &lines, &n, err);
	else
		run_doctor(arena, &lines, &n);
	if (status < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		well &= lines[i].works || !lines[i].needed;
		if (command->json)
			doctor_print_json(&lines[i]);
	}
	if (!command->json)
		doctor_print_screen(lines, n, !dir && !command->model);
	return well ? 0 : 3;
}

const struct cli_command doctor_command = {
	.name = "doctor",
	.summary = "what works on this machine or in a repository, and what mends the rest",
	.usage = "[DIR] [options]",
	.details =
		"Tries each executor and prints what was found. Nothing is asked for, and nothing "
		"costs money.\n"
		"DIR: how the tests of this repository are run, what they need that is missing, and\n"
		"the command that gets it. No test is run.\n"
		"--model: whether it answers, piece by piece, what it counts, how much it reads. This\n"
		"costs what one short question costs.\n"
		"Exit code 3 where what every run needs does not work or is missing.\n",
	.most_operands = 1,
	.state_size = sizeof(struct doctor_command),
	.options = options,
	.run = doctor_run,
};
