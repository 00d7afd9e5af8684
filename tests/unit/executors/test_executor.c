/* Executors on real trees: what programs see, what stays. */
#include "base/thread.h"
#include "tests/unit/executor_fixture.h"

static void sandbox_shows_the_tree_at_the_users_path(void **state)
{
	struct fixture *fixture = *state;
	if (fixture->executor)
		put("tree/file", "x");
	assert_int_equal(
		run_line(fixture, "pwd; ls -A; cat node_modules/dep/index.js; echo new >made"), 0);
	assert_string_equal(fixture->output.text,
		arena_printf(&fixture->arena, "%s/user\n.git\nfile\nnode_modules\nthe user's", top));
	assert_true(file_exists(at(&fixture->arena, "tree/made")));
}

static void sandbox_never_changes_what_the_user_has(void **state)
{
	struct fixture *fixture = *state;
	run_line(fixture,
		"echo theirs >node_modules/dep/index.js; echo x >node_modules/more; "
		"echo y >.git/HEAD; cat node_modules/more");
	assert_non_null(strstr(fixture->output.text, "x\n"));
	assert_content(fixture, "user/node_modules/dep/index.js", "the user's");
	assert_false(file_exists(at(&fixture->arena, "user/node_modules/more")));
	assert_int_equal(run_line(fixture, "cat node_modules/more"), 1);
}

static void sandbox_hides_home_network_and_rights(void **state)
{
	struct fixture *fixture = *state;
	run_line(fixture,
		"id -u; echo $HOME; grep -c : /proc/net/dev; grep NoNewPrivs /proc/self/status; "
		"echo x 2>/dev/null >/usr/x || echo read-only; ls /home; ls -A /proc/1");
	assert_string_equal(
		fixture->output.text, "1000\n/home/agent\n1\nNoNewPrivs:\t1\nread-only\nagent\n");
}

/* Why the world shows this directory of the host, or NULL. */
static const char *why_shown(const struct world *world, const char *path)
{
	for (size_t i = 0; i < world->n; i++)
		if (strcmp(path, world->mounts[i].source) == 0)
			return world->mounts[i].why;
	return NULL;
}

/* The world with an environment at a prefix, as a home would be at `top`. */
static struct world world_with(struct fixture *fixture, const char *prefix)
{
	const char *own = getenv("HOME"), *home = own ? own : "/";
	struct world world;
	struct world_options options = {.root = at(&fixture->arena, "user"),
		.prefix = at(&fixture->arena, prefix),
		.sight = EXECUTOR_SEES_HOST};
	setenv("HOME", at(&fixture->arena, "home"), 1);
	int status = world_build(&options, &fixture->arena, &world, &fixture->err);
	setenv("HOME", home, 1);
	assert_int_equal(status, 0);
	return world;
}

/* An executable one, with the directories above it. */
static void make_file(struct fixture *fixture, const char *path)
{
	const char *all = at(&fixture->arena, path);
	const char *dir = arena_strndup(&fixture->arena, all, (size_t)(strrchr(all, '/') - all));
	assert_int_equal(file_make_dir(dir, 0755, &fixture->err), 0);
	assert_int_equal(file_write(all, "", 0, 0755, &fixture->err), 0);
}

static void no_environment_shows_the_home_or_the_root(void **state)
{
	struct fixture *fixture = *state;
	make_file(fixture, "home/.local/bin/python3");
	make_file(fixture, "home/.venvs/shop/bin/python3");
	assert_int_equal(symlink("home", at(&fixture->arena, "link")), 0);
	static const char *const shared[] = {
		"home", "home/.", "home/.local", "link", "link/.local/.", ".", "home/../../../../../.."};
	for (size_t i = 0; i < ARRAY_SIZE(shared); i++) {
		struct world world = world_with(fixture, shared[i]);
		assert_null(why_shown(&world, at(&fixture->arena, shared[i])));
	}
	struct world own = world_with(fixture, "home/.venvs/shop");
	assert_string_equal(why_shown(&own, at(&fixture->arena, "home/.venvs/shop")), "environment");
}

