/* The keys of a scenario file: what each means, what it takes, and its default. */
#include "models/model.h"
#include "run/report/report.h"
#include "run/scenario/assertion.h"
#include "run/scenario/batch_task.h"
#include "run/scenario/scenario.h"
#include "team/team.h"
#include "verify/suite/suite.h"

#define AT(member) offsetof(struct scenario, member)
#define IN(section, member) offsetof(struct scenario_##section, member)

static const char *const summaries[] = {"last_message", "model", NULL};
static const char *const on_dirty[] = {"snapshot", "head", "refuse", NULL};

static const struct option workspace_options[] = {
	OPTION("repo", STRING, IN(workspace, repo),
		"a git checkout to work on; else an empty directory", .main = true),
	OPTION("files", TEXTS, IN(workspace, files), "files to begin with: each path with its text",
		.from_file = true),
	OPTION("copy", STRING, IN(workspace, copy),
		"a directory, or one program that is its own test, to copy and work on"),
	OPTION("mount", STRINGS, IN(workspace, mount),
		"further ignored folders and files that the tests need", .right = OPTION_MAY_NAME_PATHS),
	OPTION("on_dirty", ENUM, IN(workspace, on_dirty),
		"uncommitted work: work on it, leave it out, or refuse", .values = on_dirty,
		.fallback = "snapshot", .right = OPTION_MAY_SET),
	OPTION("commit", STRING, IN(workspace, commit),
		"a revision to work on, in place of what is checked out"),
	OPTION("patch", STRING, IN(workspace, patch),
		"the text of a patch that is applied before the tests are run, such as one that brings "
		"tests",
		.from_file = true),
	OPTION_END,
};

static const struct option setup_options[] = {
	OPTION("commands", STRINGS, IN(setup, commands),
		"what installs what the tests need, such as npm ci: run once, with network, and kept",
		.main = true, .argument = "CMD", .right = OPTION_MAY_PROPOSE),
	OPTION("size", BYTES, IN(setup, size),
		"what the kept results of all setups may take: those that were not used for the longest "
		"time are removed",
		.fallback = "8G", .least = 1, .most = 1e15),
	OPTION_END,
};

static const struct option test_options[] = {
	OPTION("command", STRING, IN(test, command), "the test command; else it is found", .main = true,
		.right = OPTION_MAY_SET),
	OPTION("goal", STRINGS, IN(test, goal),
		"only the failing tests whose id contains or matches this"),
	OPTION("format", ENUM, IN(test, format), "how results are read; auto: as they show themselves",
		.values = suite_format_names, .fallback = "auto", .right = OPTION_MAY_SET),
	OPTION("report", STRING, IN(test, report),
		"report files that the command writes: a glob, such as build/**/TEST-*.xml",
		.right = OPTION_MAY_NAME_PATHS),
	OPTION("targeted", STRING, IN(test, targeted),
		"a command that runs some tests alone, {{tests}} their ids: the failing ones are then run "
		"first",
		.right = OPTION_MAY_SET),
	OPTION("fail_output", STRINGS, IN(test, fail_output),
		"regular expressions: a line of output that matches makes a run red, whatever its exit "
		"code",
		.right = OPTION_MAY_SET),
	OPTION("repeat", INT, IN(test, repeat),
		"runs of the baseline: tests whose results differ count neither way", .least = 2,
		.most = 20, .fallback = "2", .right = OPTION_MAY_RAISE),
	OPTION("cached_baseline", BOOL, IN(test, cached_baseline),
		"take the baseline of an earlier run of the same tree, command and machine that had this "
		"option"),
	OPTION_END,
};

