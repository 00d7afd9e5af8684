/* `cargo nextest run`, all of its tests, even if one fails. It writes JUnit XML into target/ where
 * settings ask for that; the repository's own go before those given here. */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/runners/command_line.h"

static bool nextest_runs(const char *const *words, size_t n)
{
	return n > 2 && command_is(words[0], "cargo") && strcmp(words[1], "nextest") == 0 &&
		(strcmp(words[2], "run") == 0 || strcmp(words[2], "r") == 0);
}

/* Options can be appended. */
static bool nextest_is_open(const struct suite *suite, struct arena *arena)
{
	size_t n;
	const struct simple_command *commands = command_line_split(suite->command, arena, &n);
	return n == 1 && nextest_runs(commands->words, commands->n) &&
		!command_line_has(suite->command, "--");
}

static const char *nextest_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	if (!report || !nextest_is_open(suite, arena))
		return suite->command;
	const char *settings = arena_printf(arena, "%s.toml", report);
	bool has_choice = command_line_has(suite->command, "--no-fail-fast") ||
		command_line_has(suite->command, "--fail-fast");
	return arena_printf(arena,
		"printf '[profile.default.junit]\\npath = \"rondo.xml\"\\n' >%s; %s%s "
		"--tool-config-file rondo:%s",
		command_quote(settings, arena), suite->command, has_choice ? "" : " --no-fail-fast",
		command_quote(settings, arena));
}

/* By names. "shop::a::adds" is a::adds of shop, or adds of its program a: both are asked for. */
static const char *nextest_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF tests = STRBUF_INIT(STRBUF_TEXT), line = STRBUF_INIT(STRBUF_TEXT);
	if (!nextest_is_open(suite, arena))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *name = strstr(ids[i], "::");
		if (!name || ids[i][strcspn(ids[i], "(),\\")])
			return NULL;
		for (; name; name = strstr(name + 2, "::"))
			strbuf_addf(&tests, "%stest(=%s)", tests.length ? " | " : "", name + 2);
	}
	strbuf_addf(&line, "%s -E ", suite->command);
	strbuf_add_word(&line, tests.text);
	return command_bounded(&line, arena);
}

static bool nextest_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	return cargo_suite.sentinel(suite, beside, text, arena, sentinel);
}

const struct suite_type nextest_suite = {
	.name = "nextest",
	.summary = "cargo nextest run",
	.formats = (const struct format *const[]){&nextest_format, NULL},
	.may_build = true,
	.runs = nextest_runs,
	.env = (const char *const[]){"CARGO_NET_OFFLINE=true", "CARGO_TERM_COLOR=never", NULL},
	.structured = nextest_structured,
	.report = "**/nextest/*/*.xml",
	.targeted = nextest_targeted,
	.sentinel = nextest_sentinel,
	.tools = (const char *const[]){"cargo", "cargo-nextest", "rustc", "cc", "ld", NULL},
	.builds = (const char *const[]){"target", NULL},
	.tests = (const char *const[]){"tests/", "benches/", "tests.rs", "test.rs", "*_test.rs",
		"*_tests.rs", NULL},
	.configuration = (const char *const[]){"Cargo.toml", "Cargo.lock", ".cargo/", "rust-toolchain",
		"rust-toolchain.toml", ".config/nextest.toml", NULL},
};
