/*
 * The verdict on a change that somebody else made. The gate judges its product with the tests of
 * the base; then the tests that it brings are run with it and without.
 */
#include <string.h>

#include "base/memory.h"
#include "run/stages.h"

/* The tests that the change brings, and what they say. */
struct proposal_tests {
	const struct protection *protection;
	struct arena *arena;
	const char **paths; /* files that it touches */
	size_t n;
	struct test_report after, before; /* with the rest of the change, and without it */
};

static bool proposal_is_no_test(void *owner, const char *path)
{
	struct proposal_tests *tests = owner;
	if (!protection_is_test(tests->protection, path))
		return true;
	if (!text_in(tests->paths, tests->n, path))
		ARENA_PUSH(tests->arena, tests->paths, tests->n, arena_strdup(tests->arena, path));
	return false;
}

/* A tree with the change's test files. */
static int proposal_add_tests(const struct site *site, const struct object *tree,
	struct proposal_tests *tests, struct object *ret_tree, struct rondo_error *err)
{
	return repository_merge_tree(
		site->repository, tree, &site->proposed, proposal_is_no_test, tests, ret_tree, err);
}

static int proposal_run_tests(struct gate *gate, const struct site *site,
	struct proposal_tests *tests, const struct object *product, struct rondo_error *err)
{
	struct object with, without;
	if (proposal_add_tests(site, &site->base.tree, tests, &without, err) < 0 ||
		proposal_add_tests(site, product, tests, &with, err) < 0 ||
		gate_run(gate, &with, "its-tests", &tests->after, err) < 0)
		return -1;
	return gate_run(gate, &without, "its-tests-base", &tests->before, err);
}

static bool proposal_is_red(const struct test_result *result)
{
	return result && test_status_is_red(result->status);
}

static void proposal_count_tests(const struct proposal_tests *tests,
	const struct baseline *baseline, struct verdict_facts *facts)
{
	const struct test_report *base = baseline->first;
	for (size_t i = 0; i < tests->after.n; i++) {
		const char *id = tests->after.results[i]->id;
		const struct test_result *old = test_report_find(&tests->before, id);
		bool is_new = !test_report_find(base, id);
		facts->n_new += is_new;
		facts->n_new_red += is_new && (!old || proposal_is_red(old));
	}
	for (size_t i = 0; tests->after.complete && i < base->n; i++) {
		const char *id = base->results[i]->id;
		bool is_flaky = text_in(baseline->flaky, baseline->n_flaky, id);
		facts->n_gone += !is_flaky && !test_report_find(&tests->after, id);
	}
}

/* The first test that its tests break; NULL: none. */
static const char *proposal_broken(
	const struct proposal_tests *tests, const struct baseline *baseline)
{
	for (size_t i = 0; i < tests->after.n; i++) {
		const struct test_result *result = tests->after.results[i];
		if (proposal_is_red(result) &&
			!proposal_is_red(test_report_find(baseline->first, result->id)) &&
			!text_in(baseline->flaky, baseline->n_flaky, result->id))
			return result->id;
	}
	return NULL;
}

/* The first test that failed before, fails with the change, and passes only as its tests have it;
 * NULL: none. */
static const char *proposal_rewritten(const struct proposal_tests *tests,
	const struct baseline *baseline, const struct test_report *judged)
{
	for (size_t i = 0; i < tests->after.n; i++) {
		const struct test_result *result = tests->after.results[i];
		if (result->status == TEST_PASSED &&
			proposal_is_red(test_report_find(baseline->first, result->id)) &&
			proposal_is_red(test_report_find(judged, result->id)) &&
			!text_in(baseline->flaky, baseline->n_flaky, result->id))
			return result->id;
	}
	return NULL;
}

/* Tests that the change brings must pass with it; whether they fail without it is told. What fails
 * with the tests of the base must not pass with others. */
static int proposal_judge_its_tests(struct gate *gate, const struct site *site,
	struct proposal_tests *tests, struct verdict_facts *facts, struct verdict *judged,
	struct rondo_error *err)
{
	if (proposal_run_tests(gate, site, tests, &judged->tree, err) < 0)
		return -1;
	const struct test_report *after = &tests->after,
							 *own =
								 judged->report.complete ? &judged->report : gate->baseline->first;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&text, "with the tests that it brings: ");
	test_report_describe(after, &text);
	ARENA_PUSH(
		gate->arena, judged->evidence, judged->n_evidence, arena_strdup(gate->arena, text.text));
	proposal_count_tests(tests, gate->baseline, facts);
	const char *broken = proposal_broken(tests, gate->baseline),
			   *rewritten = proposal_rewritten(tests, gate->baseline, own);
	if (!after->complete || broken) {
		judged->kind = VERDICT_NOT_FIXED;
		judged->reason = arena_printf(gate->arena, "with the tests that it brings: %s%s",
			after->complete ? broken : after->problem, after->complete ? " fails" : "");
	} else if (rewritten) {
		judged->kind = VERDICT_REFUSED;
		judged->reason = arena_printf(gate->arena,
			"%s passes only as the change rewrites it (rule protected-test)", rewritten);
		judged->protected_paths = tests->paths;
		judged->n_protected = tests->n;
	}
	return 0;
}

