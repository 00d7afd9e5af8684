/* What a repository's rondo.yaml may set: each key that there is, allowed or refused, and its
 * bounds. */
#include "tests/unit/unit.h"

#include <sys/stat.h>

#include "run/scenario/config.h"
#include "run/scenario/reader.h"
#include "tests/unit/scenario_fixture.h"

#define REPOSITORY "repository"
#define CONFIG "~/.config/rondo/config.yaml"

/* Where a refused key can be set instead. */
enum instead {
	ALLOWED,
	OF_USER,     /* in the configuration, by -s, in a scenario */
	OF_OPTION,   /* by -s, in a scenario */
	OF_SCENARIO, /* in a scenario */
	OF_FIX,      /* in the configuration, by -s */
};

/* A key that is not here makes the test fail: somebody has to decide. */
static const struct decided {
	const char *key, *value;
	enum instead instead;
} decided[] = {
	{"version", "1", OF_SCENARIO},
	{"name", "x", OF_SCENARIO},
	{"description", "x", OF_SCENARIO},
	{"task", "x", OF_OPTION},
	{"parameters", "{a: b}", OF_SCENARIO},
	{"models", "{m: openai/x}", OF_USER},
	{"agents", "{a: executor}", OF_SCENARIO},
	{"team", "{participants: [a]}", OF_SCENARIO},
	{"executor", "{type: local}", OF_USER},
	{"workspace.repo", "/", OF_SCENARIO},
	{"workspace.files", "{a: b}", OF_SCENARIO},
	{"workspace.copy", "/etc", OF_SCENARIO},
	{"workspace.mount", "[third]", ALLOWED},
	{"setup.commands", "make x", ALLOWED},
	{"setup.size", "1G", OF_USER},
	{"workspace.on_dirty", "head", ALLOWED},
	{"workspace.commit", "HEAD~1", OF_OPTION},
	{"workspace.patch", "x", OF_OPTION},
	{"test.command", "make check", ALLOWED},
	{"test.goal", "x", OF_OPTION},
	{"test.format", "tap", ALLOWED},
	{"test.report", "out/**/*.xml", ALLOWED},
	{"test.targeted", "'run {{tests}}'", ALLOWED},
	{"test.fail_output", "[WARN]", ALLOWED},
	{"test.repeat", "3", ALLOWED},
	{"test.cached_baseline", "true", OF_OPTION},
	{"verify.all", "true", ALLOWED},
	{"verify.repeat", "2", ALLOWED},
	{"verify.sentinels", "true", ALLOWED},
	{"verify.counter_tests", "true", ALLOWED},
	{"verify.clean_up", "true", OF_USER},
	{"verify.checks", "[make docs]", ALLOWED},
	{"verify.hidden", "pytest x", OF_USER},
	{"verify.hidden_files", "{a: b}", OF_USER},
	{"verify.hidden_copy", "/etc", OF_USER},
	{"protect", "[docs/]", ALLOWED},
	{"allow_edit", "[Makefile]", OF_OPTION},
	{"limits", "{cost: 1000}", OF_USER},
	{"attempts", "{n: 4}", OF_USER},
	{"output", "{apply: true}", OF_OPTION},
	{"batch", "{jobs: 2}", OF_SCENARIO},
	{"assert", "[]", OF_SCENARIO},
	/* of the user's configuration, in no scenario */
	{"model", "openai/x", OF_FIX},
	{"coder", "model", OF_FIX},
};

static bool is_allowed(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(decided); i++)
		if (strcmp(decided[i].key, key) == 0)
			return decided[i].instead == ALLOWED;
	fail_msg("nobody has decided whether a repository may set '%s'", key);
	return false;
}

