/* The public API while a team runs: looking on, stopping, cancelling; what stays open between runs;
 * what is left alone. */
#include "tests/unit/api_fixture.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* --- Who looks on, and what may be called when --- */

struct watcher {
	struct rondo_team *team;
	int begun, bases, messages, stops_at;
	struct rondo_error refused[3];
	locale_t locale;
};

static void watch(void *owner, const struct rondo_event *event)
{
	struct watcher *self = owner;
	self->locale = uselocale((locale_t)0);
	self->begun += event->type == RONDO_EVENT_RUN_START;
	self->bases += event->type == RONDO_EVENT_BASE;
	if (event->type != RONDO_EVENT_MESSAGE)
		return;
	if (++self->messages == self->stops_at)
		rondo_team_stop(self->team);
	assert_int_equal(rondo_team_run(self->team, NULL, NULL, &self->refused[0]), -1);
	assert_int_equal(rondo_team_reset(self->team, &self->refused[1]), -1);
	assert_null(rondo_team_save(self->team, &self->refused[2]));
}

static void a_team_that_runs_does_nothing_else(void **state)
{
	(void)state;
	struct echo echoes[2];
	struct rondo_team *team = echo_team(echoes, 2);
	struct watcher watcher = {.team = team, .stops_at = 3};
	assert_ok(rondo_team_observe(team, watch, &watcher, &err));
	const struct rondo_result *result = run(team, "Echo.");
	assert_int_equal(result->task->n, 3);
	assert_int_equal(watcher.messages, 3);
	assert_int_equal(watcher.bases, 1);
	assert_string_equal(result->task->stop_reason, "External termination requested");
	assert_string_equal(result->task->stop_condition, "external");
	assert_int_equal(result->task->stop_kind, RONDO_STOP_STOPPED);
	assert_string_equal(watcher.refused[0].message,
		"the team is already running; it cannot run again until it has stopped");
	assert_string_equal(watcher.refused[1].message,
		"the team is already running; it cannot be reset until it has stopped");
	assert_string_equal(watcher.refused[2].message,
		"the team is already running; it cannot be saved until it has stopped");
	assert_ptr_equal(watcher.locale, LC_GLOBAL_LOCALE);
	assert_ptr_equal(uselocale((locale_t)0), LC_GLOBAL_LOCALE);
	rondo_team_free(team);
}

