/* Which verified fixes do the same: for the selection that counts them. */
#include <string.h>

#include "run/attempts/attempts.h"

/* --- By what they change --- */

int attempts_compare(struct attempts *all, struct rondo_error *err)
{
	(void)err;
	for (size_t i = 0; i < all->n; i++) {
		struct run_attempt *row = &all->items[i].row;
		row->n_alike = 0;
		for (size_t j = 0; j < all->n && attempt_is_verified(row); j++) {
			const struct run_attempt *other = &all->items[j].row;
			row->n_alike += attempt_is_verified(other) && strcmp(row->tree, other->tree) == 0;
		}
	}
	return 0;
}
