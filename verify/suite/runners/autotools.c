/*
 * `make check` where a configure script writes the makefile, and nobody has run it in a checkout.
 * It writes among the sources, and not every project can be built elsewhere: so a copy of the tree
 * is built, which lies at one place in the cache for each tree. It is configured once; later, what
 * has changed is copied and built.
 */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/build_place.h"
#include "verify/suite/runners/command_line.h"

#define COPY BUILD_PLACE "; mkdir -p \"$build\" && cp -au . \"$build\" && cd \"$build\" && "
#define CONFIGURE "{ [ -e Makefile ] || { %s./configure; }; } && "

/* A checkout gives generated files no later times than what they were made from. */
#define MADE \
	"touch aclocal.m4 && touch configure config.h.in && " \
	"find . -name Makefile.in -exec touch {} + && "

/* The program that makes the configure script. */
static const char *autotools_maker(const char *const *paths, size_t n, struct arena *arena)
{
	static const char *const scripts[] = {
		"autogen.sh", "bootstrap", "bootstrap.sh", "buildconf.sh", "buildconf", NULL};
	const char *script = listing_first(paths, n, scripts);
	return script ? arena_printf(arena, "NOCONFIGURE=1 sh ./%s && ", script) : "autoreconf -fi && ";
}

static const char *autotools_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char *const sources[] = {"configure.ac", "configure.in", "configure", NULL};
	static const char *const inputs[] = {"Makefile.am", "Makefile.in", NULL};
	static const char *const makefiles[] = {"GNUmakefile", "makefile", "Makefile", NULL};
	const char *source = listing_first(paths, n, sources);
	(void)dir;
	if (!source || !listing_first(paths, n, inputs) || listing_first(paths, n, makefiles))
		return NULL;
	bool is_made = text_in_sorted(paths, n, "configure");
	const char *maker = is_made ? "" : autotools_maker(paths, n, arena);
	suite->command = arena_printf(arena, COPY CONFIGURE "make check", is_made ? MADE : maker);
	suite->shown = arena_printf(arena, "%s./configure && make check", maker);
	return source;
}

/* The tests of one directory, "tests > t_add", by Automake's variable, after a build of all. */
static const char *autotools_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	static const char between[] = " > ", end[] = "make check";
	const char *dir = NULL;
	AUTO_STRBUF tests = STRBUF_INIT(STRBUF_TEXT);
	if (!suite->format || strcmp(suite->format, automake_format.name) != 0 ||
		!text_ends_with(suite->command, end))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *arrow = strstr(ids[i], between);
		const char *name = arrow ? arrow + strlen(between) : ids[i];
		const char *own = arrow ? arena_strndup(arena, ids[i], (size_t)(arrow - ids[i])) : ".";
		if ((dir && strcmp(dir, own) != 0) || !command_line_is_plain(name))
			return NULL;
		dir = own;
		/* What a test's driver adds for its parts, "t_add 1 - sums", is not its name. */
		strbuf_addf(&tests, "%s%.*s", i ? " " : "", (int)strcspn(name, " "), name);
	}
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&line, "%.*smake all && make -C %s check TESTS=%s",
		(int)(strlen(suite->command) - strlen(end)), suite->command, command_quote(dir, arena),
		command_quote(tests.text, arena));
	return command_bounded(&line, arena);
}

const struct suite_type autotools_suite = {
	.name = "autotools",
	.summary = "configure and make check",
	.detect = autotools_detect,
	.env = (const char *const[]){"VERBOSE=1", NULL},
	.targeted = autotools_targeted,
	.may_build = true,
	.tools = (const char *const[]){"make", "cc", "gcc", "c++", "g++", "ld", "sh", "autoreconf",
		"automake", "autoconf", "libtoolize", "m4", "perl", NULL},
	.tests = (const char *const[]){"test/", "tests/", NULL},
	.configuration = (const char *const[]){"Makefile.am", "Makefile.in", "*.mk", "configure",
		"configure.ac", "configure.in", "*.m4", "autogen.sh", "bootstrap*", "buildconf*", NULL},
};
