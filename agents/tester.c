/*
 * The tester, without a model: it runs the suite when the tree has changed, and reports. Suites run
 * in workers' checkouts, never in the main checkout, so their leavings are in no fix.
 */
#include <stdio.h>
#include <string.h>

#include "agents/briefing.h"
#include "base/memory.h"

enum {
	SHOWN_IDS = 10,
	LONG_SUITE_MS = 3000, /* a longer suite runs the goal's tests first */
};

struct tester {
	struct object reported; /* in the main checkout at the last report */
	bool has_reported;
	int reports;
	size_t best_fixed, best_broken; /* of the best state so far; the base's is 0 and 0 */
};

struct judgement {
	struct test_report report;
	struct comparison comparison;
	bool is_part; /* only the goal's tests were run */
};

/* What run/journal/states.c compares. */
static void tester_add_state(struct json *to, const struct baseline *baseline,
	const struct comparison *comparison, const struct object *tree, struct arena *arena)
{
	const char **ids;
	size_t n,
		groups = baseline_fixed_groups(
			baseline, comparison->fixed, comparison->n_fixed, arena, &ids, &n);
	struct json *state = json_add_object(to, "state");
	json_add_string(state, "tree", tree->hex);
	json_add_int(state, "fixed", (int64_t)comparison->n_fixed);
	json_add_int(state, "groups", (int64_t)groups);
	json_add_int(state, "regressions", (int64_t)comparison_regressions(comparison));
}

static const char *tester_report_data(const struct agent_services *services,
	const struct judgement *judgement, const struct object *tree, struct arena *arena)
{
	const struct comparison *comparison = &judgement->comparison;
	AUTO_JSON *json = test_report_to_brief_json(&judgement->report);
	json_add_bool(json, "ok", comparison->ok);
	json_add_bool(json, "part", judgement->is_part);
	json_add_strings(json, "fixed", comparison->fixed, comparison->n_fixed);
	json_add_strings(json, "failing", comparison->failing, comparison->n_failing);
	json_add_strings(json, "broken", comparison->broken, comparison->n_broken);
	tester_add_state(json, services->baseline, comparison, tree, arena);
	if (executor_sees(services->main_checkout->executor) ==
		EXECUTOR_SEES_HOST) /* else code that a coder has run cannot read the log */
		json_add_string(json, "log_at", judgement->report.log);
	return json_print_in(json, arena);
}

/* --- What it says: a paragraph for everybody, then what was printed of the failures --- */

static void tester_add_ids(struct strbuf *sb, const char *label, const char *const *ids, size_t n)
{
	if (!n)
		return;
	strbuf_addf(sb, "\n%s: ", label);
	strbuf_add_list(sb, ids, n < SHOWN_IDS ? n : SHOWN_IDS);
	if (n > SHOWN_IDS)
		strbuf_addf(sb, " and %zu more", n - SHOWN_IDS);
}

/* A run that broke off did not reach its last tests: that is no news. */
static void tester_add_sections(struct strbuf *sb, const struct judgement *judgement)
{
	const struct comparison *comparison = &judgement->comparison;
	tester_add_ids(sb, "fixed", comparison->fixed, comparison->n_fixed);
	tester_add_ids(sb, "still failing", comparison->failing, comparison->n_failing);
	tester_add_ids(sb, "newly broken", comparison->broken, comparison->n_broken);
	tester_add_ids(sb, "not run any more", comparison->missing,
		judgement->report.complete ? comparison->n_missing : 0);
	tester_add_ids(sb, "newly skipped", comparison->skipped, comparison->n_skipped);
	tester_add_ids(sb, "new and failing", comparison->red_new, comparison->n_red_new);
}

/* The coder should know when to go back. A run that broke off is no new best: nobody knows what it
 * would have broken. */
static void tester_add_progress(
	struct strbuf *sb, struct tester *tester, const struct judgement *judgement)
{
	size_t fixed = judgement->comparison.n_fixed,
		   broken = comparison_regressions(&judgement->comparison);
	if (fixed < tester->best_fixed) {
		strbuf_addf(sb, "\nworse than before: %zu fixed then, %zu now", tester->best_fixed, fixed);
		return;
	}
	if (!judgement->report.complete)
		return;
	if (fixed == tester->best_fixed && broken > tester->best_broken) {
		strbuf_addf(
			sb, "\nworse than before: %zu broken then, %zu now", tester->best_broken, broken);
		return;
	}
	tester->best_fixed = fixed;
	tester->best_broken = broken;
}

static void tester_add_result(struct strbuf *sb, const struct judgement *judgement)
{
	const struct test_report *report = &judgement->report;
	const char *problem = judgement->comparison.problem;
	if (judgement->comparison.ok)
		strbuf_adds(sb, "TESTS PASS  ");
	if (report->complete && !judgement->is_part) {
		test_report_describe(report, sb);
		strbuf_addf(sb, "%s%s", problem ? ": " : "", problem ? problem : "");
	} else {
		strbuf_addf(sb, "%s%s", problem, judgement->is_part ? "; the whole suite was not run" : "");
	}
}

