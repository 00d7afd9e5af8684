#include "verify/gate/judging.h"

static int judging_add_sentinel(
	struct checkout *place, const struct sentinel *sentinel, struct rondo_error *err)
{
	struct file_edit file = {.path = sentinel->path, .content = sentinel->text};
	return worktree_apply(place->worktree, &(struct edit){.files = &file, .n = 1}, err);
}

static int judging_run_suite(const struct gate *gate, const struct object *tree,
	const struct judging_order *order, struct checkout *place, struct judging *judging,
	struct rondo_error *err)
{
	struct seal seal = {.is_set = false};
	struct arena *arena = order->arena ? order->arena : gate->arena;
	const struct gate_settings *settings = gate->settings;
	struct judge_options options = {.timeout_ms = order->place == GATE_BUILT
			? settings->suite_timeout_ms
			: settings->afresh_timeout_ms,
		.shown_as = "gate",
		.n_tests = gate->baseline->first->n,
		.log = arena_printf(gate->arena, "%s/%s.log", settings->log_dir, order->name)};
	int status = order->counter ? program_put_counter(gate, tree, place, &judging->has_counter, err)
								: program_seal(gate, tree, place, &seal, judging, err);
	if (status < 0)
		return -1;
	if (judging->refusal || (order->counter && !judging->has_counter))
		return 0;
	if ((order->sentinel && judging_add_sentinel(place, order->sentinel, err) < 0) ||
		judge(place, gate->suite, &options, arena, &judging->report, gate->ctx, err) < 0)
		return -1;
	if (order->sentinel)
		sentinel_read(order->sentinel, arena, judging);
	baseline_compare(gate->baseline, &judging->report, arena, &judging->comparison);
	if (program_read_marks(gate, &seal, judging, err) < 0)
		return -1;
	if (judging->comparison.ok && !order->counter)
		judging->refusal = program_check_marks(gate, judging);
	return 0;
}

int judging_run(const struct gate *gate, const struct object *tree,
	const struct judging_order *order, struct judging *judging, struct rondo_error *err)
{
	struct checkout place;
	struct judging found = {.refusal = NULL};
	context_progress(gate->ctx, "gate", "running the suite in a fresh checkout");
	if (gate->enter(gate->owner, tree, order->name, order->place, &place, err) < 0)
		return -1;
	int status = judging_run_suite(gate, tree, order, &place, &found, err);
	gate->leave(&place);
	if (status == 0)
		*judging = found;
	return status;
}

bool judging_holds(const struct judging *judging)
{
	return !judging->refusal && judging->comparison.ok;
}
