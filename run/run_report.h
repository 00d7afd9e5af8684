/* What came of a run: its outcome, and what each of its stages found. */
#pragma once
#include "base/option.h"
#include "base/strbuf.h"
#include "chat/context.h"

/* What came of a run; each has a word and an exit code. */
enum run_outcome {
	RUN_VERIFIED,
	RUN_VERIFIED_IN_PART, /* a group of the failing tests passes; others fail as before */
	RUN_NOTHING_FAILS,
	RUN_TESTS_FAIL, /* nobody was asked to mend them */
	RUN_DRY_RUN,
	RUN_NOT_FIXED,
	RUN_NOT_VERIFIED, /* somebody's change does not hold */
	RUN_REFUSED,
	RUN_ENVIRONMENT_BROKEN,
	RUN_SUITE_BROKEN,
	RUN_ONLY_FLAKY,
	RUN_DONE,          /* a scenario without a suite: a success condition stopped it */
	RUN_STOPPED,       /* ... a limit or a stall did */
	RUN_ASSERT_FAILED, /* it ended, but not as its assertions say */
	RUN_OUTCOMES,
};

#define RUN_ERROR_WORD "error" /* what stands there for a run that could not be carried out */

const char *run_outcome_word(enum run_outcome outcome);
int run_outcome_exit_code(enum run_outcome outcome);
bool run_outcome_is_verified(enum run_outcome outcome); /* wholly or in part: there is a fix */

/* The exit code of an error: 2, 3, 75, 130 and so on; `cancel` names the signal. */
int run_error_exit_code(const struct rondo_error *err, const struct cancel *cancel);

struct run_test {
	const char *id;
	const char *message; /* why it failed; may be NULL */
	const char *place;   /* "file:line", or NULL */
	const char *cause;   /* what it has in common with its group; NULL: there is one group */
};

/* What one agent spent on models, or what was spent on one model. */
struct run_spending {
	const char *name;
	int64_t calls;
	int64_t unknown_calls;    /* of these, whose tokens nobody knows */
	struct rondo_usage usage; /* of the others */
	double cost_usd;          /* of a model; below 0: not known */
};

/* What report.json says of an agent or a model. */
struct run_spending run_spending_read(const struct json *row);

/* "3 calls, 1234 tokens in, 56 out", with ", 0.02 USD" or ", cost unknown"; appended. */
void run_spending_describe(const struct run_spending *spending, bool with_cost, struct strbuf *sb);

/* "0.02", or "unknown" where it is below 0: USD; in the arena. */
const char *run_cost_text(double usd, struct arena *arena);

/* Of what was proposed last, where a limit or the scenario left it undone. */
#define RUN_LEFT_UNEXECUTED "the last proposed code was not run"

/* --- What each stage of a run found --- */

/* Who takes part in a chat. */
struct run_participant {
	const char *name;
	const char *human_input_mode; /* "ALWAYS", "TERMINATE", "NEVER"; NULL: it cannot ask a human */
};

/* What is worked on. The journal has it, and rondo show reads it back. */
struct site_facts {
	const char *name; /* of the repository, program or scenario */
	/* of the checkout; NULL: the team only talks, and what follows is not there either */
	const char *root;
	/* the change that is judged: "feature (1a2b3c4d5e)"; NULL: a team makes it */
	const char *proposal;
	bool is_program;     /* the name is a program's, which was named to be fixed alone */
	bool has_repository; /* false: files outside any; then there is no branch */
	const char *branch;  /* the checkout's own; NULL: HEAD is detached */
	/* hashes: HEAD; the commit that the run begins with, and its tree */
	const char *head, *base, *tree;
	bool is_snapshot; /* the base is no commit of the user's: it holds more */
	size_t n_modified, n_untracked, n_deleted; /* files in it */
	struct option_strings paths;    /* of the base's tree, sorted; not kept in the journal */
	struct option_strings borrowed; /* folders of the checkout that are shown and not copied */
	const char *command;            /* the suite's; NULL: no suite judges */
	const char *origin, *runner;    /* where the command comes from; its type */
	struct option_strings also;     /* other suites that were found */
	const char *setup; /* what is to be installed first, and on whose word; NULL: nothing */
	const char *coder; /* in a word: "repair (no model)"; NULL: the scenario's own team */
	const char *executor, *network;       /* where code runs; "none" or "host" */
	struct run_participant *participants; /* of the team, in the order in which they speak */
	size_t n_participants;
	/* what the tests see of the host, a line each; known when the site is ready */
	struct option_strings world;
};

