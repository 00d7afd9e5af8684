/*
 * Tests in shell, by functions of the script that compare two words: is NAME FOUND EXPECTED. What
 * is expected becomes another word, in the line's place. Such scripts print TAP, or a Makefile runs
 * them and says only how it ended.
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/counter/counter.h"

enum { WORDS_MOST = 8, CALLS_MOST = 4 };

/* A stretch of the text. */
struct stretch {
	size_t start, end;
};

/* A function that says "ok" where two of its arguments, from 1, are equal, else "not ok". */
struct comparer {
	struct stretch name;
	size_t left, right;
};

static bool shell_may_hold(const char *id, const char *path)
{
	(void)id;
	return (text_ends_with(path, ".sh") || text_ends_with(path, ".t")) &&
		(strstr(path, "test") || text_starts_with(path, "t/") || strstr(path, "check"));
}

/* --- Functions that compare --- */

static size_t shell_name_before(const char *text, size_t paren)
{
	size_t at = paren;
	while (at && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_'))
		at--;
	return at;
}

/* The number in "$2", after which *at stands; 0: another word is there. */
static size_t shell_read_argument(const char **at)
{
	if (!text_starts_with(*at, "\"$") || !isdigit((unsigned char)(*at)[2]) || (*at)[3] != '"')
		return 0;
	size_t number = (size_t)((*at)[2] - '0');
	*at += strlen("\"$1\"");
	return number;
}

static bool shell_skip(const char **at, const char *text)
{
	if (!text_starts_with(*at, text))
		return false;
	*at += strlen(text);
	return true;
}

/* [ "$2" = "$3" ]: the numbers of both, and what follows. NULL: it is another condition. */
static const char *shell_read_condition(const char *at, size_t *ret_left, size_t *ret_right)
{
	bool is_bracket = shell_skip(&at, "[ ");
	if (!is_bracket && !shell_skip(&at, "test "))
		return NULL;
	*ret_left = shell_read_argument(&at);
	if (!shell_skip(&at, " = ") && !shell_skip(&at, " == "))
		return NULL;
	*ret_right = shell_read_argument(&at);
	if ((is_bracket && !shell_skip(&at, " ]")) || !*ret_left || !*ret_right)
		return NULL;
	return at + strspn(at, " \t;\n");
}

static bool shell_says(const char *start, const char *end, const char *what)
{
	return memmem(start, (size_t)(end - start), what, strlen(what));
}

/* Whether what follows the condition says "ok" for equal words, and "not ok" for others: by two
 * branches, or by "|| said='not ok'" after "said=ok". */
static bool shell_says_both(const char *at, const char *end)
{
	if (text_starts_with(at, "|| "))
		return shell_says(at, at + strcspn(at, "\n"), "not ok");
	const char *other = text_starts_with(at, "then") ? strstr(at, "else") : NULL;
	const char *fi = other ? strstr(other, "fi") : NULL;
	return fi && fi < end && shell_says(at, other, "ok ") && !shell_says(at, other, "not ok") &&
		shell_says(other, fi, "not ok");
}

/* Whether a function compares two of its arguments and says how that came out. */
static bool shell_compares(const char *body, const char *end, struct comparer *comparer)
{
	for (const char *at = body; at < end; at++) {
		if (*at != '[' && *at != 't')
			continue;
		const char *rest = shell_read_condition(at, &comparer->left, &comparer->right);
		if (rest && shell_says_both(rest, end))
			return true;
	}
	return false;
}

/* The functions of a script, up to a number of them. */
static size_t shell_find_comparers(
	const struct counter_file *file, struct comparer *comparers, size_t most)
{
	size_t n = 0;
	const char *text = file->text;
	for (const char *at = text; (at = strstr(at, "()")) && n < most; at += 2) {
		const char *end = strstr(at, "\n}");
		struct comparer found = {
			.name = {shell_name_before(text, (size_t)(at - text)), (size_t)(at - text)}};
		if (!end || found.name.start == found.name.end ||
			(found.name.start && text[found.name.start - 1] != '\n'))
			continue;
		if (shell_compares(at, end, &found))
			comparers[n++] = found;
	}
	return n;
}

/* --- Calls --- */

/* The end of a word at `start`: quotes and what is in $(...) belong to it. `start`: it has none on
 * its line. */
static size_t shell_word_end(const char *text, size_t start)
{
	size_t at = start;
	int depth = 0;
	char quote = '\0';
	for (; text[at] && text[at] != '\n'; at++) {
		char c = text[at];
		if (c == '\\' && text[at + 1] && quote != '\'')
			at++;
		else if (c == '(' && quote != '\'')
			depth++;
		else if (c == ')' && quote != '\'')
			depth--;
		else if (!depth && c == quote)
			quote = '\0';
		else if (!depth && !quote && (c == '"' || c == '\''))
			quote = c;
		else if (!depth && !quote && strchr(" \t;&|<>#", c))
			break;
	}
	return depth || quote ? start : at;
}

/* The words of a simple command up to the end of its line; 0: it is more than that. */
static size_t shell_words(const char *text, size_t at, struct stretch *words, size_t most)
{
	size_t n = 0;
	while (n < most) {
		at += strspn(text + at, " \t");
		if (!text[at] || text[at] == '\n' || text[at] == '#')
			return n;
		size_t end = shell_word_end(text, at);
		if (end == at)
			return 0;
		words[n++] = (struct stretch){at, end};
		at = end;
	}
	return 0;
}

static bool shell_is_literal(const char *text, struct stretch word)
{
	for (size_t i = word.start; i < word.end; i++)
		if (strchr("$`*?[\\", text[i]))
			return false;
	return word.end > word.start;
}

/* Whether a word, without its quotes, is the id of a test. */
static bool shell_is_name(const char *text, struct stretch word, const char *id)
{
	size_t quoted = strchr("\"'", text[word.start]) != NULL, n = word.end - word.start - 2 * quoted;
	return n == strlen(id) && memcmp(text + word.start + quoted, id, n) == 0;
}

static const struct comparer *shell_comparer_of(
	const char *text, struct stretch word, const struct comparer *comparers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t length = comparers[i].name.end - comparers[i].name.start;
		if (length == word.end - word.start &&
			memcmp(text + word.start, text + comparers[i].name.start, length) == 0)
			return &comparers[i];
	}
	return NULL;
}

