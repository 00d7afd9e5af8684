/*
 * The files of a change as code, for rules: tokens by language, so that a name in a comment or in a
 * string is not one. Private to guard/ and its tests.
 */
#pragma once
#include "base/lexer/source.h"
#include "verify/guard/guard.h"

/* A larger file is not read as code; rule disguised-name refuses it. */
#define CODE_MOST ((size_t)64 << 20)

/* One of a changed file's two texts. */
struct code {
	const struct changed_file *file;
	const char *text;
	size_t n_text;
	/* NULL: no code, or of a language that is not known, or not there */
	const struct language *language;
	unsigned language_bit; /* in the order of languages[] */
	struct token_list tokens;
	bool for_tests; /* a test file, or by its path a help of tests: it may use a test framework */
	bool says_time, says_kill; /* asks a clock, or sends signals, or seems to */
	bool is_program; /* it was a program at the base: it has a say in how its process ends */
};

enum unless {
	UNLESS_FOR_TESTS = 1,
	UNLESS_PROGRAM = 2,
	UNLESS_FAILURE = 4, /* what follows is a number other than 0: nothing green comes of that */
};

/*
 * A run of tokens that a change must not add. The elements of a pattern, separated by a space, are
 * tokens as they are spelt, or
 *   name*  a name that begins so      "text"  a string of that content; "text*" begins so,
 *   "*text*" contains it
 *   @      any name                   ?       any token
 *   !x     any token but x            $       a name, or a string's content, of the row's list
 *   ()     a bracket and all in it    "$"     a string whose content is in the list
 *   ...    an expression that is not one plain string
 *   <x     (no token) not after x     ^       (no token) begins a line, or in a shell a command
 *   a|b    makes two rows of the row, one with each
 */
struct reach {
	const char *languages; /* names of languages, enclosed by spaces */
	const char *pattern;
	unsigned unless;
	const char *list; /* words enclosed by spaces */
};

/* clang-format off */
#define REACH(languages, pattern) {languages, pattern, 0, NULL}
#define REACH_UNLESS(languages, pattern, unless) {languages, pattern, unless, NULL}
#define REACH_END {NULL, NULL, 0, NULL}
/* clang-format on */

#define PYTHON " python "
#define SCRIPT " javascript typescript "
#define NATIVE " c c++ "
#define GO " go "
#define RUST " rust "
#define JAVA " java "
#define SHELL " shell "
#define LUA " lua "
#define PHP " php "
#define PERL " perl "

/* Make inspection->before and ->after. */
void code_read(struct inspection *inspection, struct words *words);

/* Whether n bytes of a file may be read as text. */
bool code_is_text(unsigned mode, const char *text, size_t n);

/* The language of one of a file's texts by its path, or by its first line; NULL: not known. */
const struct language *code_language(
	const struct changed_file *file, unsigned mode, const char *text, size_t n);

/* Whether code has the file at a path loaded and run, whatever its suffix says. */
bool code_loads(const struct code *code, const char *path);

/* Whether a text has another one in it. */
bool code_has_text(const char *text, size_t n, const char *what);

/* The rows of a rule, one for each choice in a pattern, up to one without a pattern. In the
 * arena. */
const struct reach *reach_rows(const struct guard_rule *rule, struct arena *arena);

/* Count what the rule looks for in code, and find what there is more of than at the base. */
void reach_count(struct inspection *inspection, struct words *words);

/* A word as reach_count sees it. */
struct trigger {
	struct word word;
	uint32_t *rows; /* of reaches, for which it is the word to look at */
	size_t n_rows;
	bool is_known; /* patterns that begin so have been looked through */
};

/* Whether a token is spelt so. False beyond the last. */
bool code_is(const struct code *code, uint32_t i, const char *text);

/* Whether a token's spelling is in a list of words. */
bool code_in(const struct code *code, uint32_t i, const char *list);

/* What is in a string, without quotes and prefix. False: no string begins here. */
bool code_string(const struct code *code, uint32_t i, const char **ret_text, size_t *ret_n);

/* A path as one may begin at a token: a string's content, also of the piece after an expression in
 * it, or in a shell a word without its quotes. False: none begins here. */
bool code_path(const struct code *code, uint32_t i, const char **ret_text, size_t *ret_n);

/* Whether a string's content is in a list of words. */
bool code_string_in(const struct code *code, uint32_t i, const char *list);

/* Whether a shell's word or string uses a variable of a list: $NAME, "...${NAME}...". */
bool code_expands(const struct code *code, uint32_t i, const char *list);

/* The tokens around one on its line, but no more than a few dozen, so that a file of one line costs
 * no more. */
void code_around(const struct code *code, uint32_t i, uint32_t *ret_first, uint32_t *ret_end);

/* Whether one of these is spelt as a word of a list. */
bool code_around_in(const struct code *code, uint32_t i, const char *list);

/* Whether a string on its line (or a pattern, or in a shell a word) has one of the texts within;
 * the list ends with NULL. */
bool code_around_says(const struct code *code, uint32_t i, const char *const *texts);

/* The body of the function whose parameters are in a bracket: its first token, and the one after
 * its last. False: there is none, as after a call or a declaration. */
bool code_body(const struct code *code, uint32_t open, uint32_t *ret_first, uint32_t *ret_end);

/* How far a token stands to the right on its line, in bytes of its indentation. */
uint32_t code_column(const struct code *code, uint32_t i);

/* The end of a block by indentation, whose head has one token and which begins with another. */
uint32_t code_end_of_block(const struct code *code, uint32_t head, uint32_t first);

/* For rules: add a finding with the line of a token as its evidence. */
void guard_find_code(struct inspection *inspection, const struct guard_rule *rule,
	const struct code *code, uint32_t i);
