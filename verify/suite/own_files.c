#include "verify/suite/own_files.h"

#include <fnmatch.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

/* Whether some part of a path, without its suffix, is a name: then the tree has that module. */
static bool own_has_part(const char *path, const char *name, size_t n)
{
	for (const char *part = path; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (strncmp(part, name, n) == 0 && (part[n] == '/' || text_starts_with(part + n, ".py")))
			return true;
	}
	return false;
}

/* Whether a name is another one, or that but for a slip. */
static bool own_is_near(const char *name, size_t n, const char *right, size_t n_right)
{
	bool is_same = n == n_right && memcmp(name, right, n) == 0;
	return n > 2 && n_right > 2 && (is_same || text_is_slip(name, n, right, n_right));
}

bool own_is_misspelt(const char *name, const char *const *paths, size_t n)
{
	static const char *const standard[] = {"abc", "argparse", "array", "asyncio", "base64",
		"calendar", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime",
		"decimal", "difflib", "enum", "functools", "glob", "hashlib", "heapq", "html", "http",
		"importlib", "inspect", "itertools", "json", "locale", "logging", "math", "operator", "os",
		"pathlib", "pickle", "platform", "random", "shutil", "socket", "statistics", "string",
		"struct", "subprocess", "sys", "tempfile", "textwrap", "threading", "time", "traceback",
		"types", "typing", "unicodedata", "unittest", "urllib", "uuid", "warnings", "weakref",
		"zoneinfo"};
	size_t length = strcspn(name, ".");
	for (size_t i = 0; i < ARRAY_SIZE(standard); i++)
		if (own_is_near(name, length, standard[i], strlen(standard[i])))
			return true;
	for (size_t i = 0; i < n; i++) {
		const char *path = text_starts_with(paths[i], "src/") ? paths[i] + 4 : paths[i];
		if (text_ends_with(path, ".py") && own_is_near(name, length, path, strcspn(path, "/.")))
			return true;
	}
	return false;
}

/* Whether the tree has a file that ends so. */
static bool own_has_file(const char *const *paths, size_t n, const char *end)
{
	size_t length = strlen(end);
	for (size_t i = 0; i < n; i++)
		if (text_ends_with(paths[i], end) &&
			(strlen(paths[i]) == length || paths[i][strlen(paths[i]) - length - 1] == '/'))
			return true;
	return false;
}

/* Whether some path has that part before its last, or has it but for a slip. */
static bool own_has_dir(
	const char *const *paths, size_t n, const char *name, size_t length, bool allows_slip)
{
	for (size_t i = 0; i < n; i++)
		for (const char *part = paths[i], *end; (end = strchr(part, '/')); part = end + 1) {
			size_t n_part = (size_t)(end - part);
			if (allows_slip ? own_is_near(name, length, part, n_part)
							: n_part == length && memcmp(part, name, length) == 0)
				return true;
		}
	return false;
}

/* Whether the tree has a file that is called so, or so but for a slip, in any directory. */
static bool own_has_near_file(const char *const *paths, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(paths[i], '/'), *file = slash ? slash + 1 : paths[i];
		if (strcmp(name, file) == 0 || own_is_near(name, strlen(name), file, strlen(file)))
			return true;
	}
	return false;
}

bool own_module(const char *name, const char *const *paths, size_t n)
{
	if (strchr("./", *name))
		return true;
	const char *scoped = *name == '@' && strchr(name, '/') ? strchr(name, '/') + 1 : name;
	size_t length = strcspn(scoped, "./:");
	for (size_t i = 0; i < n; i++)
		if (own_has_part(paths[i], scoped, length))
			return true;
	return false;
}

bool own_class(const char *name, const char *const *paths, size_t n)
{
	const char *last = name + strlen(name);
	while (last > name && !strchr(":\\", last[-1]))
		last--;
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(paths[i], '/'), *file = slash ? slash + 1 : paths[i];
		if ((text_ends_with(file, ".pm") || text_ends_with(file, ".php")) &&
			own_is_near(last, strlen(last), file, strcspn(file, ".")))
			return true;
	}
	return false;
}

bool own_header(const char *name, const char *const *paths, size_t n)
{
	static const char *const standard[] = {"algorithm", "array", "assert.h", "chrono", "complex.h",
		"cstdio", "cstdlib", "cstring", "ctype.h", "errno.h", "fcntl.h", "filesystem", "fstream",
		"functional", "inttypes.h", "iomanip", "iostream", "iterator", "limits.h", "locale.h",
		"math.h", "memory", "numeric", "optional", "pthread.h", "setjmp.h", "signal.h", "sstream",
		"stdarg.h", "stdbool.h", "stddef.h", "stdexcept", "stdint.h", "stdio.h", "stdlib.h",
		"string.h", "strings.h", "time.h", "unistd.h", "unordered_map", "utility", "vector"};
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	for (size_t i = 0; i < ARRAY_SIZE(standard) && !slash; i++)
		if (own_is_near(base, strlen(base), standard[i], strlen(standard[i])))
			return true;
	return own_has_near_file(paths, n, base);
}

bool own_crate(const char *name, const char *const *paths, size_t n)
{
	AUTO_ARENA arena = ARENA_INIT;
	return own_has_file(paths, n, arena_printf(&arena, "%s.rs", name)) ||
		own_has_dir(paths, n, name, strlen(name), false);
}

/* The second part of its name, or the only one, says whose a package is. */
bool own_java_package(const char *name, const char *const *paths, size_t n)
{
	const char *dot = strchr(name, '.'), *own = dot ? dot + 1 : name;
	return text_starts_with(name, "java.") || text_starts_with(name, "javax.") ||
		own_has_dir(paths, n, own, strcspn(own, "."), true);
}

bool own_absent_data(const char *name, const char *const *paths, size_t n)
{
	static const char *const suffixes[] = {
		".json", ".txt", ".csv", ".dat", ".bin", ".wasm", ".node", ".yml", ".yaml", ".xml"};
	const char *base = strrchr(name, '/');
	bool is_data = false;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		is_data |= text_ends_with(name, suffixes[i]);
	return *name == '.' && base && is_data && !own_has_near_file(paths, n, base + 1);
}

bool own_is_built(const char *name, const char *const *paths, size_t n)
{
	static const char *const made[] = {
		"dist", "build", "lib", "out", "es", "esm", "cjs", "umd", "dist-*", "build-*"};
	AUTO_ARENA arena = ARENA_INIT;
	while (text_starts_with(name, "./") || text_starts_with(name, "../"))
		name = strchr(name, '/') + 1;
	size_t length = strcspn(name, "/");
	const char *dir = arena_strndup(&arena, name, length);
	bool is_known = false;
	for (size_t i = 0; i < ARRAY_SIZE(made); i++)
		is_known = is_known || fnmatch(made[i], dir, 0) == 0;
	return is_known && name[length] && !own_has_dir(paths, n, dir, length, false);
}

const char *own_generated(const char *name, const char *const *paths, size_t n, struct arena *arena)
{
	static const char *const written[] = {"_version", "version", "_version_info", "_scm_version"};
	const char *last = strrchr(name, '.');
	for (size_t i = 0; i < ARRAY_SIZE(written) && last; i++) {
		if (strcmp(last + 1, written[i]) != 0)
			continue;
		char *file = arena_printf(arena, "%s.py", name);
		for (char *at = file; at < file + strlen(name); at++)
			*at = *at == '.' ? '/' : *at;
		return own_has_file(paths, n, file) ? NULL : file;
	}
	return NULL;
}
