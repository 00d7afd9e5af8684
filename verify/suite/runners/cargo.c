/* `cargo test`, all of its programs, even if one fails. The registry is not asked. */
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/lines.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/blocks.h"
#include "verify/suite/runners/command_line.h"

/* Whether some file of the tree has both words in a line. `is_meant`: which files count. */
static bool cargo_says(const char *dir, const char *const *paths, size_t n,
	bool (*is_meant)(const char *path), const char *word, const char *other, struct arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = is_meant(paths[i]) ? listing_read(dir, paths[i], arena) : NULL;
		for (const char *at = text; at && (at = strstr(at, word)); at += strcspn(at, "\n"))
			if (memmem(at, strcspn(at, "\n"), other, strlen(other)))
				return true;
	}
	return false;
}

static bool cargo_is_manifest(const char *path)
{
	return strcmp(file_name(path), "Cargo.toml") == 0;
}

static bool cargo_is_ci(const char *path)
{
	return text_starts_with(path, ".github/workflows/") || strcmp(path, ".gitlab-ci.yml") == 0 ||
		strcmp(path, ".travis.yml") == 0;
}

static bool cargo_is_source(const char *path)
{
	return text_ends_with(path, ".rs");
}

/* Tests that need a feature are left out without a word. Those who run them in CI turn it on. Where
 * a feature is for nightly compilers, CI has a run without it. */
static const char *cargo_features(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	static const char needs[] = "required-features", all[] = " --all-features";
	bool is_taken = cargo_says(dir, paths, n, cargo_is_manifest, needs, "=", arena) &&
		cargo_says(dir, paths, n, cargo_is_ci, "cargo test", all, arena) &&
		!cargo_says(dir, paths, n, cargo_is_source, "#![cfg_attr(feature ", ", feature(", arena);
	return is_taken ? all : "";
}

/* A package that is also the root of a workspace is tested alone, unless all are asked for. */
static const char *cargo_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char path[] = "Cargo.toml";
	const char *text = text_in_sorted(paths, n, path) ? listing_read(dir, path, arena) : NULL;
	bool is_both = text && text_has_line(text, "[workspace]") && text_has_line(text, "[package]");
	bool is_whole = is_both && !text_has_line(text, "default-members");
	if (text)
		suite->command = arena_printf(arena, "cargo test%s%s", is_whole ? " --workspace" : "",
			cargo_features(dir, paths, n, arena));
	return text ? path : NULL;
}

static bool cargo_runs(const char *const *words, size_t n)
{
	return n > 1 && command_is(words[0], "cargo") && strcmp(words[1], "test") == 0;
}

/* A quiet run names neither programs nor tests. */
static const char *cargo_without_quiet(const char *line, struct arena *arena)
{
	struct simple_command command = command_line_single(line, arena);
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < command.n; i++)
		if (strcmp(command.words[i], "-q") != 0 && strcmp(command.words[i], "--quiet") != 0)
			strbuf_addf(&sb, "%s%s", i ? " " : "", command.words[i]);
	return command.n ? arena_strdup(arena, sb.text) : line;
}

static const char *cargo_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	const char *line =
		command_line_has(suite->command, "-q") || command_line_has(suite->command, "--quiet")
		? cargo_without_quiet(suite->command, arena)
		: suite->command;
	if (command_line_has(line, "--no-fail-fast"))
		return line;
	return command_line_with(line, "cargo", "test", "--no-fail-fast", arena);
}

/* The name that libtest knows a test by; of a doc-test what comes before its line, which its id
 * lacks. */
static const char *cargo_filter_of(const char *id, struct arena *arena, bool *exact)
{
	const char *name = strstr(id, "::") + 2, *end = name + strlen(name);
	bool is_doc = text_starts_with(id, "doc-tests::") || strstr(id, ":doc-tests::");
	*exact = *exact && !is_doc;
	const char *number = strrchr(name, '(');
	if (is_doc && number && number > name && number[1 + strspn(number + 1, "0123456789")] == ')')
		end = number - 1;
	return arena_strndup(arena, name, (size_t)(end - name));
}

