/*
 * A team: participants that speak in turns on one thread until a condition says stop. A type
 * says who speaks next, and how its turns count. What a team knows (thread, who is next, the state
 * of agents and conditions) survives a run: the next one continues there.
 */
#pragma once
#include <string.h>

#include "agents/agent.h"
#include "chat/budget.h"
#include "termination/termination.h"

/* The options of every team. */
struct team_options {
	struct option_refs participants; /* agents */
	struct option_specs termination; /* any of these */
	int64_t max_turns;               /* 0: no limit of its own */
	const char *on_stop;             /* "execute_then_stop", "stop_at_once" */
	bool grace_execution;
};

/* When a team stops, and what is still done then. What is borrowed may be absent. */
struct team_rules {
	struct termination *termination; /* borrowed; NULL: only max_turns stops */
	struct budget *budget;           /* borrowed. Once it is exhausted the chat stops */
	int max_turns;                   /* 0: no limit */
	bool stop_at_once; /* code in the message that ends the chat is not carried out first */
	bool no_grace;     /* at a limit, what was proposed last is not carried out */
};

/* Where a run of the team stands. */
enum team_phase {
	TEAM_STOPPED,  /* there is none, or it is over */
	TEAM_CHECKING, /* somebody had a turn, or the task was said: the conditions check it */
	TEAM_IDLE,     /* they have: the next participant speaks */
	TEAM_SPEAKING, /* a turn has begun */
	TEAM_STOPPING, /* it will stop: what was proposed last may have to be carried out */
	TEAM_GRACE,    /* a turn for that has begun */
	TEAM_ENDING,   /* only the reason is left to be reported */
};

/* Why a run stops, and what became of what was proposed last. */
struct team_stop {
	struct termination_reason reason;
	bool left_unexecuted; /* it was not carried out */
};

/* The value of the events that end a turn or the chat. */
struct team_end {
	bool was_cut; /* the turn, by a deadline of the conditions */
	bool stops;
	struct team_stop stop;
};

/* How far a run of the team has come: what team_apply changes. */
struct team_progress {
	enum team_phase phase;
	size_t first;            /* message of the thread */
	size_t unchecked;        /* the first message that the conditions have not seen */
	size_t said_before;      /* messages on the thread when the turn began */
	size_t passes;           /* in a row */
	int turn, counted_turns; /* of these, what max_turns counts */
	int64_t started_at_ms;
	size_t speaker; /* of this turn or the last */
	struct team_stop stop;
};

/*
 * What a participant answered, until the record has it. By then the participant has changed its
 * state, and code may have run, so a turn whose answer cannot be recorded is not taken again: the
 * answer waits, and the next run begins with it.
 */
struct team_answer {
	struct arena arena;
	struct response response;
	const char *state; /* of the participant, as the record holds it; NULL: none */
	size_t speaker;
	int turn;
	size_t n_said; /* of its messages: on record and on the thread */
	bool waits;
};

struct team {
	const struct team_type *type;
	struct agent *const *participants; /* borrowed */
	size_t n;
	struct team_rules rules;
	struct message_thread thread;
	size_t *seen; /* by participant: how much of the thread it knows */
	size_t next_speaker;
	size_t saved;                 /* how much of the thread the saves hold that were not of all */
	struct message_thread within; /* recalled before the message of who said it for them */
	struct team_answer answer;
	bool is_inner; /* its runs are turns of another team, whose record holds its state */
	struct team_progress progress;
};

struct team_type {
	const char *name;
	const char *summary;
	size_t size;          /* how many participants it has; 0: any number */
	size_t first_speaker; /* the place of the participant that speaks first */
	/* The place of the participant that speaks now. */
	size_t (*select_speaker)(const struct team *team);
	/* Optional: how much of its max_turns is used; else that is the turns in which something was
	 * said. */
	int (*turns_taken)(const struct team *team);
};

#define TEAM_SYMBOL(name) name##_team
#define TEAM_TYPES(_) _(round_robin), _(two_agent)
REGISTRY_DECLARE(struct team_type, team_types, TEAM_TYPES(TEAM_SYMBOL));
extern const struct option_family team_family;

/* Everybody in the order of the list: a type's select_speaker. */
size_t team_select_in_order(const struct team *team);

/* Whether a team of this type may have this many participants. */
int team_check_size(const struct team_type *type, size_t n, struct rondo_error *err);

