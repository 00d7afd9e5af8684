/* reads: code blocks in models' replies */
/* Fences of what a model said: whole lines that were said so, lower-case languages, text in and
 * text out. */
#include "chat/code_block.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct code_block *block, const char *markdown)
{
	size_t n = strlen(block->code);
	assert(!n || block->code[n - 1] == '\n');
	assert(!block->filename || (*block->filename && !strchr(block->filename, '\n')));
	assert(block->language[strcspn(block->language, "ABCDEFGHIJKLMNOPQRSTUVWXYZ \t\n")] == '\0');
	for (const char *line = block->code; *line; line += strcspn(line, "\n") + 1) {
		line += strspn(line, " \t");
		assert(memmem(markdown, strlen(markdown), line, strcspn(line, "\n")));
	}
	assert_text(block->code);
	assert_text(block->language);
	assert_text(block->info);
	assert_text(block->lead);
	assert(!strchr(block->lead, '\n') && strstr(markdown, block->lead));
	assert_text(block->filename);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_FREE char *markdown = fuzz_text(data, size);
	size_t n = 0, end = 0;
	const struct code_block *blocks = code_blocks_extract(&arena, markdown, &n);
	for (size_t i = 0; i < n; i++) {
		check(&blocks[i], markdown);
		assert(blocks[i].offset >= end);
		end = blocks[i].offset + blocks[i].length;
	}
	assert(end <= strlen(markdown));
	return 0;
}
