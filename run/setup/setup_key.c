/*
 * The name of what a setup leaves: a hash of all that it is made of. Package managers read
 * manifests and lock files; any other command may read the whole tree.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/hash.h"
#include "base/memory.h"
#include "run/setup/setup.h"
#include "verify/suite/runners/command_line.h"

#define LARGEST_LOCK ((size_t)16 << 20)
#define VERSION "1" /* of what is kept and how */

static const char *const lock_files[] = {"*requirements*.txt", "requirements/*.txt",
	"*constraints*.txt", "pyproject.toml", "setup.py", "setup.cfg", "poetry.lock", "pdm.lock",
	"uv.lock", "pylock*.toml", "Pipfile", "Pipfile.lock", "environment.yml", ".python-version",
	"package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml",
	"pnpm-workspace.yaml", "yarn.lock", ".yarnrc.yml", ".yarnrc", ".npmrc", "bun.lock", "bun.lockb",
	"go.mod", "go.sum", "go.work", "go.work.sum", "Cargo.toml", "Cargo.lock", "pom.xml", "*.gradle",
	"*.gradle.kts", "gradle.lockfile", "libs.versions.toml", "Gemfile", "Gemfile.lock", "*.gemspec",
	"composer.json", "composer.lock", "cpanfile", "cpanfile.snapshot", "Makefile.PL", "Build.PL",
	"dist.ini", "META.json", "*.rockspec"};

/* Programs that read nothing but such files; what follows "-m" for Python. */
static const char *const managers[] = {"pip", "pip3", "uv", "poetry", "pdm", "pipenv", "virtualenv",
	"venv", "ensurepip", "conda", "npm", "pnpm", "yarn", "bun", "corepack", "go", "cargo", "bundle",
	"gem", "composer", "cpanm", "cpan", "carton", "mvn", "gradle", "luarocks", "cd", "true",
	"export", "set", "mkdir", "."};

/* Their words that run the project's own programs. */
static const char *const running[] = {
	"run", "exec", "test", "build", "install-test", "package", "compile", "x", "generate"};

/* `pip install .` copies the project; `-e .` does not. */
static bool key_copies_project(const struct simple_command *command)
{
	for (size_t i = 1; i < command->n; i++) {
		const char *word = command->words[i], *before = command->words[i - 1];
		bool is_editable = strcmp(before, "-e") == 0 || strcmp(before, "--editable") == 0;
		bool is_own =
			strcmp(word, ".") == 0 || text_starts_with(word, ".[") || text_starts_with(word, "./");
		if (is_own && !is_editable && !text_starts_with(before, "-"))
			return true;
	}
	return false;
}

static bool key_reads_locks_alone(const struct simple_command *command)
{
	size_t at = 0;
	if (!command->n)
		return true;
	const char *module = command_python_module(command->words, command->n, &at);
	const char *program = module ? module : file_name(command->words[0]);
	if (!text_in(managers, ARRAY_SIZE(managers), program) || key_copies_project(command))
		return false;
	for (size_t i = 1; i < command->n; i++)
		if (text_in(running, ARRAY_SIZE(running), command->words[i]))
			return false;
	return true;
}

bool setup_reads_tree(const struct option_strings *commands)
{
	AUTO_ARENA arena = ARENA_INIT;
	for (size_t i = 0; i < commands->n; i++) {
		size_t n;
		const struct simple_command *all = command_line_split(commands->items[i], &arena, &n);
		for (size_t k = 0; k < n; k++)
			if (!key_reads_locks_alone(&all[k]))
				return true;
	}
	return false;
}

/* --- The parts of the text that is hashed --- */

/* A program or directory as it is now. */
static void key_add_state(struct strbuf *key, const char *path)
{
	struct stat st;
	if (stat(path, &st) == 0)
		strbuf_addf(key, "%s %lld %lld.%ld\n", path,
			S_ISDIR(st.st_mode) ? 0 : (long long)st.st_size, (long long)st.st_mtim.tv_sec,
			st.st_mtim.tv_nsec);
}