/* Links of an environment may lead anywhere; those of pyenv and uv lead to a prefix below the home.
 */
static void an_environment_shows_only_an_interpreter(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		const char *made, *link, *shown;
	} rows[] = {
		{"home/secret/inner/key", "home/secret/inner/key", NULL},
		{"home/secret/bin/python3", "home/secret/bin/python3", NULL},
		{"home/secret/lib/python3.11/os.py", "home/secret/inner/key", NULL},
		{"home/secret/lib/python3.11/os.py", "home/secret/bin/python3", "home/secret"},
		{"home/.pyenv/versions/3.11/lib/python3.11/os.py",
			"home/.pyenv/versions/3.11/bin/python3.11", "home/.pyenv/versions/3.11"},
		{"home/.local/share/uv/python/pypy-3.10/lib/pypy3.10/os.py",
			"home/.local/share/uv/python/pypy-3.10/bin/pypy3.10",
			"home/.local/share/uv/python/pypy-3.10"},
		{"home/.local/lib/python3.12/os.py", "home/.local/bin/python3.12",
			"home/.local/bin/python3.12"},
	};
	make_file(fixture, "user/.venv/pyvenv.cfg");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *link = at(&fixture->arena, "user/.venv/bin/python");
		make_file(fixture, "user/.venv/bin/python3");
		make_file(fixture, rows[i].made);
		make_file(fixture, rows[i].link);
		assert_int_equal(symlink(at(&fixture->arena, rows[i].link), link), 0);
		struct world world = world_with(fixture, "user/.venv");
		for (size_t j = 0; j < world.n; j++)
			if (file_is_below(world.mounts[j].source, at(&fixture->arena, "home")))
				assert_string_equal(world.mounts[j].source,
					rows[i].shown ? at(&fixture->arena, rows[i].shown) : "");
		assert_true(!rows[i].shown || why_shown(&world, at(&fixture->arena, rows[i].shown)));
		assert_int_equal(unlink(link), 0);
	}
	assert_int_equal(file_remove_tree(at(&fixture->arena, "user/.venv"), &fixture->err), 0);
}

static void a_setup_has_no_password_of_the_user(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		const char *name, *value;
		bool is_passed;
	} rows[] = {
		{"PIP_INDEX_URL", "https://corp/simple", true},
		{"PIP_INDEX_URL", "https://u:tok@corp/simple", false},
		{"PIP_EXTRA_INDEX_URL", "https://pypi.org/simple https://corp/@scope/simple", true},
		{"PIP_EXTRA_INDEX_URL", "https://pypi.org/simple https://u:tok@corp/simple", false},
		{"GOPROXY", "https://proxy.golang.org,https://corp/go|direct", true},
		{"GOPROXY", "https://proxy.golang.org,https://u:tok@corp", false},
		{"GOPROXY", "https://proxy.golang.org|https://u:tok@corp", false},
		{"HTTPS_PROXY", "proxy:3128", true},
		{"HTTPS_PROXY", "user:pw@proxy:3128", false},
		{"NO_PROXY", "localhost,127.0.0.1", true},
		{"SSL_CERT_FILE", "/etc/ssl/me@home.pem", true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct world world = fixture->world;
		setenv(rows[i].name, rows[i].value, 1);
		world_open_for_setup(&world, at(&fixture->arena, "cache"), &fixture->arena);
		unsetenv(rows[i].name);
		const char *passed = environment_value(world.env, rows[i].name);
		assert_int_equal(passed && strcmp(passed, rows[i].value) == 0, rows[i].is_passed);
	}
}