static const struct option verify_options[] = {
	OPTION("all", BOOL, IN(verify, all),
		"demand all failing tests of the goal, where those of one cause would do",
		.right = OPTION_MAY_RAISE),
	OPTION("repeat", INT, IN(verify, repeat),
		"runs of the gate, each in a fresh checkout of another name", .least = 1, .most = 20,
		.fallback = "2", .right = OPTION_MAY_RAISE),
	OPTION("sentinels", BOOL, IN(verify, sentinels),
		"the gate's second run has two tests of its own, of which one must fail",
		.fallback = "true", .right = OPTION_MAY_RAISE),
	OPTION("counter_tests", BOOL, IN(verify, counter_tests),
		"copies of tests that expect something wrong are run, and have to fail", .fallback = "true",
		.right = OPTION_MAY_RAISE),
	OPTION("clean_up", BOOL, IN(verify, clean_up),
		"drop scratch files, debug prints and unrelated changes that the fix does not need",
		.fallback = "true"),
	OPTION("checks", STRINGS, IN(verify, checks),
		"further commands that have to succeed on the fix: a linter, a build",
		.right = OPTION_MAY_SET),
	OPTION("hidden", STRING, IN(verify, hidden),
		"the command of a suite that no agent ever sees; it has to pass", .main = true),
	OPTION("hidden_files", TEXTS, IN(verify, hidden_files),
		"files of the hidden suite: each path with its text", .from_file = true),
	OPTION("hidden_copy", STRING, IN(verify, hidden_copy),
		"a directory whose files are the hidden suite's"),
	OPTION_END,
};

static const char *const turns_aliases[] = {"max_turns", NULL};
static const char *const time_aliases[] = {"timeout", NULL};
static const char *const block_aliases[] = {"command_timeout", NULL};
static const char *const tokens_aliases[] = {"max_tokens", NULL};
static const char *const cost_aliases[] = {"max_cost_usd", NULL};

static const struct option limits_options[] = {
	OPTION("turns", INT, IN(limits, turns), "turns of the chat", .least = 1, .most = 1000000,
		.fallback = "40", .aliases = turns_aliases),
	OPTION("time", DURATION, IN(limits, time_ms), "the whole run", .least = 1, .fallback = "30m",
		.aliases = time_aliases),
	OPTION("block", DURATION, IN(limits, block_ms), "one code block", .least = 1,
		.fallback = "120s", .aliases = block_aliases),
	OPTION("suite", DURATION, IN(limits, suite_ms),
		"one run of the suite; else five times the baseline, at least 60s", .least = 1),
	OPTION("silence", DURATION, IN(limits, silence_ms),
		"how long a test may print nothing before it counts as one that does not end; twice as "
		"long where no test is known to run, and five times where compilers may be at work; else "
		"20s, 60s where compilers may be at work, and nothing where `suite` is set",
		.least = 1),
	OPTION("repair", DURATION, IN(limits, repair_ms),
		"the search of the coder without a model; else 60s, and 10s where a model follows in "
		"rondo fix",
		.least = 1),
	OPTION("candidates", INT, IN(limits, candidates),
		"edits that the coder without a model tries; else as many as there is time for",
		.least = 1),
	OPTION("tokens", INT, IN(limits, tokens), "tokens of all models; else no limit", .least = 1,
		.aliases = tokens_aliases),
	OPTION("cost", MONEY, IN(limits, cost_usd), "USD for all models", .fallback = "3",
		.aliases = cost_aliases),
	OPTION_END,
};

static const char *const selects[] = {"first", "smallest", "agreed", "all", NULL};

static const struct option attempts_options[] = {
	OPTION("n", INT, IN(attempts, n), "how many conversations try, each in checkouts of its own",
		.main = true, .least = 1, .most = ATTEMPTS_MOST, .fallback = "1"),
	OPTION("parallel", INT, IN(attempts, parallel), "how many of them at a time; else all",
		.least = 1, .most = ATTEMPTS_MOST),
	OPTION("select", ENUM, IN(attempts, select),
		"which verified fix is taken: the first, which stops the others; the smallest; one of "
		"those that most behave like; or a branch for each",
		.values = selects, .fallback = "first"),
	OPTION_END,
};

