/*
 * rondo: turn a red test suite green by a round-robin group chat.
 *
 * The data that rondo's parts exchange, and the calls by which a program builds a team of agents,
 * runs it and has a repository fixed. Compile and link by pkg-config rondo; rondo(3) is the
 * overview.
 *
 * Ownership: what a program gives is copied; what it gets lives as long as is said there, and what
 * reaches it through a callback until the callback returns. Every string is UTF-8, NUL-terminated.
 * Durations end in _ms, sizes are bytes. Functions return 0, or -1 with `err` (never NULL) filled
 * in; outputs are then untouched.
 *
 * Threads: a team belongs to one thread at a time; two teams in two threads have nothing to do with
 * each other. What may be called while the team runs in another thread says so. The library prints
 * nothing, never exits (it aborts where memory runs out), handles no signals, and needs no call
 * before the first. It reads the environment as rondo(1) does: keys (NAME_API_KEY), HOME,
 * XDG_*_HOME.
 *
 * Structs grow at their end only. Those that the library fills it makes as well; those that the
 * program fills begin with their size, but for rondo_message, of which only what is named is read;
 * and rondo_error stays as it is.
 */
#ifndef RONDO_H
#define RONDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* What a caller can do about a failure; each has an exit code of its own. */
enum rondo_error_code {
	RONDO_ERROR_NONE,
	RONDO_ERROR_USAGE,        /* exit 2: a wrong option, path or setting */
	RONDO_ERROR_CANNOT_JUDGE, /* exit 3: no sandbox, suite does not run */
	RONDO_ERROR_TRANSIENT,    /* exit 75: disk full, provider down */
	RONDO_ERROR_CANCELLED,    /* exit 130 or 143 */
	RONDO_ERROR_INTERNAL,     /* exit 3: a bug in rondo */
};

/* `message`: what was found and where; `help`: the command that mends it, or "". */
struct rondo_error {
	enum rondo_error_code code;
	char message[1024];
	char help[512];
};

enum rondo_message_type {
	RONDO_MESSAGE_TEXT,
	RONDO_MESSAGE_CODE_EXECUTION,
	RONDO_MESSAGE_EDIT,
	RONDO_MESSAGE_TEST_REPORT,
	RONDO_MESSAGE_HANDOFF,
	RONDO_MESSAGE_STOP,
};

/* What a model charged for one message; all 0 where no model spoke. The first two are sums, of
 * which the others are parts. */
struct rondo_usage {
	int64_t prompt_tokens;
	int64_t completion_tokens;
	int64_t cached_tokens;        /* of the prompt's: from the provider's cache */
	int64_t cache_written_tokens; /* of the prompt's: taken into it */
	int64_t reasoning_tokens;     /* of the completion's: thought, and not said */
	int64_t lost_tokens;          /* of both: of replies that broke off; in part estimated */
};

/* One thing said in the chat. `content` is for people, `data` (JSON, or NULL) for agents. */
struct rondo_message {
	int64_t id; /* 1, 2, 3 ... within a thread */
	enum rondo_message_type type;
	const char *source; /* the agent's name, or "user" for the task */
	const char *content;
	const char *data;
	struct rondo_usage models_usage;
	int64_t created_at_ms; /* since 1970, UTC */
	const void *parsed;    /* the library's own: leave it as it is */
};

