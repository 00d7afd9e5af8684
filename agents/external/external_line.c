/*
 * The command of an external agent is a line of sh, as the user would type it. In the box neither
 * the user's PATH nor their files are there, so what the line names is found here: its first
 * program, and files among its plain words. The text of the task is never a part of the line, which
 * a shell reads: it comes by a file.
 */
#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "agents/external/external.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

#define TASK "{task}"
#define TASK_FILE "{task_file}"
#define SCRIPTS_AT "/run/rondo"

/* Words after which the next one is a program. */
static const char *const before_program[] = {
	"exec", "command", "env", "nice", "time", "!", "{", "do", "then", "else", "elif"};

/* What the shell does itself. */
static const char *const builtin[] = {".", ":", "[", "break", "case", "cd", "done", "echo", "esac",
	"eval", "export", "false", "fi", "for", "if", "printf", "read", "set", "test", "trap", "true",
	"umask", "ulimit", "unset", "until", "wait", "while", "("};

/* Programs whose first operand is a file. */
static const char *const interpreters[] = {"sh", "bash", "dash", "zsh", "python", "python3", "node",
	"deno", "bun", "perl", "ruby", "php", "lua"};

static bool line_is_plain(const char *word)
{
	for (; *word; word++)
		if (!isalnum((unsigned char)*word) && !strchr("_./+@%:,=~-", *word))
			return false;
	return true;
}

struct line {
	struct agent *agent;
	struct world *world;
	const struct cancel *cancel;
	struct arena *arena;
	struct strbuf text;
	bool has_program, is_interpreted;
	size_t n_scripts;
};

/* A name as the user means it, absolute. */
static const char *line_path(const struct line *line, const char *word)
{
	const char *dir = line->agent->services->dir;
	bool is_here = *word == '/' || !dir || strcmp(dir, ".") == 0;
	const char *from = text_starts_with(word, "./") ? word + 2 : word;
	return file_absolute(
		line->arena, is_here ? from : arena_printf(line->arena, "%s/%s", dir, from));
}

static bool line_is_assignment(const char *word)
{
	const char *equals = strchr(word, '=');
	return equals && equals > word && !memchr(word, '/', (size_t)(equals - word));
}

static int line_add_program(struct line *line, const char *word, struct rondo_error *err)
{
	const struct agent_services *services = line->agent->services;
	const struct executor *executor = services->main_checkout->executor;
	const char *start, *name = file_name(word);
	const char *wanted = strchr(word, '/') ? line_path(line, word) : word;
	bool is_in_box = text_in(builtin, ARRAY_SIZE(builtin), word);
	line->has_program = true;
	line->is_interpreted = text_in(interpreters, ARRAY_SIZE(interpreters), name);
	if (is_in_box) {
		strbuf_adds(&line->text, word);
		return 0;
	}
	if (world_add_program(line->world, wanted, executor_sees(executor), executor_tree_at(executor),
			line->cancel, line->arena, &start, err) < 0)
		return -1;
	strbuf_adds(&line->text, start);
	return 0;
}

/* A file that the line names: where the tree has it, there; else shown on its own. */
static int line_add_file(struct line *line, const char *real, struct rondo_error *err)
{
	const struct executor *executor = line->agent->services->main_checkout->executor;
	struct world *world = line->world;
	(void)err;
	if (executor_sees(executor) == EXECUTOR_SEES_HOST) {
		strbuf_add_word(&line->text, real);
		return 0;
	}
	const char *at = real;
	if (file_is_below(real, world->tree_at)) {
		const char *in_tree =
			arena_printf(line->arena, "%s%s", executor->tree, real + strlen(world->tree_at));
		if (!file_exists(in_tree))
			at =
				arena_printf(line->arena, SCRIPTS_AT "/%zu-%s", ++line->n_scripts, file_name(real));
	}
	if (at != real || !file_is_below(real, world->tree_at)) {
		const struct mount mount = {
			.source = real, .target = at, .kind = MOUNT_READ_ONLY, .why = "external program"};
		world_add_mount(world, &mount, line->arena);
	}
	strbuf_add_word(&line->text, at);
	return 0;
}

