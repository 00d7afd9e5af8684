/* The coder of rondo fix where it is none of rondo's own. For run/fix.c alone. */
#pragma once
#include "run/order.h"

/* Whether the choice is one of rondo's own: auto, repair, model. */
bool fix_coder_is_own(const struct scenario *scenario);

/* Make the team of the one that is chosen. An error where there is none of that name. */
int fix_coder_take(struct scenario *scenario, struct rondo_error *err);
