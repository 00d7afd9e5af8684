#include "run/verdict/verdict.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/publication.h"
#include "run/stages.h"

enum { TREES_MOST = 3 }; /* that are judged, of those that a tester passed */

static int verdict_enter(void *owner, const struct object *tree, const char *name,
	enum gate_place place, struct checkout *ret_checkout, struct rondo_error *err)
{
	const struct verdict_owner *it = owner;
	const struct world *worlds[] = {[GATE_BUILT] = &it->site->built,
		[GATE_AFRESH] = &it->site->world,
		[GATE_ELSEWHERE] = &it->site->moved};
	return site_checkout(it->site, it->env, worlds[place], name, tree, ret_checkout, err);
}

struct gate_settings verdict_settings(const struct run_env *env)
{
	const struct scenario_verify *verify = &env->order->scenario->verify;
	return (struct gate_settings){.repeat = verify->repeat,
		.all = verify->all,
		.sentinels = verify->sentinels,
		.counter_tests = verify->counter_tests,
		.clean_up = verify->clean_up,
		.checks = verify->checks.items,
		.n_checks = verify->checks.n,
		.hidden = verify->hidden,
		.hidden_files = &verify->hidden_files,
		.hidden_copy =
			verify->hidden_copy ? order_path(env->order->scenario, verify->hidden_copy) : NULL,
		.log_dir = env->paths.logs};
}

struct gate verdict_gate(struct verdict_owner *owner, const struct baseline_stage *baseline,
	const struct gate_settings *settings)
{
	const struct site *site = owner->site;
	bool is_local = executor_sight(&owner->env->order->executor) == EXECUTOR_SEES_HOST;
	bool can_move = is_local || !site_is_bound(site);
	const char *elsewhere = is_local ? "at another path" : "at another path, as another user";
	return (struct gate){.repository = site->repository,
		.base = &site->base,
		.base_paths = site->paths.items,
		.n_base_paths = site->paths.n,
		.suite = baseline ? &baseline->suite : &site->suite,
		.baseline = baseline ? &baseline->result : NULL,
		.protection = &site->protection,
		.settings = settings,
		.enter = verdict_enter,
		.leave = site_leave,
		.owner = owner,
		.elsewhere = baseline && can_move ? elsewhere : NULL,
		.elsewhere_is_known = is_local, /* there each checkout is seen where it lies */
		.ctx = &owner->env->ctx,
		.arena = owner->env->arena};
}

/* --- What is judged --- */

static int verdict_tree(const struct run_env *env, const struct site *site, struct object *ret_tree,
	struct rondo_error *err)
{
	struct option_strings refused;
	if (site_tree(site, env->arena, ret_tree, &refused, err) < 0)
		return -1;
	for (size_t i = 0; i < refused.n && env->order->has_suite; i++) /* an executor has told them */
		if (env_notice(env, err, "left out of the fix: %s", refused.items[i]) < 0)
			return -1;
	return 0;
}

/* In this order: states that the tester found nothing wrong with, the best first; the main checkout
 * as it is where no tester has seen it; else the best that there were, of which one may hold in
 * part. */
static struct object *verdict_choose_trees(const struct run_env *env, const struct site *site,
	const struct states *states, const struct object *last, size_t *ret_n)
{
	size_t n_states;
	struct object *trees = NULL;
	const struct judged_state *best =
		states_best(states, site->repository, &site->base.tree, env->arena, &n_states);
	bool was_seen = strcmp(last->hex, site->base.tree.hex) == 0;
	*ret_n = 0;
	for (size_t i = 0; i < n_states; i++) {
		was_seen = was_seen || strcmp(best[i].tree.hex, last->hex) == 0;
		if (best[i].ok && *ret_n < TREES_MOST)
			ARENA_PUSH(env->arena, trees, *ret_n, best[i].tree);
	}
	if (!was_seen)
		ARENA_PUSH(env->arena, trees, *ret_n, *last);
	bool has_last = *ret_n;
	for (size_t i = 0; i < n_states && !has_last && *ret_n < TREES_MOST && best[i].groups; i++)
		ARENA_PUSH(env->arena, trees, *ret_n, best[i].tree);
	if (!*ret_n)
		ARENA_PUSH(env->arena, trees, *ret_n, n_states ? best[0].tree : *last);
	return trees;
}

