/*
 * The tables of the guard's rules, row by row: each row is written as its language has it, and its
 * rule must find what the row describes. A row that hangs on no word, or a list that no word is
 * found in, would be silent.
 */
#include "tests/unit/guard_fixture.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/guard/code.h"

static size_t wrong; /* rows of the test */

static void tell_wrong(const struct guard_rule *rule, const struct reach *reach, const char *what)
{
	print_error("%s, '%s': %s\n", rule->name, reach ? reach->pattern : "occurs_at", what);
	wrong++;
}

/* --- Lists: words that are separated and enclosed by spaces --- */

static bool is_list(const char *list)
{
	size_t n = strlen(list);
	return n > 2 && *list == ' ' && list[n - 1] == ' ';
}

static void lists_are_enclosed_by_spaces(void **state)
{
	(void)state;
	wrong = 0;
	for (size_t i = 0; i < guard_rules_n; i++) {
		const struct guard_rule *rule = guard_rules[i];
		if (rule->occurs_at && (!is_list(rule->occurs_at) || !rule->occurs))
			tell_wrong(rule, NULL, "is no list, or nobody looks at it");
		for (const struct reach *reach = rule->reaches; reach && reach->pattern; reach++) {
			bool wants_list = strstr(reach->pattern, "$ ") || strstr(reach->pattern, "\"$\"") ||
				text_ends_with(reach->pattern, "$");
			if (!is_list(reach->languages))
				tell_wrong(rule, reach, "its languages are no list");
			if (reach->list && !is_list(reach->list))
				tell_wrong(rule, reach, "its words are no list");
			if (wants_list != (reach->list != NULL))
				tell_wrong(rule, reach, "a list without a place for it, or the reverse");
		}
	}
	assert_int_equal(wrong, 0);
}

static void every_language_is_known(void **state)
{
	(void)state;
	wrong = 0;
	for (size_t i = 0; i < guard_rules_n; i++)
		for (const struct reach *reach = guard_rules[i]->reaches; reach && reach->pattern; reach++)
			for (const char *at = reach->languages; *(at += strspn(at, " "));) {
				size_t n = strcspn(at, " "), k = 0;
				while (k < languages_n &&
					(strlen(languages[k]->name) != n || memcmp(languages[k]->name, at, n) != 0))
					k++;
				if (k == languages_n)
					tell_wrong(guard_rules[i], reach, "a language is not known");
				at += n;
			}
	assert_int_equal(wrong, 0);
}

static void a_choice_makes_two_rows(void **state)
{
	(void)state;
	static const struct reach reaches[] = {
		REACH(PYTHON, "a|\"b c\" || d|!=|f*"), REACH(GO, "|| x"), REACH_END};
	static const char *const expected[] = {
		"a || d", "a || !=", "a || f*", "\"b c\" || d", "\"b c\" || !=", "\"b c\" || f*", "|| x"};
	AUTO_ARENA arena = ARENA_INIT;
	const struct guard_rule rule = {.reaches = reaches};
	const struct reach *rows = reach_rows(&rule, &arena);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_string_equal(rows[i].pattern, expected[i]);
	assert_string_equal(rows[0].languages, PYTHON);
	assert_null(rows[ARRAY_SIZE(expected)].pattern);
}

/* --- What a row describes, as text --- */

/* How words of the row's list are written: the first one, and those at further places. */
struct wording {
	const char *words[2];
	bool quoted;
};

static int add_word(struct strbuf *sb, const struct wording *wording, bool is_first, bool quoted)
{
	const char *word = wording->words[!is_first];
	quoted = quoted || wording->quoted;
	strbuf_addf(sb, quoted ? "\"%.*s\"" : "%.*s", (int)strcspn(word, " "), word);
	return 1;
}

static int add_element(
	struct strbuf *sb, const char *element, size_t n, const struct wording *wording, bool is_first)
{
	if (n == 1 && *element == '$')
		return add_word(sb, wording, is_first, false);
	if (n == 3 && memcmp(element, "\"$\"", n) == 0)
		return add_word(sb, wording, is_first, true);
	if (n == 1 && *element == '^')
		strbuf_addc(sb, '\n');
	else if ((n == 1 && strchr("@?", *element)) || (n == 3 && memcmp(element, "...", n) == 0) ||
		(n > 1 && *element == '!' && element[1] != '='))
		strbuf_adds(sb, "value");
	else if (n == 2 && memcmp(element, "()", n) == 0)
		strbuf_adds(sb, "(value)");
	else if (n == 1 || *element != '<' || element[1] == ' ')
		for (size_t i = 0; i < n; i++)
			strbuf_addc(sb, element[i] == '*' && n > 1 ? 'x' : element[i]);
	return 0;
}

