/* What no table can say of a scenario's sections. */
#include <string.h>

#include "agents/agent.h"
#include "base/pattern.h"
#include "chat/edit.h"
#include "run/scenario/scenario_check.h"

struct option_place check_place(const struct check *check, const char *section, const char *key)
{
	const char *path = check->scenario->path;
	const struct yaml_node *keys = check->root ? yaml_find(check->root, section) : NULL;
	const struct yaml_node *node = keys && keys->kind == YAML_MAP ? yaml_find(keys, key) : NULL;
	return node ? node->place : place_whole(path ? path : "team");
}

static void check_paths(const struct check *check, const char *section, const char *key,
	const struct option_texts *files)
{
	struct option_place place = check_place(check, section, key);
	struct rondo_error err;
	for (size_t i = 0; i < files->n; i++)
		if (edit_check_path(files->names[i], &err) < 0)
			problems_add(check->problems, place, "%s.%s: %s", section, key, err.message);
}

static void check_workspace(const struct check *check)
{
	const struct scenario_workspace *workspace = &check->scenario->workspace;
	struct option_place files = check_place(check, "workspace", "files"),
						copy = check_place(check, "workspace", "copy");
	if (workspace->copy && (workspace->repo || workspace->files.n))
		problems_add(check->problems, copy, "workspace.copy cannot stand beside workspace.%s",
			workspace->repo ? "repo" : "files");
	if (workspace->repo && workspace->files.n)
		problems_add(check->problems, files, "workspace.files cannot stand beside workspace.repo");
	check_paths(check, "workspace", "files", &workspace->files);
}

static void check_test(const struct check *check)
{
	const struct option_strings *patterns = &check->scenario->test.fail_output;
	struct option_place place = check_place(check, "test", "fail_output");
	struct rondo_error err;
	for (size_t i = 0; i < patterns->n; i++)
		if (pattern_check(patterns->items[i], &err) < 0)
			problems_add(check->problems, place, "test.fail_output: %s", err.message);
}

static void check_verify(const struct check *check)
{
	const struct scenario_verify *verify = &check->scenario->verify;
	struct option_place place =
		check_place(check, "verify", verify->hidden_copy ? "hidden_copy" : "hidden_files");
	check_paths(check, "verify", "hidden_files", &verify->hidden_files);
	if (!verify->hidden && (verify->hidden_files.n || verify->hidden_copy))
		problems_add(check->problems, place,
			"verify.%s is not used: it needs hidden: COMMAND beside it",
			verify->hidden_copy ? "hidden_copy" : "hidden_files");
}

static void check_output(const struct check *check)
{
	const struct scenario_output *output = &check->scenario->output;
	if (output->summary_model.name)
		check_model(check, &output->summary_model);
	if (output->summary_model.name && strcmp(output->summary, "model") != 0)
		problems_add(check->problems, output->summary_model.place,
			"summary_model is not asked: it needs summary: model beside it");
}

/* What is there but has no value, since a parameter lacks one, is there. */
static void check_task(const struct check *check)
{
	const struct yaml_node *root = check->root;
	bool has_suite = scenario_needs(check->scenario) & AGENT_NEEDS_SUITE;
	if (!root || has_suite || check->scenario->may_lack_task || check->scenario->task ||
		yaml_find(root, "task"))
		return;
	problems_add(check->problems, root->place,
		"the file needs 'task': what the chat begins with (or --task TEXT)");
}

void check_sections(const struct check *check)
{
	check_workspace(check);
	check_test(check);
	check_verify(check);
	check_output(check);
	check_task(check);
	check_executor(check);
}
