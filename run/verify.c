/* rondo verify: a change that a person or a program made, judged as a fix is; and what the suite
 * says without one. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "run/scenario/config.h"
#include "run/stages.h"

#define LARGEST_PATCH ((size_t)64 << 20)
#define STANDARD_INPUT "(standard input)"

/* A team that never speaks: who is needed to judge. */
#define TEAM \
	"agents: {tester: {type: tester}}\n" \
	"team: {participants: [tester], max_turns: 1}\n"

/* "-" is a patch on standard input; what is a file is a patch; the rest is a revision. */
static int verify_read_change(const struct verify_options *options, struct arena *arena,
	struct proposal *proposal, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_PATCH + 1);
	const char *change = options->change;
	bool is_stdin = change && strcmp(change, "-") == 0;
	if (!change) {
		proposal->revision = options->revision;
		proposal->patch = options->patch;
		proposal->patch_name = options->patch ? "(given as text)" : NULL;
		proposal->n = options->patch ? strlen(options->patch) : 0;
		return 0;
	}
	if (!is_stdin && !(file_exists(change) && !file_is_dir(change))) {
		proposal->revision = change;
		proposal->may_be_file = true;
		return 0;
	}
	if ((is_stdin ? file_read_fd(STDIN_FILENO, STANDARD_INPUT, LARGEST_PATCH, &text, err)
				  : file_read(change, LARGEST_PATCH, &text, err)) < 0)
		return -1;
	proposal->patch = arena_strndup(arena, text.text, text.length);
	proposal->n = text.length;
	proposal->patch_name = is_stdin ? STANDARD_INPUT : change;
	return 0;
}

int run_verify(const struct verify_options *options, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err)
{
	struct scenario scenario;
	struct problems problems = {.arena = arena};
	struct proposal proposal = {.base = options->base, .fixed = options->fixed};
	*report = (struct run_report){.outcome = RUN_NOT_VERIFIED};
	if (verify_read_change(options, arena, &proposal, err) < 0 ||
		order_read_options(&scenario, &options->fix, arena, err) < 0)
		return -1;
	scenario.test.cached_baseline |= options->cached_since_ms > 0;
	order_read_team(&scenario, TEAM);
	scenario_check(&scenario, NULL, &problems);
	if (problems_error(&problems, err) < 0)
		return -1;
	struct order order = {.scenario = &scenario,
		.env_file = options->fix.env_file,
		.dry_run = options->fix.dry_run,
		.stop_requested = options->fix.stop_requested,
		.cached_since_ms = options->cached_since_ms,
		.within = options->fix.within,
		.proposal = &proposal};
	return run_carry_out(&order, ctx, arena, report, err);
}

int run_baseline(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err)
{
	struct scenario scenario;
	struct problems problems = {.arena = arena};
	struct option_setting head = {"head", "workspace.on_dirty", "head"};
	*report = (struct run_report){.outcome = RUN_TESTS_FAIL};
	if (order_read_options(&scenario, options, arena, err) < 0 ||
		config_set(&scenario, &head, err) < 0)
		return -1;
	order_read_team(&scenario, TEAM);
	scenario_check(&scenario, NULL, &problems);
	if (problems_error(&problems, err) < 0)
		return -1;
	struct order order = {.scenario = &scenario,
		.env_file = options->env_file,
		.stop_requested = options->stop_requested,
		.within = options->within,
		.ends_at_baseline = true};
	return run_carry_out(&order, ctx, arena, report, err);
}
