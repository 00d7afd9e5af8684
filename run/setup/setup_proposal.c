/* What would install what a project's tests need, by the files at its root. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "run/setup/setup.h"
#include "verify/suite/listing.h"

/* The first row of an ecosystem whose file is there counts. */
static const struct setup_row {
	const char *ecosystem, *file, *tool, *command;
} setup_rows[] = {
	{"Python", "uv.lock", "uv", "uv sync"},
	{"Python", "poetry.lock", "poetry", "poetry install"},
	{"Python", "pdm.lock", "pdm", "pdm install"},
	{"Python", "Pipfile.lock", "pipenv", "pipenv sync --dev"},
	{"Python", "Pipfile", "pipenv", "pipenv install --dev"},
	{"Node", "pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile"},
	{"Node", "bun.lock", "bun", "bun install --frozen-lockfile"},
	{"Node", "bun.lockb", "bun", "bun install --frozen-lockfile"},
	{"Node", "yarn.lock", "yarn", "yarn install --frozen-lockfile"},
	{"Node", "package-lock.json", "npm", "npm ci"},
	{"Node", "npm-shrinkwrap.json", "npm", "npm ci"},
	{"Node", "package.json", "npm", "npm install"},
	{"Go", "go.mod", "go", "go mod download"},
	{"Rust", "Cargo.lock", "cargo", "cargo fetch --locked"},
	{"Rust", "Cargo.toml", "cargo", "cargo fetch"},
	{"Java", "pom.xml", "mvn", "mvn -B -Dmaven.test.failure.ignore test"},
	{"Ruby", "Gemfile", "bundle", "bundle install"},
	{"PHP", "composer.json", "composer", "composer install"},
	{"Perl", "cpanfile", "cpanm", "cpanm --installdeps ."},
	{"Perl", "Makefile.PL", "cpanm", "cpanm --installdeps ."},
	{"Perl", "Build.PL", "cpanm", "cpanm --installdeps ."},
};

struct setup_found {
	const char *root;
	struct arena *arena;
	struct setup_proposal *items;
	size_t n;
};

static bool proposal_has(const struct setup_found *found, const char *ecosystem)
{
	for (size_t i = 0; i < found->n; i++)
		if (strcmp(found->items[i].ecosystem, ecosystem) == 0)
			return true;
	return false;
}

static void proposal_add(struct setup_found *found, const char *ecosystem, const char *tool,
	const char *command, const char *file)
{
	struct setup_proposal proposal = {ecosystem, tool, command, file};
	ARENA_PUSH(found->arena, found->items, found->n, proposal);
}

/* Manifests that ask for nothing need no setup. */
static bool proposal_asks(const struct setup_found *found, const char *file)
{
	static const char *const signs[][2] = {{"package.json", "ependencies\""}, {"go.mod", "require"},
		{"Cargo.toml", "dependencies]"}, {"composer.json", "\"require"}};
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		const char *text =
			strcmp(file, signs[i][0]) == 0 ? listing_read(found->root, file, found->arena) : NULL;
		if (text && !strstr(text, signs[i][1]))
			return false;
	}
	return true;
}

static void proposal_add_rows(struct setup_found *found)
{
	for (size_t i = 0; i < ARRAY_SIZE(setup_rows); i++) {
		const struct setup_row *row = &setup_rows[i];
		if (!file_exists(arena_printf(found->arena, "%s/%s", found->root, row->file)) ||
			proposal_has(found, row->ecosystem) || !proposal_asks(found, row->file))
			continue;
		bool is_berry = strcmp(row->tool, "yarn") == 0 &&
			file_exists(arena_printf(found->arena, "%s/.yarnrc.yml", found->root));
		proposal_add(found, row->ecosystem, row->tool,
			is_berry ? "yarn install --immutable" : row->command, row->file);
	}
}

/* --- Python without a lock file --- */

/* The extra of the tests that pyproject.toml or setup.cfg declares, or NULL. */
static const char *proposal_extra(const char *text)
{
	static const char *const extras[] = {"test", "tests", "testing", "dev"};
	static const char *const sections[] = {
		"[project.optional-dependencies]", "[options.extras_require]"};
	for (size_t s = 0; s < ARRAY_SIZE(sections); s++) {
		const char *at = strstr(text, sections[s]), *end = at ? strstr(at + 1, "\n[") : NULL;
		for (size_t i = 0; at && i < ARRAY_SIZE(extras); i++) {
			size_t n = strlen(extras[i]);
			for (const char *line = at; (line = strchr(line, '\n')) && (!end || line < end);) {
				line += 1 + (line[1] == '"');
				if (strncmp(line, extras[i], n) == 0 && strchr(" =\"", line[n]))
					return extras[i];
			}
		}
	}
	return NULL;
}

static bool proposal_is_requirements(const char *path)
{
	return glob_matches("*requirements*.txt", path) || glob_matches("requirements/*.txt", path);
}

/* What installs the test packages comes last: "-r requirements.txt -r requirements-dev.txt". */
static const char *proposal_requirements(const struct setup_found *found, const char **ret_file)
{
	static const char *const names[] = {"requirements.txt", "requirements-test.txt",
		"requirements-tests.txt", "requirements_test.txt", "test-requirements.txt",
		"tests/requirements.txt", "requirements/test.txt", "requirements/tests.txt",
		"requirements-dev.txt", "requirements_dev.txt", "dev-requirements.txt",
		"requirements/dev.txt"};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!proposal_is_requirements(names[i]) ||
			!file_exists(arena_printf(found->arena, "%s/%s", found->root, names[i])))
			continue;
		strbuf_addf(&text, " -r %s", names[i]);
		*ret_file = names[i];
	}
	return text.length ? arena_strdup(found->arena, text.text) : NULL;
}

static void proposal_add_python(struct setup_found *found)
{
	static const char *const files[] = {"pyproject.toml", "setup.cfg", "setup.py"};
	const char *project = NULL, *extra = NULL, *file = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(files) && !extra; i++) {
		const char *text = listing_read(found->root, files[i], found->arena);
		bool is_project = text &&
			(i != 0 || strstr(text, "[project]") || strstr(text, "[build-system]")) &&
			(i != 1 || strstr(text, "[metadata]"));
		extra = is_project ? proposal_extra(text) : NULL;
		project = extra || (is_project && !project) ? files[i] : project;
	}
	const char *requirements = proposal_requirements(found, &file);
	const char *own = extra ? arena_printf(found->arena, " -e \".[%s]\"", extra)
		: project           ? " -e ."
							: "";
	if (project || requirements)
		proposal_add(found, "Python", "python3",
			arena_printf(found->arena, "python3 -m pip install%s%s",
				requirements && !extra ? requirements : "", own),
			extra || !requirements ? project : file);
}

size_t setup_propose(const char *root, struct arena *arena, struct setup_proposal **ret_proposals)
{
	struct setup_found found = {.root = root, .arena = arena};
	proposal_add_rows(&found);
	if (!proposal_has(&found, "Python"))
		proposal_add_python(&found);
	*ret_proposals = found.items;
	return found.n;
}

const char *setup_propose_for(const char *root, const char *ecosystem, struct arena *arena)
{
	struct setup_proposal *proposals;
	size_t n = setup_propose(root, arena, &proposals);
	for (size_t i = 0; i < n; i++)
		if (strcmp(proposals[i].ecosystem, ecosystem) == 0)
			return proposals[i].command;
	return NULL;
}
