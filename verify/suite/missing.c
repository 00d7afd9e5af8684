/* What runners and interpreters say is missing: a module, a plug-in, a command. */
#include "verify/suite/missing.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "verify/suite/lines.h"
#include "verify/suite/location.h"
#include "verify/suite/own_files.h"

enum { NAME = 256 };

/* Not dependency:go-offline: it lacks what Surefire chooses later, and a module's neighbours. */
#define MAVEN_FETCHES "mvn -B -Dmaven.test.failure.ignore test"
#define COREPACK "a package manager that corepack starts"

/* How a runner says that something is missing: the words before its name. */
static const struct sign {
	const char *start;
	const char *what; /* the word for it, before the name */
	/* the command that gets it, which a name follows where it ends in a space or dash; NULL: pip
	 * for Python, and none for others */
	const char *mend;
} signs[] = {
	{"ModuleNotFoundError: No module named '", "the Python module", NULL},
	{"ImportError: No module named '", "the Python module", NULL},
	{"python3: No module named ", "the Python module", NULL},
	{"python: No module named ", "the Python module", NULL},
	{"Error importing plugin \"", "the Python module", NULL},
	{"No package metadata was found for ", "the Python package", NULL},
	{"Cannot find module '", "the Node module", "npm install"},
	{"Cannot find package '", "the Node module", "npm install"},
	{"Failed to resolve import \"", "the Node module", "npm install"},
	{"Failed to load url ", "the Node module", "npm install"},
	{"/corepack/dist/lib/corepack.cjs", COREPACK, "corepack install"},
	{"/node/corepack/v1/", COREPACK, "corepack install"},
	{"Unknown file extension \".ts", "a loader of TypeScript that this version of Node takes",
		NULL},
	{"no required module provides package ", "the Go module", "go mod download"},
	{"cannot find module providing package ", "the Go module", "go mod download"},
	{"module lookup disabled by GOPROXY", "a Go module", "go mod download"},
	{"no matching package named `", "the Rust crate", "cargo fetch"},
	{"failed to get `", "the Rust crate", "cargo fetch"},
	{"failed to download `", "the Rust crate", "cargo fetch"},
	{"no such command: `", "the cargo command", "cargo install --locked cargo-"},
	{"but --offline was specified", "a Rust crate", "cargo fetch"},
	{"rustup could not choose a version of ", "a default toolchain of rustup",
		"rustup default stable"},
	{"error: toolchain '", "the toolchain", "rustup toolchain install "},
	{"may not be used on the stable release channel", "a nightly compiler of Rust", NULL},
	{"in offline mode and the artifact ", "the Maven artifact", MAVEN_FETCHES},
	{"Cannot access central", "a Maven artifact", MAVEN_FETCHES},
	{"Could not resolve dependencies", "a Maven artifact", MAVEN_FETCHES},
	{"No cached version of ", "the Gradle artifact", "gradle --no-daemon test || true"},
	{"at org.gradle.wrapper.Download", "a distribution of Gradle", "sh ./gradlew --version"},
	{"main class org.gradle.wrapper", "a jar of Gradle's wrapper", "gradle wrapper"},
	{"(you may need to install the ", "the Perl module", "cpan "},
	{"cannot load such file -- ", "the Ruby library", "bundle install"},
	{"Failed opening required '", "the PHP file", "composer install"},
};

/* The package of a pytest plug-in, by a fixture or an option that only it has. */
static const struct plugin {
	const char *sign, *package;
} plugins[] = {
	{"fixture 'benchmark' not found", "pytest-benchmark"},
	{"fixture 'mocker' not found", "pytest-mock"},
	{"fixture 'subtests' not found", "pytest-subtests"},
	{"fixture 'httpx_mock' not found", "pytest-httpx"},
	{"fixture 'httpbin' not found", "pytest-httpbin"},
	{"fixture 'httpserver' not found", "pytest-httpserver"},
	{"fixture 'requests_mock' not found", "requests-mock"},
	{"fixture 'freezer' not found", "pytest-freezer"},
	{"fixture 'faker' not found", "faker"},
	{"fixture 'fs' not found", "pyfakefs"},
	{"fixture 'qtbot' not found", "pytest-qt"},
	{"fixture 'aiohttp_client' not found", "pytest-aiohttp"},
	{"fixture 'event_loop' not found", "pytest-asyncio"},
	{"fixture 'unused_tcp_port' not found", "pytest-asyncio"},
	{"fixture 'unused_tcp_port_factory' not found", "pytest-asyncio"},
	{"fixture 'nursery' not found", "pytest-trio"},
	{"fixture 'respx_mock' not found", "respx"},
	{"fixture 'snapshot' not found", "syrupy"},
	{"fixture 'time_machine' not found", "time-machine"},
	{"fixture 'datadir' not found", "pytest-datadir"},
	{"fixture 'shared_datadir' not found", "pytest-datadir"},
	{"fixture 'data_regression' not found", "pytest-regressions"},
	{"fixture 'image_regression' not found", "pytest-regressions"},
	{"fixture 'file_regression' not found", "pytest-regressions"},
	{"fixture 'anyio_backend' not found", "anyio"},
	{"async def functions are not natively supported", "pytest-asyncio"},
	{"unrecognized arguments: --cov", "pytest-cov"},
	{"unrecognized arguments: --no-cov", "pytest-cov"},
	{"unrecognized arguments: -n", "pytest-xdist"},
	{"unrecognized arguments: --numprocesses", "pytest-xdist"},
	{"unrecognized arguments: --dist", "pytest-xdist"},
	{"unrecognized arguments: --timeout", "pytest-timeout"},
	{"unrecognized arguments: --benchmark", "pytest-benchmark"},
	{"unrecognized arguments: --asyncio-mode", "pytest-asyncio"},
	{"unrecognized arguments: --reruns", "pytest-rerunfailures"},
	{"unrecognized arguments: --mypy", "pytest-mypy"},
	{"unrecognized arguments: --ruff", "pytest-ruff"},
	{"unrecognized arguments: --doctest-plus", "pytest-doctestplus"},
	{"unrecognized arguments: --mpl", "pytest-mpl"},
	{"unrecognized arguments: --randomly", "pytest-randomly"},
};

