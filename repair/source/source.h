/*
 * A file as repair reads it: tokens with their brackets matched, what each token is for, and the
 * definitions they make up. Private to repair/ and its tests.
 */
#pragma once
#include <string.h>

#include "base/lexer/source.h"
#include "repair/repair.h"

/* What repair knows of a spelling. Each word of its searches is one. */
struct term {
	struct word word;
	uint32_t *definitions; /* of this name: their places among all */
	size_t n_definitions;
	const struct source *said_in; /* the first test file with it in quotes, and where */
	uint32_t said_at;
	bool blamed;               /* an error message of the runner quotes it */
	bool is_text;              /* a string is assigned to it somewhere */
	bool is_indexed;           /* something of it is asked for somewhere: x[i], x.y */
	bool is_many;              /* its items are asked for: for x in xs, len(xs) */
	bool is_called;            /* it is called somewhere */
	bool is_own;               /* an object asks itself for it: self.x */
	uint32_t failing, passing; /* how many failing and passing tests say it */
	uint32_t counted;          /* the last test that was counted */
	bool is_quoted;            /* a failing test has it as a text */
	uint32_t looked;           /* when mentions were looked for last */
	uint32_t lines_off;        /* how far away the nearest was */
};

/* The same of NULL is NULL. */
static inline struct term *term_of(struct word *word)
{
	return (struct term *)word;
}

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

struct definitions {
	struct definition *items;
	size_t n;
};

struct source {
	const struct repair_file *file;
	const struct language *language;
	struct words *words;
	struct token *tokens;
	size_t n;
	uint32_t *line_first; /* token that a line's tokens begin with, for lines 1 ... n_lines + 1 */
	size_t n_lines;
	const struct definitions *definitions;
	size_t first_definition, n_definitions; /* its own: a run of these */
	uint32_t *owner;                        /* by token: the innermost definition, or NO_TOKEN */
	bool *traced;                           /* by line: the runner's output names it */
	bool *broken;                           /* by line: nobody could read on here; NULL: none is */
	float *cost;                            /* by line: what its suspicion adds to an edit's cost */
	float *plain_cost;                      /* the same without coverage; NULL: there is none */
	float *recent;  /* by line: by how much it costs less because it was changed lately; or NULL */
	uint32_t index; /* of the file */
	const char *hash;
	bool is_foreign;               /* some of its bytes are no UTF-8: they are not to be touched */
	const char *line_end, *indent; /* how the file ends its lines and indents its blocks by one */
};

/* Read a file's tokens. Any bytes will do. */
void source_lex(struct source *source, struct arena *arena);

/* Find statements, definitions (appended) and what each token is for. After source_lex. */
void source_find_structure(
	struct source *source, struct arena *arena, struct definitions *definitions);

/* The outermost function around a token, as a definition; NO_TOKEN: none. */
uint32_t outermost_function(const struct source *source, uint32_t i);

/* The first token that ends after a byte; source->n where there is none. */
uint32_t source_token_at(const struct source *source, size_t offset);

/* By how much a line costs less because it was changed lately. */
static inline double source_recent(const struct source *source, size_t line)
{
	return source->recent ? (double)source->recent[line] : 0;
}

/* A run of tokens, both included. */
struct span {
	uint32_t first, last;
};

static inline struct span span_of(uint32_t first, uint32_t last)
{
	return (struct span){first, last};
}

/* Where a token is in a list of words, or is spelt so. */
bool token_in(const struct source *source, uint32_t i, const char *list);

/* Asked a dozen times of every token, mostly of a text that the compiler knows. */
static inline bool token_is(const struct source *source, uint32_t i, const char *text)
{
	return i < source->n && source->tokens[i].length == strlen(text) &&
		memcmp(source->file->text + source->tokens[i].start, text, strlen(text)) == 0;
}

/* Whether the language has one of these traits. */
static inline bool has_trait(const struct source *source, unsigned traits)
{
	return source->language->traits & traits;
}

static inline bool is_python(const struct source *source)
{
	return source->language == &language_python;
}

static inline bool is_go(const struct source *source)
{
	return source->language == &language_go;
}

/* The bracket of "#[attribute]" or "#![attribute]" of Rust, seen at its sign; or NO_TOKEN. */
static inline uint32_t attribute_open(const struct source *source, uint32_t i)
{
	bool sign = source->language == &language_rust && token_is(source, i, "#");
	uint32_t open = i + 1 + (sign && token_is(source, i + 1, "!"));
	return sign && token_is(source, open, "[") ? open : NO_TOKEN;
}

static inline char first_byte(const struct source *source, uint32_t i)
{
	return source->file->text[source->tokens[i].start];
}

static inline bool is_name(const struct source *source, uint32_t i)
{
	return i < source->n && source->tokens[i].kind == TOKEN_NAME;
}

/* The byte after a token. */
static inline size_t token_end(const struct source *source, uint32_t i)
{
	return source->tokens[i].start + source->tokens[i].length;
}

/* Whether a token stands for the object that a method is called on. */
static inline bool is_self(const struct source *source, uint32_t i)
{
	return token_in(source, i, " self this $this ");
}

/* Whether a name says by its sign that it is an attribute of the object itself: Ruby's "@name". */
static inline bool is_own_name(const struct source *source, uint32_t i)
{
	return is_name(source, i) && first_byte(source, i) == '@';
}

