/*
 * The tree around a turn. What a repository says to coding agents as configuration can start
 * programs and send what they say elsewhere, so it is away while they work, and so is what they
 * write there themselves. Protected files are put back at once: the agent is told, and does not
 * build on them.
 */
#include <string.h>

#include "agents/external/external.h"
#include "base/glob.h"
#include "base/memory.h"

/* Settings, hooks, servers and histories of coding agents; not their instructions (AGENTS.md,
 * CLAUDE.md), which are only text. */
static const char *const configuration[] = {".claude/", ".claude.json", ".mcp.json",
	"opencode.json", "opencode.jsonc", ".opencode/", ".codex/", ".gemini/", ".geminiignore",
	".qwen/", ".qwenignore", ".aider*", ".aiderignore", ".cursor/", ".cursorrules", ".continue/",
	".crush*", "crush.json", ".goose*", ".kilocode/", ".roo/", ".cline/", ".amp/", ".junie/",
	".kiro/", ".augment/", ".factory/"};

/* Whether a name, of a file or a folder, is one of these. */
static bool tree_is_configuration(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(configuration); i++) {
		const char *glob = configuration[i];
		size_t n = strlen(glob) - 1;
		/* a file or a link in place of a folder counts, too */
		bool is_named = glob[n] == '/' && strlen(name) == n && memcmp(name, glob, n) == 0;
		if (is_named || (glob[n] != '/' && glob_matches(glob, name)))
			return true;
	}
	return false;
}

/* At any depth, and all below it. */
bool external_is_configuration(const char *path)
{
	AUTO_ARENA arena = ARENA_INIT;
	for (const char *part = path; *part;) {
		size_t n = strcspn(part, "/");
		if (tree_is_configuration(arena_strndup(&arena, part, n)))
			return true;
		part += n + (part[n] == '/');
	}
	return false;
}

const char *const external_trees[] = {"write", "read-only", NULL};

bool external_is_reader(const struct agent *agent)
{
	return strcmp(external_settings_of(agent)->tree, "read-only") == 0;
}

/* Where it works: in the main checkout, or in one of its own, which others do not see before the
 * turn has ended. */
static struct worktree *tree_worktree(const struct agent *agent)
{
	const struct external *external = agent->state;
	return external->box && external->box->worktree ? external->box->worktree
													: agent->services->main_checkout->worktree;
}

static int tree_read(const struct agent *agent, struct worktree *worktree, struct arena *arena,
	struct object *ret_tree, const char ***ret_refused, size_t *ret_n, struct rondo_error *err)
{
	return worktree_tree(worktree, agent->services->leave_out, agent->services->n_leave_out, arena,
		ret_tree, ret_refused, ret_n, err);
}

