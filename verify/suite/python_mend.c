/*
 * The one command that installs what a Python suite lacks: the project's own way, where its files
 * name the package (an extra, a file of requirements, a step of CI), else the package alone.
 */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "verify/suite/listing.h"
#include "verify/suite/python_place.h"

/* "-", "_" and "." are the same in a package's name, as are letters of both cases. */
static bool mend_is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b) ||
		(strchr("-_.", a) && strchr("-_.", b));
}

static bool mend_ends_name(char next)
{
	return !isalnum((unsigned char)next) && !strchr("-_.", next);
}

/* Whether a line names a package. */
static bool mend_names(const char *line, size_t length, const char *package)
{
	size_t n = strlen(package);
	for (size_t i = 0; i + n <= length; i++) {
		size_t same = 0;
		if (i && (isalnum((unsigned char)line[i - 1]) || strchr("-_.[#", line[i - 1])))
			continue;
		while (same < n && mend_is_same(line[i + same], package[same]))
			same++;
		if (same == n && mend_ends_name(i + n < length ? line[i + n] : ' '))
			return true;
	}
	return false;
}

/* The name before " = [" of an extra, or of a section of setup.cfg; NULL: the line begins none. */
static const char *mend_extra_of(const char *line, size_t length, struct arena *arena)
{
	static const char dotted[] = "optional-dependencies.";
	const char *equals = memchr(line, '=', length);
	if (text_starts_with(line, dotted)) {
		line += strlen(dotted);
	} else if (!length || isspace((unsigned char)*line)) {
		return NULL;
	}
	size_t n = strcspn(line, " =\n");
	return equals && equals >= line + n && equals <= line + n + 1
		? arena_strndup(arena, line, n) : NULL;
}

/* What pip installs of a file's text that lists the package: an extra, or a group if pip knows
 * these; NULL: it lists it nowhere. */
static const char *mend_extra(
	const char *text, const char *package, bool knows_groups, struct arena *arena)
{
	bool is_section = false, is_group = false;
	const char *extra = NULL;
	for (const char *line = text; *line; line += *line == '\n') {
		size_t length = strcspn(line, "\n");
		if (*line == '[' && length > 1 && isalpha((unsigned char)line[1])) {
			is_group = knows_groups && text_starts_with(line, "[dependency-groups]");
			is_section = is_group || text_starts_with(line, "[project.optional-dependencies]") ||
				text_starts_with(line, "[options.extras_require]");
			extra = NULL;
		} else if (is_section || extra || text_starts_with(line, "optional-dependencies.")) {
			const char *begun = mend_extra_of(line, length, arena);
			if (begun)
				extra = is_section || text_starts_with(line, "optional-dependencies.")
					? begun : NULL;
			if (extra && mend_names(line, length, package))
				return arena_printf(arena, is_group ? "--group %s" : "-e \".[%s]\"", extra);
		}
		line += length;
	}
	return NULL;
}

/* The file of requirements that names the package, or NULL. */
static const char *mend_requirements(const char *root, const char *package,
	const char *const *paths, size_t n, struct arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		if (!glob_matches("*requirements*.txt", paths[i]) &&
			!glob_matches("requirements/*.txt", paths[i]))
			continue;
		const char *text = listing_read(root, paths[i], arena);
		for (const char *line = text; line && *line; line += *line == '\n') {
			size_t length = strcspn(line, "\n");
			if (*line != '#' && mend_names(line, length, package))
				return paths[i];
			line += length;
		}
	}
	return NULL;
}

/* A step of CI that installs the package: what follows "pip ", or NULL. */
static const char *mend_ci_step(const char *root, const char *package, const char *const *paths,
	size_t n, struct arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = glob_matches(".github/workflows/*.y*ml", paths[i])
			? listing_read(root, paths[i], arena) : NULL;
		for (const char *at = text; at && (at = strstr(at, "pip install "));) {
			size_t length = strcspn(at, "\n\"&;|$");
			if (mend_names(at, length, package))
				return arena_strndup(arena, at + strlen("pip "), length - strlen("pip "));
			at += length;
		}
	}
	return NULL;
}

/* The package that a module is in, where its name is another one. */
static const char *mend_package(const char *module)
{
	static const char *const others[][2] = {{"attr", "attrs"}, {"bs4", "beautifulsoup4"},
		{"Crypto", "pycryptodome"}, {"cv2", "opencv-python"}, {"dateutil", "python-dateutil"},
		{"dotenv", "python-dotenv"}, {"git", "GitPython"}, {"jwt", "PyJWT"},
		{"MySQLdb", "mysqlclient"}, {"nacl", "PyNaCl"}, {"OpenSSL", "pyOpenSSL"},
		{"PIL", "Pillow"}, {"pkg_resources", "setuptools"}, {"psycopg2", "psycopg2-binary"},
		{"serial", "pyserial"}, {"sklearn", "scikit-learn"}, {"yaml", "PyYAML"},
		{"zmq", "pyzmq"}};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strcmp(module, others[i][0]) == 0)
			return others[i][1];
	return module;
}

/* The words that start pip there; an environment of uv has none. */
static const char *mend_pip(const struct python_place *place, const char *root,
	struct arena *arena)
{
	const char *prefix = place->prefix;
	if (!prefix)
		return "python3 -m pip";
	const char *shown = python_shown(prefix, root);
	if (!python_module_in(prefix, "pip", arena))
		return arena_printf(arena, "VIRTUAL_ENV=%s uv pip", shown);
	return arena_printf(arena, "%s/bin/python -m pip", shown);
}

/* Whether the environment's pip, from 25.1 on, or uv, which needs none, knows dependency groups. */
static bool mend_knows_groups(const char *prefix, struct arena *arena)
{
	return prefix &&
		(!python_module_in(prefix, "pip", arena) ||
			python_module_in(prefix, "pip/_internal/req/req_dependency_group", arena));
}

const char *python_mend(const struct python_place *place, const char *root,
	const struct lack *lack, const char *const *paths, size_t n, struct arena *arena)
{
	static const char *const files[] = {"pyproject.toml", "setup.cfg"};
	const char *pip = mend_pip(place, root, arena), *step;
	if (!lack->python)
		return arena_printf(arena, "%s install -e .", pip);
	const char *package = mend_package(lack->python);
	bool knows_groups = mend_knows_groups(place->prefix, arena);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *text = listing_read(root, files[i], arena);
		const char *extra = text ? mend_extra(text, package, knows_groups, arena) : NULL;
		if (extra)
			return arena_printf(arena, "%s install %s", pip, extra);
	}
	if ((step = mend_requirements(root, package, paths, n, arena)))
		return arena_printf(arena, "%s install -r %s", pip, step);
	if ((step = mend_ci_step(root, package, paths, n, arena)))
		return arena_printf(arena, "%s %s", pip, step);
	return arena_printf(arena, "%s install %s", pip, package);
}
