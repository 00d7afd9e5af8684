#include "agents/repair/agenda.h"

#include "base/map.h"

size_t agenda_groups(const struct agent_services *services)
{
	size_t n = services->baseline->n_groups;
	return n ? n : 1;
}

static bool agenda_is_fixed(const struct goal_group *group, const struct map *fixed)
{
	for (size_t i = 0; i < group->n; i++)
		if (!map_get(fixed, group->ids[i]))
			return false;
	return true;
}

void agenda_begin(struct agenda *agenda, const struct agent_services *services,
	const char *const *fixed, size_t n_fixed)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct map pass = {0};
	const struct baseline *whole = services->baseline;
	struct goal_group all = {.ids = whole->goal, .n = whole->n_goal};
	for (size_t i = 0; i < n_fixed; i++)
		map_put(&pass, &scratch, fixed[i], &pass);
	agenda->n = agenda_groups(services);
	agenda->items = arena_alloc(&agenda->arena, agenda->n * sizeof *agenda->items);
	for (size_t i = 0; i < agenda->n; i++) {
		const struct goal_group *group = whole->n_groups ? &whole->groups[i] : &all;
		struct agenda_item *item = &agenda->items[i];
		*item = (struct agenda_item){.services = *services,
			.cause = group->cause,
			.is_fixed = agenda_is_fixed(group, &pass)};
		baseline_narrow(
			whole, group->ids, group->n, fixed, n_fixed, &agenda->arena, &item->baseline);
		item->services.baseline = &item->baseline;
	}
}

size_t agenda_taken(const struct agenda *agenda)
{
	size_t n = 0;
	for (size_t i = 0; i < agenda->n; i++)
		n += agenda->items[i].search.n_taken + agenda->items[i].search.n_reverts;
	return n;
}

size_t agenda_tried(const struct agenda *agenda)
{
	size_t n = 0;
	for (size_t i = 0; i < agenda->n; i++)
		n += agenda->items[i].search.n_tried;
	return n;
}

void agenda_release(struct agenda *agenda)
{
	for (size_t i = 0; i < agenda->n; i++)
		search_release(&agenda->items[i].search);
	arena_release(&agenda->arena);
	*agenda = (struct agenda){.n = 0};
}
