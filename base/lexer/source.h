/*
 * Source text of any language as tokens: one table a language, one lexer for all of them. It knows
 * brackets, strings with the expressions in them, and comments; what a token is for is its reader's
 * business.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/map.h"
#include "base/registry.h"

#define NO_TOKEN UINT32_MAX

/* --- languages --- */

enum operator_family {
	FAMILY_NONE, /* a mark: ',' ';' ':' '?' */
	FAMILY_ACCESS,
	FAMILY_ASSIGN,
	FAMILY_AUGMENT,
	FAMILY_OR,
	FAMILY_AND,
	FAMILY_NOT,
	FAMILY_COMPARE,
	FAMILY_BITS,
	FAMILY_SHIFT,
	FAMILY_ADD,
	FAMILY_MULTIPLY,
	FAMILY_POWER,
	FAMILY_STEP,
};

struct operator_row {
	const char *text;
	unsigned char precedence; /* higher binds tighter; 0: joins no operands */
	unsigned char family;
};

enum language_trait {
	LANGUAGE_INDENTED = 1 << 0,     /* blocks by indentation */
	LANGUAGE_NEWLINES = 1 << 1,     /* the end of a line ends a statement */
	LANGUAGE_SHAPED = 1 << 2,       /* "name(...) {" defines a function without a keyword */
	LANGUAGE_REGEX = 1 << 3,        /* a slash where an operand may begin opens a pattern */
	LANGUAGE_TRIPLE = 1 << 4,       /* three quotes open a string over several lines */
	LANGUAGE_PREPROCESSED = 1 << 5, /* lines that begin with '#' are directives */
	LANGUAGE_NESTED_COMMENTS = 1 << 6,
	LANGUAGE_SIGILS = 1 << 7, /* '$' belongs to the name after it */
	LANGUAGE_HEREDOCS = 1 << 8,
	LANGUAGE_GENERICS = 1 << 9,          /* angle brackets may hold types */
	LANGUAGE_CHARACTERS = 1 << 10,       /* single quotes hold one character, or begin a lifetime */
	LANGUAGE_PREFIXES = 1 << 11,         /* letters before a quote belong to the string */
	LANGUAGE_BARE = 1 << 12,             /* a condition has no brackets, its block has braces */
	LANGUAGE_ENDED = 1 << 13,            /* words open a block, "then", "do", and "end" closes it */
	LANGUAGE_LONG_BRACKETS = 1 << 14,    /* [[...]] and [==[...]==] are strings, or comments */
	LANGUAGE_VARIABLES = 1 << 15,        /* only the name of a variable begins with a sign */
	LANGUAGE_TEMPLATE = 1 << 16,         /* code stands between <?php and ?>, the rest is text */
	LANGUAGE_HEREDOC_LITERALS = 1 << 17, /* "<<<WORD" opens a string; others span lines, too */
	LANGUAGE_BRACED_KEYS = 1 << 18,      /* a brace directly after a variable holds a key */
	LANGUAGE_QUOTE_WORDS = 1 << 19,      /* q, m, s open literals; documentation between code */
	LANGUAGE_OWN_NAMES = 1 << 20,        /* "@name" is an attribute of the object itself */
};

/* Lists of words are separated and enclosed by single spaces; NULL: there are none. */
struct language {
	const char *name;
	const char *suffixes;
	const char *line_comments; /* the openings */
	const char *block_comment[2];
	const char *quotes;        /* characters that open a string with backslash escapes */
	const char *raw_quotes;    /* those that open one without */
	const char *interpolating; /* quotes whose strings hold expressions; in Python after an 'f' */
	const char *interpolation; /* words that open one, each up to its bracket */
	unsigned traits;
	const struct operator_row *operators; /* longer before shorter, ends with a NULL text */
	const char *keywords;
	const char *operand_words; /* keywords that are operands: this, self, true, null */
	const char *function_words;
	const char *class_words;
	const char *import_words;
	const char *types;
	/* Lists of library words that are mistaken for each other; a NUL ends each. */
	const char *opposites;
	const char *word_true, *word_false, *word_not, *word_null;
	const char *empty[2];  /* what stands around a name to ask whether it holds nothing */
	const char *absent[2]; /* whether it is null; NULL: it is compared with that word */
	const char *present[2];
	const char *wrappers; /* calls that are left out now and then, likeliest first */
	const char *chained;  /* of them, methods after another method, as in "x.iter().rev()" */
	const char *number_methods; /* of a number; NULL: numbers have none */
};