/* The rules that the options give, without the conditions. */
struct team_rules team_rules_of(const struct team_options *options);

/* A team of at least one participant with names that differ. */
int team_new(const struct team_type *type, struct agent *const *participants, size_t n,
	const struct team_rules *rules, struct team **ret_team, struct rondo_error *err);

/* Say the task (there may be none), then let the participants speak until it stops. The result is
 * borrowed from the team. A participant that fails or is cancelled ends the run with its error: the
 * team stays usable, and the next run begins with that participant. */
int team_run(struct team *team, struct message_span task, struct rondo_task_result *result,
	const struct context *ctx, struct rondo_error *err);

/* Forget everything; reset participants and conditions. */
void team_reset(struct team *team);

void team_free(struct team *team);

/* --- State: team/state.c, and from the record of a run: team/recall.c --- */

/* Thread, who is next, participants and conditions: all, or what is new since the last save that
 * was not of all. */
struct json *team_save(struct team *team, bool all);

/* Load saves, in their order. The participants must be those of the team. If a save of all cannot
 * be loaded, the team is unchanged. */
int team_load(struct team *team, const struct json *from, struct rondo_error *err);

/* Apply one event that a run of this team recorded, in their order; other events are skipped. The
 * record must hold the whole task. If a turn begins twice, the first attempt came to nothing. */
int team_recall(struct team *team, const struct rondo_event *event, struct rondo_error *err);

/* Continue where the recalled events end, as team_run would have. A turn that had begun and came to
 * nothing is taken again. */
int team_resume(struct team *team, struct rondo_task_result *result, const struct context *ctx,
	struct rondo_error *err);

/* Inside team/: a run begins; one ends, or is given up. */
void team_begin(struct team *team);
void team_end(struct team *team);

/* What is recorded with a message. */
struct team_manner {
	int turn;
	const char *state; /* the speaker's, or NULL */
	bool within;       /* by another one than the speaker */
};

/* Record, apply, emit: in this order, so that what anybody has seen is on disk. */
int team_happen(struct team *team, struct rondo_event *event, const struct context *ctx,
	struct rondo_error *err);

/* Change the team as an event says, when it happens and when it is recalled. The end of a turn and
 * of the chat have a struct team_end as value. */
void team_apply(struct team *team, const struct rondo_event *event);

/* The event of a message. */
int team_say(struct team *team, const struct rondo_message *draft, const struct team_manner *manner,
	const struct context *ctx, struct rondo_error *err);

/* Say the messages of the answer. A pass waits for the end of the turn, which records it. */
int team_answer_say(struct team *team, const struct context *ctx, struct rondo_error *err);

/* Record what waits from a run that failed. */
int team_answer_catch_up(struct team *team, const struct context *ctx, struct rondo_error *err);

/* Tell an answer that was cut short: recorded and emitted, applied to nothing. Gives -1 with the
 * error of what was cancelled. */
int team_answer_cut(struct team *team, const struct context *ctx, struct rondo_error *err);

/* The record has it, or it is given up. */
void team_answer_close(struct team_answer *answer);

/* How many of its messages are not on the thread yet; and them as JSON into an array. */
size_t team_answer_left(const struct team *team);
size_t team_answer_save(const struct team *team, struct json *to);

/* Forget a turn that came to nothing. */
void team_drop_open_turn(struct team *team);

/* The place of the participant of that name; team->n: there is none. */
size_t team_find(const struct team *team, const char *name);

static inline bool team_is_marked(const struct rondo_event *event, const char *mark)
{
	return event->type == RONDO_EVENT_MESSAGE && event->text && strcmp(event->text, mark) == 0;
}

/* The text of the event where a team speaks and the message is by one within it. */
#define TEAM_WITHIN "within"
static inline bool team_is_within(const struct rondo_event *event)
{
	return team_is_marked(event, TEAM_WITHIN);
}

/* And where a program was cancelled: the message is told and in no thread, its turn is taken
 * again. */
#define TEAM_CUT "cut"
static inline bool team_is_cut(const struct rondo_event *event)
{
	return team_is_marked(event, TEAM_CUT);
}

/* A message of a participant itself, which ends its work. */
static inline bool team_is_answer(const struct rondo_event *event)
{
	return event->type == RONDO_EVENT_MESSAGE && !team_is_within(event) && !team_is_cut(event);
}
