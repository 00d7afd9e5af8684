/*
 * The verdict on a change that somebody else made. The gate judges its product with the tests of
 * the base; then the tests that it brings are run with it and without.
 */
#include <string.h>

#include "base/memory.h"
#include "run/stages.h"

struct proposal_tests {
	const struct protection *protection;
	size_t n; /* test files that the change touches */
};

static bool proposal_is_no_test(void *owner, const char *path)
{
	struct proposal_tests *tests = owner;
	bool is_test = protection_is_test(tests->protection, path);
	tests->n += is_test;
	return !is_test;
}

/* A tree with the change's test files. */
static int proposal_add_tests(const struct site *site, const struct object *tree, size_t *ret_n,
	struct object *ret_tree, struct rondo_error *err)
{
	struct proposal_tests tests = {.protection = &site->protection};
	if (repository_merge_tree(site->repository, tree, &site->proposed, proposal_is_no_test, &tests,
			ret_tree, err) < 0)
		return -1;
	*ret_n = tests.n;
	return 0;
}

/* Tests that the change brings must pass with it; whether they fail without it is told. */
static int proposal_judge_its_tests(struct gate *gate, const struct site *site,
	struct verdict_facts *facts, struct verdict *judged, struct rondo_error *err)
{
	struct object with, without;
	struct test_report after, before;
	const struct test_report *base = gate->baseline->first;
	size_t n_tests, n_more;
	if (proposal_add_tests(site, &site->base.tree, &n_tests, &without, err) < 0 ||
		proposal_add_tests(site, &judged->tree, &n_more, &with, err) < 0)
		return -1;
	if (!n_tests)
		return 0;
	if (gate_run(gate, &with, "its-tests", &after, err) < 0 ||
		gate_run(gate, &without, "its-tests-base", &before, err) < 0)
		return -1;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&text, "with the tests that it brings: ");
	test_report_describe(&after, &text);
	ARENA_PUSH(
		gate->arena, judged->evidence, judged->n_evidence, arena_strdup(gate->arena, text.text));
	const char *broken = after.complete ? NULL : after.problem;
	for (size_t i = 0; i < after.n; i++) {
		const struct test_result *result = after.results[i];
		const struct test_result *at_base = test_report_find(base, result->id);
		const struct test_result *old = test_report_find(&before, result->id);
		bool was_red = at_base && test_status_is_red(at_base->status);
		facts->n_new += !at_base;
		facts->n_new_red += !at_base && (!old || test_status_is_red(old->status));
		if (!broken && test_status_is_red(result->status) && !was_red)
			broken = arena_printf(gate->arena, "%s fails", result->id);
	}
	if (!broken)
		return 0;
	judged->kind = VERDICT_NOT_FIXED;
	judged->reason = arena_printf(gate->arena, "with the tests that it brings: %s", broken);
	return 0;
}

/* "2 tests fixed, nothing lost; 2 new tests, 2 red before". */
static const char *proposal_words(const struct verdict_facts *facts, struct arena *arena)
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
	return arena_strdup(arena, text.text);
}

/* The product in the gate; where only tests change, these alone. */
static int proposal_judge(struct gate *gate, const struct site *site, struct verdict_facts *facts,
	struct verdict *judged, struct rondo_error *err)
{
	struct object tests;
	size_t n_tests;
	if (proposal_add_tests(site, &site->base.tree, &n_tests, &tests, err) < 0)
		return -1;
	bool only_tests = strcmp(tests.hex, site->proposed.hex) == 0;
	if ((only_tests ? gate_take(gate, &site->proposed, judged, err)
					: gate_judge(gate, &site->proposed, judged, err)) < 0)
		return -1;
	if (only_tests && gate->baseline->n_goal)
		judged->reason = "it changes tests alone, and what is to pass fails at the base";
	else if (only_tests)
		judged->kind = VERDICT_VERIFIED;
	return judged->kind == VERDICT_VERIFIED
		? proposal_judge_its_tests(gate, site, facts, judged, err)
		: 0;
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
	verdict_fill_facts(&verdict->facts, &judged, env->arena);
	struct verdict_facts *facts = &verdict->facts;
	facts->n_new = counted.n_new;
	facts->n_new_red = counted.n_new_red;
	facts->n_fixed += judged.comparison.n_also;
	facts->n_still_red = baseline->result.n_red + baseline->result.n_goal - facts->n_fixed;
	verdict_set_ending(verdict, &judged, NULL);
	if (verdict->ending.outcome == RUN_VERIFIED && !baseline->result.n_green && !facts->n_fixed)
		verdict->ending =
			(struct ending){true, RUN_NOT_VERIFIED, "no test passes, with it or without", NULL};
	if (verdict->ending.outcome == RUN_NOT_FIXED)
		verdict->ending.outcome = RUN_NOT_VERIFIED;
	if (verdict->ending.outcome == RUN_VERIFIED)
		verdict->ending.reason = proposal_words(facts, env->arena);
	verdict->ending.help = verdict_advice(env, site, &judged, &none, services);
	return verdict_settle(verdict, &judged, env, site, err);
}
