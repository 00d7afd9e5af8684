/*
 * Settings from files, before the scenario has its say: the user's configuration, then what a
 * repository may say of itself, which is never where code runs, what it may reach or which model is paid.
 * Inside run/ only.
 */
#pragma once
#include "run/scenario/scenario.h"

struct origins;

/* Read both over the defaults. `path`: where the work is, whose repository may hold a rondo.yaml; NULL: there is none.
 * `origins`: takes where each was set; may be NULL. What is wrong becomes problems. */
void config_read(struct scenario *scenario, const char *path, struct origins *origins, struct problems *problems);

#define CONFIG_KEYS 16

/* The keys that rondo list config shows. */
void config_table(struct option table[CONFIG_KEYS]);

/* Set keys as "executor.image=NAME" says, over what is there by now. `executor`: the type that is wanted, or NULL; sections keep what
 * the user's configuration says of them beside, but for that of another executor. */
void config_override(struct scenario *scenario, const struct option_strings *overrides, const char *executor, struct problems *problems);

/* Take up what a program that calls the library says of a repository to be fixed, over what is there by now. */
void config_take(struct scenario *scenario, const struct yaml_node *root, struct problems *problems);
