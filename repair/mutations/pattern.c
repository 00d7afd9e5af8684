/* Little languages in strings: patterns, and formats of numbers. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "repair/search.h"

enum { LENGTH_MOST = 200 };

struct rewrite {
	const char *from, *to;
	double cost;
};

/* clang-format off */
static const struct rewrite of_patterns[] = {
	{"+", "*", 4.4}, {"*", "+", 4.4}, {"+", "", 5.5}, {"*", "", 5.5}, {"?", "", 5},
	{"\\d", "\\d+", 4.6}, {"\\w", "\\w+", 4.6}, {"\\s", "\\s+", 4.6}, {"\\s+", "\\s*", 4.4},
	{"\\d", "\\w", 5}, {"\\w", "\\S", 5}, {"\\w", "\\d", 5}, {"\\s", "\\S", 5.5},
	{"\\d", "\\D", 5.5}, {"[a-z]", "[A-Za-z]", 4.4}, {"[A-Z]", "[A-Za-z]", 4.6},
	{"a-z", "a-z0-9", 4.8}, {"a-z", "a-zA-Z", 4.4}, {"A-Za-z", "A-Za-z0-9", 4.6},
	{"a-zA-Z", "a-zA-Z0-9", 4.6}, {"1-9", "0-9", 4.4}, {"0-9", "1-9", 5}, {".*", ".*?", 4.6},
	{".+", ".+?", 4.6}, {".", "\\.", 4.4}, {"[^", "[", 4.8}, {"^", "", 4.8}, {"$", "", 4.8},
	{"\".*\"", "\"[^\"]*\"", 4.4}, {"(\\d+)", "(-?\\d+)", 4.8}, {"\\d+", "-?\\d+", 5},
};
/* clang-format on */

/* clang-format off */
static const struct rewrite of_formats[] = {
	{"%d", "%ld", 4.4}, {"%d", "%u", 5}, {"%d", "%s", 5}, {"%d", "%f", 4.8}, {"%d", "%lf", 5},
	{"%s", "%d", 5}, {"%s", "%c", 5}, {"%c", "%s", 5}, {"%c", "%d", 4.8}, {"%f", "%d", 5},
	{"%f", "%.2f", 4.6}, {"%f", "%.1f", 4.8}, {"%i", "%ld", 4.8}, {"%u", "%d", 4.8},
	{"%x", "%X", 4.4}, {"%X", "%x", 4.4}, {"%x", "%02x", 4.4}, {"%d", "%02d", 4.4},
	{"%2d", "%02d", 4.2}, {"%02d", "%2d", 4.6}, {".2f", ".1f", 4.8}, {".1f", ".2f", 4.4},
	{".0f", ".2f", 4.6}, {".2f", ".3f", 4.8}, {".2f", ".0f", 5}, {":>", ":<", 4.4},
	{":<", ":>", 4.4}, {":^", ":>", 5}, {"%v", "%q", 5}, {"%v", "%d", 5}, {"%ld", "%d", 5},
	{"%Y", "%y", 4.6}, {"%y", "%Y", 4.4}, {"%m", "%M", 4.6}, {"%M", "%m", 4.4}, {"%H", "%I", 4.6},
	{"%I", "%H", 4.4},
};
/* clang-format on */

/* Every place of a row's text in the token. */
static void pattern_rewrite(struct site *site, const struct rewrite *row)
{
	const struct token *token = &site->source->tokens[site->at];
	const char *text = site->source->file->text + token->start, *end = text + token->length;
	size_t n = strlen(row->from);
	for (const char *at = text; (at = memmem(at, (size_t)(end - at), row->from, n)); at++) {
		/* An escaped mark is the mark itself. */
		if (at > text && at[-1] == '\\' && row->from[0] != '\\')
			continue;
		const char *what =
			arena_printf(site->arena, "'%s' to '%s' in the string", row->from, row->to);
		proposal_splice(
			site, propose(site, row->cost, what), token->start + (size_t)(at - text), n, row->to);
	}
}

/* A regular expression: between slashes, raw, or an argument of something that takes one. */
static bool is_pattern(const struct source *source, uint32_t i)
{
	const char *text = source->file->text + source->tokens[i].start;
	if (text[0] == '/')
		return true;
	bool raw = (text[0] == 'r' || text[0] == 'R') && source->tokens[i].length > 2;
	uint32_t around = source->tokens[i].around;
	bool taken = around != NO_TOKEN && around > 0 && token_is(source, around, "(") &&
		token_in(source, around - 1,
			" RegExp compile match search findall sub fullmatch MustCompile Compile matches"
			" replaceAll Regex ");
	return raw || taken;
}

/* "/x/" to "/x/g" and "/x/i", and to all of a line. */
static void pattern_bound(struct site *site)
{
	const struct token *token = &site->source->tokens[site->at];
	const char *text = site->source->file->text + token->start;
	const char *end = memrchr(text, text[0] == '/' ? '/' : text[token->length - 1], token->length);
	const char *begin = text + strcspn(text, "/\"'`") + 1;
	if (!end || end < begin)
		return;
	size_t behind = token->start + (size_t)(end - text);
	for (const char *flag = "gi"; *text == '/' && *flag; flag++)
		if (!memchr(end, *flag, (size_t)(text + token->length - end)))
			proposal_insertf(
				site, proposef(site, 4.4, "with the flag %c", *flag), behind + 1, "%c", *flag);
	if (*begin != '^')
		proposal_insert(site, propose(site, 5, "from the beginning"),
			token->start + (size_t)(begin - text), "^");
	if (end > begin && end[-1] != '$')
		proposal_insert(site, propose(site, 5, "to the end"), behind, "$");
}

static void pattern_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	bool string =
		token->kind == TOKEN_STRING || token->kind == TOKEN_OPEN || token->kind == TOKEN_CLOSE;
	if (!string || token->first || token->length < 2 || token->length > LENGTH_MOST)
		return;
	if (token->kind == TOKEN_STRING && is_pattern(source, site->at)) {
		for (size_t i = 0; i < ARRAY_SIZE(of_patterns); i++)
			pattern_rewrite(site, &of_patterns[i]);
		pattern_bound(site);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_formats); i++)
		pattern_rewrite(site, &of_formats[i]);
}

MUTATION(pattern, .least = 4.2, .rank = CANDIDATE_LITERAL);
