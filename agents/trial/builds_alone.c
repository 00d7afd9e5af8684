/*
 * A candidate that shares no build with others, such as one that changes the head of a function. It
 * is built in the sandbox that stays, which costs less than a run of the suite in a new one; most
 * do not compile.
 */
#include <string.h>

#include "agents/trial/builds.h"

/* The whole texts of the files that it changes. False where it removes or makes one. */
static bool builds_whole_texts(const struct builds *builds, const struct edit *edit,
	struct arena *arena, struct edit *ret_edit)
{
	struct rondo_error ignored;
	*ret_edit = (struct edit){.description = edit->description};
	for (size_t i = 0; i < edit->n; i++) {
		const struct repair_file *file = NULL;
		for (size_t k = 0; k < builds->n_files; k++)
			if (strcmp(builds->files[k].path, edit->files[i].path) == 0)
				file = &builds->files[k];
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		if (!file || !file->text || edit->files[i].remove || edit->files[i].content ||
			edit_apply(&edit->files[i], file->text, file->n, &text, &ignored) < 0)
			return false;
		ARENA_PUSH(arena, ret_edit->files, ret_edit->n,
			(struct file_edit){.path = file->path, .content = arena_strdup(arena, text.text)});
	}
	return edit->n;
}

int builds_try_alone(
	struct builds *builds, size_t i, struct trial_result *ret_result, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct edit edit;
	struct rerun_result built;
	const struct baseline *baseline = builds->services->baseline;
	int64_t limit_ms = trial_limit_ms(builds->build_ms) + builds->wall_ms;
	*ret_result = (struct trial_result){.end = TRIAL_UNKNOWN};
	if (!builds->rerun || !builds->base ||
		!builds_whole_texts(builds, &builds->candidates[i].edit, &arena, &edit))
		return 0;
	if (rerun_take(builds->rerun, &edit, err) < 0 ||
		rerun_run(builds->rerun, RERUN_BUILD, BLEND_BASE, limit_ms, TRIAL_WALL * limit_ms, &arena,
			&built, err) < 0)
		return -1;
	if (built.gone) {
		builds_fail(builds, "the program that builds them was killed");
		builds_stop(builds);
		return builds_take_back(builds, &edit, err);
	}
	if (built.timeout && builds->hangs)
		ret_result->end = TRIAL_TIMEOUT;
	size_t fixed = built.report.n ? baseline_count_fixed(baseline, &built.report, &arena) : 0;
	if (!built.timeout && (!built.report.complete || fixed < builds->n_goal))
		*ret_result = (struct trial_result){.end = TRIAL_FAILED, .fixed = fixed};
	return builds_take_back(builds, &edit, err);
}