static const char *tester_describe(struct tester *tester, const struct judgement *judgement,
	const struct judged_tree *prepared, struct arena *arena)
{
	const struct comparison *comparison = &judgement->comparison;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	tester_add_result(&text, judgement);
	if (!comparison->ok)
		tester_add_sections(&text, judgement);
	tester_add_progress(&text, tester, judgement);
	for (size_t i = 0; i < prepared->n_left_out; i++)
		strbuf_addf(&text, "\n%s is protected: judged without its change", prepared->left_out[i]);
	if (!comparison->ok) {
		strbuf_addc(&text, '\n');
		brief_output(&text, &judgement->report, NULL);
		strbuf_addf(&text, "\nfull log: %s", judgement->report.log);
	}
	return arena_strndup(arena, text.text, text.length);
}

/* --- Judging --- */

/* The goal's tests alone. They count if one of them fails; else the whole suite decides. A short
 * suite runs whole at once, because it says more. */
static int tester_judge_goal(struct agent *agent, const char *log, struct arena *arena,
	struct judgement *judgement, const struct context *ctx, struct rondo_error *err)
{
	const struct agent_services *services = agent->services;
	struct judge_options options = services_goal_options(services, arena);
	options.baseline = services->baseline;
	options.log = log;
	bool is_long = services->baseline->first->duration_ms >= LONG_SUITE_MS;
	judgement->is_part = false;
	if (!options.ids || !(services->suite->targeted || is_long))
		return 0;
	context_progress(ctx, agent->name, "running the failing tests");
	if (judge(&services->test_checkouts[0], services->suite, &options, arena, &judgement->report,
			ctx, err) < 0)
		return -1;
	judgement->is_part = judgement->report.complete &&
		baseline_saw_goal(services->baseline, &judgement->report, true);
	if (judgement->is_part)
		baseline_compare_goal(
			services->baseline, &judgement->report, arena, &judgement->comparison);
	return 0;
}

static int tester_judge_tree(struct agent *agent, struct arena *arena, struct judgement *judgement,
	const struct context *ctx, struct rondo_error *err)
{
	struct tester *tester = agent->state;
	const struct agent_services *services = agent->services;
	const char *log = arena_printf(arena, "%s/suite-%d.log", services->log_dir, ++tester->reports);
	struct judge_options options = {.timeout_ms = services->suite_timeout_ms,
		.shown_as = agent->name,
		.n_tests = services->baseline->first->n,
		.baseline = services->baseline,
		.log = log};
	if (tester_judge_goal(agent, log, arena, judgement, ctx, err) < 0)
		return -1;
	if (judgement->is_part)
		return 0;
	context_progress(ctx, agent->name, "running the suite");
	if (judge(&services->test_checkouts[0], services->suite, &options, arena, &judgement->report,
			ctx, err) < 0)
		return -1;
	baseline_compare(services->baseline, &judgement->report, arena, &judgement->comparison);
	return 0;
}

static int tester_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	(void)unseen;
	struct tester *tester = agent->state;
	struct judgement judgement;
	struct judged_tree prepared;
	if (services_check_out(
			agent->services, &agent->services->test_checkouts[0], arena, &prepared, err) < 0)
		return -1;
	const struct object *last =
		tester->has_reported ? &tester->reported : &agent->services->base->tree;
	if (strcmp(prepared.whole.hex, last->hex) == 0) {
		response->pass = true;
		return 0;
	}
	if (tester_judge_tree(agent, arena, &judgement, ctx, err) < 0)
		return -1;
	tester->reported = prepared.whole;
	tester->has_reported = true;
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_TEST_REPORT,
		.content = tester_describe(tester, &judgement, &prepared, arena),
		.data = tester_report_data(agent->services, &judgement, &prepared.whole, arena)};
	return 0;
}

static void tester_save(struct agent *agent, bool all, struct json *to)
{
	(void)all;
	const struct tester *tester = agent->state;
	if (tester->has_reported)
		json_add_string(to, "reported", tester->reported.hex);
	if (tester->reports)
		json_add_int(to, "reports", tester->reports);
	if (tester->best_fixed || tester->best_broken) {
		json_add_int(to, "best_fixed", (int64_t)tester->best_fixed);
		json_add_int(to, "best_broken", (int64_t)tester->best_broken);
	}
}

static int tester_load(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	(void)thread;
	struct tester *tester = agent->state;
	const char *reported = json_string(from, "reported", NULL);
	bool is_tree = reported && strlen(reported) == OBJECT_SIZE - 1 &&
		strspn(reported, "0123456789abcdef") == OBJECT_SIZE - 1;
	if (reported && !is_tree)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' names no tree", reported);
	if (reported)
		memcpy(tester->reported.hex, reported, OBJECT_SIZE);
	tester->has_reported = reported;
	tester->reports = (int)json_int(from, "reports", 0);
	tester->best_fixed = (size_t)json_int(from, "best_fixed", 0);
	tester->best_broken = (size_t)json_int(from, "best_broken", 0);
	return 0;
}

const struct agent_type tester_agent = {
	.name = "tester",
	.summary = "runs the suite, says what is true; no model",
	.needs = AGENT_NEEDS_CHECKOUT | AGENT_NEEDS_SUITE,
	.state_size = sizeof(struct tester),
	.on_messages = tester_on_messages,
	.save = tester_save,
	.load = tester_load,
};
