/*
 * Coding agents of others, and commands: programs that edit the tree themselves. Each works in the
 * main checkout, inside a box of its own, where it sees neither the user's home nor a network. What
 * counts is what it did to the tree: that becomes the data of its message, as every edit is.
 */
#pragma once
#include "agents/agent.h"
#include "models/model.h"

/* What all of them can be told. */
struct external_settings {
	const char *coder;   /* of the table of known ones; NULL: none of them */
	const char *command; /* a line of sh; NULL: the known one's */
	const char *instructions;
	const char *tree; /* "write", "read-only" */
	bool configuration;
	struct option_ref model;
	struct option_texts env;
	int64_t timeout_ms, idle_ms;
	int64_t verdicts;
};

#define EXTERNAL_AT(member) offsetof(struct external_settings, member)
/* clang-format off */
#define EXTERNAL_OPTIONS \
	OPTION("instructions", STRING, EXTERNAL_AT(instructions), "instructions beside the task", \
		.argument = "TEXT", .from_file = true), \
	OPTION("model", REF, EXTERNAL_AT(model), \
		"the model that it may reach, and nothing else; none: it reaches nothing", \
		.family = &model_family), \
	OPTION("tree", ENUM, EXTERNAL_AT(tree), \
		"whether what it changes stays, or it only reads", .values = external_trees, \
		.fallback = "write"), \
	OPTION("configuration", BOOL, EXTERNAL_AT(configuration), \
		"whether it finds what the repository says to such agents: .claude/, opencode.json ...", \
		.fallback = "false"), \
	OPTION("env", TEXTS, EXTERNAL_AT(env), "more of its environment; no keys"), \
	OPTION("timeout", DURATION, EXTERNAL_AT(timeout_ms), "the longest turn", .fallback = "20m", \
		.least = 1), \
	OPTION("idle", DURATION, EXTERNAL_AT(idle_ms), \
		"the longest time in which nothing is heard of it; 0: any", .fallback = "5m"), \
	OPTION("verdicts", INT, EXTERNAL_AT(verdicts), \
		"how often it may ask in a turn whether its change is proven; 0: never", .fallback = "5", \
		.most = 1000)
/* clang-format on */

extern const char *const external_trees[];

/* What all of them remember. */
struct external_memory {
	const struct rondo_message *task, *report; /* the newest report, may be the task itself */
	bool passes_tests, finished;
	int64_t heard;
	bool is_briefed;  /* it knows the task */
	int unchanged;    /* turns in a row that changed nothing */
	const char *note; /* what it has to be told of its last turn; NULL: nothing */
};

struct external_box;

/* What a type's state begins with. */
struct external {
	struct external_settings settings;
	struct external_memory memory;
	struct external_box *box; /* NULL: not opened yet */
};

static inline const struct external_settings *external_settings_of(const struct agent *agent)
{
	return &((const struct external *)agent->state)->settings;
}

/* --- Known ones: external_known.c --- */

/* A coding agent that many have. Texts may hold {model}, as its host calls it, {url}, where the
 * relay is, and {key}, which means nothing to others. */
struct known_coder {
	const char *name;
	const char *title;
	const char *install, *acp_install; /* what installs it, and its ACP where that is another one */
	int least_node;           /* npm installs an old version where Node is older; 0: none */
	const char *command;      /* for one turn; may hold {model_option} */
	const char *model_option; /* of it where a model is named */
	const char *acp;          /* speaks the Agent Client Protocol; NULL: it does not */
	const char *mode;         /* of its sessions, in which it never asks; NULL: none */
	const char *login;        /* where it wants to know who asks; NULL: never */
	const char *provider;     /* of models, whose choice is its own where none is named; or NULL */
	bool needs_model;         /* a model must be named */
	const char *const *env;   /* NAME=value, NULL-terminated */
	const char *const *model_env;         /* more where a model is named; NULL: nothing */
	const char *settings_path, *settings; /* a file in its home, and its text; NULL: none */
};

extern const struct known_coder known_coders[];
extern const size_t known_coders_n;

/* What the coder of rondo fix can be called; NULL-terminated. */
extern const char *const known_coder_choices[];

/* The one of that name. NULL with err set: "unknown coder 'x', did you mean 'y'?". */
const struct known_coder *known_coder_find(const char *name, struct rondo_error *err);

