/*
 * Patterns of tokens, and the counting of what a change adds. Each pattern is looked for at one of
 * its words, its longest, so that most tokens cost one look at a list that is empty; the time grows
 * with the text and not with the patterns.
 */
#include <string.h>

#include "base/map.h"
#include "verify/guard/code.h"

enum { KEY_MOST = 80, REPORTED_MOST = 16 };

/* A pattern of a rule, or (without a reach) whatever its `occurs` says. */
struct row {
	const struct guard_rule *rule;
	const struct reach *reach;
	unsigned languages; /* bits */
	const char *anchor; /* in its pattern */
	uint32_t ahead;     /* how many tokens lie before it */
	int64_t balance;
};

struct place {
	uint32_t row, token;
	const struct code *code;
};

struct counting {
	struct arena *arena;
	struct row *rows;
	size_t n_rows;
	uint32_t *prefixes; /* rows whose anchor is the beginning of a word */
	size_t n_prefixes;
	struct place *before, *after;
	size_t n_before, n_after;
};

/* --- patterns --- */

static size_t reach_element_length(const char *element)
{
	const char *quote = *element == '"' ? strchr(element + 1, '"') : NULL;
	return quote ? (size_t)(quote - element) + 1 : strcspn(element, " ");
}

static const char *reach_next_element(const char *element)
{
	element += reach_element_length(element);
	return element + strspn(element, " ");
}

static bool reach_text_matches(const char *pattern, size_t n, const char *text, size_t length)
{
	bool before = n > 1 && *pattern == '*', behind = n > 1 && pattern[n - 1] == '*';
	pattern += before;
	n -= (size_t)before + behind;
	if (before)
		return memmem(text, length, pattern, n);
	return (behind ? length >= n : length == n) && memcmp(text, pattern, n) == 0;
}

static bool reach_is_plain_string(const struct code *code, uint32_t i)
{
	const char *text;
	size_t n;
	return code_string(code, i, &text, &n) && code->tokens.tokens[i].kind == TOKEN_STRING &&
		i + 1 < code->tokens.n && code_in(code, i + 1, " , ) ] ; ");
}

static bool reach_begins_command(const struct code *code, uint32_t i)
{
	const struct token *tokens = code->tokens.tokens;
	bool shell = code->language->traits & LANGUAGE_SIGILS;
	return i == 0 || (tokens[i - 1].line != tokens[i].line && !tokens[i].continues) ||
		(shell && code_in(code, i - 1, " ; && || { ( $( then do else ! | "));
}

static bool reach_token_matches(
	const struct row *row, const char *element, size_t n, const struct code *code, uint32_t i)
{
	const struct token *token = &code->tokens.tokens[i];
	const char *text = code->text + token->start;
	bool is_name = token->kind == TOKEN_NAME || token->kind == TOKEN_KEYWORD;
	if (*element == '"') {
		size_t length;
		if (!code_string(code, i, &text, &length))
			return false;
		return n == 3 && element[1] == '$' ? length && words_hold(row->reach->list, text, length)
										   : reach_text_matches(element + 1, n - 2, text, length);
	}
	if (n == 1 && *element == '?')
		return true;
	if (n == 1 && *element == '@')
		return is_name;
	if (n == 1 && *element == '$')
		return code_in(code, i, row->reach->list) || code_string_in(code, i, row->reach->list);
	if (n == 3 && memcmp(element, "...", n) == 0)
		return !reach_is_plain_string(code, i) && !code_is(code, i, ")");
	if (n > 1 && element[n - 1] == '*')
		return is_name && reach_text_matches(element, n, text, token->length);
	return token->length == n && memcmp(text, element, n) == 0;
}

/* An element that takes no token. */
static bool reach_is_condition(const char *element, size_t n)
{
	return (n == 1 && *element == '^') || (n > 1 && *element == '<');
}

static bool reach_condition_holds(
	const struct code *code, uint32_t i, const char *element, size_t n)
{
	if (*element == '^')
		return reach_begins_command(code, i);
	const struct token *before = i ? &code->tokens.tokens[i - 1] : NULL;
	return !before || before->length != n - 1 ||
		memcmp(code->text + before->start, element + 1, n - 1) != 0;
}

/* The token after the last that the pattern takes from `i` on; NO_TOKEN: it does not match. */
static uint32_t reach_match(const struct row *row, const struct code *code, int64_t i)
{
	for (const char *element = row->reach->pattern; *element;
		 element = reach_next_element(element)) {
		size_t n = reach_element_length(element);
		bool negative = n > 1 && *element == '!' && element[1] != '=',
			 exists = i >= 0 && i < (int64_t)code->tokens.n;
		uint32_t at = (uint32_t)i;
		if (reach_is_condition(element, n)) {
			if (!exists || !reach_condition_holds(code, at, element, n))
				return NO_TOKEN;
			continue;
		}
		if (n == 2 && memcmp(element, "()", n) == 0) {
			if (!exists || code->tokens.tokens[at].kind != TOKEN_OPEN ||
				code->tokens.tokens[at].match == NO_TOKEN)
				return NO_TOKEN;
			i = (int64_t)code->tokens.tokens[at].match + 1;
			continue;
		}
		if (!exists ||
			reach_token_matches(row, element + negative, n - negative, code, at) == negative)
			return NO_TOKEN;
		i++;
	}
	return (uint32_t)i;
}