/* "sh: 1: foo: not found", "bash: line 1: foo: command not found", "env: 'foo': No such file or
 * directory", "make: foo: No such file or directory". */
static bool missing_find_command(const char *text, char name[NAME])
{
	static const char *const ends[] = {": not found", ": command not found",
		"': No such file or directory", ": No such file or directory"};
	static const char *const starts[] = {"sh: *", "/bin/sh: *", "bash: *", "/bin/bash: *", "env: *",
		"/usr/bin/env: *", "make: *", "make[*", NULL};
	bool known = line_matches_any(text, starts);
	for (size_t i = 0; i < ARRAY_SIZE(ends) && known; i++) {
		const char *end = strstr(text, ends[i]), *start = end;
		while (start && start > text && !isspace((unsigned char)start[-1]) &&
			!strchr("'\"", start[-1]))
			start--;
		if (!end || start == end || end[strlen(ends[i])])
			continue;
		size_t n = (size_t)(end - start);
		text_copy(name, n + 1 < NAME ? n + 1 : NAME, start);
		return true;
	}
	return false;
}

/* "./run-tests: 3: docker: not found", "./run-tests: line 3: docker: command not found". In a
 * script of the tree another name may be a misspelt function. */
static bool missing_find_program(const char *text, char name[NAME])
{
	static const char *const programs[] = {"docker", "docker-compose", "podman", "psql", "pg_ctl",
		"initdb", "createdb", "mysql", "mysqld", "mariadb", "redis-server", "redis-cli", "mongod",
		"sqlite3", "xvfb-run", "Xvfb", "node", "npm", "npx", "yarn", "pnpm", "bun", "deno", "cargo",
		"go", "java", "javac", "mvn", "gradle", "ruby", "bundle", "rake", "php", "composer", "perl",
		"prove", "lua", "busted", "bats", "shellcheck", "shellspec", "python", "python3", "pip",
		"pytest", "tox", "nox", "uv", "poetry", "cmake", "ctest", "meson", "ninja", "autoreconf",
		"gcc", "g++", "clang", "cc", "valgrind", "gdb", "curl", "wget", "jq", "rsync", "ssh"};
	const char *end = strstr(text, ": not found");
	if (!end)
		end = strstr(text, ": command not found");
	const char *start = end;
	while (start && start > text && start[-1] != ' ')
		start--;
	if (!end || start - text < 3 || strncmp(start - 2, ": ", 2) != 0 ||
		!isdigit((unsigned char)start[-3]))
		return false;
	text_copy(name, (size_t)(end - start) + 1 < NAME ? (size_t)(end - start) + 1 : NAME, start);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (strcmp(programs[i], name) == 0)
			return true;
	return false;
}

/* The first of n signs that is in a text, the name behind it, up to one of `ends`, and the rest. */
static const struct sign *missing_find_sign(const struct sign *all, size_t n, const char *ends,
	const char *text, char name[NAME], const char **ret_rest)
{
	for (size_t i = 0; i < n; i++) {
		const char *at = strstr(text, all[i].start);
		if (!at)
			continue;
		at += strlen(all[i].start);
		size_t length = strcspn(at, ends);
		text_copy(name, length + 1 < NAME ? length + 1 : NAME, at);
		*ret_rest = at + length;
		return &all[i];
	}
	return NULL;
}