/* Read a rondo.yaml over a configuration of the user's, and compare all that is said. */
static void assert_repository(struct arena *arena, const char *user, const char *text,
	struct scenario *scenario, const char *said)
{
	struct problems problems = {.arena = arena};
	struct rondo_error err;
	AUTO_STRBUF found = STRBUF_INIT(1 << 20), expected = STRBUF_INIT(1 << 20);
	assert_int_equal(file_make_dir(".config/rondo", 0755, &err), 0);
	put_file(".config/rondo/config.yaml", user, strlen(user));
	put_file(REPOSITORY "/rondo.yaml", text, strlen(text));
	scenario_init(scenario, arena);
	config_read(scenario, REPOSITORY, NULL, &problems);
	problems_print(&problems, &found);
	for (const char *line = said; *line;) {
		size_t n = strcspn(line, "\n");
		strbuf_addf(&expected, "%s/" REPOSITORY "/rondo.yaml:%.*s\n", scenario_top, (int)n, line);
		line += n + (line[n] == '\n');
	}
	assert_string_equal(found.text, expected.text);
}

static void assert_said(const char *text, const char *said)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	assert_repository(&arena, "", text, &scenario, said);
}

/* What is said of "test: {goal: x}": where the key stands and where it can be set. */
static const char *refusal_of(const struct decided *row, int line, int column, struct arena *arena)
{
	static const char *const with_keys[] = {
		"models", "executor", "limits", "attempts", "output", "verify.hidden_files"};
	const char *key = row->key, *part = "";
	for (size_t i = 0; i < ARRAY_SIZE(with_keys); i++)
		if (strcmp(with_keys[i], key) == 0)
			part = ".KEY";
	const char *places = row->instead == OF_USER
		? arena_printf(arena, "in " CONFIG ", with -s %s%s=VALUE or in a scenario", key, part)
		: row->instead == OF_OPTION
		? arena_printf(arena, "with -s %s%s=VALUE or in a scenario", key, part)
		: row->instead == OF_FIX ? arena_printf(arena, "in " CONFIG " or with -s %s=VALUE", key)
								 : "in a scenario";
	return arena_printf(
		arena, "%d:%d: a repository cannot set %s; set it %s", line, column, key, places);
}

static void each_key_is_allowed_or_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(decided); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const struct decided *row = &decided[i];
		const char *dot = strchr(row->key, '.'), *text;
		if (dot)
			text = arena_printf(&arena, "\n%.*s:\n  %s: %s\n", (int)(dot - row->key), row->key,
				dot + 1, row->value);
		else
			text = arena_printf(&arena, "\n%s: %s\n", row->key, row->value);
		assert_said(
			text, row->instead == ALLOWED ? "" : refusal_of(row, dot ? 3 : 2, dot ? 3 : 1, &arena));
	}
}

/* The kinds for which rights.c knows what a right means. */
static void assert_right_fits(const struct option *option)
{
	bool is_number = option->kind == OPTION_BOOL || option->kind == OPTION_INT;
	bool is_text = option->kind == OPTION_STRING || option->kind == OPTION_STRINGS;
	if (option->right == OPTION_MAY_RAISE)
		assert_true(is_number);
	if (option->right == OPTION_MAY_NAME_PATHS)
		assert_true(is_text);
	if (option->right == OPTION_MAY_SET)
		assert_true(is_text || option->kind == OPTION_ENUM);
	if (option->right != OPTION_REFUSED)
		assert_false(option->from_file);
}

static void no_key_is_undecided(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	for (const struct option *option = scenario_keys; option->name; option++) {
		bool is_open = rights_any(option) && option->kind == OPTION_SECTION;
		assert_right_fits(option);
		if (!is_open)
			assert_int_equal(is_allowed(option->name), rights_any(option));
		for (const struct option *inner = is_open ? option->table : NULL; inner && inner->name;
			 inner++) {
			const char *key = arena_printf(&arena, "%s.%s", option->name, inner->name);
			assert_int_equal(is_allowed(key), rights_any(inner));
			assert_right_fits(inner);
		}
	}
}

struct fresh {
	bool given, taken;
};

static void a_new_key_is_refused(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const struct option options[] = {
		{.name = "given", .kind = OPTION_BOOL, .offset = offsetof(struct fresh, given)},
		{.name = "taken",
			.kind = OPTION_BOOL,
			.offset = offsetof(struct fresh, taken),
			.right = OPTION_MAY_SET},
		OPTION_END,
	};
	static const char text[] = "given: true\ntaken: true\ngive: true\n";
	struct fresh fresh = {false, false};
	struct problems problems = {.arena = &arena};
	struct reader reader = {.arena = &arena, .problems = &problems, .repository = scenario_top};
	AUTO_STRBUF said = STRBUF_INIT(4096);
	reader_read(
		&reader, options, &fresh, yaml_read(text, strlen(text), "f", &arena, &problems), NULL);
	problems_print(&problems, &said);
	assert_string_equal(said.text,
		"f:1:1: a repository cannot set given; set it in a scenario\nf:3:1: unknown key 'give'\n");
	assert_false(fresh.given);
	assert_true(fresh.taken);
}

