/*
 * A run that broke off: from what it had recorded by then, at any point, another team goes on to
 * the same end. The record is cut behind every event, and what the second team records in its turn
 * is as good as the rest of the first.
 */
#include "tests/unit/team_fixture.h"

/* A team, and what is run in it: tasks in their order, NULL for none. */
struct play {
	struct team *(*make)(void);
	const char *const *tasks;
	size_t n;
};

struct ends {
	struct rondo_task_result result[4];
	const char *said[4];
	size_t recorded[4], n; /* of the record, when it had ended */
};

static void perform(const struct play *play, struct record *record, struct ends *ends)
{
	struct rondo_error err;
	struct context ctx = recording(record);
	struct team *team = play->make();
	for (size_t i = 0; i < play->n; i++) {
		assert_int_equal(run_in(team, play->tasks[i], &ends->result[i], &ctx, &err), 0);
		ends->said[i] = transcript(&ends->result[i]);
		ends->recorded[i] = record->n;
		ends->n++;
	}
}

static void expect_end(const struct ends *ends, size_t i, const struct rondo_task_result *result)
{
	expect_said(result, ends->said[i]);
	assert_string_equal(result->stop_reason, ends->result[i].stop_reason);
	assert_string_equal(result->stop_condition, ends->result[i].stop_condition);
	assert_int_equal(result->stop_kind, ends->result[i].stop_kind);
	assert_int_equal(result->left_unexecuted, ends->result[i].left_unexecuted);
	assert_int_equal(result->usage.prompt_tokens, ends->result[i].usage.prompt_tokens);
	assert_int_equal(!result->stop_message, !ends->result[i].stop_message);
	if (result->stop_message)
		assert_int_equal(result->stop_message->id, ends->result[i].stop_message->id);
}

/* The run that goes on at the cut ends as it did, and so do those that follow. */
static void cut_at(
	const struct play *play, const struct record *record, const struct ends *ends, size_t cut)
{
	struct rondo_error err;
	struct rondo_task_result result;
	AUTO_RECORD later = {.n = 0};
	struct context ctx = recording(&later);
	struct team *team = play->make(), *third = play->make();
	size_t which = 0;
	while (cut > ends->recorded[which])
		which++;
	recall(team, record, 0, cut);
	assert_int_equal(team_resume(team, &result, &ctx, &err), 0);
	expect_end(ends, which, &result);
	recall(third, record, 0, cut);
	recall(third, &later, 0, later.n);
	assert_int_equal(team_resume(third, &result, &(struct context){0}, &err), 0);
	expect_end(ends, which, &result);
	for (size_t i = which + 1; i < play->n; i++) {
		result = run(team, play->tasks[i]);
		expect_end(ends, i, &result);
	}
}

/* From the whole task on: what is not recorded before, nobody was told. */
static void cut_everywhere(const struct play *play)
{
	AUTO_RECORD record = {.n = 0};
	struct ends ends = {.n = 0};
	perform(play, &record, &ends);
	for (size_t cut = 1; cut <= record.n; cut++)
		cut_at(play, &record, &ends, cut);
}

static struct team *talkers(void)
{
	return team_of(&(struct team_rules){.termination = after_messages(9)},
		LINES("a1", "-", "a3", "?", "%", "a6", "."), LINES("-", "b2", ".", "b4"),
		LINES("?", "c2", "-", "c4", "c5"), NULL);
}

static void a_talk(void **state)
{
	(void)state;
	cut_everywhere(&(struct play){.make = talkers, .tasks = LINES("task"), .n = 1});
}

static void runs_one_after_the_other(void **state)
{
	(void)state;
	const char *tasks[] = {"task", NULL, "another"};
	cut_everywhere(&(struct play){.make = talkers, .tasks = tasks, .n = 3});
}

static struct team *silent(void)
{
	return team_of(
		&(struct team_rules){.max_turns = 9}, LINES("a1", "-"), LINES("-", "b2"), LINES("-"), NULL);
}

static void silence(void **state)
{
	(void)state;
	cut_everywhere(&(struct play){.make = silent, .tasks = LINES("task"), .n = 1});
}

static struct team *proposing(void)
{
	return team_of(&(struct team_rules){.max_turns = 3}, LINES("a1", "=code"), LINES("b1"),
		LINES("+"), LINES("+"));
}

static struct team *proposing_in_vain(void)
{
	return team_of(&(struct team_rules){.max_turns = 3, .no_grace = true}, LINES("a1", "=code"),
		LINES("b1"), LINES("+"), NULL);
}

