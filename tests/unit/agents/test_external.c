/* External agents without a program: their command, what they see of the tree, what becomes of it,
 * and the table of those that are known. */
#include "tests/unit/unit.h"

#include "agents/external/external.h"
#include "executors/world.h"
#include "tests/unit/worktree_fixture.h"

/* An agent on a worktree, with the world of a probe. */
struct setup {
	struct fixture *f;
	struct room room;
	struct world world;
	struct executor executor;
	struct checkout checkout;
	struct protection protection;
	struct agent_services services;
	struct agent *agent;
};

static void open_setup(struct setup *setup, void **state)
{
	struct fixture *f = *state;
	*setup = (struct setup){.f = f};
	sh(f,
		"mkdir -p tests .claude sub/.codex; echo t >tests/test_a.py; echo '{}' >opencode.json; "
		"echo '{}' >.claude/settings.json; echo c >sub/.codex/config.toml; echo i >AGENTS.md; "
		"echo 'echo hi' >script.sh");
	setup->room = room_of(f);
	world_bare(&setup->world, at(f, "repo"), &f->arena);
	setup->executor =
		(struct executor){.type = &sandbox_executor, .world = &setup->world, .tree = at(f, "tree")};
	setup->checkout = (struct checkout){setup->room.worktree, &setup->executor};
	setup->services = (struct agent_services){.main_checkout = &setup->checkout,
		.repository = setup->room.repository,
		.base = &setup->room.base,
		.protection = &setup->protection,
		.dir = at(f, "repo")};
	setup->agent = agent_new(&command_agent, "coder", NULL, &setup->services);
}

static void close_setup(struct setup *setup)
{
	agent_free(setup->agent);
	room_close(&setup->room);
}

#define AUTO_SETUP __attribute__((cleanup(close_setup))) struct setup

static struct external_settings *settings_of(struct setup *setup)
{
	return setup->agent->state;
}

/* --- Its command --- */

static void programs_of_a_line_are_found(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	const char *script = at(f, "repo/script.sh");
	sh(f, "printf '#!/usr/bin/env sh\\n' >../own; printf 'x' >../data; chmod +x ../own");
	const char *const lines[][2] = {
		{"sh {task}", "/usr/bin/sh {task}"},
		{"A=b exec sh -c 'sh x'", "A=b exec /usr/bin/sh -c 'sh x'"},
		{"cd src && sh - | cat; true", "cd src && /usr/bin/sh - | /usr/bin/cat; true"},
		{"sh script.sh script.sh", arena_printf(&f->arena, "/usr/bin/sh %s script.sh", script)},
		{"sh -x script.sh", arena_printf(&f->arena, "/usr/bin/sh -x %s", script)},
		{"cat script.sh ./script.sh", arena_printf(&f->arena, "/usr/bin/cat script.sh %s", script)},
		{"../own ../data \"../data\"",
			arena_printf(&f->arena, "/usr/bin/sh %s %s \"../data\"", at(f, "own"), at(f, "data"))},
		{"'sh' x", "'sh' x"},
		{"sh -- /etc/passwd", "/usr/bin/sh -- /etc/passwd"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct world world = setup.world;
		const char *line;
		must(f,
			external_line_find(setup.agent, &world, lines[i][0], NULL, &f->arena, &line, &f->err));
		assert_string_equal(line, lines[i][1]);
	}
}

static void a_program_that_is_not_there_is_named(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	sh(f, "printf '#!/usr/bin/env no-such-interpreter\\n' >../own; chmod +x ../own");
	const char *const lines[][2] = {{"no-such {task}", "no program 'no-such' is on PATH"},
		{"true && no-such", "no program 'no-such' is on PATH"},
		{"./no-such", arena_printf(&f->arena, "there is no program '%s'", at(f, "repo/no-such"))},
		{"../own",
			arena_printf(&f->arena, "'%s' needs 'no-such-interpreter', which is not on PATH",
				at(f, "own"))}};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct world world = setup.world;
		const char *line = "untouched";
		assert_int_equal(
			external_line_find(setup.agent, &world, lines[i][0], NULL, &f->arena, &line, &f->err),
			-1);
		assert_string_equal(f->err.message, lines[i][1]);
		assert_string_equal(line, "untouched");
	}
}

static bool shows(const struct world *world, const char *source)
{
	for (size_t i = 0; i < world->n; i++)
		if (strcmp(world->mounts[i].source, source) == 0)
			return world->mounts[i].kind == MOUNT_READ_ONLY;
	return false;
}

