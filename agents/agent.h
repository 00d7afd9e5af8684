/*
 * Agents: who speaks. An agent is shown what was said since it last spoke and answers with one
 * message, or passes. One file a type; a type is given the things of the run that it needs by
 * its services and looks nothing up.
 */
#pragma once
#include "agents/verdict_server.h"
#include "base/json/json.h"
#include "base/option.h"
#include "chat/message_thread.h"
#include "verify/judge/judge.h"

/* What a run gives to its agents; all borrowed, each may be absent. */
struct agent_services {
	struct checkout *main_checkout;  /* where edits are applied and code blocks run */
	struct checkout *test_checkouts; /* where suites run, one for each core */
	size_t n_test_checkouts;
	struct repository *repository;
	const struct base *base;
	const struct suite *suite;
	const struct baseline *baseline;
	const struct protection *protection;
	struct trials *trials;        /* tries candidates, in the test checkouts */
	const struct verdict_server *verdicts; /* NULL: external agents cannot ask for any */
	const char *const *leave_out; /* paths in a checkout that git does not have: dependencies */
	size_t n_leave_out;
	const char *log_dir; /* where logs of suites go */
	int64_t block_timeout_ms;
	int64_t suite_timeout_ms;
	int64_t repair_timeout_ms;
	int64_t repair_candidates; /* how many it may try; 0: as many as there is time for */
	bool runs_code;            /* an agent of the team runs code blocks */
	const char *end_word;      /* whose mention ends the chat; NULL: none does */
	/* languages that the agent who runs code may run; none: all */
	struct option_strings allow;
	/* a test that runs alone may have another result than in its suite */
	bool judges_whole;
	const char *dir; /* where commands of the agents' options run */
	/* where external agents have what is their own; as long as the run can be resumed */
	const char *agents_dir;
};

/* How the goal's tests are run alone; see judge_goal_options. */
struct judge_options services_goal_options(
	const struct agent_services *services, struct arena *arena);

/* The tree of the main checkout, and as it is judged. */
struct judged_tree {
	struct object whole, judged;
	const char **left_out; /* protected files whose change makes the difference */
	size_t n_left_out;
};

/* Put the tree of the main checkout into another one, with protected files as in the base. */
int services_check_out(const struct agent_services *services, struct checkout *checkout,
	struct arena *arena, struct judged_tree *ret_tree, struct rondo_error *err);

/* How an agent asks a human: what the options of those that can ask have in common. */
struct human {
	/* "ALWAYS": each turn, before anything is carried out; "TERMINATE": only where an end is said;
	 * "NEVER" */
	const char *mode;
	const char *terminate_on;   /* the word that says it */
	const char *default_answer; /* where nobody can be asked, or nobody answers; NULL: none */
	int64_t timeout_ms;         /* 0: as long as it takes */
};

/* The options of every agent. */
struct agent_common {
	const char *description;
};

struct agent {
	const struct agent_type *type;
	const char *name;
	const struct agent_services *services;
	const void *options; /* what the type's options filled; NULL: the defaults */
	bool has_successor;  /* another one goes on in its tree where it gives up */
	struct arena arena;  /* lives until the next reset */
	void *state;         /* of the type's state_size */
};

/* What an agent answers. Strings of the message lie in the arena given to on_messages. */
struct response {
	bool pass; /* nothing to say this turn */
	/* of a pass: it was its turn to answer, and where AG2 sends an empty message */
	bool is_empty;
	/* a program was cancelled from outside: the message says how far it came, and the turn is taken
	 * again */
	bool is_cut;
	struct rondo_message message;
	/* said before it by others within the agent, such as a team's participants */
	const struct rondo_message *const *within;
	size_t n_within;
};

/* What a type cannot do without. */
enum agent_need {
	AGENT_NEEDS_CHECKOUT = 1, /* a checkout and what runs programs in it */
	AGENT_NEEDS_SUITE = 2,    /* a suite, test checkouts and a baseline */
	AGENT_NEEDS_TRIALS = 4,   /* it tries candidates */
	AGENT_NEEDS_MACHINE = 8,  /* its executor shows it programs of this machine */
};

