/* What the name of a setup's result depends on, where results are kept, and what is proposed. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/setup/setup.h"
#include "tests/unit/scenario_fixture.h"

#define FILES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void put(const char *path, const char *text)
{
	struct rondo_error err;
	char dir[TOP_SIZE * 2];
	snprintf(dir, sizeof dir, "%s", path);
	if (strrchr(dir, '/')) {
		*strrchr(dir, '/') = '\0';
		assert_int_equal(file_make_dir(dir, 0755, &err), 0);
	}
	assert_int_equal(file_write(path, text, strlen(text), 0644, &err), 0);
}

static bool reads_tree(const char *command)
{
	return setup_reads_tree(&(struct option_strings){(const char *[]){command}, 1});
}

static void package_managers_read_lock_files_alone(void **state)
{
	(void)state;
	static const char *const locks[] = {"npm ci", "pip install -e '.[test]'",
		"python3 -m pip install -r requirements.txt",
		"python3 -m venv .venv && .venv/bin/pip "
		"install pytest",
		"cd sub && yarn install", "FOO=1 go mod download", "cargo fetch"};
	static const char *const trees[] = {"make generated", "npm run build", "pip install .",
		"pip install '.[test]'", "./install", "npm ci; sh tools/x", "go generate ./...",
		"python3 setup.py build_ext"};
	for (size_t i = 0; i < ARRAY_SIZE(locks); i++)
		if (reads_tree(locks[i]))
			fail_msg("'%s' reads no sources", locks[i]);
	for (size_t i = 0; i < ARRAY_SIZE(trees); i++)
		if (!reads_tree(trees[i]))
			fail_msg("'%s' may read sources", trees[i]);
}

/* --- The key --- */

static const char *key_of(struct arena *arena, const char *command, const char *tree_at)
{
	static const char *const paths[] = {"a/package-lock.json", "src/index.js", "tools/install"};
	struct option_strings commands = {(const char *[]){command}, 1};
	struct world world = {
		.tree_at = tree_at, .home = "/home/agent", .path = "/nowhere", .env = FILES("A=1")};
	struct setup_parts parts = {.commands = &commands,
		.world = &world,
		.work = "/work",
		.dir = "tree",
		.paths = paths,
		.n_paths = ARRAY_SIZE(paths),
		.environments = FILES("venv"),
		.n_environments = 1};
	struct rondo_error err;
	const char *key;
	assert_int_equal(setup_key(&parts, arena, &key, &err), 0);
	return key;
}

static void key_follows_locks_commands_and_place(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	put("tree/a/package-lock.json", "1");
	put("tree/src/index.js", "1");
	put("tree/tools/install", "1");
	put("venv/pyvenv.cfg", "1");
	const char *first = key_of(&arena, "npm ci", "/x");
	assert_string_equal(key_of(&arena, "npm ci", "/x"), first);
	assert_string_not_equal(key_of(&arena, "npm ci ", "/x"), first);
	assert_string_not_equal(key_of(&arena, "npm ci", "/y"), first);
	put("tree/src/index.js", "2");
	put("tree/tools/install", "2");
	assert_string_equal(key_of(&arena, "npm ci", "/x"), first);
	const char *named = key_of(&arena, "sh tools/install", "/x");
	put("tree/tools/install", "3");
	assert_string_not_equal(key_of(&arena, "sh tools/install", "/x"), named);
	put("tree/a/package-lock.json", "2");
	assert_string_not_equal(key_of(&arena, "npm ci", "/x"), first);
	const char *locked = key_of(&arena, "npm ci", "/x");
	put("venv/pyvenv.cfg", "another");
	assert_string_not_equal(key_of(&arena, "npm ci", "/x"), locked);
}

/* --- The store --- */

static const char *keep(struct arena *arena, const char *name, size_t bytes)
{
	struct rondo_error err;
	const char *dir = arena_printf(arena, "%s/made-%s", scenario_top, name);
	char *text = arena_alloc(arena, bytes + 1);
	memset(text, 'x', bytes);
	put(arena_printf(arena, "%s/tree/file", dir), text);
	struct world_piece piece = {arena_printf(arena, "%s/tree", dir), "/x/deps"};
	const char *store = setup_store(scenario_top, arena);
	if (setup_store_keep(store, name, dir, &piece, 1, &err) < 0)
		fail_msg("%s", err.message);
	return store;
}

static bool has(struct arena *arena, const char *name)
{
	struct setup_layer layer = {0};
	bool is_there = setup_store_find(setup_store(scenario_top, arena), name, arena, &layer);
	setup_layer_release(&layer);
	return is_there;
}

