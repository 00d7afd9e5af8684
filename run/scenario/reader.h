/*
 * From a tree to the structs that option tables describe: the one way in which files become
 * settings; and back. What is wrong becomes a problem with its place, and reading continues. Inside
 * run/ only.
 */
#pragma once
#include "base/json/json.h"
#include "run/scenario/parameter.h"
#include "run/scenario/yaml.h"

/* Which file set which member. */
struct origins {
	struct origin {
		const void *member;
		struct option_place place;
	} * items;
	size_t n;
};

struct reader {
	struct arena *arena;
	struct problems *problems;
	const struct option_specs *parameters; /* for {{name}}; NULL: braces are text */
	const char *dir; /* where {file: PATH} begins; NULL: such texts are refused */
	bool may_lack;   /* what is required, for not all is said yet */
	/* keys change what is there: a thing of the same type keeps its others, and lacks none */
	bool is_change;
	const char *repository;  /* the root of the one whose file it is; NULL: the user's file */
	const char *section;     /* where the keys stand: "verify."; NULL: in none */
	struct origins *origins; /* told of each member that is set; may be NULL */
	size_t n_lacking;        /* texts that a parameter without a value left unread */
};

/* Read a map into a state that holds the defaults. `what` names it in problems: "team", "agent
 * 'coder'"; NULL: the file. */
void reader_read(struct reader *reader, const struct option *table, void *state,
	const struct yaml_node *map, const char *what);

/* writer.c: add what the table describes to an object, every default written out; what is unset and
 * has no default is left out. */
void writer_add(struct json *to, const struct option *table, const void *state);

/* --- For reader.c and reader_things.c --- */

/* rights.c: whether a repository may set the option; of a section: anything in it. */
bool rights_any(const struct option *option);

/* Whether a value from a repository's file may be read. Adds a problem where the repository has no
 * right to set it, and none where the user has set more already. */
bool rights_allow(struct reader *reader, const struct option *option, const void *state,
	const struct yaml_node *node);

/* Some of a map's keys, and what they fill. */
struct reader_part {
	const struct option *table;
	void *state;
};

/* Read the keys of a map, but for one node, each by the part that knows it. */
void reader_keys(struct reader *reader, const struct reader_part *parts, size_t n,
	const struct yaml_node *map, const struct yaml_node *leave_out, const char *what);

/* Tell what a table requires and the map lacks. `beside`: where it may stand as well; NULL:
 * nowhere. */
void reader_required(struct reader *reader, const struct option *table, const struct yaml_node *map,
	const struct yaml_node *beside, const char *what);

/* Both. */
void reader_parts(struct reader *reader, const struct reader_part *parts, size_t n,
	const struct yaml_node *map, const struct yaml_node *leave_out, const char *what);

/* The option that a bare value in place of a section of the type means, or NULL. */
static inline const struct option *reader_main(const struct option_type *type)
{
	return type->options ? option_main(type->options) : NULL;
}

/* What to use in place of a key that was removed, where `names` are the keys; or in place of one
 * that other programs have. NULL: it is no such key. Static. */
const char *key_removed(const char *key, const char *const *names, size_t n);
const char *key_foreign(const char *key);

/* Why a file of another program is no scenario, such as one of Microsoft's Agent Framework; NULL:
 * it is none of those that are known. */
const char *foreign_file(const struct yaml_node *root, struct arena *arena);

/* The sections that have a key, for people: "limits, executor (docker)"; NULL: none, or many. In
 * the arena. */
const char *key_home(const char *key, struct arena *arena);

/* Read one value. */
void reader_value(
	struct reader *reader, const struct option *option, void *state, const struct yaml_node *node);

/* Whether there is nothing after the key: "", "null" and "~" without quotes. */
bool reader_is_nothing(const struct yaml_node *node);

/* Whether the option may be meant where a node stands in place of a whole section. */
bool reader_may_stand_for(const struct option *option, const struct yaml_node *node);

/* Tell that a node is not what was meant: "NAME must be MEANT, found a list". */
void reader_wrong_kind(
	struct reader *reader, const struct yaml_node *node, const char *name, const char *meant);

/* Tell that a list or map is empty that must not be. */
void reader_check_given(
	struct reader *reader, const struct option *option, const struct yaml_node *node);

/* Read a child, a list or a map of them into the option's member. */
void reader_things(
	struct reader *reader, const struct option *option, void *member, const struct yaml_node *node);
