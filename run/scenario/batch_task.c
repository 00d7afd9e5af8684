/* The keys of a task, with the words that data sets of bugs have for them. */
#include "run/scenario/batch_task.h"

#define AT(member) offsetof(struct batch_task, member)

static const char *const name_aliases[] = {"id", "instance_id", NULL};
static const char *const repository_aliases[] = {"repo", "path", NULL};
static const char *const commit_aliases[] = {"base_commit", NULL};
static const char *const test_aliases[] = {"test_command", "test_cmd", NULL};
static const char *const goal_aliases[] = {"FAIL_TO_PASS", NULL};
static const char *const keep_aliases[] = {"PASS_TO_PASS", NULL};
static const char *const task_aliases[] = {"problem_statement", NULL};

const struct option batch_task_options[] = {
	OPTION("name", STRING, AT(name), "its name among the others; else that of the repository",
		.aliases = name_aliases),
	OPTION("repository", STRING, AT(repository), "a git checkout", .main = true,
		.aliases = repository_aliases),
	OPTION("commit", STRING, AT(commit), "a revision to work on, in place of what is checked out",
		.aliases = commit_aliases),
	OPTION("test_patch", STRING, AT(test_patch),
		"the text of a patch that is applied before the tests are run", .from_file = true),
	OPTION("test", STRING, AT(test), "the test command; else it is found", .aliases = test_aliases),
	OPTION("goal", STRINGS, AT(goal),
		"only the failing tests whose id contains or matches one of these",
		.aliases = goal_aliases),
	OPTION("keep", STRINGS, AT(keep),
		"tests that pass and must still pass: the gate demands it of all, named or not",
		.aliases = keep_aliases),
	OPTION("task", STRING, AT(task), "what the chat begins with", .from_file = true,
		.aliases = task_aliases),
	OPTION("setup", STRINGS, AT(setup), "what installs what the tests need"),
	OPTION("model", STRING, AT(model), "the model that rondo fix may ask"),
	OPTION("coder", STRING, AT(coder), "as of rondo fix --coder"),
	OPTION("branch", STRING, AT(branch), "the branch to make; else rondo/<run>"),
	OPTION("limits", TEXTS, AT(limits), "limits by name: {time: 10m, cost: 1}"),
	OPTION("parameters", TEXTS, AT(parameters), "values of the scenario's parameters by name"),
	OPTION("set", TEXTS, AT(set),
		"any other keys of the configuration or of the scenario: "
		"{executor.memory: 4G}"),
	OPTION_END,
};

static struct option_type batch_task_type(size_t i)
{
	if (i)
		return (struct option_type){0};
	return (struct option_type){.name = "task",
		.summary = "one of many: what it works on, and what is other there than in the rest",
		.options = batch_task_options,
		.state_size = sizeof(struct batch_task)};
}

const struct option_family batch_task_family = {.noun = "task", .type = batch_task_type};
