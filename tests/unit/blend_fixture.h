/* Texts of several candidates, compiled by real compilers. */
#pragma once
#include "tests/unit/unit.h"

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process/process.h"
#include "repair/repair.h"

enum { MOST = 16 };

struct blending {
	struct arena arena;
	struct repair_file file;
	struct candidate candidates[MOST];
	bool without[MOST];
	size_t n;
	struct blend blend;
};

static void begin(struct blending *blending, const char *path, const char *text)
{
	*blending = (struct blending){
		.file = {.path = path, .text = text, .n = strlen(text), .editable = true}};
}

/* A candidate that writes `to` in place of `from`, where that stands first. */
static void propose_change(struct blending *blending, const char *from, const char *to)
{
	struct arena *arena = &blending->arena;
	const char *at = strstr(blending->file.text, from);
	assert_non_null(at);
	struct file_edit *file = arena_alloc(arena, sizeof *file);
	struct splice *splice = arena_alloc(arena, sizeof *splice);
	*splice = (struct splice){(size_t)(at - blending->file.text), strlen(from), to};
	*file = (struct file_edit){.path = blending->file.path, .splices = splice, .n = 1};
	blending->candidates[blending->n++] = (struct candidate){
		.id = (int64_t)blending->n + 1, .edit = {.description = to, .files = file, .n = 1}};
}

static const char *blend_text(struct blending *blending)
{
	blend_make(&blending->blend, &blending->file, 1, blending->candidates, blending->n,
		blending->without, "CHOICE", &blending->arena);
	return blending->blend.edit.n ? blending->blend.edit.files[0].content : NULL;
}

static void end(struct blending *blending)
{
	arena_release(&blending->arena);
}

/* What a command prints, and its exit code in the last line. */
static const char *run(const char *line, struct arena *arena)
{
	struct process_result result;
	struct rondo_error err;
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_LINE);
	const char *const argv[] = {"/bin/sh", "-c", line, NULL};
	struct process_options options = {
		.argv = argv, .env = (const char *const *)environ, .timeout_ms = 600000, .output = &output};
	assert_int_equal(process_run(&options, &result, &err), 0);
	strbuf_addf(&output, "%d", result.exit_code);
	return arena_strdup(arena, output.text);
}

/* Build a text by a command that finds it as `name`, in a directory of its own; then run ./program
 * with each number. What that printed, a line each. */
static const char *build_and_choose(
	struct blending *blending, const char *name, const char *compile, const char *const *numbers)
{
	struct rondo_error err;
	struct arena *arena = &blending->arena;
	char dir[] = "/tmp/rondo-test-blend-XXXXXX";
	const char *text = blend_text(blending);
	assert_non_null(text);
	assert_non_null(mkdtemp(dir));
	assert_int_equal(
		file_write(arena_printf(arena, "%s/%s", dir, name), text, strlen(text), 0644, &err), 0);
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_LINE);
	const char *built = run(arena_printf(arena, "cd %s && %s 2>&1", dir, compile), arena);
	bool works = text_ends_with(built, "0");
	if (!works)
		strbuf_addf(&all, "%s\n", built);
	for (size_t i = 0; works && numbers[i]; i++) {
		const char *line = arena_printf(
			arena, "exec 2>/dev/null; cd %s && CHOICE=%s timeout 3 ./program", dir, numbers[i]);
		strbuf_addf(&all, "%s: %s\n", numbers[i], run(line, arena));
	}
	assert_int_equal(file_remove_tree(dir, &err), 0);
	return arena_strdup(arena, all.text);
}

__attribute__((unused)) static void assert_held(
	const char *path, const char *text, const char *from, const char *to, bool held)
{
	struct blending blending;
	begin(&blending, path, text);
	propose_change(&blending, from, to);
	blend_text(&blending);
	assert_int_equal(blending.blend.n, 1);
	if (blending.blend.holds[0] != held)
		fail_msg("%s: '%s' to '%s' %s", path, from, to, held ? "is not held" : "is held");
	assert_int_equal(blending.blend.edit.n, held);
	end(&blending);
}

/* Whether a program is there. Compilers of C are; others are no part of what a build needs. */
__attribute__((unused)) static bool is_there(const char *command)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&line, "command -v %.*s >/dev/null", (int)strcspn(command, " "), command);
	return system(line.text) == 0;
}

/* Texts that are cut off anywhere, and so have brackets without partners, come to some end. */
__attribute__((unused)) static void blend_all_cuts(
	const char *path, const char *text, const char *one, const char *other)
{
	for (size_t n = strlen(text); n-- > 1;) {
		struct blending blending;
		AUTO_FREE char *cut = strndup(text, n);
		begin(&blending, path, cut);
		if (strstr(cut, one))
			propose_change(&blending, one, "other");
		if (strstr(cut, other))
			propose_change(&blending, other, "{");
		blend_text(&blending);
		end(&blending);
	}
}