/* The option that builds and runs the program of a test alone; NULL: unknown. */
static const char *cargo_program_of(const char *id, struct arena *arena)
{
	const char *end = strstr(id, "::"), *colon = memchr(id, ':', (size_t)(end - id));
	const char *source = colon ? colon + 1 : id;
	size_t n = (size_t)(end - source);
	const char *path = arena_strndup(arena, source, n), *folder = strstr(path, "tests/");
	if (strcmp(path, "src/lib.rs") == 0 || text_ends_with(path, "/src/lib.rs"))
		return "--lib";
	if (strcmp(path, "doc-tests") == 0)
		return "--doc";
	if (!folder || (folder > path && folder[-1] != '/') || !text_ends_with(path, ".rs"))
		return NULL;
	const char *name = folder + strlen("tests/"), *main_file = strstr(name, "/main.rs");
	size_t length = main_file ? (size_t)(main_file - name) : strlen(name) - strlen(".rs");
	name = arena_strndup(arena, name, length);
	return *name && !strchr(name, '/')
		? arena_printf(arena, "--test %s", command_quote(name, arena))
		: NULL;
}

/* Whether the command itself says which programs; and the same, or which tests. */
static bool cargo_chooses(const char *const *words, size_t n)
{
	static const char *const choices[] = {
		"--lib", "--bin*", "--test*", "--doc", "--example*", "--bench*", "--all-targets", NULL};
	for (size_t i = 0; i < n && strcmp(words[i], "--") != 0; i++)
		if (line_matches_any(words[i], choices))
			return true;
	return false;
}

static bool cargo_has_choice(const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], "--") == 0)
			return true;
	return cargo_chooses(words, n);
}

/* The options for all of these tests; "": any program. Documentation is built by itself. */
static const char *cargo_programs_of(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF options = STRBUF_INIT(STRBUF_LINE);
	bool is_doc = false;
	if (command_line_any(suite->command, cargo_has_choice))
		return "";
	for (size_t i = 0; i < n; i++) {
		const char *option = cargo_program_of(ids[i], arena);
		if (!option)
			return "";
		is_doc = is_doc || strcmp(option, "--doc") == 0;
		if (!strstr(options.text, arena_printf(arena, "%s ", option)))
			strbuf_addf(&options, "%s ", option);
	}
	strbuf_rtrim(&options);
	bool is_mixed = is_doc && strcmp(options.text, "--doc") != 0;
	return is_mixed ? "" : arena_printf(arena, " %s", options.text);
}

static const char *cargo_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	bool exact = true;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT), filters = STRBUF_INIT(STRBUF_TEXT);
	if (!command_line_is_plain(suite->command) || !command_line_any(suite->command, cargo_runs))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (!strstr(ids[i], "::"))
			return NULL;
		strbuf_addf(&filters, " %s", command_quote(cargo_filter_of(ids[i], arena, &exact), arena));
	}
	strbuf_addf(&line, "%s%s%s%s%s", cargo_structured(suite, NULL, arena),
		cargo_programs_of(suite, ids, n, arena),
		command_line_has(suite->command, "--") ? "" : " --", exact ? " --exact" : "", filters.text);
	return command_bounded(&line, arena);
}

static const char *cargo_without(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	bool exact = true;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	if (!command_line_is_plain(suite->command) || !command_line_any(suite->command, cargo_runs) ||
		command_line_has(suite->command, "--"))
		return NULL;
	strbuf_addf(&line, "%s --", cargo_structured(suite, NULL, arena));
	for (size_t i = 0; i < n; i++) {
		if (!strstr(ids[i], "::"))
			return NULL;
		strbuf_addf(
			&line, " --skip %s", command_quote(cargo_filter_of(ids[i], arena, &exact), arena));
	}
	strbuf_adds(&line, exact ? " --exact" : "");
	return command_bounded(&line, arena);
}

/* Doc-tests are built one by one, so they are left out unless they are all; then each is named
 * before it is started. */
