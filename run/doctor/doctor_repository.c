/*
 * What a repository's tests need and whether it is there, as far as files say it. Only Python is
 * asked itself, because nothing else knows what its interpreter finds.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/secrets.h"
#include "run/run.h"
#include "run/setup/setup.h"
#include "verify/suite/listing.h"
#include "verify/suite/python_place.h"
#include "verify/suite/runners/command_line.h"

#define ASK_MS 10000
#define MOST_NAMED 8 /* missing packages */

struct patient {
	const char *root;
	const struct site_facts *site;
	struct arena *arena;
	struct doctor_line *lines;
	size_t n;
};

static void patient_add(struct patient *patient, struct doctor_line line)
{
	line.works = !line.why;
	line.found = line.found ? line.found : "";
	ARENA_PUSH(patient->arena, patient->lines, patient->n, line);
}

static const char *patient_environment(
	const struct patient *patient, const char *runner, const char **ret_why)
{
	const struct option_strings *paths = &patient->site->paths;
	return python_find_environment(
		patient->root, paths->items, paths->n, runner, patient->arena, ret_why);
}

/* --- Programs --- */

static const char *patient_package(const char *program)
{
	static const char *const packages[][2] = {{"go", "golang-go"}, {"mvn", "maven"},
		{"ctest", "cmake"}, {"node", "nodejs"}, {"cc", "gcc"}, {"prove", "perl"},
		{"bundle", "bundler"}, {"cpanm", "cpanminus"}, {"python", "python-is-python3"}};
	static const char *const same[] = {"npm", "cargo", "make", "cmake", "python3", "gcc", "g++",
		"composer", "meson", "ninja", "phpunit", "bats", "gradle", "ruby", "perl"};
	for (size_t i = 0; i < ARRAY_SIZE(packages); i++)
		if (strcmp(program, packages[i][0]) == 0)
			return packages[i][1];
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		if (strcmp(program, same[i]) == 0)
			return same[i];
	return NULL;
}

static const char *patient_get_program(const char *program, struct arena *arena)
{
	const char *package = patient_package(program);
	if (strcmp(program, "uv") == 0 || strcmp(program, "poetry") == 0 ||
		strcmp(program, "pdm") == 0 || strcmp(program, "pipenv") == 0)
		return arena_printf(arena, "pipx install %s", program);
	if (strcmp(program, "pnpm") == 0 || strcmp(program, "yarn") == 0 || strcmp(program, "bun") == 0)
		return arena_printf(arena, "npm install -g %s", program);
	return package ? arena_printf(arena, "apt-get install %s", package) : "";
}

static void patient_need_program(struct patient *patient, const char *program)
{
	static const char *const shells[] = {"cd", "test", "[", "set", "export", "exec", "true", "."};
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (strcmp(program, shells[i]) == 0)
			return;
	if (strchr(program, '/') || file_search(patient->arena, getenv("PATH"), program))
		return;
	const char *bin = arena_printf(patient->arena, "%s/node_modules/.bin", patient->root);
	const char *ignored, *prefix = patient_environment(patient, NULL, &ignored);
	if (file_exists(arena_printf(patient->arena, "%s/%s", bin, program)) ||
		(prefix && file_exists(arena_printf(patient->arena, "%s/bin/%s", prefix, program))))
		return;
	for (size_t i = 0; i < patient->n; i++)
		if (strcmp(patient->lines[i].name, program) == 0)
			return;
	patient_add(patient,
		(struct doctor_line){.name = arena_strdup(patient->arena, program),
			.needed = true,
			.why = "this program is not installed",
			.help = patient_get_program(program, patient->arena)});
}

static void patient_need_programs(struct patient *patient, const char *line)
{
	size_t n;
	const struct simple_command *commands = command_line_split(line, patient->arena, &n);
	for (size_t i = 0; i < n; i++)
		if (commands[i].n)
			patient_need_program(patient, commands[i].words[0]);
}

/* --- Packages --- */

struct packages {
	size_t n, n_missing;
	struct strbuf *missing; /* the first of them */
};

