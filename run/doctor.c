/* What works on this machine, found out by trying, and the command that mends what does not. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/http.h"
#include "base/json.h"
#include "base/memory.h"
#include "executors/world.h"
#include "run/run.h"
#include "run/scenario/yaml.h"
#include "worktree/worktree.h"

struct lines {
	struct arena *arena;
	struct doctor_line *items;
	size_t n;
};

static void add(struct lines *lines, struct doctor_line line)
{
	ARENA_PUSH(lines->arena, lines->items, lines->n, line);
}

static void probe_executors(struct lines *lines)
{
	for (size_t i = 0; i < executor_types_n; i++) {
		AUTO_STRBUF found = STRBUF_INIT(STRBUF_LINE);
		struct rondo_error err;
		bool works = executor_types[i]->probe(&found, &err) == 0;
		bool is_default = strcmp(executor_types[i]->name, executor_family.fallback) == 0;
		add(lines, (struct doctor_line){.name = executor_types[i]->name, .works = works, .optional = !works && !is_default,
				   .found = arena_strdup(lines->arena, works ? found.text : err.message),
				   .help = works ? NULL : arena_strdup(lines->arena, err.help)});
	}
}

static const struct language_tool {
	const char *program, *argument;
} tools[] = {{"python3", "--version"}, {"node", "--version"}, {"esbuild", "--version"}, {"go", "version"},
	{"cargo", "--version"}, {"gcc", "-dumpfullversion"}, {"make", "--version"}};

/* "Python 3.11.2" -> "3.11.2": the first word that begins with a digit, or with one behind a "v" or "go". */
static const char *version_in(const char *text, struct arena *arena)
{
	size_t start = strcspn(text, "0123456789");
	return arena_strndup(arena, text + start, strcspn(text + start, " \n"));
}

static const char *tool_version(const struct language_tool *tool, struct arena *arena)
{
	const char *path = file_search(arena, getenv("PATH"), tool->program);
	AUTO_STRBUF output = STRBUF_INIT(4096);
	struct process_result result;
	struct rondo_error err;
	const char *home = arena_printf(arena, "HOME=%s", getenv("HOME") ? getenv("HOME") : "/");
	const char *search = arena_printf(arena, "PATH=%s", getenv("PATH") ? getenv("PATH") : "");
	const char *const argv[] = {path, tool->argument, NULL}, *const env[] = {home, search, NULL};
	struct process_options options = {.argv = argv, .env = env, .output = &output, .timeout_ms = 5000};
	if (!path || process_run(&options, &result, &err) < 0 || result.exit_code != 0)
		return "-";
	return version_in(output.text, arena);
}

static void probe_languages(struct lines *lines)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		strbuf_addf(&text, "%s%s %s", i ? "  " : "", tools[i].program,
			tool_version(&tools[i], lines->arena));
	const char *typescript = world_typescript(NULL);
	strbuf_addf(&text, "  typescript %s%s", typescript ? "by " : "-", typescript ? typescript : "");
	add(lines, (struct doctor_line){.name = "languages", .works = true, .optional = true,
			   .found = arena_strdup(lines->arena, text.text)});
}

static void probe_state(struct lines *lines)
{
	struct rondo_error err;
	const char **ids;
	size_t n;
	const char *dir = run_state_dir(lines->arena, &err);
	bool works = dir && file_make_dir(dir, 0700, &err) == 0 && access(dir, W_OK) == 0 &&
		     run_list(lines->arena, &ids, &n, &err) == 0;
	if (works)
		add(lines, (struct doctor_line){.name = "state", .works = true,
				   .found = arena_printf(lines->arena, "%s, %zu run%s, %.1f MB", dir, n,
					   n == 1 ? "" : "s", (double)file_tree_size(dir) / 1e6)});
	else
		add(lines, (struct doctor_line){.name = "state",
				   .found = dir ? arena_printf(lines->arena, "%s cannot be written", dir)
						: arena_strdup(lines->arena, err.message),
				   .help = "set XDG_STATE_HOME to a directory that you may write"});
}

void run_doctor(struct arena *arena, struct doctor_line **ret_lines, size_t *ret_n)
{
	struct lines lines = {.arena = arena};
	probe_executors(&lines);
	probe_languages(&lines);
	probe_state(&lines);
	*ret_lines = lines.items;
	*ret_n = lines.n;
}

const char *run_library_versions(struct arena *arena)
{
	return arena_printf(arena, "libgit2 %s  libcurl %s  libyaml %s  cJSON %s", repository_library_version(),
		http_library_version(), yaml_library_version(), json_library_version());
}
