/*
 * What `pip` and `npm` of an executor name, installed once: by such an executor, into a folder of
 * the cache that is known by what was asked for and by the interpreters there. It shows read-only
 * in the world of all that run later.
 */
#include "run/site/site.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "executors/world.h"

#define SAID ((size_t)4 << 10)
#define ASK_MS 30000
#define UNUSED_S (90L * 24 * 3600)
#define BUILT_S (24L * 3600) /* whoever builds a folder has done so by then, or died */

/* A place where they are installed: its tree becomes the folder. */
struct builder {
	const struct run_env *env;
	const struct world *world;
	struct executor *executor;
	const char *dir, *cache;
};

static int packages_run_line(const struct builder *builder, const char *line, int64_t timeout_ms,
	struct strbuf *output, struct process_result *end, struct rondo_error *err)
{
	struct command command = {.line = line, .timeout_ms = timeout_ms, .output = output};
	if (executor_run(builder->executor, &command, end, &builder->env->ctx, err) < 0)
		return -1;
	return end->end == PROCESS_CANCELLED ? cancel_error(builder->env->ctx.cancel, err) : 0;
}

static void packages_open_words(
	struct strbuf *line, const char *command, const struct option_strings *words)
{
	strbuf_adds(line, command);
	for (size_t i = 0; i < words->n; i++) {
		strbuf_addc(line, ' ');
		strbuf_add_word(line, words->items[i]);
	}
}

static int packages_install(const struct builder *builder, const char *command, const char *what,
	const struct option_strings *words, struct rondo_error *err)
{
	const struct executor_settings *settings = builder->env->order->executor.settings;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT), said = STRBUF_INIT(SAID);
	struct process_result end;
	char text[64];
	if (!words->n)
		return 0;
	packages_open_words(&line, command, words);
	context_progress(&builder->env->ctx, "executor", "installing packages: %s", line.text);
	if (packages_run_line(builder, line.text, settings->install_ms, &said, &end, err) < 0)
		return -1;
	if (end.exit_code == 0)
		return 0;
	strbuf_rtrim(&said);
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "executor.%s: '%s' ended with %s: %s", what, line.text,
		process_describe(&end, text, sizeof text), said.text);
	bool is_offline = strcmp(settings->network, "none") == 0;
	return is_offline ? error_help(err, "executor.network: host, where they come from the network")
					  : -1;
}

/* --- The folder --- */

/* Whoever asks the same of the same interpreters gets the same folder. */
static int packages_name_folder(
	const struct builder *builder, char *ret_hash, struct rondo_error *err)
{
	const struct executor_settings *settings = builder->env->order->executor.settings;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT), versions = STRBUF_INIT(SAID);
	struct process_result end;
	if (packages_run_line(builder,
			"command -v python3 node; python3 -VV; node --version; uname -m; id -u", ASK_MS,
			&versions, &end, err) < 0)
		return -1;
	strbuf_addf(&text, "%s\n%s\n", builder->env->order->executor.type->name, versions.text);
	packages_open_words(&text, "pip", &settings->pip);
	packages_open_words(&text, "\nnpm", &settings->npm);
	hash_bytes(text.text, text.length, ret_hash);
	return 0;
}

static int packages_own(const struct world *world, const char *dir, struct rondo_error *err)
{
	return world->drop ? file_own_tree(dir, world->uid, world->gid, err) : 0;
}

static int packages_open_builder(
	struct builder *builder, const char *packages, struct rondo_error *err)
{
	struct arena *arena = builder->env->arena;
	char random[9];
	hash_random(random, sizeof random - 1);
	builder->dir = arena_printf(arena, "%s/.%s", packages, random);
	builder->cache = arena_printf(arena, "%s.cache", builder->dir);
	if (file_make_dir(packages, 0755, err) < 0 || file_make_dir(builder->dir, 0755, err) < 0 ||
		file_make_dir(builder->cache, 0700, err) < 0 ||
		packages_own(builder->world, builder->dir, err) < 0 ||
		packages_own(builder->world, builder->cache, err) < 0)
		return -1;
	return executor_new(&builder->env->order->executor, builder->world, builder->dir,
		builder->cache, &builder->env->ctx, &builder->executor, err);
}

static void packages_close_builder(struct builder *builder)
{
	struct rondo_error ignored;
	executor_free(builder->executor);
	file_remove_tree(builder->dir, &ignored);
	file_remove_tree(builder->cache, &ignored);
}

/* Somebody else may have made it in the meantime: then that one is as good. */
static int packages_build(
	const struct builder *builder, const char *folder, struct rondo_error *err)
{
	const struct executor_settings *settings = builder->env->order->executor.settings;
	if (packages_install(builder,
			"python3 -m pip install --quiet --no-input --disable-pip-version-check --target python",
			"pip", &settings->pip, err) < 0 ||
		packages_install(builder, "npm install --no-fund --no-audit --loglevel=error --prefix node",
			"npm", &settings->npm, err) < 0)
		return -1;
	if (rename(builder->dir, folder) == 0 || file_is_dir(folder))
		return 0;
	return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep packages in '%s'", folder);
}

static int packages_find_or_build(
	struct builder *builder, const char *packages, const char **ret_folder, struct rondo_error *err)
{
	char hash[HASH_SIZE];
	if (packages_open_builder(builder, packages, err) < 0 ||
		packages_name_folder(builder, hash, err) < 0)
		return -1;
	const char *folder = arena_printf(builder->env->arena, "%s/%s", packages, hash);
	if (!file_is_dir(folder) && packages_build(builder, folder, err) < 0)
		return -1;
	utimensat(AT_FDCWD, folder, NULL, 0); /* when it was used last */
	*ret_folder = folder;
	return 0;
}

int site_provide_packages(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct executor_settings *settings = env->order->executor.settings;
	struct builder builder = {.env = env, .world = &site->world};
	const char *folder = NULL;
	if (!settings->pip.n && !settings->npm.n)
		return 0;
	const char *cache = run_cache_dir(env->arena, err);
	if (!cache)
		return -1;
	int status = packages_find_or_build(
		&builder, arena_printf(env->arena, "%s/packages", cache), &folder, err);
	packages_close_builder(&builder);
	if (status == 0)
		world_add_packages(&site->world, folder, executor_sight(&env->order->executor), env->arena);
	return status;
}

void site_collect_packages(const char *cache, uint64_t *bytes)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error stays;
	struct stat st;
	const char *packages = arena_printf(&arena, "%s/packages", cache);
	AUTO_DIR *dir = opendir(packages);
	for (const char *name; dir && (name = file_next_name(dir));) {
		const char *path = arena_printf(&arena, "%s/%s", packages, name);
		if (stat(path, &st) < 0 || time(NULL) - st.st_mtime < (*name == '.' ? BUILT_S : UNUSED_S))
			continue;
		uint64_t size = file_tree_size(path);
		if (file_remove_tree(path, &stays) == 0)
			*bytes += size;
	}
}