static void packages_count(struct packages *packages, const char *name, bool is_there)
{
	packages->n++;
	if (is_there)
		return;
	if (packages->n_missing++ < MOST_NAMED)
		strbuf_addf(packages->missing, "%s%s", packages->missing->length ? ", " : "", name);
}

/* What a project declares, and whether this interpreter finds it: a line each, "-" before what is
 * missing. */
static const char python_asks[] =
	"import sys, re, os, glob, importlib.metadata as m\n"
	"root, wanted = sys.argv[1], []\n"
	"try:\n"
	"    import tomllib\n"
	"    t = tomllib.load(open(root + '/pyproject.toml', 'rb'))\n"
	"    p = t.get('project', {})\n"
	"    wanted += p.get('dependencies', [])\n"
	"    for part in (p.get('optional-dependencies', {}), t.get('dependency-groups', {})):\n"
	"        for name in ('test', 'tests', 'testing', 'dev'):\n"
	"            wanted += part.get(name, []) if name in part else []\n"
	"            if name in part: break\n"
	"except Exception: pass\n"
	"for f in sys.argv[2:]:\n"
	"    try: wanted += open(root + '/' + f, encoding='utf-8').read().splitlines()\n"
	"    except Exception: pass\n"
	"seen = set()\n"
	"for w in wanted:\n"
	"    if not isinstance(w, str) or ';' in w: continue\n"
	"    r = re.match(r'\\s*([A-Za-z0-9][A-Za-z0-9._-]*)\\s*(?:\\[|[<>=!~ @#]|$)', w)\n"
	"    if not r or r[1].lower() in seen: continue\n"
	"    seen.add(r[1].lower())\n"
	"    try: m.distribution(r[1]); print('+' + r[1])\n"
	"    except m.PackageNotFoundError: print('-' + r[1])\n";

static void packages_of_python(
	struct patient *patient, const struct setup_proposal *proposal, struct packages *packages)
{
	struct arena *arena = patient->arena;
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_LINE);
	struct process_result result;
	struct rondo_error ignored;
	const char *why, *prefix = patient_environment(patient, "pytest", &why);
	const char *python = prefix ? arena_printf(arena, "%s/bin/python3", prefix)
								: file_search(arena, getenv("PATH"), "python3");
	const char **argv = NULL;
	size_t n = 0;
	if (!python)
		return;
	const char *const start[] = {python, "-c", python_asks, patient->root};
	for (size_t i = 0; i < ARRAY_SIZE(start); i++)
		ARENA_PUSH(arena, argv, n, start[i]);
	for (const char *at = proposal->command; (at = strstr(at, " -r ")); at += 4)
		ARENA_PUSH(arena, argv, n, arena_strndup(arena, at + 4, strcspn(at + 4, " ")));
	ARENA_PUSH(arena, argv, n, NULL);
	struct process_options options = {.argv = argv,
		.env = secrets_free_environment(arena),
		.cwd = "/",
		.output = &output,
		.timeout_ms = ASK_MS};
	if (process_run(&options, &result, &ignored) < 0 || result.exit_code != 0)
		return;
	for (const char *at = output.text; *at; at += *at == '\n') {
		size_t length = strcspn(at, "\n");
		if (strchr("+-", *at))
			packages_count(packages, arena_strndup(arena, at + 1, length - 1), *at == '+');
		at += length;
	}
}

static void packages_of_node(
	struct patient *patient, const struct setup_proposal *proposal, struct packages *packages)
{
	static const char *const parts[] = {"dependencies", "devDependencies"};
	struct rondo_error ignored;
	const char *text = listing_read(patient->root, "package.json", patient->arena);
	AUTO_JSON *json = text ? json_parse(text, strlen(text), &ignored) : NULL;
	(void)proposal;
	for (size_t i = 0; i < ARRAY_SIZE(parts) && json; i++)
		for (const struct json *item = json_first(json_get(json, parts[i])); item;
			 item = json_next(item))
			packages_count(packages, json_key(item),
				file_exists(arena_printf(patient->arena, "%s/node_modules/%s/package.json",
					patient->root, json_key(item))) ||
					file_exists(arena_printf(patient->arena, "%s/.pnp.cjs", patient->root)));
}