enum rondo_event_type {
	RONDO_EVENT_RUN_START, /* text: the run's id; data: where it was begun, time_ms */
	RONDO_EVENT_BASE,      /* text: what the base is; data: base, suite, executor, participants */
	RONDO_EVENT_BASELINE,  /* text: counts; data: the failing ids */
	/* source: who speaks; turn; data: what the conditions made of the task */
	RONDO_EVENT_TURN_START,
	RONDO_EVENT_MODEL_REQUEST, /* source: the model; data: hash of what it is asked */
	/* source: the model; text: what it says; data: hash of the request, usage */
	RONDO_EVENT_MODEL_REPLY,
	RONDO_EVENT_QUESTION, /* source: who asks; text: what a human is asked */
	/* source: who searched for an edit; text: what was tried; data: tried, ms, warm, fixed, and
	 * where it looked: places, files */
	RONDO_EVENT_SEARCH,
	/* message; turn, 0 for the task; data: the speaker's state; text: "within" if the speaker is a
	 * team and one of its agents has sent this, "cut" if a program was cancelled and the turn will
	 * be taken again: then the message is in no result */
	RONDO_EVENT_MESSAGE,
	RONDO_EVENT_TURN_END, /* turn; data: the conditions' state; the speaker's, where it passed */
	RONDO_EVENT_STOP,     /* text: why the chat stops; data: condition, stop_kind, message */
	/* text: what is done just now; data: done and total, where it is known how much there is; never
	 * recorded */
	RONDO_EVENT_PROGRESS,
	RONDO_EVENT_NOTICE,  /* text: something the user should know */
	RONDO_EVENT_VERDICT, /* text: verified, or why not; data: the evidence */
	RONDO_EVENT_RUN_END, /* text: the reason as a word */
	RONDO_EVENT_RESUME,  /* text: from where a run that broke off continues */
	/* source: the model or the agent whose words come; text: the next piece; data: from, "model" or
	 * "program"; at, how many bytes came before it: 0 where the text begins, also anew. It is a
	 * preview of the reply or message that has all of it: of a flood not all is told. Never
	 * recorded */
	RONDO_EVENT_CHUNK,
	/* of several attempts: one has ended; text: what came of it; data: so, too, and what it took */
	RONDO_EVENT_ATTEMPT,
};

/* Something that happened; members that do not apply are NULL or 0. */
struct rondo_event {
	enum rondo_event_type type;
	int turn;         /* from 1 */
	const char *team; /* within which agent that is a team itself; NULL: the run's own team */
	const char *source;
	const char *text;
	const char *data; /* JSON */
	const struct rondo_message *message;
	const void *value; /* rondo's own: what `data` says, as a struct */
	int attempt;       /* which of several attempts it is of, from 1; 0: there is one */
};

/* Why a chat stopped, the worst last. */
enum rondo_stop_kind {
	RONDO_STOP_SUCCESS,
	RONDO_STOP_LIMIT,
	RONDO_STOP_STALL,
	RONDO_STOP_STOPPED,
};

/* What a team's run came to. Borrowed from the team's thread. */
struct rondo_task_result {
	const struct rondo_message *const *messages;
	size_t n;
	const char *stop_reason;    /* in words */
	const char *stop_condition; /* the condition's type, "max_turns", "budget" or "silence" */
	const struct rondo_message *stop_message; /* that made the condition fire; NULL: none did */
	enum rondo_stop_kind stop_kind;
	bool left_unexecuted; /* the last code or edit that was proposed was not carried out */
	struct rondo_usage usage;
	int64_t duration_ms;
};

/* The library's version, such as "0.1.0"; static. From any thread. */
const char *rondo_version(void);

/* --- Building a team ---
 *
 * A team is described in the words of a scenario file (rondo-scenario(5), `rondo help TYPE`), as
 * YAML or JSON, on top of the user's configuration. It can be run any number of times.
 *
 * Example:
 *	int main(void)
 *	{
 *		struct rondo_error err;
 *		const struct rondo_result *result;
 *		struct rondo_team *team = rondo_team_new(&err);
 *		if (!team || rondo_team_add_model(team, "said",
 *				"{replay: {replies: [Hello., Good-bye. DONE]}}", &err) < 0 ||
 *			rondo_team_add_agent(team, "writer", "{type: coder, model: said}", &err) < 0 ||
 *			rondo_team_add_condition(team, "{text_mention: DONE}", &err) < 0 ||
 *			rondo_team_set(team, "team.max_turns", "8", &err) < 0 ||
 *			rondo_team_run(team, "Say hello, then good-bye.", &result, &err) < 0)
 *			fprintf(stderr, "%s\n", err.message);
 *		else
 *			printf("%s after %d messages\n", result->task->stop_reason, (int)result->task->n);
 *		rondo_team_free(team);
 *		return 0;
 *	}
 */