/* What the suite says of the base. */
struct baseline_facts {
	size_t n_tests, n_passed, n_skipped; /* n_tests: without the skipped */
	size_t n_runs;                       /* how often the suite ran */
	const char *format;                  /* in which results are read: "pytest", "tap+jest" */
	struct run_test *goal;               /* the failing tests that are to pass */
	size_t n_goal;
	struct option_strings flaky;           /* tests that differ from run to run */
	struct option_strings order_dependent; /* goal tests that pass where they are run alone */
	struct option_strings hung;            /* goal tests that do not end */
	struct option_strings fresh;           /* those that did not fail a few commits earlier */
	size_t n_untold;                       /* of these lists, where not all of them is told */
	int64_t duration_ms;                   /* of the first run */
	const char *cached;                    /* when another run had it, in UTC; NULL: this one */
};

/* What the coder without a model did. */
struct run_search {
	size_t n_tried;  /* candidates; 0: it did nothing */
	int64_t ms;      /* in which they were tried */
	bool warm;       /* by tests that were kept loaded */
	const char *end; /* why it gave up: "exhausted", "time", "candidates"; NULL: it did not */
	/* of the edit that was taken, "symbol"; NULL: it was not chosen among candidates that passed */
	const char *kind;
	/* how likely such an edit is right: "operator", "structure", "condition", "literal", "revert",
	 * "equality", "special case", "removal" */
	const char *rank;
	size_t place; /* among the candidates, from 1; 0: unknown */
	size_t share; /* how likely it is among those that passed, in percent; 0: unknown */
	/* "high"; "medium": others passed that behave otherwise, or may, or it was not among the first
	 * candidates, or it is two edits, or many such edits are wrong, or the tests let an edit beside
	 * it pass, or none was tried there, or there are few; "low": it may only silence the tests;
	 * "revert": it takes back what somebody changed; NULL as kind */
	const char *confidence;
	/* of those that passed: how many were given further inputs, how many then did what this one
	 * does */
	size_t n_asked, n_alike;
	size_t n_mutants, n_unnoticed; /* of this one with one more edit beside it; those that pass */
	size_t choice;                 /* which one it is of those that behave differently, from 1 */
	struct option_strings others;  /* of these the other ones, the likeliest first */
};

/* The number from 1 on, as fix --take takes it, of the i-th of the others. */
static inline size_t run_choice_number(size_t choice, size_t i)
{
	return i + 1 + (i + 1 >= choice);
}

/* Why a chat stopped, exactly. */
struct run_stop {
	/* its type, or such as "max_turns"; NULL: the chat came to no end of its own */
	const char *condition;
	enum rondo_stop_kind stop_kind;
	int64_t message;    /* that made it stop, by its number from 1; 0: none did */
	const char *source; /* who said that */
	size_t n_messages, n_rounds;
	bool left_unexecuted; /* the code that was proposed last was not run */
	/* all this in words: "by text_mention at message 5 of coder, after 6 messages" */
	const char *text;
};

/* What the team said. */
struct talk_facts {
	/* what was wrong, in a line: the last change that was proposed; NULL: none was */
	const char *what;
	struct option_strings edits; /* each that was proposed, in a line */
	/* what a model said with the last of them; NULL: no model proposed it */
	const char *said;
	struct run_search search;
	size_t n_fixed;          /* of the goal, in the best state that a tester saw */
	const char *stop_reason; /* in words */
	struct run_stop stop;
	int turns;           /* as max_turns counts them */
	int last_exit_code;  /* of the last code that ran; -1: none did */
	const char *summary; /* NULL: nobody said anything */
};