static void a_bare_value_is_the_key_that_it_means(void **state)
{
	(void)state;
	assert_said("test: make check\n", "");
	assert_said(
		"workspace: /etc\n", "1:1: a repository cannot set workspace.repo; set it in a scenario");
	assert_said("verify: pytest x\n",
		"1:1: a repository cannot set verify.hidden; set it in " CONFIG
		", with -s verify.hidden=VALUE or in a scenario");
}

static void what_is_no_key_has_a_name(void **state)
{
	(void)state;
	assert_said("tests: make check\n", "1:1: unknown key 'tests', did you mean 'test'?");
	assert_said("limit: {}\n", "1:1: unknown key 'limit'"); /* limits is refused */
	assert_said(
		"verify: {check: x}\n", "1:10: unknown key 'check' in verify, did you mean 'checks'?");
	assert_said("- a\n", "1:1: the file must be a section of keys, found a list");
	assert_said(
		"verify: {sentinels: maybe}\n", "1:21: sentinels must be true or false, found 'maybe'");
	assert_said("verify: {repeat: }\n", "1:18: repeat must be a whole number, found nothing");
	assert_said("verify: {repeat: 21}\n", "1:18: repeat must be between 1 and 20, found '21'");
}

#define BOUNDS "verify: {repeat: 1, sentinels: false}\ntest: {repeat: 1}\n"
#define BOUNDS_SAID \
	"1:18: a repository cannot set verify.repeat below 2, found '1'; set it in " CONFIG \
	", with -s verify.repeat=VALUE or in a scenario\n" \
	"1:32: a repository can only set verify.sentinels to true; set it to false in " CONFIG \
	", with -s verify.sentinels=VALUE or in a scenario\n" \
	"2:16: repeat must be between 2 and 20, found '1'\n"

static void bounds_are_only_raised(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	assert_repository(&arena, "", BOUNDS, &scenario, BOUNDS_SAID);
	assert_int_equal(scenario.verify.repeat, 2);
	assert_true(scenario.verify.sentinels);
	/* What is wrong in a repository does not depend on the user. */
	assert_repository(
		&arena, "verify: {repeat: 1, sentinels: false}", BOUNDS, &scenario, BOUNDS_SAID);
	assert_repository(&arena, "verify: {repeat: 5}", "verify: {repeat: 3}", &scenario, "");
	assert_int_equal(scenario.verify.repeat, 5);
	assert_repository(&arena, "verify: {repeat: 1, sentinels: false}",
		"verify: {repeat: 3, sentinels: true}\ntest: {repeat: 4}", &scenario, "");
	assert_int_equal(scenario.verify.repeat, 3);
	assert_int_equal(scenario.test.repeat, 4);
	assert_true(scenario.verify.sentinels);
}

static void lists_are_added_to_those_of_the_user(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	assert_repository(&arena, "protect: [mine]\nverify: {checks: [a, b]}",
		"protect: theirs\nverify: {checks: [c]}\nsetup: d", &scenario, "");
	assert_int_equal(scenario.protect.n, 2);
	assert_string_equal(scenario.protect.items[0], "mine");
	assert_string_equal(scenario.protect.items[1], "theirs");
	assert_int_equal(scenario.verify.checks.n, 3);
	assert_string_equal(scenario.verify.checks.items[2], "c");
	assert_int_equal(scenario.setup.commands.n, 1);
	assert_repository(&arena, "verify: {checks: [a]}", "verify: {checks: []}", &scenario, "");
	assert_int_equal(scenario.verify.checks.n, 1);
}

#define READ_ONLY \
	"; to let programs read what lies outside, set executor.read_only in " CONFIG \
	", with -s executor.read_only=VALUE or in a scenario"

