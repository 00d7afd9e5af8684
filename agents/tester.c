/*
 * The tester: no model. Runs the suite where the tree has changed, tries candidates, and says
 * what is true. Suites run on benches, never at the desk, so what they leave behind is in no fix.
 */
#include <stdio.h>
#include <string.h>

#include "agents/agent.h"
#include "agents/trial.h"
#include "base/clock.h"
#include "base/memory.h"

#define SHOWN_FAILURES 5

struct tester {
	struct object judged; /* the tree that the last report is about */
	bool has_judged;
	int64_t trial_started_ms; /* the first candidates: repair's time runs from here */
	int reports;
};

static void add_results(struct json *to, const char *key, const char *const *ids, size_t n)
{
	struct json *array = json_add_array(to, key);
	for (size_t i = 0; i < n; i++)
		json_add_string(array, NULL, ids[i]);
}

static const char *report_data(const struct test_report *report, const struct comparison *comparison,
	struct arena *arena)
{
	AUTO_JSON *json = test_report_to_json(report);
	json_add_bool(json, "ok", comparison->ok);
	add_results(json, "fixed", comparison->fixed, comparison->n_fixed);
	add_results(json, "failing", comparison->failing, comparison->n_failing);
	add_results(json, "broken", comparison->broken, comparison->n_broken);
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(arena, text);
}

static void list_failures(struct strbuf *sb, const struct test_report *report)
{
	size_t shown = 0, red = test_report_red(report);
	for (size_t i = 0; i < report->n && shown < SHOWN_FAILURES; i++) {
		const struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		strbuf_addf(sb, "\n%s    %s", result->id, result->message ? result->message : "");
		shown++;
	}
	if (red > shown)
		strbuf_addf(sb, "\nand %zu more", red - shown);
}

static const char *describe(const struct test_report *report, const struct comparison *comparison,
	const char *const *left_out, size_t n_left_out, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (comparison->ok)
		strbuf_adds(&text, "TESTS PASS  ");
	if (report->complete)
		test_report_describe(report, &text);
	else
		strbuf_adds(&text, report->problem ? report->problem : "the suite did not run");
	if (!comparison->ok) {
		strbuf_addf(&text, ": %s", comparison->problem ? comparison->problem : "");
		list_failures(&text, report);
	}
	for (size_t i = 0; i < n_left_out; i++)
		strbuf_addf(&text, "\n%s is protected: judged without its change", left_out[i]);
	return arena_strndup(arena, text.text, text.length);
}

static int report_on_tree(struct agent *agent, struct arena *arena, struct response *response,
	const struct context *ctx, struct rondo_error *err)
{
	struct tester *tester = agent->state;
	const struct agent_kit *kit = agent->kit;
	struct object tree;
	const char **left_out;
	size_t n_left_out;
	if (judge_prepare(kit, &kit->benches[0], arena, &tree, &left_out, &n_left_out, err) < 0)
		return -1;
	const struct object *last = tester->has_judged ? &tester->judged : &kit->base->tree;
	if (strcmp(tree.hex, last->hex) == 0 && !n_left_out) {
		response->pass = true;
		return 0;
	}
	context_progress(ctx, agent->name, "running the suite");
	struct test_report report = {0};
	struct comparison comparison;
	struct judge_options options = {.timeout_ms = kit->suite_timeout_ms,
		.log = arena_printf(arena, "%s/suite-%d.log", kit->log_dir, ++tester->reports)};
	if (judge(&kit->benches[0], kit->suite, &options, arena, &report, ctx, err) < 0)
		return -1;
	baseline_compare(kit->baseline, &report, arena, &comparison);
	tester->judged = tree;
	tester->has_judged = true;
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_TEST_REPORT,
		.content = describe(&report, &comparison, left_out, n_left_out, arena),
		.data = report_data(&report, &comparison, arena)};
	return 0;
}

