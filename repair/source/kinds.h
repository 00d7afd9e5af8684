/*
 * What a value holds, as far as its declaration says so, in languages whose compilers refuse one
 * kind for another. Nothing is resolved: a name is what the nearest declaration of it before says.
 * Private to repair/.
 */
#pragma once
#include "repair/source/source.h"

enum kind {
	KIND_UNKNOWN = 0,
	KIND_NUMBER = 1 << 0,
	KIND_TRUTH = 1 << 1,
	KIND_TEXT = 1 << 2,
	KIND_MANY = 1 << 3, /* it has items */
	KIND_POINTER = 1 << 4,
	KIND_OTHER = 1 << 5, /* a type of the project's, or of a library's */
};

/* Whether the compiler of a language does so. */
bool kinds_are_checked(const struct source *source);

/* Of a type that begins at a token, where it stands after its name or alone; of the value that
 * something is declared with. */
enum kind kind_of_type(const struct source *source, uint32_t i);
enum kind kind_of_value(const struct source *source, uint32_t i);

/* Of a value, an attribute, a literal, or what such a chain begins with. */
enum kind kind_of(const struct source *source, struct span span);

/* Whether it may be one of these: it is, or nobody knows. */
bool kind_may_be(const struct source *source, struct span span, unsigned kinds);

/* Whether it may be worked on with a number: "x + 1". */
bool kind_counts(const struct source *source, struct span span);

/* Of what a function gives back, seen at a token within it. */
enum kind kind_given_back(const struct source *source, uint32_t i);

/* Whether it refuses one for the other. */
bool kinds_differ(const struct language *language, enum kind a, enum kind b);

/* Whether the function around a name asks it for its parts: "x.y", "x[i]". */
bool kind_has_parts(const struct source *source, uint32_t i);