static struct team *proposing_with_the_word(void)
{
	return team_of(&(struct team_rules){.termination = on_word("TERMINATE")},
		LINES("a1", "=code TERMINATE"), LINES("+"), NULL, NULL);
}

static void executions_in_grace(void **state)
{
	(void)state;
	cut_everywhere(&(struct play){.make = proposing, .tasks = LINES("task", "more"), .n = 2});
	cut_everywhere(&(struct play){.make = proposing_in_vain, .tasks = LINES("task"), .n = 1});
	cut_everywhere(&(struct play){.make = proposing_with_the_word, .tasks = LINES("task"), .n = 1});
}

static struct team *failing(void)
{
	return team_of(&(struct team_rules){.termination = after_messages(5)}, LINES("a1", "a2", "a3"),
		LINES("b1", "!", "b3", "b4"), NULL, NULL);
}

/* The run that failed left no end in the record. What follows is a run of its own. */
static void a_run_after_one_that_failed(void **state)
{
	(void)state;
	AUTO_RECORD record = {.n = 0};
	struct rondo_error err;
	struct rondo_task_result result, recalled;
	struct context ctx = recording(&record);
	struct team *team = failing();
	assert_int_equal(run_in(team, "task", &result, &ctx, &err), -1);
	assert_int_equal(run_in(team, "again", &result, &ctx, &err), 0);
	struct team *other = failing();
	recall(other, &record, 0, record.n);
	assert_int_equal(team_resume(other, &recalled, &(struct context){0}, &err), 0);
	expect_said(&recalled, transcript(&result));
	assert_string_equal(recalled.stop_reason, result.stop_reason);
	expect_said(&recalled, "user: again; b: b3; a: a3; b: b4; ");
}

/* A condition whose time is over a while after the start, and the turn that it cuts short. What
 * comes before that turn takes less, on a busy machine, too. */
enum { HURRY_MS = 700 };

struct hurry {
	int64_t deadline_ms;
};

static void start_hurry(struct termination *termination)
{
	((struct hurry *)termination->state)->deadline_ms = clock_now_ms() + HURRY_MS;
}

static int64_t deadline_of(const struct termination *termination)
{
	return ((const struct hurry *)termination->state)->deadline_ms;
}

static int check_hurry(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err, (void)delta;
	snprintf(reason->text, sizeof reason->text, "time is over");
	return clock_now_ms() >= deadline_of(termination);
}

static const struct termination_type hurry_termination = {.name = "hurry",
	.summary = "so much time",
	.stop_kind = RONDO_STOP_LIMIT,
	.state_size = sizeof(struct hurry),
	.start = start_hurry,
	.check = check_hurry,
	.deadline = deadline_of};

static struct team *hurried(void)
{
	struct termination *termination = termination_new(&arena, &hurry_termination, NULL, NULL, NULL);
	return team_of(&(struct team_rules){.termination = termination}, LINES("=code"), LINES("~"),
		LINES("+"), NULL);
}

/* Whoever was cut short is next; what was proposed stays undone, also where the record ends before
 * that is told. */
static void a_turn_that_was_cut_short(void **state)
{
	(void)state;
	cut_everywhere(&(struct play){.make = hurried, .tasks = LINES("task"), .n = 1});
	struct rondo_task_result result = run(hurried(), "task");
	expect_said(&result, "user: task; a: =code; ");
	assert_true(result.left_unexecuted);
	assert_string_equal(result.stop_reason, "time is over");
}

/* A team that tells all that was said in it, in a team that tells the last. */
static struct team *nested(void)
{
	struct agent *deep[] = {scripted_agent("x", LINES("x1", "x2", "%", "x4")),
		scripted_agent("y", LINES("y1", "-", "%"))};
	struct team *inner = team_with(deep, 2, &(struct team_rules){.max_turns = 2});
	struct agent *middle[] = {
		team_agent_of("inner", inner, "all"), scripted_agent("z", LINES("z1", "%"))};
	struct team *other = team_with(middle, 2, &(struct team_rules){.max_turns = 2});
	struct agent *echoes[] = {
		scripted_agent("k", LINES(".")), scripted_agent("l", LINES("l1", "%", "%"))};
	struct team *last = team_with(echoes, 2, &(struct team_rules){.max_turns = 3});
	struct agent *outer[] = {team_agent_of("middle", other, "last"),
		scripted_agent("b", LINES("b1", "b2", "b3")), team_agent_of("last", last, "all")};
	return team_with(outer, 3, &(struct team_rules){.termination = after_messages(12)});
}