static const char *describe_trial(
	const struct candidate_results *results, int64_t duration_ms, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	size_t most = 0;
	for (size_t i = 0; i < results->n; i++)
		if (results->progress[i].fixed > most)
			most = results->progress[i].fixed;
	clock_format_duration(duration_ms, time);
	const char *tests = results->goal == 1 ? "test" : results->goal == 2 ? "both tests" : "all tests";
	if (results->winner)
		return arena_printf(arena, "tried %zu in %s, 1 fixes %s%s", results->tried, time,
			results->goal == 1 ? "the " : "", tests);
	return arena_printf(
		arena, "tried %zu in %s, best: %zu of %zu fixed", results->tried, time, most, results->goal);
}

/* The benches must hold what the desk holds: candidates are made for that text. */
static int prepare_benches(struct agent *agent, struct arena *arena, struct rondo_error *err)
{
	const struct agent_kit *kit = agent->kit;
	struct object tree;
	const char **left_out;
	size_t n;
	for (size_t i = 0; i < kit->n_benches; i++)
		if (judge_prepare(kit, &kit->benches[i], arena, &tree, &left_out, &n, err) < 0)
			return -1;
	return 0;
}

static int try_candidates(struct agent *agent, const struct rondo_message *message,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err)
{
	struct tester *tester = agent->state;
	struct candidates candidates;
	struct candidate_results results;
	int64_t start = clock_now_ms();
	AUTO_JSON *json = json_parse(message->data, strlen(message->data), err);
	if (!json || candidates_from_json(json, arena, &candidates, err) < 0)
		return -1;
	if (!tester->trial_started_ms)
		tester->trial_started_ms = start;
	int64_t deadline = tester->trial_started_ms + agent->kit->repair_timeout_ms;
	if (prepare_benches(agent, arena, err) < 0 ||
		trial_run(agent, &candidates, deadline, arena, &results, ctx, err) < 0)
		return -1;
	AUTO_JSON *data = candidate_results_to_json(&results);
	AUTO_FREE char *text = json_print(data);
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_CANDIDATE_RESULTS,
		.content = describe_trial(&results, clock_now_ms() - start, arena),
		.data = arena_strdup(arena, text)};
	return 0;
}

static int tester_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	for (size_t i = unseen.n; i-- > 0;)
		if (unseen.messages[i]->type == RONDO_MESSAGE_CANDIDATES && unseen.messages[i]->data)
			return try_candidates(agent, unseen.messages[i], arena, response, ctx, err);
	return report_on_tree(agent, arena, response, ctx, err);
}

static void save(struct agent *agent, bool all, struct json *to)
{
	(void)all;
	const struct tester *tester = agent->state;
	if (tester->has_judged)
		json_add_string(to, "judged", tester->judged.hex);
	if (tester->reports)
		json_add_int(to, "reports", tester->reports);
	if (tester->trial_started_ms)
		json_add_int(to, "trial_ms", clock_now_ms() - tester->trial_started_ms);
}

/* The time in which nobody worked is no time of the trial. */
static int load(struct agent *agent, const struct json *from, const struct message_thread *thread, struct rondo_error *err)
{
	(void)thread;
	struct tester *tester = agent->state;
	const char *judged = json_string(from, "judged", NULL);
	if (judged && (strlen(judged) != OBJECT_SIZE - 1 || strspn(judged, "0123456789abcdef") != OBJECT_SIZE - 1))
		return error_set(err, RONDO_ERROR_USAGE, "'%s' names no tree", judged);
	if (judged)
		memcpy(tester->judged.hex, judged, OBJECT_SIZE);
	tester->has_judged = judged;
	tester->reports = (int)json_int(from, "reports", 0);
	if (json_get(from, "trial_ms"))
		tester->trial_started_ms = clock_now_ms() - json_int(from, "trial_ms", 0);
	return 0;
}

const struct agent_type tester_agent = {
	.name = "tester",
	.summary = "runs the suite, tries candidates, says what is true; no model",
	.needs = AGENT_NEEDS_DESK | AGENT_NEEDS_SUITE,
	.state_size = sizeof(struct tester),
	.on_messages = tester_on_messages,
	.save = save,
	.load = load,
};
