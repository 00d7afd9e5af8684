/* What a turn costs beside what agents do: three that say 200 bytes each, in a round, with the
 * journal of a run; and what it costs to take such a journal up again. */
#include "run/journal/history.h"
#include "run/journal/journal.h"
#include "tests/bench/bench.h"

static int say(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	(void)unseen, (void)ctx, (void)err;
	response->message = (struct rondo_message){
		.type = RONDO_MESSAGE_TEXT, .content = arena_printf(arena, "%s: %0190d", agent->name, 7)};
	return 0;
}

static int record(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	return journal_append(owner, event, NULL, err);
}

static struct team *new_team(struct agent *const *agents, size_t n, int turns)
{
	struct rondo_error err;
	struct team *team;
	bench_must(team_new(&round_robin_team, agents, n, &(struct team_rules){.max_turns = turns},
				   &team, &err),
		&err);
	return team;
}

/* Microseconds of a run. Its journal stays in the directory. */
static int64_t run_team(struct agent *const *agents, size_t n, int turns, const char *dir)
{
	struct rondo_error err;
	struct rondo_task_result result;
	struct journal journal;
	struct team *team = new_team(agents, n, turns);
	const struct rondo_message *task =
		&(struct rondo_message){.type = RONDO_MESSAGE_TEXT, .source = "user", .content = "go"};
	bench_must(file_remove_tree(dir, &err), &err);
	bench_must(file_make_dir(dir, 0700, &err), &err);
	bench_must(journal_lock(&journal, dir, &err), &err);
	bench_must(journal_create(&journal, dir, "20261121-101500-0000", &err), &err);
	const struct context ctx = {.record = {record, &journal}};
	bench_must(journal_append(&journal,
				   &(struct rondo_event){.type = RONDO_EVENT_RUN_START, .data = "{}"}, NULL, &err),
		&err);
	int64_t start = clock_now_us();
	bench_must(team_run(team, (struct message_span){&task, 1}, &result, &ctx, &err), &err);
	int64_t spent = clock_now_us() - start;
	team_free(team);
	journal_close(&journal);
	return spent;
}

/* Microseconds to take up what the journal in the directory holds. */
static int64_t take_up(struct agent *const *agents, size_t n, const char *dir)
{
	struct rondo_error err;
	AUTO_ARENA arena = ARENA_INIT;
	struct history history;
	struct tally tally = {.arena = &arena};
	struct states states = {.arena = &arena};
	struct components components = {.team = new_team(agents, n, 1)};
	int64_t start = clock_now_us();
	bench_must(history_read(&history, dir, &err), &err);
	bench_must(history_recall(&history, &components, &tally, &states, &err), &err);
	int64_t spent = clock_now_us() - start;
	history_release(&history);
	team_free(components.team);
	return spent;
}

int main(void)
{
	static const struct agent_type type = {.name = "bench", .on_messages = say};
	static const struct {
		int turns;
		size_t runs;
	} sizes[] = {{30, 301}, {1000, 21}, {10000, 5}};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	double each[ARRAY_SIZE(sizes)];
	int64_t times[301];
	const struct agent_services services = {.main_checkout = NULL};
	struct agent *agents[] = {agent_new(&type, "coder", NULL, &services),
		agent_new(&type, "executor", NULL, &services), agent_new(&type, "tester", NULL, &services)};
	const char *dir = bench_directory(&arena);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (size_t run = 0; run < sizes[i].runs; run++)
			times[run] = run_team(agents, ARRAY_SIZE(agents), sizes[i].turns, dir);
		each[i] = (double)bench_median(times, sizes[i].runs) / sizes[i].turns;
		printf("turns: %6d in a run: %5.1f us each\n", sizes[i].turns, each[i]);
	}
	printf("turns: ratio of %d to %d: %.2f\n", sizes[2].turns, sizes[0].turns, each[2] / each[0]);
	for (size_t run = 0; run < 5; run++)
		times[run] = take_up(agents, ARRAY_SIZE(agents), dir);
	printf("turns: a journal of %d is taken up in %.0f ms\n", sizes[2].turns,
		(double)bench_median(times, 5) / 1000);
	for (size_t i = 0; i < ARRAY_SIZE(agents); i++)
		agent_free(agents[i]);
	bench_must(file_remove_tree(dir, &err), &err);
	return 0;
}
