/* Who asks for a verdict in an external agent's turn: when, how often, of which tree, how long. */
#include "tests/unit/unit.h"

#include <pthread.h>

#include "agents/external/external.h"
#include "base/thread.h"
#include "executors/world.h"
#include "tests/unit/worktree_fixture.h"

/* An agent with a box that nobody starts, and the server's side in the test's own hand. */
struct setup {
	struct fixture *f;
	struct room room;
	struct world world;
	struct executor executor;
	struct checkout checkout;
	struct protection protection;
	struct suite suite;
	struct verdict_server server;
	struct agent_services services;
	struct agent *agent;
	struct external_box box;
	const struct verdict_asker *asker;
	bool is_closed;
	char told[200];
	struct context ctx;
};

static int setup_listen(void *owner, const char *socket, uid_t uid, gid_t gid,
	const struct verdict_asker *asker, struct verdict_listener **ret_listener,
	struct rondo_error *err)
{
	struct setup *setup = owner;
	(void)uid, (void)gid, (void)err;
	assert_true(text_ends_with(socket, "/mcp/socket"));
	setup->asker = asker;
	*ret_listener = owner;
	return 0;
}

static void setup_close_listener(struct verdict_listener *listener)
{
	((struct setup *)(void *)listener)->is_closed = true;
}

static int setup_record(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	struct setup *setup = owner;
	(void)err;
	assert_int_equal(event->type, RONDO_EVENT_NOTICE);
	snprintf(setup->told, sizeof setup->told, "%s", event->text);
	return 0;
}

static void open_setup(struct setup *setup, void **state)
{
	struct fixture *f = *state;
	*setup = (struct setup){.f = f};
	sh(f, "mkdir -p tests; echo t >tests/test_a.py; echo '{}' >opencode.json");
	setup->room = room_of(f);
	world_bare(&setup->world, at(f, "repo"), &f->arena);
	setup->executor =
		(struct executor){.type = &sandbox_executor, .world = &setup->world, .tree = at(f, "tree")};
	setup->checkout = (struct checkout){setup->room.worktree, &setup->executor};
	setup->server = (struct verdict_server){
		setup_listen, setup_close_listener, setup, .program = "/somewhere/rondo"};
	setup->services = (struct agent_services){.main_checkout = &setup->checkout,
		.repository = setup->room.repository,
		.base = &setup->room.base,
		.protection = &setup->protection,
		.suite = &setup->suite,
		.verdicts = &setup->server};
	setup->agent = agent_new(&command_agent, "coder", NULL, &setup->services);
	struct external_settings *settings = setup->agent->state;
	settings->tree = "write";
	settings->verdicts = 2;
	setup->box = (struct external_box){.dir = at(f, "box"), .world = setup->world};
	setup->ctx = (struct context){.record = {setup_record, setup}};
	must(f, external_verdicts_start(setup->agent, &setup->box, &f->err));
}

static void close_setup(struct setup *setup)
{
	external_verdicts_close(setup->box.verdicts);
	assert_true(setup->is_closed || !setup->box.verdicts);
	agent_free(setup->agent);
	room_close(&setup->room);
}

#define AUTO_SETUP __attribute__((cleanup(close_setup))) struct setup

static void refuses(struct setup *setup, const char *words)
{
	struct verdict_question question;
	struct fixture *f = setup->f;
	assert_int_equal(setup->asker->begin(setup->asker->owner, NULL, &question, &f->err), -1);
	assert_string_equal(f->err.message, words);
	assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
}

static void the_box_shows_what_is_needed(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	size_t n = 0;
	for (size_t i = 0; i < setup.box.world.n; i++) {
		const struct mount *mount = &setup.box.world.mounts[i];
		n += strcmp(mount->target, "/run/rondo/mcp") == 0 ||
			(strcmp(mount->target, "/run/rondo/rondo") == 0 &&
				strcmp(mount->source, "/somewhere/rondo") == 0);
	}
	assert_int_equal(n, 2);
	assert_string_equal(
		environment_value(setup.box.world.env, "RONDO_MCP_SOCKET"), "/run/rondo/mcp/socket");
	assert_string_equal(external_verdicts_program(setup.box.verdicts), "/run/rondo/rondo");
	assert_null(external_verdicts_program(NULL));
	assert_null(external_verdicts_socket(NULL));
	assert_int_equal(external_verdicts_heard_ms(NULL), 0);
}