/* Of the two words that are compared, the one that is expected: a literal, where the other is
 * none. */
static bool shell_expected(const char *text, const struct stretch *words, size_t n,
	const struct comparer *comparer, struct stretch *ret_word)
{
	if (comparer->left >= n || comparer->right >= n || !comparer->left || !comparer->right)
		return false;
	struct stretch left = words[comparer->left], right = words[comparer->right];
	if (shell_is_literal(text, left) == shell_is_literal(text, right))
		return false;
	*ret_word = shell_is_literal(text, left) ? left : right;
	return true;
}

/* The next line; depth: how many functions, loops and branches are open there. */
static size_t shell_next_line(const char *text, size_t at, int *depth)
{
	static const char *const opens[] = {"if ", "for ", "while ", "until ", "case ", "{"};
	static const char *const closes[] = {"fi", "done", "esac", "}"};
	size_t n = strcspn(text + at, "\n");
	const char *line = text + at + strspn(text + at, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(opens); i++)
		*depth += text_starts_with(line, opens[i]);
	*depth += n && text[at + n - 1] == '{' && *line != '{';
	for (size_t i = 0; i < ARRAY_SIZE(closes); i++)
		*depth -= *depth > 0 && text_starts_with(line, closes[i]);
	return at + n + (text[at + n] == '\n');
}

static bool shell_copy_call(struct counter_plan *plan, size_t number,
	const struct counter_test *test, const struct comparer *comparers, size_t n_comparers,
	size_t at)
{
	const struct counter_file *file = plan->files[number];
	struct stretch words[WORDS_MOST], expected;
	size_t n = shell_words(file->text, at, words, WORDS_MOST);
	const struct comparer *comparer =
		n ? shell_comparer_of(file->text, words[0], comparers, n_comparers) : NULL;
	bool is_its = test->is_suite;
	for (size_t i = 1; i < n; i++)
		is_its = is_its || shell_is_name(file->text, words[i], test->id);
	if (!comparer || !is_its || !shell_expected(file->text, words, n, comparer, &expected))
		return false;
	counter_put_in_place(plan, number, test,
		&(struct counter_change){.kind = COUNTER_EXPECTED,
			.n = 1,
			.at = expected.start,
			.splices = {{.offset = expected.start,
				.length = expected.end - expected.start,
				.text = arena_printf(plan->arena, "another_%s", plan->said)}}});
	return true;
}

static const char *shell_copy(
	struct counter_plan *plan, size_t number, const struct counter_test *test, bool *ret_has_test)
{
	const struct counter_file *file = plan->files[number];
	struct comparer comparers[WORDS_MOST];
	size_t n = shell_find_comparers(file, comparers, WORDS_MOST), copies = 0;
	int depth = 0;
	for (size_t at = 0; n && at < file->n && copies < CALLS_MOST && !test->only_end;) {
		size_t next = shell_next_line(file->text, at, &depth);
		if (!depth)
			copies += shell_copy_call(plan, number, test, comparers, n, at);
		at = next;
	}
	*ret_has_test = copies;
	return copies ? NULL : "no call in a script says what it expects";
}

const struct counter_type shell_counter = {
	.name = "shell",
	.formats = " tap exit automake ",
	.languages = " shell ",
	.may_hold = shell_may_hold,
	.copy = shell_copy,
};
