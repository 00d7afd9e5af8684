/*
 * A file as repair sees it: tokens with their brackets matched, what each token is for, and the
 * definitions they make up. Private to repair/ and its tests.
 */
#pragma once
#include <stdint.h>

#include "repair/repair.h"

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
	LANGUAGE_INDENTED = 1, /* blocks by indentation */
	LANGUAGE_NEWLINES = 2, /* the end of a line ends a statement */
	LANGUAGE_SHAPED = 4,   /* "name(...) {" defines a function without a keyword */
	LANGUAGE_REGEX = 8,    /* a slash where an operand may begin opens a pattern */
	LANGUAGE_TRIPLE = 16,  /* three quotes open a string over several lines */
	LANGUAGE_PREPROCESSED = 32,
	LANGUAGE_NESTED_COMMENTS = 64,
	LANGUAGE_SIGILS = 128, /* '$' belongs to the name behind it */
	LANGUAGE_HEREDOCS = 256,
	LANGUAGE_GENERICS = 512, /* angle brackets may hold types */
	LANGUAGE_CHARACTERS = 1024, /* single quotes hold one character, or begin a lifetime */
	LANGUAGE_PREFIXES = 2048,   /* letters before a quote belong to the string */
};

/* Lists of words are separated and enclosed by single spaces. */
struct language {
	const char *name;
	const char *suffixes;
	const char *line_comments; /* the openings */
	const char *block_comment[2];
	const char *quotes;        /* characters that open a string with backslash escapes */
	const char *raw_quotes;    /* those that open one without */
	const char *interpolating; /* quotes whose strings hold expressions; in Python behind an 'f' */
	const char *interpolation; /* what opens an expression in such a string */
	unsigned traits;
	const struct operator_row *operators; /* longer before shorter, ends with a NULL text */
	const char *keywords;
	const char *operand_words; /* keywords that are operands: this, self, true, null */
	const char *function_words;
	const char *class_words;
	const char *import_words;
	const char *types;
	const char *const *opposites; /* its library's words that are taken for each other, by rows */
	const char *word_true, *word_false, *word_not;
};

extern const struct language *const languages[];
extern const size_t languages_n;

/* The language of a path by its suffix, or NULL. */
const struct language *language_of(const char *path);

/* The operator that is spelt so, or NULL. */
const struct operator_row *language_operator(const struct language *language, const char *text);

/* Whether a list of words holds the n bytes. */
bool words_hold(const char *list, const char *text, size_t n);

/* --- words: one struct a spelling, shared by all files of a search --- */

struct word {
	const char *text;
	uint32_t n;
	uint32_t keyword_in, operator_in; /* a bit for each language */
	uint32_t *definitions;            /* of this name: into repair->definitions */
	size_t n_definitions;
	const struct source *said_in; /* the first test file that says it in quotes, and where */
	uint32_t said_at;
	bool blamed;               /* an error message of the runner quotes it */
	bool is_text;              /* a string is assigned to it somewhere */
	bool is_indexed;           /* something of it is asked for somewhere: x[i], x.y */
	uint32_t failing, passing; /* how many failing and passing tests say it */
	uint32_t counted;          /* the last test that was counted */
};

