/*
 * Settings from files, before the scenario has its say: the user's configuration, then the
 * rondo.yaml of a repository, which may set only what the option tables allow (rights.c).
 * Inside run/ only.
 */
#pragma once
#include "run/scenario/scenario.h"

struct origins;

/* Read both over the defaults. `path`: where the work is, whose repository may hold a rondo.yaml;
 * NULL: there is none. `origins`: takes where each was set; may be NULL. What is wrong becomes
 * problems. */
void config_read(struct scenario *scenario, const char *path, struct origins *origins,
	struct problems *problems);

/* Where else a key can be set that a repository may not set: "in FILE, with -s KEY=VALUE or in a
 * scenario"; in the arena. `key`: the option's whole name, such as "verify.hidden". */
const char *config_instead(const char *key, const struct option *option, struct arena *arena);

/* Keys that only a configuration has. */
extern const struct option config_own_keys[];

/* Set the key that an option of the command line stands for, over what is there by now; a list gets
 * one more. The error names the option. */
int config_set(
	struct scenario *scenario, const struct option_setting *setting, struct rondo_error *err);

/* Take up what a program that calls the library, or the command line, says of a repository to be
 * fixed, over what is there by now. `is_change`: as of struct reader. */
void config_take(struct scenario *scenario, const struct yaml_node *root, bool is_change,
	struct problems *problems);