/* What a process could change of ours in whose memory it is for a moment. */
static void describe_ourselves(struct strbuf *text)
{
	static const char *const lines[] = {"Umask", "Uid", "Gid", "SigBlk", "SigIgn", "SigCgt",
		"CapEff", "NoNewPrivs", "Seccomp", "Threads"};
	AUTO_STRBUF status = STRBUF_INIT(8192);
	char link[100];
	struct rondo_error err;
	assert_int_equal(file_read("/proc/self/oom_score_adj", 100, text, &err), 0);
	assert_int_equal(file_read("/proc/self/limits", 8192, text, &err), 0);
	assert_int_equal(file_read("/proc/self/status", 8192, &status, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const char *line = strstr(status.text, lines[i]);
		strbuf_add(text, line, strcspn(line, "\n") + 1);
	}
	static const char *const links[] = {
		"/proc/self/ns/mnt", "/proc/self/ns/user", "/proc/self/cwd", "/proc/self/root"};
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		ssize_t n = readlink(links[i], link, sizeof link);
		assert_true(n > 0);
		strbuf_add(text, link, (size_t)n);
	}
}

static void a_box_leaves_rondo_as_it_was(void **state)
{
	struct fixture *fixture = *state;
	AUTO_STRBUF before = STRBUF_INIT(STRBUF_TEXT), after = STRBUF_INIT(STRBUF_TEXT);
	run_line(fixture, "true");
	describe_ourselves(&before);
	for (int i = 0; i < 20; i++)
		assert_int_equal(run_line(fixture, "exit 3"), 3);
	describe_ourselves(&after);
	assert_string_equal(before.text, after.text);
}

struct boxes {
	struct executor *executor;
	const struct context *ctx;
	int number, n_right;
};

static void *run_boxes(void *item)
{
	struct boxes *boxes = item;
	for (int i = 0; i < 10; i++) {
		AUTO_STRBUF output = STRBUF_INIT(1000);
		char line[100];
		struct process_result result;
		struct rondo_error err;
		struct command command = {.line = line, .output = &output, .timeout_ms = 60000};
		int code = boxes->number * 10 + i;
		snprintf(line, sizeof line, "sleep 600 & echo $(id -u) %d; exit %d", code, code);
		bool right = executor_run(boxes->executor, &command, &result, boxes->ctx, &err) == 0;
		snprintf(line, sizeof line, "1000 %d\n", code);
		boxes->n_right += right && result.exit_code == code && strcmp(output.text, line) == 0;
	}
	return NULL;
}

static void many_boxes_are_made_at_once(void **state)
{
	struct fixture *fixture = *state;
	struct boxes boxes[6];
	if (!fixture->executor)
		skip();
	for (int i = 0; i < 6; i++)
		boxes[i] = (struct boxes){fixture->executor, &fixture->ctx, i, 0};
	thread_each(run_boxes, boxes, 6, sizeof *boxes);
	for (int i = 0; i < 6; i++)
		assert_int_equal(boxes[i].n_right, 10);
}

/* rondo's own names, and the host's links and certificates. */
static void sandbox_has_an_etc_of_its_own(void **state)
{
	struct fixture *fixture = *state;
	run_line(fixture,
		"wc -l </etc/passwd; getent hosts localhost >/dev/null || echo no localhost\n"
		"ls -L /etc/alternatives/awk; touch /etc/x /etc/alternatives/x 2>&1 | grep -c 'Read-only'");
	assert_string_equal(fixture->output.text, "3\n/etc/alternatives/awk\n2\n");
}

/* The same tree and dependencies, but nothing by which a program could know the world that it was
 * in before. */
static void a_moved_world_is_another_place_user_and_host(void **state)
{
	struct fixture *fixture = *state;
	struct world elsewhere;
	if (!fixture->executor)
		skip();
	const struct world *world = fixture->executor->world;
	world_move(world, "/place/other", &fixture->arena, &elsewhere);
	fixture->executor->world = &elsewhere;
	run_line(fixture,
		"pwd; echo $HOME; id -un; hostname; echo ${CI-no CI}; cat node_modules/dep/index.js; "
		"echo; test -w ~/.cache && ls .git; env | grep -c agent");
	fixture->executor->world = world;
	assert_string_equal(fixture->output.text,
		"/place/other\n/home/worker\nworker\nother\nno CI\nthe user's\nHEAD\n0\n");
}