/* As if it had been used so long ago. */
static void age(struct arena *arena, const char *name, long seconds)
{
	struct timespec times[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
	assert_int_equal(
		utimensat(AT_FDCWD, arena_printf(arena, "setup/%s/setup.json", name), times, 0), 0);
}

static void result_is_found_with_its_pieces(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct setup_layer layer;
	const char *store = keep(&arena, "a", 1000);
	assert_false(setup_store_find(store, "b", &arena, &layer));
	assert_true(setup_store_find(store, "a", &arena, &layer));
	assert_int_equal(layer.n, 1);
	assert_string_equal(layer.pieces[0].target, "/x/deps");
	assert_true(file_exists(arena_printf(&arena, "%s/file", layer.pieces[0].source)));
	assert_true(layer.bytes >= 1000);
	setup_layer_release(&layer);
}

static void of_two_that_made_the_same_one_stays(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	keep(&arena, "a", 1000);
	keep(&arena, "a", 5); /* else this would have replaced it */
	struct setup_layer layer;
	assert_true(setup_store_find(setup_store(scenario_top, &arena), "a", &arena, &layer));
	assert_true(layer.bytes >= 1000);
	setup_layer_release(&layer);
}

static void broken_result_is_made_anew(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	keep(&arena, "a", 10);
	assert_int_equal(file_remove_tree("setup/a/tree", &err), 0);
	assert_false(has(&arena, "a"));
	keep(&arena, "a", 10);
	assert_true(has(&arena, "a"));
	put("setup/a/setup.json", "{\"pieces\":[{\"source\":\"../../made\",");
	assert_false(has(&arena, "a"));
}

static void bound_removes_what_was_unused_longest(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct setup_layer used;
	keep(&arena, "old", 100000);
	keep(&arena, "older", 100000);
	const char *store = keep(&arena, "oldest", 100000);
	keep(&arena, "new", 100000);
	age(&arena, "old", 100);
	age(&arena, "older", 200);
	assert_true(setup_store_find(store, "oldest", &arena, &used));
	age(&arena, "oldest", 300);
	setup_store_trim(store, 350000, "new");
	assert_true(has(&arena, "oldest") && has(&arena, "old") && has(&arena, "new"));
	assert_false(has(&arena, "older"));
	setup_layer_release(&used);
	setup_store_trim(store, 1, "new");
	assert_true(has(&arena, "new") && !has(&arena, "old") && !has(&arena, "oldest"));
}

static void gc_removes_what_was_unused_for_long(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	size_t n = 0;
	uint64_t bytes = 0;
	keep(&arena, "old", 100000);
	keep(&arena, "new", 10);
	age(&arena, "old", 100);
	put("setup/.gone/tree/file", "a kill came while this was removed");
	setup_store_collect(scenario_top, 50 * 1000, &n, &bytes);
	assert_int_equal(n, 1);
	assert_true(bytes >= 100000);
	assert_true(has(&arena, "new") && !has(&arena, "old") && !file_exists("setup/.gone"));
}

/* --- What is proposed --- */

static void proposal_follows_the_files_at_the_root(void **state)
{
	(void)state;
	static const struct {
		const char *file, *text, *also, *command;
	} rows[] = {
		{"package-lock.json", "{}", "package.json", "npm ci"},
		{"pnpm-lock.yaml", "", NULL, "pnpm install --frozen-lockfile"},
		{"yarn.lock", "", ".yarnrc.yml", "yarn install --immutable"},
		{"yarn.lock", "", NULL, "yarn install --frozen-lockfile"},
		{"package.json", "{\"devDependencies\": {}}", NULL, "npm install"},
		{"go.mod", "module x\nrequire y v1.0.0\n", NULL, "go mod download"},
		{"Cargo.lock", "", NULL, "cargo fetch --locked"},
		{"Gemfile", "", NULL, "bundle install"},
		{"composer.json", "{\"require\": {}}", NULL, "composer install"},
		{"cpanfile", "", "Makefile.PL", "cpanm --installdeps ."},
		{"uv.lock", "", "pyproject.toml", "uv sync"},
		{"pyproject.toml", "[project]\n[project.optional-dependencies]\ndocs = []\ntest = [\n",
			NULL, "python3 -m pip install -e \".[test]\""},
		{"pyproject.toml", "[project]\nname = 'x'\n", NULL, "python3 -m pip install -e ."},
		{"setup.cfg", "[metadata]\n[options.extras_require]\ndev =\n  x\n", "setup.py",
			"python3 -m pip install -e \".[dev]\""},
		{"requirements-dev.txt", "pytest", "requirements.txt",
			"python3 -m pip install -r requirements.txt -r requirements-dev.txt"},
	};
	struct setup_proposal *proposals;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct rondo_error err;
		const char *dir = arena_printf(&arena, "p%zu", i);
		put(arena_printf(&arena, "%s/%s", dir, rows[i].file), rows[i].text);
		if (rows[i].also)
			put(arena_printf(&arena, "%s/%s", dir, rows[i].also), "");
		assert_int_equal(setup_propose(dir, &arena, &proposals), 1);
		assert_string_equal(proposals[0].command, rows[i].command);
		assert_int_equal(file_remove_tree(dir, &err), 0);
	}
}

static void nothing_is_proposed_for_a_project_that_asks_for_nothing(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct setup_proposal *proposals;
	put("bare/go.mod", "module x\n");
	put("bare/package.json", "{\"name\": \"x\"}");
	put("bare/pyproject.toml", "[tool.pytest.ini_options]\n");
	assert_int_equal(setup_propose("bare", &arena, &proposals), 0);
}

static int tear_down(void **state)
{
	return chdir(scenario_source) < 0 ? -1 : scenario_tear_down(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scenario_set_up, tear_down)

UNIT(setup)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(package_managers_read_lock_files_alone),
		TEST(key_follows_locks_commands_and_place),
		TEST(result_is_found_with_its_pieces),
		TEST(of_two_that_made_the_same_one_stays),
		TEST(broken_result_is_made_anew),
		TEST(bound_removes_what_was_unused_longest),
		TEST(gc_removes_what_was_unused_for_long),
		TEST(proposal_follows_the_files_at_the_root),
		TEST(nothing_is_proposed_for_a_project_that_asks_for_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
