#include "verify/suite/ids.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

const char *id_numbered(struct map *seen, const char *name, struct arena *arena)
{
	size_t *n = map_get(seen, name);
	const char *id = arena_strdup(arena, name);
	while (n && map_get(seen, id))
		id = arena_printf(arena, "%s (%zu)", name, ++*n);
	n = arena_alloc(arena, sizeof *n);
	*n = 1;
	map_put(seen, arena, id, n);
	return id;
}

size_t id_name_length(const char *id, size_t n)
{
	size_t digits = n && id[n - 1] == ')' ? n - 1 : n;
	while (digits < n && digits && isdigit((unsigned char)id[digits - 1]))
		digits--;
	bool has_number = digits + 1 < n && digits > 2 && memcmp(id + digits - 2, " (", 2) == 0;
	return has_number ? digits - 2 : n;
}