static void a_program_is_shown_with_what_it_needs_and_no_more(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	const char *line;
	struct world world = setup.world;
	sh(f,
		"cd ..; mkdir -p opt/bin opt/lib/node_modules/agent/dist work/secret venv/bin; "
		"echo '#!/bin/sh' | tee opt/lib/node_modules/agent/dist/cli.js >work/plain; "
		"ln -s ../lib/node_modules/agent/dist/cli.js opt/bin/agent; touch venv/pyvenv.cfg; "
		"printf '#!%%s/venv/bin/python\\n' \"$PWD\" >venv/bin/aider; ln -s /bin/sh "
		"venv/bin/python; chmod +x opt/lib/node_modules/agent/dist/cli.js work/plain "
		"venv/bin/aider");
	must(f,
		external_line_find(
			setup.agent, &world, "../opt/bin/agent x", NULL, &f->arena, &line, &f->err));
	assert_string_equal(
		line, arena_printf(&f->arena, "%s x", at(f, "opt/lib/node_modules/agent/dist/cli.js")));
	assert_true(shows(&world, at(f, "opt/lib/node_modules")));
	must(f,
		external_line_find(setup.agent, &world, "../work/plain", NULL, &f->arena, &line, &f->err));
	assert_true(shows(&world, at(f, "work/plain")) && !shows(&world, at(f, "work")));
	must(f,
		external_line_find(
			setup.agent, &world, "../venv/bin/aider", NULL, &f->arena, &line, &f->err));
	assert_true(shows(&world, at(f, "venv")));
	assert_int_equal(setup.world.n + 3, world.n);
}

static void the_task_is_put_in_by_the_quotes_around_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const lines[][2] = {
		{"x {task}", "x \"$(cat /t)\""},
		{"x \"{task}\"", "x \"$(cat /t)\""},
		{"x \"a {task} b\"", "x \"a $(cat /t) b\""},
		{"x 'a {task} b'", "x 'a '\"$(cat /t)\"' b'"},
		{"x {task_file} '{task_file}' {other}", "x /t '/t' {other}"},
		{"x \\\"{task}", "x \\\"\"$(cat /t)\""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_string_equal(external_line_fill(lines[i][0], "/t", &arena), lines[i][1]);
	assert_string_equal(external_line_fill("x {task_file}", "/a b", &arena), "x '/a b'");
	assert_true(external_line_wants_input("x {tasks}"));
	assert_false(external_line_wants_input("x {task}"));
	assert_false(external_line_wants_input("x {task_file}"));
}

/* --- The tree --- */

static void configuration_of_agents_is_known_at_any_depth(void **state)
{
	(void)state;
	static const char *const yes[] = {".claude/settings.json", ".claude", "a/.claude/x/y",
		"opencode.json", "a/b/opencode.jsonc", ".mcp.json", ".aider.conf.yml",
		".aider.tags.cache.v4/x", ".gemini/settings.json", ".qwen/settings.json", ".codex/a"};
	static const char *const no[] = {"claude/settings.json", "AGENTS.md", "CLAUDE.md",
		"opencode.json.py", "src/aider.py", "x.claude/y", ".github/workflows/a.yml"};
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		assert_true(external_is_configuration(yes[i]));
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		assert_false(external_is_configuration(no[i]));
}

static void a_turn_keeps_what_may_change(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	struct external_tree tree;
	struct external_change change;
	must(f, external_tree_begin(setup.agent, &f->arena, &tree, &f->err));
	assert_null(content(f, "tree/opencode.json"));
	assert_null(content(f, "tree/.claude/settings.json"));
	assert_null(content(f, "tree/sub/.codex/config.toml"));
	assert_string_equal(content(f, "tree/AGENTS.md"), "i\n");
	sh(f,
		"cd ../tree; echo mine >a.txt; echo x >tests/test_a.py; echo '!' >opencode.json; "
		"mkdir .qwen; echo '!' >.qwen/settings.json; echo n >new.py; echo n >tests/conftest.py; "
		"echo n >tests/test_new.py; rm src/b.txt; ln -s /etc/passwd out; mkdir .git; "
		"echo o >.git/opencode");
	must(f, external_tree_end(setup.agent, &tree, &f->arena, &change, &f->err));
	assert_int_equal(change.n_put_back, 2);
	assert_string_equal(change.put_back[0], "tests/conftest.py");
	assert_string_equal(change.put_back[1], "tests/test_a.py");
	assert_int_equal(change.n_refused, 1);
	assert_int_equal(change.diff.n, 4);
	static const char *const changed[] = {"a.txt", "new.py", "src/b.txt", "tests/test_new.py"};
	for (size_t i = 0; i < ARRAY_SIZE(changed); i++)
		assert_string_equal(change.diff.changes[i].path, changed[i]);
	assert_string_equal(content(f, "tree/tests/test_a.py"), "t\n");
	assert_string_equal(content(f, "tree/opencode.json"), "{}\n");
	assert_string_equal(content(f, "tree/a.txt"), "mine\n");
	assert_null(content(f, "tree/.qwen/settings.json"));
}

static void who_only_reads_changes_nothing(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	struct external_tree tree;
	struct external_change change;
	settings_of(&setup)->tree = "read-only";
	must(f, external_tree_begin(setup.agent, &f->arena, &tree, &f->err));
	sh(f, "cd ../tree; echo mine >a.txt; echo n >new.py; rm -r src");
	must(f, external_tree_end(setup.agent, &tree, &f->arena, &change, &f->err));
	assert_int_equal(change.n_put_back, 4);
	assert_int_equal(change.diff.n, 0);
	expect_same_tree(f, &setup.room);
}

static void a_turn_that_fails_changes_nothing(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	struct external_tree tree;
	must(f, external_tree_begin(setup.agent, &f->arena, &tree, &f->err));
	sh(f, "cd ../tree; echo mine >a.txt; echo n >new.py; rm -r src tests");
	must(f, external_tree_undo(setup.agent, &tree, &f->err));
	expect_same_tree(f, &setup.room);
	assert_string_equal(content(f, "tree/opencode.json"), "{}\n");
	assert_null(content(f, "tree/new.py"));
}

static void configuration_is_shown_where_it_is_allowed(void **state)
{
	AUTO_SETUP setup;
	open_setup(&setup, state);
	struct fixture *f = setup.f;
	struct external_tree tree;
	struct external_change change;
	struct object base;
	must(f, external_tree_base(setup.agent, &f->arena, &base, &f->err));
	assert_string_not_equal(base.hex, setup.room.base.tree.hex);
	settings_of(&setup)->configuration = true;
	must(f, external_tree_base(setup.agent, &f->arena, &base, &f->err));
	assert_string_equal(base.hex, setup.room.base.tree.hex);
	must(f, external_tree_begin(setup.agent, &f->arena, &tree, &f->err));
	assert_string_equal(content(f, "tree/opencode.json"), "{}\n");
	sh(f, "echo changed >../tree/opencode.json");
	must(f, external_tree_end(setup.agent, &tree, &f->arena, &change, &f->err));
	assert_int_equal(change.diff.n, 1);
}

/* --- Known ones --- */

static void each_known_coder_says_all_that_is_needed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	size_t n = 3; /* rondo's own choices come first */
	for (size_t i = 0; i < known_coders_n; i++) {
		const struct known_coder *coder = &known_coders[i];
		assert_string_equal(known_coder_choices[n++], coder->name);
		assert_ptr_equal(known_coder_find(coder->name, &err), coder);
		assert_true(coder->title && coder->install && coder->command && coder->env);
		assert_true(coder->needs_model == !coder->provider);
		for (const char *const *env = coder->env; *env; env++) {
			const char *filled = known_coder_fill(coder, *env, "m", "http://x", &arena);
			assert_null(strstr(filled, "{url}"));
			assert_null(strstr(filled, "{model}"));
			assert_null(strstr(filled, "{key}"));
			assert_non_null(strchr(filled, '='));
		}
		if (coder->settings) {
			AUTO_JSON *json = json_parse(coder->settings, strlen(coder->settings), &err);
			assert_true(json_is_object(json));
		}
	}
	assert_null(known_coder_choices[n]);
	assert_null(known_coder_find("open-code", &err));
	assert_non_null(strstr(err.message, "unknown coder 'open-code', did you mean 'opencode'?"));
}

