/*
 * Option tables: what a type or a command can be told. The table alone gives reading, defaults,
 * checks with exact error texts, and help. `offset` names the member of the state that an option
 * fills; the member's C type follows from its kind.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/registry.h"
#include "base/strbuf.h"

enum option_kind {
	OPTION_BOOL,     /* bool: true, false; on a command line its bare name is true */
	OPTION_INT,      /* int64_t */
	OPTION_NUMBER,   /* double */
	OPTION_DURATION, /* int64_t in ms: 90, 90s, 5m, 1h, 7d, 250ms; a bare number is seconds */
	OPTION_BYTES,    /* int64_t: 512, 64K, 16M, 1G */
	OPTION_MONEY,    /* double, USD: 3, 0.50 */
	OPTION_ENUM,     /* const char *: one of `values` */
	OPTION_STRING,   /* const char * */
	OPTION_STRINGS,  /* struct option_strings: given several times, or a list */
	OPTION_SETTING,  /* struct option_settings: on a command line, for `key` of the configuration */
	/* From here on only in files: */
	OPTION_TEXTS,    /* struct option_texts: NAME: text, for each */
	OPTION_SECTION,  /* a struct of its own, by `table` */
	OPTION_REF,      /* struct option_ref: the name of a thing of `family` */
	OPTION_REFS,     /* struct option_refs: a list of such names */
	OPTION_CHILD,    /* struct option_spec: one thing of `family` */
	OPTION_CHILDREN, /* struct option_specs: a list of them */
	OPTION_MAP,      /* struct option_specs: NAME: thing, for each */
	OPTION_KINDS,    /* how many there are */
};

/* What the rondo.yaml of a repository may do to an option; without a right it is refused there. A
 * list from a repository is added to what the user has set. */
enum option_right {
	OPTION_REFUSED,        /* nothing */
	OPTION_MAY_SET,        /* any value */
	OPTION_MAY_PROPOSE,    /* any value, which counts once the user agrees */
	OPTION_MAY_RAISE,      /* OPTION_BOOL, OPTION_INT: not below the default or what is set */
	OPTION_MAY_NAME_PATHS, /* OPTION_STRING, OPTION_STRINGS: paths or globs inside of it */
};

struct option_strings {
	const char **items;
	size_t n;
};

/* A key of the configuration that an option of the command line sets. */
struct option_setting {
	const char *option, *key, *value; /* the option's name, without "--" */
};

struct option_settings {
	struct option_setting *items;
	size_t n;
};

struct option_texts {
	const char **names, **items;
	size_t n;
};

/* Where something was written; line 0: not in a file. */
struct option_place {
	const char *origin;
	int line, column;
};

/* A thing by its name. Whoever makes things puts it in before the option's owner is used. */
struct option_ref {
	const char *name; /* NULL: none */
	void *object;
	struct option_place place;
};

struct option_refs {
	struct option_ref *items;
	size_t n;
};

/* What a registry knows of one of its types, as far as its options go. */
struct option_type {
	const char *name, *summary;
	const struct option *options; /* NULL: none */
	size_t state_size;            /* of what they fill */
	/* the type as its registry has it; NULL: the registry has nothing more */
	const void *self;
};

/* A thing as it was declared: its type and the type's options, filled; and the thing itself once it
 * is made. */
struct option_spec {
	const char *name;        /* its key in a map, or NULL */
	struct option_type type; /* .name NULL: none was declared */
	void *state;             /* what the type's options fill */
	void *common;            /* what the family's common options fill */
	void *object;
	struct option_place place;
	bool lacks_value; /* a parameter in it has none yet */
};

struct option_specs {
	struct option_spec *items;
	size_t n;
};

/* A registry: the types that a thing may have. */
/* What a type is called in other programs. Where `theirs` is NULL, a list ends. */
struct option_peer {
	const char *theirs, *ours;
};

struct option_family {
	const char *noun; /* "agent", as errors and headings say it */
	/* the key that names the type, such as "type"; NULL: there is only one type */
	const char *type_key;
	const char *fallback; /* the type where none is named, or NULL: one must be */
	/* the type that a bare "a/b" means, or NULL: type a, b as its main option */
	const char *of_slash;
	struct option_type (*type)(size_t i); /* .name NULL after the last */
	/* what each type can be told beside its own; NULL: nothing */
	const struct option *common;
	size_t common_size;
	const struct option_peer *peers; /* NULL: none */
	bool only_named; /* no file declares one: it is only listed, or the value of an option */
};

