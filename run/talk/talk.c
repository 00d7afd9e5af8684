#include "run/talk/talk.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "chat/message.h"
#include "run/journal/history.h"
#include "termination/termination.h"

#define EARLY 300         /* of what is found among so many candidates nearly all is right */
#define TESTS_ENOUGH 10   /* fewer let a wrong edit pass too often */
#define MUTANTS_NOTICED 8 /* where one in so many passes, the tests do not look closely */

/* --- The task --- */

/* Where a suite is to become green, and the scenario says nothing else. */
static const char *talk_default_task(const struct site *site, const struct baseline_stage *baseline,
	bool is_workspace, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (site->suite.program)
		strbuf_addf(&text, "Make the assertions of %s hold:", site->suite.program);
	else if (is_workspace)
		strbuf_addf(&text, "Make the failing tests pass (%s):", suite_shown(&site->suite));
	else
		strbuf_addf(&text, "Make the failing tests of %s pass (%s):", site->facts.name,
			suite_shown(&site->suite));
	for (size_t i = 0; i < baseline->facts.n_goal; i++)
		strbuf_addf(&text, "\n%s", baseline->facts.goal[i].id);
	return arena_strdup(arena, text.text);
}

/* The task says what is wanted, and carries what fails at the base. Where something was said
 * before, there may be none. */
static bool talk_task(const struct run_env *env, const struct site *site,
	const struct baseline_stage *baseline, const struct team *team, const char *wanted,
	struct arena *arena, struct rondo_message *ret_task)
{
	bool is_first = team->thread.n == 0;
	const char *task = wanted || !is_first ? wanted : env->order->scenario->task;
	*ret_task =
		(struct rondo_message){.type = RONDO_MESSAGE_TEXT, .source = "user", .content = task};
	if (!env->order->has_suite || !is_first)
		return task;
	if (!task)
		ret_task->content = talk_default_task(site, baseline, !env->order->path, arena);
	AUTO_JSON *report = test_report_to_brief_json(&baseline->reports[0]);
	AUTO_FREE char *data = json_print(report);
	ret_task->data = arena_strdup(arena, data);
	return true;
}

/* --- What was said --- */

/* How far the best state got, as the tester said it. */
static void talk_add_report(struct talk_facts *facts, const struct rondo_message *message)
{
	size_t fixed = json_count(json_get(message_data(message), "fixed"));
	if (fixed > facts->n_fixed)
		facts->n_fixed = fixed;
}

/* What the coder without a model tried before it said this. */
static void talk_add_search(struct talk_facts *facts, const struct rondo_message *message)
{
	const struct json *json = json_get(message_data(message), "search");
	struct run_search *search = &facts->search;
	size_t fixed = (size_t)json_int(json, "fixed", 0);
	search->n_tried += (size_t)json_int(json, "tried", 0);
	search->ms += json_int(json, "ms", 0);
	search->warm = json_bool(json, "warm", search->warm);
	if (fixed > facts->n_fixed)
		facts->n_fixed = fixed;
}

/* What an edit is worth at best. Of numbers, texts and conditions that pass, half are right. */
static const char *talk_most_confidence(const char *rank)
{
	static const struct {
		const char *rank, *confidence;
	} most[] = {{"operator", "high"}, {"structure", "high"}, {"special case", "low"},
		{"removal", "low"}, {"revert", "revert"}};
	for (size_t i = 0; i < ARRAY_SIZE(most); i++)
		if (strcmp(rank, most[i].rank) == 0)
			return most[i].confidence;
	return "medium";
}

/* That all tests pass is no proof: what else passes, and what such edits are worth. */
static const char *talk_confidence(const struct run_search *search, size_t n_tests)
{
	const char *most = talk_most_confidence(search->rank);
	bool is_strict =
		search->n_mutants && MUTANTS_NOTICED * search->n_unnoticed <= search->n_mutants;
	/* Two edits at once pass by chance sooner than one. */
	bool is_likely = is_strict && n_tests >= TESTS_ENOUGH && search->place <= EARLY &&
		!search->others.n && strcmp(search->kind, "pair") != 0;
	return strcmp(most, "high") == 0 && !is_likely ? "medium" : most;
}

/* A coder gives up, and says why. */
static void talk_set_end(
	struct talk_facts *facts, const struct rondo_message *message, struct arena *arena)
{
	const struct json *json = message_data(message);
	facts->stop_reason = arena_strndup(arena, message->content, strcspn(message->content, "\n"));
	facts->search.end = arena_strdup(arena, json_string(json, "end", NULL));
}

/* Why it took the edit that it proposes now. */
static void talk_set_choice(
	struct run_search *search, const struct json *choice, struct arena *arena)
{
	search->others = (struct option_strings){0};
	for (const struct json *item = json_first(json_get(choice, "others")); item;
		 item = json_next(item))
		ARENA_PUSH(arena, search->others.items, search->others.n,
			arena_strdup(arena, json_text(item, "")));
	search->kind = arena_strdup(arena, json_string(choice, "kind", NULL));
	search->rank = arena_strdup(arena, json_string(choice, "rank", NULL));
	search->place = (size_t)json_int(choice, "place", 0);
	search->share = (size_t)json_int(choice, "share", 0);
	search->n_mutants = (size_t)json_int(choice, "mutants", 0);
	search->n_unnoticed = (size_t)json_int(choice, "unnoticed", 0);
	search->choice = (size_t)json_int(choice, "choice", 1);
	search->n_asked = (size_t)json_int(choice, "asked", 0);
	search->n_alike = (size_t)json_int(choice, "alike", 0);
}