static void a_model_that_the_agent_chooses_is_not_named_to_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const struct known_coder *codex = known_coder_find("codex", &err);
	assert_non_null(strstr(known_coder_fill(codex, codex->command, "gpt-5", "U", &arena),
		"base_url=U/v1 -c model_providers.rondo.env_key=OPENAI_API_KEY -c "
		"analytics.enabled=false -m gpt-5 -"));
	assert_non_null(strstr(known_coder_fill(codex, codex->command, "*", "U", &arena), "false  -"));
}

UNIT(external)
{
	fixture_home();
	setenv("PATH", "/usr/bin:/bin", 1);
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(programs_of_a_line_are_found),
		FIXTURE_TEST(a_program_that_is_not_there_is_named),
		FIXTURE_TEST(a_program_is_shown_with_what_it_needs_and_no_more),
		cmocka_unit_test(the_task_is_put_in_by_the_quotes_around_it),
		cmocka_unit_test(configuration_of_agents_is_known_at_any_depth),
		FIXTURE_TEST(a_turn_keeps_what_may_change),
		FIXTURE_TEST(who_only_reads_changes_nothing),
		FIXTURE_TEST(a_turn_that_fails_changes_nothing),
		FIXTURE_TEST(configuration_is_shown_where_it_is_allowed),
		cmocka_unit_test(each_known_coder_says_all_that_is_needed),
		cmocka_unit_test(a_model_that_the_agent_chooses_is_not_named_to_it),
	};
	return RUN_TESTS(tests);
}