static void key_add_world(
	struct strbuf *key, const struct world *world, const char *work, struct arena *arena)
{
	strbuf_addf(key, "%s %s %d %u\n", world->tree_at, world->home, world->drop, world->uid);
	for (size_t i = 0; i < world->n; i++) {
		const struct mount *mount = &world->mounts[i];
		bool is_own = file_is_below(mount->source, work);
		strbuf_addf(key, "%s %s %d\n", is_own ? "-" : mount->source, mount->target, mount->kind);
	}
	for (const char *const *e = world->env; e && *e; e++)
		strbuf_addf(key, "%s\n", *e);
	for (size_t i = 0; i < ARRAY_SIZE(setup_tools); i++) {
		const char *program = file_search(arena, world->path, setup_tools[i]);
		struct rondo_error ignored;
		const char *real = program ? file_real_path(arena, program, &ignored) : NULL;
		if (real)
			key_add_state(key, real);
	}
}

/* What the setup adds to: an environment of the user's that was made anew is another one. */
static void key_add_environment(struct strbuf *key, const char *dir, struct arena *arena)
{
	static const char *const marks[] = {"pyvenv.cfg", ".package-lock.json", ".modules.yaml",
		".yarn-state.yml", "composer/installed.json"};
	glob_t found;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		key_add_state(key, arena_printf(arena, "%s/%s", dir, marks[i]));
	if (glob(arena_printf(arena, "%s/lib/python3*/site-packages", dir), 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			key_add_state(key, found.gl_pathv[i]);
	globfree(&found);
}

static bool key_is_lock_file(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(lock_files); i++)
		if (glob_matches(lock_files[i], path) || glob_matches(lock_files[i], file_name(path)))
			return true;
	return false;
}

/* Whether the command names the file. */
static bool key_is_named(const struct option_strings *commands, const char *path)
{
	for (size_t i = 0; i < commands->n; i++) {
		const char *at = strstr(commands->items[i], path);
		if (at && (at == commands->items[i] || strchr(" \t'\"=/", at[-1])))
			return true;
	}
	return false;
}

static int key_add_files(struct strbuf *key, const struct setup_parts *parts, struct arena *arena,
	struct rondo_error *err)
{
	for (size_t i = 0; i < parts->n_paths; i++) {
		const char *path = parts->paths[i];
		char hash[HASH_SIZE];
		AUTO_STRBUF text = STRBUF_INIT(LARGEST_LOCK);
		if (!key_is_lock_file(path) && !key_is_named(parts->commands, path))
			continue;
		const char *file = arena_printf(arena, "%s/%s", parts->dir, path);
		struct stat st;
		if (lstat(file, &st) < 0 || !S_ISREG(st.st_mode))
			continue;
		if (file_read(file, LARGEST_LOCK, &text, err) < 0)
			return -1;
		hash_bytes(text.text, text.length, hash);
		strbuf_addf(key, "%s %s\n", path, hash);
	}
	return 0;
}

int setup_key(const struct setup_parts *parts, struct arena *arena, const char **ret_key,
	struct rondo_error *err)
{
	AUTO_STRBUF key = STRBUF_INIT(STRBUF_TEXT);
	char hash[HASH_SIZE];
	strbuf_addf(&key, "setup " VERSION "\n");
	for (size_t i = 0; i < parts->commands->n; i++)
		strbuf_addf(&key, "%s\n", parts->commands->items[i]);
	key_add_world(&key, parts->world, parts->work, arena);
	for (size_t i = 0; i < parts->n_environments; i++)
		key_add_environment(&key, parts->environments[i], arena);
	if (key_add_files(&key, parts, arena, err) < 0)
		return -1;
	hash_bytes(key.text, key.length, hash);
	*ret_key = arena_printf(arena, "%.32s", hash);
	return 0;
}