/* The file that a word names; NULL: none, or one that every box has. */
static const char *line_file_of(const struct line *line, const char *word, bool is_first)
{
	struct rondo_error ignored;
	bool is_path = strchr(word, '/') || (is_first && line->is_interpreted);
	if (!is_path || *word == '-')
		return NULL;
	const char *real = file_real_path(line->arena, line_path(line, word), &ignored);
	struct stat st;
	bool is_file = real && stat(real, &st) == 0 && S_ISREG(st.st_mode);
	return is_file && !file_is_below(real, "/usr") && !file_is_below(real, "/etc") ? real : NULL;
}

static int line_add_word(
	struct line *line, const char *word, bool *is_operand, struct rondo_error *err)
{
	const char *file = NULL;
	if (!line_is_plain(word)) {
		line->has_program = true;
		line->is_interpreted = false;
	} else if (!line->has_program) {
		if (!line_is_assignment(word) && !text_in(before_program, ARRAY_SIZE(before_program), word))
			return line_add_program(line, word, err);
	} else {
		file = line_file_of(line, word, *is_operand);
		*is_operand = *is_operand && *word == '-';
	}
	if (file)
		return line_add_file(line, file, err);
	strbuf_adds(&line->text, word);
	return 0;
}

/* A word of the line, as it stands: with its quotes. */
static size_t line_word_length(const char *at)
{
	size_t n = 0;
	for (char quote = '\0'; at[n] && (quote || !strchr(" \t\n;&|()<>", at[n])); n++) {
		if (at[n] == '\\' && at[n + 1] && quote != '\'')
			n++;
		else if (quote && at[n] == quote)
			quote = '\0';
		else if (!quote && (at[n] == '"' || at[n] == '\''))
			quote = at[n];
	}
	return n;
}

int external_line_find(struct agent *agent, struct world *world, const char *command,
	const struct cancel *cancel, struct arena *arena, const char **ret_line,
	struct rondo_error *err)
{
	struct line line = {.agent = agent,
		.world = world,
		.cancel = cancel,
		.arena = arena,
		.text = STRBUF_INIT(STRBUF_LINE)};
	bool is_operand = true;
	int status = 0;
	for (const char *at = command; *at && status == 0;) {
		size_t n = line_word_length(at);
		if (n)
			status = line_add_word(&line, arena_strndup(arena, at, n), &is_operand, err);
		else
			strbuf_addc(&line.text, *at);
		if (!n && strchr(";&|(\n", *at)) {
			line.has_program = false;
			is_operand = true;
		}
		at += n ? n : 1;
	}
	if (status == 0)
		*ret_line = arena_strdup(arena, line.text.text);
	strbuf_release(&line.text);
	return status;
}

bool external_line_wants_input(const char *line)
{
	return !strstr(line, TASK) && !strstr(line, TASK_FILE);
}

/* What {task} becomes, by the quotes that it stands in. */
static void line_put(struct strbuf *text, char quote, const char *content, bool is_command)
{
	if (!quote && is_command)
		strbuf_addf(text, "\"$(cat %s)\"", content);
	else if (quote == '"' && is_command)
		strbuf_addf(text, "$(cat %s)", content);
	else if (quote && is_command)
		strbuf_addf(text, "'\"$(cat %s)\"'", content);
	else
		strbuf_adds(text, content);
}

const char *external_line_fill(const char *line, const char *task_at, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE), word = STRBUF_INIT(STRBUF_LINE);
	char quote = '\0';
	strbuf_add_word(&word, task_at);
	while (*line) {
		bool is_task = text_starts_with(line, TASK);
		if (is_task || text_starts_with(line, TASK_FILE)) {
			line_put(&text, quote, is_task || !quote ? word.text : task_at, is_task);
			line += strlen(is_task ? TASK : TASK_FILE);
			continue;
		}
		if (*line == '\\' && line[1] && quote != '\'')
			strbuf_addc(&text, *line++);
		else if (quote && *line == quote)
			quote = '\0';
		else if (!quote && (*line == '"' || *line == '\''))
			quote = *line;
		strbuf_addc(&text, *line++);
	}
	return arena_strdup(arena, text.text);
}