static const struct option output_options[] = {
	OPTION("branch", STRING, IN(output, branch), "the branch to make; else rondo/<run>"),
	OPTION("patch", STRING, IN(output, patch), "also write the result as a diff"),
	OPTION("junit", STRING, IN(output, junit),
		"a directory that also gets junit-before.xml and junit-after.xml"),
	OPTION("pull_request", STRING, IN(output, pull_request),
		"also write the text of a pull request to this file: its title, an empty line, Markdown"),
	OPTION("subject", STRING, IN(output, subject),
		"the first line of the commit's message; else what was wrong, as far as anybody said it",
		.check = commit_check_subject),
	OPTION("co_authors", STRINGS, IN(output, co_authors),
		"who else made it, as trailers of the commit: Name <mail>", .check = commit_check_author),
	OPTION("files", STRING, IN(output, files),
		"a directory for what was written, outside a repository"),
	OPTION("apply", BOOL, IN(output, apply), "also bring it into the user's files"),
	OPTION("partial", BOOL, IN(output, partial),
		"apply also a fix in part, which leaves other failing tests as they are"),
	OPTION("summary", ENUM, IN(output, summary),
		"of the chat: the last that an agent said, or what a model makes of it by one more call",
		.values = summaries, .fallback = "last_message"),
	OPTION("summary_model", REF, IN(output, summary_model),
		"the model that sums up; else the one that was asked last", .family = &model_family),
	OPTION_END,
};

static const struct option batch_options[] = {
	OPTION("tasks", CHILDREN, IN(batch, tasks),
		"what is run in its turn, each with keys of its own", .family = &batch_task_family),
	OPTION("from", STRING, IN(batch, from),
		"where more tasks are: a file with a JSON object a line, or a directory of repositories",
		.main = true),
	OPTION("jobs", INT, IN(batch, jobs), "so many at once; else as many as there are cores",
		.least = 1, .most = 10000),
	OPTION("tokens", INT, IN(batch, tokens), "tokens of all tasks together; else no limit",
		.least = 1),
	OPTION("cost", MONEY, IN(batch, cost_usd), "USD for all tasks together; else no limit"),
	OPTION_END,
};

static const char *const name_aliases[] = {"title", NULL};

const struct option scenario_keys[] = {
	OPTION("version", INT, AT(version), "of this format", .least = 1, .most = 1, .fallback = "1"),
	OPTION("name", STRING, AT(name), "a word or two", .aliases = name_aliases),
	OPTION("description", STRING, AT(description), "for people"),
	OPTION("task", STRING, AT(task), "what the chat begins with", .from_file = true),
	OPTION("parameters", MAP, AT(parameters),
		"what {{name}} in any text stands for; -p name=value gives it",
		.family = &parameter_family),
	OPTION("models", MAP, AT(models), "models by name", .family = &model_family),
	OPTION("agents", MAP, AT(agents), "who may speak, by name", .family = &agent_family,
		.required = true),
	OPTION("team", CHILD, AT(team), "who speaks when, and when to stop", .family = &team_family,
		.required = true),
	OPTION("executor", CHILD, AT(executor), "where code runs", .family = &executor_family),
	OPTION("workspace", SECTION, AT(workspace), "the files that are worked on",
		.table = workspace_options),
	OPTION("setup", SECTION, AT(setup), "what is done once before the tests can run",
		.table = setup_options),
	OPTION("test", SECTION, AT(test), "the suite that the tester runs", .table = test_options),
	OPTION("verify", SECTION, AT(verify), "what the gate asks of a fix before there is a branch",
		.table = verify_options),
	OPTION("protect", STRINGS, AT(protect), "further paths that may not change: globs",
		.right = OPTION_MAY_SET),
	OPTION("allow_edit", STRINGS, AT(allow_edit),
		"protected paths that may change all the same: globs"),
	OPTION("limits", SECTION, AT(limits), "what the run may take", .table = limits_options),
	OPTION("attempts", SECTION, AT(attempts), "several tries at the same task",
		.table = attempts_options),
	OPTION("output", SECTION, AT(output), "where the result goes", .table = output_options),
	OPTION("batch", SECTION, AT(batch), "the same for many tasks, by rondo batch",
		.table = batch_options),
	OPTION(
		"assert", CHILDREN, AT(asserts), "what must hold at the end", .family = &assertion_family),
	OPTION_END,
};

const char *scenario_describe_limits(const struct scenario_limits *limits, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (const struct option *option = limits_options; option->name; option++) {
		AUTO_STRBUF value = STRBUF_INIT(STRBUF_LINE);
		option_print(option, limits, &value);
		bool unset = !option->fallback && value.text[0] == '0';
		if (!unset)
			strbuf_addf(&text, "%s%s %s", text.length ? ", " : "", option->name, value.text);
	}
	return arena_strdup(arena, text.text);
}
