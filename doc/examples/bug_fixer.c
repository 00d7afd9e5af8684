/*
 * A bug fixer with a model and a code executor without one take turns on a broken program until
 * its assertion holds; then: what was said, the cost, a summary, and how it ended.
 *
 *	cc bug_fixer.c $(pkg-config --cflags --libs rondo)
 *	OPENAI_API_KEY=... ./a.out openai/gpt-5-mini
 *
 * Without a model it says what was recorded. A second argument names the executor, such as local.
 */
#include <rondo.h>
#include <stdio.h>

#define PROGRAM(indent, one, other) \
	indent "```python\n" \
	indent "def largest_sum(numbers):\n" \
	indent "    best = current = numbers[0]\n" \
	indent "    for number in numbers[1:]:\n" \
	indent "        current = " one "(number, current + number)\n" \
	indent "        best = " other "(best, current)\n" \
	indent "    return best\n\n" \
	indent "assert largest_sum([1, -3, 4, -1, 2]) == 5, largest_sum([1, -3, 4, -1, 2])\n" \
	indent "```\n"

static const char words[] =
	"models:\n  recorded:\n    provider: replay\n    replies:\n"
	"      - |\n        The best is the larger one.\n" PROGRAM("        ", "min", "max")
	"      - |\n        And so is the current one.\n" PROGRAM("        ", "max", "max")
	"      - TERMINATE\n"
	"agents:\n"
	"  bug_fixer: {type: coder, model: recorded, edit_format: none, instructions: 'Post the\n"
	"    whole program in one fenced block. When its assertion holds, reply with TERMINATE.'}\n"
	"  code_executor: executor\n"
	"team: {participants: [bug_fixer, code_executor], max_turns: 8,\n"
	"  termination: {text_mention: {text: TERMINATE, sources: [bug_fixer]}}}\n"
	"executor: {type: sandbox, allow: [python, javascript, typescript, bash]}\n";

int main(int argc, char **argv)
{
	struct rondo_error err;
	const struct rondo_result *result;
	const char *task = "Correct this program:\n\n" PROGRAM("", "min", "min");
	struct rondo_team *team = rondo_team_new(&err);
	if (!team || rondo_team_set(team, NULL, words, &err) < 0 ||
		(argc > 1 && rondo_team_set_text(team, "agents.bug_fixer.model", argv[1], &err) < 0) ||
		(argc > 2 && rondo_team_set_text(team, "executor.type", argv[2], &err) < 0) ||
		rondo_team_run(team, task, &result, &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		rondo_team_free(team);
		return 1;
	}
	for (size_t i = 0; i < result->task->n; i++)
		printf("%s:\n%s\n\n", result->task->messages[i]->source,
			result->task->messages[i]->content);
	printf("tokens: %lld in, %lld out\n", (long long)result->task->usage.prompt_tokens,
		(long long)result->task->usage.completion_tokens);
	if (result->cost_usd >= 0)
		printf("cost: %.4f USD\n", result->cost_usd);
	printf("summary: %s\n%s: %s\n", result->summary, result->outcome, result->task->stop_reason);
	rondo_team_free(team);
	return 0;
}
