#include "termination/termination.h"

#include <string.h>

#include "base/memory.h"

#define ROW(name) &name##_termination,
const struct termination_type *const termination_types[] = {TERMINATION_TYPES(ROW)};
const size_t termination_types_n = ARRAY_SIZE(termination_types);

static int apply_setting(struct termination *termination, struct arena *arena, const char *setting,
	struct rondo_error *err)
{
	static const struct option none[] = {OPTION_END};
	const struct option *table = termination->type->options ? termination->type->options : none;
	const char *equals = strchr(setting, '=');
	size_t n = equals ? (size_t)(equals - setting) : strlen(setting);
	const struct option *option = option_find(table, arena_strndup(arena, setting, n), "key", err);
	if (!option || option_set(option, termination->state, arena, equals ? equals + 1 : "", err) < 0)
		return error_prefix(err, "termination %s", termination->type->name);
	return 0;
}

struct termination *termination_new(struct arena *arena, const struct termination_type *type,
	const char *const *settings, size_t n_settings, struct termination *const *children,
	size_t n_children, struct rondo_error *err)
{
	struct termination *termination = arena_alloc(arena, sizeof *termination);
	*termination = (struct termination){.type = type, .verdict = type->verdict,
		.state = arena_alloc(arena, type->state_size),
		.children = arena_memdup(arena, children, n_children * sizeof *children),
		.n_children = n_children};
	if (type->options)
		option_defaults(type->options, termination->state, arena);
	for (size_t i = 0; i < n_settings; i++)
		if (apply_setting(termination, arena, settings[i], err) < 0)
			return NULL;
	if (type->takes_children != (n_children > 0)) {
		error_set(err, RONDO_ERROR_USAGE, "termination %s %s", type->name,
			type->takes_children ? "needs conditions" : "takes no conditions");
		return NULL;
	}
	return termination;
}

bool termination_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason)
{
	if (!termination->fired) {
		reason->verdict = termination->verdict;
		termination->fired = termination->type->check(termination, delta, reason);
	}
	return termination->fired;
}

void termination_reset(struct termination *termination)
{
	termination->fired = false;
	if (termination->type->reset)
		termination->type->reset(termination);
	for (size_t i = 0; i < termination->n_children; i++)
		termination_reset(termination->children[i]);
}