static void a_team_within(void **state)
{
	(void)state;
	cut_everywhere(&(struct play){.make = nested, .tasks = LINES("task", "more"), .n = 2});
}

/* Three who speak as one: each is shown what those before it said, in their own words. */
static struct team *in_sequence(void)
{
	static const char *const names[] = {"x", "y", "z"};
	const char *const *lines[] = {
		LINES("x1", "x2", "#x has enough"), LINES("-"), LINES("*", "*", "#z has enough", "never")};
	struct option_specs *options = arena_alloc(&arena, sequence_agent.state_size);
	for (size_t i = 0; i < 3; i++) {
		struct option_spec spec = {.object = scripted_agent(names[i], lines[i])};
		inner_agents[n_inner_agents++] = spec.object;
		ARENA_PUSH(&arena, options->items, options->n, spec);
	}
	struct agent *agents[] = {agent_new(&sequence_agent, "one", options, NULL),
		scripted_agent("b", LINES("b1", "-", "b3", "*", "-", "b6"))};
	return team_with(agents, 2, &(struct team_rules){0});
}

static void a_sequence(void **state)
{
	(void)state;
	struct rondo_task_result result = run(in_sequence(), "task");
	assert_string_equal(result.messages[4]->content, "x #x has enough; y continues");
	assert_string_equal(
		result.messages[6]->content, "user=task,x=x1,b=b1,x=x2,x=#x has enough,b=b3,");
	assert_string_equal(result.messages[9]->content, "#z has enough");
	cut_everywhere(&(struct play){.make = in_sequence, .tasks = LINES("task", "more"), .n = 2});
}

/* --- The live run and the record apply the same --- */

struct pair {
	struct team *live, *other;
	bool has_cut; /* a turn is cut short: the script counts it as asked */
	size_t n;     /* events that were compared */
};

static const char *saved(struct team *team)
{
	AUTO_JSON *json = team_save(team, true);
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(&arena, text);
}

/* What happened is on the thread now: that of the answer which is being said waits no more. What
 * others say within a message is recalled with it. */
static void compare(void *owner, const struct rondo_event *event)
{
	struct pair *pair = owner;
	struct rondo_error err;
	AUTO_RECORD one = {.n = 0};
	const struct team_progress *live = &pair->live->progress, *other = &pair->other->progress;
	bool waits = pair->live->answer.waits;
	record_event(&one, event, &err);
	recall(pair->other, &one, 0, 1);
	if (event->team || team_is_within(event) || event->type == RONDO_EVENT_PROGRESS)
		return;
	pair->live->answer.waits = false;
	if (!pair->has_cut)
		assert_string_equal(saved(pair->other), saved(pair->live));
	pair->live->answer.waits = waits;
	assert_int_equal(other->phase, live->phase);
	assert_int_equal(other->passes, live->passes);
	assert_int_equal(other->turn, live->turn);
	assert_int_equal(other->counted_turns, live->counted_turns);
	assert_int_equal(other->first, live->first);
	assert_string_equal(other->stop.reason.text, live->stop.reason.text);
	assert_int_equal(other->stop.left_unexecuted, live->stop.left_unexecuted);
	pair->n++;
}

static void compare_all(const struct play *play, size_t least)
{
	struct rondo_error err;
	struct rondo_task_result result;
	struct pair pair = {
		.live = play->make(), .other = play->make(), .has_cut = play->make == hurried};
	struct context ctx = {.emit = {compare, &pair}};
	AUTO_RECORD record = {.n = 0};
	ctx.record = recording(&record).record;
	for (size_t i = 0; i < play->n; i++)
		assert_int_equal(run_in(pair.live, play->tasks[i], &result, &ctx, &err), 0);
	assert_true(pair.n >= least);
}

static void what_is_recalled_is_what_happened(void **state)
{
	(void)state;
	const char *tasks[] = {"task", NULL, "another"};
	compare_all(&(struct play){talkers, tasks, 3}, 40);
	compare_all(&(struct play){proposing, LINES("task", "more"), 2}, 20);
	compare_all(&(struct play){proposing_in_vain, LINES("task"), 1}, 8);
	compare_all(&(struct play){proposing_with_the_word, LINES("task"), 1}, 10);
	compare_all(&(struct play){silent, LINES("task"), 1}, 10);
	compare_all(&(struct play){hurried, LINES("task"), 1}, 6);
	compare_all(&(struct play){nested, LINES("task", "more"), 2}, 15);
	compare_all(&(struct play){in_sequence, LINES("task", "more"), 2}, 20);
}

