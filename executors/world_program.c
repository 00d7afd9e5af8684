/*
 * A program that the suite does not need: a coding agent, installed by npm, pip, or by hand. It is
 * started by its path, so that no directory of it comes before the suite's own on PATH. A script
 * whose first line looks for its interpreter on PATH is started by that interpreter, which may be
 * another one than the suite's.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/host.h"
#include "executors/world.h"

#define FIRST_LINE 512
#define PACKAGE_DEPTH 4 /* directories above a program in which its package may begin */
#define WHY "external program"

/* A host that goes on with a world. */
static struct host program_host(
	struct world *world, const char *root, const struct cancel *cancel, struct arena *arena)
{
	struct host host = {.arena = arena,
		.world = world,
		.home = getenv("HOME"),
		.cancel = cancel,
		.root = root,
		.path = world->path};
	const struct mount *mounts = world->mounts;
	size_t n = world->n;
	world->n = 0;
	for (size_t i = 0; i < n; i++)
		ARENA_PUSH(arena, host.mounts, world->n, mounts[i]);
	world->mounts = host.mounts;
	return host;
}

/* The first line behind "#!"; "" where there is none. */
static const char *program_first_line(const char *path, struct arena *arena)
{
	char text[FIRST_LINE];
	AUTO_CLOSE fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (n < 2 || memcmp(text, "#!", 2) != 0)
		return "";
	text[n] = '\0';
	char *line = text + 2 + strspn(text + 2, " \t");
	return arena_strndup(arena, line, strcspn(line, "\r\n"));
}

static const char *program_dir(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	return arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1);
}

/* Never what the tree or the home of programs lies in, which is there for itself. */
static void program_show_dir(struct host *host, const char *dir)
{
	const struct world *world = host->world;
	if (!file_is_below(world->tree_at, dir) && !file_is_below(world->home, dir) &&
		!(host->home && file_is_below(host->home, dir)))
		host_mount(host, dir, dir, MOUNT_READ_ONLY, WHY);
}

/* Packages of npm need each other: all that lie in the outermost node_modules are shown; of one
 * that lies elsewhere its own directory. */
static void program_show_packages(struct host *host, const char *real)
{
	static const char part[] = "/node_modules/";
	const char *found = strstr(real, part), *dir = real;
	if (found) {
		program_show_dir(
			host, arena_strndup(host->arena, real, (size_t)(found - real) + strlen(part) - 1));
		return;
	}
	for (int i = 0; i < PACKAGE_DEPTH && strcmp(dir, "/") != 0; i++) {
		dir = program_dir(host->arena, dir);
		if (file_exists(arena_printf(host->arena, "%s/package.json", dir)))
			program_show_dir(host, dir);
	}
}

/* What is installed in a prefix, as its bin/ says, is shown with it; another program alone. */
static void program_show_file(struct host *host, const char *path)
{
	const char *dir = program_dir(host->arena, path), *prefix = program_dir(host->arena, dir);
	struct rondo_error ignored;
	const char *real = file_real_path(host->arena, dir, &ignored);
	if (real && file_is_below(real, "/usr")) /* /bin is a link there, in the box as well */
		return;
	bool is_installed = strcmp(file_name(dir), "bin") == 0 || strcmp(file_name(dir), "sbin") == 0;
	if (is_installed && !file_is_below(host->world->tree_at, prefix))
		host_show_program(host, path);
	else
		host_mount(host, path, path, MOUNT_READ_ONLY, WHY);
}

/* Behind "env", with or without -S, what it looks for; NULL: the line names a path. */
static const char *program_searched(const char *line, struct arena *arena)
{
	size_t n = strcspn(line, " \t");
	const char *path = arena_strndup(arena, line, n);
	if (strcmp(file_name(path), "env") != 0)
		return NULL;
	line += n + strspn(line + n, " \t");
	if (text_starts_with(line, "-S"))
		line += 2 + strspn(line + 2, " \t");
	return arena_strdup(arena, line);
}

/* Show a program, and find the path to start it by: a script's own, since it looks for its modules
 * beside it; of another program the one that it was found by, since virtual environments and
 * programs of many names tell by it what they are. NULL: it is not there. */
static const char *program_show(struct host *host, const char *path)
{
	struct rondo_error ignored;
	struct arena *arena = host->arena;
	const char *real = file_real_path(arena, path, &ignored);
	if (!real)
		return NULL;
	program_show_packages(host, real);
	program_show_file(host, real);
	host_venv(host, program_dir(arena, program_dir(arena, path)));
	host_venv(host, program_dir(arena, program_dir(arena, real)));
	if (*program_first_line(real, arena))
		return real;
	program_show_file(host, path);
	return path;
}

/* What has to stand before a script: "" where the kernel finds its interpreter. */
static int program_interpreter(
	struct host *host, const char *script, const char **ret_before, struct rondo_error *err)
{
	struct arena *arena = host->arena;
	const char *line = program_first_line(script, arena);
	const char *searched = program_searched(line, arena);
	*ret_before = "";
	if (!searched) {
		const char *path = arena_strndup(arena, line, strcspn(line, " \t"));
		if (*path == '/')
			program_show(host, path);
		return 0;
	}
	const char *name = arena_strndup(arena, searched, strcspn(searched, " \t"));
	const char *found = file_search(arena, getenv("PATH"), name);
	const char *path = found ? host_behind_shim(host, found) : NULL;
	const char *start = path ? program_show(host, path) : NULL;
	if (!start)
		return error_set(
			err, RONDO_ERROR_USAGE, "'%s' needs '%s', which is not on PATH", script, name);
	AUTO_STRBUF words = STRBUF_INIT(STRBUF_LINE);
	strbuf_add_word(&words, start);
	strbuf_addf(&words, "%s ", searched + strlen(name));
	*ret_before = arena_strdup(arena, words.text);
	return 0;
}

static int program_find(
	struct host *host, const char *name, const char **ret_path, struct rondo_error *err)
{
	const char *found = file_search(host->arena, getenv("PATH"), name);
	*ret_path = found ? host_behind_shim(host, found) : NULL;
	if (*ret_path && !file_is_dir(*ret_path))
		return 0;
	return error_set(err, RONDO_ERROR_USAGE,
		strchr(name, '/') ? "there is no program '%s'" : "no program '%s' is on PATH", name);
}

int world_add_program(struct world *world, const char *name, enum executor_sight sight,
	const char *root, const struct cancel *cancel, struct arena *arena, const char **ret_start,
	struct rondo_error *err)
{
	struct world changed = *world;
	struct host host = program_host(&changed, root, cancel, arena);
	const char *path, *before = "", *shown;
	AUTO_STRBUF words = STRBUF_INIT(STRBUF_LINE);
	if (program_find(&host, name, &path, err) < 0)
		return -1;
	if (sight == EXECUTOR_SEES_HOST) {
		strbuf_add_word(&words, path);
		*ret_start = arena_strdup(arena, words.text);
		return 0;
	}
	shown = program_show(&host, path);
	if (!shown)
		return error_set(err, RONDO_ERROR_USAGE, "there is no program '%s'", path);
	if (program_interpreter(&host, shown, &before, err) < 0)
		return -1;
	strbuf_adds(&words, before);
	strbuf_add_word(&words, shown);
	*ret_start = arena_strdup(arena, words.text);
	*world = changed;
	return 0;
}
