/* reads: globs and the paths that they meet */
/* Globs on the first line, a path behind it, against the plain definition of what a glob means. */
#include "base/glob.h"
#include "tests/fuzz/fuzz.h"

/* Tries everything; without sets and escapes. */
static bool matches(const char *glob, const char *path)
{
	bool parts = glob[0] == '*' && glob[1] == '*', folders = parts && glob[2] == '/';
	if (!*glob)
		return !*path;
	if (*glob != '*')
		return *path && (*glob == *path || (*glob == '?' && *path != '/')) &&
			matches(glob + 1, path + 1);
	for (const char *at = path;; at++) {
		if ((!folders || at == path || at[-1] == '/') && matches(glob + 1 + parts + folders, at))
			return true;
		if (!*at || (*at == '/' && !parts))
			return false;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *glob = fuzz_string(data, size);
	char *path = strchr(glob, '\n');
	if (!path)
		return 0;
	*path++ = '\0';
	bool found = glob_matches(glob, path);
	bool plain =
		!strpbrk(glob, "[\\") && strlen(path) < 32 && strlen(glob) < 16 && !strstr(glob, "***");
	for (const char *at = strstr(glob, "**/"); at && plain; at = strstr(at + 1, "**/"))
		plain = at == glob || at[-1] == '/';
	if (plain && strchr(glob, '/') && !strchr("./", *glob) && !text_ends_with(glob, "/") &&
		!text_ends_with(path, "/"))
		assert(found == matches(glob, path));
	return 0;
}