struct words {
	struct arena *arena;
	struct word **slots;
	size_t n, capacity;
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

enum token_role {
	ROLE_VALUE, /* an operand: may be replaced by another of its kind */
	ROLE_CALLEE,
	ROLE_ATTRIBUTE,
	ROLE_METHOD,   /* an attribute that is called */
	ROLE_TARGET,   /* assigned to */
	ROLE_DECLARED, /* a definition's name, a parameter */
	ROLE_KEY,      /* a keyword argument's name, an object's key */
	ROLE_TYPE,
	ROLE_DEAD, /* imports, decorators, frozen ranges: not to be touched */
};

struct token {
	uint32_t start, length;
	uint32_t line;     /* from 1 */
	uint32_t match;    /* a bracket's partner, or NO_TOKEN */
	uint32_t around;   /* the bracket that it stands in, or NO_TOKEN */
	struct word *word; /* of names and keywords, and of short strings without their quotes */
	const struct operator_row *op;
	uint8_t kind;
	uint8_t role;
	bool first;     /* begins a statement */
	bool continues; /* a backslash joins its line to the one before */
	bool unary;
};

enum definition_kind { DEFINITION_FUNCTION, DEFINITION_CLASS, DEFINITION_VALUE };

/* A function, a class, or a value assigned at the top of a file. */
struct definition {
	const struct word *name;
	struct source *source;
	uint32_t first, last; /* tokens, both included */
	uint32_t open;        /* the bracket of a function's parameters, or NO_TOKEN */
	uint32_t parent;      /* index of the definition around it, or NO_TOKEN */
	uint8_t kind;
	bool constructor; /* runs without being named: reached through its class */
};

struct source {
	const struct repair_file *file;
	const struct language *language;
	struct words *words;
	struct token *tokens;
	size_t n;
	uint32_t *line_first; /* token that a line's tokens begin with, for lines 1 ... n_lines + 1 */
	size_t n_lines;
	size_t first_definition, n_definitions; /* its own: a run of repair->definitions */
	uint32_t *owner;                        /* by token: the innermost definition, or NO_TOKEN */
	bool *traced;                           /* by line: the runner's output names it */
	float *cost;                            /* by line: what its suspicion adds to an edit's cost */
	uint32_t index;                         /* of the file */
	const char *hash;
};

struct definitions {
	struct definition *items;
	size_t n;
};

/* Read a file's tokens. Any bytes will do. */
void source_lex(struct source *source, struct arena *arena);

/* Find statements, definitions (appended) and what each token is for. After source_lex. */
void source_find_structure(
	struct source *source, struct arena *arena, struct definitions *definitions);

/* The first token that ends behind a byte; source->n where there is none. */
uint32_t source_token_at(const struct source *source, size_t offset);

/* Where a token is in a list of words, or is spelt so. */
bool token_in(const struct source *source, uint32_t i, const char *list);
bool token_is(const struct source *source, uint32_t i, const char *text);

/* The text from one token to another, both included; in the arena. */
const char *tokens_text(
	const struct source *source, struct arena *arena, uint32_t first, uint32_t last);

/* Whether an operand can end with this token. */
bool token_ends_operand(const struct source *source, uint32_t i);

/* --- expressions, by scanning from operator to operator --- */

/* The precedence with which a token joins two operands; 0: it does not. */
int binary_precedence(const struct source *source, uint32_t i);

/* First and last token of what an operator joins; `near`: only up to the next operator of its own
 * precedence. NO_TOKEN where there is none. */
uint32_t operand_left(const struct source *source, uint32_t op, bool near);
uint32_t operand_right(const struct source *source, uint32_t op);

/* The first token of the expression that ends at `last`, made of operators of at least that
 * precedence. */
uint32_t expression_first(const struct source *source, uint32_t last, int precedence);

/* The last token of the expression that begins at `first`, made of operators of at least that
 * precedence. */
uint32_t expression_last(const struct source *source, uint32_t first, int precedence);

/* Whether a run of tokens is text: a literal, made into text on the spot, or named like one. */
bool span_is_text(const struct source *source, uint32_t first, uint32_t last);

/* Whether the statement around a token adds to text: "text += a + b". */
bool adds_to_text(const struct source *source, uint32_t i);

/* A run of tokens, both included. */
struct span {
	uint32_t first, last;
};

enum { SPAN_MOST = 8 };

/* The items between a bracket and its partner, split at commas. Gives how many; 0 also where there
 * are more than SPAN_MOST or one is empty. */
size_t bracket_items(const struct source *source, uint32_t open, struct span items[SPAN_MOST]);
