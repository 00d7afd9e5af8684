#include "termination/listen.h"

#include <string.h>

bool listen_has_name(const struct option_strings *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->items[i], name) == 0)
			return true;
	return false;
}

bool listen_is_task(const struct rondo_message *message)
{
	return strcmp(message->source, "user") == 0;
}