/* Its first line says what is changed; what a model said follows after an empty line. An edit that
 * only takes the last one back says nothing: the best state may still be the one that it left. */
static void talk_add_edit(
	struct talk_facts *facts, const struct rondo_message *message, struct arena *arena)
{
	const struct json *json = message_data(message);
	if (json_bool(json, "undo", false))
		return;
	const char *content = message->content, *gap = strstr(content, "\n\n");
	facts->what = arena_strndup(arena, content, strcspn(content, "\n"));
	facts->said = gap ? arena_strdup(arena, gap + 2) : NULL;
	ARENA_PUSH(arena, facts->edits.items, facts->edits.n, facts->what);
	talk_set_choice(&facts->search, json_get(json, "choice"), arena);
}

/* The last edit that was proposed says what was wrong; the coder's last words say why it
 * stopped. */
static void talk_read_messages(
	struct talk_facts *facts, const struct team *team, struct arena *arena)
{
	struct message_span said = message_thread_since(&team->thread, team->progress.first);
	facts->last_exit_code = -1;
	for (size_t i = 0; i < said.n; i++) {
		const struct rondo_message *message = said.messages[i];
		talk_add_search(facts, message);
		if (message->type == RONDO_MESSAGE_TEST_REPORT)
			talk_add_report(facts, message);
		if (message->type == RONDO_MESSAGE_CODE_EXECUTION && message_data(message))
			facts->last_exit_code = (int)json_int(message_data(message), "exit_code", -1);
		if (message->type == RONDO_MESSAGE_EDIT)
			talk_add_edit(facts, message, arena);
		if (message->type == RONDO_MESSAGE_STOP)
			talk_set_end(facts, message, arena);
	}
	facts->turns = team->progress.counted_turns;
	facts->stop.n_messages = team->thread.n - team->progress.first;
	facts->stop.n_rounds = ((size_t)team->progress.turn + team->n - 1) / team->n;
}

/* --- Why it stopped --- */

static const char *talk_describe_stop(const struct run_stop *stop, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&text, "by %s", stop->condition);
	if (stop->stop_kind != RONDO_STOP_SUCCESS)
		strbuf_addf(&text, " (%s)", stop_kind_word(stop->stop_kind));
	if (stop->message)
		strbuf_addf(&text, " at message %" PRId64 " of %s", stop->message, stop->source);
	strbuf_addf(&text, ", after %zu message%s in %zu round%s", stop->n_messages,
		stop->n_messages == 1 ? "" : "s", stop->n_rounds, stop->n_rounds == 1 ? "" : "s");
	return arena_strdup(arena, text.text);
}

static void talk_set_stop(
	struct run_stop *stop, const struct rondo_task_result *result, struct arena *arena)
{
	const struct rondo_message *message = result->stop_message;
	stop->stop_kind = result->stop_kind;
	stop->left_unexecuted = result->left_unexecuted;
	stop->condition = arena_strdup(arena, result->stop_condition);
	if (message) {
		stop->message = message->id;
		stop->source = arena_strdup(arena, message->source);
	}
	stop->text = talk_describe_stop(stop, arena);
}

/* With a suite the gate says whether this is what was wanted; without one the chat's own end
 * does. */
static void talk_set_ending(struct talk *talk, bool has_suite)
{
	enum run_outcome outcome =
		talk->facts.stop.stop_kind == RONDO_STOP_SUCCESS ? RUN_DONE : RUN_STOPPED;
	if (!has_suite)
		talk->ending = (struct ending){true, outcome, talk->facts.stop_reason, NULL};
}

void talk_cut_off(struct talk *talk, const struct run_env *env)
{
	talk->facts.stop_reason = arena_printf(
		env->arena, "the time limit of the run is over (%s)", env_limit(env, "time", "1h"));
	talk->facts.stop.condition = "time_limit";
	talk->facts.stop.text = "by time_limit (limit)";
	talk->facts.stop.stop_kind = RONDO_STOP_LIMIT;
	talk_set_ending(talk, env->order->has_suite);
}

/* --- The talk --- */

int talk_run(struct talk *talk, const struct run_env *env, const struct site *site,
	const struct baseline_stage *baseline, struct components *components,
	const struct talk_order *wanted, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct team *team = components->team;
	struct rondo_message message;
	const struct rondo_message *task = &message;
	size_t n = 0;
	if (!wanted->continues)
		n = talk_task(env, site, baseline, team, wanted->task, &arena, &message);
	int status = wanted->continues
		? team_resume(team, &talk->result, &env->ctx, err)
		: team_run(team, (struct message_span){&task, n}, &talk->result, &env->ctx, err);
	talk_read_messages(&talk->facts, team, env->arena);
	struct run_search *search = &talk->facts.search;
	search->confidence = search->kind && search->rank
		? talk_confidence(search, baseline ? baseline->facts.n_tests : 0)
		: NULL;
	if (status < 0)
		return -1;
	if (!talk->facts.stop_reason)
		talk->facts.stop_reason = arena_strdup(env->arena, talk->result.stop_reason);
	talk_set_stop(&talk->facts.stop, &talk->result, env->arena);
	talk_set_ending(talk, env->order->has_suite);
	return 0;
}
