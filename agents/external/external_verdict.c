/*
 * What programs in the box ask of the gate while their agent has its turn: whether what it did so
 * far is proven. One judgement at a time, so many in a turn; it ends with the turn. Its events and
 * the agent's come from two threads, so a lock lies around them.
 */
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "agents/external/external.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

#define SOCKET_AT "/run/rondo/mcp"
#define PROGRAM_AT "/run/rondo/rondo"
#define VARIABLE "RONDO_MCP_SOCKET"
#define WHY "to ask rondo for a verdict"

struct external_verdicts {
	struct agent *agent;
	const struct verdict_server *server;
	struct verdict_asker asker;
	struct verdict_listener *listener;
	const char *socket_at, *program_at; /* as the box's programs see them */
	pthread_mutex_t events;             /* around those of the turn */
	struct context ctx;                 /* of the turn */
	pthread_mutex_t lock;               /* of what follows */
	pthread_cond_t changed;
	const struct external_tree *tree; /* NULL: it is not the agent's turn */
	int64_t n_asked;                  /* in this turn */
	bool is_judging;
	struct cancel cancel; /* of the judgement */
	int64_t heard_ms;     /* when the last judgement ended */
};

/* --- Its turn --- */

static int verdicts_record(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	struct external_verdicts *verdicts = owner;
	pthread_mutex_lock(&verdicts->events);
	int status = verdicts->ctx.record.call(verdicts->ctx.record.owner, event, err);
	pthread_mutex_unlock(&verdicts->events);
	return status;
}

static void verdicts_emit(void *owner, const struct rondo_event *event)
{
	struct external_verdicts *verdicts = owner;
	pthread_mutex_lock(&verdicts->events);
	verdicts->ctx.emit.call(verdicts->ctx.emit.owner, event);
	pthread_mutex_unlock(&verdicts->events);
}

static struct context verdicts_context(struct external_verdicts *verdicts)
{
	struct context ctx = verdicts->ctx;
	if (ctx.record.call)
		ctx.record = (struct context_record){verdicts_record, verdicts};
	if (ctx.emit.call)
		ctx.emit = (struct context_emit){verdicts_emit, verdicts};
	return ctx;
}

struct context external_verdicts_begin(
	struct external_verdicts *verdicts, const struct external_tree *tree, const struct context *ctx)
{
	if (!verdicts)
		return *ctx;
	pthread_mutex_lock(&verdicts->lock);
	verdicts->ctx = *ctx;
	verdicts->tree = tree;
	verdicts->n_asked = 0;
	struct context inner = verdicts_context(verdicts);
	pthread_mutex_unlock(&verdicts->lock);
	return inner;
}

void external_verdicts_end(struct external_verdicts *verdicts)
{
	if (!verdicts)
		return;
	pthread_mutex_lock(&verdicts->lock);
	verdicts->tree = NULL;
	if (verdicts->is_judging)
		cancel_fire(&verdicts->cancel, SIGTERM);
	while (verdicts->is_judging)
		pthread_cond_wait(&verdicts->changed, &verdicts->lock);
	pthread_mutex_unlock(&verdicts->lock);
}

int64_t external_verdicts_heard_ms(struct external_verdicts *verdicts)
{
	if (!verdicts)
		return 0;
	pthread_mutex_lock(&verdicts->lock);
	int64_t heard_ms = verdicts->is_judging ? clock_now_ms() : verdicts->heard_ms;
	pthread_mutex_unlock(&verdicts->lock);
	return heard_ms;
}

/* --- A judgement --- */

/* The lock is held. */
static int verdicts_admit(
	struct external_verdicts *verdicts, const struct cancel *gone, struct rondo_error *err)
{
	int64_t most = external_settings_of(verdicts->agent)->verdicts;
	if (!verdicts->tree)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"this is not the turn of '%s': ask again when it is", verdicts->agent->name);
	if (verdicts->is_judging)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"a judgement that was asked for goes on: ask again when it has ended");
	if (verdicts->n_asked >= most)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"this turn has had its %" PRId64
			" verdict%s: end it, and the tester says what still fails",
			most, text_plural((size_t)most));
	if (cancel_init(&verdicts->cancel, gone, 0, err) < 0)
		return -1;
	verdicts->is_judging = true;
	verdicts->n_asked++;
	return 0;
}

static void verdicts_settle(struct external_verdicts *verdicts)
{
	pthread_mutex_lock(&verdicts->lock);
	cancel_release(&verdicts->cancel);
	verdicts->is_judging = false;
	verdicts->heard_ms = clock_now_ms();
	pthread_cond_broadcast(&verdicts->changed);
	pthread_mutex_unlock(&verdicts->lock);
}

