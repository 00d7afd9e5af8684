#include "chat/mention.h"

#include <ctype.h>
#include <string.h>

#include "chat/code_block.h"

/* Whether a word can contain it. By its first byte: of ASCII, or from À to U+1FFF, where the
 * alphabets are. After these come punctuation, symbols and scripts without spaces between words. */
static bool mention_is_letter(const char *character)
{
	unsigned char c = (unsigned char)*character;
	return (c < 0x80 && isalnum(c)) || c == '_' || (c >= 0xc3 && c <= 0xe1);
}

static const char *mention_before(const char *at, const char *start)
{
	do
		at--;
	while (at > start && ((unsigned char)*at & 0xc0) == 0x80);
	return at;
}

/* Where the text begins or ends with such a character, none stands beside it. */
static bool mention_is_word(const char *content, const char *at, size_t n)
{
	const char *end = at + n;
	if (at > content && mention_is_letter(at) && mention_is_letter(mention_before(at, content)))
		return false;
	return !mention_is_letter(end) || !mention_is_letter(mention_before(end, at));
}

static bool mention_is_line(const char *content, const char *at, size_t n)
{
	const char *end = at + n + strspn(at + n, " \t\r");
	while (at > content && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return (at == content || at[-1] == '\n') && (!*end || *end == '\n');
}

/* *at: the first block that may hold this place, or a later one; places come in their order. */
static bool mention_is_in_code(const struct code_block *blocks, size_t n, size_t *at, size_t offset)
{
	while (*at < n && blocks[*at].offset + blocks[*at].length <= offset)
		++*at;
	return *at < n && blocks[*at].offset <= offset;
}

/* Blocks are looked for only where there is something that they may hold. */
bool mentions_text(const char *content, const char *text, bool as_line)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct code_block *blocks = NULL;
	size_t n_blocks = 0, block = 0, n = strlen(text);
	bool extracted = false;
	for (const char *at = content; n && (at = strstr(at, text)); at++) {
		if (as_line ? !mention_is_line(content, at, n) : !mention_is_word(content, at, n))
			continue;
		if (!extracted)
			blocks = code_blocks_extract(&arena, content, &n_blocks);
		extracted = true;
		if (!mention_is_in_code(blocks, n_blocks, &block, (size_t)(at - content)))
			return true;
	}
	return false;
}