/* The verdict on the first tree that is verified, else on the first of all. */
static int verdict_judge_best(struct gate *gate, const struct run_env *env,
	const struct object *trees, size_t n, const struct object *last, struct verdict *ret_verdict,
	struct rondo_error *err)
{
	*ret_verdict = (struct verdict){.kind = VERDICT_NOT_FIXED};
	for (size_t i = 0; i < n; i++) {
		struct verdict verdict;
		if (gate_judge(gate, &trees[i], &verdict, err) < 0)
			return -1;
		bool verified = verdict.kind == VERDICT_VERIFIED;
		if (i == 0 || verified)
			*ret_verdict = verdict;
		if (!verified)
			continue;
		if (strcmp(trees[i].hex, last->hex) == 0)
			return 0;
		return env_notice(env, err, "the best state that was seen is taken, which is not the last");
	}
	return 0;
}

/* --- What it changes --- */

/* A name that would not stay on its line stands in quotes, as git has it. */
static void stat_add_path(struct strbuf *sb, const char *path)
{
	bool is_plain = true;
	for (const char *at = path; *at && is_plain; at++)
		is_plain = (unsigned char)*at >= ' ' && *at != 0x7f && *at != '"' && *at != '\\';
	if (is_plain) {
		strbuf_adds(sb, path);
		return;
	}
	strbuf_addc(sb, '"');
	for (const char *at = path; *at; at++)
		if (*at == '"' || *at == '\\')
			strbuf_addf(sb, "\\%c", *at);
		else if (*at == '\n' || *at == '\t')
			strbuf_addf(sb, "\\%c", *at == '\n' ? 'n' : 't');
		else if ((unsigned char)*at < ' ' || *at == 0x7f)
			strbuf_addf(sb, "\\%03o", (unsigned char)*at);
		else
			strbuf_addc(sb, *at);
	strbuf_addc(sb, '"');
}

const char *verdict_stat(const struct diff *diff, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < diff->n; i++) {
		const struct change *change = &diff->changes[i];
		size_t lines = change->added + change->removed;
		strbuf_adds(&text, i ? "\n" : "");
		stat_add_path(&text, change->path);
		if (change->binary)
			strbuf_adds(&text, " | binary");
		else
			strbuf_addf(&text, " | %zu%s%.*s%.*s", lines, lines ? " " : "",
				(int)(change->added < 20 ? change->added : 20), "++++++++++++++++++++",
				(int)(change->removed < 20 ? change->removed : 20), "--------------------");
	}
	return arena_strdup(arena, text.text);
}

static size_t diff_lines(const struct diff *diff)
{
	size_t n = 0;
	for (size_t i = 0; i < diff->n; i++)
		n += diff->changes[i].added + diff->changes[i].removed;
	return n;
}

/* The difference is kept in the run's directory whatever comes of it. */
int verdict_keep_change(struct verdict_stage *verdict, const struct run_env *env,
	const struct site *site, struct rondo_error *err)
{
	struct diff diff;
	if (repository_diff(
			site->repository, &site->base.tree, &verdict->tree, env->arena, &diff, err) < 0)
		return -1;
	verdict->is_changed = diff.n;
	if (!diff.n)
		return 0;
	verdict->change = (struct run_change){.stat = verdict_stat(&diff, env->arena),
		.patch = diff.patch,
		.patch_length = diff.patch_length,
		.n_lines = diff_lines(&diff),
		.path = arena_printf(env->arena, "%s/patch.diff", env->paths.dir)};
	return file_write(verdict->change.path, diff.patch, diff.patch_length, 0600, err);
}

int verdict_keep_unjudged(struct verdict_stage *verdict, const struct run_env *env,
	const struct site *site, const struct baseline_stage *baseline, struct rondo_error *err)
{
	struct verdict_owner owner = {env, site};
	struct gate_settings settings = verdict_settings(env);
	struct gate gate = verdict_gate(&owner, baseline, &settings);
	struct verdict judged = {.kind = VERDICT_NOT_FIXED};
	if (verdict_tree(env, site, &verdict->tree, err) < 0)
		return -1;
	if (env->order->has_suite) {
		if (gate_take(&gate, &verdict->tree, &judged, err) < 0)
			return -1;
		verdict->tree = judged.tree;
	}
	return verdict_keep_change(verdict, env, site, err);
}

/* --- What it says --- */

/* Copies: ids of tests lie with the reports of the baseline, which go before. */
static struct option_strings verdict_texts(const char *const *items, size_t n, struct arena *arena)
{
	struct option_strings texts = {0};
	for (size_t i = 0; i < n; i++)
		ARENA_PUSH(arena, texts.items, texts.n, arena_strdup(arena, items[i]));
	return texts;
}

