/* What models cost and how much they can read, as far as it was known when this was made. */
#pragma once
#include "chat/budget.h"

/* The price of a model at a provider's own host; names with a date, or "-latest", are those
 * without. False where it is not in the table. */
bool price_find(const char *host, const char *model, struct price *ret_price);

/* How many tokens fit into its context; 0: nobody knows. */
int64_t price_context(const char *host, const char *model);
