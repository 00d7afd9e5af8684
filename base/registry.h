/*
 * A registry is a table of all types of one kind, each a file of its own. Its header has the list:
 *
 *	#define EXECUTOR_SYMBOL(name) name##_executor
 *	#define EXECUTOR_TYPES(_) _(sandbox), _(docker), _(local)
 *	REGISTRY_DECLARE(struct executor_type, executor_types, EXECUTOR_TYPES(EXECUTOR_SYMBOL));
 *
 * and one .c file of the folder the table:
 *
 *	REGISTRY_DEFINE(struct executor_type, executor_types, EXECUTOR_TYPES(&EXECUTOR_SYMBOL));
 *
 * To add a type "moon", write executors/moon.c, which defines `const struct executor_type
 * moon_executor`, and add _(moon) to the list. Nothing else names the types: help, schema, manual,
 * completion and errors read the table.
 */
#pragma once
#include <stddef.h>

#include "base/memory.h"

/* Declare each type, and the table: pointers to the types, NULL after the last, and their number
 * as TABLE_n. */
#define REGISTRY_DECLARE(type, table, ...) \
	extern const type __VA_ARGS__, *const table[]; \
	extern const size_t table##_n
#define REGISTRY_DEFINE(type, table, ...) \
	const type *const table[] = {__VA_ARGS__, NULL}; \
	const size_t table##_n = ARRAY_SIZE(table) - 1

/* The words themselves, as values of an option: {EXECUTOR_TYPES(REGISTRY_NAME), NULL}. */
#define REGISTRY_NAME(name) #name
