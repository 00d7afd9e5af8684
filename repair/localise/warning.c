/* What compilers and runners warn of is seldom a failure: it says little of a bug. */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "repair/localise/trace.h"
#include "repair/search.h"

/* "a.c:3:5: warning: unused ...", but not of what is used and was never declared. */
static bool warning_is_compilers(const char *line, size_t n)
{
	static const char *const words[] = {": warning: ", NULL}, *const grave[] = {"implicit", NULL};
	return text_n_holds_any(line, n, words) && !text_n_holds_any(line, n, grave);
}

/* "a.py:3: UserWarning: ..."; but "E   UserWarning: ..." ended a test. */
static bool warning_is_pythons(const char *line, size_t n)
{
	const char *at = memmem(line, n, "Warning: ", strlen("Warning: "));
	return at > line && isalpha((unsigned char)at[-1]) && !text_starts_with(line, "E ");
}

/* "warning: unused variable: `a`": rustc says more in the lines up to an empty one. */
static bool warning_begins_block(const char *line)
{
	return text_starts_with(line, "warning: ") || text_starts_with(line, "warning[");
}

const char *without_warnings(const char *output, struct arena *arena)
{
	AUTO_STRBUF kept = STRBUF_INIT(STRBUF_TEXT);
	bool in_block = false;
	for (size_t n; *output; output += n) {
		n = strcspn(output, "\n");
		in_block = n && (in_block || warning_begins_block(output));
		bool skips = in_block || warning_is_compilers(output, n) || warning_is_pythons(output, n);
		n += output[n] == '\n';
		if (!skips)
			strbuf_add(&kept, output, n);
	}
	return arena_strdup(arena, kept.text);
}
