/* A team of the public API, as the files of run/api/ share it. Inside run/ only. */
#pragma once
#include <locale.h>

#include "run/scenario/yaml.h"
#include "run/stages.h"

/* What a callback fills in. */
struct rondo_reply {
	struct arena *arena;
	const struct cancel *cancel;
	struct rondo_message message;
	bool is_given;
};

/* The caller's own functions. */
struct own_agent {
	const char *name;
	struct rondo_agent functions;
	struct rondo_team *team;
};

struct own_condition {
	struct termination_type type; /* its name is the caller's */
	struct rondo_condition functions;
	struct rondo_team *team;
};

struct own_observer {
	void (*call)(void *owner, const struct rondo_event *event);
	void *owner;
};

struct own_answerer {
	int (*call)(void *owner, const char *question, int64_t timeout_ms, struct rondo_reply *reply,
		struct rondo_error *err);
	void *owner;
};

enum team_stage {
	TEAM_TOLD, /* what it is; nothing is made */
	TEAM_MADE, /* the components */
	TEAM_OPEN, /* and the place where it works */
};

struct rondo_team {
	struct arena arena;     /* of what it was told */
	struct yaml_node *root; /* that, as a scenario file would say it */
	const char *path;       /* of a scenario file; NULL: there is none */
	const char *fix;        /* what rondo fix works on; NULL: it is another team */
	struct own_agent **agents;
	size_t n_agents;
	struct own_condition **conditions;
	size_t n_conditions;
	struct own_observer observer;
	struct own_answerer answerer;
	struct cancel cancel; /* serves one run after the other */
	atomic_bool stop_requested, is_busy;
	/* rondo's words and numbers; and the caller's while rondo works */
	locale_t locale, callers;

	/* api_run.c */
	enum team_stage stage;
	struct arena made, talk; /* what lives as long as the open run; as its last chat */
	struct scenario scenario;
	struct secrets secrets;
	struct context ctx;
	struct run run;
	struct run_report opened, report; /* as each chat begins, and of the last one */
	bool is_done;                     /* nothing is left for a chat */
	int n_chats;
	/* what it knew when a run had to be given up, as it is saved; NULL: nothing */
	char *kept;
	struct rondo_task_result task;
	struct rondo_result told; /* to the caller */
};

/* Nobody else is in; -1 where the team runs. Between them the thread has rondo's locale. */
int api_enter(struct rondo_team *team, const char *what, struct rondo_error *err);
void api_leave(struct rondo_team *team);

/* api_functions.c: the caller's functions as agents, conditions and members of a context. */
extern const struct agent_type own_agent_type;
void own_condition_init(struct own_condition *own, const char *name);
extern const struct termination_type stop_requested_type;
void own_observe(void *owner, const struct rondo_event *event);
const char *own_answer(void *owner, const char *question, int64_t deadline_ms, struct arena *arena,
	struct rondo_error *err);

/* What the team that was made knows, as JSON; the caller's. And take it up; on failure the team is
 * as before. */
char *api_save(struct rondo_team *team);
int api_load(struct rondo_team *team, const char *state, struct rondo_error *err);

/* api_run.c: make the components, where it is not made; let it speak; give all that was made up. */
int api_make(struct rondo_team *team, struct rondo_error *err);
int api_talk(struct rondo_team *team, const char *task, struct rondo_error *err);
void api_close(struct rondo_team *team);
