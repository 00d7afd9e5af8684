/*
 * A coder and an executor take turns until the word DONE, at most ten turns.
 *
 *	cc round_robin.c $(pkg-config --cflags --libs rondo)
 *	OPENAI_API_KEY=... ./a.out openai/gpt-5-mini
 *
 * Without a model it says what was recorded. A second argument names the executor, such as local.
 */
#include <rondo.h>
#include <stdio.h>

static const char recorded[] =
	"provider: replay\n"
	"replies:\n"
	"  - |\n"
	"    ```python\n"
	"    a, b = 0, 1\n"
	"    for _ in range(10):\n"
	"        print(a, end=' ')\n"
	"        a, b = b, a + b\n"
	"    ```\n"
	"  - These are the first ten Fibonacci numbers. DONE\n";

static void print_message(void *owner, const struct rondo_event *event)
{
	(void)owner;
	if (event->type == RONDO_EVENT_MESSAGE)
		printf("---------- %s ----------\n%s\n", event->message->source, event->message->content);
}

/* args: the model and the executor, or fewer, and a NULL */
static int build(struct rondo_team *team, char **args, struct rondo_error *err)
{
	static const char coder[] = "{type: coder, model: recorded, edit_format: none, "
								"instructions: Say DONE when what Python printed is right.}";
	if (rondo_team_add_model(team, "recorded", recorded, err) < 0 ||
		rondo_team_add_agent(team, "coder", coder, err) < 0 ||
		rondo_team_add_agent(team, "executor", "executor", err) < 0 ||
		rondo_team_add_condition(team, "{text_mention: {text: DONE, sources: [coder]}}", err) < 0 ||
		rondo_team_set(team, "team.max_turns", "10", err) < 0 ||
		rondo_team_observe(team, print_message, NULL, err) < 0 ||
		(args[0] && rondo_team_set_text(team, "agents.coder.model", args[0], err) < 0))
		return -1;
	return args[0] && args[1] ? rondo_team_set_text(team, "executor.type", args[1], err) : 0;
}

int main(int argc, char **argv)
{
	struct rondo_error err;
	const struct rondo_result *result;
	struct rondo_team *team = rondo_team_new(&err);
	int status = team && argc ? build(team, argv + 1, &err) : -1;
	if (status == 0)
		status = rondo_team_run(team, "Print the first ten Fibonacci numbers.", &result, &err);
	if (status == 0)
		printf("stopped: %s\n", result->task->stop_reason);
	else
		fprintf(stderr, "%s\n", err.message);
	rondo_team_free(team);
	return status == 0 ? 0 : 1;
}
