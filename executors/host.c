/*
 * Interpreters are found as the user's shell finds them, and the prefix they are installed in is
 * shown. A version manager's shim is resolved here on the host, because the manager itself (and the
 * home around it) stays hidden.
 */
#include "executors/host.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/secrets.h"
#include "executors/world.h"

static bool host_is_visible(const struct host *host, const char *path)
{
	if (file_is_below(path, host->world->tree_at))
		return true;
	for (size_t i = 0; i < host->world->n; i++)
		if (file_is_below(path, host->world->mounts[i].target))
			return true;
	return false;
}

void host_mount_within(struct host *host, const char *source, const char *target,
	enum mount_kind kind, const char *why)
{
	struct mount mount = {.source = arena_strdup(host->arena, source),
		.target = arena_strdup(host->arena, target),
		.kind = kind,
		.why = why};
	ARENA_PUSH(host->arena, host->mounts, host->world->n, mount);
	host->world->mounts = host->mounts;
}

void host_mount(struct host *host, const char *source, const char *target, enum mount_kind kind,
	const char *why)
{
	bool in_tree = file_is_below(target, host->world->tree_at);
	if (file_exists(source) && (in_tree || !host_is_visible(host, target)))
		host_mount_within(host, source, target, kind, why);
}

void host_env(struct host *host, const char *assignment)
{
	environment_put(&host->env, &host->n_env, assignment, host->arena);
}

void host_path(struct host *host, const char *dir)
{
	size_t n = strlen(dir);
	for (const char *at = host->path; at && *at; at += strcspn(at, ":"), at += *at == ':')
		if (strcspn(at, ":") == n && memcmp(at, dir, n) == 0)
			return;
	host->path = host->path ? arena_printf(host->arena, "%s:%s", host->path, dir) : dir;
}

static const char *host_parent(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash > path ? arena_strndup(arena, path, (size_t)(slash - path)) : "/";
}

/* The first line that a program prints, run in the checkout as the user would, but without keys; or
 * NULL. */
static const char *host_ask(struct host *host, const char *const *argv)
{
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_LINE);
	struct process_result result;
	struct rondo_error err;
	struct process_options options = {.argv = argv,
		.env = secrets_free_environment(host->arena),
		.cwd = host->root,
		.output = &output,
		.timeout_ms = 10000,
		.cancel = host->cancel};
	if (process_run(&options, &result, &err) < 0 || result.exit_code != 0)
		return NULL;
	return arena_strndup(host->arena, output.text, strcspn(output.text, "\n"));
}

/* ~/.pyenv/shims/python3 -> what `pyenv which python3` says. */
const char *host_behind_shim(struct host *host, const char *path)
{
	const char *dir = host_parent(host->arena, path);
	if (strcmp(file_name(dir), "shims") != 0)
		return path;
	const char *name = file_name(host_parent(host->arena, dir));
	const char *manager = file_search(host->arena, getenv("PATH"), name + (*name == '.'));
	if (!manager)
		manager = file_search(
			host->arena, arena_printf(host->arena, "%s/../bin", dir), name + (*name == '.'));
	const char *argv[] = {manager, "which", file_name(path), NULL};
	const char *real = manager ? host_ask(host, argv) : NULL;
	return real && file_exists(real) ? real : NULL;
}

/* The home, too, may be named by a link. */
bool host_is_shared_prefix(const struct host *host, const char *prefix)
{
	static const char *const shared[] = {"", "/.local", "/.local/share", "/.cargo", "/.config"};
	struct rondo_error ignored;
	const char *home = host->home ? file_real_path(host->arena, host->home, &ignored) : NULL;
	if (strcmp(prefix, "/") == 0 || (host->home && file_is_below(host->home, prefix)) ||
		(home && file_is_below(home, prefix)))
		return true;
	const char *cargo = getenv("CARGO_HOME");
	if (cargo && strcmp(prefix, cargo) == 0)
		return true;
	for (size_t i = 0; host->home && i < ARRAY_SIZE(shared); i++)
		if (strcmp(prefix, arena_printf(host->arena, "%s%s", host->home, shared[i])) == 0)
			return true;
	return false;
}