/* The turn, and with it the tree before it, lasts until the judgement is settled. */
static int verdicts_begin(void *owner, const struct cancel *gone,
	struct verdict_question *ret_question, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct external_verdicts *verdicts = owner;
	struct verdict_question question = {.tree = {""}};
	pthread_mutex_lock(&verdicts->lock);
	int status = verdicts_admit(verdicts, gone, err);
	const struct external_tree *tree = verdicts->tree;
	question.ctx = verdicts_context(verdicts);
	pthread_mutex_unlock(&verdicts->lock);
	if (status < 0)
		return -1;
	if (external_tree_now(verdicts->agent, tree, &arena, &question.tree, err) < 0) {
		verdicts_settle(verdicts);
		return -1;
	}
	question.ctx.cancel = &verdicts->cancel;
	*ret_question = question;
	return 0;
}

static void verdicts_finish(void *owner, const char *came)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error ignored; /* what cannot be recorded now cannot be later either */
	struct external_verdicts *verdicts = owner;
	const char *name = verdicts->agent->name;
	struct context ctx = verdicts_context(verdicts);
	struct rondo_event event = {.type = RONDO_EVENT_NOTICE,
		.text = arena_printf(&arena, "%s asked for a verdict: %s", name, came)};
	context_event(&ctx, &event, &ignored);
	verdicts_settle(verdicts);
}

/* --- What the box shows --- */

static void verdicts_mount(
	struct external_box *box, const char *source, const char *target, struct arena *arena)
{
	const struct mount mount = {
		.source = source, .target = target, .kind = MOUNT_READ_ONLY, .why = WHY};
	world_add_mount(&box->world, &mount, arena);
}

static void verdicts_show(
	struct external_verdicts *verdicts, struct external_box *box, const char *dir)
{
	struct arena *arena = &verdicts->agent->arena;
	const char *program = verdicts->server->program;
	const struct executor *main = verdicts->agent->services->main_checkout->executor;
	bool sees_host = executor_sees(main) == EXECUTOR_SEES_HOST;
	verdicts->socket_at = sees_host ? arena_printf(arena, "%s/socket", dir) : SOCKET_AT "/socket";
	verdicts->program_at = program && !sees_host ? PROGRAM_AT : program;
	world_assign(&box->world, arena_printf(arena, VARIABLE "=%s", verdicts->socket_at), arena);
	if (sees_host)
		return;
	verdicts_mount(box, dir, SOCKET_AT, arena);
	if (program)
		verdicts_mount(box, program, PROGRAM_AT, arena);
}

int external_verdicts_start(struct agent *agent, struct external_box *box, struct rondo_error *err)
{
	struct arena *arena = &agent->arena;
	const struct agent_services *services = agent->services;
	const struct verdict_server *server = services->verdicts;
	if (!server || !services->suite || !external_settings_of(agent)->verdicts)
		return 0;
	const char *dir = arena_printf(arena, "%s/mcp", box->dir);
	const char *socket = arena_printf(arena, "%s/socket", dir);
	struct external_verdicts *verdicts = arena_alloc(arena, sizeof *verdicts);
	verdicts->agent = agent;
	verdicts->server = server;
	verdicts->asker = (struct verdict_asker){verdicts_begin, verdicts_finish, verdicts};
	pthread_mutex_init(&verdicts->events, NULL);
	pthread_mutex_init(&verdicts->lock, NULL);
	pthread_cond_init(&verdicts->changed, NULL);
	box->verdicts = verdicts;
	uid_t uid = box->world.drop ? box->world.uid : (uid_t)-1;
	gid_t gid = box->world.drop ? box->world.gid : (gid_t)-1;
	if (file_remove_tree(dir, err) < 0 ||
		server->listen(
			server->owner, socket, uid, gid, &verdicts->asker, &verdicts->listener, err) < 0)
		return -1;
	verdicts_show(verdicts, box, dir);
	return 0;
}

void external_verdicts_close(struct external_verdicts *verdicts)
{
	if (!verdicts)
		return;
	if (verdicts->listener)
		verdicts->server->close(verdicts->listener);
	pthread_mutex_destroy(&verdicts->events);
	pthread_mutex_destroy(&verdicts->lock);
	pthread_cond_destroy(&verdicts->changed);
}

const char *external_verdicts_program(const struct external_verdicts *verdicts)
{
	return verdicts ? verdicts->program_at : NULL;
}

const char *external_verdicts_socket(const struct external_verdicts *verdicts)
{
	return verdicts ? verdicts->socket_at : NULL;
}