/* What a row of the table says, for this model (NULL: none is named; "*": the agent chooses) and
 * relay; in the arena. */
const char *known_coder_fill(const struct known_coder *coder, const char *text, const char *model,
	const char *url, struct arena *arena);

/* A program of which nothing is known but its command: its model is where such programs look. */
extern const struct known_coder known_coder_any;

/* --- What it is shown of the tree, and what becomes of it: external_tree.c --- */

/* Whether nothing stays of what it does to the tree. */
bool external_is_reader(const struct agent *agent);

/* Whether a path is what a repository says to coding agents. */
bool external_is_configuration(const char *path);

/* The tree of the main checkout before a turn. */
struct external_tree {
	struct object before;
	const char **refused; /* what was no part of the tree already then */
	size_t n_refused;
};

/* What a turn changed. Strings lie in the arena. */
struct external_change {
	struct object after;
	struct diff diff;
	const char **put_back; /* protected, or all where it only reads */
	size_t n_put_back;
	const char **refused; /* no part of the tree: links out of it, nested repositories ... */
	size_t n_refused;
};

/* Read the tree, and put configuration away where it is not to be seen. */
int external_tree_begin(struct agent *agent, struct arena *arena, struct external_tree *ret_tree,
	struct rondo_error *err);

/* Take what has changed; what is protected, and configuration, is as before again. */
int external_tree_end(struct agent *agent, const struct external_tree *tree, struct arena *arena,
	struct external_change *ret_change, struct rondo_error *err);

/* The tree as it is now, in mid-turn: with what is protected as it is, and configuration as before.
 * Who only reads is told of the tree before. */
int external_tree_now(const struct agent *agent, const struct external_tree *tree,
	struct arena *arena, struct object *ret_tree, struct rondo_error *err);

/* All is as before. */
int external_tree_undo(
	struct agent *agent, const struct external_tree *tree, struct rondo_error *err);

/* The base's tree without configuration, for the .git that it sees. */
int external_tree_base(
	struct agent *agent, struct arena *arena, struct object *ret_tree, struct rondo_error *err);

/* --- Its box: external_box.c --- */

/* What is started: a known coder's command or ACP, or the user's. */
struct external_program {
	const struct known_coder *coder; /* known_coder_any where it is none of them */
	const char *command;
	const char *install; /* that brings it; NULL: nobody knows */
	bool stays;          /* from one turn to the next */
};

/* What the settings name: by ACP, or for one turn. */
int external_program_of(const struct external_settings *settings, bool is_acp,
	struct external_program *ret_program, struct rondo_error *err);

struct external_box {
	struct executor *executor; /* on the main checkout */
	struct world world;
	const char *dir;  /* its own directory on the host */
	int lock;         /* held on it; -1: not */
	const char *home; /* on the host; NULL: it has the user's */
	const char *line; /* how it is started: its programs found, {task} not put in yet */
	struct external_relay *relay; /* NULL: it reaches nothing */
	struct external_verdicts *verdicts; /* NULL: it can ask for none */
	/* where it works, if it lives from one turn to the next; NULL: in the main checkout */
	struct worktree *worktree;
};

/* Whether an external agent can run in such executors; the help says in which. */
int external_check_executor(const struct executor_type *type, struct rondo_error *err);

/* Find the programs of its command, and make the box; it lies in the agent's arena. */
int external_box_open(struct agent *agent, const struct external_program *program,
	struct external_box **ret_box, const struct context *ctx, struct rondo_error *err);
void external_box_close(struct external_box *box);

/* Before each start, while nothing runs in it: what it left where its home lies must not have
 * another directory shown in its place. */
int external_box_prepare(const struct external_box *box, struct rondo_error *err);

/* The text as a file that it can read; ret_at: where. */
int external_box_put(struct external_box *box, const char *name, const char *text,
	struct arena *arena, const char **ret_at, struct rondo_error *err);

/* --- What it asks a model for: external_relay.c --- */

struct external_relay;
struct external_answer;

/* Start a relay to the host of its model, and show it in the box. */
int external_relay_start(struct agent *agent, struct external_box *box, struct rondo_error *err);

/* What stands for its URL in the box, in words and in the environment; the model's name there. */
const char *external_relay_url(const struct external_relay *relay);
const char *external_relay_model(const struct external_relay *relay);

