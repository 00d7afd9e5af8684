/* What came of a run, for programs (report.json) and for people (report.md). */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "chat/event.h"
#include "run/stages.h"

#define REPORT_VERSION 1

static void add_strings(struct json *to, const char *key, const char *const *items, size_t n)
{
	struct json *array = json_add_array(to, key);
	for (size_t i = 0; i < n; i++)
		json_add_string(array, NULL, items[i]);
}

void report_add_goal(struct json *to, const struct run_result *result)
{
	struct json *goal = json_add_array(to, "goal");
	for (size_t i = 0; i < result->n_goal; i++) {
		struct json *test = json_add_object(goal, NULL);
		json_add_string(test, "id", result->goal[i].id);
		json_add_string(test, "message", result->goal[i].message);
		json_add_string(test, "place", result->goal[i].place);
	}
	add_strings(to, "flaky", result->flaky, result->n_flaky);
}

static void add_tests(struct json *to, const struct run_result *result)
{
	struct json *tests = json_add_object(to, "tests");
	json_add_string(tests, "command", result->command);
	json_add_string(tests, "found", result->origin);
	add_strings(tests, "also_found", result->also, result->n_also);
	json_add_int(tests, "total", (int64_t)result->n_tests);
	json_add_int(tests, "skipped", (int64_t)result->n_skipped);
	json_add_int(tests, "passed_before", (int64_t)result->n_passed_before);
	json_add_int(tests, "passed_after", (int64_t)result->n_passed_after);
	report_add_goal(tests, result);
	json_add_int(tests, "baseline_ms", result->baseline_ms);
}

static void add_fix(struct json *to, const struct run_result *result)
{
	struct json *fix = json_add_object(to, "fix");
	json_add_string(fix, "what", result->what);
	json_add_string(fix, "branch", result->commit ? result->branch : NULL);
	json_add_string(fix, "commit", result->commit);
	json_add_string(fix, "stat", result->stat);
	json_add_string(fix, "patch", result->patch_path);
	json_add_string(fix, "applied_to", result->applied_to);
	json_add_int(fix, "goal_fixed", (int64_t)result->n_fixed);
}

static void add_usage(struct json *to, int64_t calls, const struct rondo_usage *usage)
{
	json_add_int(to, "calls", calls);
	json_add_int(to, "prompt_tokens", usage->prompt_tokens);
	json_add_int(to, "completion_tokens", usage->completion_tokens);
	json_add_int(to, "total_tokens", usage->prompt_tokens + usage->completion_tokens);
}

/* What is not wholly known is no number. */
static void add_cost(struct json *to, const char *key, double usd)
{
	if (usd < 0)
		json_add_string(to, key, "unknown");
	else
		json_add_number(to, key, usd);
}

static void add_spending(struct json *to, const struct run_spending *spending, bool with_cost)
{
	struct json *json = json_add_object(to, spending->name);
	add_usage(json, spending->calls, &spending->usage);
	json_add_int(json, "calls_of_unknown_usage", spending->unknown_calls);
	if (with_cost)
		add_cost(json, "cost", spending->cost_usd);
}

static void add_costs(struct json *to, const struct run_result *result)
{
	json_add_string(to, "model", result->models);
	struct json *usage = json_add_object(to, "usage");
	add_usage(usage, result->calls, &result->usage);
	struct json *agents = json_add_object(usage, "by_agent"), *models = json_add_object(usage, "by_model");
	for (size_t i = 0; i < result->n_by_agent; i++)
		add_spending(agents, &result->by_agent[i], false);
	for (size_t i = 0; i < result->n_by_model; i++)
		add_spending(models, &result->by_model[i], true);
	add_cost(to, "cost_usd", result->cost_usd);
}

/* Why the chat stopped, exactly. */
static void add_stop(struct json *to, const struct run_result *result)
{
	json_add_string(to, "stopped_by", result->stop_reason);
	if (!result->stop_condition)
		return;
	struct json *stop = json_add_object(to, "stop");
	json_add_string(stop, "condition", result->stop_condition);
	json_add_string(stop, "verdict", run_verdict_word(result->verdict));
	if (result->stop_message)
		json_add_int(stop, "message", result->stop_message);
	json_add_string(stop, "source", result->stop_source);
	json_add_int(stop, "messages", (int64_t)result->n_messages);
	json_add_int(stop, "rounds", (int64_t)result->n_rounds);
	json_add_bool(stop, "left_unexecuted", result->left_unexecuted);
	json_add_string(stop, "text", result->stopped);
}

/* What stands in the report and in the last line of --json alike. */
static void add_result(struct json *json, const struct run_result *result)
{
	json_add_string(json, "name", result->name);
	json_add_string(json, "root", result->root);
	json_add_string(json, "base", result->base);
	json_add_bool(json, "snapshot", result->is_snapshot);
	json_add_string(json, "executor", result->executor);
	json_add_string(json, "coder", result->coder);
	add_costs(json, result);
	add_tests(json, result);
	add_fix(json, result);
	add_strings(json, "world", result->world, result->n_world);
	add_strings(json, "notices", result->notices, result->n_notices);
	add_stop(json, result);
	json_add_string(json, "summary", result->summary);
	json_add_int(json, "turns", result->turns);
	json_add_string(json, "spent", result->spent);
	json_add_string(json, "failed_asserts", result->failed_asserts);
	json_add_string(json, "files", result->files);
	json_add_int(json, "duration_ms", result->duration_ms);
}