void verdict_fill_facts(
	struct verdict_facts *facts, const struct verdict *judged, struct arena *arena)
{
	const struct test_report *report = &judged->report;
	facts->has_counts = report->n > 0;
	facts->n_passed = report->count[TEST_PASSED] + report->count[TEST_XFAILED];
	facts->n_tests = report->n - report->count[TEST_SKIPPED];
	facts->n_fixed = judged->comparison.n_fixed;
	for (size_t i = 0; i < judged->n_findings; i++)
		ARENA_PUSH(arena, facts->findings.items, facts->findings.n,
			finding_describe(&judged->findings[i], arena));
	facts->unfixed = verdict_texts(judged->unfixed, judged->n_unfixed, arena);
	facts->left_out = verdict_texts(judged->left_out, judged->n_left_out, arena);
	facts->dropped = verdict_texts(judged->dropped, judged->n_dropped, arena);
	facts->evidence = verdict_texts(judged->evidence, judged->n_evidence, arena);
	facts->sentinels_held = judged->sentinels_held;
	facts->n_counter_tests = judged->n_counter_tests;
}

void verdict_set_ending(
	struct verdict_stage *verdict, const struct verdict *judged, const char *stop_reason)
{
	static const enum run_outcome outcomes[] = {[VERDICT_NOT_FIXED] = RUN_NOT_FIXED,
		[VERDICT_REFUSED] = RUN_REFUSED,
		[VERDICT_VERIFIED] = RUN_VERIFIED};
	struct ending *ending = &verdict->ending;
	*ending = (struct ending){true, outcomes[judged->kind], judged->reason, NULL};
	if (ending->outcome == RUN_VERIFIED && judged->n_unfixed)
		ending->outcome = RUN_VERIFIED_IN_PART;
	if (!ending->reason && ending->outcome != RUN_VERIFIED)
		ending->reason = stop_reason;
}

static int verdict_record(const struct verdict_stage *verdict, const struct verdict *judged,
	const struct run_env *env, struct rondo_error *err)
{
	const struct verdict_facts *facts = &verdict->facts;
	const struct ending *ending = &verdict->ending;
	AUTO_JSON *json = json_object();
	json_add_string(json, "outcome", run_outcome_word(ending->outcome));
	json_add_string(json, "tree", verdict->tree.hex);
	if (facts->has_counts) {
		json_add_int(json, "passed", (int64_t)facts->n_passed);
		json_add_int(json, "tests", (int64_t)facts->n_tests);
	}
	json_add_strings(json, "fixed", judged->comparison.fixed, judged->comparison.n_fixed);
	json_add_strings(json, "unfixed", facts->unfixed.items, facts->unfixed.n);
	json_add_strings(json, "left_out", facts->left_out.items, facts->left_out.n);
	json_add_strings(json, "findings", facts->findings.items, facts->findings.n);
	json_add_strings(json, "dropped", facts->dropped.items, facts->dropped.n);
	json_add_strings(json, "evidence", facts->evidence.items, facts->evidence.n);
	AUTO_FREE char *data = json_print(json);
	const char *reason = ending->reason ? ending->reason : "verified in fresh checkouts";
	return context_event(&env->ctx,
		&(struct rondo_event){.type = RONDO_EVENT_VERDICT, .text = reason, .data = data}, err);
}

int verdict_settle(struct verdict_stage *verdict, const struct verdict *judged,
	const struct run_env *env, const struct site *site, struct rondo_error *err)
{
	if (judged->report.log &&
		publication_junit(env, site->facts.name, "after", &judged->report, err) < 0)
		return -1;
	return verdict_record(verdict, judged, env, err);
}

int verdict_reach(struct verdict_stage *verdict, const struct run_env *env, const struct site *site,
	const struct baseline_stage *baseline, const struct states *states,
	const struct talk_facts *talk, const struct agent_services *services, struct rondo_error *err)
{
	size_t n;
	struct object last;
	struct verdict judged;
	struct verdict_owner owner = {env, site};
	struct gate_settings settings = verdict_settings(env);
	struct gate gate = verdict_gate(&owner, baseline, &settings);
	settings.suite_timeout_ms = services->suite_timeout_ms;
	settings.afresh_timeout_ms = services_afresh_ms(services, env);
	if (verdict_tree(env, site, &last, err) < 0)
		return -1;
	const struct object *trees = verdict_choose_trees(env, site, states, &last, &n);
	if (verdict_judge_best(&gate, env, trees, n, &last, &judged, err) < 0)
		return -1;
	verdict->tree = judged.tree;
	if (verdict_keep_change(verdict, env, site, err) < 0)
		return -1;
	verdict_fill_facts(&verdict->facts, &judged, env->arena);
	verdict_set_ending(verdict, &judged, talk->stop_reason);
	verdict->ending.help = verdict_advice(env, site, &judged, &talk->search, services);
	return verdict_settle(verdict, &judged, env, site, err);
}
