/* Which environment a Python project's tests run in, and what is put on the path for them. */
#include "tests/unit/git_fixture.h"

#include "verify/suite/python_place.h"

/* VENV DIR: a directory that looks like an environment; HAS DIR NAME: with that package in it. */
#define SHELL \
	"venv() { mkdir -p $1/bin $1/lib/python3.11/site-packages; touch $1/bin/python3; " \
	"printf 'home = /nowhere/bin\\nversion = 3.11.7\\n' >$1/pyvenv.cfg; }; " \
	"has() { mkdir -p $1/lib/python3.11/site-packages/$2; " \
	"touch $1/lib/python3.11/site-packages/$2/__init__.py; }; "

static struct python_place place_of(struct fixture *f, const char *command, const char *setup,
	const char *const *paths, size_t n, int *ret_status)
{
	struct suite suite;
	struct python_place place = {0};
	sh(f, SHELL "%s", setup);
	unsetenv("VIRTUAL_ENV");
	suite_from_command(command, "", &f->arena, &suite);
	*ret_status =
		python_find_place(&suite, at(f, "repo"), paths, n, &f->arena, &place, &f->err);
	return place;
}

static const char *const flat[] = {"shop/__init__.py", "tests/test_a.py"};
static const char *const in_src[] = {"src/shop/__init__.py", "tests/test_a.py"};

static void assert_environment(
	struct fixture *f, const char *setup, const char *prefix, const char *why)
{
	int status;
	sh(f, "cd .. && rm -rf repo && mkdir repo");
	struct python_place place =
		place_of(f, "python3 -m pytest", setup, flat, ARRAY_SIZE(flat), &status);
	assert_int_equal(status, 0);
	if (!prefix) {
		assert_null(place.prefix);
		return;
	}
	assert_string_equal(place.prefix, at(f, prefix));
	assert_string_equal(place.why, why);
}

static void the_environment_that_has_the_runner_is_taken(void **state)
{
	struct fixture *f = *state;
	setenv("PATH", "/nowhere:/usr/bin:/bin", 1);
	assert_environment(f, "venv venv; venv .venv; has venv pytest; has .venv pytest", "repo/.venv",
		"by .venv (Python 3.11.7) in the checkout, which has pytest");
	assert_environment(f, "venv .venv; venv mine; has mine pytest", "repo/mine",
		"by mine (Python 3.11.7) in the checkout, which has pytest");
	assert_environment(f, "venv .tox/py311; venv .nox/tests; has .nox/tests pytest",
		"repo/.nox/tests", "by .nox/tests (Python 3.11.7) of nox, which has pytest");
	assert_environment(f, "venv .conda; rm .conda/pyvenv.cfg; mkdir .conda/conda-meta; "
		"has .conda pytest", "repo/.conda", "by .conda of conda, which has pytest");
}

/* It was asked for its own packages for ever. */
static void an_environment_that_stands_on_itself_is_one(void **state)
{
	struct fixture *f = *state;
	static const char *const homes[] = {"$PWD/.venv/bin", ".venv/bin"};
	setenv("PATH", "/nowhere:/usr/bin:/bin", 1);
	for (size_t i = 0; i < ARRAY_SIZE(homes); i++)
		assert_environment(f,
			arena_printf(&f->arena,
				"venv .venv; printf 'home = %s\\n"
				"include-system-site-packages = true\\nversion = 3.11.7\\n' \"%s\" "
				">.venv/pyvenv.cfg; "
				"venv mine; has mine pytest",
				"%s", homes[i]),
			"repo/mine", "by mine (Python 3.11.7) in the checkout, which has pytest");
}

