#include "agents/executor/execution.h"

#include <string.h>

#include "base/glob.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "executors/functions.h"

#define FILES_SHOWN 20

const char *const execution_replies[] = {"ag2", "autogen", NULL};

/* --- How results are worded --- */

static const char *execution_autogen_words(int exit_code, const char *output, struct arena *arena)
{
	if (!output[strspn(output, " \t\n\v\f\r")])
		return arena_printf(arena,
			"The script ran but produced no output to console. The POSIX exit code was: %d. If you "
			"were expecting output, "
			"consider revising the script to ensure content is printed to stdout.",
			exit_code);
	return exit_code ? arena_printf(arena,
						   "The script ran, then exited with an error (POSIX exit code: %d)\nIts "
						   "output was:\n%s",
						   exit_code, output)
					 : output;
}

const char *execution_nothing(const struct execution *execution)
{
	return strcmp(execution->reply, "autogen") != 0
		? NULL
		: "No code blocks found in the thread. Please provide at least one markdown-encoded code "
		  "block to execute "
		  "(i.e., quoting code in ```python or ```sh code blocks).";
}

struct rondo_message execution_message(
	const struct execution *execution, int exit_code, const char *output, struct arena *arena)
{
	bool as_autogen = strcmp(execution->reply, "autogen") == 0;
	return (struct rondo_message){.type = RONDO_MESSAGE_CODE_EXECUTION,
		.data = arena_printf(arena, "{\"exit_code\":%d}", exit_code),
		.content = as_autogen ? execution_autogen_words(exit_code, output, arena)
							  : arena_printf(arena, "exitcode: %d (execution %s)\nCode output: %s",
									exit_code, exit_code ? "failed" : "succeeded", output)};
}

/* --- What became of the tree --- */

struct tree_change {
	const char **kept, **undone, **refused; /* paths; refused ones with why */
	size_t n_kept, n_undone, n_refused;
};

struct rules_pair {
	const struct option_strings *paths[2]; /* the executor's and the agent's */
};

static bool execution_may_change(const struct option_strings *globs, const char *path)
{
	for (size_t i = 0; i < globs->n; i++)
		if (glob_matches(globs->items[i], path))
			return true;
	return globs->n == 0;
}

static bool execution_is_outside(void *owner, const char *path)
{
	const struct rules_pair *pair = owner;
	return !execution_may_change(pair->paths[0], path) ||
		!execution_may_change(pair->paths[1], path);
}

/* The tree that the main checkout holds now. */
static int execution_read_tree(const struct agent_services *services, struct arena *arena,
	struct object *ret_tree, struct tree_change *change, struct rondo_error *err)
{
	return worktree_tree(services->main_checkout->worktree, services->leave_out,
		services->n_leave_out, arena, ret_tree, &change->refused, &change->n_refused, err);
}

/* What lies where nothing may change goes back to what it was. */
static int execution_put_back(const struct agent_services *services, struct rules_pair *pair,
	const struct object *before, const struct object *after, struct tree_change *change,
	struct rondo_error *err)
{
	struct object allowed;
	if (!change->n_undone)
		return 0;
	if (repository_merge_tree(
			services->repository, before, after, execution_is_outside, pair, &allowed, err) < 0)
		return -1;
	return worktree_checkout(services->main_checkout->worktree, &allowed, err);
}

