/* What files of languages are made of. Private to source/. */
#pragma once
#include "base/lexer/source.h"

#define LANGUAGE_DECLARE(name, id) extern const struct language language_##name;
LANGUAGES(LANGUAGE_DECLARE)
#undef LANGUAGE_DECLARE

/* --- operators --- */

#define MARKS \
	{",", 0, FAMILY_NONE}, {";", 0, FAMILY_NONE}, {":", 0, FAMILY_NONE}, {"?", 0, FAMILY_NONE}, \
		{"@", 0, FAMILY_NONE}, {"#", 0, FAMILY_NONE}, {"\\", 0, FAMILY_NONE}, \
		{"$", 0, FAMILY_NONE}, {"`", 0, FAMILY_NONE}, {".", 0, FAMILY_ACCESS}, \
	{ \
		NULL, 0, FAMILY_NONE \
	}

#define AUGMENTED \
	{"+=", 0, FAMILY_AUGMENT}, {"-=", 0, FAMILY_AUGMENT}, {"*=", 0, FAMILY_AUGMENT}, \
		{"/=", 0, FAMILY_AUGMENT}, {"%=", 0, FAMILY_AUGMENT}, {"&=", 0, FAMILY_AUGMENT}, \
		{"|=", 0, FAMILY_AUGMENT}, \
	{ \
		"^=", 0, FAMILY_AUGMENT \
	}

#define ARITHMETIC \
	{"*", 12, FAMILY_MULTIPLY}, {"/", 12, FAMILY_MULTIPLY}, {"%", 12, FAMILY_MULTIPLY}, \
		{"+", 11, FAMILY_ADD}, \
	{ \
		"-", 11, FAMILY_ADD \
	}

extern const struct operator_row c_operators[], tight_operators[];

/* --- what several have in common --- */

#define SLASH_COMMENTS .line_comments = " // ", .block_comment = {"/*", "*/"}
#define PLAIN_STRINGS .quotes = "\"'", .raw_quotes = "", .interpolating = "", .interpolation = " "
#define LOWER_TRUTHS .word_true = "true", .word_false = "false", .word_not = "!"
