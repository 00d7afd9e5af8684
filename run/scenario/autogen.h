/*
 * AutoGen's files: what its components dump of a team, as a scenario. A component is
 * {provider, component_type, version, component_version, config}; the provider names a class, here
 * that is a word to look up and nothing that is loaded. Inside run/ only.
 */
#pragma once
#include "run/scenario/reader.h"

struct autogen_component;

struct autogen {
	struct reader reader; /* the arena, and what is told */
	bool has_executor;    /* the user names one: what the file says need not be known */
	struct option_strings
		notices; /* what the file says and has no effect here, each with its place */

	/* The scenario's sections while they are made. */
	struct yaml_node *models, *agents;
	/* Of all agents that run code: the executor, its longest time. */
	const struct autogen_component *executor;
	const struct yaml_node *timeout;
};

/* Whether a file's tree is a component, and no scenario. */
bool autogen_is_component(const struct yaml_node *root);

/* The scenario's tree, whose nodes have the places of the component's. NULL, never without a
 * problem, where it is no team or one that rondo cannot be. */
struct yaml_node *autogen_scenario(struct autogen *autogen, const struct yaml_node *root);

/* --- For run/autogen*.c --- */

/* What becomes of a key of a component's config. */
enum autogen_use {
	AUTOGEN_IS,     /* an option, `ours` */
	AUTOGEN_READ,   /* the part's `read` sees to it */
	AUTOGEN_NEEDED, /* the same, and it may not be left out */
	AUTOGEN_IDLE,   /* nothing: it changes nothing here */
	/* nothing, though it means something: a notice where it is given; `ours` says why */
	AUTOGEN_UNUSED,
	AUTOGEN_REFUSED, /* there is none: where something is given, that is reported */
};

struct autogen_key {
	const char *theirs;
	enum autogen_use use;
	const char *ours;
};

/* A component that rondo knows, and what stands for it. */
struct autogen_part {
	const char *provider;               /* in full; */
	const char *const *aliases;         /* other words for it, or NULL */
	int version;                        /* of its config, as AutoGen 0.7.5 writes it */
	const struct option_family *family; /* NULL: its keys belong to what it is a part of */
	const char *type;
	struct autogen_key keys[32]; /* .theirs NULL after the last */
	const char *also, *as;       /* one option more, and its value; or NULL */
	void (*read)(
		struct autogen *autogen, const struct autogen_component *component); /* the rest; or NULL */
};

struct autogen_component {
	const struct autogen_part *part;
	const struct yaml_node *config;
	const char *where;      /* for people: "participant 2" */
	struct yaml_node *made; /* what stands for it: a map */
};

/* clang-format off */
#define PART(provider_, version_, family_, type_, ...) {.provider = (provider_), \
	.version = (version_), .family = (family_), .type = (type_), __VA_ARGS__}
#define KEYS(...) .keys = {__VA_ARGS__}
/* clang-format on */
#define PARTS_END {.provider = NULL}
#define IS(theirs, ours) {theirs, AUTOGEN_IS, ours}
#define SAME(key) IS(key, key)
#define READ(key) {key, AUTOGEN_READ, NULL}
#define NEEDED(key) {key, AUTOGEN_NEEDED, NULL}
#define IDLE(key) {key, AUTOGEN_IDLE, NULL}
#define UNUSED(key) {key, AUTOGEN_UNUSED, NULL}
#define UNUSED_FOR(key, why) {key, AUTOGEN_UNUSED, why}
#define REFUSED(key) {key, AUTOGEN_REFUSED, NULL}

/* Read a component that must be one of the parts, with what its keys say. `made`: takes the
 * options; NULL: a new map of its own. False with a problem where it is none of them. */
bool autogen_open(struct autogen *autogen, const struct yaml_node *node, const char *where,
	const struct autogen_part *parts, struct yaml_node *made,
	struct autogen_component *ret_component);

/* Something has no effect. */
void autogen_notice(struct autogen *autogen, const struct yaml_node *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What the config has under a key: anything, a single value, a list. NULL where there is nothing or
 * null, and where it is of another kind, which is reported. */
const struct yaml_node *autogen_get(const struct autogen_component *component, const char *key);
const struct yaml_node *autogen_text(
	struct autogen *autogen, const struct autogen_component *component, const char *key);
const struct yaml_node *autogen_list(
	struct autogen *autogen, const struct autogen_component *component, const char *key);

/* A node with the place of another one; in the arena. */
struct yaml_node *autogen_node(
	struct autogen *autogen, enum yaml_kind kind, const struct yaml_node *at);

/* Append a text of ours, or a value as it is, to a map; with `key` NULL to a list. */
void autogen_put_text(struct autogen *autogen, struct yaml_node *to, const char *key,
	const char *text, const struct yaml_node *at);
void autogen_put(
	struct autogen *autogen, struct yaml_node *to, const char *key, const struct yaml_node *value);

/* autogen.c: a team within a team: what stands for it is an agent. */
void autogen_read_nested(struct autogen *autogen, const struct autogen_component *component);

/* autogen_agent.c: a participant, with its model and its share of the executor, into
 * autogen->agents. Gives its name; NULL where something is wrong with it, which is reported. */
const struct yaml_node *autogen_participant(
	struct autogen *autogen, const struct yaml_node *node, const char *where);

/* autogen_agent.c: the executor that all agents share, where one of them runs code. */
void autogen_put_executor(struct autogen *autogen, struct yaml_node *scenario);