/* "2 tests fixed, nothing lost; 2 new tests, 2 red before". */
const char *verdict_words(const struct verdict_facts *facts, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (facts->n_fixed)
		strbuf_addf(
			&text, "%zu test%s fixed, nothing lost", facts->n_fixed, text_plural(facts->n_fixed));
	else
		strbuf_adds(&text, "nothing broken");
	if (facts->n_still_red)
		strbuf_addf(
			&text, ", %zu still fail%s", facts->n_still_red, facts->n_still_red == 1 ? "s" : "");
	if (facts->n_new == 1)
		strbuf_addf(&text, "; 1 new test, %s before", facts->n_new_red ? "red" : "green");
	else if (facts->n_new)
		strbuf_addf(&text, "; %zu new tests, %zu red before", facts->n_new, facts->n_new_red);
	if (facts->n_gone)
		strbuf_addf(&text, "; %zu test%s removed", facts->n_gone, text_plural(facts->n_gone));
	return arena_strdup(arena, text.text);
}

/* The product in the gate; where only tests change, these alone. */
static int proposal_judge(struct gate *gate, const struct site *site, struct verdict_facts *facts,
	struct verdict *judged, struct rondo_error *err)
{
	struct proposal_tests tests = {.protection = &site->protection, .arena = gate->arena};
	struct object only_tests;
	if (proposal_add_tests(site, &site->base.tree, &tests, &only_tests, err) < 0)
		return -1;
	bool has_product = strcmp(only_tests.hex, site->proposed.hex) != 0;
	if ((has_product ? gate_judge(gate, &site->proposed, judged, err)
					 : gate_take(gate, &site->proposed, judged, err)) < 0)
		return -1;
	if (!has_product && gate->baseline->n_goal)
		judged->reason = "it changes tests alone, and what is to pass fails at the base";
	else if (!has_product)
		judged->kind = VERDICT_VERIFIED;
	return judged->kind == VERDICT_VERIFIED && tests.n
		? proposal_judge_its_tests(gate, site, &tests, facts, judged, err)
		: 0;
}

/* Fill the facts, and how it ends. */
static void proposal_conclude(struct verdict_stage *verdict, const struct run_env *env,
	const struct baseline_stage *baseline, const struct verdict_facts *counted,
	const struct verdict *judged)
{
	struct verdict_facts *facts = &verdict->facts;
	verdict_fill_facts(facts, judged, env->arena);
	facts->n_new = counted->n_new;
	facts->n_new_red = counted->n_new_red;
	facts->n_gone = counted->n_gone;
	facts->n_fixed += judged->comparison.n_also;
	facts->n_still_red = baseline->result.n_red + baseline->result.n_goal - facts->n_fixed;
	verdict_set_ending(verdict, judged, NULL);
	if (verdict->ending.outcome == RUN_VERIFIED && !baseline->result.n_green && !facts->n_fixed)
		verdict->ending =
			(struct ending){true, RUN_NOT_VERIFIED, "no test passes, with it or without", NULL};
	if (verdict->ending.outcome == RUN_NOT_FIXED)
		verdict->ending.outcome = RUN_NOT_VERIFIED;
	if (verdict->ending.outcome == RUN_VERIFIED)
		verdict->ending.reason = verdict_words(facts, env->arena);
}

int verdict_reach_proposal(struct verdict_stage *verdict, const struct run_env *env,
	const struct site *site, const struct baseline_stage *baseline,
	const struct agent_services *services, struct rondo_error *err)
{
	static const struct run_search none;
	struct verdict judged;
	struct verdict_owner owner = {env, site};
	struct gate_settings settings = verdict_settings(env);
	struct gate gate = verdict_gate(&owner, baseline, &settings);
	struct verdict_facts counted = {0};
	settings.clean_up = false; /* it is judged as it is */
	settings.all = true;
	settings.suite_timeout_ms = services->suite_timeout_ms;
	settings.afresh_timeout_ms = services_afresh_ms(services, env);
	verdict->tree = site->proposed;
	if (proposal_judge(&gate, site, &counted, &judged, err) < 0 ||
		verdict_keep_change(verdict, env, site, err) < 0)
		return -1;
	proposal_conclude(verdict, env, baseline, &counted, &judged);
	verdict->ending.help = verdict_advice(env, site, &judged, &none, services);
	return verdict_settle(verdict, &judged, env, site, err);
}
