#include "agents/repair/refused.h"

#include "verify/gate/gate.h"

/* A text of the base; NULL: it has no such file. */
static const char *refused_old_text(const struct agent_services *services, const char *path,
	struct arena *arena, size_t *ret_n)
{
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (repository_file(services->repository, &services->base->tree, path, &text, &ignored) < 0)
		return NULL;
	*ret_n = text.length;
	return arena_strndup(arena, text.text, text.length);
}

static int refused_read_change(const struct agent_services *services, const struct file_edit *edit,
	struct arena *arena, struct changed_file *ret_file, struct rondo_error *err)
{
	const char *now;
	size_t n;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct changed_file file = {.path = edit->path};
	if (worktree_file(services->main_checkout->worktree, edit->path, arena, &now, &n, err) < 0 ||
		edit_apply(edit, now ? now : "", now ? n : 0, &text, err) < 0)
		return -1;
	file.old = refused_old_text(services, edit->path, arena, &file.n_old);
	file.text = arena_strndup(arena, text.text, text.length);
	file.n_text = text.length;
	file.old_mode = file.old ? 0100644 : 0;
	file.mode = 0100644;
	*ret_file = file;
	return 0;
}

/* Ask the rules. *ret_why, in the arena: the finding that refuses; NULL: there is none. */
static int refused_inspect(const struct agent_services *services, const struct edit *edit,
	struct inspection *inspection, const char **ret_why, struct rondo_error *err)
{
	struct arena *arena = inspection->arena;
	struct changed_file *files = arena_alloc(arena, (edit->n + 1) * sizeof *files);
	for (size_t i = 0; i < edit->n; i++)
		if (refused_read_change(services, &edit->files[i], arena, &files[i], err) < 0)
			return -1;
	inspection->files = files;
	inspection->n = edit->n;
	inspection->findings = NULL;
	inspection->n_findings = 0;
	guard_inspect(inspection);
	const struct finding *finding = guard_refusal(inspection);
	*ret_why = finding ? finding_describe(finding, arena) : NULL;
	return 0;
}

int refused_drop(
	struct search *search, const struct agent_services *services, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct passing *passing = &search->passing;
	struct inspection inspection = {.arena = &arena};
	const char **paths;
	if (!passing->n || !services->repository)
		return 0;
	if (repository_list(services->repository, &services->base->tree, &arena, &paths,
			&inspection.n_base_paths, err) < 0)
		return -1;
	inspection.base_paths = paths;
	inspection_add_tests(&inspection, services->repository, &services->base->tree,
		services->protection, services->baseline);
	for (size_t i = passing->n; i-- > 0;) {
		const char *why;
		if (refused_inspect(
				services, &passing->items[i].candidate.edit, &inspection, &why, err) < 0)
			return -1;
		if (!why)
			continue;
		search->refused = arena_strdup(&search->arena, why);
		search->n_refused++;
		passing_remove(passing, i);
	}
	return 0;
}
