/* Words that are misspelt, or are another language's. */
#include <string.h>

#include "base/memory.h"
#include "repair/mutations/syntax.h"

void put_instead(struct site *site, double cost, uint32_t first, uint32_t last, const char *text)
{
	const struct source *source = site->source;
	const char *old = site_text(site, first, last);
	size_t start = source->tokens[first].start;
	proposal_splice(site, proposef(site, cost, "'%s' to '%s'", old, text), start,
		token_end(source, last) - start, text);
}

void spell_keywords(struct site *site, struct span line, double extra)
{
	const struct source *source = site->source;
	for (uint32_t i = line.first; i <= line.last; i++) {
		const struct token *token = &source->tokens[i];
		if (token->kind != TOKEN_NAME)
			continue;
		for (const char *at = source->language->keywords + 1; *at; at += strcspn(at, " ") + 1) {
			size_t n = strcspn(at, " ");
			if (spelling_is_near(source->file->text + token->start, token->length, at, n))
				put_instead(site, 1.2 + extra + (token->first ? 0 : 0.6), i, i,
					arena_strndup(site->arena, at, n));
		}
	}
}

/* The languages that lack a word, and what the word is in theirs. */
enum foreigners { PYTHON, ENDED, PERL, BRACES, ALL };

struct foreign {
	enum foreigners where;
	const char *first, *second, *to; /* second: the next token; NULL: any */
	double cost;
};

/* clang-format off */
static const struct foreign words[] = {
	{PYTHON, "else", "if", "elif", 0.9}, {PYTHON, "elseif", NULL, "elif", 0.9},
	{PYTHON, "elsif", NULL, "elif", 0.9}, {PYTHON, "&", "&", "and", 1.1},
	{PYTHON, "|", "|", "or", 1.1}, {PYTHON, "!", NULL, "not ", 1.3},
	{PYTHON, "+", "+", "+= 1", 1.2}, {PYTHON, "-", "-", "-= 1", 1.2},
	{PYTHON, "function", NULL, "def", 1}, {PYTHON, "func", NULL, "def", 1},
	{PYTHON, "{", NULL, ":", 1.4}, {PYTHON, "switch", NULL, "match", 1.8},
	{ENDED, "else", "if", "elseif", 0.9}, {ENDED, "elif", NULL, "elseif", 0.9},
	{ENDED, "elsif", NULL, "elseif", 0.9}, {ENDED, "!", "=", "~=", 0.9},
	{ENDED, "&", "&", "and", 1.1}, {ENDED, "|", "|", "or", 1.1}, {ENDED, "!", NULL, "not ", 1.3},
	{ENDED, "null", NULL, "nil", 1.3}, {ENDED, "None", NULL, "nil", 1.3},
	{ENDED, "def", NULL, "function", 1}, {ENDED, "{", NULL, "then", 1.4},
	{ENDED, "{", NULL, "do", 1.5}, {ENDED, "}", NULL, "end", 1.4},
	{PERL, "elif", NULL, "elsif", 0.9}, {PERL, "elseif", NULL, "elsif", 0.9},
	{PERL, "else", "if", "elsif", 0.9}, {PERL, "def", NULL, "sub", 1},
	{PERL, "function", NULL, "sub", 1}, {PERL, "None", NULL, "undef", 1.3},
	{PERL, "null", NULL, "undef", 1.3}, {PERL, "nil", NULL, "undef", 1.3},
	{PERL, ":", NULL, " {", 1.6},
	{BRACES, "elif", NULL, "else if", 0.9}, {BRACES, "and", NULL, "&&", 1.1},
	{BRACES, "or", NULL, "||", 1.1}, {BRACES, "not", NULL, "!", 1.1},
	{BRACES, "def", NULL, "function", 1}, {BRACES, ":", NULL, " {", 1.6},
	{BRACES, "None", NULL, "null", 1.5},
	{ALL, "=", "<", "<=", 1.1}, {ALL, "=", ">", ">=", 1.1}, {ALL, "=>", NULL, ">=", 1.4},
	{ALL, "!", "=", "!=", 1.2}, {ALL, "=", "!", "!=", 1.2}, {ALL, "=", "=", "==", 1.2},
	{ALL, ";", NULL, ",", 2}, {ALL, ",", NULL, ";", 2}, {ALL, ".", ",", ",", 1.8},
	{ALL, ":", "=", "=", 1.8},
};
/* clang-format on */

static void words_translate(
	struct site *site, struct span line, enum foreigners where, double extra)
{
	const struct source *source = site->source;
	for (uint32_t i = line.first; i <= line.last; i++)
		for (const struct foreign *word = words; word < words + ARRAY_SIZE(words); word++) {
			bool pair = word->second && i < line.last && token_is(source, i + 1, word->second);
			if (word->where == where && token_is(source, i, word->first) && (!word->second || pair))
				put_instead(site, word->cost + extra, i, i + pair, word->to);
		}
}

void translate_words(struct site *site, struct span line, double extra)
{
	enum foreigners where = is_python(site->source)     ? PYTHON
		: has_trait(site->source, LANGUAGE_ENDED)       ? ENDED
		: has_trait(site->source, LANGUAGE_BRACED_KEYS) ? PERL
														: BRACES;
	words_translate(site, line, where, extra);
	words_translate(site, line, ALL, extra);
}