/* Define TABLE_at: the `type` of a family whose types are in a registry (base/registry.h). */
#define OPTION_TYPES(table) \
	OPTION_TYPES_WITH(table, .options = type->options, .state_size = type->state_size)
/* The same for types that have no options of their own. */
#define OPTION_TYPES_BARE(table) OPTION_TYPES_WITH(table, .options = NULL)
#define OPTION_TYPES_WITH(table, ...) \
	static struct option_type table##_at(size_t i) \
	{ \
		const __typeof__(**table) *type = table[i]; \
		if (!type) \
			return (struct option_type){0}; \
		return (struct option_type){ \
			.name = type->name, .summary = type->summary, .self = type, __VA_ARGS__}; \
	}

struct option {
	const char *name;
	enum option_kind kind;
	size_t offset;
	const char *fallback;      /* the default as text, or NULL: zero */
	const char *help;          /* half a sentence, lower case, no full stop */
	const char *argument;      /* what stands for the value in help, such as "CMD" */
	const char *key;           /* OPTION_SETTING: "test.goal"; "a.b=c" is a flag that sets it so */
	const char *const *values; /* OPTION_ENUM: NULL-terminated */
	/* OPTION_STRING, OPTION_STRINGS: refuses a text that is not what is meant; NULL: any is. */
	int (*check)(const char *text, struct rondo_error *err);
	bool any_case;              /* OPTION_ENUM: capital letters or small ones, as one likes */
	const char *const *aliases; /* other words for `name` in files; NULL-terminated, or NULL */
	const struct option *table; /* OPTION_SECTION */
	const struct option_family *family;
	bool required; /* in files: may not be left out */
	/* in files: what is meant where a bare value stands in place of the whole section */
	bool main;
	bool from_file; /* OPTION_STRING and OPTION_TEXTS in files: a text may be {file: PATH} */
	enum option_right right;
	double least, most; /* numbers, durations, bytes, money; both 0: not negative */
	char letter;        /* the short form on a command line, or 0 */
};

/* A row of a table: its name, its kind without OPTION_, its place and its help, then any other
 * members. */
#define OPTION(name_, kind_, offset_, ...) \
	{.name = (name_), .kind = OPTION_##kind_, .offset = (offset_), .help = __VA_ARGS__}
#define OPTION_END {.name = NULL}

/* Fill the state, and the sections in it, with the defaults of a table, or NULL. Strings lie in the
 * arena. */
void option_defaults(const struct option *table, void *state, struct arena *arena);

/* Set one option from text. The error says what was found and what was meant. */
int option_set(const struct option *option, void *state, struct arena *arena, const char *text,
	struct rondo_error *err);

/* The option of that name, or NULL with err set: "unknown option 'x', did you mean 'y'?".
 * `what` is the word for it in the error: "option" or "key". */
const struct option *option_find(
	const struct option *table, const char *name, const char *what, struct rondo_error *err);

/* The option of a table that has this name or this other word for it; NULL: there is none. */
const struct option *option_named(const struct option *table, const char *name);

/* Whether `name` is the option's name or another word for it. */
bool option_is_named(const struct option *option, const char *name);

/* What its values are, for errors and help: "a whole number", "one of a, b"; in the arena or
 * static. */
const char *option_meaning(const struct option *option, struct arena *arena);

/* Whether the option takes no value on a command line. */
static inline bool option_is_flag(const struct option *option)
{
	return option->kind == OPTION_BOOL || (option->kind == OPTION_SETTING && !option->argument);
}

/* Whether a text is one of these. */
bool option_strings_have(const struct option_strings *strings, const char *text);

/* The option that a bare value in place of the table's section means, or NULL. */
const struct option *option_main(const struct option *table);

/* The value as text, as option_set reads it. */
void option_print(const struct option *option, const void *state, struct strbuf *sb);

/* The type of that name, or one without a name and err set: "unknown agent type 'x', did you mean
 * 'y'?". */
struct option_type option_type_find(
	const struct option_family *family, const char *name, struct rondo_error *err);

/* A table with the state that its options fill. */
struct option_group {
	const struct option *table;
	void *state;
};

/* Options and operands of a command line, in any order; "--" ends the options. The last group's
 * table is NULL; the first one that has an option takes it. What is no option is appended to
 * `operands`. */
int option_read_arguments(const struct option_group *groups, struct arena *arena,
	const char *const *arguments, size_t n, struct option_strings *operands,
	struct rondo_error *err);
