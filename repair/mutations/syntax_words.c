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

/* One letter too many, too few, another, or two exchanged. */
static bool is_near(const char *a, size_t n, const char *b, size_t other_n)
{
	if (n < 2 || n > other_n + 1 || other_n > n + 1)
		return false;
	struct likeness found = spelling_likeness(a, n, b, other_n);
	size_t same = found.begins, rest = found.most - same - found.ends;
	return rest == 1 ||
		   (rest == 2 && n == other_n && a[same] == b[same + 1] && a[same + 1] == b[same]);
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
			if (is_near(source->file->text + token->start, token->length, at, n))
				put_instead(site, 1.2 + extra + (token->first ? 0 : 0.6), i, i,
					arena_strndup(site->arena, at, n));
		}
	}
}

struct foreign {
	const char *first, *second, *to; /* second: the next token; NULL: any */
	double cost;
};

/* What is said so elsewhere. */
/* clang-format off */
static const struct foreign to_python[] = {
	{"else", "if", "elif", 0.9}, {"elseif", NULL, "elif", 0.9}, {"elsif", NULL, "elif", 0.9},
	{"&", "&", "and", 1.1}, {"|", "|", "or", 1.1}, {"!", NULL, "not ", 1.3},
	{"+", "+", "+= 1", 1.2}, {"-", "-", "-= 1", 1.2}, {"function", NULL, "def", 1},
	{"func", NULL, "def", 1}, {"{", NULL, ":", 1.4}, {"switch", NULL, "match", 1.8},
};
/* clang-format on */
/* clang-format off */
static const struct foreign to_braces[] = {
	{"elif", NULL, "else if", 0.9}, {"and", NULL, "&&", 1.1}, {"or", NULL, "||", 1.1},
	{"not", NULL, "!", 1.1}, {"def", NULL, "function", 1}, {":", NULL, " {", 1.6},
	{"None", NULL, "null", 1.5},
};
/* clang-format on */
/* clang-format off */
static const struct foreign to_perl[] = {
	{"elif", NULL, "elsif", 0.9}, {"elseif", NULL, "elsif", 0.9}, {"else", "if", "elsif", 0.9},
	{"def", NULL, "sub", 1}, {"function", NULL, "sub", 1}, {"None", NULL, "undef", 1.3},
	{"null", NULL, "undef", 1.3}, {"nil", NULL, "undef", 1.3}, {":", NULL, " {", 1.6},
};
/* clang-format on */
/* clang-format off */
static const struct foreign to_ended[] = {
	{"else", "if", "elseif", 0.9}, {"elif", NULL, "elseif", 0.9}, {"elsif", NULL, "elseif", 0.9},
	{"!", "=", "~=", 0.9}, {"&", "&", "and", 1.1}, {"|", "|", "or", 1.1}, {"!", NULL, "not ", 1.3},
	{"null", NULL, "nil", 1.3}, {"None", NULL, "nil", 1.3}, {"def", NULL, "function", 1},
	{"{", NULL, "then", 1.4}, {"{", NULL, "do", 1.5}, {"}", NULL, "end", 1.4},
};
/* clang-format on */
/* clang-format off */
static const struct foreign to_all[] = {
	{"=", "<", "<=", 1.1}, {"=", ">", ">=", 1.1}, {"=>", NULL, ">=", 1.4}, {"!", "=", "!=", 1.2},
	{"=", "!", "!=", 1.2}, {"=", "=", "==", 1.2}, {";", NULL, ",", 2}, {",", NULL, ";", 2},
	{".", ",", ",", 1.8}, {":", "=", "=", 1.8},
};
/* clang-format on */

static void translate(
	struct site *site, struct span line, const struct foreign *rows, size_t n, double extra)
{
	const struct source *source = site->source;
	for (uint32_t i = line.first; i <= line.last; i++)
		for (size_t r = 0; r < n; r++) {
			bool pair = rows[r].second && i < line.last && token_is(source, i + 1, rows[r].second);
			if (token_is(source, i, rows[r].first) && (!rows[r].second || pair))
				put_instead(site, rows[r].cost + extra, i, i + pair, rows[r].to);
		}
}

void translate_words(struct site *site, struct span line, double extra)
{
	if (is_python(site->source))
		translate(site, line, to_python, ARRAY_SIZE(to_python), extra);
	else if (has_trait(site->source, LANGUAGE_ENDED))
		translate(site, line, to_ended, ARRAY_SIZE(to_ended), extra);
	else if (has_trait(site->source, LANGUAGE_BRACED_KEYS))
		translate(site, line, to_perl, ARRAY_SIZE(to_perl), extra);
	else
		translate(site, line, to_braces, ARRAY_SIZE(to_braces), extra);
	translate(site, line, to_all, ARRAY_SIZE(to_all), extra);
}