void host_show_program(struct host *host, const char *path)
{
	if (host_is_visible(host, path))
		return;
	const char *prefix = host_parent(host->arena, host_parent(host->arena, path));
	if (host_is_shared_prefix(host, prefix))
		host_mount(host, path, path, MOUNT_READ_ONLY, "interpreter");
	else
		host_mount(host, prefix, prefix, MOUNT_READ_ONLY, "interpreter prefix");
}

/* What a link of an environment leads to may be any file: an interpreter is one by its name, and by
 * its library beside it. */
static bool host_is_python(const struct host *host, const char *path)
{
	static const char *const names[] = {"python", "pypy", "graalpy"};
	const char *prefix = host_parent(host->arena, host_parent(host->arena, path));
	struct stat st;
	glob_t found;
	size_t i = 0;
	while (i < ARRAY_SIZE(names) && !text_starts_with(file_name(path), names[i]))
		i++;
	if (i == ARRAY_SIZE(names) || stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
		access(path, X_OK) < 0)
		return false;
	bool has_library =
		glob(arena_printf(host->arena, "%s/lib*/*3*/os.py", prefix), 0, NULL, &found) == 0;
	globfree(&found);
	return has_library;
}

void host_venv(struct host *host, const char *dir)
{
	static const char *const names[] = {"python", "python3"};
	if (!file_exists(arena_printf(host->arena, "%s/pyvenv.cfg", dir)))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct rondo_error err;
		const char *real = file_real_path(
			host->arena, arena_printf(host->arena, "%s/bin/%s", dir, names[i]), &err);
		if (real && host_is_python(host, real))
			host_show_program(host, real);
	}
}

void host_tool(struct host *host, const char *name)
{
	struct rondo_error err;
	const char *found = file_search(host->arena, getenv("PATH"), name);
	const char *path = found ? host_behind_shim(host, found) : NULL;
	const char *real = path ? file_real_path(host->arena, path, &err) : NULL;
	if (!real)
		return;
	host_show_program(host, real);
	host_show_program(host, path);
	host_venv(host, host_parent(host->arena, host_parent(host->arena, path)));
	host_path(host, host_parent(host->arena, path));
}

struct store {
	const char *tool;        /* shown where this tool is used */
	const char *variable;    /* in the user's environment, moves it; or NULL */
	const char *in_variable; /* its place below what the variable names */
	const char *in_home;
	const char *target; /* NULL: where it is on the host */
	const char *env;    /* "NAME=" to tell the tool; the target's path follows; or NULL */
	const char *why;
};

static const struct store stores[] = {
	{"go", "GOMODCACHE", "", "/go/pkg/mod", NULL, "GOMODCACHE=", "Go modules"},
	{"go", "GOPATH", "/pkg/mod", "/go/pkg/mod", NULL, "GOMODCACHE=", "Go modules"},
	{"cargo", "CARGO_HOME", "/registry", "/.cargo/registry", NULL, NULL, "crates"},
	{"cargo", "CARGO_HOME", "/git", "/.cargo/git", NULL, NULL, "crates"},
	{"cargo", "RUSTUP_HOME", "", "/.rustup", NULL, "RUSTUP_HOME=", "Rust toolchains"},
	{"mvn", NULL, NULL, "/.m2/repository", WORLD_HOME "/.m2/repository", NULL, WORLD_MAVEN},
	{"gradle", "GRADLE_USER_HOME", "/caches", "/.gradle/caches", WORLD_HOME "/.gradle/caches", NULL,
		"Gradle caches"},
	{"gradle", "GRADLE_USER_HOME", "/wrapper", "/.gradle/wrapper", WORLD_HOME "/.gradle/wrapper",
		NULL, "Gradle, by its wrapper"},
	{"npm", "XDG_CACHE_HOME", "/node/corepack", "/.cache/node/corepack", NULL, "COREPACK_HOME=",
		"package managers of corepack"},
	{"npm", "COREPACK_HOME", "", NULL, NULL, "COREPACK_HOME=", "package managers of corepack"},
	{"yarn", "YARN_GLOBAL_FOLDER", "/cache", "/.yarn/berry/cache", NULL, NULL, "Yarn's cache"},
	{"java", "JAVA_HOME", "", NULL, NULL, "JAVA_HOME=", "Java"},
};