static const char *cargo_noted(const char *line, const char *note, struct arena *arena)
{
	bool has_choice = command_line_any(line, cargo_chooses);
	bool is_doc = command_line_has(line, "--doc");
	if (!command_line_any(line, cargo_runs) || command_line_has(line, "--message-format"))
		return NULL;
	const char *options =
		arena_printf(arena, "%s--config 'target.\"cfg(all())\".runner=[\"%s\", \"cargo\"]'",
			is_doc || has_choice ? "" : "--tests ", note);
	const char *with = command_line_with(line, "cargo", "test", options, arena);
	const char *dashes = command_line_has(line, "--") ? "" : " --";
	return is_doc ? arena_printf(arena, "%s%s --test-threads=1", with, dashes) : with;
}

enum { COVER_GOAL_MOST = 20, COVER_OTHERS_MOST = 40 };

/* Names of tests, one a line; doc-tests have no program. */
static void cargo_add_names(
	struct strbuf *names, const char *const *ids, size_t n, size_t most, struct arena *arena)
{
	for (size_t i = 0; i < n && most; i++) {
		bool exact = true;
		const char *name = strstr(ids[i], "::") ? cargo_filter_of(ids[i], arena, &exact) : "";
		if (!*name || !exact)
			continue;
		strbuf_addf(names, "%s\n", name);
		most--;
	}
}

static const char *cargo_cover(
	const struct suite *suite, const struct cover_tests *tests, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_TEXT);
	bool has_choice = command_line_any(suite->command, cargo_chooses);
	const char *line = cargo_structured(suite, NULL, arena);
	cargo_add_names(&names, tests->goal, tests->n_goal, COVER_GOAL_MOST, arena);
	if (!names.length || !command_line_any(line, cargo_runs))
		return NULL;
	cargo_add_names(&names, tests->others, tests->n_others, COVER_OTHERS_MOST, arena);
	line = command_line_with(line, "cargo", "test", has_choice ? "" : "--tests", arena);
	return blocks_line(suite, tests,
		arena_printf(arena, "command=%s\ntests=%s\n", command_quote(line, arena),
			command_quote(names.text, arena)),
		blocks_cover_rust_sh, arena);
}

/* A test program of the same package, which cargo finds in its folder. */
static bool cargo_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite, (void)text;
	const char *folder = text_starts_with(beside, "tests/") ? beside : strstr(beside, "/tests/");
	if (!folder || !text_ends_with(beside, ".rs"))
		return false;
	int package = folder == beside ? 0 : (int)(folder + 1 - beside);
	sentinel->path = arena_printf(arena, "%.*stests/t%s.rs", package, beside, sentinel->passing);
	sentinel->text = arena_printf(arena,
		"#[test]\nfn t%s() {\n    assert_eq!(\"ab\".len(), 2);\n}\n\n"
		"#[test]\nfn t%s() {\n    assert_eq!(\"ab\".len(), 3);\n}\n",
		sentinel->passing, sentinel->failing);
	return true;
}

const struct suite_type cargo_suite = {
	.name = "cargo",
	.summary = "cargo test",
	.formats = (const struct format *const[]){&cargo_format, &exit_format, NULL},
	.detect = cargo_detect,
	.may_build = true,
	.runs = cargo_runs,
	.env = (const char *const[]){"CARGO_NET_OFFLINE=true", "CARGO_TERM_COLOR=never", NULL},
	.serial = "RUST_TEST_THREADS=1",
	.structured = cargo_structured,
	.targeted = cargo_targeted,
	.without = cargo_without,
	.noted = cargo_noted,
	.cover = cargo_cover,
	.sentinel = cargo_sentinel,
	.tools = (const char *const[]){"cargo", "rustc", "rustdoc", "cc", "ld", NULL},
	.builds = (const char *const[]){"target", NULL},
	.tests = (const char *const[]){"tests/", "benches/", "tests.rs", "test.rs", "*_test.rs",
		"*_tests.rs", NULL},
	.configuration = (const char *const[]){"Cargo.toml", "Cargo.lock", ".cargo/", "rust-toolchain",
		"rust-toolchain.toml", ".config/nextest.toml", NULL},
};