/* Capital letters of a module's path are "!" and the small one in the cache. */
static const char *packages_go_dir(struct patient *patient, const char *path, size_t n)
{
	const char *cache = getenv("GOMODCACHE"), *go = getenv("GOPATH"), *home = getenv("HOME");
	AUTO_STRBUF dir = STRBUF_INIT(STRBUF_LINE);
	if (cache && *cache)
		strbuf_addf(&dir, "%s/", cache);
	else
		strbuf_addf(&dir, "%s%s/pkg/mod/",
			go && *go  ? go
				: home ? home
					   : "",
			go && *go ? "" : "/go");
	for (size_t i = 0; i < n; i++) {
		bool is_capital = path[i] >= 'A' && path[i] <= 'Z';
		if (is_capital)
			strbuf_addc(&dir, '!');
		strbuf_addc(&dir, path[i] == ' ' ? '@' : (char)(path[i] + (is_capital ? 32 : 0)));
	}
	return arena_strdup(patient->arena, dir.text);
}

static void packages_of_go(
	struct patient *patient, const struct setup_proposal *proposal, struct packages *packages)
{
	const char *text = listing_read(patient->root, "go.mod", patient->arena);
	bool is_vendored =
			 file_exists(arena_printf(patient->arena, "%s/vendor/modules.txt", patient->root)),
		 is_block = false;
	(void)proposal;
	for (const char *line = text; line && *line; line += *line == '\n') {
		size_t length = strcspn(line, "\n");
		const char *at = line + strspn(line, " \t");
		is_block = is_block ? *at != ')' : text_starts_with(at, "require (");
		bool is_one = text_starts_with(at, "require ") && !is_block;
		at += is_one ? strlen("require ") : 0;
		size_t name = strcspn(at, " \n"),
			   version = at[name] == ' ' ? strcspn(at + name + 1, " \n") : 0;
		const char *rest = arena_strndup(patient->arena, line, length);
		if ((is_one || is_block) && version && at[name + 1] == 'v' && !strstr(rest, "// indirect"))
			packages_count(packages, arena_strndup(patient->arena, at, name),
				is_vendored || file_is_dir(packages_go_dir(patient, at, name + 1 + version)));
		line += length;
	}
}

static bool packages_has_crate(struct patient *patient, const char *name, const char *version)
{
	const char *own = getenv("CARGO_HOME"), *home = getenv("HOME");
	const char *cargo =
		own && *own ? own : arena_printf(patient->arena, "%s/.cargo", home ? home : "");
	glob_t found;
	bool is_there =
		glob(arena_printf(patient->arena, "%s/registry/cache/*/%s-%s.crate", cargo, name, version),
			0, NULL, &found) == 0 ||
		file_is_dir(arena_printf(patient->arena, "%s/vendor/%s", patient->root, name));
	globfree(&found);
	return is_there;
}

static void packages_of_rust(
	struct patient *patient, const struct setup_proposal *proposal, struct packages *packages)
{
	const char *text = listing_read(patient->root, "Cargo.lock", patient->arena);
	(void)proposal;
	for (const char *at = text; at && (at = strstr(at, "[[package]]\nname = \"")); at++) {
		const char *name = at + strlen("[[package]]\nname = \""),
				   *next = strstr(at + 1, "[[package]]");
		const char *version = strstr(name, "version = \""), *source = strstr(name, "source = \"");
		if (!version || !source || (next && (version > next || source > next)))
			continue;
		version += strlen("version = \"");
		name = arena_strndup(patient->arena, name, strcspn(name, "\""));
		packages_count(packages, name,
			packages_has_crate(
				patient, name, arena_strndup(patient->arena, version, strcspn(version, "\""))));
	}
}