struct rondo_team;

/* An empty team; release it with rondo_team_free. NULL with err set: no descriptors are left
 * (RONDO_ERROR_TRANSIENT). From any thread. */
struct rondo_team *rondo_team_new(struct rondo_error *err);

/* Release a team, its checkouts and sandboxes, and all that was borrowed from it. It must not be
 * running. NULL is fine. */
void rondo_team_free(struct rondo_team *team);

/* Each of the following describes a part of the team and checks it at once. An error
 * (RONDO_ERROR_USAGE) says what was found where in the text, and what was meant; the team is then
 * unchanged. They are for a team that has not been run, loaded or saved yet. */

/* Take over what a scenario file says; relative paths in it begin where it lies. */
int rondo_team_read(struct rondo_team *team, const char *path, struct rondo_error *err);

/* A model for the agents to name: "{openai: {model: gpt-5-mini}}", "{replay: {replies: [...]}}". An
 * agent may also name one that nothing declares, as openai/gpt-5-mini. */
int rondo_team_add_model(
	struct rondo_team *team, const char *name, const char *model, struct rondo_error *err);

/* An agent, by its type and options, as the next participant: "executor",
 * "{type: coder, model: x}". */
int rondo_team_add_agent(
	struct rondo_team *team, const char *name, const char *agent, struct rondo_error *err);

/* One more condition that stops the team: "{text_mention: DONE}", "tests_pass", "{and: [...]}". */
int rondo_team_add_condition(
	struct rondo_team *team, const char *condition, struct rondo_error *err);

/* Any other key of a scenario file: ("workspace.copy", "src"), ("executor.type", "local"),
 * ("limits.cost", "0.50"). `value` is YAML or JSON. `key` NULL: it is a section of such keys, each
 * in place of what is said by now: a scenario as a text. */
int rondo_team_set(
	struct rondo_team *team, const char *key, const char *value, struct rondo_error *err);

/* The same with a text as it is, such as a prompt: no YAML, no {{parameters}}. */
int rondo_team_set_text(
	struct rondo_team *team, const char *key, const char *text, struct rondo_error *err);

/* Make the team that rondo fix would at `path`: a directory in a repository, or one program. It has
 * its agents. It takes the keys of rondo's configuration files (test, protect, model, limits ...),
 * output, allow_edit and executor. */
int rondo_team_fix(struct rondo_team *team, const char *path, struct rondo_error *err);

/* --- Agents and conditions of one's own ---
 *
 * Their functions are called in the thread that runs the team, one at a time, and may call no
 * function of the team but rondo_team_cancel and rondo_team_stop. `owner` is handed to each;
 * `close` is called once, by rondo_team_free. A member that is not needed is NULL.
 *
 * Example:
 *	static int echo(void *owner, const struct rondo_message *const *unseen, size_t n,
 *		struct rondo_reply *reply, struct rondo_error *err)
 *	{
 *		(void)owner;
 *		if (!n)
 *			return rondo_error_set(err, RONDO_ERROR_USAGE, "nobody said anything");
 *		rondo_reply_text(reply, unseen[n - 1]->content);
 *		return 0;
 *	}
 *
 *	int main(void)
 *	{
 *		struct rondo_error err;
 *		const struct rondo_result *result;
 *		struct rondo_agent agent = {sizeof agent, echo, NULL, NULL, NULL, NULL, NULL};
 *		struct rondo_team *team = rondo_team_new(&err);
 *		if (!team || rondo_team_add_own_agent(team, "echo", &agent, &err) < 0 ||
 *			rondo_team_set(team, "team.max_turns", "1", &err) < 0 ||
 *			rondo_team_run(team, "Is there anybody?", &result, &err) < 0)
 *			fprintf(stderr, "%s\n", err.message);
 *		else
 *			printf("%s\n", result->task->messages[1]->content);
 *		rondo_team_free(team);
 *		return 0;
 *	}
 */