static void paths_lie_inside(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const outside[][2] = {{"/etc", ""}, {"..", ""}, {"a/../../b", ""}, {".", ""},
		{".git", ""}, {"''", ""}, {"out", "/etc"}, {"out/", "/etc"}, {"./out", "/etc"},
		{"out/none/x", "/etc"}, {"deep/up", "TOP"}, {"through", "/etc"},
		{"itself", "TOP/repository"}, {"git", "TOP/repository/.git"}};
	static const char *const inside[] = {
		"deep", "deep/", "none", "none/x", "within", "./deep/none"};
	struct rondo_error err;
	assert_int_equal(file_make_dir(REPOSITORY "/deep", 0755, &err), 0);
	assert_int_equal(symlink("/etc", REPOSITORY "/out"), 0);
	assert_int_equal(symlink("out", REPOSITORY "/through"), 0);
	assert_int_equal(symlink("../..", REPOSITORY "/deep/up"), 0);
	assert_int_equal(symlink(".", REPOSITORY "/itself"), 0);
	assert_int_equal(symlink(".git", REPOSITORY "/git"), 0);
	assert_int_equal(symlink("deep", REPOSITORY "/within"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(inside); i++) {
		assert_said(arena_printf(&arena, "workspace: {mount: %s}", inside[i]), "");
		assert_said(arena_printf(&arena, "test: {report: %s}", inside[i]), "");
	}
	for (size_t i = 0; i < ARRAY_SIZE(outside); i++) {
		const char *to = outside[i][1],
				   *name = strcmp(outside[i][0], "''") == 0 ? "" : outside[i][0];
		if (text_starts_with(to, "TOP"))
			to = arena_printf(&arena, "%s%s", scenario_top, to + strlen("TOP"));
		const char *said = arena_printf(&arena,
			" must name a path inside the repository, found '%s'%s%s" READ_ONLY, name,
			*to ? ", which leads to " : "", to);
		assert_said(arena_printf(&arena, "workspace: {mount: [deep, %s]}", outside[i][0]),
			arena_printf(&arena, "1:27: workspace.mount%s", said));
		assert_said(arena_printf(&arena, "test: {report: %s}", outside[i][0]),
			arena_printf(&arena, "1:16: test.report%s", said));
	}
	assert_said("test: {report: out/*.xml}",
		"1:16: test.report must name a path inside the repository, found 'out/*.xml', which leads "
		"to /etc" READ_ONLY);
}

static void the_file_itself_lies_inside(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct problems problems = {.arena = &arena};
	struct scenario scenario;
	AUTO_STRBUF said = STRBUF_INIT(4096);
	put_file("secret.yaml", "test: cat secret\n", strlen("test: cat secret\n"));
	assert_int_equal(unlink(REPOSITORY "/rondo.yaml"), 0);
	assert_int_equal(symlink("../secret.yaml", REPOSITORY "/rondo.yaml"), 0);
	scenario_init(&scenario, &arena);
	config_read(&scenario, REPOSITORY, NULL, &problems);
	problems_print(&problems, &said);
	assert_string_equal(said.text,
		arena_printf(&arena,
			"%s/" REPOSITORY
			"/rondo.yaml: a link that leads out of the repository, to '%s/secret.yaml'; "
			"put the file itself there\n",
			scenario_top, scenario_top));
	assert_null(scenario.test.command);
}

static int set_up(void **state)
{
	struct rondo_error err;
	if (scenario_set_up(state) < 0)
		return -1;
	return file_make_dir(REPOSITORY "/.git", 0755, &err);
}

UNIT(rights)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_is_allowed_or_refused),
		cmocka_unit_test(no_key_is_undecided),
		cmocka_unit_test(a_new_key_is_refused),
		cmocka_unit_test(a_bare_value_is_the_key_that_it_means),
		cmocka_unit_test(what_is_no_key_has_a_name),
		cmocka_unit_test(bounds_are_only_raised),
		cmocka_unit_test(lists_are_added_to_those_of_the_user),
		cmocka_unit_test(paths_lie_inside),
		cmocka_unit_test(the_file_itself_lies_inside),
	};
	return cmocka_run_group_tests(tests, set_up, scenario_tear_down);
}
