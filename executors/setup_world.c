/* The world in which a setup runs, and what it left in the worlds of later programs. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

#define MOST_OVERLAYS 64 /* of directories in the tree; each costs every run some time */

/* Environments are made where they are found again, and no cache is kept that nobody reads. */
static const char *const setup_env[] = {"PIP_BREAK_SYSTEM_PACKAGES=1", "PIP_NO_INPUT=1",
	"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_WARN_SCRIPT_LOCATION=1",
	"PIP_ROOT_USER_ACTION=ignore", "POETRY_VIRTUALENVS_IN_PROJECT=true", "PIPENV_VENV_IN_PROJECT=1",
	"UV_LINK_MODE=copy", "npm_config_fund=false", "npm_config_audit=false",
	"COMPOSER_NO_INTERACTION=1", "PERL_MM_USE_DEFAULT=1"};

/* How the user reaches package registries. */
static const char *const setup_passed[] = {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
	"http_proxy", "https_proxy", "all_proxy", "no_proxy", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL",
	"PIP_TRUSTED_HOST", "PIP_CERT", "PIP_DEFAULT_TIMEOUT", "UV_INDEX_URL", "UV_DEFAULT_INDEX",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
	"npm_config_registry", "NPM_CONFIG_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "GOPROXY", "GOSUMDB",
	"GONOSUMDB", "GOINSECURE", "CARGO_HTTP_CAINFO", "BUNDLE_MIRROR__ALL", "COMPOSER_ROOT_VERSION"};

static void setup_add_path(struct world *world, const char *dir, struct arena *arena)
{
	const char *path = environment_value(world->env, "PATH");
	const char *all = path ? arena_printf(arena, "%s:%s", dir, path) : dir;
	world_assign(world, arena_printf(arena, "PATH=%s", all), arena);
}

/* A password in an address is for nobody else. There may be several addresses, and a proxy's may
 * have no scheme. */
static bool setup_has_key(const char *value)
{
	static const char between[] = " \t\n,|";
	for (const char *at = value; *(at += strspn(at, between)); at += strcspn(at, between)) {
		size_t n = strcspn(at, between);
		const char *scheme = memmem(at, n, "://", 3), *host = scheme ? scheme + 3 : at;
		size_t length = strcspn(host, "/");
		if (memchr(host, '@', length < n - (size_t)(host - at) ? length : n - (size_t)(host - at)))
			return true;
	}
	return false;
}

static void setup_set_environment(struct world *world, struct arena *arena)
{
	for (size_t i = 0; i < ARRAY_SIZE(setup_env); i++)
		world_assign(world, setup_env[i], arena);
	for (size_t i = 0; i < ARRAY_SIZE(setup_passed); i++) {
		const char *value = getenv(setup_passed[i]);
		if (value && *value && !setup_has_key(value))
			world_assign(world, arena_printf(arena, "%s=%s", setup_passed[i], value), arena);
	}
	setup_add_path(world, arena_printf(arena, "%s/.local/bin", world->home), arena);
}

void world_open_for_setup(struct world *world, const char *home, struct arena *arena)
{
	struct mount own = {.source = arena_strdup(arena, home),
		.target = world->home,
		.kind = MOUNT_PRIVATE,
		.why = WORLD_SETUP};
	world_add_mount(world, &own, arena);
	struct mount *mounts = arena_memdup(arena, world->mounts, world->n * sizeof *mounts);
	for (size_t i = 0; i < world->n; i++) {
		struct mount *mount = &mounts[i];
		bool is_packages =
			strcmp(mount->why, "environment") == 0 || strcmp(mount->why, "Python user site") == 0;
		if (is_packages && world->has_overlays && file_is_dir(mount->source) &&
			world_can_write(world, mount->source))
			mount->kind = MOUNT_PRIVATE;
	}
	world->mounts = mounts;
	setup_set_environment(world, arena);
}

/* --- What it left --- */

static bool setup_add_above(
	struct world *world, const struct world_piece *piece, struct arena *arena)
{
	for (size_t i = 0; i < world->n; i++) {
		if (strcmp(world->mounts[i].target, piece->target) != 0)
			continue;
		struct mount *mounts = arena_memdup(arena, world->mounts, world->n * sizeof *mounts);
		mounts[i].beneath = mounts[i].source;
		mounts[i].source = piece->source;
		mounts[i].kind = MOUNT_PRIVATE;
		world->mounts = mounts;
		return true;
	}
	return false;
}

static void setup_add_programs(
	struct world *world, const struct world_piece *piece, struct arena *arena)
{
	static const char *const dirs[] = {".local/bin", "go/bin", ".cargo/bin", ".bin", "bin"};
	bool is_home = strcmp(piece->target, world->home) == 0;
	bool is_node = strcmp(file_name(piece->target), "node_modules") == 0;
	bool is_venv = file_exists(arena_printf(arena, "%s/pyvenv.cfg", piece->source));
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		bool is_meant = i < 3 ? is_home : i == 3 ? is_node : is_venv;
		if (is_meant && file_is_dir(arena_printf(arena, "%s/%s", piece->source, dirs[i])))
			setup_add_path(world, arena_printf(arena, "%s/%s", piece->target, dirs[i]), arena);
	}
}

void world_add_setup(
	struct world *world, const struct world_piece *pieces, size_t n, struct arena *arena)
{
	size_t n_overlays = 0;
	for (size_t i = 0; i < n; i++) {
		bool in_tree = file_is_below(pieces[i].target, world->tree_at);
		bool is_overlay = file_is_dir(pieces[i].source) && (!in_tree || n_overlays < MOST_OVERLAYS);
		struct mount mount = {.source = pieces[i].source,
			.target = pieces[i].target,
			.kind = is_overlay ? MOUNT_PRIVATE
				: in_tree      ? MOUNT_COPIED
							   : MOUNT_READ_ONLY,
			.why = WORLD_SETUP};
		if (setup_add_above(world, &pieces[i], arena))
			continue;
		n_overlays += is_overlay && in_tree;
		world_add_mount(world, &mount, arena);
		setup_add_programs(world, &pieces[i], arena);
	}
}
