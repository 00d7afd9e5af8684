/* What a command writes, kept apart from what it finds. */
#include "tests/unit/executor_fixture.h"

/* Where the first command's writes are kept, and those of later ones. */
static bool begin(struct fixture *fixture)
{
	bool is_layered = false;
	if (!fixture->executor)
		return false;
	assert_int_equal(executor_layer(fixture->executor, NULL, at(&fixture->arena, "layer"),
						 &fixture->ctx, &is_layered, &fixture->err),
		0);
	return is_layered;
}

static void share(struct fixture *fixture)
{
	bool is_layered;
	assert_int_equal(executor_layer(fixture->executor, at(&fixture->arena, "layer"),
						 at(&fixture->arena, "written"), &fixture->ctx, &is_layered, &fixture->err),
		0);
	assert_true(is_layered);
}

#define BUILD \
	"echo built >out; echo kept >~/.cache/kept; echo theirs >node_modules/cache; " \
	"echo changed >file; mkdir dir; echo 1 >dir/1; rm gone"

static void the_tree_stays_as_it_was(void **state)
{
	struct fixture *fixture = *state;
	if (!begin(fixture))
		skip();
	put("tree/file", "text");
	put("tree/gone", "there");
	assert_int_equal(run_line(fixture, BUILD), 0);
	assert_content(fixture, "tree/file", "text");
	assert_content(fixture, "tree/gone", "there");
	assert_false(file_exists(at(&fixture->arena, "tree/out")));
	assert_false(file_exists(at(&fixture->arena, "cache/kept")));
	assert_false(file_exists(at(&fixture->arena, "user/node_modules/cache")));
	struct executor_place place = executor_wrote(fixture->executor, &fixture->arena);
	assert_true(file_exists(arena_printf(&fixture->arena, "%s/out", place.tree)));
	assert_true(file_exists(arena_printf(&fixture->arena, "%s/kept", place.cache)));
}

/* The tree's own files hide what the first command made of them. */
static void later_commands_find_what_the_first_one_built(void **state)
{
	struct fixture *fixture = *state;
	if (!begin(fixture))
		skip();
	put("tree/file", "text\n");
	put("tree/gone", "there\n");
	assert_int_equal(run_line(fixture, BUILD), 0);
	share(fixture);
	assert_int_equal(
		run_line(fixture, "cat out ~/.cache/kept node_modules/cache file dir/1 gone"), 0);
	assert_string_equal(fixture->output.text, "built\nkept\ntheirs\ntext\n1\nthere\n");
}

static void no_command_finds_what_a_later_one_wrote(void **state)
{
	struct fixture *fixture = *state;
	if (!begin(fixture))
		skip();
	assert_int_equal(run_line(fixture, "echo built >out; echo kept >~/.cache/kept"), 0);
	share(fixture);
	assert_int_equal(run_line(fixture,
						 "echo poison >out; echo poison >~/.cache/kept; echo x >more; "
						 "touch node_modules/x; cat out"),
		0);
	assert_string_equal(fixture->output.text, "poison\n");
	assert_int_equal(
		run_line(fixture, "cat out ~/.cache/kept; ls more node_modules/x 2>/dev/null; ls -A"), 0);
	assert_string_equal(fixture->output.text, "built\nkept\n.git\nnode_modules\nout\n");
}

/* Beside it a command may run; both sides see what is shared. */
static void a_coprocess_keeps_its_writes_to_itself(void **state)
{
	struct fixture *fixture = *state;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	enum coprocess_heard heard;
	struct coprocess *coprocess;
	bool taken;
	if (!begin(fixture))
		skip();
	assert_int_equal(run_line(fixture, "echo built >out; echo kept >~/.cache/kept"), 0);
	share(fixture);
	struct command command = {.line = arena_printf(&fixture->arena,
								  "echo mine >out; echo mine >~/.cache/kept; read -r line; cat %s; "
								  "cat out",
								  executor_shared_at(fixture->executor, "text", &fixture->arena))};
	assert_int_equal(
		executor_open(fixture->executor, &command, &coprocess, &fixture->ctx, &fixture->err), 0);
	put("cache/text", "shared ");
	assert_int_equal(run_line(fixture, "cat out ~/.cache/kept; echo other >out"), 0);
	assert_string_equal(fixture->output.text, "built\nkept\n");
	assert_int_equal(coprocess_say(coprocess, "now", 10000, &taken, &fixture->err), 0);
	assert_int_equal(coprocess_hear(coprocess, 10000, &line, &heard, &fixture->err), 0);
	coprocess_end(coprocess);
	assert_string_equal(line.text, "shared mine");
	assert_false(file_exists(at(&fixture->arena, "tree/out")));
}

/* The disk is the host's, whatever is written over. */
static void what_is_written_over_dependencies_is_limited_too(void **state)
{
	struct fixture *fixture = *state;
	struct process_result result;
	struct command command = {
		.line = "head -c 60M /dev/zero >node_modules/full; sync; sleep 50", .timeout_ms = 60000};
	if (!begin(fixture))
		skip();
	const struct option *option =
		option_find(sandbox_executor.options, "disk", "option", &fixture->err);
	assert_int_equal(
		option_set(option, fixture->executor->state, &fixture->arena, "20M", &fixture->err), 0);
	assert_int_equal(
		executor_run(fixture->executor, &command, &result, &fixture->ctx, &fixture->err), 0);
	assert_int_equal(result.end, PROCESS_DISK);
	assert_int_equal(run_line(fixture, "head -c 1M /dev/zero >node_modules/full; sleep 1.2"), 0);
}

static void local_has_no_layers(void **state)
{
	struct fixture *fixture = *state;
	assert_false(begin(fixture));
	assert_int_equal(run_line(fixture, "echo built >out"), 0);
	assert_content(fixture, "tree/out", "built\n");
}

UNIT(layer)
{
	const struct CMUnitTest tests[] = {
		IN_SANDBOX(the_tree_stays_as_it_was),
		IN_SANDBOX(later_commands_find_what_the_first_one_built),
		IN_SANDBOX(no_command_finds_what_a_later_one_wrote),
		IN_SANDBOX(a_coprocess_keeps_its_writes_to_itself),
		IN_SANDBOX(what_is_written_over_dependencies_is_limited_too),
		IN_LOCAL(local_has_no_layers),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