static void environments_of_tools_lie_in_the_home(void **state)
{
	struct fixture *f = *state;
	const char *root = at(f, "repo"), *old = getenv("HOME");
	setenv("PATH", "/nowhere:/usr/bin:/bin", 1);
	setenv("HOME", f->dir, 1);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("XDG_DATA_HOME");
	assert_environment(f, arena_printf(&f->arena,
		"venv ../.local/share/virtualenvs/x; has ../.local/share/virtualenvs/x pytest; "
		"venv ../.local/share/virtualenvs/a; has ../.local/share/virtualenvs/a pytest; "
		"echo /elsewhere >../.local/share/virtualenvs/a/.project; "
		"echo %s >../.local/share/virtualenvs/x/.project", root), ".local/share/virtualenvs/x",
		arena_printf(&f->arena,
		"by %s/.local/share/virtualenvs/x (Python 3.11.7) of pipenv, which has pytest", f->dir));
	const char *hash = sh(f, "printf %%s '%s' | openssl dgst -sha256 -binary | base64 | tr +/ -_ | "
		"cut -c1-8", root);
	const char *poetry =
		arena_printf(&f->arena, ".cache/pypoetry/virtualenvs/shop-%s-py3.11", hash);
	assert_environment(f, arena_printf(&f->arena, "venv ../%s; has ../%s pytest", poetry, poetry),
		poetry, arena_printf(&f->arena,
		"by %s/%s (Python 3.11.7) of poetry, which has pytest", f->dir, poetry));
	setenv("HOME", old, 1);
}

/* They would show programs any directory of the host. */
static void what_git_tracks_is_no_environment(void **state)
{
	struct fixture *f = *state;
	static const char *const rows[][3] = {
		{"venv .venv; has .venv pytest", ".venv/pyvenv.cfg", NULL},
		{"venv ../mine; has ../mine pytest; ln -s ../mine venv", "venv", NULL},
		{"venv ../tox/py; has ../tox/py pytest; ln -s ../tox .tox", ".tox", NULL},
		{"venv ../mine; has ../mine pytest; pwd | sed 's,repo$,mine/bin/python3,' >.pdm-python",
			".pdm-python", "mine"},
		{"mkdir -p ../open/bin; touch ../open/bin/python3; "
		 "pwd | sed 's,repo$,open/bin/python3,' >.pdm-python",
			"setup.py", NULL},
		{"venv ../mine; has ../mine pytest; pwd | sed 's,$,/../mine/bin/python,' >.pdm-python",
			"setup.py", "mine"}};
	setenv("PATH", "/nowhere:/usr/bin:/bin", 1);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int status;
		bool is_untracked = i + 1 == ARRAY_SIZE(rows);
		sh(f, "cd .. && rm -rf repo mine tox open && mkdir repo");
		struct python_place place =
			place_of(f, "python3 -m pytest", rows[i][0], &rows[i][1], 1, &status);
		assert_int_equal(status, 0);
		if (!is_untracked)
			assert_null(place.prefix);
		else
			assert_string_equal(place.prefix, at(f, rows[i][2]));
		if (!rows[i][2])
			continue;
		place = place_of(f, "python3 -m pytest", "", flat, ARRAY_SIZE(flat), &status);
		assert_string_equal(place.prefix, at(f, rows[i][2]));
	}
}

static void assert_path(struct fixture *f, const char *command, const char *setup, bool is_flat,
	const char *path, const char *told)
{
	int status;
	sh(f, "cd .. && rm -rf repo && mkdir repo");
	struct python_place place = place_of(f, command,
		arena_printf(&f->arena, "venv .venv; has .venv pytest; %s", setup),
		is_flat ? flat : in_src, 2, &status);
	assert_int_equal(status, 0);
	assert_true(path ? place.path && strcmp(place.path, path) == 0 : !place.path);
	assert_true(told ? place.told && strcmp(place.told, told) == 0 : !place.told);
}