/* What was spent on models. */
struct run_spent {
	const char *models; /* that were asked: "openai/x, fast"; NULL: none was */
	int64_t calls;
	struct rondo_usage usage;
	double cost_usd;  /* below 0: not wholly known */
	const char *text; /* "1234 tokens, cost unknown"; NULL: nothing was */
	/* those that asked a model, and those that were asked */
	const struct run_spending *by_agent, *by_model;
	size_t n_by_agent, n_by_model;
};

/* What the gate observed. */
struct verdict_facts {
	bool has_counts;                /* the suite ran in the gate; else the next two are not known */
	size_t n_tests, n_passed;       /* n_tests: without the skipped; new ones may have come */
	size_t n_fixed;                 /* of the goal; of a proposal, of all that failed */
	/* of a proposal: what still fails as before; tests that it brings, those of them that fail
	 * without it, and tests that it removes */
	size_t n_still_red, n_new, n_new_red, n_gone;
	struct option_strings unfixed;  /* of the goal, where it is fixed in part */
	struct option_strings evidence; /* what was run, a line each */
	/* of the guard: "cart.py:3: import atexit (rule runner-internals)" */
	struct option_strings findings;
	/* changes of what is protected, with their rule: judged as in the base */
	struct option_strings left_out;
	struct option_strings dropped; /* what the fix did not need: "repro.py (a scratch file)" */
	bool sentinels_held;           /* the gate's own tests were reported as they came out */
	size_t n_counter_tests;        /* wrong copies of tests, which failed */
};

/* The difference between the base and what was judged, or kept without a judgement. */
struct run_change {
	const char *stat;  /* "cart/pricing.py | 2 +-", a line a file */
	const char *patch; /* as git apply takes it */
	size_t patch_length;
	size_t n_lines;   /* that are added or removed */
	const char *path; /* where it is kept */
};

/* One of several tries at the same task. */
struct run_attempt {
	size_t number; /* from 1 */
	/* an outcome's word; or "error", "stopped" (another one was taken), "not started" */
	const char *outcome;
	const char *reason; /* in words, where it is not verified */
	bool is_chosen;
	const char *branch; /* its own, where each verified one gets one; NULL: none */
	const char *tree;   /* what it came to; NULL: nothing was judged */
	size_t n_fixed;     /* of the goal */
	size_t n_lines;     /* of its change */
	size_t n_alike;     /* verified ones that behave like it, with itself; 0: nobody compared */
	int64_t turns;
	int64_t tokens;
	double cost_usd; /* below 0: not wholly known */
	int64_t duration_ms;
	int64_t seed;            /* of coders without a model */
	const char *temperature; /* of its models: "0.4"; NULL: the provider's own */
};

/* How a fix left the run; what was not asked for is NULL. */
struct publication {
	const char *branch, *commit; /* commit NULL: there is no branch */
	size_t n_commits;
	const char *files;        /* what a run outside a repository wrote: a directory */
	const char *patch_copy;   /* where the patch was written to as well */
	const char *applied_to;   /* the user's checkout, with --apply */
	const char *pull_request; /* the file of a pull request's text */
};

/* What a run came to. Strings and stages lie in the arena given to run_fix; a stage that was not
 * reached is NULL. */
struct run_report {
	enum run_outcome outcome;
	const char *reason;   /* in words, where it is not verified */
	const char *help;     /* what the user can do */
	const char *id, *dir; /* of the run */
	const char *name;     /* of the repository, program or scenario; NULL: it came not so far */
	const char *coder;    /* as site_facts has it */
	const char *proposal; /* so, too */
	const struct site_facts *site;
	const struct baseline_facts *baseline;
	const struct talk_facts *talk;
	const struct verdict_facts *verdict;
	const struct run_change *change;
	const struct publication *publication;
	/* where there were several: in their order, and which verified one was to be taken */
	const struct run_attempt *attempts;
	size_t n_attempts;
	const char *select;
	struct run_spent spent;
	size_t n_fixed;    /* of the goal, in the best state seen */
	const char *junit; /* the directory where JUnit files were written to as well */
	size_t n_asserts;
	const char *failed_asserts; /* a line each; NULL: all hold */
	struct option_strings notices;
	const char *limits, *team; /* as text, for a dry run */
	int64_t duration_ms;
};
