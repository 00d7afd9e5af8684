/* What the declaration of a name says of it. Private to repair/. */
#pragma once
#include "repair/source/kinds.h"

/* A kind, and where its type begins, or NO_TOKEN. */
struct declared {
	enum kind kind;
	uint32_t type;
};

/* Of a name, seen at a token: what the nearest declaration of it before says. */
struct declared declared_of_name(const struct source *source, uint32_t i);

/* Of a field of what the file declares; where two of that name differ, nobody knows. */
struct declared declared_of_field(const struct source *source, const struct word *word);