static inline bool is_of_family(
	const struct source *source, uint32_t i, enum operator_family family)
{
	return i < source->n && source->tokens[i].op && source->tokens[i].op->family == family;
}

/* Whether a token asks for something of the operand before it. */
static inline bool is_access(const struct source *source, uint32_t i)
{
	return is_of_family(source, i, FAMILY_ACCESS);
}

/* The text from one token to another, both included; in the arena. */
const char *tokens_text(
	const struct source *source, struct arena *arena, uint32_t first, uint32_t last);

/* Whether n tokens are spelt like those from another one on. */
bool tokens_are_alike(const struct source *source, uint32_t a, uint32_t b, uint32_t n);

/* Whether an operand can end with this token. */
bool token_ends_operand(const struct source *source, uint32_t i);

/* A walk away from a token: to the one before it, the one after it, and so on, `within` tokens. */
struct outward {
	uint32_t at, within;
	bool after_first; /* of two that are equally far away */
	uint32_t steps;   /* that were made */
};

/* The walk's next token. False where there is none left. */
bool outward_next(const struct source *source, struct outward *outward, uint32_t *ret_i);

/* What two spellings have in common: bytes at the beginning, and after these at the end. */
struct likeness {
	size_t begins, ends;
	size_t most; /* bytes of the longer one */
};

struct likeness spelling_likeness(const char *a, size_t n, const char *b, size_t other_n);

/* How many of n bytes a name takes, from the first on. */
size_t name_length(const char *text, size_t n);

/* Whether two spellings differ by one letter too many, too few, another, or two exchanged. */
bool spelling_is_near(const char *a, size_t n, const char *b, size_t other_n);

/* --- expressions, by scanning from operator to operator --- */

/* Precedences: that of what compares most loosely, in any language; one above all operators'. */
enum { COMPARISON = 5, ONE_OPERAND = 14 };

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

/* Whether a run of tokens is a question: it compares, or joins answers. */
bool span_asks(const struct source *source, struct span span);

/* Whether a run of tokens is text: a literal, made into text on the spot, or named like one. */
bool span_is_text(const struct source *source, uint32_t first, uint32_t last);

/* Whether the statement around a token adds to text: "text += a + b". */
bool adds_to_text(const struct source *source, uint32_t i);

enum { SPAN_MOST = 8 };

/* The items between a bracket and its partner, split at commas. Gives how many; 0 also where there
 * are more than SPAN_MOST or one is empty. */
size_t bracket_items(const struct source *source, uint32_t open, struct span items[SPAN_MOST]);

/* --- statements --- */

struct statement {
	struct span span;
	bool simple;  /* it holds no other statement */
	bool alone;   /* its lines hold nothing else */
	bool is_body; /* it is all that a loop or "if" without braces holds: nothing stands beside it */
};

/* Whether such a statement begins at a token. */
bool is_only_body(const struct source *source, uint32_t i);

/* The "=" of a statement that only assigns to what is there, or NO_TOKEN. */
uint32_t statement_assigns(const struct source *source, const struct statement *statement);

/* The statement of a function's body that begins at a token. False where none does, and where it is
 * not to be touched. */
bool statement_at(const struct source *source, uint32_t i, struct statement *ret_statement);

/* Whether a call, seen at its closing bracket, is one of a method that changes its object and
 * gives nothing. */
bool changes_its_object(const struct source *source, uint32_t close);

/* Whether a brace holds a key of what stands before it. */
bool is_subscript(const struct source *source, uint32_t open);

/* Whether a brace opens a block of statements rather than a literal. */
bool is_block(const struct source *source, uint32_t open);

/* The white space that a token's line begins with; in the arena. */
const char *line_indent(const struct source *source, struct arena *arena, uint32_t i);

/* How many bytes stand before a token on its line. */
uint32_t token_column(const struct source *source, uint32_t i);

/* A run without the semicolon at its end. */
struct span span_without_semicolon(const struct source *source, struct span span);

/* Whether a token of a run is not to be touched. */
bool span_is_dead(const struct source *source, struct span span);

/* The tokens of a line that has some. */
static inline struct span line_span(const struct source *source, uint32_t line)
{
	return span_of(source->line_first[line], source->line_first[line + 1] - 1);
}

/* Whether a line has something that may be changed. */
bool line_is_live(const struct source *source, uint32_t line);

/* Where a token's line begins, and where it ends, before its line end. */
size_t line_start(const struct source *source, uint32_t i);
size_t line_stop(const struct source *source, uint32_t i);

/* Find out how a file ends its lines and indents its blocks. After source_lex. */
void source_find_layout(struct source *source, struct arena *arena);

/* --- the steps of source_find_structure --- */

/* Set `first` and `unary` of the tokens. */
void source_find_statements(struct source *source);

/* Set the roles of the tokens. After the definitions are known. */
void source_find_roles(struct source *source);

/* Where words open blocks and "end" closes them: LANGUAGE_ENDED. */
enum { ENDED_MOST = 256 }; /* blocks around a token that are known; deeper ones have no partner */

struct ended {
	uint32_t opens[ENDED_MOST];
	size_t n;
};

/* Whether a token begins a statement. Called for all tokens in order: it pairs the words that open
 * and close blocks, by their `match`, as brackets are. */
bool ended_begins(struct ended *ended, const struct source *source, uint32_t i);