static size_t length_of(const char *element)
{
	const char *quote = *element == '"' ? strchr(element + 1, '"') : NULL;
	return quote ? (size_t)(quote - element) + 1 : strcspn(element, " ");
}

/* Gives how many words of the list it took. */
static int add_row(struct strbuf *sb, const struct reach *reach, const struct wording *wording)
{
	int taken = 0;
	for (const char *at = reach->pattern; *at; at += strspn(at, " ")) {
		size_t n = length_of(at);
		taken += add_element(sb, at, n, wording, !taken);
		strbuf_addc(sb, ' ');
		at += n;
	}
	return taken;
}

static bool is_found(
	const struct guard_rule *rule, const struct language *language, const char *text)
{
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const base[] = {"src/a.py"};
	const char *suffix = language->suffixes + 1;
	const char *path = arena_printf(&arena, "src/a.%.*s", (int)strcspn(suffix, " "), suffix);
	const struct changed_file file = change_of(path, NULL, text);
	struct inspection inspection = {
		.files = &file, .n = 1, .base_paths = base, .n_base_paths = 1, .arena = &arena};
	guard_inspect(&inspection);
	return finding_of(&inspection, rule->name);
}

static bool finds(const struct guard_rule *rule, const struct reach *reach,
	const struct language *language, const char *first, const char *other)
{
	bool found = false, is_path = first[strcspn(first, " ./:-")] > ' ';
	for (int quoted = 0; quoted <= is_path && !found; quoted++) {
		const struct wording wording = {{first, other}, quoted};
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		strbuf_adds(&text, strcmp(language->name, "php") == 0 ? "<?php\n" : "");
		add_row(&text, reach, &wording);
		strbuf_addc(&text, '\n');
		found = is_found(rule, language, text.text);
	}
	return found;
}

static int count_places(const struct reach *reach)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	return add_row(&text, reach, &(const struct wording){{"", ""}, false});
}

/* Of a row with two places, a word may be meant for one of them. */
static void check_word(const struct guard_rule *rule, const struct reach *reach,
	const struct language *language, const char *word)
{
	bool found = finds(rule, reach, language, word, word);
	const char *others = count_places(reach) > 1 ? reach->list : "";
	for (const char *at = others; !found && *(at += strspn(at, " ")); at += strcspn(at, " "))
		found = finds(rule, reach, language, at, word) || finds(rule, reach, language, word, at);
	if (found)
		return;
	tell_wrong(rule, reach, "does not find what it describes");
	print_error("in %s, with '%.*s'\n", language->name, (int)strcspn(word, " "), word);
}

static void check_reach(const struct guard_rule *rule, const struct reach *reach)
{
	for (size_t i = 0; i < languages_n; i++) {
		if (!words_hold(reach->languages, languages[i]->name, strlen(languages[i]->name)))
			continue;
		if (!reach->list)
			check_word(rule, reach, languages[i], "");
		for (const char *at = reach->list; at && *(at += strspn(at, " ")); at += strcspn(at, " "))
			check_word(rule, reach, languages[i], at);
	}
}

static void every_row_finds_what_it_describes(void **state)
{
	(void)state;
	wrong = 0;
	AUTO_ARENA arena = ARENA_INIT;
	for (size_t i = 0; i < guard_rules_n; i++)
		for (const struct reach *reach = reach_rows(guard_rules[i], &arena); reach->pattern;
			 reach++)
			check_reach(guard_rules[i], reach);
	assert_int_equal(wrong, 0);
}

UNIT(guard_tables)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_enclosed_by_spaces),
		cmocka_unit_test(every_language_is_known),
		cmocka_unit_test(a_choice_makes_two_rows),
		cmocka_unit_test(every_row_finds_what_it_describes),
	};
	return RUN_TESTS(tests);
}