/* Whether a list of words, or NULL, holds the n bytes. */
bool words_hold(const char *list, const char *text, size_t n);

#define LANGUAGE_SYMBOL(name) language_##name
#define LANGUAGES(_) \
	_(python), _(javascript), _(typescript), _(c), _(cpp), _(java), _(go), _(rust), _(shell), \
	_(ruby), _(lua), _(php), _(perl)
REGISTRY_DECLARE(struct language, languages, LANGUAGES(LANGUAGE_SYMBOL));

/* The language of a path by its suffix, or NULL. */
const struct language *language_of(const char *path);

/* The same of a path and its text: a header may be C's or C++'s. */
const struct language *language_of_text(const char *path, const char *text, size_t n);

/* Whether it is JavaScript or TypeScript. */
static inline bool language_is_script(const struct language *language)
{
	return language == &language_javascript || language == &language_typescript;
}

/* Whether a list of words holds its name. */
static inline bool language_in(const struct language *language, const char *list)
{
	return words_hold(list, language->name, strlen(language->name));
}

/* The operator that is spelt so, or NULL. */
const struct operator_row *language_operator(const struct language *language, const char *text);

/* --- words: one struct a spelling, shared by all texts of a reader --- */

struct word {
	const char *text;
	uint32_t n;
	uint32_t keyword_in, operator_in; /* a bit for each language */
};

/* A reader that has more to say of a word begins its own struct with one. */
struct words {
	struct arena *arena;
	size_t size; /* of that struct; 0: a plain word's */
	struct map map;
};

/* The word of n bytes, new where there was none. */
struct word *words_intern(struct words *words, const char *text, size_t n);

/* The same, or NULL where there is none. */
struct word *words_find(const struct words *words, const char *text, size_t n);

/* --- tokens --- */

enum token_kind {
	TOKEN_NAME,
	TOKEN_KEYWORD,
	TOKEN_NUMBER,
	TOKEN_STRING, /* a whole literal, or a piece between two interpolations */
	TOKEN_OPERATOR,
	TOKEN_OPEN,  /* a bracket, or a string's beginning up to its first interpolation */
	TOKEN_CLOSE, /* its partner */
};

struct token {
	uint32_t start, length;
	uint32_t line;     /* from 1 */
	uint32_t match;    /* a bracket's partner, or NO_TOKEN */
	uint32_t around;   /* the bracket that it stands in, or NO_TOKEN */
	struct word *word; /* of names and keywords, and of short strings without their quotes */
	const struct operator_row *op;
	uint8_t kind;
	uint8_t role;      /* its reader's to set, as the next two: what it is for */
	bool first, unary; /* begins a statement; stands before its only operand */
	bool continues;    /* a backslash joins its line to the one before */
};

struct token_list {
	struct token *tokens; /* n, and one without bytes that begins a statement: the end */
	size_t n;
	uint32_t *line_first; /* token that a line's tokens begin with, for lines 1 ... n_lines + 1 */
	size_t n_lines;
};

/* Read n bytes of text, below 4 GiB. Any bytes will do. Words go to `words`, the list into the
 * arena. */
void tokens_read(const struct language *language, const char *text, size_t n, struct words *words,
	struct arena *arena, struct token_list *list);

/* Whether an operand can end with this token of a text. */
bool token_may_end_operand(
	const struct language *language, const char *text, const struct token *token);