/* What an agent, a condition or a person answers: for the callback that is given it to fill in. */
struct rondo_reply;

/* Answer with a text, which is copied; the last one counts. What is no UTF-8 in it is replaced. */
void rondo_reply_text(struct rondo_reply *reply, const char *text);

/* Answer, as an agent, with a message: its type, content, data (JSON, or NULL) and models_usage are
 * copied. -1 where the data is no JSON, the type means nothing to others without data, or the usage
 * has counts below 0 or parts that are larger than the whole. */
int rondo_reply_message(
	struct rondo_reply *reply, const struct rondo_message *message, struct rondo_error *err);

/* Whether the run was cancelled, or its time is over: whoever works long should look, and
 * return. */
bool rondo_reply_is_cancelled(const struct rondo_reply *reply);

/* Fill in an error, cut to what fits; returns -1, for a return statement. From any thread. */
int rondo_error_set(struct rondo_error *err, enum rondo_error_code code, const char *message);

struct rondo_agent {
	size_t size; /* sizeof(struct rondo_agent) */
	/* Mandatory: speak, knowing the n messages that others said since its last turn.
	 * Returning 0 without an answer passes; -1 with err ends the run: then the same messages
	 * come again. */
	int (*on_messages)(void *owner, const struct rondo_message *const *unseen, size_t n,
		struct rondo_reply *reply, struct rondo_error *err);
	/* Forget everything said. */
	void (*on_reset)(void *owner);
	/* What it has to remember, as any text, by malloc(); NULL: nothing. And take it up
	 * again. */
	char *(*save)(void *owner);
	int (*load)(void *owner, const char *state, struct rondo_error *err);
	void (*close)(void *owner);
	void *owner;
};

/* An agent of the caller's, as the next participant. On failure `owner` stays the caller's to
 * close. */
int rondo_team_add_own_agent(struct rondo_team *team, const char *name,
	const struct rondo_agent *agent, struct rondo_error *err);

struct rondo_condition {
	size_t size; /* sizeof(struct rondo_condition) */
	/* Mandatory: 1 to stop, 0 to continue, having seen the n messages said since its last look,
	 * the task among them; after an agent that passed there are none. -1 with err ends the run.
	 * rondo_reply_text says why it stops, in place of "Functional termination condition met". */
	int (*check)(void *owner, const struct rondo_message *const *delta, size_t n,
		struct rondo_reply *why, struct rondo_error *err);
	/* Reset: a run of the team ended, or the team was reset. */
	void (*on_reset)(void *owner);
	void (*close)(void *owner);
	void *owner;
	enum rondo_stop_kind stop_kind; /* what it means that it stops the team */
};

/* A condition that is the caller's; stop_condition says `name`. On failure `owner` stays the
 * caller's to close. */
int rondo_team_add_own_condition(struct rondo_team *team, const char *name,
	const struct rondo_condition *condition, struct rondo_error *err);

/* --- Looking on, answering, stopping --- */

/* Tell of each event, in the thread that runs the team; of PROGRESS also in a thread of rondo's,
 * while that one waits. NULL: nobody. */
int rondo_team_observe(struct rondo_team *team,
	void (*observe)(void *owner, const struct rondo_event *event), void *owner,
	struct rondo_error *err);

/* An event as one line of JSON without its newline, as rondo run --json prints it; the caller's to
 * free(). From any thread. */
char *rondo_event_json(const struct rondo_event *event);

/* Who answers what agents ask a human, in the thread that runs the team: by rondo_reply_text;
 * returning 0 without it, nobody does; -1 with err ends the run. timeout_ms: how long that may
 * take, 0: as long as it likes. NULL: there is no human. */
int rondo_team_answer(struct rondo_team *team,
	int (*answer)(void *owner, const char *question, int64_t timeout_ms, struct rondo_reply *reply,
		struct rondo_error *err),
	void *owner, struct rondo_error *err);