static void what_is_asked_between_runs_is_for_the_next_one(void **state)
{
	(void)state;
	struct echo self;
	struct rondo_team *team = echo_team(&self, 1);
	assert_ok(rondo_team_set(team, "team.max_turns", "2", &err));
	rondo_team_stop(team);
	ASSERT_SOURCES(run(team, "Echo."), "user");
	rondo_team_cancel(team);
	rondo_team_cancel(team);
	assert_int_equal(rondo_team_run(team, NULL, NULL, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	ASSERT_SOURCES(run(team, NULL), "agent_1", "agent_1");
	rondo_team_cancel(team);
	assert_ok(rondo_team_reset(team, &err));
	ASSERT_SOURCES(run(team, "Echo."), "user", "agent_1", "agent_1");
	rondo_team_free(team);
}

/* Works until the run is cancelled. */
struct worker {
	pthread_mutex_t lock;
	pthread_cond_t started;
	bool is_at_work;
};

static int work(void *owner, const struct rondo_message *const *unseen, size_t n,
	struct rondo_reply *reply, struct rondo_error *error)
{
	struct worker *self = owner;
	(void)unseen, (void)n;
	pthread_mutex_lock(&self->lock);
	self->is_at_work = true;
	pthread_cond_signal(&self->started);
	pthread_mutex_unlock(&self->lock);
	while (!rondo_reply_is_cancelled(reply))
		sched_yield();
	return rondo_error_set(error, RONDO_ERROR_INTERNAL, "interrupted");
}

struct waiting_cancel {
	struct worker worker;
	struct rondo_team *team;
};

static void *cancel_at_work(void *owner)
{
	struct waiting_cancel *self = owner;
	pthread_mutex_lock(&self->worker.lock);
	while (!self->worker.is_at_work)
		pthread_cond_wait(&self->worker.started, &self->worker.lock);
	pthread_mutex_unlock(&self->worker.lock);
	rondo_team_cancel(self->team);
	return NULL;
}

static void another_thread_can_cancel(void **state)
{
	(void)state;
	struct waiting_cancel self = {
		.worker = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false}, .team = new_team()};
	struct rondo_agent agent = {.size = sizeof agent, .on_messages = work, .owner = &self.worker};
	pthread_t thread;
	assert_ok(rondo_team_add_own_agent(self.team, "worker", &agent, &err));
	assert_int_equal(pthread_create(&thread, NULL, cancel_at_work, &self), 0);
	assert_int_equal(rondo_team_run(self.team, "Work.", NULL, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	pthread_join(thread, NULL);
	rondo_team_free(self.team);
}

static struct rondo_team *of_the_handler;

static void on_signal(int number)
{
	(void)number;
	rondo_team_cancel(of_the_handler);
}

static void raise_signal(void *owner, const struct rondo_event *event)
{
	(void)owner;
	if (event->type == RONDO_EVENT_TURN_START && event->turn == 3)
		raise(SIGUSR1);
}

static void a_signal_handler_can_cancel(void **state)
{
	(void)state;
	struct echo self;
	struct sigaction action = {.sa_handler = on_signal}, before;
	of_the_handler = echo_team(&self, 1);
	sigaction(SIGUSR1, &action, &before);
	assert_ok(rondo_team_observe(of_the_handler, raise_signal, NULL, &err));
	assert_int_equal(rondo_team_run(of_the_handler, "Echo.", NULL, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	assert_int_equal(self.turns, 2);
	sigaction(SIGUSR1, &before, NULL);
	rondo_team_free(of_the_handler);
}

static void cancel_at_output(void *owner, const struct rondo_event *event)
{
	if (event->type == RONDO_EVENT_CHUNK && strstr(event->text, "ready"))
		rondo_team_cancel(owner);
}

/* It is taken again, and finds all as it was before it. */
static void a_cancelled_block_leaves_no_file(void **state)
{
	(void)state;
	char reply[2 * TOP_SIZE + 256];
	struct rondo_team *team = new_team();
	snprintf(reply, sizeof reply,
		"{replay: {replies: [\"```sh\\nls\\nif [ -e %s/again ]; then exit; fi\\n"
		": >%s/again\\n: >made\\necho ready\\nsleep 100\\n```\", TERMINATE]}}",
		api_top, api_top);
	assert_ok(rondo_team_add_model(team, "said", reply, &err));
	assert_ok(rondo_team_add_agent(team, "coder", "{type: coder, model: said}", &err));
	assert_ok(rondo_team_add_agent(team, "runs", "executor", &err));
	assert_ok(rondo_team_add_condition(team, "{text_mention: TERMINATE}", &err));
	assert_ok(rondo_team_set(team, "executor.type", "local", &err));
	assert_ok(rondo_team_observe(team, cancel_at_output, team, &err));
	assert_int_equal(rondo_team_run(team, "Make a file.", NULL, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	const struct rondo_result *result = run(team, NULL);
	ASSERT_SOURCES(result, "runs", "coder");
	assert_null(strstr(result->task->messages[0]->content, "made"));
	rondo_team_free(team);
}

static void a_time_limit_is_each_runs_own(void **state)
{
	(void)state;
	struct worker worker = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
	struct rondo_team *team = new_team();
	struct rondo_agent agent = {.size = sizeof agent, .on_messages = work, .owner = &worker};
	assert_ok(rondo_team_add_own_agent(team, "worker", &agent, &err));
	assert_ok(rondo_team_set(team, "limits.time", "50ms", &err));
	for (int i = 0; i < 2; i++) {
		const struct rondo_result *result = run(team, i ? NULL : "Work.");
		assert_string_equal(result->outcome, "stopped");
		assert_string_equal(result->task->stop_condition, "time_limit");
		assert_int_equal(result->task->stop_kind, RONDO_STOP_LIMIT);
		assert_int_equal(result->task->n, i ? 0 : 1);
	}
	rondo_team_free(team);
}

/* --- A site that stays --- */

static int open_descriptors(void)
{
	int n = 0;
	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Each run adds a line to a file that the runs before it left. */
static void ten_runs_share_one_sandbox(void **state)
{
	(void)state;
	struct rondo_team *team = new_team();
	struct watcher watcher = {.team = team};
	char replies[4096] = "";
	for (int i = 0; i < 10; i++)
		strcat(replies, "\"```sh\\necho x >>lines\\nwc -l <lines\\n```\", ");
	char model[sizeof replies + 64];
	snprintf(model, sizeof model, "{replay: {replies: [%s]}}", replies);
	assert_ok(rondo_team_add_model(team, "said", model, &err));
	assert_ok(rondo_team_add_agent(team, "coder", "{type: coder, model: said}", &err));
	assert_ok(rondo_team_add_agent(team, "runs", "executor", &err));
	assert_ok(rondo_team_set(
		team, NULL, "{executor: local, team: {participants: [coder, runs], max_turns: 2}}", &err));
	assert_ok(rondo_team_observe(team, watch, &watcher, &err));
	int descriptors = 0;
	for (int i = 0; i < 10; i++) {
		char expected[100];
		const struct rondo_result *result = run(team, "One more line.");
		snprintf(expected, sizeof expected,
			"exitcode: 0 (execution succeeded)\n"
			"Code output: %d\n"
			"Files written: lines\n",
			i + 1);
		assert_string_equal(result->task->messages[2]->content, expected);
		assert_non_null(strstr(result->patch, "+++ b/lines"));
		if (!i)
			descriptors = open_descriptors();
		assert_int_equal(open_descriptors(), descriptors);
	}
	assert_int_equal(watcher.begun, 1);
	assert_int_equal(watcher.bases, 1);
	rondo_team_free(team);
}

/* What belongs to the whole process, and so to the program. */
struct process_state {
	void (*handlers[NSIG])(int);
	sigset_t mask;
	mode_t umask;
	char cwd[4096], locale[64];
};

static void look_at_process(struct process_state *state)
{
	memset(state, 0, sizeof *state);
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action = {.sa_handler = NULL};
		sigaction(number, NULL, &action);
		state->handlers[number] = action.sa_handler;
	}
	pthread_sigmask(SIG_SETMASK, NULL, &state->mask);
	umask(state->umask = umask(0));
	assert_non_null(getcwd(state->cwd, sizeof state->cwd));
	snprintf(state->locale, sizeof state->locale, "%s", setlocale(LC_ALL, NULL));
}

static void the_process_is_left_alone(void **state)
{
	(void)state;
	struct process_state before, after;
	struct rondo_team *team = new_team();
	int status;
	assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
	umask(027);
	look_at_process(&before);
	pid_t child = fork();
	if (child == 0)
		_exit(7);
	assert_ok(rondo_team_add_model(
		team, "said", "{replay: {replies: [\"```sh\\necho x\\n```\"]}}", &err));
	assert_ok(rondo_team_add_agent(team, "coder", "coder/said", &err));
	assert_ok(rondo_team_add_agent(team, "runs", "executor", &err));
	assert_ok(rondo_team_set(
		team, NULL, "{executor: local, team: {participants: [coder, runs], max_turns: 2}}", &err));
	assert_int_equal(run(team, "Run.")->task->n, 3);
	rondo_team_free(team);
	look_at_process(&after);
	assert_memory_equal(&after, &before, sizeof before);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 7);
	setlocale(LC_ALL, "C");
	umask(022);
}

static void a_site_that_does_not_open_can_be_mended(void **state)
{
	(void)state;
	struct echo self;
	struct rondo_team *team = echo_team(&self, 1);
	assert_ok(rondo_team_set(
		team, NULL, "{workspace: {copy: nowhere}, executor: local, agents: {x: executor}}", &err));
	assert_ok(rondo_team_set(team, "team", "{participants: [agent_1, x], max_turns: 1}", &err));
	assert_refused(rondo_team_run(team, "Echo.", NULL, &err),
		"workspace.copy: 'nowhere': No such file or directory");
	mkdir("somewhere", 0755);
	assert_ok(rondo_team_set(team, "workspace.copy", "somewhere", &err));
	ASSERT_SOURCES(run(team, "Echo."), "user", "agent_1");
	rondo_team_free(team);
}

/* --- A journal that cannot be written for a while --- */

/* The journal of the one team that is open. */
static rlim_t journal_size(void)
{
	char at[64], path[TOP_SIZE + 256];
	struct stat status;
	for (int fd = 0; fd < 1000; fd++) {
		snprintf(at, sizeof at, "/proc/self/fd/%d", fd);
		ssize_t n = readlink(at, path, sizeof path - 1);
		path[n > 0 ? n : 0] = '\0';
		if (strstr(path, "/journal.jsonl") && fstat(fd, &status) == 0)
			return (rlim_t)status.st_size;
	}
	fail_msg("no journal is open");
	return 0;
}

/* Files grow no further than the journal has come, as on a full disk. */
static void fill_disk(void)
{
	struct rlimit limit;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = journal_size();
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void free_disk(void)
{
	struct rlimit limit;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static int fill_in_turn(void *owner, const struct rondo_message *const *unseen, size_t n,
	struct rondo_reply *reply, struct rondo_error *error)
{
	int *turns = owner;
	(void)unseen, (void)n, (void)error;
	rondo_reply_text(reply, ++*turns == 2 ? "second" : "another");
	if (*turns == 2)
		fill_disk();
	return 0;
}

static void an_answer_that_cannot_be_recorded_comes_first_in_the_next_run(void **state)
{
	(void)state;
	int turns = 0;
	struct rondo_team *team = new_team();
	struct rondo_agent agent = {.size = sizeof agent, .on_messages = fill_in_turn, .owner = &turns};
	signal(SIGXFSZ, SIG_IGN);
	assert_ok(rondo_team_add_own_agent(team, "worker", &agent, &err));
	assert_ok(rondo_team_add_condition(team, "{text_mention: second}", &err));
	assert_int_equal(rondo_team_run(team, "Work.", NULL, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	assert_int_equal(rondo_team_run(team, NULL, NULL, &err), -1);
	free_disk();
	const struct rondo_result *result = run(team, NULL);
	ASSERT_SOURCES(result, "worker");
	assert_string_equal(result->task->messages[0]->content, "second");
	assert_string_equal(result->task->stop_reason, "Text 'second' mentioned");
	assert_int_equal(turns, 2);
	rondo_team_free(team);
}

UNIT(api_control)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_team_that_runs_does_nothing_else),
		cmocka_unit_test(what_is_asked_between_runs_is_for_the_next_one),
		cmocka_unit_test(an_answer_that_cannot_be_recorded_comes_first_in_the_next_run),
		cmocka_unit_test(another_thread_can_cancel),
		cmocka_unit_test(a_signal_handler_can_cancel),
		cmocka_unit_test(a_cancelled_block_leaves_no_file),
		cmocka_unit_test(a_time_limit_is_each_runs_own),
		cmocka_unit_test(ten_runs_share_one_sandbox),
		cmocka_unit_test(the_process_is_left_alone),
		cmocka_unit_test(a_site_that_does_not_open_can_be_mended),
	};
	return RUN_API_TESTS(tests);
}
