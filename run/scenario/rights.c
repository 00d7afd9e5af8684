/*
 * What the rondo.yaml of a repository may set: only options whose table gives a right, and within
 * its bounds. The file alone decides what is an error. It never lowers what the user has set.
 */
#include <string.h>

#include "base/file.h"
#include "chat/edit.h"
#include "run/scenario/config.h"
#include "run/scenario/reader.h"

bool rights_any(const struct option *option)
{
	if (option->kind != OPTION_SECTION)
		return option->right != OPTION_REFUSED;
	const struct option *inner = option->table;
	while (inner->name && !rights_any(inner))
		inner++;
	return inner->name;
}

static const char *rights_key(const struct reader *reader, const struct option *option)
{
	return arena_printf(
		reader->arena, "%s%s", reader->section ? reader->section : "", option->name);
}

static const char *rights_instead(const struct reader *reader, const struct option *option)
{
	return config_instead(rights_key(reader, option), option, reader->arena);
}

/* --- Numbers and truth values --- */

static bool rights_number(
	const struct option *option, const char *text, struct arena *arena, int64_t *ret_number)
{
	struct option alone = *option;
	struct rondo_error ignored;
	union {
		bool truth;
		int64_t number;
	} value = {.number = 0};
	alone.offset = 0;
	if (option_set(&alone, &value, arena, text, &ignored) < 0)
		return false;
	*ret_number = option->kind == OPTION_BOOL ? value.truth : value.number;
	return true;
}

/* A value of the wrong kind is left to the reader, which says what was meant. */
static bool rights_raise(struct reader *reader, const struct option *option, const void *state,
	const struct yaml_node *node)
{
	const void *member = (const char *)state + option->offset;
	int64_t set = option->kind == OPTION_BOOL ? *(const bool *)member : *(const int64_t *)member;
	int64_t least = 0, found;
	if (option->fallback)
		rights_number(option, option->fallback, reader->arena, &least);
	if (node->kind != YAML_SCALAR || !rights_number(option, node->text, reader->arena, &found))
		return true;
	if (found >= least)
		return found >= set;
	const char *key = rights_key(reader, option), *instead = rights_instead(reader, option);
	if (option->kind == OPTION_BOOL)
		problems_add(reader->problems, node->place,
			"a repository can only set %s to true; set it to false %s", key, instead);
	else
		problems_add(reader->problems, node->place,
			"a repository cannot set %s below %s, found '%s'; set it %s", key, option->fallback,
			node->text, instead);
	return false;
}

/* --- Paths --- */

/* Where the longest part of a path below `root` that exists really is; NULL: no part does. */
static const char *rights_real_path(const char *root, const char *path, struct arena *arena)
{
	struct rondo_error ignored;
	char *part = arena_strdup(arena, arena_printf(arena, "%s/%s", root, path));
	for (; strlen(part) > strlen(root); *strrchr(part, '/') = '\0') {
		const char *real = file_real_path(arena, part, &ignored);
		if (real)
			return real;
	}
	return NULL;
}

/* NULL: the path is inside the repository, and not in .git. Else where a link leads, or "". */
static const char *rights_outside(const struct reader *reader, const char *path)
{
	const char *root = reader->repository;
	struct rondo_error ignored;
	size_t n = strlen(path);
	while (n && path[n - 1] == '/')
		n--;
	const char *inside = arena_strndup(reader->arena, path, n);
	inside += text_starts_with(inside, "./") ? 2 : 0;
	if (edit_check_path(inside, &ignored) < 0)
		return "";
	const char *real = rights_real_path(root, inside, reader->arena);
	bool is_inside = !real ||
		(file_is_below(real, root) && real[strlen(root)] &&
			edit_check_path(real + strlen(root) + 1, &ignored) == 0);
	return is_inside ? NULL : real;
}

static bool rights_path(
	struct reader *reader, const struct option *option, const struct yaml_node *node)
{
	const char *to = node->kind == YAML_SCALAR ? rights_outside(reader, node->text) : NULL;
	if (!to)
		return true;
	problems_add(reader->problems, node->place,
		"%s must name a path inside the repository, found '%s'%s%s; to let programs read what lies "
		"outside, set executor.read_only %s",
		rights_key(reader, option), node->text, *to ? ", which leads to " : "", to,
		config_instead("executor.read_only", option, reader->arena));
	return false;
}

static bool rights_paths(
	struct reader *reader, const struct option *option, const struct yaml_node *node)
{
	bool all = true;
	if (node->kind != YAML_LIST)
		return rights_path(reader, option, node);
	for (const struct yaml_node *item = node->first; item; item = item->next)
		all = rights_path(reader, option, item) && all;
	return all;
}

bool rights_allow(struct reader *reader, const struct option *option, const void *state,
	const struct yaml_node *node)
{
	if (!rights_any(option)) {
		problems_add(reader->problems, yaml_key_place(node),
			"a repository cannot set %s; set it %s", rights_key(reader, option),
			rights_instead(reader, option));
		return false;
	}
	if (option->right == OPTION_MAY_NAME_PATHS)
		return rights_paths(reader, option, node);
	return option->right != OPTION_MAY_RAISE || rights_raise(reader, option, state, node);
}