/* --- A record that fails, as on a full disk, and then works --- */

struct faulty {
	struct record *record;
	size_t n, fails_at; /* events; from 0 */
};

static int record_or_fail(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	struct faulty *faulty = owner;
	if (faulty->n++ == faulty->fails_at)
		return error_set(err, RONDO_ERROR_TRANSIENT, "disk full");
	return record_event(faulty->record, event, err);
}

static const char *whole_thread(const struct team *team)
{
	return transcript(
		&(struct rondo_task_result){.messages = team->thread.messages, .n = team->thread.n});
}

/* The caller saves, and tries again until it works; the task where it was not said. */
static struct team *try_again(
	const struct play *play, const struct context *ctx, const char **ret_saved)
{
	struct rondo_error err;
	struct rondo_task_result result;
	struct team *team = play->make();
	assert_int_equal(run_in(team, "task", &result, ctx, &err), -1);
	assert_string_equal(strstr(err.message, "disk full"), "disk full");
	*ret_saved = team->thread.n ? saved(team) : NULL;
	assert_int_equal(run_in(team, team->thread.n ? NULL : "task", &result, ctx, &err), 0);
	return team;
}

/* The team of the record knows what the one knows that made it. */
static void expect_recalled(const struct play *play, const struct record *record, struct team *team)
{
	struct team *other = play->make();
	recall(other, record, 0, record->n);
	assert_string_equal(saved(other), saved(team));
}

/* What was saved between the tries is enough, too. */
static void expect_loaded(const struct play *play, const char *state, const char *said)
{
	struct rondo_error err;
	AUTO_JSON *json = json_parse(state, strlen(state), &err);
	struct team *team = play->make();
	assert_int_equal(team_load(team, json, &err), 0);
	run(team, NULL);
	assert_string_equal(whole_thread(team), said);
}

/* Whichever event cannot be recorded: nobody speaks twice, and nothing is lost. */
static void fail_everywhere(const struct play *play, bool is_nested)
{
	AUTO_RECORD record = {.n = 0};
	struct ends ends = {.n = 0};
	perform(play, &record, &ends);
	for (size_t i = 0; i < record.n; i++) {
		const char *state;
		AUTO_RECORD again = {.n = 0};
		struct faulty faulty = {.record = &again, .fails_at = i};
		struct context ctx = {.record = {record_or_fail, &faulty}};
		struct team *team = try_again(play, &ctx, &state);
		expect_recalled(play, &again, team);
		if (is_nested) /* a run within that failed is another run when it is tried again */
			continue;
		assert_string_equal(whole_thread(team), ends.said[0]);
		if (state)
			expect_loaded(play, state, ends.said[0]);
	}
}

static struct team *workers(void)
{
	struct team_rules rules = {.termination = on_word("TERMINATE")};
	return team_of(&rules, LINES("%", "=%", "-", "%", "TERMINATE"), LINES("-", "-", "%", "-", "-"),
		LINES("+", "+", "+", "+", "+"), NULL);
}

static void no_turn_is_lost_or_taken_twice(void **state)
{
	(void)state;
	fail_everywhere(&(struct play){workers, LINES("task"), 1}, false);
	fail_everywhere(&(struct play){in_sequence, LINES("task"), 1}, false);
	fail_everywhere(&(struct play){proposing_with_the_word, LINES("task"), 1}, false);
	fail_everywhere(&(struct play){nested, LINES("task"), 1}, true);
}

/* A condition that cannot be told once, and else waits for the word. */
static size_t n_looks, failing_look;

static int check_moody(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)termination, (void)ctx;
	bool found = false;
	if (n_looks++ == failing_look)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "not now");
	for (size_t i = 0; i < delta.n; i++)
		found = found || strcmp(delta.messages[i]->content, "TERMINATE") == 0;
	snprintf(reason->text, sizeof reason->text, "the word");
	return found;
}

static const struct termination_type moody_termination = {
	.name = "moody", .summary = "not always", .check = check_moody};

static struct team *moody_workers(void)
{
	struct termination *moody = termination_new(&arena, &moody_termination, NULL, NULL, NULL);
	struct team_rules rules = {.termination = moody};
	return team_of(&rules, LINES("%", "=%", "-", "%", "TERMINATE"), LINES("-", "-", "%", "-", "-"),
		LINES("+", "+", "+", "+", "+"), NULL);
}