/* End the run at once, also during a turn: it returns -1 with RONDO_ERROR_CANCELLED, and the
 * team can run again. If none is running, the next one ends so. From any thread, and
 * from signal handlers. */
void rondo_team_cancel(struct rondo_team *team);

/* Stop the run when the turn is over, with a result whose stop_condition is "external". If none
 * is running, the next one stops. From any thread, and from signal handlers. */
void rondo_team_stop(struct rondo_team *team);

/* --- Running it --- */

/* What a run came to. Members that do not apply are NULL or 0. */
struct rondo_result {
	/* what was said; NULL: nobody spoke, since nothing fails */
	const struct rondo_task_result *task;
	/* a word, as report.json has it: "done", "stopped", "verified", "not_fixed" ... */
	const char *outcome;
	int exit_code;         /* what rondo would exit with; 0: it came to what was wanted */
	const char *reason;    /* in words, where it did not */
	const char *summary;   /* of what was said */
	const char *run, *dir; /* its id for rondo show, and where its journal and report are kept */
	const char *branch, *commit; /* the verified fix */
	const char *patch;           /* what was changed, as git apply takes it */
	size_t patch_length;
	const char *files;  /* the directory of what was written outside a repository */
	double cost_usd;    /* of models, by now; below 0: not wholly known */
	const char *report; /* all of it and more, as JSON */
};

/* Say the task (NULL: the team's own, at first; then nothing) and let the agents speak
 * until a condition stops them; where there is a suite, judge what came of it. The next run
 * continues with the same thread, files and sandbox, and with whoever is next. `ret_result` may be
 * NULL; it lives until the team's next run, load or reset. Limits of time are each run's, those of
 * money and tokens all runs'. Errors: as each has its code; a team that is running already is
 * RONDO_ERROR_USAGE. After an error the next run continues; it begins with what an agent said and
 * the journal could not take. */
int rondo_team_run(struct rondo_team *team, const char *task,
	const struct rondo_result **ret_result, struct rondo_error *err);

/* Forget everything said: agents and conditions are reset, the first participant is next, a model
 * of the provider replay begins again. Files stay as they are. */
int rondo_team_reset(struct rondo_team *team, struct rondo_error *err);

/* What was said, who is next, and what agents and conditions remember, as JSON; the caller's to
 * free(). NULL with err set. Files and what was spent are not in it. */
char *rondo_team_save(struct rondo_team *team, struct rondo_error *err);

/* Take up such a state, in place of the team's own. Where it is none, or one of a team with other
 * participants, the team is as before. */
int rondo_team_load(struct rondo_team *team, const char *state, struct rondo_error *err);

/* Fix a repository, or one program, in one call: rondo_team_fix, what `options` says (NULL:
 * nothing; as rondo_team_set takes it with a key of NULL), and a run. The result is the caller's,
 * for rondo_result_free. From any thread, and from several at a time.
 *
 * Example:
 *	static void tell(void *owner, const struct rondo_event *event)
 *	{
 *		(void)owner;
 *		if (event->type == RONDO_EVENT_MESSAGE)
 *			printf("%s: %s\n", event->message->source, event->message->content);
 *	}
 *
 *	int main(int argc, char **argv)
 *	{
 *		struct rondo_error err;
 *		struct rondo_result *result;
 *		if (argc < 2)
 *			return 0;
 *		if (rondo_fix(argv[1], "{test: make check, limits: {repair: 60s}}", tell, NULL, &result,
 *				&err) < 0) {
 *			fprintf(stderr, "%s\n", err.message);
 *			return 1;
 *		}
 *		printf("%s\n", result->branch ? result->branch : result->outcome);
 *		rondo_result_free(result);
 *		return 0;
 *	}
 */
int rondo_fix(const char *path, const char *options,
	void (*observe)(void *owner, const struct rondo_event *event), void *owner,
	struct rondo_result **ret_result, struct rondo_error *err);

/* Of rondo_fix. NULL is fine. */
void rondo_result_free(struct rondo_result *result);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