static int execution_check_changes(const struct agent_services *services,
	const struct execution *execution, const struct object *before, struct arena *arena,
	struct tree_change *change, struct rondo_error *err)
{
	struct object after;
	struct file_change *files;
	size_t n;
	struct rules_pair pair = {
		{&services->main_checkout->executor->settings->rules.paths, &execution->rules.paths}};
	if (execution_read_tree(services, arena, &after, change, err) < 0 ||
		repository_changes(services->repository, before, &after, arena, &files, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (execution_is_outside(&pair, files[i].path))
			ARENA_PUSH(arena, change->undone, change->n_undone, files[i].path);
		else if (files[i].text)
			ARENA_PUSH(arena, change->kept, change->n_kept, files[i].path);
	return execution_put_back(services, &pair, before, &after, change, err);
}

static void execution_add_names(
	struct strbuf *text, const char *label, const char *const *names, size_t n)
{
	if (!n)
		return;
	strbuf_addf(
		text, "%s%s: ", text->length && text->text[text->length - 1] == '\n' ? "" : "\n", label);
	strbuf_add_list(text, names, n < FILES_SHOWN ? n : FILES_SHOWN);
	if (n > FILES_SHOWN)
		strbuf_addf(text, " and %zu more", n - FILES_SHOWN);
	strbuf_addc(text, '\n');
}

/* What was refused before these blocks ran was told then. */
static void execution_drop_told(struct tree_change *change, const struct tree_change *was)
{
	size_t n = 0;
	for (size_t i = 0; i < change->n_refused; i++)
		if (!text_in(was->refused, was->n_refused, change->refused[i]))
			change->refused[n++] = change->refused[i];
	change->n_refused = n;
}

/* --- Running --- */

static struct functions execution_functions_of(
	const struct agent *agent, const struct execution *execution, struct arena *arena)
{
	return (struct functions){.files = execution->functions.items,
		.n = execution->functions.n,
		.dir = agent->services->dir,
		.folder = arena_printf(arena, FUNCTIONS_FOLDER "%s", agent->name)};
}

int execution_start(struct agent *agent, const struct execution *execution,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct functions functions = execution_functions_of(agent, execution, &arena);
	return functions.n
		? functions_install(agent->services->main_checkout->executor, &functions, ctx, err)
		: 0;
}

static const char *execution_data_of(
	const struct code_result *result, const struct tree_change *change, struct arena *arena)
{
	AUTO_JSON *json = json_object();
	json_add_int(json, "exit_code", result->exit_code);
	if (result->n_programs)
		json_add_strings(json, "programs", result->programs, result->n_programs);
	if (change->n_kept)
		json_add_strings(json, "files", change->kept, change->n_kept);
	if (change->n_undone)
		json_add_strings(json, "undone", change->undone, change->n_undone);
	return json_print_in(json, arena);
}

/* A program that wants the network where there is none: how there would be one. */
static void execution_add_network(
	struct strbuf *text, const struct executor *executor, const struct code_result *result)
{
	static const char *const signs[] = {"Temporary failure in name resolution",
		"Could not resolve host", "Network is unreachable", "EAI_AGAIN",
		"Failed to establish a new connection", "Name or service not known", "ENOTFOUND",
		"Could not find a version that satisfies", NULL};
	const char *const *sign = signs;
	if (!result->exit_code || executor_has_network(executor))
		return;
	while (*sign && !strstr(result->output, *sign))
		sign++;
	if (*sign)
		strbuf_addf(text, "%sThere is no network here; executor.network: host allows it.\n",
			text->length && text->text[text->length - 1] != '\n' ? "\n" : "");
}

/* A checkout removes only files that the worktree has seen. */
static int execution_undo(const struct agent_services *services, const struct object *before,
	struct arena *arena, struct rondo_error *err)
{
	struct object now;
	struct tree_change ignored = {0};
	if (execution_read_tree(services, arena, &now, &ignored, err) < 0)
		return -1;
	return worktree_checkout(services->main_checkout->worktree, before, err);
}

/* Blocks that were cancelled will be taken again, so all is as before them. */
static int execution_settle(const struct agent_services *services,
	const struct execution *execution, const struct object *before, bool is_cut,
	struct arena *arena, struct tree_change *change, struct rondo_error *err)
{
	return is_cut ? execution_undo(services, before, arena, err)
				  : execution_check_changes(services, execution, before, arena, change, err);
}

/* What is said of it. */
static const char *execution_words(const struct executor *executor,
	const struct code_result *result, const struct tree_change *change, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&text, result->output);
	execution_add_network(&text, executor, result);
	execution_add_names(&text, "Files written", change->kept, change->n_kept);
	execution_add_names(
		&text, "Put back, since nothing may change there", change->undone, change->n_undone);
	execution_add_names(&text, "Not kept", change->refused, change->n_refused);
	execution_add_names(&text, "All that was printed, up to 256 MB, in the logs of the run",
		result->logs, result->n_logs);
	return arena_strndup(arena, text.text, text.length);
}

int execution_run(struct agent *agent, const struct execution *execution, const struct work *work,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err)
{
	const struct agent_services *services = agent->services;
	struct object before;
	struct code_result result;
	struct tree_change change = {0}, was = {0};
	struct functions functions = execution_functions_of(agent, execution, arena);
	const char *const *env = functions_env(services->main_checkout->executor, &functions, arena);
	struct block_order order = {.blocks = work->blocks,
		.n = work->n,
		.timeout_ms = services->block_timeout_ms,
		.rules = &execution->rules,
		.env = env,
		.source = agent->name,
		.log_dir = services->log_dir};
	bool has_tree = services->main_checkout->worktree;
	if ((has_tree && execution_read_tree(services, arena, &before, &was, err) < 0) ||
		executor_execute_code_blocks(
			services->main_checkout->executor, &order, arena, &result, ctx, err) < 0)
		return -1;
	response->is_cut = result.is_cut;
	if (has_tree &&
		execution_settle(services, execution, &before, result.is_cut, arena, &change, err) < 0)
		return -1;
	if (change.n_undone && !result.exit_code)
		result.exit_code = 1;
	execution_drop_told(&change, &was);
	response->message = execution_message(execution, result.exit_code,
		execution_words(services->main_checkout->executor, &result, &change, arena), arena);
	response->message.data = execution_data_of(&result, &change, arena);
	return 0;
}
