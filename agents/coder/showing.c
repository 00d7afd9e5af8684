/* The steps: which files are near, what of them is read, what of that fits; then the map. */
#include "agents/coder/showing.h"

#include "base/memory.h"
#include "chat/message.h"

const char *showing_mark(const struct agent_services *services, const char *path)
{
	bool is_protected = services->protection && protection_rule(services->protection, path);
	return is_protected ? " (protected)" : "";
}

void showing_find_places(struct showing *showing, struct message_span said, struct arena *arena)
{
	const struct json *item = NULL;
	const char **places = NULL;
	size_t n = 0;
	for (size_t i = said.n; i-- > 0 && !item;)
		item = json_first(json_get(message_data(said.messages[i]), "parts"));
	for (; item; item = json_next(item))
		ARENA_PUSH(arena, places, n, json_text(item, ""));
	showing->places = places;
	showing->n_places = n;
}

int showing_add(struct strbuf *sb, const struct showing *showing, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct agent_services *services = showing->services;
	struct nearby nearby;
	struct excerpt *excerpts = NULL;
	size_t n = 0;
	if (nearby_find(services, showing->report, showing->places, showing->n_places, &arena, &nearby,
			err) < 0)
		return -1;
	if (services->suite)
		n = repair_excerpts(&arena, nearby.files, nearby.n_files, showing->report, showing->places,
			showing->n_places, &excerpts);
	struct exhibits exhibits = {.services = services, .arena = &arena, .room = showing->room};
	exhibits_choose(&exhibits, excerpts, n, showing->report);
	exhibits_add(&exhibits, sb);
	overview_add(&exhibits, &nearby, showing->map_room, sb);
	return 0;
}