/* `Trait "Prophecy\PhpUnit\ProphecyTrait" not found`. A name without a namespace may be a slip. */
static const struct sign *missing_find_class(const char *text, char name[NAME])
{
	static const struct sign classes[] = {{"Trait \"", "the PHP trait", "composer install"},
		{"Class \"", "the PHP class", "composer install"},
		{"Interface \"", "the PHP interface", "composer install"}};
	const char *rest;
	const struct sign *sign =
		missing_find_sign(classes, ARRAY_SIZE(classes), "\"", text, name, &rest);
	bool is_missing = sign && text_starts_with(rest, "\" not found") && strchr(name, '\\');
	return is_missing ? sign : NULL;
}

static const struct sign *missing_find_module(const char *text, char name[NAME])
{
	const char *rest;
	const struct sign *sign =
		missing_find_sign(signs, ARRAY_SIZE(signs), "'`\";, ()", text, name, &rest);
	return sign ? sign : missing_find_class(text, name);
}

static bool missing_plugin_in(const char *text, struct arena *arena, struct lack *lack)
{
	for (size_t i = 0; i < ARRAY_SIZE(plugins); i++) {
		if (!strstr(text, plugins[i].sign))
			continue;
		lack->what = arena_printf(arena, "the pytest plug-in %s is missing", plugins[i].package);
		lack->is_python = true;
		lack->python = plugins[i].package;
		return true;
	}
	return false;
}

static bool missing_module_is_own(
	const struct sign *sign, const char *name, const char *const *paths, size_t n)
{
	bool is_python = text_starts_with(sign->what, "the Python");
	bool is_nameless = text_starts_with(sign->what, "a ");
	if (is_nameless || text_starts_with(sign->what, "the Go") ||
		text_ends_with(sign->what, "artifact") || text_ends_with(sign->what, "package"))
		return false;
	if (strcmp(sign->what, "the PHP file") == 0)
		return !strstr(name, "vendor/");
	if (strcmp(sign->what, "the Perl module") == 0 || strchr(name, '\\'))
		return own_class(name, paths, n);
	return own_module(name, paths, n) || (is_python && own_is_misspelt(name, paths, n));
}

/* What a text says is missing. */
bool missing_in_line(
	const char *text, const char *const *paths, size_t n, struct arena *arena, struct lack *lack)
{
	char name[NAME];
	const struct sign *sign = missing_find_module(text, name);
	*lack = (struct lack){0};
	if (!sign && missing_plugin_in(text, arena, lack))
		return true;
	if (!sign && (missing_find_command(text, name) || missing_find_program(text, name))) {
		lack->what = arena_printf(arena, "the command '%s' is missing", name);
		if (line_matches_any(name, (const char *const[]){"yarn", "pnpm", "bun", NULL}))
			lack->mend = arena_printf(arena, "npm install -g %s", name);
		return true;
	}
	if (!sign)
		return false;
	bool is_python = text_starts_with(sign->what, "the Python");
	const char *file = is_python ? own_generated(name, paths, n, arena) : NULL;
	if (file) {
		lack->what = arena_printf(arena, "the generated file '%s' is missing", file);
		lack->is_python = true;
		return true;
	}
	if (own_absent_data(name, paths, n)) {
		lack->what = arena_printf(arena, "the file '%s' is missing", name);
		lack->advice = "put the file where its importer looks for it: the commit does not have it";
		return true;
	}
	if (*name == '.' && own_is_built(name, paths, n)) {
		lack->what = arena_printf(arena, "'%s' is missing, which a build makes", name);
		lack->advice = "let the command build it: --test 'BUILD && TESTS'";
		return true;
	}
	if (missing_module_is_own(sign, name, paths, n))
		return false;
	lack->what = text_starts_with(sign->what, "a ")
		? arena_printf(arena, "%s is missing", sign->what)
		: arena_printf(arena, "%s '%s' is missing", sign->what, name);
	lack->is_python = is_python;
	if (is_python && !own_module(name, paths, n))
		lack->python = arena_strndup(arena, name, strcspn(name, "."));
	bool is_begun = sign->mend && strchr(" -", sign->mend[strlen(sign->mend) - 1]);
	lack->mend = is_begun ? arena_printf(arena, "%s%s", sign->mend, name) : sign->mend;
	return true;
}

bool missing_in_output(const char *output, const char *const *paths, size_t n, struct arena *arena,
	struct lack *ret_lack)
{
	AUTO_ARENA scratch = ARENA_INIT;
	for (const char *at = output; *at;) {
		size_t length = strcspn(at, "\n");
		const char *line = arena_strndup(&scratch, at, length);
		if (missing_in_line(line, paths, n, arena, ret_lack) ||
			missing_in_build(line, at + length, paths, n, arena, ret_lack))
			return true;
		at += length + (at[length] == '\n');
	}
	return false;
}