static void the_checkout_is_judged_and_no_other_copy(void **state)
{
	struct fixture *f = *state;
	const char *command = "python3 -m pytest";
	assert_path(f, command, "", false, "src",
		"src/ is on Python's path: the project is not installed in .venv");
	assert_path(f, command, "has .venv shop", false, "src",
		"src/ is on Python's path, before the copy of shop in .venv");
	assert_path(f, command, "pwd | sed 's,$,/src,' >.venv/lib/python3.11/site-packages/e.pth",
		false, NULL, NULL);
	assert_path(f, command, "echo /elsewhere/src >.venv/lib/python3.11/site-packages/e.pth", false,
		"src", "src/ is on Python's path: the project is not installed in .venv");
	assert_path(f, command, "printf '[pytest]\\npythonpath = src\\n' >pytest.ini", false, "src",
		NULL);
	assert_path(f, command, "has .venv shop", true, NULL, NULL);
	assert_path(f, "pytest", "has .venv shop", true, ".",
		"the checkout is on Python's path, before the copy of shop in .venv");
	assert_path(f, "cargo test", "", false, NULL, NULL);
}

static void a_compiled_copy_is_refused(void **state)
{
	struct fixture *f = *state;
	int status;
	place_of(f, "python3 -m pytest", "venv .venv; has .venv pytest; has .venv shop; "
		"touch .venv/lib/python3.11/site-packages/shop/fast.so", in_src, 2, &status);
	assert_int_equal(status, -1);
	assert_int_equal(f->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_string_equal(f->err.message,
		"the tests would judge the copy of shop in .venv, not the checkout");
	assert_string_equal(f->err.help, ".venv/bin/python -m pip install -e .");
}

static void the_command_installs_the_package_as_the_project_does(void **state)
{
	struct fixture *f = *state;
	static const char *const paths[] = {"requirements/test.txt", "setup.cfg"};
	static const char *const rows[][2] = {{"attr", "python3 -m pip install attrs"},
		{"yaml", "python3 -m pip install -e \".[dev]\""},
		{"pytest_cov", "python3 -m pip install -r requirements/test.txt"},
		{NULL, "python3 -m pip install -e ."}};
	sh(f, "mkdir requirements; echo pytest-cov >requirements/test.txt; "
		"printf '[options.extras_require]\ndoc =\n    sphinx\ndev =\n    pyyaml>=6\n' "
		">setup.cfg");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct python_place place = {0};
		struct lack lack = {.is_python = true, .python = rows[i][0]};
		assert_string_equal(
			python_mend(&place, at(f, "repo"), &lack, paths, ARRAY_SIZE(paths), &f->arena),
			rows[i][1]);
	}
}

/* Those of an older pip are installed one by one. */
static void a_group_is_installed_where_pip_knows_groups(void **state)
{
	struct fixture *f = *state;
	struct lack lack = {.is_python = true, .python = "hypothesis"};
	struct python_place place = {.prefix = at(f, "repo/.venv")};
	sh(f,
		"printf '[dependency-groups]\ndocs = [\n \"furo\",\n]\ntest = [\n \"hypothesis>=6\",\n]\n' "
		">pyproject.toml; mkdir -p .venv/lib/python3.11/site-packages/pip/_internal/req");
	assert_string_equal(python_mend(&place, at(f, "repo"), &lack, NULL, 0, &f->arena),
		".venv/bin/python -m pip install hypothesis");
	sh(f, "touch .venv/lib/python3.11/site-packages/pip/_internal/req/req_dependency_group.py");
	assert_string_equal(python_mend(&place, at(f, "repo"), &lack, NULL, 0, &f->arena),
		".venv/bin/python -m pip install --group test");
}

UNIT(python_place)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(the_environment_that_has_the_runner_is_taken),
		FIXTURE_TEST(an_environment_that_stands_on_itself_is_one),
		FIXTURE_TEST(environments_of_tools_lie_in_the_home),
		FIXTURE_TEST(what_git_tracks_is_no_environment),
		FIXTURE_TEST(the_checkout_is_judged_and_no_other_copy),
		FIXTURE_TEST(a_compiled_copy_is_refused),
		FIXTURE_TEST(the_command_installs_the_package_as_the_project_does),
		FIXTURE_TEST(a_group_is_installed_where_pip_knows_groups),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