static bool reach_is_failure(const struct code *code, uint32_t i)
{
	i += code_is(code, i, "-");
	bool number =
		i < code->tokens.n && code->tokens.tokens[i].kind == TOKEN_NUMBER && !code_is(code, i, "0");
	return (number || code_is(code, i, "EXIT_FAILURE")) &&
		!code_in(code, i + 1, " && || - * & ^ >> % / ");
}

/* Whether what the row looks for is at one of its words. */
static bool reach_reaches(const struct row *row, const struct code *code, uint32_t i)
{
	if (!row->reach)
		return row->rule->occurs(code, i);
	unsigned unless = row->reach->unless;
	if (!(row->languages & code->language_bit) ||
		((unless & UNLESS_FOR_TESTS) && code->for_tests) ||
		((unless & UNLESS_PROGRAM) && code->is_program))
		return false;
	uint32_t end = reach_match(row, code, (int64_t)i - row->ahead);
	return end != NO_TOKEN && !((unless & UNLESS_FAILURE) && reach_is_failure(code, end));
}

/* --- at which words patterns are looked for --- */

static bool reach_is_word(const char *element, size_t n)
{
	return (*element == '"' && n > 2 && element[1] != '*') || *element == '$' || *element == '_' ||
		(*element >= 'a' && *element <= 'z') || (*element >= 'A' && *element <= 'Z');
}

static bool reach_is_list(const char *element, size_t n)
{
	return (n == 1 && *element == '$') || (n == 3 && element[1] == '$');
}

/* Lists come last: they have many words. */
static void reach_find_anchor(struct row *row)
{
	uint32_t ahead = 0;
	size_t longest = 0;
	for (const char *element = row->reach->pattern; *element;
		 element = reach_next_element(element)) {
		size_t n = reach_element_length(element);
		if (n == 2 && memcmp(element, "()", n) == 0)
			break;
		size_t weight = reach_is_list(element, n) ? 1 : n;
		if (reach_is_word(element, n) && weight > longest) {
			longest = weight;
			row->anchor = element;
			row->ahead = ahead;
		}
		ahead += !reach_is_condition(element, n);
	}
}

static void reach_index(
	struct counting *counting, struct words *words, const char *text, size_t n, uint32_t row)
{
	struct trigger *trigger = (struct trigger *)words_intern(words, text, n);
	ARENA_PUSH(counting->arena, trigger->rows, trigger->n_rows, row);
}

static void reach_index_list(
	struct counting *counting, struct words *words, const char *list, uint32_t row)
{
	for (const char *at = list; *(at += strspn(at, " ")); at += strcspn(at, " "))
		reach_index(counting, words, at, strcspn(at, " "), row);
}

static void reach_index_row(struct counting *counting, struct words *words, uint32_t index)
{
	struct row *row = &counting->rows[index];
	reach_find_anchor(row);
	if (!row->anchor) /* tests/unit/test_guard_tables.c finds such a row */
		return;
	size_t n = reach_element_length(row->anchor), quote = *row->anchor == '"';
	if (reach_is_list(row->anchor, n)) {
		reach_index_list(counting, words, row->reach->list, index);
	} else if (row->anchor[n - 1 - quote] == '*') {
		ARENA_PUSH(counting->arena, counting->prefixes, counting->n_prefixes, index);
	} else {
		reach_index(counting, words, row->anchor + quote, n - 2 * quote, index);
	}
}

static void reach_know(struct counting *counting, struct trigger *trigger)
{
	for (size_t i = 0; i < counting->n_prefixes; i++) {
		const char *anchor = counting->rows[counting->prefixes[i]].anchor;
		size_t quote = *anchor == '"', n = reach_element_length(anchor) - 2 * quote;
		if (reach_text_matches(anchor + quote, n, trigger->word.text, trigger->word.n))
			ARENA_PUSH(counting->arena, trigger->rows, trigger->n_rows, counting->prefixes[i]);
	}
	trigger->is_known = true;
}

static void reach_add_row(
	struct counting *counting, const struct guard_rule *rule, const struct reach *reach)
{
	struct row row = {.rule = rule, .reach = reach};
	for (size_t i = 0; reach && i < languages_n; i++)
		if (words_hold(reach->languages, languages[i]->name, strlen(languages[i]->name)))
			row.languages |= 1U << i;
	ARENA_PUSH(counting->arena, counting->rows, counting->n_rows, row);
}

