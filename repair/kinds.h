/*
 * What a value holds, as far as its declaration says so, in languages whose compilers refuse one
 * kind for another. Nothing is resolved: a name is what the nearest declaration of it before says.
 * Private to repair/.
 */
#pragma once
#include "repair/mutation.h"

enum kind {
	KIND_UNKNOWN,
	KIND_NUMBER,
	KIND_TRUTH,
	KIND_TEXT,
	KIND_MANY, /* it has items */
	KIND_POINTER,
	KIND_OTHER, /* a type of the project's, or of a library's */
};

/* Of a value, an attribute, a literal, or what such a chain begins with. */
enum kind kind_of(const struct source *source, struct span span);

/* Of what a function gives back, seen at a token within it. */
enum kind kind_given_back(const struct source *source, uint32_t i);

/* Whether it refuses one for the other. */
bool kinds_differ(const struct language *language, enum kind a, enum kind b);

/* Whether the function around a name asks it for its parts: "x.y", "x[i]". */
bool kind_has_parts(const struct source *source, uint32_t i);

/* Whether a compiler refuses a text where a run of tokens stands. */
bool kind_forbids(struct site *site, struct span span, const char *text);