static void paths_in_the_tree_are_those_of_mounts_below_it(void **state)
{
	(void)state;
	static const struct mount mounts[] = {{.target = "/u/p"}, {.target = "/u/p/node_modules"},
		{.target = "/u/p2/x"}, {.target = "/usr"}, {.target = "/u/p/a/vendor"}};
	const struct world world = {.tree_at = "/u/p", .mounts = mounts, .n = ARRAY_SIZE(mounts)};
	AUTO_ARENA arena = ARENA_INIT;
	const char *const *paths = world_paths_in_tree(&world, &arena);
	assert_string_equal(paths[0], "node_modules");
	assert_string_equal(paths[1], "a/vendor");
	assert_null(paths[2]);
}

/* Here bwrap itself is refused: no machine may be called that. */
static void a_box_that_cannot_be_made_is_no_result(void **state)
{
	struct fixture *fixture = *state;
	struct process_result result;
	struct command command = {.line = "exit 3", .timeout_ms = 10000, .output = &fixture->output};
	if (!fixture->executor)
		skip();
	strbuf_adds(&fixture->output, "what the block before it printed\n");
	assert_int_equal(executor_try(fixture->executor, &fixture->ctx, &fixture->err), 0);
	fixture->world.host_name = arena_printf(&fixture->arena, "%0100d", 0);
	assert_int_equal(
		executor_run(fixture->executor, &command, &result, &fixture->ctx, &fixture->err), -1);
	assert_int_equal(fixture->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_non_null(
		strstr(fixture->err.message, "executor sandbox: no sandbox: bwrap: Can't set hostname"));
	fixture->world.host_name = NULL;
	assert_int_equal(run_line(fixture, "exit 3"), 3);
}

static void expect_dialogue(struct fixture *fixture)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	enum coprocess_heard heard;
	struct coprocess *coprocess;
	static const char *const env[] = {"GREETING=hello", NULL};
	struct command command = {
		.line = "while read -r name; do echo \"$GREETING $name in $PWD\"; done", .env = env};
	if (!fixture->executor)
		skip();
	assert_int_equal(
		executor_open(fixture->executor, &command, &coprocess, &fixture->ctx, &fixture->err), 0);
	bool taken;
	assert_int_equal(coprocess_say(coprocess, "world", 10000, &taken, &fixture->err), 0);
	assert_true(taken);
	assert_int_equal(coprocess_hear(coprocess, 10000, &line, &heard, &fixture->err), 0);
	coprocess_end(coprocess);
	assert_string_equal(line.text,
		arena_printf(&fixture->arena, "hello world in %s", executor_tree_at(fixture->executor)));
}

static void sandbox_holds_what_is_spoken_with(void **state)
{
	expect_dialogue(*state);
}

static void local_holds_what_is_spoken_with(void **state)
{
	expect_dialogue(*state);
}

static void sandbox_limits_processes_and_files(void **state)
{
	struct fixture *fixture = *state;
	run_line(fixture,
		"ulimit -c; ulimit -n; i=0; "
		"while [ $i -lt 2000 ] && sleep 60 & do i=$((i+1)); done; echo $i");
	assert_true(text_starts_with(fixture->output.text, "0\n4096\n"));
	assert_null(strstr(fixture->output.text, "\n2000\n"));
}

/* A sandbox with one option of its own. */
static void limit(struct fixture *fixture, const char *name, const char *value)
{
	const struct option *option = fixture->executor
		? option_find(sandbox_executor.options, name, "option", &fixture->err)
		: NULL;
	if (!fixture->executor)
		skip();
	assert_non_null(option);
	assert_int_equal(
		option_set(option, fixture->executor->state, &fixture->arena, value, &fixture->err), 0);
}