/* The line within the program that shows the relay there; in the arena. */
const char *external_relay_line(
	const struct external_relay *relay, const char *line, struct arena *arena);

/* Readable where calls are over; -1: there is no relay. Take them: whether one had an answer. */
int external_relay_fd(const struct external_relay *relay);
bool external_relay_collect(struct external_relay *relay);

/* Record the calls of a turn, and add what they took, and what went wrong, to the answer. */
int external_relay_tell(struct external_relay *relay, struct external_answer *answer,
	struct arena *arena, const struct context *ctx, struct rondo_error *err);

/* NULL is fine. */
void external_relay_end(struct external_relay *relay);

/* --- What it asks of the gate: external_verdict.c --- */

struct external_verdicts;

/* Where the run offers that, listen at a socket, and show it in the box, with rondo. */
int external_verdicts_start(struct agent *agent, struct external_box *box, struct rondo_error *err);

/* What is to be started in the box to ask (NULL: there is nothing), and the socket; as programs see
 * them there. */
const char *external_verdicts_program(const struct external_verdicts *verdicts);
const char *external_verdicts_socket(const struct external_verdicts *verdicts);

/* Between the two it is the agent's turn, with this tree before it, and asking is answered. Who
 * takes the turn uses the context that is given. The end cancels a judgement and waits for it. */
struct context external_verdicts_begin(struct external_verdicts *verdicts,
	const struct external_tree *tree, const struct context *ctx);
void external_verdicts_end(struct external_verdicts *verdicts);

/* When the last judgement ended, on the monotonic clock: now where one goes on; 0: there was
 * none. */
int64_t external_verdicts_heard_ms(struct external_verdicts *verdicts);

/* NULL is fine. */
void external_verdicts_close(struct external_verdicts *verdicts);

/* --- Its command: external_line.c --- */

/* Show the programs and scripts that a line of sh names, and write it so that it starts them. `dir`
 * is where relative names begin, on the host. In the arena. */
int external_line_find(struct agent *agent, struct world *world, const char *command,
	const struct cancel *cancel, struct arena *arena, const char **ret_line,
	struct rondo_error *err);

/* Whether it takes the task from its standard input: it names neither {task} nor {task_file}. */
bool external_line_wants_input(const char *line);

/* Put in where the task's file is; in the arena. */
const char *external_line_fill(const char *line, const char *task_at, struct arena *arena);

/* --- A turn: external_turn.c --- */

/* What it said. Strings lie in the arena. */
struct external_answer {
	const char *text;
	const char *problem; /* why it ended before its time; NULL: it did not */
	int exit_code;
	bool is_cut; /* cancelled from outside, and not by a deadline */
	struct rondo_usage usage;
};

/* How a type asks it. `news`: what was said since its last turn. */
typedef int external_ask(struct agent *agent, const struct external_memory *memory,
	struct message_span news, struct arena *arena, struct external_answer *answer,
	const struct context *ctx, struct rondo_error *err);

/* Take a turn. */
int external_turn(struct agent *agent, struct message_span unseen, external_ask *ask,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err);

void external_memory_save(const struct external_memory *memory, struct json *to);
int external_memory_load(struct external_memory *memory, struct arena *arena,
	const struct json *from, const struct message_thread *thread, struct rondo_error *err);

/* --- Its prompt: external_prompt.c --- */

/* The task, what fails, what others said since its last turn, what holds; in the arena. */
int external_prompt(struct agent *agent, const struct external_memory *memory,
	struct message_span news, bool is_first, struct arena *arena, const char **ret_prompt,
	struct rondo_error *err);

/* --- Its silence: external_idle.c --- */

struct external_idle;

/* From now on fire a token, a child of `parent`, where nothing is heard for so long, neither of the
 * program nor through its box's relay, and it waits for no verdict; 0: never. */
int external_idle_begin(int64_t limit_ms, const struct external_box *box,
	const struct cancel *parent, struct external_idle **ret_idle, struct rondo_error *err);
const struct cancel *external_idle_cancel(const struct external_idle *idle);

/* Something was heard; from any thread. */
void external_idle_hear(struct external_idle *idle);

/* Whether it was silent for too long. */
bool external_idle_end(struct external_idle *idle);