/* Their tools end with an error where they cannot write. */
static const struct store written_stores[] = {
	{"go", "XDG_CACHE_HOME", "/go-build", "/.cache/go-build", NULL, "GOCACHE=", WORLD_GO_CACHE},
	{"go", "GOCACHE", "", NULL, NULL, "GOCACHE=", WORLD_GO_CACHE},
};

static bool host_uses(const char *const *tools, const char *tool)
{
	if (!tools || !*tools)
		return true;
	while (*tools && strcmp(*tools, tool) != 0)
		tools++;
	return *tools;
}

/* Where the user has it, whether it is there or not; NULL: nowhere. */
static const char *host_store_source(struct host *host, const struct store *store)
{
	const char *moved = store->variable ? getenv(store->variable) : NULL;
	if (moved && *moved == '/')
		return arena_printf(host->arena, "%s%s", moved, store->in_variable);
	if (host->home && store->in_home)
		return arena_printf(host->arena, "%s%s", host->home, store->in_home);
	return NULL;
}

/* Packages of `pip install --user`, for any Python. */
static void host_add_user_sites(struct host *host)
{
	glob_t found;
	const char *pattern =
		arena_printf(host->arena, "%s/.local/lib/python3*/site-packages", host->home);
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			host_mount(host, found.gl_pathv[i],
				arena_printf(host->arena, WORLD_HOME "%s", found.gl_pathv[i] + strlen(host->home)),
				MOUNT_READ_ONLY, "Python user site");
	globfree(&found);
}

/* At its own path: crates that are built know where their sources lie. */
static void host_add_cargo_home(struct host *host)
{
	static const struct store store = {"cargo", "CARGO_HOME", "", "/.cargo", .why = NULL};
	const char *source = host_store_source(host, &store);
	bool is_there = source && file_is_dir(arena_printf(host->arena, "%s/registry", source));
	host_env(
		host, arena_printf(host->arena, "CARGO_HOME=%s", is_there ? source : WORLD_HOME "/.cargo"));
}

static const char *host_find_store(
	struct host *host, const struct store *store, const char *const *tools)
{
	const char *source = host_uses(tools, store->tool) ? host_store_source(host, store) : NULL;
	return source && file_exists(source) ? source : NULL;
}

static void host_add_store(
	struct host *host, const struct store *store, const char *source, enum mount_kind kind)
{
	const char *target = store->target ? store->target : source;
	host_mount(host, source, target, kind, store->why);
	if (store->env)
		host_env(host, arena_printf(host->arena, "%s%s", store->env, target));
}

void host_stores(struct host *host, const char *const *tools, enum mount_kind kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(stores); i++) {
		const char *source = host_find_store(host, &stores[i], tools);
		if (source)
			host_add_store(host, &stores[i], source, kind);
	}
	for (size_t i = 0; i < ARRAY_SIZE(written_stores); i++) {
		const char *source = host_find_store(host, &written_stores[i], tools);
		if (source && kind == MOUNT_PRIVATE && world_can_write(host->world, source))
			host_add_store(host, &written_stores[i], source, kind);
	}
	if (host->home && host_uses(tools, "python3"))
		host_add_user_sites(host);
	if (host_uses(tools, "cargo"))
		host_add_cargo_home(host);
}

/* The directories that the user has on PATH, as far as programs see them. */
static void host_add_usual_path(struct host *host)
{
	const char *rest = getenv("PATH");
	for (; rest && *rest; rest += strcspn(rest, ":"), rest += *rest == ':') {
		const char *dir = arena_strndup(host->arena, rest, strcspn(rest, ":"));
		if (*dir == '/' && host_is_visible(host, dir))
			host_path(host, dir);
	}
	static const char *const usual[] = {"/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"};
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		host_path(host, usual[i]);
	host_env(host, arena_printf(host->arena, "PATH=%s", host->path));
}

void host_finish(struct host *host, bool has_path)
{
	if (!has_path)
		host_add_usual_path(host);
	ARENA_PUSH(host->arena, host->env, host->n_env, NULL);
	host->world->env = host->env;
	host->world->path = host->path ? host->path : "";
}