static enum process_end end_of(struct fixture *fixture, const char *line)
{
	struct process_result result;
	struct command command = {.line = line, .output = &fixture->output, .timeout_ms = 60000};
	assert_int_equal(
		executor_run(fixture->executor, &command, &result, &fixture->ctx, &fixture->err), 0);
	return result.end;
}

static void sandbox_ends_what_takes_too_much_memory(void **state)
{
	struct fixture *fixture = *state;
	limit(fixture, "memory", "40M");
	assert_int_equal(
		end_of(fixture, "a=$(head -c 10M /dev/zero | tr '\\0' x); while :; do a=$a$a; done"),
		PROCESS_MEMORY);
	assert_int_equal(end_of(fixture, "head -c 80M /dev/zero >/tmp/full; sleep 50"), PROCESS_MEMORY);
	assert_int_equal(run_line(fixture, "sleep 0.3; echo fine"), 0);
}

static void sandbox_ends_what_starts_too_many_processes(void **state)
{
	struct fixture *fixture = *state;
	limit(fixture, "processes", "40");
	assert_int_equal(
		end_of(fixture, "for i in $(seq 42); do sleep 50 & done; wait"), PROCESS_PROCESSES);
	assert_int_equal(
		end_of(fixture, "for i in $(seq 20); do sleep 0.2 & done; wait"), PROCESS_EXITED);
}

static void sandbox_ends_what_fills_the_disk(void **state)
{
	struct fixture *fixture = *state;
	limit(fixture, "disk", "20M");
	assert_int_equal(
		end_of(fixture, "head -c 60M /dev/zero >full$$; sync; sleep 50"), PROCESS_DISK);
	limit(fixture, "disk", "4G");
	limit(fixture, "files", "100");
	assert_int_equal(
		end_of(fixture,
			"d=$(mktemp -d -p ~/.cache); for i in $(seq 200); do : >$d/$i; done; sleep 50"),
		PROCESS_DISK);
}

static void local_copies_dependencies_into_the_tree(void **state)
{
	struct fixture *fixture = *state;
	run_line(
		fixture, "pwd; cat node_modules/dep/index.js; echo changed >node_modules/dep/index.js");
	assert_string_equal(
		fixture->output.text, arena_printf(&fixture->arena, "%s/tree\nthe user's", top));
	assert_content(fixture, "user/node_modules/dep/index.js", "the user's");
}

UNIT(executor)
{
	const struct CMUnitTest tests[] = {
		IN_SANDBOX(sandbox_shows_the_tree_at_the_users_path),
		IN_SANDBOX(sandbox_never_changes_what_the_user_has),
		IN_SANDBOX(sandbox_hides_home_network_and_rights),
		IN_SANDBOX(no_environment_shows_the_home_or_the_root),
		IN_SANDBOX(an_environment_shows_only_an_interpreter),
		IN_LOCAL(a_setup_has_no_password_of_the_user),
		IN_SANDBOX(a_box_leaves_rondo_as_it_was),
		IN_SANDBOX(many_boxes_are_made_at_once),
		IN_SANDBOX(sandbox_has_an_etc_of_its_own),
		IN_SANDBOX(a_moved_world_is_another_place_user_and_host),
		cmocka_unit_test(paths_in_the_tree_are_those_of_mounts_below_it),
		IN_SANDBOX(a_box_that_cannot_be_made_is_no_result),
		IN_SANDBOX(sandbox_holds_what_is_spoken_with),
		IN_SANDBOX(sandbox_limits_processes_and_files),
		IN_SANDBOX(sandbox_ends_what_takes_too_much_memory),
		IN_SANDBOX(sandbox_ends_what_starts_too_many_processes),
		IN_SANDBOX(sandbox_ends_what_fills_the_disk),
		IN_LOCAL(local_copies_dependencies_into_the_tree),
		IN_LOCAL(local_holds_what_is_spoken_with),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