/* A turn whose end was not recorded, as a condition could not be told. */
static void no_turn_is_lost_where_a_condition_fails(void **state)
{
	(void)state;
	struct play play = {moody_workers, LINES("task"), 1};
	struct rondo_error err;
	struct rondo_task_result result;
	for (failing_look = 0;; failing_look++) {
		AUTO_RECORD record = {.n = 0};
		struct context ctx = recording(&record);
		struct team *team = moody_workers();
		n_looks = 0;
		if (run_in(team, "task", &result, &ctx, &err) == 0)
			break;
		assert_int_equal(run_in(team, NULL, &result, &ctx, &err), 0);
		expect_recalled(&play, &record, team);
	}
	assert_int_equal(failing_look, n_looks);
	assert_true(n_looks > 10);
}

/* 8.9: states are small where little came to them, so a record grows with what was said. */
static void a_record_grows_by_what_was_said(void **state)
{
	(void)state;
	AUTO_RECORD record = {.n = 0};
	struct ends ends = {.n = 0};
	size_t first = 0, second = 0;
	perform(&(struct play){.make = nested, .tasks = LINES("task", "more"), .n = 2}, &record, &ends);
	for (size_t i = 0; i < record.n; i++) {
		AUTO_FREE char *text = json_print(record.events[i]);
		*(i < ends.recorded[0] ? &first : &second) += strlen(text);
	}
	assert_true(second < first * 3 / 2);
}

static void what_does_not_fit_is_refused(void **state)
{
	(void)state;
	struct rondo_error err;
	struct team *team = talkers();
	struct rondo_message message = {.source = "user", .content = "task"};
	assert_int_equal(
		team_recall(team, &(struct rondo_event){.type = RONDO_EVENT_MESSAGE}, &err), -1);
	assert_string_equal(err.message, "a message is missing in the record");
	assert_int_equal(
		team_recall(
			team, &(struct rondo_event){.type = RONDO_EVENT_MESSAGE, .message = &message}, &err),
		0);
	assert_int_equal(
		team_recall(team,
			&(struct rondo_event){.type = RONDO_EVENT_TURN_START, .turn = 1, .source = "z"}, &err),
		-1);
	assert_string_equal(err.message, "'z' speaks in the record, and is no participant here");
	assert_int_equal(
		team_recall(team,
			&(struct rondo_event){.type = RONDO_EVENT_TURN_START, .turn = 1, .source = "c"}, &err),
		-1);
	assert_string_equal(err.message, "'c' speaks in the record, where another one would here");
	struct rondo_event start = {.type = RONDO_EVENT_TURN_START, .turn = 1, .source = "a"};
	struct rondo_event said = {.type = RONDO_EVENT_MESSAGE, .turn = 1, .message = &message};
	assert_int_equal(team_recall(team, &start, &err), 0);
	assert_int_equal(team_recall(team, &said, &err), -1);
	assert_string_equal(err.message, "'user' speaks in the record, where another one would here");
	assert_int_equal(team->thread.n, 1);
	assert_int_equal(
		team_recall(team, &(struct rondo_event){.type = RONDO_EVENT_TURN_END, .data = "{"}, &err),
		-1);
	assert_int_equal(team_recall(team, &(struct rondo_event){.type = RONDO_EVENT_NOTICE}, &err), 0);
}

/* The end of a turn that never began: there is nothing to continue. */
static void an_end_without_a_run_is_skipped(void **state)
{
	(void)state;
	struct rondo_error err;
	struct rondo_task_result result;
	struct team *team = talkers();
	assert_int_equal(
		team_recall(team, &(struct rondo_event){.type = RONDO_EVENT_TURN_END, .turn = 2}, &err), 0);
	assert_int_equal(team_resume(team, &result, &(struct context){0}, &err), 0);
	assert_int_equal(result.n, 0);
}

UNIT(team_recall)
{
	const struct CMUnitTest tests[] = {
		TEAM_TEST(a_talk),
		TEAM_TEST(runs_one_after_the_other),
		TEAM_TEST(silence),
		TEAM_TEST(executions_in_grace),
		TEAM_TEST(a_run_after_one_that_failed),
		TEAM_TEST(a_turn_that_was_cut_short),
		TEAM_TEST(a_team_within),
		TEAM_TEST(a_sequence),
		TEAM_TEST(what_is_recalled_is_what_happened),
		TEAM_TEST(no_turn_is_lost_or_taken_twice),
		TEAM_TEST(no_turn_is_lost_where_a_condition_fails),
		TEAM_TEST(a_record_grows_by_what_was_said),
		TEAM_TEST(what_does_not_fit_is_refused),
		TEAM_TEST(an_end_without_a_run_is_skipped),
	};
	return RUN_TESTS(tests);
}
