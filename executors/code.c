/*
 * Code blocks: each goes to a file and is run by its language's command. A file that the block
 * names stays in the tree; one that rondo names lies in the program's ~/.cache and goes.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "chat/edit.h"
#include "executors/language.h"
#include "executors/tree_file.h"

#define BLOCK_OUTPUT ((size_t)64 << 10)
#define BLOCK_KILLED_AT ((uint64_t)64 << 20)

static void quote(struct strbuf *line, const char *word)
{
	strbuf_addc(line, '\'');
	for (; *word; word++)
		strbuf_adds(line, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
	strbuf_addc(line, '\'');
}

/* Where a block's text goes; NULL with err set where its name leaves the tree. */
static const char *write_block(struct executor *executor, const struct code_block *block,
	const char *suffix, struct arena *arena, struct rondo_error *err)
{
	char hash[HASH_SIZE];
	if (block->filename) {
		if (edit_check_path(block->filename, err) < 0 ||
			tree_file_write(executor, executor->tree, block->filename, block->code, err) < 0)
			return NULL;
		return block->filename;
	}
	hash_bytes(block->code, strlen(block->code), hash);
	const char *name = arena_printf(arena, "tmp_code_%s.%s", hash, suffix);
	return tree_file_write(executor, executor->cache_dir, name, block->code, err) < 0 ? NULL : name;
}

/* A block that is not run is answered with why. */
static void answer(const char *why, struct strbuf *output, struct code_result *result)
{
	strbuf_addf(output, "%s\n", why);
	result->exit_code = 1;
}

static int run_block(struct executor *executor, const struct code_block *block, int64_t timeout_ms,
	struct arena *arena, struct strbuf *output, struct code_result *result,
	const struct context *ctx, struct rondo_error *err)
{
	struct language language;
	struct rondo_error refusal;
	const char *name = NULL;
	if (block->cut_off) {
		answer("This block was cut off: its closing fence is missing. It was not run.", output, result);
		return 0;
	}
	if (language_find(executor, block->language, arena, &language, &refusal) == 0)
		name = write_block(executor, block, language.suffix, arena, &refusal);
	if (!name) {
		answer(refusal.message, output, result);
		return 0;
	}
	if (block->filename)
		ARENA_PUSH(arena, result->files, result->n_files, name);
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&line, "%s %s", language.command, block->filename ? "" : "\"$XDG_CACHE_HOME\"/");
	quote(&line, name);
	struct process_result end;
	struct command command = {.line = line.text, .timeout_ms = timeout_ms, .output = output,
		.output_limit = BLOCK_KILLED_AT};
	if (executor_run(executor, &command, &end, ctx, err) < 0)
		return -1;
	if (end.end == PROCESS_TIMEOUT)
		strbuf_adds(output, "\nTimeout");
	result->exit_code = end.exit_code;
	if (!block->filename)
		unlink(arena_printf(arena, "%s/%s", executor->cache_dir, name));
	return 0;
}

int executor_execute_code_blocks(struct executor *executor, const struct code_block *blocks, size_t n,
	int64_t timeout_ms, struct arena *arena, struct code_result *ret_result,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_STRBUF output = STRBUF_INIT(BLOCK_OUTPUT);
	struct code_result result = {0};
	for (size_t i = 0; i < n && !result.exit_code; i++)
		if (run_block(executor, &blocks[i], timeout_ms, arena, &output, &result, ctx, err) < 0)
			return -1;
	strbuf_mark_cut(&output);
	result.output = arena_strndup(arena, output.text, output.length);
	*ret_result = result;
	return 0;
}