static void reach_add_rows(struct counting *counting, struct words *words)
{
	for (size_t i = 0; i < guard_rules_n; i++) {
		const struct guard_rule *rule = guard_rules[i];
		for (const struct reach *reach = reach_rows(rule, counting->arena); reach->pattern;
			 reach++) {
			reach_add_row(counting, rule, reach);
			reach_index_row(counting, words, (uint32_t)counting->n_rows - 1);
		}
		if (!rule->occurs)
			continue;
		reach_add_row(counting, rule, NULL);
		if (rule->occurs_at)
			reach_index_list(counting, words, rule->occurs_at, (uint32_t)counting->n_rows - 1);
	}
}

/* --- counting --- */

static void reach_note(
	struct counting *counting, uint32_t row, const struct code *code, uint32_t token, bool is_after)
{
	struct place place = {.row = row, .token = token, .code = code};
	if (!counting->rows)
		return;
	counting->rows[row].balance += is_after ? 1 : -1;
	if (is_after)
		ARENA_PUSH(counting->arena, counting->after, counting->n_after, place);
	else
		ARENA_PUSH(counting->arena, counting->before, counting->n_before, place);
}

static void reach_count_patterns(struct counting *counting, const struct code *code, bool is_after)
{
	for (uint32_t i = 0; i < code->tokens.n; i++) {
		struct trigger *trigger = (struct trigger *)code->tokens.tokens[i].word;
		if (!trigger)
			continue;
		if (!trigger->is_known)
			reach_know(counting, trigger);
		for (size_t r = 0; counting->rows && r < trigger->n_rows; r++)
			if (reach_reaches(&counting->rows[trigger->rows[r]], code, i))
				reach_note(counting, trigger->rows[r], code, i, is_after);
	}
}

static void reach_count_code(struct counting *counting, const struct code *code, bool is_after)
{
	if (!code->language)
		return;
	reach_count_patterns(counting, code, is_after);
	for (uint32_t r = 0; r < counting->n_rows; r++) {
		const struct guard_rule *rule = counting->rows[r].rule;
		if (counting->rows[r].reach || rule->occurs_at)
			continue;
		for (uint32_t i = 0; i < code->tokens.n; i++)
			if (rule->occurs(code, i))
				reach_note(counting, r, code, i, is_after);
	}
}

/* --- what there is more of --- */

/* What a place looks like, wherever it is: the row, and the text around on its line. */
static const char *reach_key_of(const struct place *place, struct arena *arena)
{
	const struct code *code = place->code;
	const char *token = code->text + code->tokens.tokens[place->token].start, *start = token,
			   *end = token;
	while (start > code->text && token - start < KEY_MOST && start[-1] != '\n' && start[-1] != '\t')
		start--;
	start += strspn(start, " ");
	while (
		end < code->text + code->n_text && end - token < KEY_MOST && *end != '\n' && *end != '\r')
		end++;
	return arena_printf(arena, "%u %.*s", place->row, end > start ? (int)(end - start) : 0, start);
}

/* A few are enough to refuse a change, and to read. */
static void reach_report(
	struct inspection *inspection, const struct guard_rule *rule, const struct place *place)
{
	int line = (int)place->code->tokens.tokens[place->token].line;
	size_t reported = 0;
	for (size_t i = 0; i < inspection->n_findings; i++) {
		const struct finding *finding = &inspection->findings[i];
		reported += finding->rule == rule;
		if (finding->rule == rule && finding->line == line &&
			finding->path == place->code->file->path)
			return;
	}
	if (reported >= REPORTED_MOST)
		return;
	guard_find_code(inspection, rule, place->code, place->token);
}

/* Of what there is more, the places that look like none of the base; each of these answers for
 * one. */
static void reach_report_more(struct inspection *inspection, struct counting *counting)
{
	struct map seen = {0};
	for (size_t i = 0; i < counting->n_before; i++) {
		if (counting->rows[counting->before[i].row].balance <= 0)
			continue;
		const char *key = reach_key_of(&counting->before[i], counting->arena);
		size_t *n = map_get(&seen, key);
		if (!n)
			map_put(&seen, counting->arena, key, n = arena_alloc(counting->arena, sizeof *n));
		++*n;
	}
	for (size_t i = 0; i < counting->n_after; i++) {
		struct row *row = &counting->rows[counting->after[i].row];
		size_t *n = row->balance > 0
			? map_get(&seen, reach_key_of(&counting->after[i], counting->arena))
			: NULL;
		if (n && *n) {
			--*n;
		} else if (row->balance > 0) {
			row->balance--;
			reach_report(inspection, row->rule, &counting->after[i]);
		}
	}
}

void reach_count(struct inspection *inspection, struct words *words)
{
	struct counting counting = {.arena = inspection->arena};
	reach_add_rows(&counting, words);
	for (size_t i = 0; i < inspection->n; i++) {
		reach_count_code(&counting, &inspection->before[i], false);
		reach_count_code(&counting, &inspection->after[i], true);
	}
	reach_report_more(inspection, &counting);
}