/* The tree without configuration. */
static int tree_without(const struct agent_services *services, const struct object *tree,
	struct arena *arena, struct object *ret_tree, struct rondo_error *err)
{
	const char **paths;
	struct file_change *gone = NULL;
	size_t n, n_gone = 0;
	if (repository_list(services->repository, tree, arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (external_is_configuration(paths[i]))
			ARENA_PUSH(arena, gone, n_gone, (struct file_change){.path = paths[i]});
	*ret_tree = *tree;
	return n_gone ? repository_with_files(services->repository, tree, gone, n_gone, ret_tree, err)
				  : 0;
}

int external_tree_base(
	struct agent *agent, struct arena *arena, struct object *ret_tree, struct rondo_error *err)
{
	const struct agent_services *services = agent->services;
	*ret_tree = services->base->tree;
	return external_settings_of(agent)->configuration
		? 0
		: tree_without(services, &services->base->tree, arena, ret_tree, err);
}

int external_tree_begin(struct agent *agent, struct arena *arena, struct external_tree *ret_tree,
	struct rondo_error *err)
{
	const struct agent_services *services = agent->services;
	struct worktree *main = services->main_checkout->worktree, *own = tree_worktree(agent);
	struct external_tree tree = {.n_refused = 0};
	struct object shown, now;
	if (tree_read(agent, main, arena, &tree.before, &tree.refused, &tree.n_refused, err) < 0)
		return -1;
	shown = tree.before;
	if (!external_settings_of(agent)->configuration &&
		tree_without(services, &tree.before, arena, &shown, err) < 0)
		return -1;
	if ((own != main || strcmp(shown.hex, tree.before.hex) != 0) &&
		worktree_checkout(own, &shown, err) < 0)
		return -1;
	if (own != main && tree_read(agent, own, arena, &now, &tree.refused, &tree.n_refused, err) < 0)
		return -1;
	*ret_tree = tree;
	return 0;
}

/* --- What becomes of it --- */

struct tree_keeping {
	const struct agent *agent;
	struct arena *arena;
	struct external_change *change;
	const char *const *before; /* paths, sorted */
	size_t n_before;
};

/* A plain test may come new, and then has to pass. */
static bool tree_is_protected(const struct tree_keeping *keeping, const char *path)
{
	const struct protection *protection = keeping->agent->services->protection;
	if (!protection || !protection_rule(protection, path))
		return false;
	return text_in_sorted(keeping->before, keeping->n_before, path) ||
		!protection_allows_new(protection, path);
}

/* For repository_merge_tree: what stays as before. */
static bool tree_keeps(void *owner, const char *path)
{
	struct tree_keeping *keeping = owner;
	struct external_change *change = keeping->change;
	bool is_hidden =
		!external_settings_of(keeping->agent)->configuration && external_is_configuration(path);
	bool is_back = external_is_reader(keeping->agent) || tree_is_protected(keeping, path);
	if (!is_hidden && is_back)
		ARENA_PUSH(keeping->arena, change->put_back, change->n_put_back,
			arena_strdup(keeping->arena, path));
	return is_hidden || is_back;
}

/* What was refused before the turn is no news. */
static void tree_drop_known(const struct external_tree *tree, struct external_change *change)
{
	size_t n = 0;
	for (size_t i = 0; i < change->n_refused; i++)
		if (!text_in(tree->refused, tree->n_refused, change->refused[i]))
			change->refused[n++] = change->refused[i];
	change->n_refused = n;
}

int external_tree_end(struct agent *agent, const struct external_tree *tree, struct arena *arena,
	struct external_change *ret_change, struct rondo_error *err)
{
	const struct agent_services *services = agent->services;
	struct external_change change = {.n_put_back = 0};
	struct tree_keeping keeping = {.agent = agent, .arena = arena, .change = &change};
	struct object now;
	const char **before;
	if (tree_read(agent, tree_worktree(agent), arena, &now, &change.refused, &change.n_refused,
			err) < 0 ||
		repository_list(
			services->repository, &tree->before, arena, &before, &keeping.n_before, err) < 0)
		return -1;
	keeping.before = before;
	if (repository_merge_tree(services->repository, &tree->before, &now, tree_keeps, &keeping,
			&change.after, err) < 0)
		return -1;
	bool is_own = tree_worktree(agent) != services->main_checkout->worktree;
	const struct object *there = is_own ? &tree->before : &now;
	if (strcmp(change.after.hex, there->hex) != 0 &&
		worktree_checkout(services->main_checkout->worktree, &change.after, err) < 0)
		return -1;
	if (repository_diff(
			services->repository, &tree->before, &change.after, arena, &change.diff, err) < 0)
		return -1;
	tree_drop_known(tree, &change);
	*ret_change = change;
	return 0;
}

static bool tree_hides(void *owner, const char *path)
{
	const struct agent *agent = owner;
	return !external_settings_of(agent)->configuration && external_is_configuration(path);
}

int external_tree_now(const struct agent *agent, const struct external_tree *tree,
	struct arena *arena, struct object *ret_tree, struct rondo_error *err)
{
	struct object now;
	const char **refused;
	size_t n;
	if (external_is_reader(agent)) {
		*ret_tree = tree->before;
		return 0;
	}
	if (tree_read(agent, tree_worktree(agent), arena, &now, &refused, &n, err) < 0)
		return -1;
	return repository_merge_tree(agent->services->repository, &tree->before, &now, tree_hides,
		(void *)(uintptr_t)agent, ret_tree, err);
}

int external_tree_undo(
	struct agent *agent, const struct external_tree *tree, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct object now;
	const char **refused;
	size_t n;
	struct worktree *main = agent->services->main_checkout->worktree;
	if (tree_worktree(agent) != main)
		return 0;
	/* new files go only where the worktree has seen them */
	if (tree_read(agent, main, &arena, &now, &refused, &n, err) < 0)
		return -1;
	return worktree_checkout(main, &tree->before, err);
}
