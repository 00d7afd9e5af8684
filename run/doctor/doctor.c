/*
 * What works on this machine, found out by trying, and the command that mends what does not. All is
 * tried at once, since some wait for others: a server, or an interpreter behind a shim.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/http/http.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/thread.h"
#include "executors/world.h"
#include "run/doctor/doctor.h"
#include "run/run.h"
#include "run/scenario/yaml.h"
#include "worktree/worktree.h"

#define TOOL_MS 5000

static const struct tool {
	const char *program, *argument;
} tools[] = {{"python3", "--version"}, {"node", "--version"}, {"esbuild", "--version"},
	{"go", "version"}, {"cargo", "--version"}, {"gcc", "-dumpfullversion"}, {"make", "--version"}};

/* One thing that is tried, in a thread and an arena of its own. */
struct trial {
	void (*run)(struct trial *trial);
	const struct executor_type *type;
	const struct tool *tool;
	struct arena arena;
	struct doctor_line line;
};

/* --- Executors --- */

static void try_executor(struct trial *trial)
{
	AUTO_STRBUF found = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error err;
	const char *name = trial->type->name;
	bool works = trial->type->probe(&found, &err) == 0;
	trial->line = (struct doctor_line){.name = name,
		.works = works,
		.needed = strcmp(name, executor_family.fallback) == 0,
		.found = arena_strdup(&trial->arena, found.text)};
	if (!works) {
		trial->line.why = arena_strdup(&trial->arena, err.message);
		trial->line.help = arena_strdup(&trial->arena, err.help);
	}
}

/* --- Languages --- */

const char *doctor_version(const char *program, const char *argument, struct arena *arena)
{
	const char *path = file_search(arena, getenv("PATH"), program);
	AUTO_STRBUF output = STRBUF_INIT(4096);
	struct process_result result;
	struct rondo_error err;
	const char *home = arena_printf(arena, "HOME=%s", getenv("HOME") ? getenv("HOME") : "/");
	const char *search = arena_printf(arena, "PATH=%s", getenv("PATH") ? getenv("PATH") : "");
	const char *const argv[] = {path, argument, NULL}, *const env[] = {home, search, NULL};
	struct process_options options = {
		.argv = argv, .env = env, .output = &output, .timeout_ms = TOOL_MS};
	if (!path || process_run(&options, &result, &err) < 0 || result.exit_code != 0)
		return NULL;
	const char *version = output.text + strcspn(output.text, "0123456789");
	return arena_strndup(arena, version, strcspn(version, " \n"));
}

static void try_tool(struct trial *trial)
{
	const char *version =
		doctor_version(trial->tool->program, trial->tool->argument, &trial->arena);
	trial->line.found = version ? version : "-";
}

static void try_coders(struct trial *trial)
{
	trial->line = doctor_coders(&trial->arena);
}

static void try_typescript(struct trial *trial)
{
	const char *typescript = world_typescript(NULL);
	trial->line.found =
		arena_printf(&trial->arena, "%s%s", typescript ? "by " : "-", typescript ? typescript : "");
}

/* --- Where runs are kept --- */

static int look_at_state(struct arena *arena, const char **ret_found, struct rondo_error *err)
{
	const char *dir = run_state_dir(arena, err), **ids;
	size_t n;
	if (!dir || file_make_dir(dir, 0700, err) < 0)
		return -1;
	if (access(dir, W_OK) < 0)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write to '%s'", dir);
	if (run_list(arena, 0, &ids, &n, err) < 0)
		return -1;
	*ret_found = arena_printf(arena, "%s, %zu run%s, %.1f MB", dir, n, n == 1 ? "" : "s",
		(double)file_tree_size(dir) / 1e6);
	return 0;
}

static void try_state(struct trial *trial)
{
	struct rondo_error err;
	struct doctor_line line = {.name = "state", .needed = true, .found = ""};
	line.works = look_at_state(&trial->arena, &line.found, &err) == 0;
	if (!line.works) {
		line.why = arena_strdup(&trial->arena, err.message);
		line.help = "export XDG_STATE_HOME=DIR, with a directory that you may write";
	}
	trial->line = line;
}

/* --- All of them --- */

static void *work(void *owner)
{
	struct trial *trial = owner;
	trial->run(trial);
	return NULL;
}

static struct doctor_line copy_line(const struct doctor_line *line, struct arena *arena)
{
	struct doctor_line copy = *line;
	copy.found = arena_strdup(arena, line->found);
	copy.why = arena_strdup(arena, line->why);
	copy.help = arena_strdup(arena, line->help);
	return copy;
}

/* "python3 3.11.2  node 20.20.2 ...": a line for all. */
static struct doctor_line languages_line(const struct trial *tried, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		strbuf_addf(&text, "%s %s  ", tools[i].program, tried[i].line.found);
	strbuf_addf(&text, "typescript %s", tried[ARRAY_SIZE(tools)].line.found);
	return (struct doctor_line){
		.name = "languages", .works = true, .found = arena_strdup(arena, text.text)};
}

void run_doctor(struct arena *arena, struct doctor_line **ret_lines, size_t *ret_n)
{
	size_t n = 0, n_trials = executor_types_n + ARRAY_SIZE(tools) + 3,
		   first_tool = executor_types_n;
	struct trial *trials = arena_alloc(arena, n_trials * sizeof *trials);
	struct doctor_line *lines = NULL;
	for (size_t i = 0; i < executor_types_n; i++)
		trials[i] = (struct trial){.run = try_executor, .type = executor_types[i]};
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		trials[first_tool + i] = (struct trial){.run = try_tool, .tool = &tools[i]};
	trials[n_trials - 3] = (struct trial){.run = try_typescript};
	trials[n_trials - 2] = (struct trial){.run = try_coders};
	trials[n_trials - 1] = (struct trial){.run = try_state};
	thread_each(work, trials, n_trials, sizeof *trials);
	for (size_t i = 0; i < executor_types_n; i++)
		ARENA_PUSH(arena, lines, n, copy_line(&trials[i].line, arena));
	ARENA_PUSH(arena, lines, n, languages_line(&trials[first_tool], arena));
	ARENA_PUSH(arena, lines, n, copy_line(&trials[n_trials - 2].line, arena));
	ARENA_PUSH(arena, lines, n, copy_line(&trials[n_trials - 1].line, arena));
	for (size_t i = 0; i < n_trials; i++)
		arena_release(&trials[i].arena);
	*ret_lines = lines;
	*ret_n = n;
}

const char *run_library_versions(struct arena *arena)
{
	return arena_printf(arena, "libgit2 %s  libcurl %s  libyaml %s  cJSON %s",
		repository_library_version(), http_library_version(), yaml_library_version(),
		json_library_version());
}