struct agent_type {
	const char *name;
	const char *summary;
	unsigned needs; /* of enum agent_need */
	size_t state_size;
	const struct option *options;
	/* Optional: make ready what it needs, and check it: the main checkout is there, nothing was
	 * said yet, no model paid. */
	int (*start)(struct agent *agent, const struct context *ctx, struct rondo_error *err);
	/* Mandatory. `unseen`: what others said since this agent's last turn; it stays where it lies
	 * until the agent's reset. After a turn that failed it is shown again, with what came since. */
	int (*on_messages)(struct agent *agent, struct message_span unseen, struct arena *arena,
		struct response *response, const struct context *ctx, struct rondo_error *err);
	/* Optional: whether there is something among these that it would carry out (code, an edit). */
	bool (*executes)(struct agent *agent, struct message_span unseen);
	/* Optional: carry it out where the chat is over, and nobody is asked any more; else on_messages
	 * does. */
	int (*execute)(struct agent *agent, struct message_span unseen, struct arena *arena,
		struct response *response, const struct context *ctx, struct rondo_error *err);
	/* Optional: how it asks a human. */
	const struct human *(*human)(const struct agent *agent);
	/* Optional: release what the state holds beside the arena, before all is forgotten. */
	void (*on_reset)(struct agent *agent);
	/* Optional, both or none: what the state holds as members of a JSON object: all of it, or what
	 * is new since the last save that was not of all. load gets the saves in their order;
	 * the thread is the one it was said on. */
	void (*save)(struct agent *agent, bool all, struct json *to);
	int (*load)(struct agent *agent, const struct json *from, const struct message_thread *thread,
		struct rondo_error *err);
};

/* The word `team` stands here, the type itself in team/team_agent.c: it is made of what lies above
 * this floor. */
#define AGENT_SYMBOL(name) name##_agent
#define AGENT_TYPES(_) \
	_(repair), _(coder), _(command), _(acp), _(sequence), _(team), _(executor), _(tester), _(user)
REGISTRY_DECLARE(struct agent_type, agent_types, AGENT_TYPES(AGENT_SYMBOL));
extern const struct option_family agent_family;

/* An agent of a type. `options`: the state that the type's options filled, or NULL for the
 * defaults; each reset begins with a copy of it. It is borrowed with all that it points at, as is
 * the services. */
struct agent *agent_new(const struct agent_type *type, const char *name, const void *options,
	const struct agent_services *services);

/* Make ready what it needs; an error names the agent. */
int agent_start(struct agent *agent, const struct context *ctx, struct rondo_error *err);

/* Let it speak. The response is a pass or a message whose source is the agent. */
int agent_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err);

/* Whether it would carry something of these messages out. */
bool agent_executes(struct agent *agent, struct message_span unseen);

/* Carry it out where the chat is over; as agent_on_messages. */
int agent_execute(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err);

/* How it asks a human; NULL: it never does. */
const struct human *agent_human(const struct agent *agent);

/* Whether it carries nothing out unless a human agrees. */
bool agent_asks_first(const struct agent *agent);

/* What it has to remember of what was said: all, or since the last save that was not of all. The
 * caller's; NULL: nothing. */
struct json *agent_save(struct agent *agent, bool all);
int agent_load(struct agent *agent, const struct json *from, const struct message_thread *thread,
	struct rondo_error *err);

/* Forget everything that was said. */
void agent_reset(struct agent *agent);

void agent_free(struct agent *agent);

/* --- Prompts for models: the files of agents/prompts/ --- */

struct prompt {
	const char *name; /* the file's, without its suffix */
	const char *text;
};

extern const struct prompt prompts[]; /* by name */
extern const size_t prompts_n;

/* The prompt of that name as it is overridden, or else as it comes; NULL: there is none of that
 * name. */
const char *prompt_text(const char *name, const struct option_texts *overrides);

/* Whether each of the overrides names a prompt. */
int prompt_check(const struct option_texts *overrides, struct rondo_error *err);