static void packages_of_php(
	struct patient *patient, const struct setup_proposal *proposal, struct packages *packages)
{
	(void)proposal;
	packages_count(packages, "vendor/autoload.php",
		file_exists(arena_printf(patient->arena, "%s/vendor/autoload.php", patient->root)));
}

static const struct {
	const char *ecosystem;
	void (*count)(
		struct patient *patient, const struct setup_proposal *proposal, struct packages *packages);
} counters[] = {{"Python", packages_of_python}, {"Node", packages_of_node}, {"Go", packages_of_go},
	{"Rust", packages_of_rust}, {"PHP", packages_of_php}};

static const char *patient_help(struct patient *patient, const char *command)
{
	AUTO_STRBUF word = STRBUF_INIT(STRBUF_LINE);
	strbuf_add_word(&word, command);
	return arena_printf(patient->arena, "%s, or rondo fix --setup %s", command, word.text);
}

static void patient_add_packages(struct patient *patient, const struct setup_proposal *proposal)
{
	AUTO_STRBUF missing = STRBUF_INIT(STRBUF_LINE);
	struct packages packages = {.missing = &missing};
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++)
		if (strcmp(counters[i].ecosystem, proposal->ecosystem) == 0)
			counters[i].count(patient, proposal, &packages);
	struct doctor_line line = {.name = proposal->ecosystem, .needed = true};
	line.found = packages.n
		? arena_printf(patient->arena, "%zu of %zu packages that %s asks for are there",
			  packages.n - packages.n_missing, packages.n, proposal->file)
		: arena_printf(
			  patient->arena, "%s asks for nothing that is known to be missing", proposal->file);
	if (packages.n_missing) {
		line.why = arena_printf(patient->arena, "missing: %s%s", missing.text,
			packages.n_missing > MOST_NAMED ? " ..." : "");
		line.help = patient_help(patient, proposal->command);
		patient_need_program(patient, proposal->tool);
	}
	patient_add(patient, line);
}

/* --- All of it --- */

static void patient_add_site(struct patient *patient, const struct rondo_error *err)
{
	const struct site_facts *site = patient->site;
	struct arena *arena = patient->arena;
	patient_add(patient,
		(struct doctor_line){.name = "repository",
			.found = site->head ? arena_printf(arena, "%s (%s at %.7s)", site->name,
									  site->branch ? site->branch : "detached", site->head)
								: arena_strdup(arena, site->name)});
	if (!site->command) {
		patient_add(patient,
			(struct doctor_line){.name = "tests",
				.needed = true,
				.why = arena_strdup(arena, err->message),
				.help = arena_strdup(arena, err->help)});
		return;
	}
	patient_add(patient,
		(struct doctor_line){.name = "tests",
			.found =
				arena_printf(arena, "%s  (%s, %s)", site->command, site->runner, site->origin)});
	if (site->setup)
		patient_add(patient,
			(struct doctor_line){.name = "setup", .found = arena_strdup(arena, site->setup)});
	patient_need_programs(patient, site->command);
}

int run_doctor_repository(const char *path, struct arena *arena, struct doctor_line **ret_lines,
	size_t *ret_n, struct rondo_error *err)
{
	struct fix_options options = {.path = path, .dry_run = true};
	struct context ctx = {0};
	struct run_report report;
	struct setup_proposal *proposals;
	struct patient patient = {.arena = arena};
	if (!file_is_dir(path))
		return error_set(err, RONDO_ERROR_USAGE,
			file_exists(path) ? "'%s' is no directory" : "there is no directory '%s'", path);
	int status = run_fix(&options, &ctx, arena, &report, err);
	patient.site = report.site;
	if (!patient.site || !patient.site->root)
		return status < 0 ? -1 : 0;
	patient.root = patient.site->root;
	patient_add_site(&patient, err);
	size_t n = setup_propose(patient.root, arena, &proposals);
	for (size_t i = 0; i < n; i++)
		patient_add_packages(&patient, &proposals[i]);
	*ret_lines = patient.lines;
	*ret_n = patient.n;
	return 0;
}