static struct json *report_json(const struct run *run, const struct rondo_error *failure)
{
	const struct run_result *result = run->result;
	char date[CLOCK_DATE_SIZE];
	clock_format_date(clock_date_ms(), date);
	struct json *json = json_object();
	json_add_int(json, "version", REPORT_VERSION);
	json_add_string(json, "run", result->id);
	json_add_string(json, "ended", date);
	json_add_string(json, "outcome", failure ? "error" : run_outcome_word(result->outcome));
	json_add_int(json, "exit_code", failure ? run_error_exit_code(failure, run->outer->cancel)
						: run_outcome_exit_code(result->outcome));
	json_add_string(json, "reason", failure ? failure->message : result->reason);
	add_result(json, result);
	return json;
}

char *run_result_json(const struct run_result *result)
{
	AUTO_JSON *json = json_object();
	json_add_string(json, "type", "result");
	json_add_string(json, "run", result->id);
	json_add_string(json, "outcome", run_outcome_word(result->outcome));
	json_add_int(json, "exit_code", run_outcome_exit_code(result->outcome));
	json_add_string(json, "reason", result->reason);
	add_result(json, result);
	return json_print(json);
}

char *run_event_json(const struct rondo_event *event)
{
	AUTO_JSON *json = json_object();
	event_to_json(event, json);
	return json_print(json);
}

static void add_list(struct strbuf *sb, const char *title, const char *const *items, size_t n)
{
	if (!n)
		return;
	strbuf_addf(sb, "\n## %s\n\n", title);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(sb, "- %s\n", items[i]);
}

static void add_spendings(struct strbuf *sb, const char *what, const struct run_spending *items, size_t n,
	bool with_cost)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(sb, "- %s %s: ", what, items[i].name);
		run_spending_describe(&items[i], with_cost, sb);
		strbuf_addc(sb, '\n');
	}
}

/* What it came to, in lines of facts. */
static void add_facts(struct strbuf *sb, const struct run_result *result)
{
	char time[CLOCK_DATE_SIZE];
	clock_format_duration(result->duration_ms, time);
	strbuf_addf(sb, "- run %s, %s\n", result->id, time);
	if (result->base)
		strbuf_addf(sb, "- base %s%s\n", result->base,
			result->is_snapshot ? " (snapshot of uncommitted work)" : "");
	if (result->command)
		strbuf_addf(sb, "- tests `%s` (%s)\n", result->command, result->origin);
	if (result->n_tests)
		strbuf_addf(sb, "- %zu of %zu passed before, %zu after\n", result->n_passed_before,
			result->n_tests, result->n_passed_after);
	if (result->coder)
		strbuf_addf(sb, "- coder %s\n", result->coder);
	if (result->stopped)
		strbuf_addf(sb, "- stopped %s: %s\n", result->stopped, result->stop_reason);
	if (result->left_unexecuted)
		strbuf_addf(sb, "- %s\n", RUN_LEFT_UNEXECUTED);
	add_spendings(sb, "agent", result->by_agent, result->n_by_agent, false);
	add_spendings(sb, "model", result->by_model, result->n_by_model, true);
	if (result->models)
		strbuf_addf(sb, "- models %s: %s\n", result->models, result->spent);
	if (result->commit)
		strbuf_addf(sb, "- branch `%s` at %s\n", result->branch, result->commit);
}

static void add_goal(struct strbuf *sb, const struct run_result *result)
{
	if (!result->n_goal)
		return;
	strbuf_adds(sb, "\n## Goal\n\n");
	for (size_t i = 0; i < result->n_goal; i++)
		strbuf_addf(sb, "- `%s` %s\n", result->goal[i].id,
			result->goal[i].message ? result->goal[i].message : "");
}

static void report_text(const struct run *run, const struct rondo_error *failure, struct strbuf *sb)
{
	const struct run_result *result = run->result;
	strbuf_addf(sb, "# %s: %s\n\n", result->name ? result->name : "run",
		failure ? "error" : run_outcome_word(result->outcome));
	if (failure || result->reason)
		strbuf_addf(sb, "%s\n\n", failure ? failure->message : result->reason);
	add_facts(sb, result);
	if (result->summary)
		strbuf_addf(sb, "\n## Summary\n\n%s\n", result->summary);
	add_goal(sb, result);
	if (result->patch)
		strbuf_addf(sb, "\n## Change\n\n%s\n\n```diff\n%s```\n", result->what ? result->what : "",
			result->patch);
	add_list(sb, "Flaky: counted neither way", result->flaky, result->n_flaky);
	add_list(sb, "What the tests saw beside the system", result->world, result->n_world);
	add_list(sb, "Notices", result->notices, result->n_notices);
	if (run->has_suite)
		strbuf_adds(sb, "\n## What this rests on\n\nThe suite was run at the base twice and once in a fresh checkout "
				"of the fix, with tests and configuration as in the base.\nA program that runs in one process "
				"with its tests could still forge their results from inside; rondo does not yet look for that.\n");
}

static int keep(const struct run *run, const char *name, const char *text, struct rondo_error *err)
{
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_RECORD), path = STRBUF_INIT(STRBUF_LINE);
	secrets_redact(run->secrets, &clean, text, strlen(text));
	strbuf_addf(&path, "%s/%s", run->paths.dir, name);
	return file_write(path.text, clean.text, clean.length, 0600, err);
}

int report_write(const struct run *run, const struct rondo_error *failure, struct rondo_error *err)
{
	AUTO_JSON *json = report_json(run, failure);
	AUTO_FREE char *pretty = json_print_pretty(json);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	report_text(run, failure, &text);
	return keep(run, "report.json", pretty, err) < 0 ? -1 : keep(run, "report.md", text.text, err);
}
