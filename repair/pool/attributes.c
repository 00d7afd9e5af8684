/* The attributes that a program knows, what is said more often first. */
#include <string.h>

#include "repair/pool/pool.h"
#include "repair/search.h"

enum { LOOKED_MOST = 60000 }; /* tokens of all files */

#define OF_THE_OBJECT 3 /* how much more those count that the object itself is asked for */

/* Whether a token is the attribute of a name, which is no call: its object is the token before the
 * point. */
static bool attribute_at(const struct source *source, uint32_t i)
{
	return i >= 2 && is_name(source, i) && token_in(source, i - 1, " . -> ") &&
		(is_name(source, i - 2) || is_self(source, i - 2)) && !token_is(source, i + 1, "(") &&
		source->tokens[i].role != ROLE_DEAD && !(i >= 3 && is_access(source, i - 3));
}

struct ranking rank_attributes(struct site *site, const struct word *object, bool others)
{
	struct ranking ranking = {.n = 0};
	struct source_walk walk = {.left = LOOKED_MOST};
	for (const struct source *source; (source = source_walk_next(site, &walk));)
		for (uint32_t i = 0; i < source->n; i++) {
			bool asks = attribute_at(source, i);
			bool own = asks && source->tokens[i - 2].word == object;
			if (own || (asks && others))
				ranking_count(&ranking, source->tokens[i].word->text, own ? OF_THE_OBJECT : 1);
		}
	return ranking;
}