static void where_nothing_can_be_asked_nothing_is_shown(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	struct external_settings *settings = setup.agent->state;
	for (int i = 0; i < 3; i++) {
		struct external_box box = {.dir = at(f, "box"), .world = setup.world};
		settings->verdicts = i == 0 ? 0 : 2;
		setup.services.suite = i == 1 ? NULL : &setup.suite;
		setup.services.verdicts = i == 2 ? NULL : &setup.server;
		must(f, external_verdicts_start(setup.agent, &box, &f->err));
		assert_null(box.verdicts);
		assert_int_equal(box.world.n, setup.world.n);
	}
}

static void a_turn_has_so_many_verdicts(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	struct external_tree tree;
	struct verdict_question question;
	const struct verdict_asker *asker = setup.asker;
	refuses(&setup, "this is not the turn of 'coder': ask again when it is");
	for (int turn = 0; turn < 2; turn++) {
		must(f, external_tree_begin(setup.agent, &f->arena, &tree, &f->err));
		external_verdicts_begin(setup.box.verdicts, &tree, &setup.ctx);
		for (int i = 0; i < 2; i++) {
			must(f, asker->begin(asker->owner, NULL, &question, &f->err));
			refuses(&setup, "a judgement that was asked for goes on: ask again when it has ended");
			assert_true(external_verdicts_heard_ms(setup.box.verdicts) > 0);
			asker->end(asker->owner, "verified: 1 test fixed, nothing lost");
			assert_string_equal(
				setup.told, "coder asked for a verdict: verified: 1 test fixed, nothing lost");
		}
		refuses(&setup,
			"this turn has had its 2 verdicts: end it, and the tester says what still fails");
		external_verdicts_end(setup.box.verdicts);
		must(f, external_tree_undo(setup.agent, &tree, &f->err));
	}
	refuses(&setup, "this is not the turn of 'coder': ask again when it is");
}

/* Protected files as they are, for the gate tells of them; what configures agents as before. */
static void the_tree_is_that_of_now(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	struct external_tree tree;
	struct verdict_question question;
	struct diff diff;
	const struct verdict_asker *asker = setup.asker;
	must(f, external_tree_begin(setup.agent, &f->arena, &tree, &f->err));
	external_verdicts_begin(setup.box.verdicts, &tree, &setup.ctx);
	sh(f,
		"cd ../tree; echo mine >a.txt; echo x >tests/test_a.py; echo '!' >opencode.json; "
		"mkdir .qwen; echo '!' >.qwen/settings.json; echo n >new.py");
	for (int i = 0; i < 2; i++) {
		struct external_settings *settings = setup.agent->state;
		settings->tree = i ? "read-only" : "write";
		must(f, asker->begin(asker->owner, NULL, &question, &f->err));
		must(f,
			repository_diff(
				setup.room.repository, &tree.before, &question.tree, &f->arena, &diff, &f->err));
		assert_int_equal(diff.n, i ? 0 : 3);
		if (!i) {
			assert_string_equal(diff.changes[0].path, "a.txt");
			assert_string_equal(diff.changes[1].path, "new.py");
			assert_string_equal(diff.changes[2].path, "tests/test_a.py");
		}
		asker->end(asker->owner, "x");
	}
	external_verdicts_end(setup.box.verdicts);
}

/* A judgement that ends only where it is cancelled. */
static void *judge_until_cancelled(void *owner)
{
	struct setup *setup = owner;
	struct verdict_question question;
	struct rondo_error err;
	const struct verdict_asker *asker = setup->asker;
	struct pollfd fds[CANCEL_FDS];
	while (asker->begin(asker->owner, NULL, &question, &err) < 0)
		;
	poll(fds, cancel_poll(question.ctx.cancel, fds), -1);
	asker->end(asker->owner, "its turn ended before");
	return NULL;
}

static void the_end_of_a_turn_cancels_and_waits(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	struct external_tree tree;
	pthread_t thread;
	must(f, external_tree_begin(setup.agent, &f->arena, &tree, &f->err));
	external_verdicts_begin(setup.box.verdicts, &tree, &setup.ctx);
	assert_int_equal(thread_start(&thread, judge_until_cancelled, &setup), 0);
	while (!external_verdicts_heard_ms(setup.box.verdicts))
		;
	external_verdicts_end(setup.box.verdicts);
	assert_string_equal(setup.told, "coder asked for a verdict: its turn ended before");
	pthread_join(thread, NULL);
	refuses(&setup, "this is not the turn of 'coder': ask again when it is");
}

UNIT(external_verdict)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(the_box_shows_what_is_needed),
		FIXTURE_TEST(where_nothing_can_be_asked_nothing_is_shown),
		FIXTURE_TEST(a_turn_has_so_many_verdicts),
		FIXTURE_TEST(the_tree_is_that_of_now),
		FIXTURE_TEST(the_end_of_a_turn_cancels_and_waits),
	};
	return RUN_TESTS(tests);
}
